package engine

import (
	"reflect"
	"testing"

	"clade/gp/proof"
)

// What letters are is said by hand: a board of 3 x 2 with two creatures, a trail, food and fog.
func TestBoardIsPlanned(t *testing.T) {
	b := &Board{Columns: 3, Letters: []byte("a-o.'B"), Names: map[byte]string{'o': "food"},
		Forms: map[byte]Form{'B': Hen}, Colours: map[byte]uint8{'a': Seats, 'B': Seats + 1,
			'-': Veil, 'o': Goods, '.': Paper, '\'': Tints + 1}}
	want := &Plan{Columns: 3, Rows: 2, Kinds: []Kind{
		{Name: "-", Form: Filled, Colour: Veil},
		{Name: "'", Form: Dot, Colour: Tints + 1},
		{Name: "food", Form: Grain, Colour: Goods},
		{Name: "a", Form: Disc, Colour: Seats, Letter: "a", Turns: true},
		{Name: "B", Form: Hen, Colour: Seats + 1, Turns: true}}}
	if is := b.Plan(); !reflect.DeepEqual(is, want) {
		t.Errorf("the plan is %+v, want %+v", is, want)
	}
	pieces := []Piece{Owned(3, 0, 0, 0), Nobodys(0, 1, 0), Nobodys(2, 2, 0), Owned(1, 1, 1, 1),
		Owned(4, 1, 2, 1)}
	if is := b.Pieces(nil); !reflect.DeepEqual(is, pieces) {
		t.Errorf("the pieces are %+v, want %+v", is, pieces)
	}
}

// An ant goes over the edge of a torus of 5 x 4, rests, jumps, and goes on; where it faces is
// counted by hand, in eighths clockwise from north.
func TestHeadings(t *testing.T) {
	plan := &Plan{Columns: 5, Rows: 4, Torus: true, Kinds: []Kind{{Form: Ant, Turns: true}}}
	var h Headings
	for i, step := range []struct {
		x, y int
		want int8
	}{{4, 0, 4}, {0, 3, 1}, {0, 3, 1}, {1, 3, 2}, {1, 0, 4}, {3, 2, 4}, {2, 1, 7}} {
		pieces := []Piece{Owned(0, 0, step.x, step.y)}
		h.Turn(plan, pieces)
		proof.Is(t, pieces[0].Facing, step.want, "step %d: where it faces", i)
	}
}
