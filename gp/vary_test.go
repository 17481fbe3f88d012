package gp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"clade/gp"
	"clade/gp/proof"
)

// drawGenome draws a checked random genome.
func drawGenome(t *rapid.T, g *gp.Grammar, r *rand.Rand, label string) gp.Genome {
	depth := rapid.IntRange(1, 8).Draw(t, label+" depth")
	ge := g.Ramped(r, depth, depth)
	if err := g.Check(ge); err != nil {
		t.Fatalf("Ramped: %v", err)
	}
	return ge
}

// TestOperatorsKeepTypesAndLimits holds every operator to its word: what it makes type-checks and
// keeps the limits, the same draws make the same, and parents stay as they were.
func TestOperatorsKeepTypesAndLimits(t *testing.T) {
	spec := testSpec(true)
	for i, heading := range []int{0, -1} {
		spec.Slots[i].Family, spec.Slots[i].Heading = "move", heading
	}
	g := gp.MustGrammar(spec)
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 0))
		v := gp.PaperVariation
		v.CrossoverKind = rapid.SampledFrom([]string{"", gp.SizeFairCrossover,
			gp.HomologousCrossover}).Draw(t, "kind")
		v.Slots = rapid.IntRange(1, 4).Draw(t, "slots")
		v.Exchange = rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "exchange")
		a, b := drawGenome(t, g, r, "a"), drawGenome(t, g, r, "b")
		deepest := 0
		for _, tree := range slices.Concat(a, b) {
			deepest = max(deepest, g.Depth(tree))
		}
		v.MaxDepth = rapid.IntRange(deepest, 12).Draw(t, "limit")
		v.MaxNodes = rapid.IntRange(0, 100).Draw(t, "nodes")
		before := g.Print(a) + g.Print(b)
		c, d := g.Cross(rand.New(rand.NewPCG(seed, 1)), a, b, &v)
		if e, f := g.Cross(rand.New(rand.NewPCG(seed, 1)), a, b, &v); g.Print(c) != g.Print(e) ||
			g.Print(d) != g.Print(f) {
			t.Fatal("the same draws made other children")
		}
		children := map[string]gp.Genome{"cross": c, "cross, second": d,
			"mutate": g.Mutate(r, a, &v), "constants": g.MutateConstants(r, a, &v)}
		v.DepthFair = rapid.Bool().Draw(t, "fair")
		for n := range 4 * gp.SmallSteps {
			step := n % gp.SmallSteps
			c := g.Step(r, step, a, &v)
			children[fmt.Sprint("step ", n)] = c
			switch changed := changedTrees(a, c); {
			case step == gp.Perturbation && c.Size() != a.Size():
				t.Fatal("a perturbation changed the shape")
			case step == gp.Hoist && c.Size() > a.Size():
				t.Fatal("a hoist made the genome larger")
			case step == gp.Insertion && c.Size() < a.Size():
				t.Fatal("an insertion made the genome smaller")
			case changed > 1 && (step != gp.PairedInsertion || !slices.Equal(a[2], c[2])):
				t.Fatalf("step %d changed %d trees", step, changed) // the last has no sibling
			}
		}
		for what, child := range children {
			if err := g.Check(child); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			most := a.Size()
			if what == "cross, second" {
				most = b.Size()
			}
			if most = max(most, v.MaxNodes); v.MaxNodes > 0 && child.Size() > most {
				t.Fatalf("%s: %d nodes of %d", what, child.Size(), most)
			}
			for _, tree := range child {
				if depth := g.Depth(tree); depth > v.MaxDepth {
					t.Fatalf("%s: depth %d of %d", what, depth, v.MaxDepth)
				}
			}
		}
		if g.Print(a)+g.Print(b) != before {
			t.Fatal("an operator wrote to its parents")
		}
		v.MaxDepth, v.MaxNodes, v.CrossoverKind = 1000, 0, ""
		if c, d := g.Cross(r, a, b, &v); c.Size()+d.Size() != a.Size()+b.Size() {
			t.Fatalf("crossover without a limit made %d nodes of %d", c.Size()+d.Size(), a.Size()+b.Size())
		}
	})
	// at both limits a leaf still takes the place of another
	full := proof.Must(g.Parse("(add time hope) (add time hope) (add time hope)"))(t)
	leaf, large, changed := gp.PaperVariation, gp.PaperVariation, 0
	leaf.MaxDepth, leaf.MaxNodes, leaf.GrowDepth, large.MaxNodes = 2, 9, 1, 9
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		proof.Is(t, max(9, g.Mutate(r, full, &large).Size()), 9, "nodes of at most 9")
		if c := g.Mutate(r, full, &leaf); c.Size() == 9 {
			changed += changedTrees(full, c)
		}
	}
	proof.Is(t, changed > 0, true, "a leaf has been changed")
}

