package gp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"clade/gp"
)

// enumSpec is the test vocabulary with directions and weathers, a slot of each, and operators of
// its own that take and return them, some what is not a member. Without functions and flags kernels
// have it.
func enumSpec(functions bool) gp.Spec {
	s := testSpec(true)
	direction, sky := gp.EnumType(0), gp.EnumType(1)
	s.Enums = []gp.Enum{gp.Directions(), {Name: "Sky", Members: []string{"clear", "rain", "snow"}}}
	s.Scalars = 4
	s.Slots = append(s.Slots, gp.Slot{Name: "turn", Type: direction},
		gp.Slot{Name: "guess", Type: sky})
	s.Operators = append(append(s.Operators, s.Enums[0].Operators(direction)...),
		s.Enums[1].Operators(sky)...)
	s.Operators = append(s.Operators, gp.EnumSensor("wind", direction, 2),
		gp.EnumSensor("now", sky, 3))
	if !functions {
		return s
	}
	type arguments = [gp.MaxFunctionArgs]float32
	s.Operators = append(s.Operators,
		gp.CallOperator("opposite", 1, func(a arguments) float32 {
			return float32(int(a[0]+2) % 4)
		}, direction, direction),
		gp.CallOperator("pull", 1, func(a arguments) float32 { return (a[0] - 1) * a[1] },
			gp.Float, direction, gp.Float),
		gp.CallOperator("from", 1, func(a arguments) float32 { return a[0] }, sky, gp.Float),
		gp.CallOperator("wet?", 1, func(a arguments) float32 { return a[0] }, gp.Bool, sky))
	return s
}

func TestEnums(t *testing.T) {
	checkVocabulary(t, enumSpec(true), 1000)
	checkVocabulary(t, enumSpec(false), 300)
	s := enumSpec(false)
	kept := s.Operators[:0]
	for _, op := range s.Operators {
		if op.Form != gp.Flag && op.Form != gp.Least && op.Form != gp.Greatest {
			kept = append(kept, op)
		}
	}
	s.Operators, s.Layers[0].Near = kept, nearWeight
	g := gp.MustGrammar(s)
	c, r := gp.NewCompiler(g, situations...), rand.New(rand.NewPCG(5, 6))
	for i := range 100 {
		checkLockstep(t, r, g, c, evolved(r, g, 60), 1+i%gp.BatchSize)
	}
}

// What a Function returns is a member: the whole part of it, or the first.
func TestEnumOfFunction(t *testing.T) {
	g := gp.MustGrammar(enumSpec(true))
	for text, want := range map[string]float32{
		"(from (const 0.5))": 0, "(from (constint 2))": 2, "(from (constint 3))": 0,
		"(from (sub (constint 0) (constint 1)))":                                 0,
		"(ifSky (sameSky snow (from (add (constint 2) (const 0.5)))) rain snow)": 1,
	} {
		ge, err := g.Parse("time time time wind " + text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := gp.NewCompiler(g).Compile(ge)
		if err != nil {
			t.Fatal(err)
		}
		f := g.NewFrame()
		f.SetDirection(2, 1)
		code.Load(f)
		if got := code.Eval(4, 0, f); got != (gp.Quad{want, want, want, want}) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
		if got, want := code.Eval(3, 0, f), (gp.Quad{1, 0, 3, 2}); got != want {
			t.Errorf("east is seen as %v, want %v", got, want)
		}
	}
}

func TestEnumsAreRefused(t *testing.T) {
	g := gp.MustGrammar(enumSpec(true))
	for text, want := range map[string]string{
		"(if (sameSky snow ahead) time hope)":        `"ahead" is of type Direction, and Sky`,
		"(add snow time)":                            `"snow" is of type Sky, and Float`,
		"(if (sameDirection wind 3) time hope)":      `unknown name "3"`,
		"(if (sameDirection wind (ahead 3)) 1 hope)": `"ahead" is complete`,
	} {
		if _, err := g.ParseTree(text, gp.Float); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	sky := gp.EnumType(1)
	for want, spoil := range map[string]func(*gp.Spec){
		"2 enumerations": func(s *gp.Spec) {
			s.Operators = append(s.Operators, gp.EnumSensor("x", gp.EnumType(2), 0))
		},
		`slot "x" has the type Enum3`: func(s *gp.Spec) {
			s.Slots = append(s.Slots, gp.Slot{Name: "x", Type: gp.EnumType(3)})
		},
		"at most 4": func(s *gp.Spec) {
			s.Enums = append(s.Enums, s.Enums[1], s.Enums[1],
				s.Enums[1])
		},
		"not 1": func(s *gp.Spec) { s.Enums[1].Members = s.Enums[1].Members[:1] },
		`"hail" is not member 1 of Sky`: func(s *gp.Spec) {
			s.Operators = append(s.Operators, gp.Operator{Name: "hail", Form: gp.Member,
				Result: sky, Index: 1})
		},
		"needs Enum1(Bool, Enum1, Enum1)": func(s *gp.Spec) {
			s.Operators = append(s.Operators, gp.Operator{Name: "x", Form: gp.If, Result: sky,
				Args: []gp.Type{gp.Bool, sky, gp.EnumType(0)}})
		},
	} {
		s := enumSpec(false)
		spoil(&s)
		if _, err := gp.NewGrammar(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// Genomes that are saved as numbers are read by the members' order.
	other := enumSpec(false)
	other.Enums[1].Members = []string{"rain", "clear", "snow"}
	other.Operators = append(testSpec(true).Operators, other.Enums[1].Operators(sky)...)
	other.Operators = append(other.Operators, other.Enums[0].Operators(gp.EnumType(0))...)
	if gp.MustGrammar(other).Signature() == gp.MustGrammar(enumSpec(false)).Signature() {
		t.Error("another order of members has the same signature")
	}
}
