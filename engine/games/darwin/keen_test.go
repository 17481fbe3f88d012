package darwin

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

// keen is what short needs for all senses.
func keen(s *settings) { s.KeenSenses, s.ShrineWays = true, true }

// Steps are counted by hand on a map drawn here: what the creature has seen by its own looks.
func TestWays(t *testing.T) {
	s := newStage(t, original(),
		"XXXXXXXXX\nX  a    X\nX X XXX X\nX0    X1X\nX XXX X X\nX     + X\nXXXXXXXXX")
	m, b := mindOf(t, s, short(t, "mz_1", 1, keen))
	// steps are those from the squares to the north, west, south and east; -1 without a way
	near := func(when string, aim int, steps ...float32) {
		t.Helper()
		m.sense(b)
		for d := north; d <= east; d++ {
			want := max(0, 1-steps[d]/64)
			if steps[d] < 0 {
				want = 0
			}
			proof.Is(t, m.frame.Scalar(numScalars + aim)[d.clockwise()], want,
				"%s: aim %d, %s", when, aim, d)
		}
	}
	near("at first", toFood, -1, -1, -1, -1)
	near("at first", toUnknown, 0, 0, 0, 0)
	m.acts(s, b, observe)
	near("after a look to the east", toUnknown, 0, 0, 0, 1)
	m.acts(s, b, turnLeft)
	m.acts(s, b, observe)
	near("after a look to the north", toUnknown, 1, 0, 0, 1)
	for _, v := range []verb{forward, forward, turnRight, observe} {
		m.acts(s, b, v)
	}
	near("in the corner", toFood, -1, -1, 3, 1)
	near("in the corner", toUnknown, -1, 0, 1, 1)
	near("before it sees anybody", toEnemy, -1, -1, -1, -1)
	b.clock++ // a creature learns at most once a turn
	m.memory.sight(sighting{at: point{5, 3}, id: 7, time: b.clock})
	m.memory.sight(sighting{at: point{2, 1}, id: 8, time: b.clock, friend: true})
	near("of an enemy that it saw", toEnemy, -1, -1, 5, 7)
	m.bumps[south], m.bumped[south] = b.position().toward(south), true
	m.forget(south)
	near("after a bump", toEnemy, -1, -1, -1, 7)
	near("after a bump", toFood, -1, -1, -1, 1)
	b.clock += sightSpan + 1
	near("long after", toEnemy, -1, -1, -1, -1)
	near("before it sees a shrine", toShrine, -1, -1, -1, -1)
	m.memory.tread(point{1, 3}, ownedShrine|terrain(1)<<4, seatBreed(0))
	near("of another species' shrine", toShrine, -1, -1, -1, -1)
	m.memory.tread(point{1, 3}, ownedShrine, seatBreed(0))
	near("of its own shrine, not enchanted", toShrine, -1, -1, -1, -1)
	b.enchanted = true
	near("of its own shrine", toShrine, -1, -1, -1, 3)
}

// Ways on maps of all widths are those that a search square by square finds, as README.md defines
// them.
func TestWaysAreShortest(t *testing.T) {
	proof.Slow(t)
	r := engine.NewRandom(1)
	for i, size := range [][2]int{{9, 7}, {29, 29}, {54, 12}, {55, 12}, {64, 64}, {130, 9}} {
		memory := newMemory(size[0], size[1])
		m := evolvedMind{memory: memory, colony: &evolvedColony{}}
		anywhere := func() point { return point{int16(r.Below(size[0])), int16(r.Below(size[1]))} }
		for round := range 60 {
			memory.clear()
			walls, own := r.Below(40), anywhere()
			for y := range size[1] {
				for x := range size[0] {
					if at := (point{int16(x), int16(y)}); at == own || r.Below(100) >= round%4*10 {
						memory.set(boardKnown, x, y)
						if at != own && r.Below(100) < walls {
							memory.set(boardWall+r.Below(2), x, y)
						}
					}
				}
			}
			b := &body{at: own, clock: second, enchanted: r.Below(4) > 0}
			if shrine := anywhere(); r.Below(4) > 0 {
				memory.set(boardShrine, int(shrine.x), int(shrine.y))
			}
			for range r.Below(6) {
				food, enemy := anywhere(), anywhere()
				memory.set([]int{boardApple, boardFlytrap, boardTreasure}[r.Below(3)], int(food.x), int(food.y))
				memory.sight(sighting{at: enemy, friend: r.Below(3) == 0,
					time: b.clock - int64(r.Below(25))*millisecond})
			}
			m.found, m.bumps[west], m.bumped[west] = 0, own.toward(west), r.Below(8) == 0
			for aim := range numAims {
				var near gp.Quad
				m.way(b, aim, &near)
				for d := north; d <= east; d++ {
					if want := m.walk(b, aim, d); near[d.clockwise()] != want {
						t.Fatalf("map %d, round %d, aim %d: %v near to the %s, want %v", i, round, aim,
							near[d.clockwise()], d, want)
					}
				}
			}
		}
	}
}

// walk is way by a search from the square in a direction.
func (m *evolvedMind) walk(b *body, aim int, d direction) float32 {
	from := b.at.toward(d)
	blocked := func(p point) bool { return m.memory.has(boardWall, p) || m.memory.has(boardHazard, p) }
	if blocked(from) || m.bumped[d] && m.bumps[d] == from {
		return 0
	}
	enemies := map[point]bool{}
	for _, s := range m.memory.seen[:m.memory.count] {
		enemies[s.at] = enemies[s.at] || !s.friend && b.clock-s.time <= sightSpan && s.at != b.at
	}
	there := func(p point) bool {
		switch aim {
		case toFood:
			return m.memory.has(boardApple, p) || m.memory.has(boardFlytrap, p) ||
				m.memory.has(boardTreasure, p)
		case toEnemy:
			return enemies[p]
		case toShrine:
			return b.enchanted && m.memory.has(boardShrine, p)
		}
		return !m.memory.has(boardKnown, p)
	}
	steps, line := map[point]int{from: 0}, []point{from}
	for ; len(line) > 0 && steps[line[0]] < waySteps; line = line[1:] {
		p := line[0]
		if there(p) {
			return 1 - float32(steps[p])/waySteps
		}
		if blocked(p) || !m.memory.has(boardKnown, p) {
			continue
		}
		for d := north; d <= east; d++ {
			if _, seen := steps[p.toward(d)]; !seen {
				steps[p.toward(d)] = steps[p] + 1
				line = append(line, p.toward(d))
			}
		}
	}
	return 0
}

// Rows that other rows follow keep their numbers: a genome of a creature without keen senses is
// read as it was, and plays the same game where it has them.
func TestKeenSensesChangeNoOther(t *testing.T) {
	plain, with := short(t, "arena", 1, nil), short(t, "arena", 1, keen)
	text := plain.Grammar().Print(enginetest.Kept(t, plain, "fighter"))
	rover := func(g *game) gp.Genome { return proof.Must(g.Grammar().Parse(text))(t) }
	for seed := range uint64(3) {
		a := player(t, plain, "superrover")
		proof.Is(t, with.Play([]engine.Player{must(with.Bind(rover(with))), a}, seed, nil),
			plain.Play([]engine.Player{must(plain.Bind(rover(plain))), a}, seed, nil), "the game")
	}
}
