package gp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// testSpec is a vocabulary with every form of sensor, on a torus or on an open window.
func testSpec(wrap bool) gp.Spec {
	w := gp.Window{Side: 11, Wrap: wrap}
	return gp.Spec{
		Slots: []gp.Slot{{Name: "straight"}, {Name: "diagonal"}, {Name: "stay"}},
		Operators: append(gp.Shared(),
			gp.ScalarSensor("time", 0), gp.ScalarSensor("hope", 1), gp.FlagSensor("hungry", 0),
			gp.FlagSensor("late?", 1),
			gp.AreaSensor("isFood", gp.Any, 0), gp.AreaSensor("noFood", gp.Sum, 0),
			gp.AreaSensor("leastFood", gp.Least, 0),
			gp.AreaSensor("mostFood", gp.Greatest, 0), gp.AreaSensor("isEnemy", gp.Any, 1),
			gp.AreaSensor("noEnemy", gp.Count, 1),
			gp.AreaSensor("noVisited", gp.Count, 2)),
		Scalars: 2, Flags: 2,
		Layers: []gp.Layer{
			{Name: "food", Unit: 1.0 / 4096},
			{Name: "enemy", Extent: w.Square(2), Single: true},
			{Name: "visited"},
		},
		Window: w,
		Rects:  gp.PaperRects,
	}
}

func testGrammar(wrap bool) *gp.Grammar { return gp.MustGrammar(testSpec(wrap)) }

// rowSpec is a vocabulary with rows of weights and exact rectangles.
func rowSpec() gp.Spec {
	s := testSpec(false)
	s.Window = gp.Window{Side: 7}
	s.Layers[0].Rows, s.Layers[1].Extent = true, s.Window.Square(2)
	s.Rects = gp.RectRange{Centre: 3, Side: 7, Exact: true}
	s.Operators = slices.DeleteFunc(s.Operators,
		func(op gp.Operator) bool { return op.Form == gp.Least || op.Form == gp.Greatest })
	return s
}

// situations of the test vocabulary: nothing known, no enemy, an enemy, and a game without what the
// first scalar and the second flag say.
var situations = []gp.Situation{{}, {Empty: 1 << 1}, {Present: 1 << 1},
	{Zero: 1 << 0, Unset: 1 << 1}}

// fillFrame draws a random frame in which the situation holds.
func fillFrame(r *rand.Rand, g *gp.Grammar, f *gp.Frame, situation int) {
	f.SetScalar(0, float32(r.IntN(36)))
	for k := range gp.Lanes {
		f.Scalar(1)[k] = float32(r.IntN(3))
	}
	f.Flags[0], f.Flags[1] = uint8(r.IntN(16)), uint8(r.IntN(2)*15)
	if situation == 3 {
		f.SetScalar(0, 0)
		f.Flags[1] = 0
	}
	f.Layers = [gp.MaxLayers]gp.Bits{}
	density := r.Float64()
	var rows [7]uint64
	for i := range g.Window.Side * g.Window.Side {
		if r.Float64() < density*density {
			f.Layers[0].Set(i)
			if f.Rows[0] != nil {
				rows[i/7] |= uint64(r.IntN(256)) << (i % 7 * 8)
			} else {
				f.Weights[0][i] = int32(r.IntN(4097))
			}
		}
		if r.Float64() < density {
			f.Layers[2].Set(i)
		}
	}
	if f.Rows[0] != nil {
		f.Rows[0].Set(&rows)
	}
	if situation == 2 || situation == 0 && r.IntN(2) == 0 {
		i, _ := g.Window.Cell(r.IntN(5)-2, r.IntN(5)-2)
		f.Layers[1].Set(i)
	}
}

// evolved returns a genome after many crossovers among random ones, so that it has the size and the
// repetition of evolved ones.
func evolved(r *rand.Rand, g *gp.Grammar, generations int) gp.Genome {
	population := make([]gp.Genome, 8)
	for i := range population {
		population[i] = g.Ramped(r, 2, 6)
	}
	v := gp.PaperVariation
	for range generations {
		a, b := r.IntN(8), r.IntN(8)
		c, d := g.Cross(r, population[a], population[b], &v)
		if c.Size() < population[a].Size() {
			c = d
		}
		population[a] = g.MutateConstants(r, g.Mutate(r, c, &v), &v)
		if population[b].Size() > 400 {
			population[b] = g.Ramped(r, 2, 6)
		}
	}
	return population[r.IntN(8)]
}

