package gp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

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

// TestPlacesOfInsertions counts by hand where an operator is put, which is the only product: at each
// node alike, or at each of a random path down from the root, which areas are no part of. What it
// grows has one to three levels, and passes no limit.
func TestPlacesOfInsertions(t *testing.T) {
	spec := testSpec(true)
	spec.Slots = []gp.Slot{{Name: "a", Family: "move"}, {Name: "b", Family: "move"}}
	spec.Operators = []gp.Operator{gp.ScalarSensor("time", 0),
		gp.AreaSensor("noFood", gp.Sum, 0)}
	for _, op := range gp.Shared() {
		if op.Form == gp.Sub || op.Form == gp.Mul || op.Form == gp.RectC {
			spec.Operators = append(spec.Operators, op)
		}
	}
	g := gp.MustGrammar(spec)
	a := proof.Must(g.Parse("(sub time (sub (noFood (rect 0 0 1 1)) time)) " +
		"(sub time (sub (noFood (rect 0 0 1 1)) time))"))(t)
	mul := slices.IndexFunc(g.Operators, func(op gp.Operator) bool { return op.Form == gp.Mul })
	const draws = 4000
	for step, trees := range map[gp.SmallStep]float64{gp.Insertion: 1, gp.PairedInsertion: 2} {
		for fair, want := range map[bool][]float64{false: {1. / 6, 1. / 6, 1. / 6, 1. / 6, 0, 1. / 6},
			true: {1./4 + 1./6, 1. / 4, 1. / 6, 1. / 12, 0, 1. / 12}} {
			v := gp.Variation{MaxDepth: 20, DepthFair: fair}
			r := rand.New(rand.NewPCG(1, 2))
			at, depths := make([]float64, 6), map[int]int{}
			for range draws {
				c := g.Step(r, step, a, &v)
				for i := range c {
					place := slices.Index(c[i], gp.Leaf(gp.Op(mul)))
					if place < 0 {
						continue
					}
					at[place] += 1 / (trees * draws)
					first := g.End(c[i], place+1)
					if !slices.Equal(c[i][place+1:first], a[i][place:g.End(a[i], place)]) {
						first = place + 1
					}
					depths[g.Depth(c[i][first:g.End(c[i], first)])]++
				}
			}
			if len(depths) != 3 || depths[3] == 0 {
				t.Errorf("grown arguments by depth: %v", depths)
			}
			for place, p := range want {
				proof.Near(t, "share of a place", at[place], p, 5*math.Sqrt(p/draws))
			}
		}
	}
	v := gp.Variation{MaxDepth: g.Depth(a[0]) + 1, MaxNodes: a.Size() + 2}
	for seed := uint64(0); ; seed++ {
		c := g.Step(rand.New(rand.NewPCG(seed, 1)), gp.Insertion, a, &v)
		d := g.Step(rand.New(rand.NewPCG(seed, 1)), gp.PairedInsertion, a, &v)
		proof.Is(t, d.Size(), a.Size(), "nodes where a pair passes the limit")
		if c.Size() == v.MaxNodes && max(g.Depth(c[0]), g.Depth(c[1])) == v.MaxDepth {
			break
		} else if seed == 200 {
			t.Fatal("no child is as large as it may be")
		}
	}
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
		{gp.Perturbation, "(constint 5) time points", []string{"(constint 5) time points",
			"(constint 4) time points", "(constint 3) time points", "(constint 2) time points",
			"(constint 5) points points", "(constint 5) time time"}},
		{gp.Hoist, "(add points time) points points", []string{"points points points",
			"time points points", "(add points time) points points"}},
		{gp.Transfer, "points time time", []string{"points points time",
			"time time time", "points time time"}},
		{gp.Transfer, "(food (rect 0 -2 3 1)) time time", []string{
			"(food (rect 0 -2 3 1)) (food (rect -2 -2 3 1)) time", "time time time",
			"(food (rect 0 -2 3 1)) time time"}},
		{gp.Transfer, "time (food (rect -2 -2 3 1)) time", []string{
			"(food (rect 0 -2 3 1)) (food (rect -2 -2 3 1)) time", "time time time",
			"time (food (rect -2 -2 3 1)) time"}},
		{gp.Transfer, "(add points time) (add time points) time", []string{
			"(add points time) (add points points) time", "(add points time) (add time time) time",
			"(add points time) (add points time) time", "(add time time) (add time points) time",
			"(add points points) (add time points) time", "(add time points) (add time points) time",
			"(add points time) (add time points) time"}},
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
