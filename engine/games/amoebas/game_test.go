package amoebas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

// small returns a game in a small world.
func small(t testing.TB, change func(*Settings)) *game {
	t.Helper()
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 16, 40
	if change != nil {
		change(&s)
	}
	g := proof.Must(New().With(&s))(t)
	return g.(*game)
}

func TestGameKeepsThePromises(t *testing.T) {
	proof.Slow(t)
	t.Run("plain", func(t *testing.T) { enginetest.Run(t, small(t, nil)) })
	t.Run("memory", func(t *testing.T) {
		enginetest.Run(t, small(t, func(s *Settings) {
			s.Memory, s.Sizes, s.Order, s.Placement, s.MercyRound = true, []int{7, 9, 12},
				"classic", "spaced", 10
			s.ViewDistance, s.Rounds = 2, 25
		}))
	})
}

var _ interface {
	engine.Game
	engine.Recordable
	engine.Roster
	engine.Adjustable
} = (*game)(nil)

func TestMemory(t *testing.T) {
	s := DefaultSettings()
	s.Rounds = 2
	g := proof.Must(newGame(s))(t)
	a := newArena(g.sizes[0].geometry())
	p := proof.Must(g.Bind(g.grammar.Ramped(rand.New(rand.NewPCG(1, 1)), 2, 2)))(t)
	g.seat(a, []engine.Player{p, p}, nil)
	a.play(1)
	w, geo := &a.world, a.g
	bytes := func(v any) int {
		r := reflect.ValueOf(v)
		return r.Cap() * int(r.Type().Elem().Size())
	}
	total := int(reflect.TypeOf(*a).Size())
	for _, v := range []any{w.fuel, w.plane(planeEnergy), w.plane(planeHealth),
		w.occupied, w.who, w.data,
		w.present, w.queue, w.species[0], w.species[1], geo.row, geo.rows, geo.column, geo.copies,
		geo.order, geo.rank} {
		total += bytes(v)
	}
	for _, m := range a.view.minds {
		if m == nil {
			continue
		}
		total += int(reflect.TypeOf(*m).Size())
		if m.single != nil {
			total += int(reflect.TypeOf(*m.single).Size()) + int(reflect.TypeOf(*m.solo).Size())
		} else {
			total += int(reflect.TypeOf(*m.frame).Size())
			for i, weights := range m.frame.Weights {
				if weights != nil {
					total += int(reflect.TypeOf(*weights).Size())
				}
				if rows := m.frame.Rows[i]; rows != nil {
					total += int(reflect.TypeOf(*rows).Size())
				}
			}
		}
	}
	if total >= 1_000_000 {
		t.Errorf("a world of the original's size takes %d bytes; a megabyte is the limit", total)
	}
	t.Logf("%d bytes", total)
}

// TestDecisionsAllocateNothing plays full games between hand-written and bred players.
func TestDecisionsAllocateNothing(t *testing.T) {
	g := small(t, func(s *Settings) { s.Memory = true })
	r := rand.New(rand.NewPCG(3, 3))
	var bred []engine.Player
	for range 2 {
		bred = append(bred, proof.Must(g.Bind(g.grammar.Ramped(r, 3, 6)))(t))
	}
	for _, players := range [][]engine.Player{{brainy{10, 70, mostEnergy}, caesar{}},
		{mutating{brainy{10, 70, mostEnergy}, 0.3, 1}, divider{0.3}},
		{untitled{}, theroots{}, amoeboiz{}, necrosis{}},
		{alarmed{crowd: 11, fragile: 3, huddle: 5}, covid{}}, bred} {
		proof.Is(t, testing.AllocsPerRun(3, func() { g.Play(players, 1, nil) }), 0,
			"allocations in a game of %T", players)
	}
}

// TestEvolvedChooses compares bred players' decisions with those by the oracle's utilities.
func TestEvolvedChooses(t *testing.T) {
	g := small(t, func(s *Settings) { s.Memory = true })
	r := rand.New(rand.NewPCG(9, 9))
	for range 10 {
		genome := g.grammar.Ramped(r, 2, 6)
		p := proof.Must(g.Bind(genome))(t)
		judge := &oracle{t: t, g: g, genome: genome, evolved: p.(*evolved)}
		g.Play([]engine.Player{judge, brainy{10, 60, mostEnergy}, judge}, r.Uint64(), nil)
		if judge.decisions == 0 {
			t.Error("no decisions")
		}
	}
}

// oracle is a bred function that is checked at each decision.
type oracle struct {
	t         *testing.T
	g         *game
	genome    gp.Genome
	evolved   *evolved
	decisions int
}

func (o *oracle) Act(v *view) action {
	draws := v.Random
	start := draws.Below(8)
	v.Random = fixed(start)
	defer func() { v.Random = draws }()
	a := o.evolved.Act(v)
	if want := o.choose(v, start); a != want {
		o.t.Fatalf("decision %+v; want %+v", a, want)
	}
	o.decisions++
	return a
}

