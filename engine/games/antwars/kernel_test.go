package antwars

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/export/exporttest"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// TestPlanes holds that every cell a layer may hold stands in a plane that is filled.
func TestPlanes(t *testing.T) {
	g := New().Grammar()
	if planes[planeFood].layer != layerFood || planes[planeVisited].layer != layerVisited ||
		planes[planeEmpty].layer != layerEmpty || planes[planeEnemy].layer != layerEnemy {
		t.Errorf("the planes are not in the order of their names: %v", planes)
	}
	for l, layer := range g.Layers {
		for cell := range cells {
			to := struct{ layer, plane int }{l, g.PlaneBit(cell) / 32}
			if layer.Extent.Has(cell) && !slices.Contains(planes[:], to) {
				t.Fatalf("layer %q: cell %d stands in plane %d, which is not filled", layer.Name,
					cell, to.plane)
			}
		}
	}
}

// TestUnknownSensors holds that a sensor which is not filled, or not written in C, is refused.
func TestUnknownSensors(t *testing.T) {
	for what, s := range map[string]sensor{
		"a form":   {name: "x", form: gp.Flag, c: "x"},
		"a weight": {name: "x", form: gp.Least, index: layerFood, c: "x"},
		"a source": {name: "x", form: gp.Scalar, index: 4, of: numSources, sign: 1, c: "x"},
		"a source of keen ants": {name: "x", form: gp.Scalar, index: 4, of: countFound, sign: 1,
			c: "x"},
		"a route of keen ants": {name: "x", form: gp.Scalar, index: 4, of: routeAhead, c: "x"},
		"a win of keen ants": {name: "x", with: keen, form: gp.Scalar, index: 6, of: winAhead,
			c: "x"},
		"a second hope":      {name: "x", form: gp.Scalar, index: 4, of: foodAhead, c: "x"},
		"a sign":             {name: "x", form: gp.Scalar, index: 4, sign: 2, c: "x"},
		"a scalar":           {name: "x", form: gp.Scalar, index: 5, sign: 1, c: "x"},
		"a layer":            {name: "x", form: gp.Any, index: len(planes), c: "x"},
		"weights of a layer": {name: "x", form: gp.Sum, index: layerVisited, c: "x"},
		"no text in C":       {name: "x", form: gp.Any, index: layerFood},
	} {
		if _, _, err := vocabulary(append(slices.Clone(sensors), s), ofPaper, ""); err == nil {
			t.Errorf("a sensor of %s that nobody knows is accepted", what)
		}
	}
	spec := New().Grammar().Spec
	spec.Operators = append(slices.Clone(spec.Operators), gp.ScalarSensor("age", 0))
	g := &game{grammar: gp.MustGrammar(spec)}
	ge := proof.Must(g.grammar.Parse("age foodHope"))(t)
	proof.Fails(g.contestC(ge))(t, `"age"`)
}

// TestNewSensor holds that a sensor of keen ants which is added in one row moves ants alike here,
// in contest's C and in exported programs; the games are the game's own.
func TestNewSensor(t *testing.T) {
	proof.Costly(t)
	rows := append(slices.Clone(sensors), sensor{name: "foodFound", with: keen, form: gp.Scalar,
		sign: 1, of: countFound, c: "F"})
	for _, s := range []settings{{KeenSenses: true}, {KeenSenses: true, Foresight: true}} {
		g := proof.Must(gameOf(rows, kernels.Scalar, s))(t)
		ge := proof.Must(g.grammar.Parse("(if (isSmaller foodFound (constint 3)) foodRoute (sub " +
			"(noEmpty (rect 0 -1 3 3)) (noUnseen (rect 0 -1 5 3)))) (mul foodFound foodRoute)"))(t)
		sameMovesInC(t, g, []gp.Genome{ge})
		ant := newSpy(t, g, ge)
		for n := uint64(0); len(ant.moves) < 1000; n++ {
			g.Play([]engine.Player{ant, hyper{}}, n, nil)
		}
		for _, language := range []string{"c", "python"} {
			source := proof.Must(g.Export(ge, export.Origin{Name: "newcomer"}, language))(t)
			exporttest.Compare(t, exporttest.Answers(t, language, source, ant.lines.String()), ant.moves)
		}
	}
}

