package life

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clade/engine"
)

// bots are programs that place a block at (3*tick, 10*bot) every turn, run once a turn or
// persistent.
var bots = map[string]string{"sh": "blocks.sh", "python3": "blocks.py", "node": "blocks.js"}

// writeBot writes a program to a file and returns the command that runs it.
func writeBot(t *testing.T, run, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a bot")
	if err := os.WriteFile(name, []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s '%s'", run, name)
}

func mustExec(t *testing.T, g *game, command string, persistent bool) engine.Player {
	t.Helper()
	p, err := g.external(command, persistent)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExternalBotsInThreeLanguages(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.TurnSeconds = 40, 40, 2, 30
	g := mustGame(t, o)
	for run, file := range bots {
		for _, persistent := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/persistent=%v", run, persistent), func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath(run); err != nil {
					t.Skip(err)
				}
				p := mustExec(t, g, run+" testdata/bots/"+file, persistent)
				r := g.Play([]engine.Player{p, p}, 1, nil)
				if r.Scores[0] != 8 || r.Scores[1] != 8 || r.Marks[0][1]+r.Marks[1][1] != 0 {
					t.Errorf("scores %v and %v with %v and %v forfeits, want 8 and 8 without any",
						r.Scores[0], r.Scores[1], r.Marks[0][1], r.Marks[1][1])
				}
			})
		}
	}
}

// TestLongStateGoesToStandardInput plays on a board that fills one argument many times over.
func TestLongStateGoesToStandardInput(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Cells, o.TurnSeconds = 300, 300, 3, 10_000, 30
	g := mustGame(t, o)
	var crowd script
	for i := range 3 {
		var turn [][2]int
		for n := range 10_000 {
			turn = append(turn, [2]int{50 + 80*i + n/125, n % 125 * 2})
		}
		crowd = append(crowd, turn)
	}
	for name, text := range map[string]string{
		"once": `
			[ "$2" = - ] && wc -c | { read n; [ $n -gt 131072 ] && echo "[[0,0]]"; } ||
				{ [ -n "$2" ] && echo "[]"; }`,
		"persistent": `
			while read -r state; do
				if [ ${#state} -gt 131072 ]; then echo "[[0,0]]"; else echo "[]"; fi
			done`,
	} {
		if name == "once" {
			text = strings.ReplaceAll(text, "$2", "$1")
		}
		p := mustExec(t, g, writeBot(t, "sh", text), name == "persistent")
		r := g.Play([]engine.Player{p, crowd}, 1, nil)
		if r.Marks[0][0] == 0 || r.Marks[0][1] != 0 {
			t.Errorf("%s: placed %v cells, forfeited %v turns; want some and none", name,
				r.Marks[0][0], r.Marks[0][1])
		}
	}
}

// TestExternalBotsThatMisbehave holds that each forfeits its turns and that the game ends with no
// process left.
func TestExternalBotsThatMisbehave(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.TurnSeconds = 40, 40, 2, 0.2
	g := mustGame(t, o)
	for name, text := range map[string]string{
		"hangs":                  `sleep 1000`,
		"hangs in a child":       `sleep 1000 & sleep 1000; wait`,
		"ignores signals":        `trap '' TERM INT HUP; while :; do sleep 1000; done`,
		"exits":                  `exit 3`,
		"fails after its answer": `echo "[[1,1]]"; exit 1`,
		"floods":                 `while :; do echo "[[1,1],[1,1],[1,1],[1,1],[1,1],[1,1]]"; done`,
		"floods one line":        `while :; do printf "[[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],"; done`,
		"junk":                   `echo "hello"; exit 1`,
		"nothing":                `:`,
		"objects":                `echo '{"a":1}'`,
		"words":                  `echo '[["1","2"]]'`,
		"floats":                 `echo '[[1.0,2]]'`,
		"triples":                `echo '[[1,2,3]]'`,
	} {
		for _, persistent := range []bool{false, true} {
			if persistent && (name == "fails after its answer" || name == "floods") {
				continue // it has answered a line: the turn counts
			}
			t.Run(fmt.Sprintf("%s/persistent=%v", name, persistent), func(t *testing.T) {
				t.Parallel()
				mark := fmt.Sprintf("CLADETEST%d", time.Now().UnixNano())
				p := mustExec(t, g, writeBot(t, "env BOT="+mark+" sh", text), persistent)
				r := g.Play([]engine.Player{p, builtIn(playTraining)}, 1, nil)
				if r.Marks[0][0] != 0 || r.Marks[0][1] != 2 || r.Steps != 2 {
					t.Errorf("placed %v, forfeited %v of 2 turns in %d generations", r.Marks[0][0],
						r.Marks[0][1], r.Steps)
				}
				if left := processesWith(mark); len(left) > 0 {
					t.Errorf("processes left: %v", left)
				}
			})
		}
	}
}

