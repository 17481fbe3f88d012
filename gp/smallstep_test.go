package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"clade/gp"
	"clade/gp/proof"
)

// familyGrammar has two slots for moves, an eighth of a turn apart, and one of its own.
func familyGrammar() *gp.Grammar {
	return gp.MustGrammar(gp.Spec{
		Slots: []gp.Slot{
			{Name: "straight", Type: gp.Float, Family: "move"},
			{Name: "diagonal", Type: gp.Float, Family: "move", Heading: -1},
			{Name: "stay", Type: gp.Float},
		},
		Operators: append(gp.Shared(), gp.ScalarSensor("time", 0), gp.ScalarSensor("points", 1),
			gp.AreaSensor("isFood", gp.Any, 0), gp.AreaSensor("isEnemy", gp.Any, 1),
			gp.AreaSensor("food", gp.Count, 0)),
		Scalars: 2,
		Layers:  []gp.Layer{{Name: "food"}, {Name: "enemy"}},
		Window:  gp.Window{Side: 11, Wrap: true}, Rects: gp.PaperRects,
	})
}

// Every small step makes a sound child within the limits, and leaves its parent alone.
func TestSmallStepsKeepTypesAndLimits(t *testing.T) {
	g := familyGrammar()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a := drawGenome(t, g, r, "a")
		v := gp.PaperVariation
		v.MaxDepth = rapid.IntRange(8, 12).Draw(t, "limit")
		v.MaxNodes = rapid.IntRange(0, 100).Draw(t, "nodes")
		v.DepthFair = rapid.Bool().Draw(t, "fair")
		before := g.Print(a)
		for step := range gp.SmallSteps {
			c := g.Step(r, step, a, &v)
			if err := g.Check(c); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			for _, tree := range c {
				if depth := g.Depth(tree); depth > v.MaxDepth {
					t.Fatalf("step %d: depth %d of %d", step, depth, v.MaxDepth)
				}
			}
			if n := c.Size(); v.MaxNodes > 0 && n > max(v.MaxNodes, a.Size()) {
				t.Fatalf("step %d: %d nodes of %d, the parent has %d", step, n, v.MaxNodes, a.Size())
			}
			switch changed := changedTrees(a, c); {
			case step == gp.Perturbation && c.Size() != a.Size():
				t.Fatal("a perturbation changed the shape")
			case step == gp.Hoist && c.Size() > a.Size():
				t.Fatal("a hoist made the genome larger")
			case step == gp.Insertion && c.Size() < a.Size():
				t.Fatal("an insertion made the genome smaller")
			case step == gp.PairedInsertion && changed != 0 && changed != 2 && changed != 1,
				step != gp.PairedInsertion && changed > 1:
				t.Fatalf("step %d changed %d trees", step, changed)
			}
		}
		if g.Print(a) != before {
			t.Fatal("a small step wrote to its parent")
		}
	})
}

// Depth-fair insertion puts as many operators above the root of a deep tree as anywhere else on the
// way down, where the other draw nearly never does.
func TestDepthFairInsertionReachesTheRoot(t *testing.T) {
	g := familyGrammar()
	r := rand.New(rand.NewPCG(1, 2))
	a := make(gp.Genome, 3)
	for i := range a {
		if a[i] = g.Full(r, gp.Float, 7); i == 1 {
			a[1] = a[0] // or most pairs match at the root
		}
	}
	v := gp.PaperVariation
	v.MaxDepth = 20
	for _, step := range []gp.SmallStep{gp.Insertion, gp.PairedInsertion} {
		var share [2]float64
		for fair := range share {
			v.DepthFair = fair == 1
			roots, all := 0, 0
			for range 2000 {
				c := g.Step(r, step, a, &v)
				for i := range c {
					if len(c[i]) > len(a[i]) {
						all++
						if contains(c[i], a[i]) {
							roots++
						}
					}
				}
			}
			share[fair] = float64(roots) / float64(all)
		}
		// a way down has about seven nodes
		if share[0] > 0.05 || share[1] < 0.1 || share[1] > 0.5 {
			t.Errorf("step %d: shares %.3f of insertions are above the root", step, share)
		}
	}
}

