package life

import (
	"iter"
	"math/bits"

	"clade/engine"
	"clade/engine/games/life/internal/kernel"
)

// Players lists the built-in players by increasing strength in the 10,000 generations of the
// original's rules. Up to grower the order is the same in 500 generations on 128 x 128 cells and in
// 1,000 on 1000 x 1000. There guard and grower are equally strong, and tiles and bricks, which need
// time, weaker than both. training, patterns and interrupting play like the three bots of the
// original contest, there called Training, Random and Interrupting.
func (g *game) Players() []engine.Entry {
	entry := func(name, about string, play builtIn) engine.Entry {
		return engine.PlainEntry("life", name, about,
			func() (engine.Player, error) { return play, g.fault })
	}
	return []engine.Entry{
		entry("random", "single cells anywhere", playRandom),
		entry("training", "one glider a turn, anywhere", playTraining),
		entry("patterns",
			"gliders, blocks, spaceships and five-cell shapes anywhere, as many as the cells allow",
			playPatterns),
		entry("interrupting",
			"a seed that grows for ever in free space, then single cells beside enemies",
			playInterrupting),
		entry("saboteur",
			"a seed that grows for ever in free space, then cells that stop as many enemy births "+
				"as possible", playSaboteur),
		entry("guard", "kills gliders that head for its cells, then grows", playGuard),
		entry("grower", "fills free space with the seeds that have the most cells by the end",
			(*turn).grow),
		entry("tiles", "keeps blocks on a lattice of 4 x 4", playTiles),
		entry("bricks", "keeps blocks on a lattice of 3 x 4, then wherever one stands", playBricks),
		entry("garden", "sows patterns that grow into many still lifes, then keeps blocks on a "+
			"dense lattice", playGarden),
	}
}

// builtIn is a player that is a function of the position and of random numbers.
type builtIn func(*turn)

// sit starts the player's random numbers.
func (b builtIn) sit(_ *settings, seed engine.Seed) seat {
	return &builtInSeat{play: b, turn: turn{random: engine.NewRandom(uint64(seed))}}
}

type builtInSeat struct {
	play builtIn
	turn turn
}

// choose lets the player choose.
func (s *builtInSeat) choose(v *view, dst []cell) ([]cell, bool) {
	s.turn.view, s.turn.chosen = v, dst
	s.play(&s.turn)
	return s.turn.chosen, true
}

// turn is a turn under way.
type turn struct {
	*view
	random engine.Random
	chosen []cell
	trace  *reasons // of the turn, if it is wanted, else nil
}

// left returns how many cells can still be chosen.
func (t *turn) left() int { return t.settings.Cells - len(t.chosen) }

// taken tells whether a cell at most reach away from (y, x) was chosen in this turn.
func (t *turn) taken(y, x, reach int) bool {
	for _, c := range t.chosen {
		if dy, dx := int(c.y)-y, int(c.x)-x; max(dy, -dy) <= reach && max(dx, -dx) <= reach {
			return true
		}
	}
	return false
}

// add chooses a cell if it is free.
func (t *turn) add(y, x int) bool {
	if t.left() < 1 || !t.free(y, x) || t.taken(y, x, 0) {
		return false
	}
	t.chosen = append(t.chosen, cell{int32(y), int32(x)})
	return true
}

// stamp chooses the cells of a stamp around (y, x), shifted so that it lies on the board. It
// chooses none if too few cells are left.
func (t *turn) stamp(s stamp, y, x, o int) {
	if t.left() < len(s.cells) {
		return
	}
	y = max(s.reach, min(y, t.board.height-1-s.reach))
	x = max(s.reach, min(x, t.board.width-1-s.reach))
	t.place(s.name, y, x)
	for _, c := range s.cells {
		dy, dx := turned(c, o)
		t.add(y+dy, x+dx)
	}
}

// anywhere returns a random cell.
func (t *turn) anywhere() (y, x int) {
	return t.random.Below(t.board.height), t.random.Below(t.board.width)
}

// empty tells whether the square of cells at most reach away, up to 15, is on the board and free of
// live and of chosen cells.
func (t *turn) empty(y, x, reach int) bool {
	if !t.board.contains(y-reach, x-reach) || !t.board.contains(y+reach, x+reach) ||
		t.taken(y, x, reach) {
		return false
	}
	return !t.board.anyLive(y-reach, x-reach, 2*reach+1, 2*reach+1)
}

// anyLive tells whether a rectangle with its upper left corner at (y, x) and sides of up to 33
// cells, which must be on the board, holds a live cell.
func (b *board) anyLive(y, x, height, width int) bool {
	i := b.word(y, x)
	west, east := b.now[i:][:height], b.now[i+b.stride*kernel.Words:][:height]
	var w, e uint64
	for row := range west {
		w |= west[row]
		e |= east[row]
	}
	live := (join(w, e, 0) | join(w, e, kernel.Columns)) >> (x & 31)
	return live<<(64-width) != 0
}

// space looks for an empty square in some tries.
func (t *turn) space(reach, tries int) (y, x int, ok bool) {
	for range tries {
		if y, x = t.anywhere(); t.empty(y, x, reach) {
			return y, x, true
		}
	}
	return 0, 0, false
}

