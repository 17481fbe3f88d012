package sweep

import (
	"context"
	"os"
	"testing"

	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// The folder of a cell that holds the run of another seed is refused by all that read the sweep,
// with both named; one that differs in its question only is the cell's.
func TestForeignRun(t *testing.T) {
	g := proof.Must(runnertest.Parse(t, runnertest.Study(2, "[sweep]\nseeds = [1, 2]\n")).Grid())(t)
	dir, ctx := t.TempDir(), context.Background()
	proof.Must(Carry(ctx, &g.Cells[0], dir, runner.Options{}))(t)
	asked := g.Cells[0]
	other := *asked.Study
	other.Question, asked.Study = "why?", &other
	proof.OK(t, Belongs(&asked, asked.Directory(dir), player.Files))
	proof.OK(t, Check(g, dir))
	proof.OK(t, os.Rename(g.Cells[0].Directory(dir), g.Cells[1].Directory(dir)))
	names := func(what string, err error) {
		t.Helper()
		for _, part := range []string{"seed 1", "seed 2", g.Cells[0].Key, g.Cells[1].Key} {
			proof.Says(t, err, part)
		}
	}
	names("Check", Check(g, dir))
	_, err := Missing(g, dir)
	names("Missing", err)
	_, err = Carry(ctx, &g.Cells[1], dir, runner.Options{})
	names("Carry", err)
	names("Run", Run(ctx, g, dir, Options{Workers: 1}))
}