// TestExchange exchanges trees alone: each with its chance, but for those that a limit keeps.
func TestExchange(t *testing.T) {
	g := testGrammar(true)
	small := proof.Must(g.Parse("time time time"))(t)
	large := proof.Must(g.Parse("(add time time) (add time time) (add time time)"))(t)
	const draws, keep = 4000, 0.7 * 0.7 * 0.7
	for most, want := range map[int][4]float64{ // by exchanged trees, each of which adds 2 nodes to 3
		0: {keep, 3 * 0.7 * 0.7 * 0.3, 3 * 0.7 * 0.3 * 0.3, 0.3 * 0.3 * 0.3}, 6: {keep, 1 - keep},
	} {
		v := gp.Variation{Exchange: 0.3, MaxDepth: 2, MaxNodes: most}
		var first, second [4]float64
		r := rand.New(rand.NewPCG(1, 2))
		for range draws {
			c, _ := g.Cross(r, small, large, &v)
			_, d := g.Cross(r, large, small, &v)
			first[(c.Size()-3)/2] += 1.0 / draws
			second[(d.Size()-3)/2] += 1.0 / draws
		}
		for k := range want {
			proof.Near(t, "exchanged", first[k], want[k], 0.03)
			proof.Near(t, "exchanged", second[k], want[k], 0.03)
		}
	}
}

// TestConstantMoves has the mean squares of moves by hand: a third of all is -1, 0 or 1 each; a
// normal number of 1/3, cut at three deviations, has 0.995/9. A perturbation is one to three changes
// of one of three trees. Of these four in five move a constant, by 1 or a normal number of 0.1; the
// others give a node another operator, so that (add ..) is another one in 4.16 % of the children.
func TestConstantMoves(t *testing.T) {
	g := testGrammar(true)
	from := proof.Must(g.Parse("(add (const 0) (constint 2)) (noFood (rect 0 0 3 3)) (const 0)"))(t)
	v := gp.Variation{Slots: 3, Inner: 1}
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		vary               func() gp.Genome
		first, whole, last float64
		number, added      float64 // of a rectangle; share of other operators
	}{
		"all": {func() gp.Genome { return g.MutateConstants(r, from, &v) },
			0.995 / 9, 2. / 3, 0.995 / 9, 2. / 3, 0},
		"perturbation": {func() gp.Genome { return g.Step(r, gp.Perturbation, from, &v) },
			0.008 / 3, 0.8 / 3, 0.016 / 3, 0.4 / 3, 0.0416},
	} {
		const draws = 20000
		var sum, squares [7]float64
		added := 0.0
		for range draws {
			to := c.vary()
			if to[0][0] != from[0][0] {
				added += 1.0 / draws
			}
			if name == "all" && (to[0][1] == from[0][1] || to[2][0] == from[2][0]) {
				t.Fatal("a tree has not been varied")
			}
			q := to[1][1].Rect()
			for i, x := range [...]float64{float64(to[0][1].Float()), float64(to[0][2].Float()) - 2,
				float64(to[2][0].Float()), float64(q.X), float64(q.Y), float64(q.W) - 3, float64(q.H) - 3} {
				sum[i] += x / draws
				squares[i] += x * x / draws
			}
		}
		proof.Near(t, name+": other operators", added, c.added, 0.006)
		for i, want := range [7]float64{c.first, c.whole, c.last, c.number, c.number, c.number,
			c.number} {
			proof.Near(t, name+": mean", sum[i], 0, 5*math.Sqrt(want/draws))
			proof.Near(t, name+": mean square", squares[i], want, 0.06*want)
		}
	}
}