// someBatch is a batch in the middle of games, as far as chance can make one: ants anywhere, with
// any memory.
func someBatch(r *rand.Rand) *batch {
	b := new(batch)
	for g := range b.prints {
		b.prints[g], b.steps[g] = r.Uint64(), r.Uint32N(70)
	}
	for i := range b.sides {
		s := &b.sides[i]
		s.begin(r.Uint32(), batchSize)
		s.moved, s.alive, s.fed = r.Uint32N(1<<16), r.Uint32N(1<<16), r.Uint32N(1<<16)
		for g := range batchSize {
			s.row[g], s.col[g], s.heading[g], s.points[g] = r.Uint32N(width), r.Uint32N(width),
				r.Uint32N(8), r.Uint32N(8)
			for k := range 2 {
				s.known[k][g], s.visited[k][g], b.food[k][g] = someCells(r, k), someCells(r, k), someCells(r, k)
			}
		}
		s.pasts = r.Uint32N(pieces)
		for j := range s.pasts {
			s.used[j] = r.Uint32N(1 << 16)
			for g := range batchSize {
				s.past[j].row[g], s.past[j].col[g], s.past[j].seen[g] = r.Uint32N(width),
					r.Uint32N(width), r.Uint32N(17)
			}
		}
	}
	return b
}

func someCells(r *rand.Rand, half int) uint64 {
	return r.Uint64() & r.Uint64() & r.Uint64() & [2]uint64{everywhere.Low, everywhere.High}[half]
}

// TestKernelsAgree runs every kernel and its plain twin from the same state, and compares all that
// they leave behind.
func TestKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g := keenGame(t)
	for _, level := range kernels.Available()[1:] {
		k := routineOf(level)
		x, y := loaded(t, g, level), loaded(t, g, level)
		for range 2000 {
			b := someBatch(r)
			twin := *b
			ant, who := r.IntN(2), 1+r.Uint32N(1<<16-1)
			var time numbers
			for i := range time {
				time[i] = 17 + r.Uint32N(18)
			}
			near, lost := plainRoutine.look(b, ant)
			if n, l := k.look(&twin, ant); n != near || l != lost || twin != *b {
				t.Fatalf("%v: look: near %x and lost %x instead of %x and %x, or another state",
					level, n, l, near, lost)
			}
			plainRoutine.recall(b, ant, &time)
			if k.recall(&twin, ant, &time); twin != *b {
				t.Fatalf("%v: recall", level)
			}
			plainRoutine.enter(b, ant, &time, who, x)
			k.enter(&twin, ant, &time, who, y)
			tracks := someTracks(r)
			other := tracks
			var v, twins vista
			plainRoutine.track(b, ant, &tracks, &v, who, near)
			k.track(&twin, ant, &other, &twins, who, near)
			if !sameTracks(&tracks, &other, &v, &twins, who) {
				t.Fatalf("%v: track %x, near %x", level, who, near)
			}
			plainRoutine.draw(&v, &b.sides[ant], who, who, x)
			k.draw(&v, &twin.sides[ant], who, who&-who, y)
			k.draw(&v, &twin.sides[ant], 0, who, y)
			if !sameEntries(b, &twin, who, x, y) {
				t.Fatalf("%v: enter or draw %x", level, who)
			}
			var straight, diagonal gp.LaneFloats
			for i := range straight {
				straight[i], diagonal[i] = someUtility(r), someUtility(r)
			}
			plainRoutine.choose(&straight, &diagonal, who, &b.sides[ant].heading)
			if k.choose(&straight, &diagonal, who,
				&twin.sides[ant].heading); twin.sides[ant].heading != b.sides[ant].heading {
				t.Fatalf("%v: choose %v instead of %v of %v and %v", level, twin.sides[ant].heading,
					b.sides[ant].heading, straight, diagonal)
			}
			twin.sight = b.sight // compared already, and lanes of no game hold anything
			killed := plainRoutine.march(b, ant, who)
			if got := k.march(&twin, ant, who); got != killed || twin != *b {
				t.Fatalf("%v: march %x: killed %x instead of %x, or another state", level, who, got, killed)
			}
		}
	}
}

