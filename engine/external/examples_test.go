package external

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/engine/games/amoebas"
	"clade/engine/games/antwars"
	"clade/engine/games/life"
	"clade/gp/proof"
)

// TestExamples plays the examples of every language that is installed, once a turn and once a game,
// and as WebAssembly, on their own against a built-in player: those of one game decide alike.
func TestExamples(t *testing.T) {
	proof.Costly(t)
	short := amoebas.DefaultSettings()
	short.WorldSize, short.Rounds, short.Placement = 12, 25, "spaced"
	small := proof.Must(amoebas.New().With(&short))(t)
	for _, c := range []struct {
		name string
		game engine.Game
		turn bool // also with a process a turn: few turns
	}{{"antwars", antwars.New(), true}, {"amoebas", small, false}} {
		t.Run(c.name, func(t *testing.T) {
			var first *engine.Record
			var firstName string
			for _, program := range programs(t, c.name, c.turn) {
				record := playExample(t, c.game, program)
				if first == nil {
					first, firstName = record, program
				} else if !slices.EqualFunc(first.Decisions, record.Decisions, slices.Equal) {
					t.Errorf("%s and %s do not decide alike: %v and %v", firstName, program,
						first.Scores, record.Scores)
				}
			}
			if first == nil {
				t.Skip("no language of an example is installed")
			}
			if first.Scores[0] == 0 {
				t.Errorf("%s scores nothing: %v", firstName, first.Scores)
			}
		})
	}
}

// programs lists the names of an example's players.
func programs(t *testing.T, name string, turn bool) (names []string) {
	t.Helper()
	add := func(command string) {
		names = append(names, "persist:"+command)
		if turn {
			names = append(names, "exec:"+command)
		}
	}
	for _, c := range [][2]string{{proof.Python(), ".py"}, {"node", ".js"}} {
		if _, err := exec.LookPath(c[0]); err != nil {
			t.Logf("%v: its example is not tried", err)
			continue
		}
		add(c[0] + " examples/" + name + c[1])
	}
	for _, compiler := range [][]string{{"gcc"}, {"clang", "--target=wasm32-wasi"}} {
		run := func(args ...string) ([]byte, error) {
			args = append(slices.Clone(compiler[1:]), args...)
			return exec.Command(compiler[0], args...).CombinedOutput()
		}
		if _, err := run("-E", "-x", "c", "-include", "stdio.h", os.DevNull); err != nil {
			t.Logf("%v, or its library: %v: its example is not tried", compiler, err)
			continue
		}
		binary := filepath.Join(t.TempDir(), name)
		if out, err := run("-O2", "-Wall", "-o", binary, "examples/"+name+".c"); err != nil ||
			len(out) > 0 {
			t.Errorf("%v: %v\n%s", compiler, err, out)
		}
		if compiler[0] == "gcc" {
			add(binary)
		} else {
			names = append(names, "wasm:"+binary)
		}
	}
	if source := "examples/" + name + "-go"; !testing.Short() {
		if _, err := os.Stat(source); err == nil {
			names = append(names, "wasm:"+compiled(t, "./"+source))
		}
	}
	return names
}

// compiled compiles a Go program to WebAssembly and returns its file.
func compiled(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "module.wasm")
	c := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, source)
	c.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	proof.Ran(t, c)
	return file
}

func playExample(t *testing.T, g engine.Game, program string) *engine.Record {
	t.Helper()
	var told notices
	s := &Supervisor{Notice: told.add, Seconds: 30}
	p := proof.Must(find(s, program))(t)
	other := proof.Must(g.(engine.Roster).Players()[2].New(""))(t)
	r, _, err := engine.PlayRecorded(g, []string{program, "other"}, []engine.Player{p, other}, 5, nil)
	proof.OK(t, err)
	s.Report()
	proof.Is(t, told.String(), "", "what %s is told", program)
	t.Logf("%s: %v in %d steps, %d decisions", program, r.Scores, r.Steps, len(r.Decisions[0]))
	return r
}

// TestBotsOfTheLifeContest plays a bot that speaks the protocol of the original contest.
func TestBotsOfTheLifeContest(t *testing.T) {
	proof.Slow(t)
	python := proof.Python()
	if _, err := exec.LookPath(python); err != nil {
		t.Skip(err)
	}
	settings := life.New().(engine.Adjustable).Settings()
	text := "height = 40\nwidth = 40\ngenerations = 2\nturn_seconds = 30.0\n"
	proof.OK(t, toml.Unmarshal([]byte(text), settings))
	g := proof.Must(life.New().(engine.Adjustable).With(settings))(t)
	var told notices
	p := proof.Must((&Supervisor{Notice: told.add, Seconds: 30}).Persist(
		python + " examples/life-contest.py " + python + " ../games/life/testdata/bots/blocks.py"))(t)
	r := g.Play([]engine.Player{p, p}, 1, nil)
	if r.Scores[0] != 8 || r.Scores[1] != 8 {
		t.Errorf("scores %v and %v, want 8 and 8; %s", r.Scores[0], r.Scores[1], &told)
	}
}
