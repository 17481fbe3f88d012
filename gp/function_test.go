package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// functionSpec is the test vocabulary with operators of its own, of all signatures that differ.
func functionSpec() gp.Spec {
	type arguments = [gp.MaxFunctionArgs]float32
	truth := func(b bool) float32 {
		if b {
			return 1
		}
		return 0
	}
	s := testSpec(true)
	s.Operators = append(s.Operators,
		gp.CallOperator("div", 9, func(a arguments) float32 {
			if a[1] == 0 {
				return 1
			}
			return a[0] / a[1]
		}, gp.Float, gp.Float, gp.Float),
		gp.CallOperator("root", 1, func(a arguments) float32 {
			return float32(math.Sqrt(float64(a[0]))) // not a number below 0
		}, gp.Float, gp.Float),
		gp.CallOperator("between", 2, func(a arguments) float32 {
			return truth(a[0] <= a[1] && a[1] <= a[2])
		}, gp.Bool, gp.Float, gp.Float, gp.Float),
		gp.CallOperator("two", 2, func(a arguments) float32 {
			return truth(a[0]+a[1]+a[2] >= 2)
		}, gp.Bool, gp.Bool, gp.Bool, gp.Bool),
		gp.CallOperator("signed", 1, func(a arguments) float32 {
			if a[0] != 0 {
				return -a[1]
			}
			return a[1]
		}, gp.Float, gp.Bool, gp.Float))
	return s
}

// A Function is worth in every executor what the tree's definition says, survives text and
// variation as any operator, and what simplification leaves of a genome is worth the same.
func TestFunctionsAgree(t *testing.T) {
	proof.Slow(t)
	checkVocabulary(t, functionSpec(), 1500)
}

// checkVocabulary holds random genomes of a vocabulary, grown and bred, to what holds of all: they
// stay trees of the vocabulary, are read as they are printed, and are worth the same compiled,
// walked and simplified.
func checkVocabulary(t *testing.T, spec gp.Spec, genomes int) {
	t.Helper()
	g := gp.MustGrammar(spec)
	c, f := gp.NewCompiler(g, situations...), g.NewFrame()
	r := rand.New(rand.NewPCG(11, 2))
	for i := range genomes {
		ge := g.Ramped(r, 1, 8)
		if i%3 == 0 {
			ge = evolved(r, g, 40)
			for step := range gp.SmallSteps {
				ge = g.Step(r, step, ge, &gp.PaperVariation)
			}
		}
		proof.OK(t, g.Check(ge))
		proof.Is(t, g.Print(proof.Must(g.Parse(g.Print(ge)))(t)), g.Print(ge), "what is read back")
		checkExecutors(t, r, g, c, f, ge, 6)
		simple := proof.Must(g.Simplify(ge))(t)
		fillFrame(r, g, f, 0)
		for slot := range ge {
			for k := range gp.Lanes {
				if a, b := g.Walk(ge[slot], f, k), g.Walk(simple[slot], f, k); !same(a, b) {
					t.Fatalf("%v, simplified %v: %s", a, b, g.PrintTree(ge[slot]))
				}
			}
		}
	}
}

// A Function of truth values that are certain gets them all the same.
func TestFunctionOfCertainty(t *testing.T) {
	g := gp.MustGrammar(functionSpec())
	ge := proof.Must(g.Parse(
		`(if (two (isSmaller (const 0.5) (const 0.1)) (isSmaller (const 0.1) (const 0.5))
		(isSmaller time hope)) (signed (isSmaller (const 0.1) (const 0.5)) time) (const 0.5))
		time time`))(t)
	code := proof.Must(gp.NewCompiler(g).Compile(ge))(t)
	f := g.NewFrame()
	code.Load(f)
	f.SetScalar(0, 2)
	*f.Scalar(1) = gp.Quad{1, 3, 2, 4}
	want := gp.Quad{0.5, -2, 0.5, -2}
	var got gp.Quad
	code.Eval(0, 0, f, &got)
	proof.Is(t, got, want, "the values")
	proof.Is(t, testing.AllocsPerRun(100, func() { code.Eval(0, 0, f, &got) }), 0,
		"what Eval allocates")
}

func TestFunctionsAreRefused(t *testing.T) {
	f := func([gp.MaxFunctionArgs]float32) float32 { return 0 }
	sensor := gp.ScalarSensor("x", 0)
	sensor.Cost = 1
	for want, op := range map[string]gp.Operator{
		"needs a function":     gp.CallOperator("x", 1, nil, gp.Float, gp.Float),
		"cost of 1 to 100":     gp.CallOperator("x", 0, f, gp.Float, gp.Float),
		"takes 1 to 3":         gp.CallOperator("x", 1, f, gp.Float),
		"the signature Area":   gp.CallOperator("x", 1, f, gp.Area, gp.Float),
		"signature Float(Area": gp.CallOperator("x", 1, f, gp.Float, gp.Area),
		"Float, Float, Float, Float)": gp.CallOperator("x", 1, f, gp.Float, gp.Float, gp.Float,
			gp.Float, gp.Float),
		"its form takes none": sensor,
	} {
		s := testSpec(true)
		s.Operators = append(s.Operators, op)
		proof.Fails(gp.NewGrammar(s))(t, want)
	}
	g := gp.MustGrammar(functionSpec())
	for _, level := range kernels.Available()[1:] {
		proof.Fails(g.NewBatch(level))(t, "a batch lacks")
	}
}
