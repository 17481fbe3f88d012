package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

const four = "[sweep]\nreplicates = 2\n[sweep.settings]\nevolve.boards = [1, 2]"

const two = "[sweep]\nreplicates = 2"

// prints returns the fingerprints of a sweep's runs.
func prints(t *testing.T, g *study.Grid, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for i := range g.Cells {
		sum, err := runner.ReadSummary(g.Cells[i].Directory(dir))
		if err != nil || sum == nil {
			t.Fatalf("run %s: %+v, %v", g.Cells[i].Key, sum, err)
		}
		all[g.Cells[i].Key] = sum.Fingerprint
	}
	return all
}

func carryOut(ctx context.Context, g *study.Grid, dir string) error {
	return sweep.Run(ctx, g, dir, sweep.Options{Workers: 2, Follow: true})
}

// TestOpenSweep: a sweep leaves a run alone that has its directory, and a study as its author wrote
// it.
func TestOpenSweep(t *testing.T) {
	dir := t.TempDir()
	proof.OK(t, os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o666))
	s, _ := runnertest.Grid(t, four)
	proof.Fails(sweep.Create(dir, s))(t, "holds a run; choose another directory")
	if _, err := os.Stat(filepath.Join(dir, sweep.StudyFile)); err == nil {
		t.Error("it wrote there")
	}
	dir = t.TempDir()
	path := filepath.Join(dir, sweep.StudyFile)
	written := "# My notes.\n" + runnertest.Tiny + four
	proof.OK(t, os.WriteFile(path, []byte(written), 0o666))
	s = proof.Must(study.Read(scope, path))(t)
	proof.Must(sweep.Create(dir, s))(t)
	proof.Is(t, string(proof.Must(os.ReadFile(path))(t)), written, "the study")
	s = proof.Must(study.Read(scope, path, "evolve.boards=3"))(t)
	proof.Must(sweep.Create(dir, s))(t)
	proof.Is(t, proof.Must(study.Read(scope, path))(t).Evolve.Boards, 3,
		"boards of the changed study")
}

// TestIs: a study that its author calls study.toml makes no sweep of the folder, nor do runs in it.
func TestIs(t *testing.T) {
	for _, c := range []struct {
		text, beside string
		want         bool
	}{
		{runnertest.Tiny, "runs", false},
		{runnertest.Tiny + "# [sweep]\n", "0123456789abcde", false},
		{runnertest.Tiny + four, "runs", true},
		{"[[sweep.cells]]\n" + four, "runs", true},
		{runnertest.Tiny, "0123456789abcdef", true}, // the study's one run
		{runnertest.Tiny, "slurm", true},
	} {
		dir := t.TempDir()
		proof.OK(t, os.WriteFile(filepath.Join(dir, sweep.StudyFile), []byte(c.text), 0o666))
		proof.OK(t, os.Mkdir(filepath.Join(dir, c.beside), 0o777))
		proof.Is(t, sweep.Is(dir), c.want, "with %s beside it and the study\n%s\na sweep", c.beside,
			c.text)
	}
	if sweep.Is(t.TempDir()) {
		t.Error("an empty folder is a sweep")
	}
}

