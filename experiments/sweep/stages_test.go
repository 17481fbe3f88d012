package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"clade/engine/games/all"
	"clade/engine/system/durable"
	"clade/evolve"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// staged is written here: it has a stage for each kind of founders.
const staged = `
game = "antwars"
seed = 3
[measure]
final = 4
[evolve]
games = 800
population = 20
selection = "pairs"
boards = 1
checkpoint = 1
[evolve.champion]
every = 2
candidates = 4
games = 8
[evolve.probes]
games = 0
[figures]
panels = ["size"]
[[stage]]
name = "apart"
populations = 3
share = 2.0
race = 20
[[stage]]
populations = 3
best = 2
founders = "population"
[[stage]]
populations = 2
best = 2
founders = "own"
race = 10
[[stage]]
populations = 2
founders = "all"
[stage.evolve]
variation = { mutation = 0.5, crossover = 0.2 }
[[stage]]
name = "end"
founders = "champions"
`

func stagedStudy(t *testing.T, text string) *study.Study {
	t.Helper()
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	return proof.Must(study.Parse(scope, "staged", []byte(text)))(t)
}

// A staged run ends in a directory as every run does, and is the same to the byte when it was
// stopped at any time and went on in another process.
func TestStages(t *testing.T) {
	proof.Costly(t)
	s := stagedStudy(t, staged)
	whole, stopped := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
	sum := proof.Must(sweep.Stages(context.Background(), s, whole, runner.Options{}))(t)
	if sum.Champion == nil || len(sum.Final) == 0 || sum.Dir != whole {
		t.Errorf("it ended with %+v", sum)
	}
	if at, err := sweep.ReadStages(s, whole); err != nil || at.Share != 1 || at.Games < 800 {
		t.Errorf("at its end it is at %+v: %v", at, err)
	}
	stops := 0
	for ; ; stops++ {
		ctx, cancel := context.WithTimeout(context.Background(),
			time.Duration(50+400*stops)*time.Millisecond)
		again, err := sweep.OpenStaged(s.Scope(), stopped)
		if err != nil {
			again = s
		}
		_, err = sweep.Stages(ctx, again, stopped, runner.Options{Workers: 1 + stops%2})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, evolve.ErrStopped) && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if stops < 2 {
		t.Errorf("it was stopped only %d times", stops)
	}
	want, have := runnertest.Bytes(t, whole), runnertest.Bytes(t, stopped)
	for name, content := range want {
		switch filepath.Base(name) {
		case "manifest.json", "checksums.sha256", "times.jsonl":
			continue // manifests name founders by their folders
		}
		proof.Is(t, have[name], content, "%s", name)
	}
	for _, file := range []string{"stages/1/race.json", "stages/3/race.json", "study.toml"} {
		a, err := os.ReadFile(filepath.Join(whole, file))
		b, other := os.ReadFile(filepath.Join(stopped, file))
		if err != nil || other != nil || string(a) != string(b) {
			t.Errorf("%s differs: %v, %v", file, err, other)
		}
	}
}

// A study that came over a network breeds with founders that its stages make, and with no file that
// it names itself, in the study or in a stage.
func TestStagesTrustNoNames(t *testing.T) {
	proof.Slow(t)
	file := filepath.Join(t.TempDir(), "a.species")
	proof.OK(t, os.WriteFile(file, []byte("(species antwars 1 (slot straight points) "+
		"(slot diagonal points))"), 0o666))
	const text = "game = \"antwars\"\nfigures.panels = [\"size\"]\nmeasure.final = 2\n" +
		"[evolve]\ngames = 20\npopulation = 6\n%s[[stage]]\n%s[[stage]]\n"
	for trust, want := range map[player.Trust]string{player.BuiltIns: "would read a file",
		player.Files: ""} {
		for _, at := range [][2]string{{"founders.species = [%q]\n", ""},
			{"", "evolve = { founders = { species = [%q] } }\n"}} {
			for i := range at {
				if at[i] != "" {
					at[i] = fmt.Sprintf(at[i], file)
				}
			}
			s := proof.Must(study.Parse(player.Scope{Games: all.Games(), Trust: trust}, "s",
				fmt.Appendf(nil, text, at[0], at[1])))(t)
			_, err := sweep.Stages(t.Context(), s, filepath.Join(t.TempDir(), "run"), runner.Options{})
			if want == "" {
				proof.OK(t, err)
			} else {
				proof.Says(t, err, want)
			}
		}
	}
}

