package antwars2

import (
	"math/bits"

	"clade/gp"
)

// window returns the cells of the window around a column and a row. The low word holds the first
// five rows and nine cells of the sixth.
func (b *board) window(x, y int) (w gp.Bits) {
	rows := b[y:][:2*half+1]
	var low, high uint64
	for i := half - 1; i >= 0; i-- {
		low = low<<(2*half+1) | uint64(rows[i]>>x&(1<<(2*half+1)-1))
		high = high<<(2*half+1) | uint64(rows[i+half+1]>>x&(1<<(2*half+1)-1))
	}
	middle := uint64(rows[half] >> x & (1<<(2*half+1) - 1))
	return gp.Bits{Low: low | middle<<55, High: high<<2 | middle>>9}
}

// only returns a cell in the window around another, and no cell if it is outside.
func only(cell, from int) (w gp.Bits) {
	if distance(cell, from) <= half {
		i, _ := view.Cell(cell%side-from%side, cell/side-from/side)
		w.Set(i)
	}
	return w
}

// steps holds a number for each of the eight steps, by offer: 16 bits each, four in a word.
type steps [2]uint64

func (s *steps) at(offer int) uint64 { return s[offer>>2] >> (16 * (offer & 3)) & 0xffff }
func (s *steps) set(offer int, n uint64) {
	s[offer>>2] = s[offer>>2]&^(0xffff<<(16*(offer&3))) | n<<(16*(offer&3))
}

func (s *steps) add(t *steps) { s[0], s[1] = s[0]+t[0], s[1]+t[1] }

// wide is the length of a row of scents. Rows of boards are read two at a time, in 32 bits each:
// bit i of them is entry i + (i&32)/2 behind that of bit 0.
const wide = 48

// scents holds what food adds to the scent of each step, by how far the food's upper left cell lies
// below the ant and to its right: 1024 / (0.3 + its distance squared). All cells together add less
// than 2^16.
type scents [(2*side - 1) * wide]steps

// newScents returns the scents of food that covers 1+more cells each way.
func newScents(more int) (all scents) {
	away := func(at, step int) int { return max(at-step, step-at-more, 0) }
	for row := range 2*side - 1 {
		for column := range 2*side - 1 {
			for offer := range yield {
				x, y := gp.Turn(-(offer >> 2), -1, offer)
				d := max(away(column-(side-1), x), away(row-(side-1), y))
				all[row*wide+column].set(offer, uint64(10<<10/(10*d*d+3)))
			}
		}
	}
	return all
}

// place returns the entry of the upper left cell of the board around a cell.
func place(around int) int { return (side-1-around/side)*wide + side - 1 - around%side }

// ofCells are the scents of single cells and aways their distances in steps. onBoard has, by cell,
// 1 for each step that stays on the board.
var (
	ofCells = newScents(0)

	aways = func() (all [(2*side - 1) * wide]int8) {
		for i := range all {
			x, y := i%wide-(side-1), i/wide-(side-1)
			all[i] = int8(max(x, -x, y, -y))
		}
		return all
	}()

	// upTo holds, at i+2 in a row, the sum of the scents of blocks of 2 x 2 cells at i, i-2, i-4
	// ...
	upTo = func() (sums scents) {
		for i, block := range newScents(1) {
			if i%wide < 2*side-1 {
				sums[i+2] = sums[i]
				sums[i+2].add(&block)
			}
		}
		return sums
	}()

	onBoard = func() (all [cells]steps) {
		for cell := range all {
			for offer := range yield {
				if _, ok := beside(cell, offer); ok {
					all[cell].set(offer, 1)
				}
			}
		}
		return all
	}()
)

// lines returns two rows of a board from a row on, the second in the upper half.
func (b *board) lines(row int) uint64 { return uint64(b[row+half]) | uint64(b[row+half+1])<<32 }

// scent returns the scent of the food around an ant: own of food to which its mate is no nearer,
// spare of the rest.
func (b *board) scent(me, mate *ant) (own, spare steps) {
	shared := uint64(0)
	if mate.free() {
		shared = ^shared
	}
	at, mateAt := place(me.at)-half, place(mate.at)-half
	for row := 0; row < side; row += 2 {
		for line := b.lines(row); line != 0; line &= line - 1 {
			i := bits.TrailingZeros64(line)
			i += i & 32 / 2
			smell := &ofCells[at+i]
			its := uint64(int64(aways[mateAt+i]-aways[at+i])>>63) & shared
			own[0], own[1] = own[0]+smell[0]&^its, own[1]+smell[1]&^its
			spare[0], spare[1] = spare[0]+smell[0]&its, spare[1]+smell[1]&its
		}
		at, mateAt = at+2*wide, mateAt+2*wide
	}
	return own, spare
}

// news returns the scent of blocks of 2 x 2 cells around a cell, a run of blocks in a row at a
// time: most of the board is unseen for long.
func (b *board) news(from int) (all steps) {
	at := place(from) - 2*half
	for row := 0; row < side/2; row += 2 {
		for line := b.lines(row); line != 0; {
			first := bits.TrailingZeros64(line)
			beyond := first + bits.TrailingZeros64(^(line >> first))
			left, right := &upTo[at+2*first+first&32], &upTo[at+2*beyond+first&32]
			all[0] += right[0] - left[0]
			all[1] += right[1] - left[1]
			line = line >> beyond << beyond
		}
		at += 4 * wide
	}
	return all
}

