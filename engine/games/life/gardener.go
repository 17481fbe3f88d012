package life

import (
	"math/bits"

	"clade/engine/games/life/internal/kernel"
)

// This file holds the players that place still lifes. On a board in motion some 8 cells of 100 live
// whatever is placed. Blocks on a lattice live for ever, 25 to 38 cells of 100, and need no births,
// which enemies could stop.

// plot is a stamp and the size of the rectangles of a lattice that have room for it. The stamp's
// upper left cell is the rectangle's.
type plot struct {
	stamp         stamp
	height, width int
}

// What gardeners plant.
var (
	// tile is three cells of a block, whose fourth is born: on a lattice of 4 x 4, 25 cells of 100.
	tile = plot{corner("tile", &tromino), 4, 4}
	// brick is a tile on a denser lattice: 33 of 100.
	brick = plot{tile.stamp, 3, 4}
	// pair is twins: 38 of 100.
	pair  = plot{corner("pair", &twins), 3, 7}
	bloom = plot{seedbed, 12, 12}
)

// corner returns a stamp with its upper left cell, which is alive, at the origin.
func corner(name string, of *stamp) stamp {
	s := stamp{name: name}
	for _, c := range of.cells {
		s.add(cell{c.y - of.cells[0].y, c.x - of.cells[0].x})
	}
	return s
}

const (
	plots = 400 // of each kind that a gardener tries in a turn
	// sowing is how many cells of blooms are sown for 1,000 cells of the board, as many as in 400
	// generations of the original's game. Later the room is worth more than what grows in it.
	sowing = 12
	// opening is up to how many cells for 1,000 of the board can be placed in games that are too
	// short for anything but blooms.
	opening = 60
	// settling is how long blooms take to become still.
	settling = 12
)

// playTiles builds and keeps up blocks on a lattice.
func playTiles(t *turn) {
	t.because("blocks on a lattice stay for ever")
	t.tend(&tile)
}

// playBricks builds and keeps up blocks on a denser lattice, then wherever one is stable.
func playBricks(t *turn) {
	t.because("blocks on a dense lattice stay for ever")
	t.tend(&brick)
	t.fill()
}

// playGarden sows patterns that grow into many still lifes, waits until they are still, and goes on
// with a dense lattice and blocks wherever one is stable.
func playGarden(t *turn) {
	thousands := float64(t.board.height*t.board.width) / 1000
	sown := t.settings.Generations
	if float64(t.settings.Cells*sown) > opening*thousands {
		sown = int(sowing * thousands / float64(t.settings.Cells))
	}
	switch {
	case t.generation < sown:
		t.because("a pattern that grows into many still lifes")
		t.sow(&bloom, plots)
	case t.generation < sown+settling:
		return
	}
	t.because("pairs of blocks on a lattice stay for ever")
	if t.generation >= sown {
		t.tend(&pair)
		t.fill()
	}
}

// fill chooses blocks anywhere: first of three cells, whose fourth is born, then of four.
func (t *turn) fill() {
	t.because("a block wherever one stands")
	for _, s := range [...]*stamp{&tile.stamp, &square} {
		t.tend(&plot{*s, 1, 1})
	}
}

// square is a block with its upper left cell at the origin.
var square = corner("block", &block)

// sow chooses the cells of a stamp in plots without a live cell. All are turned alike, so that they
// do not grow into each other.
func (t *turn) sow(p *plot, tries int) {
	for range tries {
		if t.left() < len(p.stamp.cells) {
			return
		}
		y, x := t.plot(p)
		if reach := p.height/2 - 1; t.empty(y+p.height/2, x+p.width/2, reach) {
			t.stamp(p.stamp, y+p.height/2, x+p.width/2, 0)
		}
	}
}

// plot returns the upper left cell of a random plot.
func (t *turn) plot(p *plot) (y, x int) {
	return t.random.Below(max(t.board.height/p.height, 1)) * p.height,
		t.random.Below(max(t.board.width/p.width, 1)) * p.width
}

// tend chooses the cells of a stamp in random plots where it is stable.
func (t *turn) tend(p *plot) {
	for range plots {
		if t.left() < len(p.stamp.cells) {
			return
		}
		y, x := t.plot(p)
		if !t.stands(p.stamp.cells, y, x) {
			continue
		}
		t.place(p.stamp.name, y, x)
		for _, c := range p.stamp.cells {
			t.add(y+int(c.y), x+int(c.x))
		}
	}
}

// clear tells whether the cells of a plot are on the board, and none is live or chosen.
func (t *turn) clear(p *plot, y, x int) bool {
	if !t.board.contains(y, x) || !t.board.contains(y+p.height-1, x+p.width-1) ||
		t.board.anyLive(y, x, p.height, p.width) {
		return false
	}
	for _, c := range t.chosen {
		if uint(int(c.y)-y) < uint(p.height) && uint(int(c.x)-x) < uint(p.width) {
			return false
		}
	}
	return true
}

