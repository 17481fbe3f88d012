package cluster

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clade/engine/games/all"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// stages are written here: the last names files of the first, which a worker reads as its own.
const stages = `[[stage]]
populations = 2
race = 4
[[stage]]
founders = "population"
`

// TestStagesOnWorkers: a staged run that one worker left in its last stage goes on with another,
// which trusts no file that a message names, and is the run of this machine with all its stages.
func TestStagesOnWorkers(t *testing.T) {
	proof.Costly(t)
	dir, s := t.TempDir(), runnertest.Parse(t, runnertest.Study(10, stages), "evolve.games=500",
		"evolve.selection=pairs", "evolve.champion.every=5")
	g := proof.Must(sweep.Create(dir, s))(t)
	cell := &g.Cells[0]
	want := proof.Must(sweep.Stages(t.Context(), cell.Study, filepath.Join(t.TempDir(), "run"),
		runner.Options{}))(t)
	ctx, stop := context.WithCancel(t.Context())
	left := t.TempDir()
	if _, err := sweep.Carry(ctx, cell, left, runner.Options{
		Progress: func(evolve.Progress) { stop() }}); err == nil {
		t.Fatal("it was not stopped")
	}
	at := serve(t, dir, "127.0.0.1:0")
	archive := proof.Must(snapshot(cell.Directory(left)))(t)
	proof.OK(t, openAt(t, at.Inside).Put(t.Context(), workName(workID(dir), cell.Key), "w",
		archive))
	ended := coordinate(t, at.Inside, dir, g)
	b := proof.Must(broker.Join(t.Context(), at.Access, "test", slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(b.Close)
	ctx, leave := context.WithTimeout(t.Context(), clustertest.Patience)
	out, scratch := &clustertest.Log{}, t.TempDir()
	var home sync.WaitGroup
	home.Go(func() {
		_ = Worker{Broker: b, Scope: player.Scope{Games: all.Games()}, Scratch: scratch,
			Workers: 1, Silence: quick, Log: slog.New(slog.NewTextHandler(out, nil))}.Work(ctx)
	})
	proof.OK(t, <-ended)
	leave()
	home.Wait()
	runnertest.Compare(t, g, dir, map[string]string{cell.Key: want.Fingerprint})
	p := proof.Must(sweep.ReadProgress(g, dir))(t)
	proof.OK(t, p.ReadCosts(dir, nil))
	if p.Total.Generation != 1000 || p.Total.Cost.Games < 480 {
		t.Errorf("its stages have %+v, %+v\n%s", p.Total, p.Total.Cost, out.String())
	}

	// What a worker may change in a population's files.
	run := cell.Directory(dir)
	manifest := filepath.Join(run, "stages", "1", "population-2", "manifest.json")
	for _, c := range []struct{ file, old, new, want string }{
		{manifest, "population = 20", "population = 21", "of another study than stage 1"},
		{manifest, "games = 8", "games = ", "the study of its manifest"},
		{filepath.Join(run, "manifest.json"), "boards = 1", "boards = 2", "another study than stage 2"},
		{filepath.Join(run, "stages", "1", "population-3", "manifest.json"), "", "{}",
			"of no population of the study"},
	} {
		had, err := os.ReadFile(c.file)
		if c.old == "" {
			err = os.Mkdir(filepath.Dir(c.file), 0o777)
		} else if !strings.Contains(string(had), c.old) {
			t.Fatalf("%s has no %s", c.file, c.old)
		}
		proof.OK(t, err)
		said := strings.Replace(string(had), c.old, c.new, 1)
		for _, content := range []string{said, string(had)} {
			proof.OK(t, errors.Join(os.WriteFile(c.file, []byte(content), 0o666),
				rundir.Record(filepath.Dir(c.file), rundir.ManifestFile)))
			if content == said {
				proof.Fails(sweep.Hash(cell, run))(t, c.want)
			}
		}
	}
}