// senses are what an ant knows of its steps.
type senses [stepSenses]steps

// wanted is a set of senses of steps: bit 3*i of its number is sense i.
type wanted uint64

func (s wanted) has(sense int) bool { return s>>(3*sense)&1 != 0 }

// feel returns the senses of an ant, only those of a set reliably, and how many enemies could
// attack it where it stands.
func (r *round) feel(seat, which int, set wanted) (all senses, threats int) {
	c, enemies := &r.each[seat], &r.each[1-seat].ants
	me, mate := &c.ants[which], &c.ants[1-which]
	if set.has(stepScent) || set.has(stepSpare) {
		all[stepScent], all[stepSpare] = c.food.scent(me, mate)
	}
	all[stepNews], all[stepSafe] = c.news[which], onBoard[me.at]
	for i, seen := range c.enemies {
		enemy, other := &enemies[i], &enemies[1-i]
		if !seen || distance(enemy.at, me.at) > 2 {
			continue
		}
		if enemy.free() && distance(enemy.at, me.at) < 2 {
			threats++
		}
		for offer := range yield {
			to, ok := beside(me.at, offer)
			if !ok {
				continue
			}
			switch d := distance(enemy.at, to); {
			case d == 0:
				all[stepPrey].set(offer, all[stepPrey].at(offer)+1)
				if c.enemies[1-i] && other.free() && distance(other.at, to) <= r.Rescue {
					all[stepGuards].set(offer, 1)
				}
			case d == 1 && enemy.free():
				all[stepSafe].set(offer, 0)
			}
		}
	}
	away := distance(me.at, mate.at)
	aid, cover := set.has(stepAid) && mate.left > 0, set.has(stepCover) && mate.free()
	if mate.dead || away > r.Rescue+1 || !aid && !cover {
		return all, threats
	}
	for offer := range yield {
		to, ok := beside(me.at, offer)
		if !ok {
			continue
		}
		switch d := distance(to, mate.at); {
		case d < away && d < mate.left:
			all[stepAid].set(offer, 1)
		case d <= r.Rescue && cover:
			all[stepCover].set(offer, 1)
		}
	}
	return all, threats
}

// units are factors of senses. An enemy to attack counts more than the scent of most food, or
// populations whose ants all flee would evolve never to attack.
var units = [stepSenses]float32{stepScent: 1.0 / 1024, stepSpare: 1.0 / 1024,
	stepNews: 1.0 / 1024, stepSafe: 1, stepPrey: 10, stepGuards: 1, stepAid: 1, stepCover: 1}

// put sets the scalars of a set, counted from scalarSteps, to what an ant senses of its steps and
// the greatest that its mate does.
func (s *senses) put(f *gp.Frame, mates *senses, set uint64) {
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		sense, of := i/3, i%3
		unit, q := units[sense%stepSenses], f.Scalar(scalarSteps+i)
		if of < 2 {
			word := s[sense%stepSenses][of]
			q[0], q[1] = float32(int32(word&0xffff))*unit, float32(int32(word>>16&0xffff))*unit
			q[2], q[3] = float32(int32(word>>32&0xffff))*unit, float32(int32(word>>48))*unit
			continue
		}
		most := uint64(0)
		for _, word := range mates[sense%stepSenses] {
			most = max(most, word&0xffff, word>>16&0xffff, word>>32&0xffff, word>>48)
		}
		f.SetScalar(scalarSteps+i, float32(int32(most))*unit)
	}
}

func (r *round) Sense(seat int, f *gp.Frame) (possible uint64) {
	c := &r.each[seat]
	me, mate := &c.ants[r.asked], &c.ants[1-r.asked]
	var enemies, there gp.Bits
	away := 0
	if !mate.dead {
		there, away = only(mate.at, me.at), distance(me.at, mate.at)
	}
	for i, seen := range c.enemies {
		if seen {
			enemies = enemies.Or(only(r.each[1-seat].ants[i].at, me.at))
		}
	}
	possible = 1<<len(offers) - 1
	if away == 1 && mate.left == 0 {
		for offer := range yield {
			if to, _ := beside(me.at, offer); to == mate.at {
				possible &^= 1 << offer
			}
		}
	}
	reads := f.Reads()
	set := reads.Scalars >> scalarSteps & (1<<(3*stepSenses) - 1)
	mine, threats := r.feel(seat, r.asked, wanted(set|set>>1))
	var mates senses
	mateThreats := 0
	if r.may(yield) {
		mates, mateThreats = r.feel(seat, 1-r.asked, wanted(set>>2))
	} else {
		possible &^= 1 << yield
	}
	mine.put(f, &mates, set)
	x, y := me.at%side, me.at/side
	if reads.Layers>>layerFood&1 != 0 {
		f.Layers[layerFood] = c.food.window(x, y)
	}
	if reads.Layers>>layerUnseen&1 != 0 {
		f.Layers[layerUnseen] = c.unseen.window(x, y)
	}
	f.Layers[layerEnemy], f.Layers[layerMate] = enemies, there
	f.SetScalar(scalarLeft, float32(r.Turns-r.turn/2))
	f.SetScalar(scalarPoints, float32(c.points))
	f.SetScalar(scalarMateAway, float32(away))
	f.SetScalar(scalarThreats, float32(threats))
	f.SetScalar(scalarMateThreats, float32(mateThreats))
	return possible
}
