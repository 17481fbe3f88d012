package evolve

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/proof"
)

// Two iterations computed apart, with numpy 1.24, by Hansen's "The CMA Evolution Strategy: A
// Tutorial" (2016), with Ros and Hansen's factor of (n+2)/3 in both rates of the variances. With 40
// samples of two numbers, damping has its last term: 4.0948.
func TestSearchStep(t *testing.T) {
	search := newCMA([]float64{0.5, -0.2, 0.1}, 0.3, 8)
	search.learn([][]float64{{0.9, -0.1, 0.3}, {0.6, 0.2, 0.1}, {0.4, -0.5, 0.2}, {0.8, -0.3, -0.4}})
	search.learn([][]float64{{1.2, 0.1, 0.2}, {1, -0.4, 0.6}, {0.7, 0.3, 0}, {0.9, 0, 0.3}})
	for j, want := range []float64{1.025, -0.025, 0.29375} {
		proof.Near(t, "mean", search.mean[j], want, 1e-12)
	}
	for j, want := range []float64{1.7785744636321927, 0.8088879888438922, 0.7695988932763791} {
		proof.Near(t, "variance", search.variance[j], want, 1e-12)
	}
	proof.Near(t, "step", search.step, 0.3306335884268115, 1e-12)
	proof.Near(t, "damping", newCMA([]float64{0, 0}, 0.3, 40).damp, 4.094765196298406, 1e-12)
}

// The search finds the least of a badly scaled bowl from ranks alone, closer than any gradient-free
// search of one step size would, and turns away from no number.
func TestSearchFindsTheBottomOfABowl(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	for _, n := range []int{1, 2, 10, 30} {
		start := slices.Repeat([]float64{0.7}, n)
		search, w := newCMA(start, tuneStep, tuneSamples), newWorker()
		height := func(x []float64) float64 {
			sum := 0.0
			for i, v := range x {
				d := v + 0.3
				sum += d * d * math.Pow(100, float64(i)/float64(n))
			}
			return sum
		}
		for i := range 150 + 20*n {
			r := w.seeded(engine.Seed(i))
			points := make([][]float64, tuneSamples)
			for j := range points {
				points[j] = search.sample(r)
			}
			slices.SortFunc(points, func(x, y []float64) int {
				return cmp.Compare(height(x), height(y))
			})
			search.learn(points)
		}
		// the least step keeps it from the very bottom
		if before, h := height(start), height(search.mean); !(h < 1e-4*before) {
			t.Errorf("%d numbers: from %v to %v only", n, before, h)
		}
	}
}

// Points that were all moved to the end of a range take the mean there, and leave numbers.
func TestSearchStaysAtTheEndOfARange(t *testing.T) {
	search, w := newCMA([]float64{0.5, 0.5, 0.5}, tuneStep, tuneSamples), newWorker()
	for i := range 20_000 {
		r := w.seeded(engine.Seed(i))
		points := make([][]float64, tuneSamples)
		for j := range points {
			points[j] = search.sample(r)
			for k, v := range points[j] {
				points[j][k] = min(1, v)
			}
		}
		slices.SortFunc(points, func(x, y []float64) int {
			return cmp.Compare(y[0]+y[1], x[0]+x[1]) // the third does nothing
		})
		search.learn(points)
	}
	x := search.mean
	if !(x[0] > 0.99 && x[0] <= 1 && x[1] > 0.99 && x[1] <= 1) || math.IsNaN(x[2]) ||
		math.IsInf(x[2], 0) || !(search.step >= leastStep) {
		t.Errorf("it came to %v with the step %v", x, search.step)
	}
}

// tuner returns a breeder whose game a function decides, and a champion of its last generation that
// is the number 0, with others of the past.
func tuner(t *testing.T, beats func(a, b float64, random *engine.Random) int, games int,
	seed uint64) (*breeder, *champion, []*Individual) {
	t.Helper()
	c := small()
	c.Champion.Tune = games
	s := setup(t, c)
	g := newNumbers(beats)
	s.Game, s.Seed = g, seed
	b := s.breeder(t.Context())
	var past []*Individual
	for i := range 5 {
		past = append(past, b.newIndividual(uint64(i), g.constant(float32(i-2)/2)))
	}
	in := b.newIndividual(77, g.constant(0))
	return b, &champion{in, c.Generations - 1, 0, record{Games: 3}, false}, past
}

