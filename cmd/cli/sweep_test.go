package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"clade/engine/games/all"
	"clade/experiments/runner/runnertest"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// TestSweepCommands goes through a sweep of four tiny runs as its documentation does.
func TestSweepCommands(t *testing.T) {
	proof.Long(t)
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 20\ngenerations = "+
		"5\ntournament = 2\nboards = 1\n[evolve.champion]\ncandidates = 4\ngames = "+
		"8\n[sweep]\nseeds = [1, 2]\n[sweep.merge.evolve]\ngenerations = 3\n")
	out, nowhere := filepath.Join(dir, "sweep"), filepath.Join(dir, "nowhere.json")
	proof.OK(t, os.WriteFile(nowhere, []byte("{}"), 0o666))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sweep", study, "--out", out, "--dry-run"}, "2 runs, 2 missing"},
		{[]string{"sweep", study, "--out", out, "--dry-run", "--tasks", "2", "--task", "1"},
			"1 runs, 1 missing"},
		{[]string{"sweep", study, "--out", out, "--tasks", "2", "--task", "1", "--workers", "1"}, ""},
		{[]string{"sweep", study, "--out", out, "--dry-run"}, "2 runs, 1 missing"},
		{[]string{"collect", out}, "of 1 runs, 1 runs missing"},
		{[]string{"sweep", study, "--out", out}, "pooled figures"},
		{[]string{"status", out}, "100 %"},
		{[]string{"status", out, "--json"}, `"done":2`},
		{[]string{"collect", out}, "of 2 runs, 0 runs missing"},
		{[]string{"match", "antwars", "run:" + filepath.Join(out, "merge@2"), "random"}, "random"},
	} {
		proof.Holds(t, proof.Must(clade(c.args...))(t), c.want)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"sweep " + study + " --tasks 2 --task 2", 2, "must be less"},
		{"sweep " + study + " --out " + out + " --cells " + study, 2, "the sweep has no run"},
		{"sweep " + study + " --out " + out + " --cells " + os.DevNull, 2, "names no run"},
		{"sweep " + study + " --out " + out + " --nats nowhere", 2, "name a URL"},
		{"sweep " + study + " --task 1", 2, "--task is for --tasks, which is missing"},
		{"sweep " + study + " --partition long", 2, "--partition is for --slurm, which is missing"},
		{"sweep " + study + " --creds me.creds", 2, "--creds is for --nats, which is missing"},
		{"sweep " + study + " --slurm --cells " + study, 2, "--cells is not for --slurm"},
		{"sweep " + study + " --nats here --workers 3", 2, "--workers is not for --nats"},
		{"sweep " + study + " --nats nats://127.0.0.1:1 --listen :4", 2, "--listen is for --nats here"},
		{"run " + study + " --listen :4222", 2, "--listen is for --nats, which is missing"},
		{"worker", 2, "--nats is missing"},
		{"worker --nats " + nowhere, 2, "nowhere.json is damaged: it names no URL"},
		{"worker --nats nats://127.0.0.1:1 --idle 1s", 1, "cannot reach NATS"},
		{"sweep " + study + " --nats here --audit 2", 2, "--audit must be in 0..1"},
		{"worker --nats nats://127.0.0.1:1 --tls-cert a", 2, "belong together"},
		{"status " + filepath.Dir(nowhere) + "/none", 2, "there is no"},
		{"collect " + dir, 2, "is not a sweep's directory"},
	} {
		_, err := clade(strings.Fields(c.args)...)
		refused(t, err, c.status, c.want, c.args)
	}
}

// The runs of a sweep that Slurm carries out can be looked at from a machine without Slurm, which
// sees their directory.
func TestStatusWithoutSlurm(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"study.toml": "game = \"antwars\"\n",
		"slurm/001.json": `{"job": "7", "tasks": 1, "cells": ["a"]}`} {
		proof.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		proof.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	t.Setenv("PATH", "")
	proof.Holds(t, proof.Must(clade("status", dir))(t), "waiting")
}

