package darwin

import (
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// fuzzMind acts at random, with a taste for moving and attacking.
type fuzzMind struct{}

func (fuzzMind) decide(b *body) action {
	switch k := b.random.Below(100); {
	case k < 45:
		return action(forward)
	case k < 65:
		return action(attack)
	case k < 73:
		return action(turnLeft)
	case k < 81:
		return action(turnRight)
	case k < 89:
		return action(backward)
	case k < 95:
		return action(observe)
	case k < 97:
		return emitText("fuzz")
	case k < 99 || int(b.id)%7 != 0:
		return action(delay)
	default:
		return action(end)
	}
}

// census counts what the laws speak of.
type census struct {
	creatures, enchanted, hurt int
	clock, spent               int64
}

func (w *world) census() (c census) {
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.alive {
			continue
		}
		c.creatures++
		c.spent += b.clock
		if b.enchanted {
			c.enchanted++
		}
		if w.cells[b.cell] != int16(b.slot)+1 {
			c.hurt++ // does not stand where it says
		}
	}
	c.clock = w.clock
	return c
}

// The laws of the game, on maps of many kinds under both rule sets: creatures are conserved, an
// attack converts one, a hazard makes an apple of one, an ascension trades one for one at most;
// enchantments are conserved but for those that ascensions use up; time never decreases; a creature
// that acts is alive and has spent the least.
func TestLaws(t *testing.T) {
	proof.Slow(t)
	for _, kind := range []string{"random", "evolved"} {
		t.Run(kind, func(t *testing.T) { testLaws(t, kind == "evolved") })
	}
}

// testLaws plays games between creatures that act at random, or between a bred species and random
// genomes.
func testLaws(t *testing.T, bred bool) {
	ascensions, deaths, turns, want := 0, 0, 20_000, 500
	if bred { // they die less often, and take longer to decide
		turns, want = 8000, 150
	}
	for seed := range uint64(24) {
		rules := original()
		if seed%2 == 1 {
			rules = handbook()
		}
		s := arenaSettings{
			Width: 19, Height: 17, Species: 2 + 2*int(seed/2%2), Creatures: 3, Walls: 10, Apples: 3,
			Enchanted: 2, Flytraps: 1,
			Hazards: 3, Mud: 5, Shrines: 3,
		}
		m := generateArena(s, engine.Seed(seed))
		w, minds := new(world), map[int32]mind{}
		dead := map[int32]bool{}
		var colonies []colony
		if bred {
			colonies = bredColonies(t, s, rules.name, seed)
		}
		birth := func(b *body) {
			if minds[b.id] = neutralMind(b.breed); minds[b.id] == nil {
				minds[b.id] = fuzzMind{}
				if bred {
					minds[b.id] = colonies[b.breed.seat()].spawn(b)
				}
			}
		}
		w.begin(newGround(m, &rules, s.Species), &rules, engine.Seed(seed),
			&dice{engine.NewRandom(seed)}, birth, func(b *body) { dead[b.id] = true })
		before := w.census()
		for w.turns < turns && !w.over() {
			b := w.next()
			for _, e := range w.queue {
				if e.time < b.clock {
					t.Fatalf("seed %d, turn %d: creature %d has spent more than another", seed, w.turns, b.id)
				}
			}
			if !b.alive || dead[b.id] {
				t.Fatalf("seed %d, turn %d: the dead act", seed, w.turns)
			}
			id, time, risen, population := b.id, b.clock, w.ascensions, w.population
			w.act(b, minds[b.id].decide(b))
			now := w.census()
			ascended := 0
			for seat := range risen {
				ascended += w.ascensions[seat] - risen[seat]
			}
			checkLaws(t, seed, w, before, now, ascended)
			if b.id == id && b.alive && b.clock <= time {
				t.Fatalf("seed %d, turn %d: time stood still", seed, w.turns)
			}
			changed := 0
			for breed := range population {
				changed += max(0, population[breed]-w.population[breed])
			}
			if changed > 1 {
				t.Fatalf("seed %d, turn %d: %v became %v", seed, w.turns, population, w.population)
			}
			before = now
			ascensions += ascended
		}
		deaths += len(dead)
	}
	if ascensions < 5 && !bred || deaths < want {
		t.Errorf("only %d ascensions and %d deaths put the laws to the test", ascensions, deaths)
	}
}

