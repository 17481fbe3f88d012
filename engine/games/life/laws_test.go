package life

import (
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// soup returns a pattern with random cells of one or two colours.
func soup(height, width, percent, colours int, seed uint64) *pattern {
	r := engine.NewRandom(seed)
	p := &pattern{height: height, width: width}
	for y := range height {
		for x := range width {
			if r.Below(100) < percent {
				p.live = append(p.live, liveCell{int32(y), int32(x), colour(r.Below(colours))})
			}
		}
	}
	return p
}

func TestGliderMovesOneCellInFourGenerations(t *testing.T) {
	for o := range orientations {
		b, want := newBoard(80, 150, best()), newBoard(80, 150, best())
		dy, dx := turned(cell{1, 1}, o)
		const flights = 30 // across the edges of tiles
		for _, c := range glider.cells {
			y, x := turned(c, o)
			b.place(40+y, 70+x, colourB)
			want.place(40+y+flights*dy, 70+x+flights*dx, colourB)
		}
		for range 4 * flights {
			b.step(1)
		}
		proof.Is(t, string(b.pattern().rle()), string(want.pattern().rle()), "orientation %d", o)
	}
}

func TestPentominoHas116CellsAtGeneration1103(t *testing.T) {
	for _, k := range kernels.Available() {
		b := newBoard(1300, 1300, k) // its gliders do not reach the edges
		for _, c := range pentomino.cells {
			b.place(650+int(c.y), 650+int(c.x), colourA)
		}
		for range 1103 {
			b.step(1)
		}
		proof.Is(t, b.population(), [2]int{116, 0}, "%s: cells that live", k)
	}
}

// TestLoneColourFollowsB3S23 compares with plain Life, written with nothing of this package.
func TestLoneColourFollowsB3S23(t *testing.T) {
	const height, width = 50, 140
	for c := range colour(2) {
		b := newBoard(height, width, best())
		var plain [height + 2][width + 2]int
		for _, l := range soup(height, width, 35, 1, 7).live {
			b.place(int(l.y), int(l.x), c)
			plain[l.y+1][l.x+1] = 1
		}
		for range 100 {
			var next [height + 2][width + 2]int
			for y := 1; y <= height; y++ {
				for x := 1; x <= width; x++ {
					n := -plain[y][x]
					for dy := -1; dy <= 1; dy++ {
						for dx := -1; dx <= 1; dx++ {
							n += plain[y+dy][x+dx]
						}
					}
					if n == 3 || n == 2 && plain[y][x] == 1 {
						next[y][x] = 1
					}
				}
			}
			plain = next
			b.step(1)
		}
		for y := range height {
			for x := range width {
				if (b.at(y, x) == c) != (plain[y+1][x+1] == 1) || b.at(y, x) == c.enemy() {
					t.Fatalf("colour %d: cell (%d, %d) is %d", c, y, x, b.at(y, x))
				}
			}
		}
	}
}

func TestSwappedColoursSwapResults(t *testing.T) {
	p := soup(70, 150, 30, 2, 5)
	b, swapped := newBoard(70, 150, best()), newBoard(70, 150, best())
	for _, l := range p.live {
		b.place(int(l.y), int(l.x), l.own)
		swapped.place(int(l.y), int(l.x), l.own.enemy())
	}
	for generation := range 200 {
		b.step(1)
		swapped.step(1)
		if n, m := b.population(), swapped.population(); n[0] != m[1] || n[1] != m[0] {
			t.Fatalf("generation %d: %v and %v cells", generation, n, m)
		}
	}
	b.each(func(y, x int, c colour) {
		if swapped.at(y, x) != c.enemy() {
			t.Fatalf("cell (%d, %d) differs", y, x)
		}
	})
}

// TestTurnedBoardsGiveTurnedBoards tries the four turns, plain and mirrored.
func TestTurnedBoardsGiveTurnedBoards(t *testing.T) {
	const size = 130
	p := soup(size, size, 30, 2, 6)
	want := newBoard(size, size, best())
	want.put(p, 0, 0)
	for range 150 {
		want.step(1)
	}
	for o := range orientations {
		move := func(y, x int) (int, int) {
			if o&4 != 0 {
				x = size - 1 - x
			}
			x, y = gp.Turn(2*x-size+1, 2*y-size+1, o)
			return (y + size - 1) / 2, (x + size - 1) / 2
		}
		b := newBoard(size, size, best())
		for _, l := range p.live {
			y, x := move(int(l.y), int(l.x))
			b.place(y, x, l.own)
		}
		for range 150 {
			b.step(2)
		}
		if b.population() != want.population() {
			t.Fatalf("orientation %d: %v cells, want %v", o, b.population(), want.population())
		}
		want.each(func(y, x int, c colour) {
			if ty, tx := move(y, x); b.at(ty, tx) != c {
				t.Fatalf("orientation %d: cell (%d, %d) differs", o, ty, tx)
			}
		})
	}
}

// TestSwappedSeatsSwapTheGame holds that a player that is the first side from either seat has the
// same game.
func TestSwappedSeatsSwapTheGame(t *testing.T) {
	g := small(t)
	b := newBoard(120, 130, best())
	fill(b, 5)
	var scripts [2]script
	r := engine.NewRandom(4)
	for i := range scripts {
		for range g.settings.Generations {
			scripts[i] = append(scripts[i],
				[][2]int{{r.Below(120), r.Below(130)}, {r.Below(120), r.Below(130)}, {60, 60},
					{60, 61}, {60, 62}})
		}
	}
	one := g.play([]engine.Player{scripts[0], scripts[1]}, 1, 0, nil)
	two := g.play([]engine.Player{scripts[1], scripts[0]}, 1, 1, nil)
	if one.Scores[0] != two.Scores[1] || one.Scores[1] != two.Scores[0] || one.Scores == two.Scores {
		t.Errorf("scores %v and %v", one.Scores[:2], two.Scores[:2])
	}
}

// naive is the board straight from the rules, one byte a cell: the oracle of board.
type naive struct {
	height, width int
	cells         []colour
}

func newNaive(height, width int) *naive {
	n := &naive{height, width, make([]colour, height*width)}
	for i := range n.cells {
		n.cells[i] = dead
	}
	return n
}

func (n *naive) at(y, x int) colour {
	if y < 0 || x < 0 || y >= n.height || x >= n.width {
		return dead
	}
	return n.cells[y*n.width+x]
}

func (n *naive) place(y, x int, c colour) bool {
	if y < 0 || x < 0 || y >= n.height || x >= n.width || n.at(y, x) != dead {
		return false
	}
	n.cells[y*n.width+x] = c
	return true
}

func (n *naive) step(int) {
	near := make([][2]int, len(n.cells)) // neighbours by colour
	for i, c := range n.cells {
		if c == dead {
			continue
		}
		y, x := i/n.width, i%n.width
		for ny := max(y-1, 0); ny <= min(y+1, n.height-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, n.width-1); nx++ {
				if ny != y || nx != x {
					near[ny*n.width+nx][c]++
				}
			}
		}
	}
	for i, own := range n.cells {
		c := dead
		switch {
		case own != dead && (near[i][own] == 2 || near[i][own] == 3):
			c = own
		case own == dead && near[i] == [2]int{3, 0}:
			c = colourA
		case own == dead && near[i] == [2]int{0, 3}:
			c = colourB
		}
		n.cells[i] = c
	}
}

func (n *naive) population() (live [2]int) {
	for _, c := range n.cells {
		if c != dead {
			live[c]++
		}
	}
	return live
}
