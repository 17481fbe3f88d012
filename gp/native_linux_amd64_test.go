package gp_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// nativeGrammar is the test vocabulary without what no machine code is made of.
func nativeGrammar(wrap bool) *gp.Grammar {
	s := testSpec(wrap)
	s.Operators = slices.DeleteFunc(s.Operators, func(op gp.Operator) bool {
		return op.Form == gp.Sum || op.Form == gp.Least || op.Form == gp.Greatest
	})
	return gp.MustGrammar(s)
}

// assembled compiles a genome, and makes machine code where it can be made.
func assembled(t *testing.T, c *gp.Compiler, ge gp.Genome) *gp.Code {
	t.Helper()
	if len(kernels.Available()) == 1 {
		t.Skip("no AVX")
	}
	code := proof.Must(c.Compile(ge))(t)
	code.Assemble(kernels.AVX2)
	return code
}

// checkNative compares machine code with EvalLane bit for bit.
func checkNative(t *testing.T, r *rand.Rand, g *gp.Grammar, c *gp.Compiler, ge gp.Genome) {
	t.Helper()
	code := assembled(t, c, ge)
	if !code.Native() {
		t.Fatal("no machine code")
	}
	var asks []gp.Ask
	var slots, turns []int
	for range r.IntN(9) {
		slot, turn := r.IntN(len(ge)), r.IntN(7)-3
		asks, slots, turns = append(asks, g.Ask(slot, turn)), append(slots, slot), append(turns, turn)
	}
	f, values, chosen := g.NewFrame(), make([]float32, len(asks)), make([]float32, len(asks))
	code.Load(f)
	choice := proof.Must(c.Compile(ge))(t)
	if choice.SetChoice(kernels.AVX2, asks); choice.Native() != (len(asks) > 0) {
		t.Fatal("no machine code of a choice")
	}
	for s := range situations {
		fillFrame(r, g, f, s)
		turned := r.IntN(7)
		code.EvalAsks(asks, s, turned, f, values)
		greatest := 0
		for i, got := range values {
			if got > values[greatest] {
				greatest = i
			}
			if want := code.EvalLane(slots[i], s, turned+turns[i], f); !same(got, want) {
				t.Fatalf("slot %d, situation %d, turn %d: %v, interpreted %v\n%s", slots[i], s,
					turned+turns[i], got, want, g.PrintTree(ge[slots[i]]))
			}
		}
		proof.Is(t, choice.Choose(s, turned, f, chosen), greatest, "the choice of %v", values)
		if !slices.EqualFunc(chosen, values, same) {
			t.Fatalf("slots %v, turns %v: at once %v, one by one %v", slots, turns, chosen, values)
		}
	}
}

func TestNativeAgrees(t *testing.T) {
	proof.Slow(t)
	for _, wrap := range []bool{true, false} {
		g := nativeGrammar(wrap)
		c := gp.NewCompiler(g, situations...)
		r := rand.New(rand.NewPCG(7, 8))
		for i := range 2000 {
			ge := g.Ramped(r, 1, 8)
			if i%2 == 0 {
				ge = evolved(r, g, 60)
			}
			checkNative(t, r, g, c, ge)
		}
	}
}

func FuzzNativeAgrees(f *testing.F) {
	f.Add(uint64(1), uint64(2), true)
	f.Add(uint64(7), uint64(100), false)
	grammars := map[bool]*gp.Grammar{true: nativeGrammar(true), false: nativeGrammar(false)}
	f.Fuzz(func(t *testing.T, seed, generations uint64, wrap bool) {
		g := grammars[wrap]
		r := rand.New(rand.NewPCG(seed, 1))
		checkNative(t, r, g, gp.NewCompiler(g, situations...), evolved(r, g, int(generations%200)))
	})
}

// TestNativeOfSums: what there is no machine code for is interpreted.
func TestNativeOfSums(t *testing.T) {
	g := testGrammar(true)
	ge := proof.Must(g.Parse("(noFood (rect 0 0 3 3)) time hope"))(t)
	code := assembled(t, gp.NewCompiler(g), ge)
	if code.Native() {
		t.Error("there is machine code for a sum")
	}
	f, values := g.NewFrame(), make([]float32, 2)
	code.Load(f)
	f.SetScalar(0, 7)
	f.Scalar(1)[3] = 5
	asks := []gp.Ask{g.Ask(2, 1), g.Ask(1, 0)}
	code.SetChoice(kernels.AVX2, asks)
	if best := code.Choose(0, 2, f, values); !slices.Equal(values, []float32{5, 7}) || best != 1 {
		t.Errorf("values %v, the greatest number %d, not 5 and 7", values, best)
	}
}

func TestNativeAllocatesNothing(t *testing.T) {
	g := nativeGrammar(true)
	code := assembled(t, gp.NewCompiler(g), evolved(rand.New(rand.NewPCG(3, 4)), g, 60))
	f, asks, values := g.NewFrame(), []gp.Ask{g.Ask(0, 0), g.Ask(1, 2)}, make([]float32, 2)
	code.Load(f)
	code.SetChoice(kernels.AVX2, asks)
	proof.Is(t, testing.AllocsPerRun(100, func() { code.EvalAsks(asks, 0, 1, f, values) }), 0,
		"what EvalAsks allocates")
	proof.Is(t, testing.AllocsPerRun(100, func() { code.Choose(0, 1, f, values) }), 0,
		"what Choose allocates")
}

// TestNativeRefuses: a frame without a code's registers is not written behind, and nothing else
// than a program is run.
func TestNativeRefuses(t *testing.T) {
	g := nativeGrammar(true)
	ge := proof.Must(g.Parse("(add time (noVisited (rect 0 0 3 3))) time hope"))(t)
	code := assembled(t, gp.NewCompiler(g, situations...), ge)
	loaded := g.NewFrame()
	code.Load(loaded)
	asks, values := []gp.Ask{g.Ask(0, 0), g.Ask(2, 0)}, make([]float32, 2)
	code.SetChoice(kernels.AVX2, asks)
	for _, c := range []struct {
		what      string
		situation int
		frame     *gp.Frame
		values    []float32
	}{
		{"a frame without Load", 0, g.NewFrame(), values},
		{"a situation too many", len(situations), loaded, values},
		{"no situation", -1, loaded, values},
		{"too few values", 0, loaded, values[:1]},
	} {
		for name, eval := range map[string]func(){
			"EvalAsks": func() { code.EvalAsks(asks, c.situation, 0, c.frame, c.values) },
			"Choose":   func() { code.Choose(c.situation, 0, c.frame, c.values) },
		} {
			proof.Panics(t, eval, "%s with %s", name, c.what)
		}
	}
}

// TestNativeIsFreed holds that machine code is gone with its Code. The programs of the test are
// held until they are counted, so that a collector that comes early takes none of them; what else
// it takes only lowers the count. It may come as late as it likes.
func TestNativeIsFreed(t *testing.T) {
	g := nativeGrammar(true)
	c := gp.NewCompiler(g)
	r := rand.New(rand.NewPCG(3, 4))
	codes := make([]*gp.Code, 100)
	for i := range codes {
		codes[i] = assembled(t, c, g.Ramped(r, 1, 4))
	}
	most := gp.Natives()
	runtime.KeepAlive(codes)
	codes = nil
	for gp.Natives() > most-100 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}
