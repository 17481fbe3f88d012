package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
)

// crowdGrammar is the vocabulary with rows without what a crowd lacks, and with a layer that is asked for its least weight.
func crowdGrammar() *gp.Grammar {
	s := rowSpec()
	s.Operators = slices.DeleteFunc(s.Operators, func(op gp.Operator) bool { return op.Form == gp.Any || op.Form == gp.Flag })
	s.Flags, s.Layers[2].Unit = 0, 0.1
	s.Operators = append(s.Operators, gp.AreaSensor("least", gp.Least, 2))
	return gp.MustGrammar(s)
}

// fillCrowd draws a random frame and copies it into decision i of a crowd.
func fillCrowd(r *rand.Rand, g *gp.Grammar, b *gp.Crowd, i int, f *gp.Frame, situation int) {
	fillFrame(r, g, f, situation)
	for cell := range f.Weights[2] {
		f.Weights[2][cell] = int32(r.IntN(gp.NoWeight))
	}
	for k := range gp.Lanes {
		for s := range g.Scalars {
			b.Scalar(s)[gp.CrowdSize*k+i] = f.Scalar(s)[k]
		}
	}
	for l := range g.Layers {
		layer := b.Layer(l)
		layer.Cells[i] = f.Layers[l][0]
		for y := range layer.Rows {
			layer.Rows[y][0][i], layer.Rows[y][1][i] = f.RowSums(l, y)
		}
		if f.Weights[l] == nil {
			continue
		}
		for y := range 7 {
			row := ^uint64(0)
			for x := range 7 {
				if f.Layers[l].Has(7*y + x) {
					row ^= uint64(gp.NoWeight^f.Weights[l][7*y+x]) << (8 * x)
				}
			}
			layer.Weights[y][i] = row
		}
	}
}

// levels are those for which there are crowds.
func levels() []kernels.Level {
	return slices.DeleteFunc(kernels.Available(), func(l kernels.Level) bool { return l == kernels.AVX2 })
}

// checkCrowd compares a crowd of each level with Eval bit for bit.
func checkCrowd(t *testing.T, r *rand.Rand, g *gp.Grammar, c *gp.Compiler, ge gp.Genome, n int) {
	t.Helper()
	code, err := c.Compile(ge)
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]*gp.Frame, n)
	for i := range frames {
		frames[i] = g.NewFrame()
		code.Load(frames[i])
	}
	for _, level := range levels() {
		b, err := g.NewCrowd(level)
		if err != nil {
			t.Fatal(err)
		}
		b.Load(code)
		for s := range situations {
			for i, f := range frames {
				fillCrowd(r, g, b, i, f, s)
			}
			for slot, tree := range ge {
				turns := 1 + (slot+n)%gp.Lanes
				values := b.Eval(slot, s, n, turns)
				for i, f := range frames {
					want := code.Eval(slot, s, f)
					for k := range turns {
						if got := values[gp.CrowdSize*k+i]; !same(got, want[k]) {
							t.Fatalf("%v, slot %d, situation %d, decision %d of %d, turn %d: %v, alone %v\n%s", level, slot, s, i, n, k, got, want[k], g.PrintTree(tree))
						}
					}
				}
			}
		}
	}
}

func TestCrowdAgrees(t *testing.T) {
	g := crowdGrammar()
	c := gp.NewCompiler(g, situations...)
	r := rand.New(rand.NewPCG(15, 6))
	for i := range 400 {
		ge := g.Ramped(r, 1, 8)
		if i%2 == 0 {
			ge = evolved(r, g, 60)
		}
		checkCrowd(t, r, g, c, ge, 1+i%gp.CrowdSize)
	}
}

func FuzzCrowdAgrees(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(12))
	f.Fuzz(func(t *testing.T, seed, generations, decisions uint64) {
		g := crowdGrammar()
		r := rand.New(rand.NewPCG(seed, 1))
		checkCrowd(t, r, g, gp.NewCompiler(g, situations...), evolved(r, g, int(generations%200)), 1+int(decisions%gp.CrowdSize))
	})
}

func TestCrowdRefuses(t *testing.T) {
	for name, g := range map[string]*gp.Grammar{"without rows": testGrammar(true), "with other sensors": gp.MustGrammar(rowSpec())} {
		if _, err := g.NewCrowd(kernels.Scalar); err == nil {
			t.Errorf("NewCrowd accepts a grammar %s", name)
		}
	}
	if _, err := crowdGrammar().NewCrowd(kernels.AVX2); err == nil {
		t.Error("NewCrowd has kernels for AVX2")
	}
}

func TestCrowdAllocatesNothing(t *testing.T) {
	g := crowdGrammar()
	r := rand.New(rand.NewPCG(3, 4))
	code, err := gp.NewCompiler(g, situations...).Compile(evolved(r, g, 60))
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range levels() {
		b, err := g.NewCrowd(level)
		if err != nil {
			t.Fatal(err)
		}
		b.Load(code)
		if n := testing.AllocsPerRun(100, func() { b.Load(code); b.Eval(0, 0, 12, gp.Lanes) }); n != 0 {
			t.Errorf("%v: Eval allocates %v times", level, n)
		}
	}
}