// checkExecutors compares Eval and EvalLane with Walk bit for bit (all NaNs count as one).
func checkExecutors(t *testing.T, r *rand.Rand, g *gp.Grammar, c *gp.Compiler, f *gp.Frame,
	ge gp.Genome, frames int) {
	t.Helper()
	code := proof.Must(c.Compile(ge))(t)
	code.Load(f)
	for range frames {
		for s := range situations {
			fillFrame(r, g, f, s)
			for slot, tree := range ge {
				var got gp.Quad
				code.Eval(slot, s, f, &got)
				for k := range gp.Lanes {
					if want := g.Walk(tree, f, k); !same(got[k], want) {
						t.Fatalf("slot %d, situation %d, turn %d: compiled %v, walked %v\n%s", slot,
							s, k, got[k], want, g.PrintTree(tree))
					}
				}
				for k := range gp.Lanes {
					if alone := code.EvalLane(slot, s, k, f); !same(alone, got[k]) {
						t.Fatalf("slot %d, situation %d, turn %d: %v alone, %v among four\n%s",
							slot, s, k, alone, got[k], g.PrintTree(tree))
					}
				}
			}
		}
	}
}

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func TestExecutorsAgree(t *testing.T) {
	proof.Slow(t)
	for _, g := range []*gp.Grammar{testGrammar(true), testGrammar(false), gp.MustGrammar(rowSpec())} {
		c, f := gp.NewCompiler(g, situations...), g.NewFrame()
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 1500 {
			ge := g.Ramped(r, 1, 8)
			if i%3 == 0 {
				ge = evolved(r, g, 40)
			}
			checkExecutors(t, r, g, c, f, ge, 6)
		}
	}
}

func FuzzExecutorsAgree(f *testing.F) {
	f.Add(uint64(1), uint64(2), true)
	f.Add(uint64(7), uint64(100), false)
	// which take longer to make than all else
	grammars := map[bool]*gp.Grammar{true: testGrammar(true), false: testGrammar(false)}
	f.Fuzz(func(t *testing.T, seed, generations uint64, wrap bool) {
		g := grammars[wrap]
		r := rand.New(rand.NewPCG(seed, 1))
		checkExecutors(t, r, g, gp.NewCompiler(g, situations...), g.NewFrame(),
			evolved(r, g, int(generations%200)), 4)
	})
}

func TestEvalAllocatesNothing(t *testing.T) {
	g := testGrammar(true)
	r := rand.New(rand.NewPCG(3, 4))
	f := g.NewFrame()
	code := proof.Must(gp.NewCompiler(g, situations...).Compile(evolved(r, g, 60)))(t)
	code.Load(f)
	fillFrame(r, g, f, 0)
	var values gp.Quad
	proof.Is(t, testing.AllocsPerRun(100,
		func() { code.Load(f); code.Eval(0, 0, f, &values); code.EvalLane(0, 0, 1, f) }), 0,
		"what Eval and EvalLane allocate")
}

func TestCompilerRefuses(t *testing.T) {
	spec := testSpec(true)
	spec.Operators = append(spec.Operators, gp.Operator{Name: "eat", Form: gp.Foreign,
		Result: gp.Float})
	g := gp.MustGrammar(spec)
	eat, _ := g.Lookup("eat")
	c := gp.NewCompiler(g)
	for want, ge := range map[string]gp.Genome{
		"has no executor":        {{gp.Leaf(eat)}, {gp.Leaf(eat)}, {gp.Leaf(eat)}},
		"the genome has 1 trees": {{gp.Leaf(eat)}},
	} {
		proof.Fails(c.Compile(ge))(t, want)
	}
	add, _ := g.Lookup("add")
	clock, _ := g.Lookup("time")
	var tall gp.Tree
	for range 20000 {
		tall = append(tall, gp.Leaf(add), gp.Leaf(clock))
	}
	tall = append(tall, gp.Leaf(clock))
	proof.Fails(c.Compile(gp.Genome{tall, tall, tall}))(t, "at most 16000 can be compiled")
}

func ExampleGrammar_Parse() {
	g := testGrammar(true)
	ge, err := g.Parse("(add hope (noFood (rect 0 -2 3 3))) time (const 0.5)")
	if err != nil {
		panic(err)
	}
	fmt.Println(g.PrintTree(ge[0]), ge.Size())
	_, err = g.Parse("(add hope (noFod (rect 0 -2 3 3))) time time")
	fmt.Println(err)
	// Output:
	// (add hope (noFood (rect 0 -2 3 3))) 6
	// gp: line 1, column 12: unknown name "noFod", did you mean "noFood"?
}

// BenchmarkEval computes a grown random genome in one random situation.
func BenchmarkEval(b *testing.B) {
	g := testGrammar(true)
	r := rand.New(rand.NewPCG(5, 6))
	f := g.NewFrame()
	ge := evolved(r, g, 60)
	code := proof.Must(gp.NewCompiler(g, situations...).Compile(ge))(b)
	code.Load(f)
	fillFrame(r, g, f, 1)
	var values gp.Quad
	b.ReportMetric(float64(ge.Size()), "nodes")
	for b.Loop() {
		code.Eval(0, 1, f, &values)
	}
}

