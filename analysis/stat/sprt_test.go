package stat

import (
	"fmt"
	"math"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// The values that fastchess' tests (app/tests/sprt_test.cpp) expect, taken there from fishtest's
// record of finished tests and given to two digits.
func TestSPRT(t *testing.T) {
	for _, c := range []struct {
		pairs      Pentanomial
		elo0, elo1 float64
		want       float64
	}{
		{Pentanomial{223, 9863, 20279 + 1000, 10037, 246}, 0.5, 2.5, -3.07},
		{Pentanomial{871, 26175, 55003 + 980, 26678, 821}, 0, 2, -4.98},
	} {
		test := SPRT{Elo0: c.elo0, Elo1: c.elo1, Alpha: 0.05, Beta: 0.05}
		proof.Near(t, fmt.Sprintf("LLR of %v", c.pairs), test.LLR(c.pairs), c.want,
			0.011*math.Abs(c.want))
	}
	// Outcomes never seen; computed apart, with the secular equation solved by Brent's method in
	// scipy 1.10.
	test := SPRT{Elo1: 20, Alpha: 0.05, Beta: 0.05}
	proof.Near(t, "LLR without extremes", test.LLR(Pentanomial{0, 10, 50, 20, 0}),
		1.687294816426374, 1e-9)
	test.Elo1 = 50
	proof.Near(t, "LLR of a few", test.LLR(Pentanomial{0, 0, 3, 5, 2}), 1.3355523926542738, 1e-9)
	test.Elo0, test.Elo1 = -300, 200
	proof.Near(t, "LLR of all lost", test.LLR(Pentanomial{40}), -50.49778773983111, 1e-9)
}

// Wald's bounds at 5 % are the 2.94 that fishtest prints.
func TestSPRTDecides(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	proof.OK(t, test.Check())
	lower, upper := test.bounds()
	proof.Near(t, "lower", lower, -2.944, 5e-4)
	proof.Near(t, "upper", upper, 2.944, 5e-4)
	for _, c := range []struct {
		llr  float64
		want verdict
	}{{-3, H0}, {lower, H0}, {-2, GoOn}, {2.9, GoOn}, {upper, H1}, {2.95, H1}} {
		proof.Is(t, test.Decide(c.llr), c.want, "the decision at %v", c.llr)
	}
	proof.Is(t, test.LLR(Pentanomial{}), 0, "the ratio without games")
	for _, bad := range []SPRT{{Elo0: 1, Elo1: 1, Alpha: 0.05, Beta: 0.05},
		{Elo1: 1, Alpha: 0.5, Beta: 0.05}, {Elo1: 1, Alpha: 0.05}, {Elo1: 1, Beta: 0.05},
		{Elo1: 1, Alpha: 0.05, Beta: 0.5}} {
		if bad.Check() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// The error rates are what they should be: under an advantage of exactly elo0, H1 is taken in at
// most alpha of the tests, but for chance.
func TestSPRTErrors(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.05}
	const tests = 400
	wrong := 0
	for i := range tests {
		r := engine.NewRandom(uint64(engine.Seed(3).Num(uint64(i))))
		var pairs Pentanomial
		for {
			for range 8 {
				pairs[r.Below(2)+r.Below(2)+r.Below(2)+r.Below(2)]++
			}
			if v := test.Decide(test.LLR(pairs)); v != GoOn {
				if v == H1 {
					wrong++
				}
				break
			}
		}
	}
	if ci := Wilson(float64(wrong), tests, 0.99); ci.Low > test.Alpha {
		t.Errorf("%d of %d tests wrong", wrong, tests)
	}
}
