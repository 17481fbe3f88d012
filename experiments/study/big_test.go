package study_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clade/experiments/study"
	"clade/gp/proof"
)

// big is a sweep of so many cells whose champions are measured, as a person would write it.
func big(cells string) []byte {
	return []byte(`game = "antwars"
[measure]
against = ["brilliant", "hyper"]
final = 0
[evolve]
population = 4
tournament = 2
generations = 2
boards = 1
[evolve.champion]
against = "none"
[sweep]
` + cells)
}

// BenchmarkGrid lays a sweep of 10,000 cells out: replicates, and combinations of settings.
func BenchmarkGrid(b *testing.B) {
	for name, cells := range map[string]string{"replicates": "replicates = 10000\n",
		"settings": "replicates = 100\n[sweep.settings]\nevolve.population = " +
			"[10, 11, 12, 13, 14, 15, 16, 17, 18, 19]\nevolve.generations = " +
			"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := proof.Must(study.Parse(scope, "big.toml", big(cells)))(b)
				if g, err := s.Grid(); err != nil || len(g.Cells) != 10_000 {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestShare holds what a task lays out to its share of the whole sweep, for sweeps that this table
// makes up: replicates, combinations, named cells, exclusions, values that are one setting.
func TestShare(t *testing.T) {
	proof.Slow(t)
	for _, cells := range []string{"replicates = 7\n", "seeds = [3, 1, 9]\n",
		"replicates = 2\n[sweep.settings]\nevolve.population = [10, 11, 12]\nevolve.parsimony = " +
			"[true, false]\n",
		"[sweep.settings]\nevolve.variation.crossover = [0.5, 0.25]\nevolve.lineage = [\"first\", " +
			"\"none\"]\n",
		"[sweep.settings]\nevolve.variation.mutation = [0, 0.0, 0.1]\n",
		"[sweep.settings]\nevolve.population = [10, 11, 12]\n[[sweep.exclude]]\nevolve.population = " +
			"11\n",
		"[[sweep.cells]]\nevolve.population = 10\nseed = 4\n[[sweep.cells]]\nname = \"x\"\n",
		"[sweep.settings]\nsettings.keen-senses = [true, false]\n",
	} {
		path := filepath.Join(t.TempDir(), "big.toml")
		proof.OK(t, os.WriteFile(path, big(cells), 0o666))
		s, err := study.Read(scope, path)
		if err != nil {
			t.Fatalf("%s: %v", cells, err)
		}
		whole := proof.Must(s.Grid())(t)
		for _, tasks := range []int{1, 2, 3, 7} { // more than most have cells
			for task := range tasks {
				part, g, err := study.ReadShare(scope, path, task, tasks)
				if err != nil {
					t.Fatalf("%s: %v", cells, err)
				}
				text, _ := s.Text()
				if same, _ := part.Text(); !bytes.Equal(text, same) || !slices.Equal(g.Keys, whole.Keys) {
					t.Errorf("%s: the study is another", cells)
				}
				var want, have []string
				for i := task; i < len(whole.Cells); i += tasks {
					want = append(want, whole.Cells[i].Key+whole.Cells[i].Group)
				}
				for i := range g.Cells {
					have = append(have, g.Cells[i].Key+g.Cells[i].Group)
				}
				proof.Are(t, have, want, "%s: task %d of %d", cells, task, tasks)
			}
		}
	}
}