// fighterTrees are the trees of a duellist that was bred on arenas.
const fighterTrees = `
(mul trail trail)
(sub shrineSide (if (anyUnknown (rect 1 4 5 3)) age (hazards (rect -2 0 5 3))))
(mul (mul trail trail) trail)
(enemies (rect 0 -1 2 2))
(sub age (shrines (rect -2 3 4 4)))
(sub (sub (add (if looked trail time) (constint 0)) (visited (rect -1 2 3 2)))
  (visited (rect 0 1 3 2)))`

// bredColonies founds a colony for every seat of an arena: of that duellist in two of three, of a
// random genome elsewhere.
func bredColonies(t *testing.T, s arenaSettings, rules string, seed uint64) (colonies []colony) {
	g := short(t, "arena", 0, func(all *settings) { all.Arena, all.Rules = s, rules })
	fighter := proof.Must(g.Grammar().Parse(fighterTrees))(t)
	for seat := range uint64(s.Species) {
		ge := fighter
		if (seat+seed)%3 == 2 {
			ge = randomGenome(g, 4*seed+seat, 60)
		}
		colonies = append(colonies, must(g.Bind(ge)).(species).found(briefing{s.Width, s.Height}))
	}
	return colonies
}

func checkLaws(t *testing.T, seed uint64, w *world, before, now census, ascended int) {
	t.Helper()
	lost := before.creatures - now.creatures
	charm := before.enchanted - now.enchanted
	switch {
	case now.hurt > 0:
		t.Fatalf("seed %d, turn %d: %d creatures are not where they are", seed, w.turns, now.hurt)
	case ascended == 0 && (lost != 0 || charm != 0):
		t.Fatalf("seed %d, turn %d: %d creatures and %d enchantments were lost", seed, w.turns,
			lost, charm)
	// at most the apple found no place
	case ascended == 1 && !w.rules.reincarnate && (lost != charm || lost < 0 || lost > 1):
		t.Fatalf("seed %d, turn %d: an ascension cost %d creatures and %d enchantments", seed,
			w.turns, lost, charm)
	case ascended == 1 && w.rules.reincarnate && (lost != 0 || charm != 1):
		t.Fatalf("seed %d, turn %d: an ascension cost %d creatures and %d enchantments", seed,
			w.turns, lost, charm)
	case now.clock <= before.clock:
		t.Fatalf("seed %d, turn %d: the clock went from %d to %d", seed, w.turns, before.clock, now.clock)
	}
}

// A decision needs no memory, neither of steppers nor of evolved creatures.
func TestNoAllocationPerDecision(t *testing.T) {
	g := short(t, "ns_faceoff", 1, nil)
	evolved := must(g.Bind(randomGenome(g, 3, 100)))
	long := short(t, "ns_faceoff", 4, nil)
	still := stepper(func() mind { return new(wanderer) })
	for _, c := range []struct {
		name    string
		players []engine.Player
	}{{"steppers", []engine.Player{still, still}}, {"evolved", []engine.Player{evolved, still}}} {
		count := func(g engine.Game) (allocs float64, steps int) {
			allocs = testing.AllocsPerRun(3, func() { steps = g.Play(c.players, 1, nil).Steps })
			return allocs, steps
		}
		few, fewSteps := count(g)
		many, manySteps := count(long)
		if many > few+20 || manySteps < 2*fewSteps {
			t.Errorf("%s: %v allocations in %d turns, %v in %d", c.name, few, fewSteps, many, manySteps)
		}
	}
}

// The heap keeps its order whatever is done to it.
func FuzzQueue(f *testing.F) {
	f.Add([]byte{1, 2, 3, 200, 100, 255, 0, 7})
	f.Fuzz(func(t *testing.T, moves []byte) {
		var q queue
		slot := int32(0)
		for _, m := range moves {
			switch {
			case m < 160:
				q.push(entry{int64(m % 16), slot})
				slot++
			case m < 208 && len(q) > 0:
				q.pop()
			case len(q) > 0:
				q.remove(q[int(m)%len(q)].slot)
			}
			for i := 1; i < len(q); i++ {
				if q[(i-1)/2].time > q[i].time {
					t.Fatalf("entry %d of %v is smaller than its parent", i, q)
				}
			}
		}
	})
}