// someTracks is what keen ants may know in the middle of games.
func someTracks(r *rand.Rand) (t tracked) {
	for game := range batchSize {
		for k := range 2 {
			for _, set := range []*grounds{&t.seen, &t.food, &t.hunter, &t.hunted} {
				set[k][game] = someCells(r, k)
			}
		}
	}
	return t
}

// sameTracks compares what track leaves behind: of games where it is nobody's turn what was before.
func sameTracks(a, b *tracked, v, w *vista, who uint32) bool {
	same := a.seen == b.seen && a.food == b.food && a.hunter == b.hunter && a.hunted == b.hunted
	for ; who != 0; who &= who - 1 {
		i := bits.TrailingZeros32(who)
		same = same && a.view.of(i) == b.view.of(i) && a.fresh.of(i) == b.fresh.of(i) &&
			a.late.of(i) == b.late.of(i) && a.fading.of(i) == b.fading.of(i)
		for l := range v.cells {
			same = same && v.cells[l].of(i) == w.cells[l].of(i)
		}
	}
	return same
}

// loaded is a batch with the code of BrilliANT.
func loaded(t *testing.T, g *game, level kernels.Level) *gp.Batch {
	b := proof.Must(g.grammar.NewBatch(level))(t)
	b.Load(proof.Must(g.brilliant())(t).(*species).code)
	return b
}

// sameEntries compares what enter and draw have drawn for some games.
func sameEntries(p, twin *batch, who uint32, a, b *gp.Batch) bool {
	n := gp.Lanes * bits.OnesCount32(who)
	same := a.Far(layerFood).N == b.Far(layerFood).N
	for lane := range n {
		for _, to := range planes {
			same = same && a.Layer(to.layer)[to.plane][lane] == b.Layer(to.layer)[to.plane][lane]
		}
		for l := layerUnseen; l <= layerHunter; l++ {
			for p := range a.Layer(l) {
				same = same && a.Layer(l)[p][lane] == b.Layer(l)[p][lane]
			}
		}
		for s := range scalarFoodHope + 1 {
			same = same && a.Scalar(s)[lane] == b.Scalar(s)[lane]
		}
		same = same && p.sight.hope[lane] == twin.sight.hope[lane]
		for j := range a.Far(layerFood).N {
			x, y := a.Far(layerFood), b.Far(layerFood)
			same = same && x.Index[j][lane] == y.Index[j][lane] &&
				x.Bit[j][lane] == y.Bit[j][lane] && x.Weight[j][lane] == y.Weight[j][lane]
		}
	}
	return same
}

// someUtility returns a number that is often the same as another, or none.
func someUtility(r *rand.Rand) float32 {
	switch r.IntN(12) {
	case 0:
		return float32(math.NaN())
	case 1:
		return float32(math.Inf(1))
	case 2:
		return float32(math.Inf(-1))
	case 3:
		return float32(math.Copysign(0, -1))
	default:
		return float32(r.IntN(5) - 2)
	}
}

// utilities plays a game move by move and returns what its ants give for every decision: straight
// and diagonal moves.
func utilities(players []engine.Player, seed uint64, ar *arena) (all [2][][2]gp.Quad) {
	b := deal(seed)
	for time := range rounds {
		for ant, p := range players {
			if b.dead[ant] {
				continue
			}
			if time == 0 {
				ar.memory[ant].begin(0)
			}
			sp, m, s := p.(*species), &ar.memory[ant], ar.sense[ant]
			sp.code.Load(s.frame)
			s.frame.For(sp.code)
			m.update(&b, ant, time)
			s.believe(m)
			straight, diagonal := sp.utilities(m, s)
			all[ant] = append(all[ant], [2]gp.Quad{straight, diagonal})
			b.move(ant, sp.choose(m, s))
		}
	}
	return all
}

