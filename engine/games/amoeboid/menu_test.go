package amoeboid

import (
	"slices"
	"testing"
)

// TestSplits writes out the parts of the menu for pieces of A: as many as differ and are large
// enough, in the order of the text of splits.
func TestSplits(t *testing.T) {
	for _, c := range []struct {
		name          string
		piece, target Piece
		want          []Piece
	}{
		{"to an empty cell", Piece{9, 2}, Piece{}, []Piece{{9, 2}, {4, 0}, {1, 0}, {6, 0}, {9, 0},
			{3, 2}}},
		{"own units alone", Piece{8, 0}, Piece{}, []Piece{{8, 0}, {4, 0}, {1, 0}, {7, 0}}},
		{"onto an enemy of 3", Piece{9, 2}, Piece{0, 3},
			[]Piece{{9, 2}, {4, 0}, {6, 0}, {9, 0}, {3, 2}, {3, 0}}},
		{"onto an enemy of 5, 2 of them own", Piece{20, 0}, Piece{2, 3},
			[]Piece{{20, 0}, {10, 0}, {19, 0}, {5, 0}}},
		{"onto an enemy of 6", Piece{20, 1}, Piece{0, 6},
			[]Piece{{20, 1}, {10, 0}, {18, 0}, {20, 0}, {6, 0}, {7, 0}}},
		{"onto an own piece of 4", Piece{9, 0}, Piece{4, 0}, []Piece{{9, 0}, {4, 0}, {8, 0}}},
		{"too small", Piece{4, 1}, Piece{0, 6}, nil},
	} {
		var parts [maxSplits]Piece
		if got := parts[:splits(&parts, c.piece, c.target, A)]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestMenuGrows lists what the menu grows while one piece moves: that piece, the largest, and the
// one next to the largest enemy.
func TestMenuGrows(t *testing.T) {
	g := New().Graph()
	// b3 is next to a3 and c3; the first of them counts as threatened
	p, roll := position(t, g, "A2 3,0 . 9,0 / . . . / 4,0 0,7 1,0")
	var grows []string
	for _, m := range p.Menu(nil, g, roll) {
		if m.From == 0 && m.To == 1 && m.Take == (Piece{1, 0}) {
			grows = append(grows, g.labels[int(m.Grow)])
		}
	}
	if want := []string{"a1", "c1", "a3"}; !slices.Equal(grows, want) {
		t.Errorf("%v grow, want %v", grows, want)
	}
}
