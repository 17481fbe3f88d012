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
	"testing"

	"clade/experiments/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// TestTaskStaysInScratch: no name in a task leads the worker out of its own directory.
func TestTaskStaysInScratch(t *testing.T) {
	b := serve(t)
	ctx := context.Background()
	grid, err := clustertest.Parse(t, clustertest.Study(1, "")).Grid()
	if err != nil {
		t.Fatal(err)
	}
	cell := grid.Cells[0]
	text, err := cell.Study.Text()
	if err != nil {
		t.Fatal(err)
	}
	for i, sweep := range []string{"../out", "x/../../out", "/out", ".", "a.b", ""} {
		content, err := json.Marshal(protocol.RunTask{Sweep: sweep, Key: cell.Key,
			Program:       runner.ProgramVersion(),
			ResolvedStudy: protocol.ResolvedStudy{Study: string(text), Name: cell.Study.Name}})
		if err == nil {
			err = b.Offer(ctx, fmt.Sprint(broker.RunPrefix, "s.", i), content)
		}
		if err != nil {
			t.Fatal(err)
		}
		task, err := b.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		_, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		ended, cancel := context.WithCancel(ctx)
		w := newWorker(Worker{Broker: b, Scope: clustertest.Scope(), Key: key,
			Scratch: filepath.Join(dir, "a", "b"), Workers: 1, Log: slog.Default(),
			Carry: func(_ context.Context, c *study.Cell, at string,
				_ runner.Options) (*runner.Summary, error) {
				t.Errorf("sweep %q is bred in %s", sweep, at)
				cancel()
				return nil, errors.New("elsewhere")
			}})
		if err := w.settle(ended, task); !errors.Is(err, errDamaged) {
			t.Errorf("sweep %q: %v", sweep, err)
		}
		cancel()
		if out, err := filepath.Glob(dir + "/*"); err != nil || len(out) > 0 {
			t.Errorf("sweep %q left %v, %v", sweep, out, err)
		}
	}
}

// TestSnapshotBeginsWithAnother: who goes on with what a liar has begun is not taken for the one
// that began it, whatever the liar has written down.
func TestSnapshotBeginsWithAnother(t *testing.T) {
	b := serve(t)
	ctx := context.Background()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(Worker{Broker: b, Key: key, Log: slog.New(slog.DiscardHandler)})
	for _, began := range []string{"", w.id} {
		from, to := t.TempDir(), filepath.Join(t.TempDir(), "run")
		if began != "" {
			if err := os.WriteFile(filepath.Join(from, protocol.BegunFile), []byte(began),
				0o666); err != nil {
				t.Fatal(err)
			}
		}
		archive, err := protocol.Snapshot(from)
		if err == nil {
			err = b.Put(ctx, "snapshot", archive)
		}
		if err == nil {
			err = w.fetch(ctx, &heldLease{LeaseRecord: protocol.LeaseRecord{Snapshot: "snapshot"}},
				to)
		}
		if err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(filepath.Join(to, protocol.BegunFile)); err != nil ||
			string(now) == w.id {
			t.Errorf("%q began it, %q says the worker, %v", began, now, err)
		}
	}
}