func TestPrintParseIsIdentity(t *testing.T) {
	g := testGrammar(true)
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		ge := drawGenome(t, g, r, "genome")
		back, err := g.Parse(g.Print(ge))
		if err != nil || g.Print(back) != g.Print(ge) {
			t.Fatalf("%v\n%s\n%s", err, g.Print(ge), g.Print(back))
		}
		for i := range ge {
			for j := range ge[i] {
				if ge[i][j] != back[i][j] {
					t.Fatalf("node %d of tree %d changed", j, i)
				}
			}
		}
		s := &gp.Species{Game: "test2", Version: 3, Origin: []string{`a "quoted" line; no comment`,
			"", "ж\n"}, Genome: ge}
		text := g.PrintSpecies(s)
		again, err := gp.ParseSpecies(text, anyGame(g))
		if err != nil || g.PrintSpecies(again) != text {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

func anyGame(g *gp.Grammar) func(string, int) (*gp.Grammar, error) {
	return func(string, int) (*gp.Grammar, error) { return g, nil }
}

func TestParseErrorsNameThePlaceAndTheRemedy(t *testing.T) {
	g := testGrammar(true)
	for text, want := range map[string]string{
		"(add hope": "line 1, column 10: a name of type Float is " +
			"needed here, not the end of the text",
		"hope\nhope\n(add hope hope": "line 3, column 1: the bracket that opens here " +
			"is never closed",
		"(add hope isFood)":                      `"isFood" is of type Bool, and Float is needed here`,
		"(add hope (noFood hope))":               `"hope" is of type Float, and Area is needed here; for example rect`,
		"(add hope (nofood (rect 0 0 1 1)))":     `unknown name "nofood", did you mean "noFood"?`,
		"(add hope 2) hope hope":                 `"2" is a number: write (const …) in -1..1 or (constint …) in 0..5`,
		"(const 1.01) hope hope":                 "const 1.01 is not in -1..1",
		"(const -1.01) hope hope":                "const -1.01 is not in -1..1",
		"(constint 6) hope hope":                 "constint 6 is not a whole number in 0..5",
		"(constint -1) hope hope":                "constint -1 is not a whole number in 0..5",
		"(const NaN) hope hope":                  "const NaN is not in -1..1",
		"(constint 2.5) hope hope":               "constint 2.5 is not a whole number in 0..5",
		"(noFood (rect 0 0 x 1)) hope hope":      "needs four whole numbers",
		"(const x) hope hope":                    `"const" needs a number here, not "x"`,
		"hope hope hope hope":                    `"hope" stands behind the last of 3 trees`,
		"add hope hope hope":                     `"add" takes arguments: write (add …)`,
		"(hope hope) hope hope":                  `"hope" is complete, and ) is needed here`,
		") hope":                                 `a name of type Float is needed here, not ")"`,
		`"hope" hope hope`:                       `a name of type Float is needed here, not "hope"`,
		strings.Repeat("(add hope ", 2000) + "1": "deeper than 1000",
	} {
		proof.Fails(g.Parse(text))(t, want)
	}
	for _, rect := range []string{"-5 0 1 1", "5 0 1 1", "0 -5 1 1", "0 5 1 1", "0 0 0 1", "0 0 6 1",
		"0 0 1 0", "0 0 1 6"} {
		proof.Fails(g.Parse("(noFood (rect "+rect+")) hope hope"))(t,
			"the centre must lie in -4..4 and the sides in 1..5")
	}
	for text, want := range map[string]string{
		"": `this is not a species`,
		"(species test 1": "(origin …), (slot …) or the closing ) is needed here, " +
			"not the end of the text",
		"(species test x)":               "a species starts with the name of its game",
		"(species test 0)":               "a species starts with the name of its game",
		"(species test 1)":               `the species has no tree for slot "straight"; add (slot straight …)`,
		"(species test 1 (slt a b))":     `unknown part of a species "slt", did you mean "slot"?`,
		"(species test 1 (slot strait))": `unknown slot "strait", did you mean "straight"?`,
		"(species test 1 (origin x))": "an origin is a text in " +
			"double quotes",
		"(species test 1 (slot straight hope) (slot straight hope))":                               `slot "straight" stands twice`,
		"(species test 1 (slot straight hope) (slot diagonal hope) (slot stay hope)) x":            "one file holds one",
		"(species test 1 (slot straight hope) (slot diagonal hope) (slot stay hope x))":            `")" is needed here, not "x"`,
		"(species test 1 (origin \"a)\n  (slot straight hope) (slot diagonal hope) (slot stay 1))": "line",
	} {
		proof.Fails(gp.ParseSpecies(text, anyGame(g)))(t, want)
	}
}

func FuzzParseSpecies(f *testing.F) {
	g := testGrammar(false)
	r := rand.New(rand.NewPCG(9, 9))
	for range 5 {
		f.Add(g.PrintSpecies(&gp.Species{Game: "test", Version: 1, Origin: []string{"here"},
			Genome: g.Ramped(r, 2, 6)}))
	}
	f.Add("(species test 1 (origin \"x\") (setting a.b -0) (setting c [1,2.50]) (setting d \"\") " +
		"(slot straight (const -0)) (slot diagonal hope) (slot " +
		"stay (constint 5)))")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := gp.ParseSpecies(text, anyGame(g))
		if err != nil {
			return
		}
		if err := g.Check(s.Genome); err != nil {
			t.Fatalf("accepted what Check refuses: %v", err)
		}
		if h, err := gp.ParseHeader(text); err != nil || !slices.EqualFunc(h.Settings, s.Settings,
			func(a, b gp.Setting) bool { return a.String() == b.String() }) {
			t.Fatalf("its head has the settings %v, and the species %v; %v", h, s.Settings, err)
		}
		printed := g.PrintSpecies(s)
		again := proof.Must(gp.ParseSpecies(printed, anyGame(g)))(t)
		proof.Is(t, g.PrintSpecies(again), printed, "what comes back")
	})
}

