package worker

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
	"clade/experiments/cluster/clustertest"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/version"
	"clade/gp/proof"
)

// serve starts a server and connects a coordinator and a worker to it.
func serve(t testing.TB) (home, far *broker.Broker) {
	t.Helper()
	s, err := broker.Serve(t.TempDir(), "127.0.0.1:0")
	proof.OK(t, err)
	t.Cleanup(s.Shutdown)
	log := slog.New(slog.DiscardHandler)
	home, err = broker.Open(context.Background(), s.Inside, "home", broker.Silence, log)
	proof.OK(t, err)
	t.Cleanup(home.Close)
	far, err = broker.Join(context.Background(), s.Access, "far", log)
	proof.OK(t, err)
	t.Cleanup(far.Close)
	return home, far
}

// TestTaskStaysInScratch: no name in a task leads the worker out of its own directory.
func TestTaskStaysInScratch(t *testing.T) {
	home, far := serve(t)
	ctx := context.Background()
	grid, err := clustertest.Parse(t, clustertest.Study(1, "")).Grid()
	proof.OK(t, err)
	cell := grid.Cells[0]
	text, err := cell.Study.Text()
	proof.OK(t, err)
	content, err := json.Marshal(protocol.RunTask{Program: version.This().Name(),
		ResolvedStudy: protocol.ResolvedStudy{Study: string(text), Name: cell.Study.Name}})
	proof.OK(t, err)
	for _, c := range []struct {
		sweep, key   string
		taken, right bool
	}{{"s", cell.Key, true, true}, {"/out", cell.Key, true, true}, {"a/b", cell.Key, true, true},
		{"s", "/" + cell.Key, true, false}, {"s", "other", true, false},
		{"../out", cell.Key, false, false}, {"s", "../" + cell.Key, false, false},
		{"", cell.Key, false, false}} {
		subject := broker.RunPrefix + protocol.WorkName(c.sweep, c.key)
		if err := home.Offer(ctx, subject, content); (err == nil) != c.taken {
			t.Errorf("%s: %v", subject, err)
		}
		if !c.taken {
			continue
		}
		task, err := far.Next(ctx)
		proof.OK(t, err)
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
		if err := home.Withdraw(ctx, subject); err != nil {
			t.Error(err)
		}
	}
}

// TestSnapshotOfAnother: who goes on with what a liar has begun is not taken for the one that began
// it, whatever the liar has written down, and a snapshot that its maker has not signed is not
// believed.
func TestSnapshotOfAnother(t *testing.T) {
	_, b := serve(t)
	ctx := context.Background()
	var keys [2]ed25519.PrivateKey
	for i := range keys {
		var err error
		_, keys[i], err = ed25519.GenerateKey(nil)
		proof.OK(t, err)
	}
	w := newWorker(Worker{Broker: b, Key: keys[0], Log: slog.New(slog.DiscardHandler)})
	other := broker.NameOf(keys[1].Public().(ed25519.PublicKey))
	forged := broker.Sign(keys[0], "elsewhere", []byte("a word"))
	for _, c := range []struct {
		name       string
		key        ed25519.PrivateKey // of who hands the snapshot over
		of         string             // run
		provenance protocol.Provenance
		swap       bool // another archive has the word
		used       bool
		before     []string
	}{
		{"of another", keys[1], "s.r", protocol.Provenance{Worker: other}, false, true, []string{other}},
		{"as if it were this worker's", keys[1], "s.r", protocol.Provenance{Worker: w.id}, false, true,
			[]string{other}},
		{"of its own", keys[0], "s.r", protocol.Provenance{Worker: w.id}, false, true, nil},
		{"of another run", keys[1], "s.other", protocol.Provenance{Worker: other}, false, false, nil},
		{"that is not what was signed", keys[1], "s.r", protocol.Provenance{Worker: other}, true, false,
			nil},
		{"with a word that is none", keys[1], "s.r", protocol.Provenance{Before: [][]byte{forged}}, false,
			false, nil},
	} {
		from, to := t.TempDir(), filepath.Join(t.TempDir(), "run")
		if err := errors.Join(c.provenance.Write(from),
			os.Mkdir(filepath.Join(from, rundir.StateFolder), 0o777),
			os.WriteFile(filepath.Join(from, rundir.StateFolder, "0000000000.zst"), nil, 0o666),
			os.WriteFile(filepath.Join(from, rundir.ManifestFile), nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		archive, err := protocol.Snapshot(from)
		if err != nil {
			t.Fatal(err)
		}
		run := &aRun{&study.Cell{Key: "run"}, "s.r", filepath.Dir(to)}
		signed := protocol.SignSnapshot(c.key, c.of, archive)
		if c.swap {
			other := protocol.SignSnapshot(c.key, c.of, []byte("another"))
			signed = append(other[:len(signed)-len(archive)], archive...)
		}
		if err := b.Put(ctx, run.name, "", signed); err != nil {
			t.Fatal(err)
		}
		if err := w.fetch(ctx, run); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(to, rundir.ManifestFile)); (err == nil) != c.used {
			t.Errorf("a snapshot %s: %v", c.name, err)
		}
		provenance, err := protocol.ReadProvenance(to)
		if err != nil || provenance.Worker != w.id {
			t.Errorf("a snapshot %s: %+v, %v", c.name, provenance, err)
		}
		if before, err := provenance.Workers("s.r"); err != nil || !slices.Equal(before, c.before) {
			t.Errorf("a snapshot %s: %q worked on it earlier, %v", c.name, before, err)
		}
	}
}

// TestOneGoesOn: of two workers on one run, as after a network was cut, the one that took it last
// goes on, and the other finds out, but for a snapshot that was on its way; nobody goes on where
// the run was handed in meanwhile. What was handed over before the first checkpoint is no snapshot.
func TestOneGoesOn(t *testing.T) {
	_, b := serve(t)
	ctx := context.Background()
	take := func() (*worker, *aRun) {
		_, key, err := ed25519.GenerateKey(nil)
		proof.OK(t, err)
		w := newWorker(Worker{Broker: b, Key: key, Log: slog.New(slog.DiscardHandler)})
		run := &aRun{&study.Cell{Key: "run"}, "s.r", t.TempDir()}
		proof.OK(t, errors.Join(w.fetch(ctx, run), w.handOver(ctx, run)))
		provenance, err := protocol.ReadProvenance(run.dir())
		if err != nil || len(provenance.Before) > 0 {
			t.Errorf("%+v, %v", provenance, err)
		}
		return w, run
	}
	first, run := take()
	second, same := take()
	lost := func(w *worker, is bool) {
		t.Helper()
		if err := w.fence(ctx, run); errors.Is(err, lease.ErrLost) != is || err != nil && !is {
			t.Error(err)
		}
	}
	lost(first, true)
	lost(second, false)
	if err := first.leave(ctx, run); !errors.Is(err, lease.ErrLost) {
		t.Error(err)
	}
	proof.OK(t, errors.Join(second.handOver(ctx, same), first.handOver(ctx, run)))
	lost(first, false)
	lost(second, true)
	proof.OK(t, b.Remove(ctx, run.name))
	lost(first, true)
}

// BenchmarkTasks measures the way of a run through the queue without its work: offered, taken,
// confirmed.
func BenchmarkTasks(b *testing.B) {
	home, far := serve(b)
	ctx := context.Background()
	for i := 0; b.Loop(); i++ {
		proof.OK(b, home.Offer(ctx, fmt.Sprint(broker.RunPrefix, "s.", i), make([]byte, 1200)))
		m, err := far.Next(ctx)
		proof.OK(b, err)
		proof.OK(b, m.DoubleAck(ctx))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
