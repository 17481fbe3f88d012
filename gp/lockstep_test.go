package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// nearWeight is what all near cells of the lockstep vocabulary's food weigh.
const nearWeight = 4096

// lockstepGrammar is the test vocabulary without what the lockstep executor lacks.
func lockstepGrammar(wrap bool) *gp.Grammar {
	s := testSpec(wrap)
	kept := s.Operators[:0]
	for _, op := range s.Operators {
		if op.Form != gp.Least && op.Form != gp.Greatest {
			kept = append(kept, op)
		}
	}
	s.Operators = kept
	s.Layers[0].Near = nearWeight
	return gp.MustGrammar(s)
}

// fillLockstep draws a random frame whose food the lockstep executor can hold.
func fillLockstep(r *rand.Rand, g *gp.Grammar, f *gp.Frame, situation int) {
	fillFrame(r, g, f, situation)
	far := 0
	for i := range 121 {
		switch {
		case !f.Layers[0].Has(i):
		case near(g, i):
			f.Weights[0][i] = nearWeight
		case far == 16:
			f.Layers[0].Clear(i)
		default:
			far++
		}
	}
}

// draw puts a frame into a batch as decision i, decision 0 first: scalars, flags, layers and the
// far cells of the weighted layer, which is number 0.
func draw(g *gp.Grammar, b *gp.Batch, i int, f *gp.Frame) {
	for s := range g.Scalars {
		copy(b.Scalar(s)[gp.Lanes*i:], f.Scalar(s)[:])
	}
	for s := range g.Flags {
		lanes := b.Flag(s)
		*lanes = *lanes&^(15<<(gp.Lanes*i)) | uint64(f.Flags[s]&15)<<(gp.Lanes*i)
	}
	far := b.Far(0)
	if i == 0 {
		*far = gp.FarCells{}
	}
	n := 0
	for l := range g.Layers {
		for cell := range g.Window.Side * g.Window.Side {
			at := g.PlaneBit(cell)
			for lane := gp.Lanes * i; lane < gp.Lanes*(i+1); lane++ {
				word := &b.Layer(l)[at/32][lane]
				*word &^= 1 << (at % 32)
				if f.Layers[l].Has(cell) {
					*word |= 1 << (at % 32)
				}
			}
			if l != 0 || !f.Layers[0].Has(cell) || near(g, cell) || f.Weights[0][cell] == 0 {
				continue
			}
			for k := range gp.Lanes {
				far.Index[n][gp.Lanes*i+k] = uint32(gp.Lanes*(at/32) + k)
				far.Bit[n][gp.Lanes*i+k] = 1 << (at % 32)
				far.Weight[n][gp.Lanes*i+k] = uint32(f.Weights[0][cell])
			}
			n++
			far.N = max(far.N, n)
		}
	}
}

func near(g *gp.Grammar, cell int) bool { return g.PlaneBit(cell) < 32 }

// checkLockstep compares a batch of each level with Eval bit for bit.
func checkLockstep(t *testing.T, r *rand.Rand, g *gp.Grammar, c *gp.Compiler, ge gp.Genome, n int) {
	t.Helper()
	code := proof.Must(c.Compile(ge))(t)
	frames := make([]*gp.Frame, n)
	for i := range frames {
		frames[i] = g.NewFrame()
		code.Load(frames[i])
	}
	for _, level := range kernels.Available()[1:] {
		b := proof.Must(g.NewBatch(level))(t)
		b.Load(code)
		for s := range situations {
			for i, f := range frames {
				fillLockstep(r, g, f, s)
				draw(g, b, i, f)
			}
			for slot, tree := range ge {
				values := b.Eval(slot, s, n)
				for i, f := range frames {
					var want gp.Quad
					code.Eval(slot, s, f, &want)
					for k := range want {
						if got := values[gp.Lanes*i+k]; !same(got, want[k]) {
							t.Fatalf("%v, slot %d, situation %d, decision %d of %d, turn %d: %v, "+
								"alone %v\n%s", level, slot, s, i, n, k, got, want[k],
								g.PrintTree(tree))
						}
					}
				}
			}
		}
	}
}