func TestGrammarRefusals(t *testing.T) {
	for want, change := range map[string]func(*gp.Spec){
		"of type Area, of which no finite tree exists": func(
			s *gp.Spec) {
			s.Operators = append(s.Operators[:2:2], s.Operators[3:]...)
		},
		`operator "dig" has an unknown form`: func(s *gp.Spec) {
			s.Operators = append(s.Operators, gp.Operator{Name: "dig", Form: gp.Call + 1})
		},
		`slot "straight" is of type Bool`: func(s *gp.Spec) {
			s.Slots[0].Type = gp.Bool
			s.Operators = []gp.Operator{{Name: "one", Form: gp.Scalar, Result: gp.Float}}
		},
		`operator name "add" stands twice`: func(s *gp.Spec) {
			s.Operators = append(s.Operators, s.Operators[3])
		},
		`operator "hope" reads number 1 of 1`: func(s *gp.Spec) { s.Scalars = 1 },
		"needs Float(Area)": func(s *gp.Spec) {
			s.Operators = append(s.Operators, gp.Operator{Name: "bad", Form: gp.Count, Result: gp.Float})
		},
		`layer "visited" has none`: func(s *gp.Spec) {
			s.Operators = append(s.Operators, gp.AreaSensor("bad", gp.Sum, 2))
		},
		"changes under a quarter turn":      func(s *gp.Spec) { s.Layers[2].Extent.Set(0); s.Layers[2].Extent.Set(120) },
		"the window's side must be odd":     func(s *gp.Spec) { s.Window.Side = 33 },
		"a grammar has 1 to 64 slots":       func(s *gp.Spec) { s.Slots = nil },
		`slot name "straight" stands twice`: func(s *gp.Spec) { s.Slots[1].Name = "straight" },
		`its tree from "diagonal", which is no slot before it`: func(s *gp.Spec) {
			s.Slots[0].From = "diagonal"
		},
	} {
		spec := testSpec(true)
		change(&spec)
		proof.Fails(gp.NewGrammar(spec))(t, want)
	}
}

func TestVariationCheck(t *testing.T) {
	for want, change := range map[string]func(*gp.Variation){
		"the chance crossover must be in 0..1": func(v *gp.Variation) { v.Crossover = -1 },
		"add up to":                            func(v *gp.Variation) { v.Mutation = 0.5 },
		"must be at least 1":                   func(v *gp.Variation) { v.Slots = 0 },
		"the chance exchange must be in 0..1":  func(v *gp.Variation) { v.Exchange = 1.1 },
		"did you mean \"subtree\"":             func(v *gp.Variation) { v.CrossoverKind = "subtre" },
	} {
		v := gp.PaperVariation
		change(&v)
		proof.Says(t, v.Check(), want)
	}
	for step, v := range []gp.Variation{{Perturbation: 1}, {Hoist: 1}, {Insertion: 1},
		{PairedInsertion: 1}, {Transfer: 1}, {Crossover: 1, CrossoverKind: gp.SubtreeCrossover}} {
		v.MaxDepth, v.GrowDepth, v.Slots, v.Exchange, v.Inner = 1, 1, 1, 1, 1
		proof.OK(t, v.Check())
		proof.Is(t, v.SmallSteps(), step < int(gp.SmallSteps), "small steps of %+v", v)
	}
}

// TestGrowShapes checks that full trees reach their depth, and that grown ones vary.
func TestGrowShapes(t *testing.T) {
	g := testGrammar(true)
	r := rand.New(rand.NewPCG(1, 1))
	depths := map[int]int{}
	for range 500 {
		// Only rectangles, of which no larger tree exists, may end a path of a full tree early.
		full := g.Full(r, gp.Float, 6)
		for i, n := range full {
			if args := g.Operators[n.Op].Args; len(args) == 0 && g.Type(n) != gp.Area &&
				levelOf(g, full, i) != 6 {
				t.Fatalf("a full tree of depth 6 has a leaf at depth %d", levelOf(g, full, i))
			}
		}
		depths[g.Depth(g.Grow(r, gp.Float, 6))]++
		if d := g.Depth(g.Grow(r, gp.Bool, 1)); d != g.TypeDepth(gp.Bool) {
			t.Fatalf("a Bool tree that has no room has depth %d", d)
		}
	}
	if len(depths) < 4 || depths[7] > 0 {
		t.Errorf("depths of grown trees: %v", depths)
	}
}

// levelOf counts the subtrees that hold node i.
func levelOf(g *gp.Grammar, t gp.Tree, i int) int {
	level := 0
	for j := 0; j <= i; j++ {
		if g.End(t, j) > i {
			level++
		}
	}
	return level
}
