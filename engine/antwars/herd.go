package antwars

import (
	"math/bits"

	"clade/engine"
	"clade/gp"
)

// herdSize is the number of games in a herd.
const herdSize = gp.BatchSize

// numbers and grounds hold a value of each game of a herd: what a kernel takes as one vector, or a
// set of cells as two.
type (
	numbers [herdSize]uint32
	grounds [2][herdSize]uint64
)

// herd is up to sixteen games between the same two species, played in lockstep and held as
// structures of arrays. The kernels know its layout.
//
// The games are staggered by half a tick: where the second species has the first seat, play begins
// when it is next to move. So in every half tick but the first and the last one species moves in
// all games.
type herd struct {
	food   grounds          // on the board
	prints [herdSize]uint64 // the fingerprints
	steps  numbers
	wings  [2]wing
	sight  sight
}

// wing is the ants of one species in the games of a herd. What an ant remembers is kept in the
// window, recentred on it, and moved when the ant moves.
type wing struct {
	row, col numbers // of the cell it stands on
	points   numbers // food eaten
	heading  numbers // direction of the last move
	known    grounds // food as the ant believes it to lie
	visited  grounds
	past     [pieces + 1]recollection
	used     [pieces + 1]uint32 // games in which a recollection counts
	moved    uint32             // games in which the ant has moved since it last looked
	alive    uint32             // games in which it lives
	fed      uint32             // games in which it ate with its last move
	pasts    uint32             // recollections in use in any game
	_        [12]uint32         // to a multiple of a vector
}

// recollection is a piece of food out of view in each game.
type recollection struct {
	row, col numbers // on the board
	seen     numbers // the ant's move at which it was last in view
}

// sight is what the ants of a wing see before they move.
type sight struct {
	food, visited [4]numbers // by place, see gp.Grammar.Place
	empty, enemy  numbers    // the near cells
	lost          grounds    // food that has just left the view
	far           [pieces + 1]struct{ index, bit, weight numbers }
	straight      gp.LaneFloats // utilities of the straight moves
	hope          gp.LaneFloats // foodHope for the diagonal moves
}

// routine is what a wing goes through in a half tick, in this order. The functions of these names
// in this file are the plain ones; kernels do the same.
type routine struct {
	look   func(h *herd, ant int) (near, lost uint32)
	recall func(h *herd, ant int, time *numbers)
	enter  func(h *herd, ant int, time *numbers, who uint32, b *gp.Batch)
	choose func(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers)
	march  func(h *herd, ant int, who uint32) (killed uint32)
}

// begin puts the ants of all games on their cells; first says in which games the first species has
// the first seat.
func (w *wing) begin(first uint32) {
	*w = wing{alive: 1<<herdSize - 1}
	for i := range w.row {
		start := starts[^first>>i&1]
		w.row[i], w.col[i] = uint32(start)/side, uint32(start)%side
	}
}

// centre is the ant's own cell in the window.
const centre = cells / 2

// inView holds the cells that an ant sees, in the window.
var inView = window.Square(radius)

// look brings what the ants know up to date with the board and draws it. It returns in which games
// an enemy is in view, and in which food has left the view; to look twice without a move changes
// nothing.
func look(h *herd, ant int) (near, lost uint32) {
	w, other, v := &h.wings[ant], &h.wings[1-ant], &h.sight
	for i := range herdSize {
		board := gp.Bits{h.food[0][i], h.food[1][i]}
		known, visited := gp.Bits{w.known[0][i], w.known[1][i]},
			gp.Bits{w.visited[0][i], w.visited[1][i]}
		var before gp.Bits
		if w.moved>>i&1 != 0 {
			to := places[centre].next[w.heading[i]&7]
			recentre(&known, &known, to)
			recentre(&visited, &visited, to)
			recentre(&before, &inView, to)
		}
		recentre(&board, &board, uint8(w.row[i]*side+w.col[i]))
		gone := known.And(before).AndNot(inView)
		if !gone.Empty() {
			lost |= 1 << i
		}
		known = known.AndNot(inView).Or(board.And(inView))
		visited.Set(centre)
		for k := range 2 {
			v.lost[k][i], w.known[k][i], w.visited[k][i] = gone[k], known[k], visited[k]
		}
		food := inPlaces(known[0], known[1])
		for p, word := range inPlaces(visited[0], visited[1]) {
			v.food[p][i], v.visited[p][i] = food[p], word
		}
		v.empty[i], v.enemy[i] = ^food[0]&(1<<25-1), 0
		row, col := wrapped(other.row[i]-w.row[i]+5)-3, wrapped(other.col[i]-w.col[i]+5)-3
		if other.alive>>i&1 != 0 && row < 5 && col < 5 {
			near |= 1 << i
			v.enemy[i] = 1 << (row*5 + col)
			v.empty[i] &^= v.enemy[i]
		}
	}
	w.moved = 0
	return near, lost
}

