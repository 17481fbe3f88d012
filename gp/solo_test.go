package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// soloGrammar is the vocabulary with rows without what a solo lacks, and with a layer that is asked
// for its least weight.
func soloGrammar() *gp.Grammar {
	s := rowSpec()
	s.Operators = slices.DeleteFunc(s.Operators,
		func(op gp.Operator) bool { return op.Form == gp.Any || op.Form == gp.Flag })
	s.Flags, s.Layers[2].Unit = 0, 0.1
	s.Operators = append(s.Operators, gp.AreaSensor("least", gp.Least, 2))
	return gp.MustGrammar(s)
}

// newSolos returns one of each level with kernels.
func newSolos(t *testing.T, g *gp.Grammar) (all []*gp.Solo) {
	t.Helper()
	for _, level := range kernels.Available()[1:] {
		s := proof.Must(g.NewSolo(level))(t)
		for l := range g.Layers {
			s.Layer(l).Weights = new([64]uint8)
		}
		all = append(all, s)
	}
	return all
}

// fillSolo draws a random frame and copies it. What cells weigh that a layer does not hold must not
// count.
func fillSolo(r *rand.Rand, g *gp.Grammar, s *gp.Solo, f *gp.Frame, situation int) {
	fillFrame(r, g, f, situation)
	for cell := range f.Weights[2] {
		f.Weights[2][cell] = int32(r.IntN(gp.NoWeight))
	}
	for k := range g.Scalars {
		*s.Scalar(k) = *f.Scalar(k)
	}
	for l := range g.Layers {
		layer := s.Layer(l)
		layer.Cells = f.Layers[l].Low
		for cell := range layer.Weights {
			switch {
			case cell >= 49, !f.Layers[l].Has(cell):
				layer.Weights[cell] = uint8(r.IntN(256))
			case f.Weights[l] != nil:
				layer.Weights[cell] = uint8(f.Weights[l][cell])
			case f.Rows[l] != nil:
				layer.Weights[cell] = uint8(f.RowWeight(l, cell%7, cell/7))
			}
		}
	}
}

// checkSolo compares a solo with Eval bit for bit, for some of the slots.
func checkSolo(t *testing.T, r *rand.Rand, g *gp.Grammar, c *gp.Compiler, solo *gp.Solo,
	ge gp.Genome) {
	t.Helper()
	code := proof.Must(c.Compile(ge))(t)
	f := g.NewFrame()
	code.Load(f)
	solo.Load(code)
	for s := range situations {
		fillSolo(r, g, solo, f, s)
		values, slots := make([]gp.Quad, len(ge)), r.Uint64()
		solo.Eval(slots, s, values)
		for slot, tree := range ge {
			var want gp.Quad
			if slots>>slot&1 != 0 {
				code.Eval(slot, s, f, &want)
			}
			for k, got := range values[slot] {
				if !same(got, want[k]) {
					t.Fatalf("slot %d, situation %d, turn %d: %v, by Eval %v\n%s", slot, s, k, got,
						want[k], g.PrintTree(tree))
				}
			}
		}
	}
}

func TestSoloAgrees(t *testing.T) {
	g := soloGrammar()
	c, solos := gp.NewCompiler(g, situations...), newSolos(t, g)
	r := rand.New(rand.NewPCG(16, 7))
	for i := range 1000 {
		ge := g.Ramped(r, 1, 8)
		if i%2 == 0 {
			ge = evolved(r, g, 60)
		}
		for _, solo := range solos {
			checkSolo(t, r, g, c, solo, ge)
		}
	}
}

func FuzzSoloAgrees(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	g := soloGrammar()
	f.Fuzz(func(t *testing.T, seed, generations uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, solo := range newSolos(t, g) {
			checkSolo(t, r, g, gp.NewCompiler(g, situations...), solo,
				evolved(r, g, int(generations%200)))
		}
	})
}

func TestSoloRefuses(t *testing.T) {
	for _, g := range map[string]*gp.Grammar{"without rows": testGrammar(true),
		"with other sensors": gp.MustGrammar(rowSpec())} {
		proof.Fails(g.NewSolo(kernels.AVX512))(t, "a solo ")
	}
	proof.Fails(soloGrammar().NewSolo(kernels.Scalar))(t, "no kernels for a solo")
}

func TestSoloAllocatesNothing(t *testing.T) {
	g := soloGrammar()
	code := proof.Must(gp.NewCompiler(g, situations...).Compile(evolved(rand.New(rand.NewPCG(3, 4)),
		g, 60)))(t)
	values := make([]gp.Quad, len(g.Slots))
	for _, solo := range newSolos(t, g) {
		solo.Load(code)
		proof.Is(t, testing.AllocsPerRun(100, func() { solo.Load(code); solo.Eval(1, 0, values) }), 0,
			"what Eval allocates")
	}
}
