package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/games/all"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
	"clade/results/repro"
)

// newRoot returns the command, which nothing stops.
func newRoot(games []engine.Game) *cobra.Command { return newCommand(games, func(error) {}) }

// scope is the games, with the trust that files of this machine have.
var scope = &player.Scope{Games: all.Games(), Trust: player.Files}

// clade runs a command line and returns what it prints to standard output, and the error.
func clade(args ...string) (string, error) {
	root := newRoot(all.Games())
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	return out.String(), err
}

// refused holds the error of a line to its exit status and to what it says.
func refused(t *testing.T, err error, code int, want, line string) {
	t.Helper()
	if c := status(t.Context(), err); err == nil || c != code || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: status %d, %v\nwant %d, %s", line, c, err, code, want)
	}
}

func TestCommands(t *testing.T) {
	proof.Long(t)
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	write(t, dir, "game = \"antwars\"\n[measure]\nagainst = [\"greedy\"]\n[evolve]\ntournament = "+
		"3\nboards = 2\n[evolve.champion]\ncandidates = 4\ngames = 8")
	run, record, life := filepath.Join(dir, "run"), filepath.Join(dir, "made", "game.record"),
		filepath.Join(dir, "life.record")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"games"}, "antwars"},
		{[]string{"players", "antwars"}, "hyper"},
		{[]string{"run", study, "--quick", "--set", "evolve.generations=5", "--set",
			"evolve.population=20", "--out", run}, "fingerprint "},
		{[]string{"resume", run}, "the champion"},
		{[]string{"population", run}, "20 individuals before generation 5"},
		{[]string{"population", run, "--form", "csv"}, "id,island,born,origin,nodes,depth\n"},
		{[]string{"population", run, "100", "101", "--out", filepath.Join(dir, "kept")}, "101.species"},
		{[]string{"run", study, "--quick", "--set", "evolve.generations=2", "--set",
			"evolve.population=20", "--set", "evolve.founders.species=[\"run:" + run + "@2\", \"" +
				filepath.Join(dir, "kept", "100.species") + "\"]", "--out",
			filepath.Join(dir, "second")}, "fingerprint "},
		{[]string{"exploit", "run:" + run, "--games", "1600", "--seeds", "1", "--out",
			filepath.Join(dir, "responses")}, "share by generation:\n\ngeneration  seed 1\n0  "},
		{[]string{"exploit", "run:" + run, "--games", "1600", "--seeds", "1", "--form", "csv", "--out",
			filepath.Join(dir, "responses")}, "\n\ngeneration,seed 1\n0,"}, // bred before
		{[]string{"exploit", "run:" + run, "--games", "1600", "--seeds", "1", "--json", "--out",
			filepath.Join(dir, "responses")}, `"games":200,`}, // bred before
		{[]string{"plot", run, "--out", filepath.Join(dir, "paper"), "--as", "svg", "--text",
			"--panels", "wins,early-deaths+sacrifices,score", "--width", "column", "--range",
			"wins=0..100", "--no-legend"}, "dynamics-greedy.text.svg"},
		{[]string{"plot", run, "--out", filepath.Join(dir, "figures"), "--as", "png"},
			"dynamics-greedy.png"},
		{[]string{"monitor", run, "--games", "4", "--as", "svg", "--width", "column"}, "dominance"},
		{[]string{"compare", run, "--out", filepath.Join(dir, "compared"), "--as", "svg"}, "not known"},
		{[]string{"report", run, "--games", "4"}, "report.html"},
		{[]string{"monitor", run, "--games", "4", "--as", "svg", "--json"}, `"findings":[{"monitor":`},
		{[]string{"compare", run, "--json"}, `"groups":[{"group":`},
		{[]string{"compare", run, "--form", "csv"}, "\n\nGroup,Games,"},
		{[]string{"phylogeny", run, "--as", "svg", "--width", "120", "--out",
			filepath.Join(dir, "descent")},
			"descent/phylogeny.svg"},
		{[]string{"phylogeny", run + "/lineage.csv", "--as", "svg", "--out",
			filepath.Join(dir, "descent"), "--json"}, `"ancestor_age":`},
		{[]string{"report", run, "--games", "4", "--json"}, `tables.tex",`},
		{[]string{"match", "antwars", "run:" + run, "hyper", "--games", "20", "--record", record},
			"95 % interval"},
		{[]string{"export", "run:" + run, "--to", "python"}, "def worthDiagonal():"},
		{[]string{"export", "run:" + run, "--to", "contest"}, "int Move(int**grid"},
		{[]string{"replay", record}, "ended as recorded"},
		{[]string{"replay", record, "--gif", filepath.Join(dir, "game.gif"), "--png",
			filepath.Join(dir, "frames")}, "ended as recorded"},
		{[]string{"league", "antwars", "random", "greedy", "smart", "--games", "60", "--out",
			filepath.Join(dir, "league")}, "60 games a pair"},
		{[]string{"league", "amoebas", "caesar", "untitled", "theroots", "berit2", "--set",
			"rounds=5", "--set", "world-size=32", "--seats", "3", "--games", "3", "--as", "svg",
			"--out", filepath.Join(dir, "free")}, "3 at a time, 3 games a combination"},
		{[]string{"league", "amoebas", "caesar", "untitled", "theroots", "--set", "rounds=5",
			"--set", "world-size=32", "--seats", "3", "--games", "1", "--json"},
			`"seats":3,"games":3`},
		{[]string{"league", "chase", "drunk", "glutton", "bold", "--games", "3"},
			"3 at a time, 3 games a combination"},
		{[]string{"show", "run:" + run, "--situations", "100"}, "changed nothing in"},
		{[]string{"show", "run:" + run, "--situations", "100", "--as", "svg", "--out", dir},
			"genome.svg"},
		{[]string{"show", "../../results/antwars/foresight-seed711.species", "--situations", "100"},
			"foodDecides"},
		{[]string{"show", "../../results/life/methuselahs.species", "--situations", "100", "--json",
			"--set", "generations=30"}, `"settings":["methuselahs = true"],`},
		{[]string{"bench", "--game", "antwars", "--seconds", "0.01"}, "games/cpu-s"},
		{[]string{"bench", "--game", "amoebas", "--player",
			"../../engine/games/amoebas/testdata/soldiers.species", "--set", "world-size=16", "--set",
			"rounds=20", "--seconds", "0.01"}, "decisions/cpu-s"},
		{[]string{"bench", "../../experiments/santafe/koza.toml", "--runs", "2", "--set",
			"evolve.population=50", "--set", "evolve.generations=3"}, "CPU s"},
		{[]string{"match", "life", "training", "random", "--games", "2", "--set", "generations=9",
			"--record", life, "--curves", filepath.Join(dir, "curves"), "--width", "page"}, "forfeits"},
		{[]string{"replay", life, "--export", filepath.Join(dir, "boards"), "--every", "9"},
			"ended as recorded"},
	} {
		proof.Holds(t, proof.Must(clade(c.args...))(t), c.want)
	}
	for _, name := range []string{"game.gif", "frames/00000.png", "frames/00070.png",
		"league/ratings.pdf", "run/monitor/ciao.svg", "compared/profiles.csv",
		"run/report/tables.tex"} {
		// a dead ant shortens a game
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil && name != "frames/00070.png" {
			t.Error(err)
		}
	}
}

