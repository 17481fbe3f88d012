package darwin

import (
	"testing"

	"clade/engine"
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
			if got := m.frame.Scalar(numScalars + aim)[d.clockwise()]; got != want {
				t.Errorf("%s: aim %d is %v near to the %s, want %v", when, aim, got, d, want)
			}
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

// Rows that other rows follow keep their numbers: a genome of a creature without keen senses is
// read as it was, and plays the same game where it has them.
func TestKeenSensesChangeNoOther(t *testing.T) {
	plain, with := short(t, "arena", 1, nil), short(t, "arena", 1, keen)
	text := plain.Grammar().Print(kept(t, plain, "fighter.species"))
	rover := func(g *game) gp.Genome { return proof.Must(g.Grammar().Parse(text))(t) }
	for seed := range uint64(3) {
		a := player(t, plain, "superrover")
		proof.Is(t, with.Play([]engine.Player{must(with.Bind(rover(with))), a}, seed, nil),
			plain.Play([]engine.Player{must(plain.Bind(rover(plain))), a}, seed, nil), "the game")
	}
}
