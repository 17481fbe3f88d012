package cluster

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"clade/evolve"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// BenchmarkEpochs measures the way of an island's epoch without its work: offered, taken with its
// lease, fetched, handed back, written to the disk, confirmed. The two islands of the run have two
// individuals each, and an epoch is one generation.
func BenchmarkEpochs(b *testing.B) {
	dir := b.TempDir()
	server := serve(b, dir, "127.0.0.1:0")
	generations := max(2, b.N/2)
	s := runnertest.Parse(b, runnertest.Study(generations, ""), "evolve.islands=2",
		"evolve.population=2", "evolve.migration.every=1", "evolve.migration.migrants=1",
		"evolve.checkpoint=1000", "evolve.champion.against=none", "evolve.lineage=none")
	home := workAt(b, server.Access, 2, &clustertest.Log{})
	defer home()
	o := runner.Options{}
	Spread{Broker: openAt(b, server.Inside), Dir: dir, Study: s,
		Log: slog.New(slog.DiscardHandler)}.Into(&o)
	setup := proof.Must(runner.Setup(s))(b)
	setup.RemoteIslands = o.RemoteIslands
	r := proof.Must(evolve.Create(filepath.Join(dir, "run"), setup))(b)
	defer r.Close()
	b.ResetTimer()
	proof.Must(r.Evolve(context.Background()))(b)
	b.ReportMetric(float64(2*generations)/b.Elapsed().Seconds(), "epochs/s")
}