// The progress of a sweep counts all stages of its runs, also of one that was stopped in the last.
func TestSweepOfStages(t *testing.T) {
	proof.Costly(t)
	s := stagedStudy(t, staged+"[sweep]\nseeds = [3, 4]\n")
	dir := t.TempDir()
	grid := proof.Must(sweep.Create(dir, s))(t)
	at := func() *sweep.Progress {
		p := proof.Must(sweep.ReadProgress(grid, dir))(t)
		proof.OK(t, p.ReadCosts(dir, nil))
		return p
	}
	ctx, cancel := context.WithCancel(t.Context())
	cell := &grid.Cells[1]
	_, err := sweep.Stages(ctx, cell.Study, cell.Directory(dir), runner.Options{Workers: 1,
		Progress: func(evolve.Progress) { cancel() }})
	if !errors.Is(err, evolve.ErrStopped) {
		t.Fatal(err)
	}
	p := at().Total
	if p.Stopped != 1 || p.Waiting != 1 || p.Generation < 700 || p.Generation > 999 ||
		p.Generations != 2000 || p.Cost.Games < 600 {
		t.Errorf("stopped in the last stage: %+v, %+v", p, p.Cost)
	}
	proof.OK(t, sweep.Run(t.Context(), grid, dir, sweep.Options{Workers: 2}))
	p = at().Total
	if p.Done != 2 || p.Generation != 2000 || p.Generations != 2000 || p.Cost.Games < 1600 {
		t.Errorf("at its end: %+v, %+v", p, p.Cost)
	}
}

// The faults are written here, each with a part of what the error says.
func TestStageFaults(t *testing.T) {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	for change, wants := range map[string]string{
		"name = \"end\"|populations = 2":               "must be 1 in the last stage",
		"name = \"apart\"|founders = \"all\"":          "the first stage",
		"founders = \"own\"|founders = \"owm\"":        `did you mean "own"`,
		"best = 2\nfounders = \"own\"|best = 4":        "up to the populations of the stage before",
		"race = 10|race = 11":                          "must be even",
		"share = 2.0|share = 0.0":                      "must be above 0",
		"populations = 3\nshare|populatons = 3\nshare": `did you mean "stage.populations"`,
		"crossover = 0.2|crossover = 2.0":              "stage 4",
		"games = 800|seconds = 3.0":                    "must be 0 where there are stages",
		"[stage.evolve]|[stage.evolve]\nseconds = 1.0": "must be 0 in a stage",
		"[stage.evolve]|[stage.evolve]\ngames = 90":    "each stage has its share",
		"name = \"end\"|name = \"the end\"":            `write name = "the-end"`,
	} {
		old, new, _ := strings.Cut(change, "|")
		_, err := study.Parse(scope, "faulty.toml", []byte(strings.Replace(staged, old, new, 1)))
		proof.Says(t, err, wants, "faulty.toml:")
	}
}