// BenchmarkCompile compiles a grown random genome.
func BenchmarkCompile(b *testing.B) {
	g := testGrammar(true)
	c := gp.NewCompiler(g, situations[1:]...)
	ge := evolved(rand.New(rand.NewPCG(5, 6)), g, 60)
	b.ReportAllocs()
	b.ReportMetric(float64(ge.Size()), "nodes")
	for b.Loop() {
		proof.Must(c.Compile(ge))(b)
	}
}

// TestExactRectangles holds what a rectangle of given sides covers; with BrilliANT's reading no
// single diagonal cell can be named.
func TestExactRectangles(t *testing.T) {
	g := gp.MustGrammar(rowSpec())
	for _, tt := range []struct {
		rect                gp.Rect
		x, y, width, height int // of the first cell, from the actor
	}{
		{gp.Rect{X: 0, Y: 0, W: 7, H: 7}, -3, -3, 7, 7},
		{gp.Rect{X: -1, Y: -1, W: 1, H: 1}, -1, -1, 1, 1},
		{gp.Rect{X: 0, Y: -2, W: 2, H: 3}, 0, -3, 2, 3},
		{gp.Rect{X: -2, Y: -2, W: 4, H: 4}, -3, -3, 4, 4},
		{gp.Rect{X: 3, Y: 3, W: 7, H: 5}, 0, 1, 4, 3}, // beyond the window nothing
	} {
		want := make([]bool, 49)
		for y := range tt.height {
			for x := range tt.width {
				i, _ := g.Window.Cell(tt.x+x, tt.y+y)
				want[i] = true
			}
		}
		proof.Are(t, g.Covers(tt.rect, 0), want, "what %v covers", tt.rect)
	}
	for d := -5; d <= 5; d++ {
		_, inRow := g.Window.Cell(d, 0)
		_, inColumn := g.Window.Cell(0, d)
		proof.Is(t, [2]bool{inRow, inColumn}, [2]bool{d*d <= 9, d*d <= 9}, "whether %d is inside", d)
	}
}

func TestRowsAreChecked(t *testing.T) {
	for _, spoil := range []func(*gp.Spec){
		func(s *gp.Spec) { s.Window.Side = 9 },
		func(s *gp.Spec) { s.Layers[0].Unit = 0 },
		func(s *gp.Spec) { s.Operators = append(s.Operators, gp.AreaSensor("least", gp.Least, 0)) },
	} {
		s := rowSpec()
		spoil(&s)
		proof.Fails(gp.NewGrammar(s))(t, `layer "food"`)
	}
	for _, level := range kernels.Available()[1:] {
		proof.Fails(gp.MustGrammar(rowSpec()).NewBatch(level))(t, "rows of layer")
	}
}

// TestWeights counts the roots of grown trees.
func TestWeights(t *testing.T) {
	s := rowSpec()
	add := slices.IndexFunc(s.Operators, func(op gp.Operator) bool { return op.Name == "add" })
	s.Operators[add].Weight = 3
	g := gp.MustGrammar(s)
	r := rand.New(rand.NewPCG(4, 4))
	var roots [2]int // add, sub
	for range 20_000 {
		switch g.Operators[g.Full(r, gp.Float, 2)[0].Op].Name {
		case "add":
			roots[0]++
		case "sub":
			roots[1]++
		}
	}
	if ratio := float64(roots[0]) / float64(roots[1]); ratio < 2.7 || ratio > 3.3 {
		t.Errorf("an operator of weight 3 is %v times as frequent as one of weight 1", ratio)
	}
	s.Operators[add].Weight = -2
	proof.Fails(gp.NewGrammar(s))(t, "0 to 100 are possible")
}

// TestSignature changes, one by one, what decides how saved genomes are read, and what does not.
func TestSignature(t *testing.T) {
	base := testGrammar(true).Signature()
	for name, change := range map[string]struct {
		spec func(*gp.Spec)
		same bool
	}{
		"nothing":  {func(*gp.Spec) {}, true},
		"a weight": {func(s *gp.Spec) { s.Operators[3].Weight = 2 }, true},
		"order": {func(s *gp.Spec) { o := s.Operators; o[3], o[4] = o[4], o[3] },
			false},
		"a name": {func(s *gp.Spec) { s.Operators[3].Name = "plus" }, false},
		"a type": {
			func(s *gp.Spec) { s.Operators[17] = gp.AreaSensor("noFood", gp.Any, 0) }, false},
		"an operator": {func(s *gp.Spec) { s.Operators = s.Operators[:len(s.Operators)-1] },
			false},
		"the order of slots": {func(s *gp.Spec) { s.Slots[0], s.Slots[1] = s.Slots[1], s.Slots[0] },
			false},
		"the type of a slot": {func(s *gp.Spec) { s.Slots[2].Type = gp.Bool }, false},
		"a range":            {func(s *gp.Spec) { s.Rects.Centre-- }, false},
	} {
		s := testSpec(true)
		change.spec(&s)
		proof.Is(t, gp.MustGrammar(s).Signature() == base, change.same,
			"with another %s the signature stays", name)
	}
}