// TestBenchStrength has a game bred with two budgets.
func TestBenchStrength(t *testing.T) {
	proof.Costly(t)
	out := t.TempDir()
	proof.Holds(t, proof.Must(clade("bench", "--game", "chase", "--strength", "40,80", "--runs", "2",
		"--seed", "7", "--out", out, "--set", "measure.final=10", "--set", `figures.panels=["size"]`))(t),
		"against careful")
	for _, name := range []string{"strength.svg", "40-seed7", "80-seed8"} {
		proof.Must(os.Stat(filepath.Join(out, name)))(t)
	}
}

// TestMisuse holds every wrong command line to one error and the right exit status.
func TestMisuse(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.toml")
	proof.OK(t, os.WriteFile(bad, []byte("game = \"antwars\"\npopulation = 3"), 0o666))
	runs := t.TempDir() // two runs that have hardly begun
	for i, name := range []string{"a", "b"} {
		study := proof.Must(study.Parse(*scope, "s.toml", []byte("game = \"antwars\""),
			fmt.Sprintf("seed=%d", i+1)))(t)
		ctx, stop := context.WithCancel(context.Background())
		stop()
		if _, err := runner.Start(ctx, filepath.Join(runs, name), study,
			runner.Options{}); !errors.Is(err, evolve.ErrStopped) {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"rn", 2, `unknown command "rn", did you mean "run"?`},
		{"run", 2, "an operand is missing; the command is used as: clade run STUDY.toml [flags]"},
		{"games antwars all", 2, `"antwars all" does not fit; the command is used as: clade games`},
		{"run a.toml --frob", 2, `unknown flag "--frob"`},
		{"run a.toml --sede 3", 2, `did you mean "--seed"?`},
		{"run " + bad, 2, `bad.toml:2:1: unknown key "population"`},
		{"run " + bad + " --seed 9223372036854775808", 2, "--seed must be at most 9223372036854775807"},
		{"fork nothing --seed 9223372036854775808", 2, "--seed must be at most 9223372036854775807"},
		{"match amoebas caesar --duels --curves " + dir, 2, "--duels is for two players or more"},
		{"plot " + runs, 2, "directory of the figures with --out"},
		{"plot " + runs + " --as gif", 2, "there is no form \"gif\""},
		{"report " + runs, 2, "directory of the report with --out"},
		{"report " + runs + " --games 3", 2, "--games must be even"},
		{"compare " + runs, 1, "has not ended"},
		{"compare " + runs + " " + runs + "/a", 1, "no replicates; leave one of them out"},
		{"monitor " + dir, 2, "is not a run directory"},
		{"phylogeny " + bad, 1, "bad.toml:1: the columns id and ancestor_list are needed"},
		{"league antwars random greedy smart --seats 4", 2, "--seats must be in 2..3"},
		{"league antwars random greedy smart --seats 3", 2, "for 2 players"},
		{"monitor " + dir + " --games 1", 2, "--games must be even"},
		{"monitor " + dir + " --as gif", 2, "there is no form"},
		{"match antwars greedy", 2, "for 2 players, not 1"},
		{"match antwar greedy hyper", 2, `did you mean "antwars"?`},
		{"match antwars gredy hyper", 2, `did you mean "greedy"?`},
		{"match antwars greedy hyper --games x", 2,
			`"x" does not fit --games: a whole number is needed here (see clade match --help`},
		{"match antwars greedy run:", 2, "run:RUN or run:RUN@GENERATION"},
		{"match chase drunk drunk drunk --set a=1", 2, "has no settings"},
		{"league antwars greedy hyper --games 2 --as svg", 2, "--as is for --out, which is missing"},
		{"show ../../results/antwars/foresight-seed711.species --set keen-senses=false", 2,
			"foresight-seed711.species needs keen-senses = true for its words, and keen-senses = false"},
		{"show " + bad, 1, "this is not a species"},
		{"show " + bad + " --as pgn", 2, `did you mean "png"?`},
		{"replay " + bad, 1, "bad.toml"},
		{"replay " + bad + " --scale 17", 2, "--scale must be in"},
		{"bench --game ants", 2, "unknown game"},
		{"bench antwars", 2, "; the game is --game antwars"},
		{"league chase glutton bold", 2, "Fox, hen and viper takes 3 players at a time"},
		{"bench --player caesar", 2, "--game"},
		{"bench --game antwars --player greedy --seconds 0", 2, "--seconds must be above 0"},
		{"bench --game antwars --player greedy --seconds nan", 2, "--seconds must be above 0"},
		{"bench ../../experiments/multiplexer/koza.toml --player perfect", 2,
			"--game, --player and --seconds are not for a study"},
		{"bench ../../experiments/multiplexer/koza.toml --runs 1", 2, "--runs must be at least 2"},
		{"bench --game antwars --runs 3", 2, "--runs is for a study"},
		{"show " + bad + " --situations 0", 2, "--situations must be at least 1"},
		{"bench ../../experiments/antwars/quick.toml", 1, "is not a benchmark"},
	} {
		_, err := clade(strings.Fields(c.args)...)
		refused(t, err, c.status, c.want, c.args)
	}
	if status(t.Context(), nil) != 0 || status(t.Context(), errors.New("x")) != 1 {
		t.Error("status")
	}
}