// Where the greater number wins, with noise, tuning raises the number; the games are all that were
// asked for, and the champion itself stays as it was.
func TestTuningRaisesTheNumber(t *testing.T) {
	better := func(a, b float64, random *engine.Random) int {
		return greater(a+float64(3*random.Float()), b+float64(3*random.Float()), nil)
	}
	raised := 0
	for seed := range uint64(10) {
		b, c, past := tuner(t, better, 40_000, seed)
		tuned, games, err := b.tune(c, past)
		proof.OK(t, err)
		proof.Is(t, games, 40_000, "games")
		if c.tuned || c.Genome[0][0].Float() != 0 {
			t.Error("the champion has changed")
		}
		v := tuned.Genome[0][0].Float()
		if tuned.tuned != (v != 0) || tuned.ID != 77 || tuned.generation != c.generation {
			t.Errorf("%v: %+v", v, tuned)
		}
		if v > 0.8 && tuned.record.Games >= 10_000 && tuned.record.Wins > tuned.record.Losses {
			raised++
		}
	}
	if raised < 9 {
		t.Errorf("%d of 10 numbers were raised", raised)
	}
}

// Where constants do nothing, tuning takes place by chance alone: in 2.3 % of seeds.
func TestTuningByChanceIsRefused(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	coin := func(_, _ float64, random *engine.Random) int { return random.Below(2) }
	taken := 0
	const seeds = 150
	for seed := range uint64(seeds) {
		b, c, past := tuner(t, coin, 10_000, seed)
		tuned, _, err := b.tune(c, past)
		proof.OK(t, err)
		if tuned.tuned {
			taken++
		} else if tuned != c {
			t.Fatal("another champion")
		}
	}
	if taken > 10 { // the chance of that is one in a thousand
		t.Errorf("%d of %d were taken", taken, seeds)
	}
	tied := func(_, _ float64, _ *engine.Random) int { return engine.Tie }
	b, c, past := tuner(t, tied, 10_000, 1)
	if tuned, _, err := b.tune(c, past); err != nil || tuned != c {
		t.Errorf("of ties alone: %v, %v", tuned, err)
	}
}

// A champion without float constants stays as it is, and nothing is played.
func TestNothingToTune(t *testing.T) {
	b, c, past := tuner(t, greater, 10_000, 1)
	op, ok := b.grammar.Lookup("constint")
	if !ok {
		t.Fatal("no constint")
	}
	whole := gp.Tree{gp.ConstNode(op, 2)}
	c.Individual = b.newIndividual(3, gp.Genome{whole, whole})
	if tuned, games, err := b.tune(c, past); err != nil || games != 0 || tuned != c {
		t.Errorf("%v, %d games, %v", tuned, games, err)
	}
}

// Only the last champion is tuned: all before it are those of the run without.
func TestOnlyTheLastChampionIsTuned(t *testing.T) {
	c := small()
	c.Weights = map[string]int{"constint": 0}
	c.Variation.MaxDepth, c.Founders.MaxDepth = 3, 2
	s := setup(t, c)
	s.Game = newNumbers(greater)
	plain, _ := evolved(t, s)
	s.Config.Champion.Tune = 40_000
	path, done := evolved(t, s)
	want, have := contents(t, plain), contents(t, path)
	for g := range c.Generations - 1 {
		if name := rundir.ChampionFile(g); want[name] == "" || want[name] != have[name] {
			t.Errorf("champion %d differs", g)
		}
	}
	last := have[rundir.ChampionFile(c.Generations-1)]
	if !done.Champion.Tuned || !strings.Contains(last, `"tuned champion of generation 11`) {
		t.Errorf("%+v\n%s", done.Champion, last)
	}
	_, trees, _ := strings.Cut(last, "(slot")
	if strings.HasSuffix(want[rundir.ChampionFile(c.Generations-1)], trees) {
		t.Error("the last champion has the constants that it had")
	}
}
