package external

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"clade/gp/proof"
)

// talker is a program that answers turn t with direction t mod 8 of Ant Wars, and says more at some
// places: at the start, after the line of the game, and around the answer of turn 2. It is compiled
// to a process and to WebAssembly.
const talker = `
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static const char *names[8] = {"nw", "n", "ne", "e", "se", "s", "sw", "w"};
int main(void) {
	static char line[1 << 16];
	int turn = 0;
	START
	while (fgets(line, sizeof line, stdin)) {
		if (strstr(line, "\"type\":\"game\"")) { GAME }
		if (!strstr(line, "\"type\":\"turn\"")) continue;
		if (turn == 2) { BEFORE }
		printf("{\"action\":\"%s\"}\n", names[turn % 8]);
		if (turn == 2) { AFTER }
		fflush(stdout);
		if (turn == 2) { LATE }
		turn++;
	}
}
`

// TestLinesTooMany plays programs of the test's own that say too much, as users' have done: it is
// told, costs a turn where nobody knows which line is the answer, and every other turn has its own
// answer, however the machine is about.
func TestLinesTooMany(t *testing.T) {
	proof.Costly(t)
	const (
		line    = `puts("{\"action\":\"w\"}");`
		hello   = `puts("hello");`
		flush   = "fflush(stdout); "
		dropped = "had written what answers no question"
		counted = "wrote what answers nothing before 1 of "
		lines   = "more than one line"
	)
	for name, c := range map[string]struct {
		places  string // of the program
		told    string // "" for nothing
		forfeit int    // turn, -1 for none
	}{
		"nothing":                     {"", "", -1},
		"a greeting":                  {"START=" + hello + flush, dropped, -1},
		"a greeting kept back":        {"START=" + hello, lines, 0},
		"an answer to the game":       {"GAME=" + hello + flush, dropped, -1},
		"an answer to the game, late": {"GAME=usleep(20000);" + hello + flush, dropped, -1},
		"two answers":                 {"AFTER=" + line, lines, 2},
		"two answers apart":           {"AFTER=" + flush + line, lines, 2},
		"a remark before":             {"BEFORE=" + hello, lines, 2},
		"an answer kept back":         {"LATE=" + line, lines, 3},
		"a second answer much later":  {"AFTER=" + flush + "usleep(100000);" + line, dropped, -1},
		"half a line more":            {`AFTER=printf("{");`, lines, 2},
		"empty lines around":          {`BEFORE=puts("\n"); AFTER=puts("\n\n");`, "", -1},
		"an empty line much later":    {"AFTER=" + flush + `usleep(100000); puts("");`, "", -1},
		"an empty line long before":   {"BEFORE=puts(\"\"); " + flush + "usleep(100000);", "", -1},
		"lines of one object":         {`BEFORE=puts("{"); AFTER=puts("}");`, lines, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, program := range talkers(t, c.places) {
				if strings.HasPrefix(program, "wasm:") &&
					(strings.Contains(c.places, "usleep") || strings.Contains(name, "kept back")) {
					continue // nothing happens while a module waits, and its library keeps nothing
				}
				var told notices
				s := &Supervisor{Notice: told.add, Seconds: 30}
				p := proof.Must(find(s, program))(t)
				got := steps(t, p)
				want := make([]uint64, len(got)) // until it dies
				for turn := range want {
					want[turn] = uint64(turn % 8)
				}
				said := counted
				if name == "two answers apart" && strings.Contains(told.String(), dropped) {
					c.told = dropped // the machine was too busy
				} else if c.forfeit >= 0 {
					want[c.forfeit], said = 0, "forfeited 1 of "
				}
				s.Report()
				text := told.String()
				if kind, _, _ := strings.Cut(program, ":"); !slices.Equal(got, want) {
					t.Errorf("%s: decided %v, want %v; told %s", kind, got, want, text)
				} else if c.told == "" && text != "" ||
					c.told != "" && (!strings.Contains(text, c.told) ||
						!strings.Contains(text, said)) {
					t.Errorf("%s: told %q, want %q and %q", kind, text, c.told, said)
				}
			}
		})
	}
}

// talkers compiles the talker with something to say at places, PLACE=CODE, each before the next,
// and returns the players that there are.
func talkers(t *testing.T, places string) (names []string) {
	t.Helper()
	text := talker
	for _, place := range []string{"START", "GAME", "BEFORE", "AFTER", "LATE"} {
		code := ""
		if _, rest, ok := strings.Cut(places, place+"="); ok {
			code, _, _ = strings.Cut(rest, " AFTER=")
		}
		text = strings.Replace(text, place, code, 1)
	}
	source := filepath.Join(t.TempDir(), "talker.c")
	proof.OK(t, os.WriteFile(source, []byte(text), 0o666))
	for kind, compiler := range map[string][]string{"persist:": {"gcc"},
		"wasm:": {"clang", "--target=wasm32-wasi"}} {
		binary := filepath.Join(t.TempDir(), "talker")
		if _, err := exec.LookPath(compiler[0]); err != nil {
			t.Log(err)
			continue
		}
		args := append(slices.Clone(compiler[1:]), "-O1", "-o", binary, source)
		proof.Ran(t, exec.Command(compiler[0], args...))
		names = append(names, kind+binary)
	}
	if names == nil {
		t.Skip("no compiler of C is here")
	}
	return names
}

// A message is whole after the time was up before its head could be sent, as when an answer comes in
// the last microsecond. The program repeats what it reads.
func TestHeadAfterTheTimeWasUp(t *testing.T) {
	c := proof.Must(new(Supervisor).open(words(t, "sed", "-u", "s/^/read: /")))(t)
	defer func() { _ = c.close() }()
	past := time.Now().Add(-time.Second)
	proof.OK(t, c.limit(past))
	if err := c.begin(past); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the head was sent: %v", err)
	}
	answer, _, err := c.ask([]byte(head+"turn\"}\n"), time.Now().Add(time.Minute))
	if want := "read: " + head + `turn"}`; err != nil || string(answer) != want {
		t.Errorf("it read %q, %v; want %q", answer, err, want)
	}
}