// What is broken off and not kept names nothing to go on with.
func TestBrokenOff(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	record := filepath.Join(t.TempDir(), "game.record")
	proof.Must(clade("match", "antwars", "random", "greedy", "--games", "2", "--record",
		record))(t)
	for _, args := range []string{
		"match antwars random greedy", "match antwars random greedy --curves " + t.TempDir(),
		"replay " + record + " --gif " + record + ".gif",
		"league antwars random greedy", "tournament antwars random greedy",
		"league amoebas caesar untitled theroots --seats 3 --set rounds=5 --set world-size=32",
		"bench ../../experiments/multiplexer/koza.toml",
	} {
		root := newRoot(all.Games())
		root.SetOut(io.Discard)
		root.SetArgs(strings.Fields(args))
		err := root.ExecuteContext(ctx)
		if status(ctx, err) != 130 ||
			!strings.Contains(err.Error(), "stopped before its end; nothing of it is kept") {
			t.Errorf("%s: status %d, %v", args, status(t.Context(), err), err)
		}
	}
}

// TestHelpHasExamples reads every command's help, and holds its lines to a terminal's width.
func TestHelpHasExamples(t *testing.T) {
	for _, c := range newRoot(all.Games()).Commands() {
		if c.Name() != "help" && c.Name() != "completion" && c.Example == "" {
			t.Errorf("clade %s --help shows no example", c.Name())
		}
		text := c.Long + "\n" + c.Example
		for _, below := range c.Commands() {
			text += "\n" + below.Long
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > 80 {
				t.Errorf("clade %s --help is wider than 80 columns: %s", c.Name(), line)
			}
		}
	}
}