// enemyCells yields random live cells of the enemy, up to some; with beside, each time a random one
// of the nine cells around one instead. Where the loop ends, only the enemy cell that it saw last
// has been drawn.
func (t *turn) enemyCells(most int, beside bool) iter.Seq2[int, int] {
	return func(yield func(y, x int) bool) {
		b, foe := t.board, t.own.enemy()
		n := b.population()[foe]
		if n == 0 {
			return
		}
		var drawn [len(b.lots)]engine.Random // the state behind each
		for ; most > 0; most -= len(b.lots) {
			lots := b.lots[:min(most, len(b.lots))]
			var dy, dx [len(b.lots)]int
			for i := range lots { // all before the first is looked at: finding many at once pays
				b.lot(&lots[i], foe, t.random.Below(n))
				if drawn[i] = t.random; beside {
					dy[i], dx[i] = t.random.Below(3)-1, t.random.Below(3)-1
				}
			}
			b.find(lots)
			for i := range lots {
				if !yield(int(lots[i].Row)+dy[i], int(lots[i].Column)+dx[i]) {
					t.random = drawn[i]
					return
				}
			}
		}
	}
}

func playRandom(t *turn) {
	for range t.settings.Cells {
		y, x := t.anywhere()
		if t.add(y, x) {
			t.because("anywhere")
			t.place("cell", y, x)
		}
	}
}

func playTraining(t *turn) {
	y, x := t.anywhere()
	t.because("a glider a turn, anywhere")
	t.stamp(glider, y, x, t.random.Below(orientations))
}

func playPatterns(t *turn) {
	all := [...]*stamp{&glider, &block, &spaceship, &five}
	for range t.settings.Cells {
		y, x := t.anywhere()
		t.because("any shape anywhere")
		t.stamp(*all[t.random.Below(len(all))], y, x, t.random.Below(orientations))
	}
}

const (
	seedReach = 4  // of a square of 9 x 9 cells, in which the original's Interrupting bot plants
	tries     = 40 // random places that a player looks at before it gives up for the turn
)

// plant places a growth in free space, if it finds some.
func (t *turn) plant() {
	if y, x, ok := t.space(seedReach, tries); ok {
		t.because("free space: a seed that grows for ever")
		t.stamp(growth, y, x, t.random.Below(orientations))
	}
}

func playInterrupting(t *turn) {
	t.plant()
	for y, x := range t.enemyCells(4*t.settings.Cells, true) {
		if t.left() == 0 {
			return
		}
		if t.add(y, x) {
			t.because("disturbs a random cell of the enemy")
			t.place("cell", y, x)
		}
	}
}

// births returns the dead cells of row y, from column x to the right, that are born for a colour in
// the next generation. The outermost two bits are undefined, and so are those of cells beyond the
// board's edges, where nothing is born.
func (b *board) births(c colour, y, x int) uint64 {
	e := c.enemy()
	return born(b.row(c, y-1, x), b.row(c, y, x), b.row(c, y+1, x),
		b.row(e, y-1, x)|b.row(e, y, x)|b.row(e, y+1, x))
}

// born returns the dead cells of the middle one of three rows that have exactly three neighbours,
// and no enemy beside or on them; enemies are those of any of the three rows. The outermost two
// bits are undefined.
func born(up, mid, low, enemies uint64) uint64 {
	n0, n1, n2 := neighbours(up, mid, low)
	return n0 & n1 &^ n2 &^ mid &^ (enemies | enemies<<1 | enemies>>1)
}

// neighbours counts the neighbours of the cells of the middle one of three rows: n0 and n1 are the
// bits of the count, and n2 is set if it is four or more.
func neighbours(up, mid, low uint64) (n0, n1, n2 uint64) {
	for _, add := range [8]uint64{up << 1, up, up >> 1, mid << 1, mid >> 1, low << 1, low,
		low >> 1} {
		carry := n0 & add
		n0 ^= add
		n2 |= n1 & carry
		n1 ^= carry
	}
	return n0, n1, n2
}

// stop chooses up to n cells, each where it stops as many births as it can beside a random enemy.
func (t *turn) stop(n int) {
	for y, x := range t.enemyCells(3*n, false) {
		if n == 0 {
			return
		}
		if by, bx, stopped := t.bestStop(y, x); stopped > 0 && t.add(by, bx) {
			n--
			t.because("stops births beside a random cell of the enemy, as many as it can")
			if t.trace != nil {
				t.trace.option("cell", float64(stopped))
			}
			t.place("cell", by, bx)
		}
	}
}

// bestStop returns the free cell within one of (y, x) that touches the most enemy births and no
// cell that was chosen, of those the first in reading order.
func (t *turn) bestStop(y, x int) (by, bx, most int) {
	live := t.board.around(y, x)
	own, foe := live[t.own], live[t.own.enemy()]
	born := born(foe<<8, foe, foe>>8, own<<8|own|own>>8) & 0x3e3e3e3e3e00 // within two
	if born == 0 {
		return 0, 0, 0
	}
	barred := uint64(0) // chosen cells within two, and what they touch
	for _, c := range t.chosen {
		if dy, dx := uint(int(c.y)-y+2), uint(int(c.x)-x+2); dy <= 4 && dx <= 4 {
			barred |= 0x070707 << (8*dy + dx)
		}
	}
	barred |= own | foe
	for dy := range 3 {
		for dx := range 3 {
			n := bits.OnesCount64(born >> (8*dy + dx + 9) & 0x070707)
			if n > most && barred>>(8*dy+dx+18)&1 == 0 && t.board.contains(y+dy-1, x+dx-1) {
				by, bx, most = y+dy-1, x+dx-1, n
			}
		}
	}
	return by, bx, most
}

func playSaboteur(t *turn) {
	t.plant()
	t.stop(t.left())
}
