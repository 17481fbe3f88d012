package darwin

import (
	"fmt"

	"clade/gp"
)

// What the ways that keen creatures sense lead to.
const (
	toFood = iota
	toEnemy
	toUnknown
	toShrine
	numAims
)

// waySteps is how many steps a way has that is too long to be sensed.
const waySteps = 64

// keenSenses are the rows that keen creatures have beyond the others.
var keenSenses = []sense{
	wayTo(toFood, "foodWay", "", "an apple, a flytrap or a treasure, where it was seen last"),
	wayTo(toEnemy, "enemyWay", "", "a creature of another species, as seen in the last 20 ms"),
	wayTo(toUnknown, "unknownWay", "", "a square that was never seen"),
}

// shrineSenses is the row that follows with shrine-ways.
var shrineSenses = []sense{
	wayTo(toShrine, "shrineWay", "s", "a shrine of the own species, if the creature is enchanted"),
}

// wayTo returns the row of an aim. Exported programs number aims alike.
func wayTo(aim int, word, needs, what string) sense {
	return sense{form: gp.Scalar, word: word, needs: needs, runtime: fmt.Sprintf("way(%d)", aim),
		about: "how near the next square is to " + what + ": 1 there, 1/64 less for each step over " +
			"squares known to be free; 0 without a way, or if a wall, a hazard or a bump is known of it",
		numbers: func(m *evolvedMind, b *body, near *gp.Quad) { m.way(b, aim, near) }}
}

// way sets how near the squares beside a creature are to an aim, by lane, if anything has changed.
func (m *evolvedMind) way(b *body, aim int, near *gp.Quad) {
	f, p := &m.colony.flood, b.position()
	switch {
	case aim == toEnemy: // they move, and are forgotten in time
		if enemies := m.memory.enemies(p, b.clock); enemies != m.enemies || enemies == tooMany {
			m.enemies, m.found = enemies, m.found&^(1<<toEnemy)
		}
	case aim == toShrine && !b.enchanted:
		*near, m.found = gp.Quad{}, m.found&^(1<<toShrine)
		return
	}
	if m.found&(1<<aim) != 0 {
		return
	}
	m.found |= 1 << aim
	*near = gp.Quad{}
	if !f.begin(m.memory, aim, p, b.clock) {
		return
	}
	var words [gp.Lanes]int
	var bits [gp.Lanes]uint64
	left := 0 // sides without a wall, a hazard or a bump that have not been reached
	for d := north; d <= east; d++ {
		if next := p.toward(d); !m.memory.has(boardWall, next) && !m.memory.has(boardHazard, next) &&
			!(m.bumped[d] && m.bumps[d] == next) {
			lane := d.clockwise()
			words[lane], bits[lane] = m.memory.square(next)
			left++
		}
	}
	for steps, last := 0, waySteps-1; ; steps++ {
		for lane, bit := range bits {
			if f.reached[words[lane]]&bit == 0 {
				continue
			}
			near[lane] = float32(waySteps-steps) / waySteps
			bits[lane] = 0
			if left--; last == waySteps-1 {
				// the others are within two steps, by the creature's own square
				last = min(last, steps+2)
				f.narrow(int(p.y)-1, int(p.y)+1)
			}
		}
		if steps == last || left == 0 || !f.spread() {
			break
		}
	}
}

// enemy tells whether a sighting is one that ways lead to, for a creature on a square.
func (s *sighting) enemy(own point, now int64) bool {
	return !s.friend && now-s.time <= sightSpan && s.at != own
}

// enemies returns the squares of enemies as one number, if there are at most three, else tooMany.
func (m *memory) enemies(own point, now int64) (squares uint64) {
	const bits = 21 // of a square: 1, and 10 for each coordinate
	for i := range m.seen[:m.count] {
		if s := &m.seen[i]; s.enemy(own, now) {
			if squares>>(2*bits) != 0 {
				return tooMany
			}
			squares = squares<<bits | 1<<(bits-1) | uint64(s.at.y)<<10 | uint64(s.at.x)
		}
	}
	return squares
}

// tooMany stands for more squares of enemies than a number holds.
const tooMany = ^uint64(0)

// flood is a set of squares that grows step by step over squares that are known to be free. Its
// boards are those of a memory, all of one size.
type flood struct {
	words               int // of a row
	from, to            int // of the words in which it spreads
	low, high           int // of the words that may hold any of its squares
	free, reached, next []uint64
}

// begin starts with the squares of an aim, and tells whether there are any.
func (f *flood) begin(m *memory, aim int, own point, now int64) (any bool) {
	b := &m.boards
	if f.reached == nil {
		f.reached, f.next = make([]uint64, len(m.outside)), make([]uint64, len(m.outside))
		f.words = m.words
	}
	f.from, f.to = reach*f.words, (reach+m.height)*f.words
	reached := f.reached[:f.to]
	switch aim {
	case toFood:
		if any = m.used[boardApple] || m.used[boardFlytrap] || m.used[boardTreasure]; any {
			apples, flytraps := b[boardApple][:f.to], b[boardFlytrap][:f.to]
			treasures := b[boardTreasure][:f.to]
			for i := f.from; i < f.to; i++ {
				reached[i] = apples[i] | flytraps[i] | treasures[i]
			}
		}
	case toEnemy:
		for i := range m.seen[:m.count] {
			if s := &m.seen[i]; s.enemy(own, now) {
				if !any {
					clear(reached)
					any = true
				}
				word, bit := m.square(s.at)
				reached[word] |= bit
			}
		}
	case toUnknown:
		any = true
		known := b[boardKnown][:f.to]
		for i := f.from; i < f.to; i++ {
			reached[i] = ^known[i]
		}
	case toShrine:
		if any = m.used[boardShrine]; any {
			copy(reached[f.from:], b[boardShrine][f.from:f.to])
		}
	}
	if !any {
		return false
	}
	clear(f.next)
	f.free = m.walkable()
	for f.low = f.from; f.low < f.to && reached[f.low] == 0; {
		f.low++
	}
	for f.high = f.to; f.high > f.low && reached[f.high-1] == 0; {
		f.high--
	}
	return true
}

// narrow lets it spread only in some rows from now on.
func (f *flood) narrow(first, last int) {
	f.from, f.to = max(f.from, (first+reach)*f.words), min(f.to, (last+reach+1)*f.words)
}

// spread takes in the free squares beside those that it has, and tells whether there are any. What
// lies outside the map is not free, so that it does not matter where a row ends.
func (f *flood) spread() bool {
	f.low, f.high = max(f.low-f.words, f.from), min(f.high+f.words, f.to)
	n := f.high - f.low
	here, free, next := f.reached[f.low:][:n], f.free[f.low:][:n], f.next[f.low:][:n]
	left, right := f.reached[f.low-1:][:n], f.reached[f.low+1:][:n]
	above, below := f.reached[f.low-f.words:][:n], f.reached[f.low+f.words:][:n]
	grown := uint64(0)
	for i, c := range here {
		more := (c<<1 | c>>1 | left[i]>>63 | right[i]<<63 | above[i] | below[i]) & free[i] &^ c
		grown |= more
		next[i] = c | more
	}
	f.reached, f.next = f.next, f.reached
	return grown != 0
}
