package study_test

import (
	"testing"

	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// FuzzGrid lays out tables [sweep] of all kinds. What is accepted has runs that all differ, and
// each of them, written out as a study and read again as a worker does, is the same run.
func FuzzGrid(f *testing.F) {
	for _, s := range []string{
		"", "[sweep]\nseeds = [4, 2]", "[sweep]\nreplicates = 2", "[sweep]\nseeds = [1, 1]",
		"[sweep]\nreplicates = -1", "[sweep]\nreplicates = 100001",
		"[sweep.settings]\nevolve.tournament = [2, 3]\n\"evolve.boards\" = [1, 2]",
		"[[sweep.cells]]\nevolve.boards = 3\n[[sweep.cells]]\nevolve.boards = 4\nseed = 9",
		"[sweep.settings]\nevolve.boards = [1, 2]\n[[sweep.exclude]]\nevolve.boards = " +
			"1.0\nevolve.tournament = 2", "[sweep.settings]\nplayers.panel = [[\"greedy\"], []]",
		"[sweep.settings]\nevolve = [1]", "[sweep.settings]\nevolve.boards = 3",
		"[sweep.settings]\nevolve.boards = []", "[sweep.settings]\nname = [\"x\"]",
		"[sweep.settings]\nevolve.boards = [\"1\"]",
		"[sweep.settings]\nevolve.variation.inner = [0.5, 1, nan]",
		"[sweep.settings]\nevolve.parsimony = [true, false]", "[[sweep.exclude]]",
		"[sweep]\nsettings = 3", "[[sweep.cells]]\nseed = -1",
		"[sweep.settings]\nmeasure.games = [4]\n[sweep.settings.evolve]\nboards = [2]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sweep string) {
		s, err := study.Parse(scope, "tiny.toml", []byte(runnertest.Tiny+sweep))
		if err != nil {
			return
		}
		if s.Sweep != nil && s.Sweep.Replicates > 100 {
			s.Sweep.Replicates = 100 // for the sake of time
		}
		g, err := s.Grid()
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for i := range g.Cells {
			c := &g.Cells[i]
			if seen[c.Key] {
				t.Fatalf("run %s stands twice", c.Key)
			}
			seen[c.Key] = true
			if len(c.Values) != len(g.Keys) {
				t.Fatalf("run %s has %d values of %d keys", c.Key, len(c.Values), len(g.Keys))
			}
			if i >= 3 {
				continue // for the sake of time
			}
			text := proof.Must(c.Study.Text())(t)
			again, err := study.Parse(scope, c.Study.Name+".toml", text)
			if err != nil {
				t.Fatalf("run %s cannot be read again: %v\n%s", c.Key, err, text)
			}
			if one, err := again.Grid(); err != nil || len(one.Cells) != 1 || one.Cells[0].Key != c.Key {
				t.Fatalf("run %s is another one when it is read again: %v", c.Key, err)
			}
		}
	})
}