// TestGameEndsItsProcesses: one that would go on answering is gone after the game.
func TestGameEndsItsProcesses(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.TurnSeconds = 20, 20, 2, 30
	g := mustGame(t, o)
	mark := fmt.Sprintf("CLADETEST%d", time.Now().UnixNano())
	p := mustExec(t, g,
		writeBot(t, "env BOT="+mark+" sh",
			`while read -r state; do echo "[[1,1]]"; done; sleep 1000`), true)
	if r := g.Play([]engine.Player{p, builtIn(playTraining)}, 1, nil); r.Marks[0][1] != 0 {
		t.Errorf("forfeited %v turns", r.Marks[0][1])
	}
	if left := processesWith("BOT=" + mark); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

// processesWith lists the processes with a text in their environment; none where there is no /proc.
// A killed process may take a moment to vanish.
func processesWith(mark string) (found []string) {
	for range 50 {
		found = found[:0]
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, f := range files {
			if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(mark)) {
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

func TestWrongPlacementsAreIgnoredOneByOne(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.TurnSeconds = 20, 20, 1, 30
	g := mustGame(t, o)
	p := mustExec(t, g,
		writeBot(t, "sh",
			`echo "[[-1,0],[0,-1],[20,0],[0,20],[99999999999999999999,1],[5,5],[5,5],[5,6],[6,5],[6,6]]"`), false)
	if r := g.Play([]engine.Player{p, script{{}}}, 1, nil); r.Marks[0][0] != 4 || r.Scores[0] != 4 {
		t.Errorf("placed %v, %v alive; want 4 and 4", r.Marks[0][0], r.Scores[0])
	}
}

func TestExternalRefusesWhatCannotRun(t *testing.T) {
	g := small(t)
	for _, command := range []string{"", "  ", "no-such-program-anywhere x", `sh "x`, `sh x\`,
		"sh \x00", "sh '\x00'"} {
		if _, err := g.external(command, false); err == nil ||
			!strings.HasPrefix(err.Error(), "life: external player: ") {
			t.Errorf("Foreign(%q): error %v", command, err)
		}
	}
}

func TestSplitWords(t *testing.T) {
	for in, want := range map[string][]string{
		`a b`: {"a", "b"}, ` a  'b c' `: {"a", "b c"}, `a "b 'c'" ''`: {"a", "b 'c'", ""},
		`a\ b "c\"d" 'e\f'`: {"a b", `c"d`, `e\f`}, "": nil,
		`sh -c "printf '[]\n' \\ \$x"`: {"sh", "-c", `printf '[]\n' \ $x`},
		"\"a\\\nb\" c\\\nd":            {"ab", "cd"}, "b\xe9te": {"b\xe9te"},
	} {
		if got, err := splitWords(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("splitWords(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestStateIsJSON(t *testing.T) {
	b := newBoard(30, 70, best())
	b.place(2, 69, colourA)
	b.place(2, 3, colourB)
	o := defaults()
	got := string(appendState(nil, &view{board: b, own: colourB, generation: 7, settings: &o}))
	want := `{"y_size":30,"x_size":70,"board":{"(2,3)":2,"(2,69)":1},"bot_id":2,"tick_id":7}`
	if got != want || !json.Valid([]byte(got)) {
		t.Errorf("state %s, want %s", got, want)
	}
}

func FuzzSplitWords(f *testing.F) {
	f.Add(`a "b c" 'd' \e`)
	f.Fuzz(func(t *testing.T, s string) {
		if words, err := splitWords(s); err == nil && len(words) > len(s) {
			t.Errorf("%d words", len(words))
		}
	})
}

// TestProcessesDieWithUs plays in a process that is killed while its bots hang.
func TestProcessesDieWithUs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a signal of Linux")
	}
	const variable = "CLADE_LIFE_HANGING_BOT"
	if command := os.Getenv(variable); command != "" {
		o := defaults()
		o.TurnSeconds = 1000
		g := mustGame(t, o)
		g.Play([]engine.Player{mustExec(t, g, command, false), builtIn(playTraining)}, 1, nil)
		return
	}
	mark := fmt.Sprintf("CLADETEST%d", time.Now().UnixNano())
	started := filepath.Join(t.TempDir(), "started")
	bot := writeBot(t, "env BOT="+mark+" sh", "touch '"+started+"'; while :; do :; done")
	c := exec.Command(os.Args[0], "-test.run=^TestProcessesDieWithUs$")
	c.Env = append(os.Environ(), variable+"="+bot)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := os.Stat(started); err != nil {
		t.Error("the bot did not start")
	}
	if err := c.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = c.Wait() // killed
	if left := processesWith("BOT=" + mark); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

// TestLongestLine: a line of a conversation may be as long as the limit, and no longer, however it
// is read.
func TestLongestLine(t *testing.T) {
	p, err := newProgram(`sh -c 'while read -r line; do echo "$line"; done'`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.start()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if line, err := c.ask([]byte("12345"), time.Minute, 5); err != nil || string(line) != "12345" {
		t.Errorf("%q, %v", line, err)
	}
	if line, err := c.ask([]byte("123456"), time.Minute, 5); err != errFlood {
		t.Errorf("%q, %v; want %v", line, err, errFlood)
	}
}

// TestAnswersOnABusyMachine: an answer counts once it is written, however long we take to read it.
func TestAnswersOnABusyMachine(t *testing.T) {
	p, err := newProgram("echo [[1,1]]")
	if err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	defer stop.Store(true)
	for range 20 * runtime.GOMAXPROCS(0) {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	for range 5 {
		if out, err := p.run(nil, nil, time.Minute, 100); err != nil || string(out) != "[[1,1]]\n" {
			t.Errorf("%q, %v", out, err)
		}
	}
}
