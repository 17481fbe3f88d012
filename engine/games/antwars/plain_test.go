package antwars

import (
	"math/bits"

	"clade/gp"
)

// plainRoutine is what the kernels do, in plain Go.
var plainRoutine = routine{look, recall, track, enter, draw, choose, march}

// look brings what the ants know up to date with the board and draws it. It returns in which games
// an enemy is in view, and in which food has left the view; to look twice without a move changes
// nothing.
func look(b *batch, ant int) (near, lost uint32) {
	s, other, v := &b.sides[ant], &b.sides[1-ant], &b.sight
	for i := range batchSize {
		board := gp.Bits{Low: b.food[0][i], High: b.food[1][i]}
		known, visited := gp.Bits{Low: s.known[0][i], High: s.known[1][i]},
			gp.Bits{Low: s.visited[0][i], High: s.visited[1][i]}
		var before gp.Bits
		if s.moved>>i&1 != 0 {
			to := places[centre].next[s.heading[i]&7]
			known = recentre(known, to)
			visited = recentre(visited, to)
			before = recentre(inView, to)
		}
		board = recentre(board, uint8(s.row[i]*width+s.col[i]))
		gone := known.And(before).AndNot(inView)
		if !gone.Empty() {
			lost |= 1 << i
		}
		known = known.AndNot(inView).Or(board.And(inView))
		visited.Set(centre)
		v.lost[0][i], s.known[0][i], s.visited[0][i] = gone.Low, known.Low, visited.Low
		v.lost[1][i], s.known[1][i], s.visited[1][i] = gone.High, known.High, visited.High
		food := inPlanes(known)
		for p, word := range inPlanes(visited) {
			v.planes[planeFood+p][i], v.planes[planeVisited+p][i] = food[p], word
		}
		empty, enemy := &v.planes[planeEmpty][i], &v.planes[planeEnemy][i]
		*empty, *enemy = ^food[0]&(1<<25-1), 0
		row, col := wrapped(other.row[i]-s.row[i]+5)-3, wrapped(other.col[i]-s.col[i]+5)-3
		if other.alive>>i&1 != 0 && row < 5 && col < 5 {
			near |= 1 << i
			*enemy = 1 << (row*5 + col)
			*empty &^= *enemy
		}
	}
	s.moved = 0
	return near, lost
}

// certainties is certainty, with room behind it for games that are over.
var certainties = func() (t [80]uint32) {
	for i, c := range certainty {
		t[i] = uint32(c)
	}
	return t
}()

// recall works out where remembered food stands in the window, and forgets what has come back into
// view.
func recall(b *batch, ant int, time *numbers) {
	s := &b.sides[ant]
	inUse := uint32(0)
	for j := range s.pasts {
		r, f := &s.past[j], &b.sight.far[j]
		used := uint32(0)
		for i := range batchSize {
			f.index[i], f.bit[i], f.weight[i] = 0, 0, 0
			row, col := wrapped(r.row[i]-s.row[i]+5), wrapped(r.col[i]-s.col[i]+5)
			if s.used[j]>>i&1 == 0 || row-3 < 5 && col-3 < 5 {
				continue
			}
			used |= 1 << i
			rank := farRows[row] + col
			if row-3 < 5 && col > 7 {
				rank -= 5
			}
			f.index[i], f.bit[i], f.weight[i] = 4+rank>>5<<2, 1<<(rank&31),
				certainties[(time[i]-r.seen[i])%48]
		}
		if s.used[j] = used; used != 0 {
			inUse = j + 1
		}
	}
	s.pasts = inUse
}

