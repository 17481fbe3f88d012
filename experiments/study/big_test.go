package study_test

import (
	"testing"

	"clade/experiments/study"
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
				s, err := study.Parse(scope, "big.toml", big(cells))
				if err != nil {
					b.Fatal(err)
				}
				if g, err := s.Grid(); err != nil || len(g.Cells) != 10_000 {
					b.Fatal(err)
				}
			}
		})
	}
}
