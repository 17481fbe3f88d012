package life

import (
	"fmt"
	"math/bits"

	"clade/engine"
)

// Players lists the sides that come with the game by increasing strength, which is the same on
// boards of 128 x 128 and of 1000 x 1000 cells; guard and grower are equals. training, patterns and
// interrupting do in their own way what the three bots of the original contest do, there called
// Training, Random and Interrupting.
func (g *Game) Players() []engine.Entry {
	entry := func(name, about string, play func(*turn)) engine.Entry {
		return engine.Entry{Name: name, About: about,
			New: func(args string) (engine.Player, error) {
				if args != "" {
					return nil, fmt.Errorf("life: %s takes no arguments: write %s, not %s(%s)",
						name,
						name, name, args)
				}
				if g.fault != nil {
					return nil, g.fault
				}
				return handmade(play), nil
			}}
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
			playGrower),
	}
}

// handmade is a side that is a function of the position and of random numbers.
type handmade func(*turn)

// Sit starts the side's random numbers.
func (h handmade) Sit(_ *Options, seed engine.Seed) Seat {
	return &handSeat{play: h, turn: turn{random: engine.NewRandom(uint64(seed))}}
}

type handSeat struct {
	play handmade
	turn turn
}

// Turn lets the side choose.
func (s *handSeat) Turn(v *View, dst []Cell) ([]Cell, bool) {
	s.turn.View, s.turn.chosen = v, dst
	s.play(&s.turn)
	return s.turn.chosen, true
}

// turn is a turn under way.
type turn struct {
	*View
	random engine.Random
	chosen []Cell
}

// left returns how many cells can still be chosen.
func (t *turn) left() int { return t.Options.Cells - len(t.chosen) }

// taken tells whether a cell at most reach away from (y, x) was chosen in this turn.
func (t *turn) taken(y, x, reach int) bool {
	for _, c := range t.chosen {
		if dy, dx := int(c.Y)-y, int(c.X)-x; max(dy, -dy) <= reach && max(dx, -dx) <= reach {
			return true
		}
	}
	return false
}

// add chooses a cell if it is free.
func (t *turn) add(y, x int) bool {
	if t.left() < 1 || !t.Free(y, x) || t.taken(y, x, 0) {
		return false
	}
	t.chosen = append(t.chosen, Cell{int32(y), int32(x)})
	return true
}

// stamp chooses the cells of a stamp around (y, x), shifted so that it lies on the board. It
// chooses none if too few cells are left.
func (t *turn) stamp(s Stamp, y, x, o int) {
	if t.left() < len(s.Cells) {
		return
	}
	reach := 0
	for _, c := range s.Cells {
		reach = max(reach, int(c.Y), int(-c.Y), int(c.X), int(-c.X))
	}
	y, x = max(reach, min(y, t.Board.Height()-1-reach)), max(reach, min(x, t.Board.Width()-1-reach))
	for _, c := range s.Cells {
		dy, dx := turned(c, o)
		t.add(y+dy, x+dx)
	}
}

// anywhere returns a random cell.
func (t *turn) anywhere() (y, x int) {
	return t.random.Below(t.Board.Height()), t.random.Below(t.Board.Width())
}

// empty tells whether the square of cells at most reach away, up to 31, is on the board and free of
// live and of chosen cells.
func (t *turn) empty(y, x, reach int) bool {
	if !t.Board.Holds(y-reach, x-reach) || !t.Board.Holds(y+reach, x+reach) ||
		t.taken(y, x, reach) {
		return false
	}
	return !t.Board.anyLive(y-reach, x-reach, 2*reach+1)
}