// track brings what keen ants of some games know up to date with the board; in some the opponent is
// in view.
func track(b *batch, ant int, t *tracked, v *vista, who, near uint32) {
	s, other := &b.sides[ant], &b.sides[1-ant]
	for ; who != 0; who &= who - 1 {
		i := bits.TrailingZeros32(who) % batchSize
		view, hunter := places[s.row[i]*width+s.col[i]].view, t.hunter.of(i)
		food := t.food.of(i).AndNot(view).Or(b.food.of(i).And(view))
		fresh, seen := view.AndNot(t.seen.of(i)), t.seen.of(i).Or(view)
		switch {
		case other.alive>>i&1 == 0:
			hunter = gp.Bits{}
		case near>>i&1 != 0:
			hunter = gp.Bits{}
			hunter.Set(int(other.row[i]*width + other.col[i]))
		default:
			hunter = hunter.AndNot(view)
		}
		unseen := everywhere.AndNot(seen)
		t.view.put(i, view)
		t.food.put(i, food)
		t.fresh.put(i, fresh)
		t.late.put(i, fresh.And(t.hunted.of(i)).AndNot(food))
		t.seen.put(i, seen)
		t.hunted.put(i, t.hunted.of(i).Or(hunter))
		t.fading.put(i, hunter.And(food.Or(unseen)).AndNot(view))
		t.hunter.put(i, spread(hunter))
		v.cells[0].put(i, unseen)
		v.cells[1].put(i, hunter)
	}
}

// hopeFor returns foodHope under a turn, given the food in the near cells; see sense.hope.
func hopeFor(slot, k int, food uint32) (h float32) {
	a := &aheads[slot][k]
	if food&inPlanes(a.cell)[0] != 0 {
		h = 1
	}
	if food&inPlanes(a.around)[0] != 0 {
		h += secondMove
	}
	return h
}

// enter draws what the ants of some games see into a batch: the first of these games as the first
// decision, and so on.
func enter(b *batch, ant int, time *numbers, who uint32, in *gp.Batch) {
	s, v, far, ahead := &b.sides[ant], &b.sight, in.Far(layerFood), in.Scalar(scalarFoodHope)
	far.N = int(s.pasts)
	for i := 0; who != 0; i, who = i+1, who&(who-1) {
		g := bits.TrailingZeros32(who) % batchSize
		have := [...]int32{countMoves: int32(time[g]), countPoints: int32(s.points[g])}
		for lane := gp.Lanes * i; lane < gp.Lanes*i+gp.Lanes; lane++ {
			k := lane % gp.Lanes
			for p, to := range planes {
				in.Layer(to.layer)[to.plane][lane] = v.planes[p][g]
			}
			for _, c := range sensors {
				if c.with == ofPaper && c.isCount() {
					in.Scalar(c.index)[lane] = float32(c.from + c.sign*have[c.of])
				}
			}
			food := v.planes[planeFood][g]
			ahead[lane], v.hope[lane] = hopeFor(slotStraight, k, food), hopeFor(slotDiagonal, k, food)
			for j := range far.N {
				f := &v.far[j]
				far.Index[j][lane], far.Bit[j][lane], far.Weight[j][lane] = f.index[g]+uint32(k),
					f.bit[g], f.weight[g]
			}
		}
	}
}

// draw draws the layers that only keen ants have, for the ants of a side in some games.
func draw(v *vista, s *side, _, who uint32, in *gp.Batch) {
	for i := 0; who != 0; i, who = i+1, who&(who-1) {
		g := bits.TrailingZeros32(who) % batchSize
		for l := range v.cells {
			to := in.Layer(layerUnseen + l)
			set := gp.Bits{Low: v.cells[l][0][g], High: v.cells[l][1][g]}
			for p, word := range inPlanes(recentre(set, uint8(s.row[g]*width+s.col[g]))) {
				*(*[gp.Lanes]uint32)(to[p][gp.Lanes*i:]) = [gp.Lanes]uint32{word, word, word, word}
			}
		}
	}
}

// choose sets the headings in some games to those of the greatest utilities; see species.move.
// Utilities stand in the order of enter.
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
		heading[bits.TrailingZeros32(who)%batchSize] = uint32(direction)
	}
}
