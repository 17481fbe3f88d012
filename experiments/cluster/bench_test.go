package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"clade/evolve"
	"clade/experiments/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner"
)

// BenchmarkTasks measures the way of a run through the queue without its work: offered, taken with
// its lease, confirmed.
func BenchmarkTasks(b *testing.B) {
	s := serve(b, b.TempDir(), "127.0.0.1:0")
	ctx := context.Background()
	at := openAt(b, s.Inside)
	for i := 0; b.Loop(); i++ {
		key := fmt.Sprint(i)
		if err := offer(ctx, at, broker.RunPrefix+"s."+key, &runTask{Sweep: "s", Key: key,
			resolvedStudy: resolvedStudy{Study: string(make([]byte, 1000))}}); err != nil {
			b.Fatal(err)
		}
		m, err := at.Next(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := takeLease(ctx, at, leaseKey("s", key), "w", slog.Default()); err != nil {
			b.Fatal(err)
		}
		if err := m.DoubleAck(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}

// BenchmarkRenew measures a sign of life.
func BenchmarkRenew(b *testing.B) {
	s := serve(b, b.TempDir(), "127.0.0.1:0")
	ctx := context.Background()
	at := openAt(b, s.Inside)
	g, err := takeLease(ctx, at, "s.r", "w", slog.Default())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Generation++
		if err := g.renew(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEpochs measures the way of an island's epoch without its work: offered, taken with its
// lease, fetched, handed back, written to the disk, confirmed. The two islands of the run have two
// individuals each, and an epoch is one generation.
func BenchmarkEpochs(b *testing.B) {
	dir := b.TempDir()
	server := serve(b, dir, "127.0.0.1:0")
	generations := max(2, b.N/2)
	s := clustertest.Parse(b, clustertest.Study(generations, ""), "evolve.islands=2",
		"evolve.population=2", "evolve.migration.every=1", "evolve.migration.migrants=1",
		"evolve.checkpoint=1000", "evolve.champion.against=none", "evolve.lineage=none")
	home := workAt(b, server.Access, 2, &clustertest.Log{})
	defer home()
	o := runner.Options{}
	Spread{Open: opener(server.Inside), Dir: dir, Study: s,
		Log: slog.New(slog.DiscardHandler)}.Into(&o)
	setup, err := runner.Setup(s)
	if err != nil {
		b.Fatal(err)
	}
	setup.Remote = o.Remote
	r, err := evolve.Create(filepath.Join(dir, "run"), setup)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	b.ResetTimer()
	if _, err := r.Evolve(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(2*generations)/b.Elapsed().Seconds(), "epochs/s")
}