// TestLockstepUtilities compares every utility in 10,000 games among 400 grown ants, and in a tenth
// as many among keen ones, of all executors, bit for bit.
func TestLockstepUtilities(t *testing.T) {
	proof.Slow(t)
	for _, with := range perceptions[:3] {
		matches := 625
		if proof.Quick() || with.settings.KeenSenses {
			matches = 60
		}
		for _, level := range kernels.Available()[1:] {
			t.Run(with.name+level.String(), func(t *testing.T) {
				g := makeGame(level, with.settings)
				agreeOnUtilities(t, g, enginetest.Bound(t, g, with.ants(t, 400)...), matches)
			})
		}
	}
}

// agreeOnUtilities plays matches, every fourth no further than decides it, and compares every
// utility of their decisions to that of the decision alone.
func agreeOnUtilities(t *testing.T, g *game, players []engine.Player, matches int) {
	ar, s := newArena(g), newScratch(g, g.level)
	choose, routine := s.routine.choose, *s.routine
	s.routine = &routine
	compared := 0
	for i := range matches {
		jobs := match(nil, players[i%400], players[(i*7+1)%400], uint64(i), 8)
		want := make([][2][][2]gp.Quad, len(jobs))
		for k, job := range jobs {
			want[k] = utilities(job.Players, job.Seed, ar)
		}
		routine.choose = func(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers) {
			ant := 0
			if heading == &s.batch.sides[1].heading {
				ant = 1
			}
			lane := 0
			for game := range jobs {
				if who>>game&1 == 0 {
					continue
				}
				seat := s.seat(ant, game)
				next := want[game][seat][0]
				want[game][seat] = want[game][seat][1:]
				for k := range gp.Lanes {
					if !sameFloat(next[0][k], straight[lane]) || !sameFloat(next[1][k], diagonal[lane]) {
						t.Fatalf("match %d, game %d, seat %d, turn %d: utilities %v and %v, alone %v "+
							"and %v", i, game, seat, k, straight[lane], diagonal[lane], next[0][k],
							next[1][k])
					}
					lane++
					compared += 2
				}
			}
			choose(straight, diagonal, who, heading)
		}
		stops := i%4 == 3
		if s.play(jobs, make([]engine.Result, len(jobs)), stops); stops {
			continue
		}
		for game := range want {
			for seat, left := range want[game] {
				if len(left) > 0 {
					t.Fatalf("match %d, game %d, seat %d: %d decisions are missing", i, game, seat,
						len(left))
				}
			}
		}
	}
	if compared < matches/4*3*16*50*8 {
		t.Errorf("only %d utilities compared", compared)
	}
}

func sameFloat(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// FuzzBatch plays games between random genomes in lockstep and alone.
func FuzzBatch(f *testing.F) {
	f.Add(uint64(1), uint8(12))
	f.Add(uint64(99), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8) {
		for _, with := range perceptions {
			for _, level := range kernels.Available()[1:] {
				r, g := rand.New(rand.NewPCG(seed, 1)), makeGame(level, with.settings)
				players := enginetest.Bound(t, g, g.grammar.Ramped(r, 1, 8),
					g.grammar.Ramped(r, 1, 8))
				var jobs []engine.Job
				for range n % 40 {
					i := r.IntN(2)
					jobs = append(jobs, engine.Job{Seed: r.Uint64(),
						Players: []engine.Player{players[i], players[r.IntN(2)]}})
				}
				checkBatch(t, g, jobs)
			}
		}
	})
}

func TestBatchAllocatesNothing(t *testing.T) {
	for _, with := range perceptions {
		for _, level := range kernels.Available()[1:] {
			g := makeGame(level, with.settings)
			p := enginetest.Bound(t, g, with.ants(t, 2)...)
			jobs := match(nil, p[0], p[1], 1, 6)
			results := make([]engine.Result, len(jobs))
			s := newScratch(g, level)
			s.play(jobs, results, false)
			proof.Is(t, testing.AllocsPerRun(20, func() { s.play(jobs, results, false) }), 0,
				"%s%v: allocations", with.name, level)
		}
	}
}
