package external

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/antwars"
	"clade/gp/input"
	"clade/gp/proof"
)

// notices collects what a supervisor tells.
type notices struct {
	mu   sync.Mutex
	text []string
}

func (n *notices) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, text)
}

func (n *notices) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.text, "\n")
}

// written writes a program to a file and returns the command that runs it.
func written(t *testing.T, run, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a bot")
	proof.OK(t, os.WriteFile(name, []byte(text+"\n"), 0o644))
	return fmt.Sprintf("%s '%s'", run, name)
}

// opponent is any player of Ant Wars.
func opponent(t *testing.T) engine.Player {
	t.Helper()
	return enginetest.Player(t, antwars.New(), "greedy")
}

// words returns a command of these words.
func words(t *testing.T, words ...string) *command {
	t.Helper()
	return proof.Must(newCommand(input.Quote(words...)))(t)
}

// seated returns a player that is a shell script, persistent or not.
func seated(t *testing.T, s *Supervisor, persistent bool, script string) engine.Player {
	t.Helper()
	command := written(t, "sh", script)
	find := s.Exec
	if persistent {
		find = s.Persist
	}
	return proof.Must(find(command))(t)
}

// north answers every turn with a step north, after some commands.
const north = `while read -r line; do case $line in *'"type":"turn"'*) echo '{"action":"n"}';; esac; done`

// steps plays a game and returns what the seat of the first player decided.
func steps(t *testing.T, p engine.Player) []uint64 {
	t.Helper()
	r, _, err := engine.PlayRecorded(antwars.New(), []string{"a", "b"},
		[]engine.Player{p, opponent(t)}, 7, nil)
	proof.OK(t, err)
	return r.Decisions[0]
}

// A program of one line of shell answers north, whatever it is told, and must be seen to go there.
func TestProgramsPlay(t *testing.T) {
	proof.Slow(t)
	for _, persistent := range []bool{false, true} {
		var told notices
		s := &Supervisor{Notice: told.add, Seconds: 30}
		got := steps(t, seated(t, s, persistent, north))
		if len(got) == 0 || slices.Max(got) != 1 || slices.Min(got) != 1 {
			t.Errorf("persistent %v: decided %v, want 1 (north) alone; %v", persistent, got, told.text)
		}
		s.Report()
		if strings.Contains(told.String(), "forfeit") {
			t.Errorf("told %v", told.text)
		}
	}
}

// TestProgramsThatMisbehave holds that each forfeits its turns and is told of in words.
func TestProgramsThatMisbehave(t *testing.T) {
	proof.Costly(t)
	turn := func(answer string) string {
		return strings.Replace(north, `{"action":"n"}`, answer, 1)
	}
	for name, c := range map[string]struct{ script, told string }{
		"hangs":            {`sleep 1000`, "the time was up"},
		"hangs in a child": {`sleep 1000 & sleep 1000; wait`, "the time was up"},
		"ignores signals": {`trap '' TERM INT HUP; while :; do sleep 1000; done`,
			"the time was up"},
		"exits": {`echo "I am lost" >&2; exit 3`, "I am lost"},
		"floods one line": {
			`while :; do printf "[[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],"; done`, "longer than"},
		"junk":                  {turn("hello"), "the answer is no JSON object"},
		"nothing":               {`:`, "turn 0: "},
		"an empty line":         {turn(""), "the answer is empty"},
		"an array":              {turn(`[["1","2"]]`), "the answer is no JSON object"},
		"another action":        {turn(`{"action":"up"}`), `unknown action "up"`},
		"a number":              {turn(`{"action":1}`), `"action" must be a string, not`},
		"cut":                   {turn(`{"action":`), "ends too early"},
		"another field":         {turn(`{"do":"n"}`), `the answer has no "action"`},
		"escapes":               {turn("\x1b]0;owned\x07"), "no JSON object"},
		"escapes in the action": {turn(`{"action":"\\u001b[2J"}`), `unknown action`},
		"escapes in its errors": {`printf '\033[2Jhi\007' >&2; exit 1`, `\u001b[2Jhi`},
	} {
		for _, persistent := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/persistent=%v", name, persistent), func(t *testing.T) {
				t.Parallel()
				var told notices
				s := &Supervisor{Notice: told.add, Seconds: 30}
				if c.told == errTime.Error() {
					s.Seconds = 0.1
				}
				got := steps(t, seated(t, s, persistent, c.script))
				if len(got) == 0 || slices.Max(got) != 0 {
					t.Errorf("decided %v, want 0 alone", got)
				}
				s.Report()
				text := told.String()
				if !strings.Contains(text, c.told) || strings.ContainsRune(text, '\x1b') ||
					!strings.Contains(text, fmt.Sprintf("forfeited %d of %[1]d turns", len(got))) {
					t.Errorf("told %q; want %q and the count", text, c.told)
				}
			})
		}
	}
}

// processesWith lists the processes with a text in their command line; none where there is no
// /proc. A killed process may take a moment to vanish.
func processesWith(mark string) (found []string) {
	for range 50 {
		found = found[:0]
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte(mark)) {
				found = append(found, f)
			}
		}
		if len(found) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return found
}

// TestProcessesDieWithUs plays in a process that is killed while its program hangs.
func TestProcessesDieWithUs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a signal of Linux")
	}
	const variable = "CLADE_HANGING_PROGRAM"
	if command := os.Getenv(variable); command != "" {
		s := &Supervisor{}
		proof.Must(s.once(words(t, "sh", command), nil, time.Hour))(t)
		return
	}
	folder := t.TempDir()
	started, script := filepath.Join(folder, "started"), filepath.Join(folder, "hangs")
	text := "touch '" + started + "'; setsid sleep 1000.5 & while :; do sleep 1; done"
	proof.OK(t, os.WriteFile(script, []byte(text), 0o644))
	c := exec.Command(os.Args[0], "-test.run=^TestProcessesDieWithUs$")
	c.Env = append(os.Environ(), variable+"="+script, "TMPDIR="+folder)
	proof.OK(t, c.Start())
	for range 500 {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := os.Stat(started); err != nil {
		t.Error("the program did not start")
	}
	proof.OK(t, c.Process.Kill())
	_ = c.Wait() // killed
	if left := processesWith(script); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

// find seats a program by its name.
func find(s *Supervisor, name string) (engine.Player, error) {
	kind, what, _ := strings.Cut(name, ":")
	switch kind {
	case "exec":
		return s.Exec(what)
	case "persist":
		return s.Persist(what)
	default:
		return s.WASM(what)
	}
}

func TestCommandsThatCannotRun(t *testing.T) {
	for _, command := range []string{"", "  ", "no-such-program-anywhere x", `sh "x`, `sh x\`,
		"sh \x00", "sh '\x00'"} {
		if _, err := new(Supervisor).Exec(command); err == nil {
			t.Errorf("%q is taken for a command", command)
		}
	}
}
