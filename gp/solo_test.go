package gp_test

import (
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
)

// newSolo skips the test where there are no kernels.
func newSolo(t *testing.T, g *gp.Grammar) *gp.Solo {
	t.Helper()
	if best := kernels.Available(); best[len(best)-1] != kernels.AVX512 {
		t.Skip("no AVX-512")
	}
	s, err := g.NewSolo(kernels.AVX512)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSoloAgrees compares a solo with Eval bit for bit.
func TestSoloAgrees(t *testing.T) {
	g := crowdGrammar()
	solo := newSolo(t, g)
	c := gp.NewCompiler(g, situations...)
	r := rand.New(rand.NewPCG(16, 7))
	f := g.NewFrame()
	for l := range g.Layers {
		solo.Layer(l).Weights = new([64]uint8)
	}
	for i := range 2000 {
		ge := g.Ramped(r, 1, 8)
		if i%2 == 0 {
			ge = evolved(r, g, 60)
		}
		code, err := c.Compile(ge)
		if err != nil {
			t.Fatal(err)
		}
		code.Load(f)
		solo.Load(code)
		for s := range situations {
			fillFrame(r, g, f, s)
			for cell := range f.Weights[2] {
				f.Weights[2][cell] = int32(r.IntN(gp.NoWeight))
			}
			for k := range g.Scalars {
				*solo.Scalar(k) = *f.Scalar(k)
			}
			for l := range g.Layers {
				layer := solo.Layer(l)
				layer.Cells = f.Layers[l][0]
				for cell := range 49 {
					switch {
					case !f.Layers[l].Has(cell):
						layer.Weights[cell] = uint8(r.IntN(256))
					case f.Weights[l] != nil:
						layer.Weights[cell] = uint8(f.Weights[l][cell])
					case f.Rows[l] != nil:
						layer.Weights[cell] = uint8(f.RowWeight(l, cell%7, cell/7))
					}
				}
			}
			values, slots := make([]gp.Quad, len(ge)), r.Uint64()
			solo.Eval(slots&(1<<len(ge)-1), s, values)
			for slot, tree := range ge {
				want := code.Eval(slot, s, f)
				if slots>>slot&1 == 0 {
					want = gp.Quad{}
				}
				for k, got := range values[slot] {
					if !same(got, want[k]) {
						t.Fatalf("slot %d, situation %d, turn %d: %v, alone %v\n%s", slot, s, k, got, want[k], g.PrintTree(tree))
					}
				}
			}
		}
	}
}

func TestSoloRefuses(t *testing.T) {
	for name, g := range map[string]*gp.Grammar{"without rows": testGrammar(true), "with other sensors": gp.MustGrammar(rowSpec())} {
		if _, err := g.NewSolo(kernels.AVX512); err == nil {
			t.Errorf("NewSolo accepts a grammar %s", name)
		}
	}
	for _, level := range []kernels.Level{kernels.Scalar, kernels.AVX2} {
		if _, err := crowdGrammar().NewSolo(level); err == nil {
			t.Errorf("NewSolo has kernels for %v", level)
		}
	}
}

func TestSoloAllocatesNothing(t *testing.T) {
	g := crowdGrammar()
	solo := newSolo(t, g)
	for l := range g.Layers {
		solo.Layer(l).Weights = new([64]uint8)
	}
	code, err := gp.NewCompiler(g, situations...).Compile(evolved(rand.New(rand.NewPCG(3, 4)), g, 60))
	if err != nil {
		t.Fatal(err)
	}
	values := make([]gp.Quad, len(g.Slots))
	if n := testing.AllocsPerRun(100, func() { solo.Load(code); solo.Eval(1, 0, values) }); n != 0 {
		t.Errorf("Eval allocates %v times", n)
	}
}