// choose states the rule of choice plainly.
func (o *oracle) choose(v *view, start int) action {
	utility := func(slot int, turns int) float32 {
		return orLeast(o.g.grammar.Walk(o.genome[slot], v.minds[v.Species].frame, turns))
	}
	best, most := action{}, utility(slotRest, 0)
	c := v.constants()
	for i := range 8 {
		d := direction(start+i) & 7
		dx, dy := d.step()
		who, taken := v.occupant(dx, dy)
		diagonal := 1 - int(d)%2
		for _, a := range []struct {
			legal   bool
			command command
			slot    int
		}{
			{!taken && v.Energy >= c.MoveEnergy, doMove, slotMove},
			{taken && who.Species != v.Species && v.Energy >= c.AttackEnergy, doHit, slotHit},
			{!taken && v.Energy >= c.MinDivideEnergy, doDivide, slotDivide},
		} {
			if u := utility(a.slot+diagonal, int(d)/2); a.legal && u > most {
				best, most = action{Command: a.command, Direction: d}, u
			}
		}
	}
	best.Data = toData(o.g.grammar.Walk(o.genome[slotMemory], v.minds[v.Species].frame, 0))
	best.ChildData = best.Data
	return best
}

// orLeast replaces what is not a number by the least utility.
func orLeast(u float32) float32 {
	if u != u {
		return float32(math.Inf(-1))
	}
	return u
}

// fixed is a source of one number.
type fixed int

func (f fixed) Float() float64  { panic("no number was to be drawn") }
func (f fixed) Below(n int) int { return int(f) }

// TestFrame compares every sensor over small rectangles around every cell with the view.
func TestFrame(t *testing.T) {
	for _, most := range []int{100, 300} { // energies that are bytes, and greater ones
		testFrame(t,
			small(t, func(s *Settings) {
				s.Memory, s.ViewDistance, s.MaxAmoebaEnergy = true, 2, most
			}))
	}
}

func testFrame(t *testing.T, g *game) {
	r := rand.New(rand.NewPCG(4, 4))
	c := g.settings.constants
	cells := randomCells(r, &c)
	w := newWorld(g.sizes[0].geometry())
	w.reset(&c, make([]decider, 3))
	for i, s := range cells {
		cell := w.g.cell(i%c.WorldSize, i/c.WorldSize)
		w.setFuel(cell, uint8(s.fuel))
		if i == 0 || s.any {
			w.put(cell, occupant{int16(s.who.Energy), int16(s.who.Health), uint16(s.who.Species),
				uint8(s.who.Species)}, s.who.Data)
		}
	}
	v := view{w: w, round: 7}
	v.look(w.g.cell(0, 0)) // at the corner
	e := &evolved{words: g.words, memory: true, reads: 1<<len(g.words.scalars) - 1<<numCounts,
		weighs: g.words.weighted}
	m := newScratch(e, w, 0)
	e.fill(&v, m, v.occupied(), v.friends())
	value := func(form string) float32 {
		tree := proof.Must(g.grammar.Parse(strings.Repeat("(const 0) ", slotMemory) + form))(t)
		return g.grammar.Walk(tree[slotMemory], m.frame, 0)
	}
	for sensor, want := range map[string]float32{
		"energy": float32(v.Energy) * unitEnergy, "health": float32(v.Health) * unitHealth,
		"ownFuel": float32(v.ownFuel()) * unitEnergy,
		"round":   7 * float32(unitEnergy), "data": float32(v.Data) * unitData,
	} {
		proof.Is(t, value(sensor), want, "%s", sensor)
	}
	const reach = 2
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			width, height := 1+(x+y+2*reach)%3, 1+(x-y+2*reach)%2 // single cells among them
			want := map[string]float32{}
			for cy := y - (height-1)/2; cy <= y+height/2; cy++ {
				for cx := x - (width-1)/2; cx <= x+width/2; cx++ {
					if !v.sees(cx, cy) {
						continue
					}
					want["fuel"] += float32(v.fuel(cx, cy))
					o, taken := v.occupant(cx, cy)
					switch {
					case !taken:
						want["empty"]++
					case cx == 0 && cy == 0:
					case o.Species == v.Species:
						want["friends"]++
						want["friendEnergy"] += float32(o.Energy)
						want["friendData"] += float32(o.Data)
					default:
						want["hostiles"]++
						want["hostileEnergy"] += float32(o.Energy)
						if h := float32(o.Health); want["hostiles"] == 1 || h < want["weakest"] {
							want["weakest"] = h
						}
					}
				}
			}
			for sensor, unit := range map[string]float32{"fuel": unitEnergy, "empty": 1,
				"friends": 1, "hostiles": 1, "friendEnergy": unitEnergy,
				"hostileEnergy": unitEnergy, "weakest": unitHealth, "friendData": unitData} {
				proof.Is(t, value(fmt.Sprintf("(%s (rect %d %d %d %d))", sensor, x, y, width, height)),
					want[sensor]*unit, "%s at (%d, %d), %d x %d,", sensor, x, y, width, height)
			}
		}
	}
}

