package life

import (
	"math/bits"

	"clade/engine/games/life/internal/kernel"
	"clade/gp/kernels"
)

// seed is a stamp that grows. curve holds the live cells of one that grows alone, every curveStep
// generations.
type seed struct {
	stamp *stamp
	curve []int
}

// seeds are those that the grower chooses from. A test computes their curves again.
var seeds = []seed{
	{&block, []int{4}},
	{&pentomino, []int{5, 64, 121, 214, 120, 144, 168, 160, 195, 132, 174, 228, 213, 159, 194, 194,
		228, 245, 204, 269, 156, 148, 122, 116}},
	{&acorn, []int{7, 96, 76, 149, 169, 149, 178, 288, 390, 283, 276, 243, 334, 248, 287, 295, 307,
		363, 336, 397, 457, 380, 301, 322, 359, 311, 357, 367, 389}},
	{&growth, []int{13, 55, 72, 95, 94, 118, 82, 204, 121, 143, 142, 154, 154, 203, 185, 206, 206,
		205, 216, 187, 203, 218, 205, 220, 257, 247, 241, 283, 252}},
}

const curveStep = 50

// blockReach is that of a square of 7 x 7 cells, in which a block touches nothing.
const blockReach = 3

// grow plants as long as cells and room last, each time the seed that will have the most live cells
// at the end for each cell that it costs.
func (t *turn) grow() {
	for range t.settings.Cells {
		s := bestSeed(t.generationsLeft(), t.left())
		if s == nil {
			return
		}
		t.because("free space: the seed with most cells by the end for each that it costs")
		t.weighSeeds()
		y, x, ok := t.space(seedReach+2, tries)
		if !ok { // crowded: what stays as it is needs the least room
			s = &block
			t.because("crowded: what stays as it is needs the least room")
			if y, x, ok = t.space(blockReach, tries); !ok {
				return
			}
		}
		t.stamp(*s, y, x, t.random.Below(orientations))
	}
}

// bestSeed returns the affordable seed with the greatest yield for its cost after some generations,
// nil if there is none.
func bestSeed(generations, cells int) *stamp {
	var best *stamp
	most, cost := 0, 1
	for _, s := range seeds {
		n, yield := len(s.stamp.cells), s.yield(generations)
		if n <= cells && yield*cost > most*n {
			best, most, cost = s.stamp, yield, n
		}
	}
	return best
}

// yield returns the live cells of a seed after some generations alone.
func (s *seed) yield(generations int) int {
	return s.curve[min(generations/curveStep, len(s.curve)-1)]
}

// weighSeeds notes the yield of the affordable seeds for each cell that they cost.
func (t *turn) weighSeeds() {
	if t.trace == nil {
		return
	}
	for _, s := range seeds {
		if n := len(s.stamp.cells); n <= t.left() {
			t.trace.option(s.stamp.name, float64(s.yield(t.generationsLeft()))/float64(n))
		}
	}
}

// gliderKeys maps the 7 x 7 cells around each cell of a glider, in every phase and orientation, to
// the glider's direction.
var gliderKeys = makeGliderKeys()

type flight struct{ dy, dx int8 }

func makeGliderKeys() map[uint64]flight {
	keys := map[uint64]flight{}
	for o := range orientations {
		b := newBoard(20, 20, kernels.Scalar)
		for _, c := range glider.cells {
			y, x := turned(c, o)
			b.place(10+y, 10+x, colourA)
		}
		dy, dx := turned(cell{1, 1}, o) // as drawn it flies down and to the right
		for range 4 {
			for n := range b.population()[colourA] {
				c := b.nth(colourA, n)
				keys[b.around(int(c.y), int(c.x))[colourA]] = flight{int8(dy), int8(dx)}
			}
			b.step(1)
		}
	}
	return keys
}

// around returns the 7 x 7 cells of both colours around a cell of the board, a row in each byte
// from the lowest up.
func (b *board) around(y, x int) (of [2]uint64) {
	i, off := b.word(y-3, x-3), (x-3)&31
	west, east := b.now[i:][:7], b.now[i+b.stride*kernel.Words:][:7]
	inWest := uint64(1<<(kernel.Columns-off)-1) & 127 * kernel.Both
	inEast := 127 * kernel.Both &^ inWest
	for n := range 7 {
		row := west[n]>>off&inWest | east[n]<<(kernel.Columns-off)&inEast
		of[0] |= row & 127 << (8 * n)
		of[1] |= row >> 32 << (8 * n)
	}
	return of
}

// Limits of the guard's search for gliders.
const (
	guardLooks = 24 // enemy cells at which it looks in a turn
	guardRange = 64 // cells ahead of a glider in which own cells count as threatened
)

// playGuard looks for gliders at random enemy cells, kills those with own cells ahead, and grows
// with what is left.
func playGuard(t *turn) {
	for y, x := range t.enemyCells(guardLooks, false) {
		live := t.board.around(y, x)
		f, ok := gliderKeys[live[t.own.enemy()]]
		if ok && live[t.own] == 0 && t.threatened(y, x, f) {
			t.kill(y, x)
		}
	}
	t.grow()
}

// threatened tells whether own cells lie in the way of a glider.
func (t *turn) threatened(y, x int, f flight) bool {
	for ahead := 6; ahead <= guardRange; ahead += 6 {
		ay, ax := y+ahead*int(f.dy), x+ahead*int(f.dx)
		if !t.board.contains(ay, ax) {
			return false
		}
		if t.board.around(ay, ax)[t.own] != 0 {
			return true
		}
	}
	return false
}

// kill chooses the cells where a glider would be born next. Without these births it dies or becomes
// a still life; a test tries every phase.
func (t *turn) kill(y, x int) {
	for i := range 7 {
		born := t.board.births(t.own.enemy(), y+i-3, x-4) >> 1 & 127
		for ; born != 0; born &= born - 1 {
			if by, bx := y+i-3, x-3+bits.TrailingZeros64(born); t.add(by, bx) {
				t.because("a glider heads for own cells: fills where it would be born next")
				t.place("cell", by, bx)
			}
		}
	}
}
