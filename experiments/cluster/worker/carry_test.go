package worker

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/version"
	"clade/gp/proof"
)

// TestTaskStaysInScratch: no name in a task leads the worker out of its own directory.
func TestTaskStaysInScratch(t *testing.T) {
	b := serve(t)
	ctx := context.Background()
	grid, err := clustertest.Parse(t, clustertest.Study(1, "")).Grid()
	proof.OK(t, err)
	cell := grid.Cells[0]
	text, err := cell.Study.Text()
	proof.OK(t, err)
	for i, sweep := range []string{"../out", "x/../../out", "/out", ".", "a.b", ""} {
		content, err := json.Marshal(protocol.RunTask{Sweep: sweep, Key: cell.Key,
			Program:       version.This().Name(),
			ResolvedStudy: protocol.ResolvedStudy{Study: string(text), Name: cell.Study.Name}})
		if err == nil {
			err = b.Offer(ctx, fmt.Sprint(broker.RunPrefix, "s.", i), content)
		}
		proof.OK(t, err)
		task, err := b.Next(ctx)
		proof.OK(t, err)
		dir := t.TempDir()
		_, key, err := ed25519.GenerateKey(nil)
		proof.OK(t, err)
		ended, cancel := context.WithCancel(ctx)
		w := newWorker(Worker{Broker: b, Scope: runnertest.Scope(), Key: key,
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

// TestSnapshotOfAnother: who goes on with what a liar has begun is not taken for the one that began
// it, whatever the liar has written down, and a snapshot that its maker has not signed is not
// believed.
func TestSnapshotOfAnother(t *testing.T) {
	b := serve(t)
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
		name   string
		key    ed25519.PrivateKey // of who hands the snapshot over
		of     string             // lease
		begun  protocol.Begun
		change int // of so many bytes at its end
		used   bool
		before []string
	}{
		{"of another", keys[1], "s.r", protocol.Begun{Worker: other}, 0, true, []string{other}},
		{"as if it were this worker's", keys[1], "s.r", protocol.Begun{Worker: w.id}, 0, true,
			[]string{other}},
		{"of its own", keys[0], "s.r", protocol.Begun{Worker: w.id}, 0, true, nil},
		{"of another run", keys[1], "s.other", protocol.Begun{Worker: other}, 0, false, nil},
		{"that is not what was signed", keys[1], "s.r", protocol.Begun{}, 1, false, nil},
		{"with a word that is none", keys[1], "s.r", protocol.Begun{Before: [][]byte{forged}}, 0,
			false, nil},
	} {
		from, to := t.TempDir(), filepath.Join(t.TempDir(), "run")
		if err := errors.Join(c.begun.Write(from),
			os.Mkdir(filepath.Join(from, rundir.StateFolder), 0o777),
			os.WriteFile(filepath.Join(from, rundir.StateFolder, "0000000000.zst"), nil, 0o666),
			os.WriteFile(filepath.Join(from, rundir.ManifestFile), nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		archive, err := protocol.Snapshot(from)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(archive)
		if err := b.Put(ctx, "snapshot", archive[:len(archive)-c.change]); err != nil {
			t.Fatal(err)
		}
		if err := w.fetch(ctx, &heldLease{key: "s.r", LeaseRecord: protocol.LeaseRecord{
			Snapshot: "snapshot", Word: broker.Sign(c.key, c.of, sum[:])}}, to); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(to, rundir.ManifestFile)); (err == nil) != c.used {
			t.Errorf("a snapshot %s: %v", c.name, err)
		}
		begun, err := protocol.ReadBegun(to)
		if err != nil || begun.Worker != w.id {
			t.Errorf("a snapshot %s: %+v, %v", c.name, begun, err)
		}
		if before, err := begun.Workers("s.r"); err != nil || !slices.Equal(before, c.before) {
			t.Errorf("a snapshot %s: %q worked on it earlier, %v", c.name, before, err)
		}
	}
}