// A task of an array that is stopped is not done, and its exit status says so.
func TestStoppedTask(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	root := newRoot(all.Games())
	root.SetArgs([]string{"sweep", "../../experiments/antwars/quick.toml", "--out", t.TempDir(),
		"--tasks", "1", "--task", "0"})
	err := root.ExecuteContext(ctx)
	proof.Is(t, status(t.Context(), err), 75, "status of %v", err)
}

// A table of progress stays in its place, also one for which a terminal has no room.
func TestSweepProgressStaysInPlace(t *testing.T) {
	p := &sweep.Progress{Total: sweep.GroupProgress{Runs: 60, Done: 2, Running: 2, Waiting: 56}}
	for i := range 30 {
		g := sweep.GroupProgress{Group: fmt.Sprint("k ", i), Runs: 2, Waiting: 2}
		switch i {
		case 0:
			g.Done, g.Waiting = 2, 0
		case 1:
			g.Running, g.Waiting = 2, 0
		}
		p.Groups = append(p.Groups, g)
	}
	for _, c := range []struct {
		rows  int
		shown []string
		all   bool // groups
	}{{40, []string{"k 0 ", "k 1 ", "k 29 "}, true}, {24, []string{"k 1 ", "all "}, false},
		{3, []string{"k 1 "}, false}} {
		var out strings.Builder
		draw := drawProgress(&out, func() (int, int, error) { return 80, c.rows, nil })
		draw(p)
		first := out.String()
		draw(p)
		lines := strings.Count(first, "\n")
		// cleared only behind what is drawn: tmux keeps a screen that is cleared from its first line on
		if out.String() != first+fmt.Sprintf("\x1b[%dA", lines)+first || lines >= c.rows ||
			!strings.HasSuffix(first, "\x1b[K\n\x1b[J") {
			t.Errorf("%d rows: %q", c.rows, out.String())
		}
		for _, name := range c.shown {
			proof.Holds(t, first, "\n"+name)
		}
		proof.Is(t, strings.Contains(first, "\nk 29 "), c.all,
			"%d rows: the last stands in\n%s", c.rows, first)
	}
}

// TestWatch watches a sweep by another process, which prints how far it is when that has changed, and
// ends with the sweep.
func TestWatch(t *testing.T) {
	proof.Long(t)
	dir := t.TempDir()
	write(t, dir, runnertest.Tiny+"[sweep]\nreplicates = 2\n")
	program(t, dir, "sweep s.toml --out swept --tasks 2 --task 0")
	c := exec.Command(os.Args[0], "status", "swept", "--watch")
	c.Dir, c.Env = dir, append(os.Environ(), asProgram+"=1")
	out := proof.Must(c.StdoutPipe())(t)
	proof.OK(t, c.Start())
	lines, bred := bufio.NewScanner(out), []string{}
	for lines.Scan() {
		share := regexp.MustCompile(`[0-9]+ %`).FindString(lines.Text())
		if share == "" {
			continue
		}
		if bred = append(bred, share); len(bred) == 1 {
			program(t, dir, "sweep s.toml --out swept --tasks 2 --task 1")
		}
	}
	if err := c.Wait(); err != nil || len(bred) < 2 || bred[0] != "50 %" ||
		bred[len(bred)-1] != "100 %" {
		t.Errorf("%v: %v", bred, err)
	}
}

// A run whose manifest somebody emptied will never be done: --watch ends beside it, as beside the done
// one.
func TestWatchEndsBesideDamage(t *testing.T) {
	dir := t.TempDir()
	for _, run := range []string{"whole", "damaged"} {
		runnertest.Breed(filepath.Join(dir, run), "evolve.generations=2", "evolve.population=10")
	}
	proof.OK(t, os.WriteFile(filepath.Join(dir, "damaged", "manifest.json"), []byte("{}"), 0o666))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	root := newRoot(all.Games())
	root.SetArgs([]string{"status", dir, "--watch"})
	proof.OK(t, root.ExecuteContext(ctx))
}