// TestReproExamples has lines of `clade repro --help`, whose steps "runner" and "loops" were not
// there.
func TestReproExamples(t *testing.T) {
	tried := 0
	for line := range strings.Lines(newRepro(&player.Scope{}).Example) {
		words := strings.Fields(line)
		at := slices.Index(words, "--only")
		if at < 0 {
			continue
		}
		m := proof.Must(repro.Read(filepath.Join("../..", words[2])))(t)
		proof.Must(m.Select(strings.Split(words[at+1], ","), false))(t)
		tried++
	}
	if tried == 0 {
		t.Error("no example has --only")
	}
}

// TestReplayExamples has lines of `clade replay --help` with records of the games that they name:
// an export and a view were shown for the record of a game that has neither. What is written is
// told.
func TestReplayExamples(t *testing.T) {
	proof.Costly(t)
	dir := t.TempDir()
	for name, match := range map[string]string{"game": "antwars random greedy",
		"life": "life training random --set generations=9", "darwin": "darwin rover pirate " +
			"--set map=maze --set maze.width=5 --set maze.height=5 --set time-limit=1"} {
		program(t, dir, "match "+match+" --games 2 --record "+name+".record")
	}
	var out strings.Builder
	for line := range strings.Lines(newReplay(&player.Scope{}).Example +
		"\nreplay life.record --png both --export both2") {
		line, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "clade "), "   ")
		if !strings.Contains(line, "--watch") && !strings.Contains(line, "--step") {
			c, _, said := start(t, dir, line)
			proof.OK(t, c.Wait())
			out.WriteString(said.String())
		}
	}
	for _, want := range []string{"wrote frames: ", "wrote boards: every 100 steps",
		"wrote game.gif: ", "wrote both: every step", "wrote both2: every step"} {
		proof.Holds(t, out.String(), want)
	}
}

// TestSecondTerm holds that a second SIGTERM, which batch systems and their scripts send, does not
// keep a run from being saved.
func TestSecondTerm(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 200\n"+
		"generations = 100000\n")
	program, _, said := start(t, dir, "run s.toml --out run")
	waitFor(t, filepath.Join(dir, "run", rundir.LogFile))
	for range 50 {
		proof.OK(t, program.Process.Signal(syscall.SIGTERM))
		time.Sleep(100 * time.Microsecond) // or all would be one
	}
	if err := program.Wait(); program.ProcessState.ExitCode() != 143 ||
		!strings.Contains(said.String(), "was stopped") {
		t.Errorf("%v\n%s", err, said.String())
	}
}