func TestLockstepAgrees(t *testing.T) {
	proof.Slow(t)
	for _, wrap := range []bool{true, false} {
		g := lockstepGrammar(wrap)
		c := gp.NewCompiler(g, situations...)
		r := rand.New(rand.NewPCG(5, 6))
		for i := range 600 {
			ge := g.Ramped(r, 1, 8)
			if i%2 == 0 {
				ge = evolved(r, g, 60)
			}
			checkLockstep(t, r, g, c, ge, 1+i%gp.BatchSize)
		}
	}
}

func FuzzLockstepAgrees(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(12), true)
	f.Add(uint64(7), uint64(100), uint64(3), false)
	grammars := map[bool]*gp.Grammar{true: lockstepGrammar(true), false: lockstepGrammar(false)}
	f.Fuzz(func(t *testing.T, seed, generations, decisions uint64, wrap bool) {
		g := grammars[wrap]
		r := rand.New(rand.NewPCG(seed, 1))
		checkLockstep(t, r, g, gp.NewCompiler(g, situations...),
			evolved(r, g, int(generations%200)), 1+int(decisions%gp.BatchSize))
	})
}

func TestLockstepRefuses(t *testing.T) {
	for _, level := range kernels.Available()[1:] {
		proof.Fails(testGrammar(true).NewBatch(level))(t, `lacks operator "leastFood"`)
	}
	proof.Fails(lockstepGrammar(true).NewBatch(kernels.Scalar))(t, "no kernels")
}

func TestLockstepAllocatesNothing(t *testing.T) {
	g := lockstepGrammar(true)
	r := rand.New(rand.NewPCG(3, 4))
	code := proof.Must(gp.NewCompiler(g, situations...).Compile(evolved(r, g, 60)))(t)
	for _, level := range kernels.Available()[1:] {
		b := proof.Must(g.NewBatch(level))(t)
		b.Load(code)
		proof.Is(t, testing.AllocsPerRun(100, func() { b.Load(code); b.Eval(0, 0, 12) }), 0,
			"%v: what Eval allocates", level)
	}
}

// BenchmarkLockstep computes a slot of an evolved genome for twelve decisions.
func BenchmarkLockstep(b *testing.B) {
	g := lockstepGrammar(true)
	r := rand.New(rand.NewPCG(3, 4))
	ge := evolved(r, g, 60)
	code := proof.Must(gp.NewCompiler(g, situations...).Compile(ge))(b)
	f := g.NewFrame()
	code.Load(f)
	fillLockstep(r, g, f, 1)
	b.Run("eval", func(b *testing.B) {
		var values gp.Quad
		for b.Loop() {
			for range 12 {
				code.Eval(0, 1, f, &values)
			}
		}
	})
	for _, level := range kernels.Available()[1:] {
		batch := proof.Must(g.NewBatch(level))(b)
		batch.Load(code)
		b.Run(level.String(), func(b *testing.B) {
			for b.Loop() {
				batch.Eval(0, 1, 12)
			}
		})
	}
}

// The best turn of each decision is the first of the possible ones with the greatest value.
func TestBestTurns(t *testing.T) {
	if len(kernels.Available()) == 1 {
		t.Skip("no kernels")
	}
	r := rand.New(rand.NewPCG(9, 9))
	some := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.NaN()),
		float32(math.Inf(1)), float32(math.Inf(-1)), math.SmallestNonzeroFloat32, math.MaxFloat32}
	var values gp.LaneFloats
	var best gp.BestTurns
	for range 20_000 {
		n := 1 + r.IntN(gp.BatchSize)
		for i := range values {
			values[i] = some[r.IntN(len(some))]
		}
		for i := range best.Possible {
			best.Possible[i] = uint8(r.IntN(16))
		}
		best.Find(&values, n)
		for i, possible := range best.Possible[:n] {
			first, most := -1, math.Inf(-1)
			for k, v := range values[gp.Lanes*i:][:gp.Lanes] {
				if possible>>k&1 != 0 && (first < 0 || float64(v) > most) {
					first = k
					if v == v {
						most = float64(v)
					}
				}
			}
			if first >= 0 && (int(best.Turn[i]) != first || float64(best.Value[i]) != most) {
				t.Fatalf("decision %d of %d: turn %d, worth %v, of %v, possible %04b; want turn %d",
					i, n, best.Turn[i], best.Value[i], values[gp.Lanes*i:][:gp.Lanes], possible,
					first)
			}
		}
	}
}
