package external

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/input"
	"clade/gp/proof"
)

// script writes a file below the directory in which a test runs, and returns its name there.
func script(t *testing.T, name, text string) string {
	t.Helper()
	proof.OK(t, os.MkdirAll(filepath.Dir(name), 0o777))
	proof.OK(t, os.WriteFile(name, []byte(text), 0o777))
	return name
}

// TestFaultsOfTheMachine plays programs that this machine cannot run, as users have had them: no
// turn is the player's loss, and what is told names the file that the user wrote.
func TestFaultsOfTheMachine(t *testing.T) {
	for name, c := range map[string]struct {
		command func(t *testing.T) string
		told    string
	}{
		"no folder for temporary files": {func(t *testing.T) string {
			bot := script(t, "bots/a bot.sh", north)
			t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "not there"))
			return input.Quote("sh", bot)
		}, "no folder for it among temporary files (see TMPDIR)"},
		"no interpreter in the script": {func(t *testing.T) string {
			return input.Quote("./" + script(t, "bots/bot.sh", north))
		}, "./bots/bot.sh cannot be started: exec format error; a script needs a first line"},
		"no script": {func(*testing.T) string { return "sh bots/nope.sh" },
			"there is no file bots/nope.sh"},
		"no script, behind options": {func(*testing.T) string { return "sh -u -e nope.sh" },
			"there is no file nope.sh"},
		"no script without an ending": {func(*testing.T) string { return "sh nope" },
			"there is no file nope"},
		"a script that went": {func(t *testing.T) string {
			bot := script(t, "bots/bot", "exit 3")
			t.Cleanup(func() {})
			return input.Quote("sh", "-c", `rm "$1"; exit 3`, "x", bot)
		}, "there is no file bots/bot"},
		"a command that is not there": {func(t *testing.T) string {
			return input.Quote("sh", script(t, "bots/bot.sh", "exec nope-of-this-name"))
		}, "it starts something that is not here (status 127): "},
		"env with options in one word": {func(t *testing.T) string {
			return "./" + script(t, "bots/bot", "#!/usr/bin/env sh -u\n"+north)
		}, "(status 127)"},
	} {
		for _, kind := range []string{"persist:", "exec:"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Chdir(t.TempDir())
				var faults []error
				s := &Supervisor{Fail: func(err error) { faults = append(faults, err) }, Seconds: 30}
				p := proof.Must(find(s, kind+c.command(t)))(t)
				steps(t, p)
				if len(faults) == 0 {
					t.Fatal("it forfeits")
				}
				var fault *Fault
				if text := faults[0].Error(); !errors.As(faults[0], &fault) || len(faults) > 1 ||
					!strings.Contains(text, c.told) || strings.Contains(text, "clade-player-") ||
					strings.Contains(text, os.TempDir()+"/Test") {
					t.Errorf("told %q, want one with %q", faults, c.told)
				}
			})
		}
	}
}

// TestFilesByTheNamesOfTheUser: what an interpreter of this machine says of a file in a folder of
// clade's is told with the name that the user wrote.
func TestFilesByTheNamesOfTheUser(t *testing.T) {
	proof.Costly(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	bot := script(t, "bots/bot.py", "import os\nopen(os.getcwd() + '/weights')\n")
	var told notices
	s := &Supervisor{Notice: told.add, Seconds: 30}
	p := proof.Must(s.Persist("python3 " + bot))(t)
	steps(t, p)
	if text := told.String(); !strings.Contains(text, "No such file or directory: 'weights'") {
		t.Errorf("told %s", text)
	}
}

// TestScriptsThatCannotBeStarted gives scripts as editors on Windows and other machines' paths make
// them: they are refused before a game.
func TestScriptsThatCannotBeStarted(t *testing.T) {
	t.Chdir(t.TempDir())
	for first, want := range map[string]string{
		"#!/bin/sh\r":              "carriage return",
		"#!/usr/bin/env python3\r": "carriage return",
		"#!/opt/nope/bin/python3":  "/opt/nope/bin/python3, names an interpreter that cannot be started",
		"#!/usr/bin/env nope-9":    "nope-9",
		"#!/usr/bin/env -S nope-9": "nope-9",
		"#! /usr/bin/env A=b nope": "nope",
		"#!":                       "names no interpreter",
		"\xef\xbb\xbf#!/bin/sh":    "byte order mark",
	} {
		bot := "./" + script(t, "bots/bot", first+"\n"+north)
		if _, err := new(Supervisor).Persist(bot); err == nil ||
			!strings.HasPrefix(err.Error(), bot+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s: and %q", first, err, bot, want)
		}
	}
	for _, first := range []string{"#!/bin/sh", "#! /bin/sh -u", "#!/usr/bin/env sh",
		"#!/usr/bin/env -S A=b sh -u", "#!/usr/bin/env -u A sh"} {
		if _, err := new(Supervisor).Persist("./" + script(t, "bots/bot", first+"\n")); err != nil {
			t.Errorf("%q: %v", first, err)
		}
	}
}