// The damages to a race, a founder and a study are written here: a race that ranks no run, one
// twice, one of elsewhere, or a better one behind others is not gone by, half a founder is written
// anew, and a study that is gone or has lost its stages is not carried out.
func TestDamagedStages(t *testing.T) {
	proof.Costly(t)
	s := stagedStudy(t, staged)
	dir := filepath.Join(t.TempDir(), "run")
	proof.Must(sweep.Stages(t.Context(), s, dir, runner.Options{}))(t)
	path := filepath.Join(dir, "stages", "1", "race.json")
	race := string(proof.Must(os.ReadFile(path))(t))
	for _, run := range []string{"population-9", "population-1", "../2/population-3", ""} {
		text := strings.Replace(race, "population-3", run, 1)
		proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := sweep.Stages(t.Context(), s, dir, runner.Options{})
		proof.Says(t, err, "race.json is damaged; remove it")
	}
	var ranks []any
	proof.OK(t, json.Unmarshal([]byte(race), &ranks))
	slices.Reverse(ranks)
	proof.OK(t, os.WriteFile(path, proof.Must(json.Marshal(ranks))(t), 0o666))
	_, err := sweep.Stages(t.Context(), s, dir, runner.Options{})
	proof.Says(t, err, "race.json is damaged; remove it")
	proof.OK(t, os.WriteFile(path, []byte(race), 0o666))
	founders := proof.Must(filepath.Glob(filepath.Join(dir, "stages", "2", "founders-1", "*")))(t)
	whole := proof.Must(os.ReadFile(founders[0]))(t)
	proof.OK(t, os.WriteFile(founders[0], whole[:len(whole)/2], 0o666)) // as a kill may leave it
	proof.Must(sweep.Stages(t.Context(), s, dir, runner.Options{}))(t)
	proof.Is(t, string(proof.Must(os.ReadFile(founders[0]))(t)), string(whole), "a founder")
	study := filepath.Join(dir, sweep.StudyFile)
	text, _, _ := strings.Cut(staged, "[[stage]]")
	proof.OK(t, os.WriteFile(study, []byte(text), 0o666))
	_, err = sweep.OpenStaged(s.Scope(), dir)
	proof.Says(t, err, "study.toml has no [[stage]]")
	proof.OK(t, os.Remove(study))
	_, err = sweep.OpenStaged(s.Scope(), dir)
	proof.Says(t, err, "put it back from a copy")
}

// Two processes at one staged run would share its populations, and race before all have ended. The
// first one is this test, which holds the lock.
func TestStagesAtOnce(t *testing.T) {
	s, dir := stagedStudy(t, staged), filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := sweep.Stages(ctx, s, dir, runner.Options{}); err == nil {
		t.Fatal("it ended though it was stopped before it began")
	}
	lock := proof.Must(durable.Lock(filepath.Join(dir, "stages", ".lock")))(t)
	_, err := sweep.Stages(t.Context(), s, dir, runner.Options{})
	proof.Says(t, err, "another process is at work in "+dir)
	proof.OK(t, lock.Close())
	_, err = sweep.Stages(ctx, s, dir, runner.Options{})
	proof.Says(t, err, evolve.ErrStopped.Error())
}

// A staged study is foretold before it is bred: games of selection to a tenth of what its runs'
// logs then say, those of races to a fifth.
func TestForeseeStages(t *testing.T) {
	proof.Costly(t)
	s := stagedStudy(t, staged)
	f := proof.Must(runner.Foresee(t.Context(), s, 1))(t)
	dir := filepath.Join(t.TempDir(), "run")
	proof.Must(sweep.Stages(t.Context(), s, dir, runner.Options{Workers: 1}))(t)
	runs := proof.Must(filepath.Glob(filepath.Join(dir, "stages", "*", "population-*")))(t)
	proof.Is(t, len(runs), 10, "runs of %q", runs)
	var was runner.Cost
	for _, run := range append(runs, dir) {
		cost := proof.Must((&runner.Run{Dir: run}).Cost())(t)
		was.Add(cost)
	}
	if all := proof.Must(sweep.CostOf(dir))(t); all.Games != was.Games || all.RaceGames !=
		was.RaceGames || !(math.Abs(all.Processor-was.Processor) <= 1e-9*was.Processor) {
		t.Errorf("in all %+v instead of %+v", all, was)
	}
	races := float64(3*20 + 3*400 + 10 + 400) // games of each pair of a stage
	if !(math.Abs(f.Games-float64(was.Games)) <= float64(was.Games)/10) ||
		!(math.Abs(f.RaceGames-races-float64(was.RaceGames)) <= float64(was.RaceGames)/5) ||
		f.Seconds <= 0 || f.Bytes <= 0 {
		t.Errorf("told %+v, were %+v and races of %g", f, was, races)
	}
}