// wrapped brings a row or column back from at most one board away. Numbers below 0 are those of
// unsigned arithmetic.
func wrapped(x uint32) uint32 { return min(x, x+side, x-side) }

// inPlaces orders the cells of the window by place: the 25 of the middle in the first word, the
// others in order in the next three.
func inPlaces(low, high uint64) [4]uint32 {
	middle := low>>32 | high<<32
	return [4]uint32{
		uint32(middle>>4&31 | middle>>10&(31<<5) | middle>>16&(31<<10) | middle>>22&(31<<15) | middle>>28&(31<<20)),
		uint32(low),
		uint32(middle&0xf | middle>>5&(63<<4) | middle>>10&(63<<10) | middle>>15&(63<<16) | middle>>20&(63<<22) | middle>>25&(15<<28)),
		uint32(high >> 25),
	}
}

// remember keeps the food that has just left the view, with the move at which it was last seen.
// Their places are in the window as it is now.
func (h *herd) remember(ant int, lost uint32, time *numbers) {
	w := &h.wings[ant]
	for ; lost != 0; lost &= lost - 1 {
		i := bits.TrailingZeros32(lost)
		slot := 0
		for half := range 2 {
			for left := h.sight.lost[half][i]; left != 0; left &= left - 1 {
				for w.used[slot]>>i&1 != 0 {
					slot++
				}
				cell := uint32(half<<6 | bits.TrailingZeros64(left))
				r := &w.past[slot]
				r.row[i], r.col[i], r.seen[i] = wrapped(cell/side+w.row[i]-5),
					wrapped(cell%side+w.col[i]-5), time[i]-1
				w.used[slot] |= 1 << i
				w.pasts = max(w.pasts, uint32(slot+1))
			}
		}
	}
}

// farRows are, by row of the window, the place of its first cell among those out of view.
var farRows = [16]uint32{0, 11, 22, 33, 39, 45, 51, 57, 63, 74, 85}

// beliefs is certainty, with room behind it for games that are over.
var beliefs = func() (t [48]uint32) {
	for i, c := range certainty {
		t[i] = uint32(c)
	}
	return t
}()

// recall works out where remembered food stands in the window, and forgets what has come back into
// view.
func recall(h *herd, ant int, time *numbers) {
	w := &h.wings[ant]
	inUse := uint32(0)
	for j := range w.pasts {
		r, f := &w.past[j], &h.sight.far[j]
		used := uint32(0)
		for i := range herdSize {
			f.index[i], f.bit[i], f.weight[i] = 0, 0, 0
			row, col := wrapped(r.row[i]-w.row[i]+5), wrapped(r.col[i]-w.col[i]+5)
			if w.used[j]>>i&1 == 0 || row-3 < 5 && col-3 < 5 {
				continue
			}
			used |= 1 << i
			rank := farRows[row] + col
			if row-3 < 5 && col > 7 {
				rank -= 5
			}
			f.index[i], f.bit[i], f.weight[i] = 4+rank>>5<<2, 1<<(rank&31),
				beliefs[(time[i]-r.seen[i])%48]
		}
		if w.used[j] = used; used != 0 {
			inUse = j + 1
		}
	}
	w.pasts = inUse
}