// TestSweep runs a sweep, sees that a second one does nothing, then that several at once, stopped
// on their way, share the work and end alike.
func TestSweep(t *testing.T) {
	proof.Long(t)
	s, g := runnertest.Grid(t, four)
	want := runnertest.Prints(t, g)
	dir := filepath.Join(t.TempDir(), "sweep")
	proof.Must(sweep.Create(dir, s))(t)
	proof.OK(t, carryOut(context.Background(), g, dir))
	proof.Is(t, fmt.Sprint(prints(t, g, dir)), fmt.Sprint(want), "fingerprints")
	done := filepath.Join(g.Cells[0].Directory(dir), rundir.DoneFile)
	before := proof.Must(os.Stat(done))(t)
	again := proof.Must(sweep.Open(scope, dir))(t)
	proof.OK(t, carryOut(context.Background(), again, dir))
	after := proof.Must(os.Stat(done))(t)
	proof.Is(t, after.ModTime().Equal(before.ModTime()), true, "no run is done twice")
	p, err := sweep.ReadProgress(again, dir)
	if err != nil || p.Total.Done != 4 || len(p.Groups) != 2 || p.Groups[0].Group != "boards 1" ||
		p.Groups[0].Done != 2 {
		t.Errorf("%+v, %v", p, err)
	}

	dir = filepath.Join(t.TempDir(), "many")
	var group sync.WaitGroup
	for i := range 3 {
		group.Go(func() {
			for patience := time.Duration(i+1) * 20 * time.Millisecond; ; patience *= 2 {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				err := carryOut(ctx, g, dir)
				cancel()
				if err == nil {
					return
				}
				if !errors.Is(err, evolve.ErrStopped) {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	proof.Is(t, fmt.Sprint(prints(t, g, dir)), fmt.Sprint(want), "fingerprints of the shared sweep")
}

// A failure is recorded, the other runs go on, and the next sweep tries again.
func TestSweepFailure(t *testing.T) {
	proof.Slow(t)
	_, g := runnertest.Grid(t, two)
	dir := t.TempDir()
	trap := filepath.Join(g.Cells[1].Directory(dir), "generations.jsonl")
	proof.OK(t, os.MkdirAll(filepath.Join(trap, "full"), 0o777))
	proof.Says(t, carryOut(context.Background(), g, dir), g.Cells[1].Key)
	p, err := sweep.ReadProgress(g, dir)
	if err != nil || p.Total.Done != 1 || p.Total.Failed != 1 || p.Cells[1].Error == "" {
		t.Fatalf("%+v, %v", p, err)
	}
	proof.OK(t, os.RemoveAll(trap))
	proof.OK(t, carryOut(context.Background(), g, dir))
	if p, err = sweep.ReadProgress(g, dir); err != nil || p.Total.Done != 2 ||
		p.Cells[0].Pace != nil { // a time would differ whenever the sweep is done again
		t.Errorf("%+v, %v", p, err)
	}
	played := int64(0) // as the runs' own summaries say
	for i := range g.Cells {
		sum := proof.Must(runner.ReadSummary(g.Cells[i].Directory(dir)))(t)
		played += sum.Games
	}
	var table strings.Builder
	if err := p.ReadCosts(dir, nil); err != nil || p.Total.Cost.Games != played || played == 0 {
		t.Errorf("the sweep played %+v, its runs %d games (%v)", p.Total.Cost, played, err)
	}
	if p.Write(&table); !strings.Contains(table.String(), fmt.Sprint(played)) {
		t.Errorf("no %d in\n%s", played, table.String())
	}
}

// A worker from whom the run is taken by force stops, and writes nothing more.
func TestForcedOut(t *testing.T) {
	_, g := runnertest.Grid(t, "")
	c := &g.Cells[0]
	c.Study.Evolve.Generations = 1000
	dir := t.TempDir()
	forced := false
	_, err := sweep.Carry(context.Background(), c, dir,
		runner.Options{Progress: func(r evolve.Progress) {
			if r.Line.Generation == 3 {
				forced = true
				next := filepath.Join(c.Directory(dir), sweep.LeaseFolder, "000000000002")
				if err := os.WriteFile(next, []byte(`{"host":"far","pid":1,"boot":"x"}`), 0o666); err != nil {
					t.Error(err)
				}
			}
		}})
	if !forced || !errors.Is(err, sweep.ErrLost) {
		t.Fatalf("%v", err)
	}
	p := proof.Must(sweep.ReadProgress(g, dir))(t)
	s := p.Cells[0]
	if s.State != sweep.Running || s.Generation != 4 || !strings.Contains(s.Worker, "far") {
		t.Errorf("%+v, %v", s, err)
	}
}

// A run that a worker has, as workers.json says, which is written by hand here, is under way, until
// nobody writes the file any more.
func TestElsewhere(t *testing.T) {
	_, g := runnertest.Grid(t, two)
	dir := t.TempDir()
	file := filepath.Join(dir, "workers.json")
	proof.OK(t, os.WriteFile(file, fmt.Appendf(nil, `[{"worker": "a", "state": "here", "work":
		[{"key": %q, "generation": 3, "seconds": 2}]}, {"worker": "b", "state": "silent", "work":
		[{"key": %q}]}]`, g.Cells[0].Key, g.Cells[1].Key), 0o666))
	p := proof.Must(sweep.ReadProgress(g, dir))(t)
	if c := p.Cells[0]; c.State != sweep.Running || c.Worker != "a" || c.Generation != 3 ||
		c.Pace == nil || *c.Pace != 2 || p.Cells[1].State != sweep.Waiting || p.Left == nil {
		t.Errorf("%+v", p)
	}
	old := time.Now().Add(-time.Hour)
	proof.OK(t, os.Chtimes(file, old, old))
	p = proof.Must(sweep.ReadProgress(g, dir))(t)
	proof.Is(t, p.Total.Waiting, len(p.Cells), "runs that wait")
}

// TestSweepProcess is not a test: it is the process that TestSweepSurvivesKill kills.
func TestSweepProcess(t *testing.T) {
	dir := os.Getenv("CLADE_TEST_SWEEP")
	if dir == "" {
		t.Skip("only for TestSweepSurvivesKill")
	}
	_, g := runnertest.Grid(t, two)
	proof.OK(t, carryOut(context.Background(), g, dir))
}

func TestSweepSurvivesKill(t *testing.T) {
	proof.Long(t)
	_, g := runnertest.Grid(t, two)
	want := runnertest.Prints(t, g)
	dir := filepath.Join(t.TempDir(), "sweep")
	for killed := 0; ; killed++ {
		command := exec.Command(os.Args[0], "-test.run=^TestSweepProcess$")
		command.Env = append(os.Environ(), "CLADE_TEST_SWEEP="+dir)
		proof.OK(t, command.Start())
		if killed < 5 {
			time.Sleep(time.Duration(100+150*killed) * time.Millisecond)
			_ = command.Process.Kill()
			_ = command.Wait()
			continue
		}
		proof.OK(t, command.Wait())
		break
	}
	proof.Is(t, fmt.Sprint(prints(t, g, dir)), fmt.Sprint(want), "fingerprints")
}

func TestShares(t *testing.T) {
	_, g := runnertest.Grid(t, "[sweep]\nreplicates = 7")
	seen := map[string]int{}
	for task := range 3 {
		for _, c := range sweep.Share(g.Cells, task, 3) {
			seen[c.Key]++
		}
	}
	for _, c := range g.Cells {
		proof.Is(t, seen[c.Key], 1, "shares that hold run %s", c.Key)
	}
	for _, c := range []struct {
		given       int
		name, value string
		want        int
		err         string
	}{
		{2, "", "", 2, ""},
		{3, "", "", 0, "must be less"},
		{-1, "", "", 0, "says which this is"},
		{-1, "SLURM_ARRAY_TASK_ID", "1", 1, ""},
		{-1, "JOB_COMPLETION_INDEX", "2", 2, ""},
		{-1, "CLADE_TASK", "x", 0, "must be a whole number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "" {
				t.Setenv(c.name, c.value)
			}
			got, err := sweep.TaskIndex(c.given, 3)
			if got != c.want || (err == nil) != (c.err == "") || err != nil &&
				!strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v: %d, %v", c, got, err)
			}
		})
	}
}