// plotTries is how many plots are drawn for a site; the first that is clear is taken at once.
const plotTries = 8

// clearPlot draws some plots and returns the place for a stamp's middle in the first clear one.
func (t *turn) clearPlot(p *plot) (y, x int, ok bool) {
	for range plotTries {
		if y, x = t.plot(p); t.clear(p, y, x) {
			return y + p.height/2, x + p.width/2, true
		}
	}
	return 0, 0, false
}

// blockPlace draws some places and returns the first where a pre-block or a block is stable, and
// which of them is; it is nil without.
func (t *turn) blockPlace() (y, x int, stands *stamp) {
	for range plotTries {
		y, x = t.anywhere()
		for _, s := range [...]*stamp{&tromino, &square} {
			if t.stands(s.cells, y, x) {
				return y, x, s
			}
		}
	}
	return 0, 0, nil
}

// ahead is how many generations a gardener looks ahead.
const ahead = 3

// patch is a part of the board: ten rows of cells, in each of them the columns of one side, those
// of the other and those of the first once more, which has no enemies there. With each generation
// the cells at the edges become wrong, one row and column more.
type patch [2*(ahead+1) + 2]uint64

const (
	patchColumns = 21                      // columns of a patch
	oneSide      = 1<<patchColumns - 1     // a side's cells of a row
	twice        = 1 | 1<<(2*patchColumns) // times cells of the first side gives them to both of its parts
)

// stands tells whether a stamp of at most two rows and five columns, of which the first cell is the
// upper left one, becomes a still life around (y, x) that takes nothing from the own cells beside
// it, both with the enemies that are there in the next generations and without any.
func (t *turn) stands(cells []cell, y, x int) bool {
	for _, c := range cells {
		if !t.free(y+int(c.y), x+int(c.x)) {
			return false
		}
	}
	const margin = ahead + 1
	top, left := y+int(cells[0].y)-margin, x+int(cells[0].x)-margin
	now := t.board.patch(t.own, top, left)
	for _, c := range t.chosen {
		if dy, dx := int(c.y)-top, int(c.x)-left; uint(dy) < uint(len(now)) && uint(dx) < patchColumns {
			now[dy] |= twice << dx
		}
	}
	for _, c := range cells {
		bit := uint64(twice) << (x + int(c.x) - left)
		if row := &now[y+int(c.y)-top]; *row&bit != 0 {
			return false
		} else {
			*row |= bit
		}
	}
	return now.settles()
}

// patch returns cells as a side sees them from an upper left one on, which may be up to 8 cells off
// the board.
func (b *board) patch(own colour, y, x int) (p patch) {
	i, off := b.word(y, x), x&31
	west, east := b.now[i:][:len(p)], b.now[i+b.stride*kernel.Words:][:len(p)]
	inWest := uint64(1<<(kernel.Columns-off)-1) * kernel.Both
	half := kernel.Columns * int(own)
	for n := range p {
		row := west[n]>>off&inWest | east[n]<<(kernel.Columns-off)&^inWest
		row = bits.RotateLeft64(row, half)
		p[n] = row&oneSide*twice | row>>kernel.Columns&oneSide<<patchColumns
	}
	return p
}

// settles tells whether no own cell in the middle of a patch dies in the next generations, and
// nothing is born there in the last.
func (p *patch) settles() bool {
	// columns that count, of a stamp of five and what is beside it
	const inner = (1<<13 - 1) << ahead * twice
	was := *p
	for generation := range ahead {
		before := *p
		p.next()
		for i := ahead; i < len(was)-ahead; i++ {
			if was[i]&^p[i]&inner != 0 || generation == ahead-1 && (before[i]^p[i])&inner != 0 {
				return false
			}
		}
	}
	return true
}

// next moves a patch by a generation. See package kernel for how cells are counted.
func (p *patch) next() {
	var ones, twos patch
	for i, x := range p {
		l, r := x<<1, x>>1 // beyond an edge lies another side's cell: what is there becomes wrong
		h := l ^ r
		ones[i], twos[i] = h^x, l&r|h&x
	}
	for i := 1; i < len(p)-1; i++ {
		a, b, c := ones[i-1], ones[i], ones[i+1]
		g := a ^ b
		n, k := g^c, a&b|g&c
		a, b, c = twos[i-1], twos[i], twos[i+1]
		g = a ^ b
		u, v := g^c, a&b|g&c
		odd, even := k^u, v^k&u
		near := n | odd | even
		near = near>>patchColumns&oneSide | near&oneSide<<patchColumns // of the enemy
		p[i] = (odd ^ even) & (n ^ even) & (p[i] | n&^near)
	}
}
