package antwars

import (
	"strings"
	"testing"

	"clade/gp/proof"
)

// TestPictureShowsNoMore draws the same memory over two boards that differ only outside what the
// ant has seen.
func TestPictureShowsNoMore(t *testing.T) {
	b := deal(7)
	var m memory
	m.begin(1)
	m.update(&b, 0, 0)
	before := m.picture()
	for i := range cells {
		if !m.view.Has(i) {
			b.food.Clear(i)
		}
	}
	b.at[1] = places[b.at[1]].next[0]
	m.update(&b, 0, 0)
	proof.Is(t, m.picture(), before, "the picture, where only what the ant cannot see differs")
}

func TestPicture(t *testing.T) {
	var m memory
	m.begin(1)
	b := board{at: [2]uint8{5*width + 5, 4*width + 4}}
	b.food.Set(5*width + 6)
	b.food.Set(8 * width)
	m.update(&b, 0, 0)
	b.at[0] = 5*width + 2
	m.update(&b, 0, 1)
	rows := strings.Split(m.picture(), "\n")
	want := []string{
		"+-----------------------+",
		"|                       |",
		"|                       |",
		"|                       |",
		"|       . . . . .       |",
		"|       . . . . X       |",
		"|       . . @ . . : o   |",
		"|       . . . . .       |",
		"|       . . . . .       |",
		"|                       |",
		"|                       |",
		"|                       |",
		"+-----------------------+",
	}
	for i, w := range want {
		proof.Is(t, rows[i], w, "row %d", i)
	}
}