// TestVariantsAreForgotten holds that a world keeps the functions of children that differ once
// each, and no end of them.
func TestVariantsAreForgotten(t *testing.T) {
	w := newWorld(newGeometry(minWorldSize))
	for i := range 3 * mostVariants {
		f := mutating{brainy{low: i}, 0.5, 1}
		if v := w.variant(f); v != decider(f) || w.variant(f) != v {
			t.Fatalf("%+v for %+v", v, f)
		}
		if n := len(w.variants); n > mostVariants {
			t.Fatalf("%d variants are kept", n)
		}
	}
}

// adopter gives its children another function.
type adopter struct{ child decider }

func (f adopter) Act(v *view) action {
	d, ok := v.richest(v.free())
	a := doDivide.toward(d, ok && v.Energy >= v.constants().MinDivideEnergy)
	a.Child = f.child
	return a
}

// TestChildFunctions holds that children decide by what they were given: a bred function lets them
// memorise, their parent never does.
func TestChildFunctions(t *testing.T) {
	g := small(t, func(s *Settings) { s.Memory, s.Rounds = true, 3 })
	genome := proof.Must(g.grammar.Parse("(constint 5)" + strings.Repeat(" (const 0)", slotMemory-1) +
		" (add round (constint 2))"))(t)
	child := proof.Must(g.Bind(genome))(t)
	a := newArena(g.sizes[0].geometry())
	g.seat(a, []engine.Player{adopter{child.(decider)}}, nil)
	a.play(1)
	remembered := map[datum]int{}
	for _, c := range a.g.order {
		if a.who[c].species != free {
			remembered[a.data[c]]++
		}
	}
	if memory := toData(2 + 2*float32(unitEnergy)); remembered[memory] < 1 || remembered[0] < 1 ||
		len(remembered) != 2 {
		t.Errorf("amoebas by what they remember: %v; want the parent with nothing and its "+
			"children with %d", remembered, memory)
	}
}

// TestShort: the short form has the long one's vocabulary, so a genome fits both, and small
// worlds.
func TestShort(t *testing.T) {
	s := DefaultSettings()
	s.Sizes, s.Memory = []int{24, 200}, true
	long := proof.Must(newGame(s))(t)
	short := long.Short().(*game)
	if got := short.settings; !slices.Equal(got.Sizes, []int{24, 32}) || got.Rounds != 50 ||
		got.WorldSize != 32 {
		t.Errorf("%v of %d rounds, else %d", got.Sizes, got.Rounds, got.WorldSize)
	}
	if !slices.Equal(s.Sizes, []int{24, 200}) || !slices.Equal(long.settings.Sizes, s.Sizes) {
		t.Error("the long form changed")
	}
	a, b := long.Grammar(), short.Grammar()
	if !slices.Equal(a.Slots, b.Slots) || len(a.Operators) != len(b.Operators) {
		t.Error("another vocabulary")
	}
}

// TestTournamentOfSpecies counts three worlds in which all species live, and plays each of them
// once more alone.
func TestTournamentOfSpecies(t *testing.T) {
	g := small(t, nil)
	of := engine.Tournament{Names: []string{"mindless", "theroots", "berit2"}, Rounds: 3, Seed: 5}
	for _, name := range of.Names {
		of.Players = append(of.Players, enginetest.Player(t, g, name))
	}
	lines, err := g.Tournament(t.Context(), of)
	if err != nil || len(lines) != 4 {
		t.Fatal(lines, err)
	}
	energy, first := map[string]float64{}, map[string]int{}
	for i := range uint64(3) {
		r := g.Play(of.Players, uint64(of.Seed.Num(i)), nil)
		for p, name := range of.Names {
			energy[name] += r.Scores[p] / 3
		}
		if w := r.Winner(); w >= 0 {
			first[of.Names[w]]++
		}
	}
	last := math.Inf(1)
	for _, line := range lines[1:] {
		want := fmt.Sprintf("%.2f %d", energy[line[1]], first[line[1]])
		mean, err := strconv.ParseFloat(line[2], 64)
		if got := fmt.Sprintf("%.2f %s", mean, line[3]); got != want || err != nil || mean > last {
			t.Errorf("%q, want %s", line, want)
		}
		last = mean
	}
	of.Players = make([]engine.Player, engine.MaxSeats+1)
	proof.Fails(g.Tournament(t.Context(), of))(t, "has room for")
}
