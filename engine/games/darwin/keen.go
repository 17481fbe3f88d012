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
		number: func(m *evolvedMind, b *body, d direction) float32 {
			if aim == toShrine && !b.enchanted {
				return 0
			}
			return m.way(b, aim)[d.clockwise()]
		}}
}

// way returns how near the squares beside a creature are to an aim, by lane.
func (m *evolvedMind) way(b *body, aim int) *gp.Quad {
	near := &m.ways[aim]
	if m.found&(1<<aim) != 0 {
		return near
	}
	m.found |= 1 << aim
	*near = gp.Quad{}
	p, left := b.position(), lanes(0)
	for d := north; d <= east; d++ {
		if next := p.toward(d); !m.memory.has(boardWall, next) && !m.memory.has(boardHazard, next) &&
			!(m.bumped[d] && m.bumps[d] == next) {
			left |= 1 << d.clockwise()
		}
	}
	f := &m.colony.flood
	if !f.begin(m.memory, aim, p, b.clock) {
		return near
	}
	// Where one side is reached, the others are within two steps, by the creature's own square.
	for steps, most := 0, waySteps; steps < most && left != 0; steps++ {
		for d := north; d <= east; d++ {
			lane := d.clockwise()
			word, bit := m.memory.square(p.toward(d))
			if left&(1<<lane) != 0 && f.reached[word]&bit != 0 {
				near[lane] = float32(waySteps-steps) / waySteps
				left &^= 1 << lane
				most = min(most, steps+3)
			}
		}
		if !f.spread() {
			break
		}
	}
	return near
}

// flood is a set of squares that grows step by step over squares that are known to be free. Its
// boards are those of a memory, all of one size.
type flood struct {
	words, from, to     int // of a row, and of all rows of the map
	free, reached, next []uint64
	of                  *memory // whose free squares these are, at this version
	version             uint64
}

// begin starts with the squares of an aim, and tells whether there are any.
func (f *flood) begin(m *memory, aim int, own point, now int64) (any bool) {
	b := &m.boards
	if n := len(m.outside); f.free == nil {
		f.free, f.reached, f.next = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	}
	f.words, f.from, f.to = m.words, reach*m.words, (reach+m.height)*m.words
	known, reached := b[boardKnown][:f.to], f.reached[:f.to]
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
		for _, s := range m.seen[:m.count] {
			if !s.friend && now-s.time <= sightSpan && s.at != own {
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
		for i := f.from; i < f.to; i++ {
			reached[i] = ^known[i]
		}
	case toShrine:
		if any = m.used[boardShrine]; any {
			copy(reached[f.from:], b[boardShrine][f.from:f.to])
		}
	}
	if any && (f.of != m || f.version != m.version) {
		f.of, f.version = m, m.version
		free, walls, hazards := f.free[:f.to], b[boardWall][:f.to], b[boardHazard][:f.to]
		for i := f.from; i < f.to; i++ {
			free[i] = known[i] &^ (walls[i] | hazards[i])
		}
	}
	return any
}

// spread takes in the free squares beside those that it has, and tells whether there are any. What
// lies outside the map is not free, so that it does not matter where a row ends.
func (f *flood) spread() bool {
	grown := uint64(0)
	for i := f.from; i < f.to; i++ {
		c := f.reached[i]
		beside := c<<1 | c>>1 | f.reached[i-1]>>63 | f.reached[i+1]<<63 |
			f.reached[i-f.words] | f.reached[i+f.words]
		more := beside & f.free[i] &^ c
		grown |= more
		f.next[i] = c | more
	}
	f.reached, f.next = f.next, f.reached
	return grown != 0
}
