package amoeboid

import (
	"os"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// TestKeptSpecies lets every species that is kept play greedy; the one that was bred for this board
// wins more than 80 % of the decided games.
func TestKeptSpecies(t *testing.T) {
	proof.Slow(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "results", "amoeboid", "*.species"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no species are kept (%v)", err)
	}
	g := New()
	for _, file := range files {
		text := proof.Must(os.ReadFile(file))(t)
		s, err := gp.ParseSpecies(string(text),
			func(string, int) (*gp.Grammar, error) { return g.Grammar(), nil })
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		player, err := g.Bind(s.Genome)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		won, lost := 0, 0
		for seed := range uint64(200) {
			seat := int(seed % 2)
			players := []engine.Player{player, Greedy{}}
			if seat == 1 {
				players[0], players[1] = players[1], players[0]
			}
			switch g.Play(players, 1000+seed, nil).Winner() {
			case seat:
				won++
			case 1 - seat:
				lost++
			}
		}
		if filepath.Base(file) == "three.species" && won*10 <= (won+lost)*8 {
			t.Errorf("%s won %d and lost %d of 200 games against greedy", file, won, lost)
		}
	}
}
