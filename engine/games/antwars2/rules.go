package antwars2

import (
	"math/bits"

	"clade/engine"
	"clade/gp"
)

// board is a set of cells, with a word for each row and a margin as wide as a window reaches.
type board [side + 2*half]uint32

func (b *board) has(cell int) bool { return b[cell/side+half]>>(cell%side+half)&1 != 0 }
func (b *board) set(cell int)      { b[cell/side+half] |= 1 << (cell%side + half) }
func (b *board) clear(cell int)    { b[cell/side+half] &^= 1 << (cell%side + half) }

// list returns the cells in rising order.
func (b *board) list() (all []int) {
	for row, line := range b {
		for ; line != 0; line &= line - 1 {
			all = append(all, (row-half)*side+bits.TrailingZeros32(line)-half)
		}
	}
	return all
}

// halve sets a row of a board whose cells are blocks of 2 x 2 cells of another.
func (b *board) halve(of *board, i int) {
	row := (of[2*i+half] | of[2*i+1+half]) >> half
	row = (row | row>>1) & 0x555555
	row = (row | row>>1) & 0x333333
	row = (row | row>>2) & 0x0f0f0f
	row = (row | row>>4) & 0xff00ff
	b[i+half] = (row | row>>8) & 0xffff << half
}

// full returns a board of n x n cells with all of them.
func full(n int) (b board) {
	for row := range n {
		b[row+half] = (1<<n - 1) << half
	}
	return b
}

// ant is one of four.
type ant struct {
	at    int
	dead  bool
	stuck bool // it walked over the edge
	foe   int  // the enemy with which it fights, 1 or 2; 0 in peace
	left  int  // turns of its side in which it can be saved; 0 if it is not attacked
}

func (a *ant) free() bool { return !a.dead && !a.stuck && a.foe == 0 }

// colony is a side: its ants and what it knows.
type colony struct {
	ants    [2]ant
	food    board    // that it sees or remembers
	unseen  board    // cells that it has never seen
	blocks  board    // of 2 x 2 cells, in which one was never seen
	enemies [2]bool  // that it sees
	news    [2]steps // scents of unseen blocks around its ants
	points  int
	kills   int
	rescues int
	stuck   int
}

// round is one game under way.
type round struct {
	settings
	seed    uint64
	turn    int // of both sides
	steps   int // decisions
	asked   int // ant
	yielded bool
	food    board
	each    [2]colony
}

// Begin deals the food.
func (r *round) Begin(_ int, seed uint64) {
	*r = round{settings: r.settings, seed: seed}
	taken := board{}
	for s := range r.each {
		c := &r.each[s]
		c.unseen, c.blocks = full(side), full(side/2)
		for i := range c.ants {
			c.ants[i].at = (5+11*i)*side + 5 + 11*s
			taken.set(c.ants[i].at)
		}
	}
	random := engine.NewRandom(seed)
	for left := r.Food; left > 0; {
		if at := random.Below(cells); !taken.has(at) && !r.food.has(at) {
			r.food.set(at)
			left--
		}
	}
	r.lookAll()
}

// lookAll lets all ants look.
func (r *round) lookAll() {
	for s := range r.each {
		c := &r.each[s]
		for i := range c.ants {
			c.look(i, &r.food)
		}
	}
	r.spot()
}

// look updates what a side knows of the cells around one of its ants.
func (c *colony) look(which int, food *board) {
	var gone board // blocks of which all is seen now
	x, y := c.ants[which].at%side, c.ants[which].at/side
	columns := uint32(1<<(2*reach+1)-1) << (x + half - reach)
	for row := y + half - reach; row <= y+half+reach; row++ {
		c.unseen[row] &^= columns
		c.food[row] = c.food[row]&^columns | food[row]&columns
	}
	for i := max(y-reach, 0) / 2; i <= min(y+reach, side-1)/2; i++ {
		was := c.blocks[i+half]
		c.blocks.halve(&c.unseen, i)
		gone[i+half] = was &^ c.blocks[i+half]
	}
	c.news[which] = c.blocks.news(c.ants[which].at)
	mate := 1 - which
	less := gone.news(c.ants[mate].at)
	c.news[mate][0], c.news[mate][1] = c.news[mate][0]-less[0], c.news[mate][1]-less[1]
}

// spot updates which enemies the sides see. Sight is mutual.
func (r *round) spot() {
	one, other := &r.each[0], &r.each[1]
	one.enemies, other.enemies = [2]bool{}, [2]bool{}
	for i := range one.ants {
		for k := range other.ants {
			a, b := &one.ants[i], &other.ants[k]
			if distance(a.at, b.at) <= reach && !a.dead && !b.dead {
				one.enemies[k], other.enemies[i] = true, true
			}
		}
	}
}