// contains tells whether a tree holds another one whole.
func contains(t, part gp.Tree) bool {
	for i := range len(t) - len(part) + 1 {
		if slices.Equal(t[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func changedTrees(a, b gp.Genome) int {
	n := 0
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			n++
		}
	}
	return n
}

// Each small step of the trees in the table gives one of the wanted children, and all of them.
func TestSmallSteps(t *testing.T) {
	g := familyGrammar()
	v := gp.PaperVariation
	for _, test := range []struct {
		step gp.SmallStep
		from string
		to   []string // where an operator's grown arguments are not told
	}{
		{gp.Perturbation, "points points points", []string{"points points points",
			"time points points", "points time points", "points points time"}},
		{gp.Hoist, "(add points time) points points", []string{"points points points",
			"time points points", "(add points time) points points"}},
		{gp.Transfer, "points time time", []string{"points points time",
			"time time time", "points time time"}},
		{gp.Transfer, "(food (rect 0 -2 3 1)) time time", []string{
			"(food (rect 0 -2 3 1)) (food (rect -2 -2 3 1)) time", "time time time",
			"(food (rect 0 -2 3 1)) time time"}},
	} {
		a := proof.Must(g.Parse(test.from))(t)
		got := map[string]bool{}
		for seed := range uint64(400) {
			c := g.Step(rand.New(rand.NewPCG(seed, 1)), test.step, a, &v)
			got[g.Print(c)] = true
		}
		for _, want := range test.to {
			w := proof.Must(g.Parse(want))(t)
			if !got[g.Print(w)] {
				t.Errorf("step %d of %s never gives %s", test.step, test.from, want)
			}
			delete(got, g.Print(w))
		}
		for other := range got {
			t.Errorf("step %d of %s gives %s", test.step, test.from, other)
		}
	}
}

// A paired insertion into equal trees keeps them equal but for the turn.
func TestPairedInsertionTurns(t *testing.T) {
	g := familyGrammar()
	v := gp.PaperVariation
	a := proof.Must(g.Parse("(mul points time) (mul points time) points"))(t)
	both := 0
	for seed := range uint64(500) {
		c := g.Step(rand.New(rand.NewPCG(seed, 2)), gp.PairedInsertion, a, &v)
		if changedTrees(a, c) != 2 || !slices.Equal(c[2], a[2]) {
			continue // the third slot has no family
		}
		both++
		if len(c[0]) != len(c[1]) {
			t.Fatalf("trees of %d and %d nodes", len(c[0]), len(c[1]))
		}
		for i, n := range c[0] {
			want := n
			if g.Operators[n.Op].Form == gp.RectC {
				want = gp.RectNode(n.Op, n.Rect().Turned(-1))
			}
			if c[1][i] != want {
				t.Fatalf("seed %d: %s", seed, g.Print(c))
			}
		}
	}
	if both < 200 {
		t.Errorf("only %d of 500 changed both", both)
	}
}

func TestTurned(t *testing.T) {
	for x := int8(-4); x <= 4; x++ {
		for y := int8(-4); y <= 4; y++ {
			q := gp.Rect{X: x, Y: y, W: 3, H: 1}
			proof.Is(t, q.Turned(8), q, "%v turned by eight eighths", q)
			tx, ty := gp.Turn(int(x), int(y), 1)
			proof.Is(t, q.Turned(2), gp.Rect{X: int8(tx), Y: int8(ty), W: 1, H: 3},
				"%v turned by a quarter", q)
			if got := q.Turned(3).Turned(-3); got.X != x || got.Y != y {
				t.Errorf("%v turned forth and back is %v", q, got)
			}
		}
	}
}