// hopes holds, by slot and turn, the place of the cell ahead and those of its neighbours, all of
// them near.
var hopes = func() (t [2][2][gp.Lanes]uint32) {
	for slot := range t {
		for k := range gp.Lanes {
			a := &aheads[slot][k]
			t[slot][0][k], t[slot][1][k] = inPlaces(a.cell[0], a.cell[1])[0],
				inPlaces(a.around[0], a.around[1])[0]
		}
	}
	return t
}()

// hopeFor returns foodHope under a turn, given the food in the near cells; see sense.hope.
func hopeFor(slot, k int, food uint32) (h float32) {
	if food&hopes[slot][0][k] != 0 {
		h = 1
	}
	if food&hopes[slot][1][k] != 0 {
		h += secondMove
	}
	return h
}

// enter draws what the ants of some games see into a batch: the first of these games as the first
// decision, and so on.
func enter(h *herd, ant int, time *numbers, who uint32, b *gp.Batch) {
	w, v := &h.wings[ant], &h.sight
	food, enemy, empty, visited := b.Layer(layerFood), b.Layer(layerEnemy), b.Layer(layerEmpty),
		b.Layer(layerVisited)
	far := b.Far(layerFood)
	left, points, missing, hope := b.Scalar(scalarTimeLeft), b.Scalar(scalarPoints),
		b.Scalar(scalarPointsLeft), b.Scalar(scalarFoodHope)
	far.N = int(w.pasts)
	for i := 0; who != 0; i, who = i+1, who&(who-1) {
		g := bits.TrailingZeros32(who) % herdSize
		for lane := gp.Lanes * i; lane < gp.Lanes*i+gp.Lanes; lane++ {
			k := lane % gp.Lanes
			for p := range 4 {
				food[p][lane], visited[p][lane] = v.food[p][g], v.visited[p][g]
			}
			enemy[0][lane], empty[0][lane] = v.enemy[g], v.empty[g]
			left[lane], points[lane], missing[lane] = float32(rounds-int32(time[g])),
				float32(int32(w.points[g])), float32(pieces-int32(w.points[g]))
			hope[lane], v.hope[lane] = hopeFor(slotStraight, k, v.food[0][g]),
				hopeFor(slotDiagonal, k, v.food[0][g])
			for j := range far.N {
				f := &v.far[j]
				far.Index[j][lane], far.Bit[j][lane], far.Weight[j][lane] = f.index[g]+uint32(k),
					f.bit[g], f.weight[g]
			}
		}
	}
}

// choose sets the headings in some games, whose utilities stand in the order of enter, by the
// greatest utility; see species.move.
func choose(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers) {
	for i := 0; who != 0; i, who = i+1, who&(who-1) {
		best, direction := diagonal[gp.Lanes*i], 0
		for k := range gp.Lanes {
			if u := diagonal[gp.Lanes*i+k]; u > best {
				best, direction = u, 2*k
			}
			if u := straight[gp.Lanes*i+k]; u > best {
				best, direction = u, 2*k+1
			}
		}
		heading[bits.TrailingZeros32(who)%herdSize] = uint32(direction)
	}
}

// march moves the ants of some games by their headings, adds these to the fingerprints, and returns
// in which games the other ant is dead of it; see board.move.
func march(h *herd, ant int, who uint32) (killed uint32) {
	w, other := &h.wings[ant], &h.wings[1-ant]
	w.fed &^= who
	w.moved |= who
	for left := who; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left) % herdSize
		h.prints[i] = engine.Hash(h.prints[i], uint64(w.heading[i]))
		h.steps[i]++
		step := directions[w.heading[i]&7]
		row, col := wrapped(w.row[i]+uint32(step[0])), wrapped(w.col[i]+uint32(step[1]))
		w.row[i], w.col[i] = row, col
		if row == other.row[i] && col == other.col[i] && other.alive>>i&1 != 0 {
			killed |= 1 << i
			continue
		}
		cell := row*side + col
		if half := &h.food[cell>>6&1][i]; *half>>(cell&63)&1 != 0 {
			*half &^= 1 << (cell & 63)
			w.points[i]++
			w.fed |= 1 << i
		}
	}
	other.alive &^= killed
	return killed
}