// sees tells whether an ant of the side sees a cell now.
func (c *colony) sees(cell int) bool {
	for _, a := range c.ants {
		if !a.dead && distance(a.at, cell) <= reach {
			return true
		}
	}
	return false
}

// distance returns the moves between two cells.
func distance(a, b int) int {
	p, q := &places[a], &places[b]
	x, y := int(p[0])-int(q[0]), int(p[1])-int(q[1])
	return max(x, -x, y, -y)
}

// places holds the column and the row of each cell.
var places = func() (all [cells][2]int8) {
	for cell := range all {
		all[cell] = [2]int8{int8(cell % side), int8(cell / side)}
	}
	return all
}()

// shifted returns the cell that is x to the right of another and y below it, and false beyond the
// edge.
func shifted(cell, x, y int) (int, bool) {
	x, y = x+cell%side, y+cell/side
	return y*side + x, x >= 0 && y >= 0 && x < side && y < side
}

// beside returns the cell to which a step leads, and false beyond the edge.
func beside(cell, offer int) (int, bool) {
	x, y := gp.Turn(-(offer >> 2), -1, offer)
	return shifted(cell, x, y)
}

// mover returns the side whose turn it is.
func (r *round) mover() int { return r.turn & 1 }

func (r *round) Live() uint32 {
	if r.turn >= 2*r.Turns || r.each[0].points+r.each[1].points == r.Food {
		return 0
	}
	return 1 << r.mover()
}

// may tells whether the ant that is asked may choose an offer.
func (r *round) may(offer int) bool {
	c := &r.each[r.mover()]
	mate := &c.ants[1-r.asked]
	if offer == yield {
		return !r.yielded && mate.free()
	}
	to, ok := beside(c.ants[r.asked].at, offer)
	return !ok || mate.dead || mate.at != to || mate.left > 0
}

func (r *round) Step(chosen *[engine.MaxSeats]int) {
	r.steps++
	if offer := chosen[r.mover()]; offer == yield {
		r.asked, r.yielded = 1-r.asked, true
	} else {
		r.move(offer)
		r.pass()
		r.spot()
	}
}

// move lets the ant that is asked make a step.
func (r *round) move(offer int) {
	c, enemies := &r.each[r.mover()], &r.each[1-r.mover()]
	me, mate := &c.ants[r.asked], &c.ants[1-r.asked]
	to, ok := beside(me.at, offer)
	if !ok {
		me.stuck = true
		c.stuck++
		return
	}
	me.at = to
	if r.food.has(to) {
		r.food.clear(to)
		c.points++
		if enemies.sees(to) {
			enemies.food.clear(to)
		}
	}
	c.look(r.asked, &r.food)
	if mate.at == to && mate.left > 0 {
		enemies.ants[mate.foe-1].dead, enemies.ants[mate.foe-1].foe = true, 0
		mate.foe, mate.left = 0, 0
		c.rescues++
		return
	}
	for i := range enemies.ants {
		switch enemy, other := &enemies.ants[i], &enemies.ants[1-i]; {
		case enemy.dead || enemy.at != to:
		case !other.dead && other.at == to:
			me.dead = true
			enemies.kills++
			return
		default:
			me.foe, enemy.foe, enemy.left = i+1, r.asked+1, r.Rescue
		}
	}
}

// pass ends a turn, and then turns that are lost.
func (r *round) pass() {
	for {
		c, enemies := &r.each[r.mover()], &r.each[1-r.mover()]
		for i := range c.ants {
			if a := &c.ants[i]; a.left > 0 {
				if a.left--; a.left == 0 {
					enemies.ants[a.foe-1].foe = 0
					a.dead, a.foe = true, 0
					enemies.kills++
				}
			}
		}
		r.turn++
		r.asked, r.yielded = r.turn>>1&1, false
		if c = &r.each[r.mover()]; c.ants[r.asked].foe > 0 {
			r.asked = 1 - r.asked
		}
		if c.ants[r.asked].free() || r.Live() == 0 {
			return
		}
	}
}

func (r *round) Result() engine.Result {
	result := engine.Result{Steps: r.steps}
	for seat := range r.each {
		c := &r.each[seat]
		result.Scores[seat] = float64(c.points)
		result.Marks[seat] = [engine.MaxMarks]float32{float32(c.kills), float32(c.rescues),
			float32(c.stuck)}
	}
	result.WinBest(2)
	return result
}

// Where implements engine.Where.
func (r *round) Where(seat, x, y int) (square int, ok bool) {
	return shifted(r.each[seat].ants[r.asked].at, x, y)
}
