package cluster

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
	"clade/gp/proof"
)

// connect starts a server and connects a coordinator and a worker to it.
func connect(t testing.TB) (home, far *broker.Broker) {
	t.Helper()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	log, ctx := slog.New(slog.DiscardHandler), context.Background()
	home = proof.Must(broker.Open(ctx, s.Inside, "home", broker.Silence, log))(t)
	t.Cleanup(home.Close)
	far = proof.Must(broker.Join(ctx, s.Access, "far", log))(t)
	t.Cleanup(far.Close)
	return home, far
}

// TestTaskStaysInScratch: no name in a task leads the worker out of its own directory.
func TestTaskStaysInScratch(t *testing.T) {
	proof.Slow(t)
	home, far := connect(t)
	ctx := context.Background()
	grid := proof.Must(runnertest.Parse(t, runnertest.Study(1, "")).Grid())(t)
	cell := grid.Cells[0]
	text := proof.Must(cell.Study.Text())(t)
	content, err := json.Marshal(task{Program: version.This().Name(), Study: string(text),
		Name: cell.Study.Name})
	proof.OK(t, err)
	for _, c := range []struct {
		sweep, key   string
		taken, right bool
	}{{"s", cell.Key, true, true}, {"/out", cell.Key, true, true}, {"a/b", cell.Key, true, true},
		{"s", "/" + cell.Key, true, false}, {"s", "other", true, false},
		{"../out", cell.Key, false, false}, {"s", "../" + cell.Key, false, false},
		{"", cell.Key, false, false}} {
		subject := broker.RunPrefix + workName(c.sweep, c.key)
		if err := home.Offer(ctx, subject, content); (err == nil) != c.taken {
			t.Errorf("%s: %v", subject, err)
		}
		if !c.taken {
			continue
		}
		task := proof.Must(far.Next(ctx))(t)
		dir, elsewhere := t.TempDir(), errors.New("this is all that was asked")
		scratch, in := filepath.Join(dir, "a", "b"), ""
		_, key, err := ed25519.GenerateKey(nil)
		proof.OK(t, err)
		w := newWorker(Worker{Broker: far, Scope: runnertest.Scope(), Key: key, Scratch: scratch,
			Workers: 1, Log: slog.New(slog.DiscardHandler),
			Carry: func(_ context.Context, _ *study.Cell, at string,
				_ runner.Options) (*runner.Summary, error) {
				in = at
				return nil, elsewhere
			}})
		err = w.settle(ctx, task)
		if err == nil || strings.Contains(err.Error(), elsewhere.Error()) != c.right ||
			c.right != strings.HasPrefix(in, scratch+"/") {
			t.Errorf("%s in %q: %v", subject, in, err)
		}
		if out, err := filepath.Glob(dir + "/*"); err != nil || c.right != (len(out) == 1) {
			t.Errorf("%s left %v, %v", subject, out, err)
		}
		proof.OK(t, home.Withdraw(ctx, subject))
	}
}

// TestSnapshotOfAnother: who goes on with what a liar has begun is not taken for the one that began
// it, whatever the liar has written down: the lists are what it could write.
func TestSnapshotOfAnother(t *testing.T) {
	_, b := connect(t)
	ctx := context.Background()
	_, key, err := ed25519.GenerateKey(nil)
	proof.OK(t, err)
	w := newWorker(Worker{Broker: b, Key: key, Log: slog.New(slog.DiscardHandler)})
	for what, c := range map[string]struct {
		names, before []string
	}{
		"of others":                   {[]string{"x", "y"}, []string{"x", "y"}},
		"of this worker and another":  {[]string{w.id, "x"}, []string{"x"}},
		"as if it were this worker's": {[]string{w.id, w.id}, []string{"unknown"}},
		"of none":                     {nil, []string{"unknown"}},
		"of more than are named": {slices.Repeat([]string{"x"}, mostBefore+1),
			slices.Repeat([]string{"x"}, mostBefore)},
	} {
		from := &aRun{&study.Cell{Key: "run"}, "s.r", t.TempDir()}
		proof.OK(t, errors.Join(
			os.MkdirAll(filepath.Join(from.dir(), rundir.StateFolder), 0o777),
			os.WriteFile(filepath.Join(from.dir(), rundir.StateFolder, "0000000000.zst"), nil, 0o666),
			os.WriteFile(filepath.Join(from.dir(), rundir.ManifestFile), nil, 0o666)))
		if c.names != nil {
			proof.OK(t, from.record(c.names...))
		}
		archive := proof.Must(snapshot(from.dir()))(t)
		run := &aRun{from.Cell, from.name, t.TempDir()}
		for range 2 { // the second finds it in its folder
			proof.OK(t, errors.Join(b.Put(ctx, run.name, w.id, archive), w.fetch(ctx, run)))
			if _, err := os.Stat(filepath.Join(run.dir(), rundir.ManifestFile)); (err == nil) !=
				(c.before != nil) {
				t.Errorf("a snapshot %s: %v", what, err)
			}
			r, err := w.state(run)
			if err != nil || !slices.Equal(r.Before, c.before) {
				t.Errorf("a snapshot %s: %q worked on it earlier, %v", what, r.Before, err)
			}
		}
	}
}

// TestOneGoesOn: of two workers on one run, as after a network was cut, the one that took it last
// goes on, and the other finds out, but for a snapshot that was on its way; nobody goes on where
// the run was handed in meanwhile. What was handed over before the first checkpoint is no snapshot.
func TestOneGoesOn(t *testing.T) {
	_, b := connect(t)
	ctx := context.Background()
	handOver := func(w *worker, run *aRun) {
		t.Helper()
		proof.Must(w.handOver(ctx, run))(t)
	}
	take := func() (*worker, *aRun) {
		_, key, err := ed25519.GenerateKey(nil)
		proof.OK(t, err)
		w := newWorker(Worker{Broker: b, Key: key, Log: slog.New(slog.DiscardHandler)})
		run := &aRun{&study.Cell{Key: "run"}, "s.r", t.TempDir()}
		proof.OK(t, w.fetch(ctx, run))
		handOver(w, run)
		if r, err := w.state(run); err != nil || len(r.Before) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
		return w, run
	}
	first, run := take()
	second, same := take()
	lost := func(w *worker, is bool) {
		t.Helper()
		if err := w.fence(ctx, run); errors.Is(err, sweep.ErrLost) != is || err != nil && !is {
			t.Error(err)
		}
	}
	lost(first, true)
	lost(second, false)
	if err := first.leave(ctx, run); !errors.Is(err, sweep.ErrLost) {
		t.Error(err)
	}
	handOver(second, same)
	handOver(first, run)
	lost(first, false)
	lost(second, true)
	proof.OK(t, b.Remove(ctx, run.name))
	lost(first, true)
}

// BenchmarkTasks measures the way of a run through the queue without its work: offered, taken,
// confirmed.
func BenchmarkTasks(b *testing.B) {
	home, far := connect(b)
	ctx := context.Background()
	for i := 0; b.Loop(); i++ {
		proof.OK(b, home.Offer(ctx, fmt.Sprint(broker.RunPrefix, "s.", i), make([]byte, 1200)))
		m := proof.Must(far.Next(ctx))(b)
		proof.OK(b, m.DoubleAck(ctx))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