// anyLive tells whether a square with its upper left corner at (y, x) and sides of up to 64 cells,
// which must be on the board, holds a live cell.
func (b *Board) anyLive(y, x, side int) bool {
	var live uint64
	for i := range side {
		live |= b.Row(First, y+i, x) | b.Row(Second, y+i, x)
	}
	return live<<(64-side) != 0
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

// enemyCell returns a random live cell of the enemy.
func (t *turn) enemyCell() (y, x int, ok bool) {
	n := t.Board.Population()[t.Own.Enemy()]
	if n == 0 {
		return 0, 0, false
	}
	c := t.Board.Nth(t.Own.Enemy(), t.random.Below(n))
	return int(c.Y), int(c.X), true
}

func playRandom(t *turn) {
	for range t.Options.Cells {
		y, x := t.anywhere()
		t.add(y, x)
	}
}

func playTraining(t *turn) {
	y, x := t.anywhere()
	t.stamp(glider, y, x, t.random.Below(orientations))
}

func playPatterns(t *turn) {
	all := [...]*Stamp{&glider, &block, &spaceship, &five}
	for range t.Options.Cells {
		y, x := t.anywhere()
		t.stamp(*all[t.random.Below(len(all))], y, x, t.random.Below(orientations))
	}
}

// seedReach makes the square of 9 x 9 cells in which the original's Interrupting bot plants.
const seedReach = 4

// tries is how often a side looks for a place at random before it gives up for the turn.
const tries = 40

func playInterrupting(t *turn) {
	if y, x, ok := t.space(seedReach, tries); ok {
		t.stamp(growth, y, x, t.random.Below(orientations))
	}
	for range 4 * t.Options.Cells {
		y, x, ok := t.enemyCell()
		if !ok || t.left() == 0 {
			return
		}
		t.add(y+t.random.Below(3)-1, x+t.random.Below(3)-1)
	}
}

// births returns the dead cells of row y, from column x to the right, that are born for a colour in
// the next generation. The outermost two bits say nothing, nor do those of cells beyond the edges
// of the board, where nothing is born.
func (b *Board) births(c Colour, y, x int) uint64 {
	e := c.Enemy()
	return born(b.Row(c, y-1, x), b.Row(c, y, x), b.Row(c, y+1, x),
		b.Row(e, y-1, x)|b.Row(e, y, x)|b.Row(e, y+1, x))
}

// born returns the dead cells of the middle one of three rows that have exactly three neighbours,
// and no enemy beside or on them; enemies are those of any of the three rows. The outermost two
// bits say nothing.
func born(up, mid, low, enemies uint64) uint64 {
	var n0, n1, n2 uint64 // neighbours: one, two, and whether they were ever four
	for _, add := range [8]uint64{up << 1, up, up >> 1, mid << 1, mid >> 1, low << 1, low,
		low >> 1} {
		carry := n0 & add
		n0 ^= add
		n2 |= n1 & carry
		n1 ^= carry
	}
	return n0 & n1 &^ n2 &^ mid &^ (enemies | enemies<<1 | enemies>>1)
}

// stop chooses up to n cells, each where it stops as many births as it can beside a random enemy.
func (t *turn) stop(n int) {
	for range 3 * n {
		y, x, ok := t.enemyCell()
		if !ok || n == 0 {
			return
		}
		if by, bx, stopped := t.bestStop(y, x); stopped > 0 && t.add(by, bx) {
			n--
		}
	}
}

// bestStop returns the free cell within one of (y, x) that touches the most enemy births, of those
// the first in reading order.
func (t *turn) bestStop(y, x int) (by, bx, most int) {
	var born [5]uint64
	for i := range born {
		born[i] = t.Board.births(t.Own.Enemy(), y+i-2, x-4) // bit 4 is column x
	}
	for dy := range 3 {
		for dx := range 3 {
			n := 0
			for _, row := range born[dy : dy+3] {
				n += bits.OnesCount64(row >> (dx + 2) & 7)
			}
			if n > most && t.Free(y+dy-1, x+dx-1) && !t.taken(y+dy-1, x+dx-1, 1) {
				by, bx, most = y+dy-1, x+dx-1, n
			}
		}
	}
	return by, bx, most
}

func playSaboteur(t *turn) {
	if y, x, ok := t.space(seedReach, tries); ok {
		t.stamp(growth, y, x, t.random.Below(orientations))
	}
	t.stop(t.left())
}
