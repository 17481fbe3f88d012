package engine_test

import (
	"image/color"
	"testing"

	"clade/engine"
)

func TestPaletteColoursDiffer(t *testing.T) {
	p := engine.Palette()
	if len(p) > 256 {
		t.Fatalf("%d colours", len(p))
	}
	seen := map[color.Color]int{}
	for i, c := range p {
		if j, twice := seen[c]; twice {
			t.Errorf("colours %d and %d are both %v", j, i, c)
		}
		seen[c] = i
	}
}
