package evolve

import (
	"context"
	"math"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// archiveOf returns the archive of a breeder whose past are numbers, in a game.
func archiveOf(t *testing.T, draw string, beats func(a, b float64, random *engine.Random) int,
	past ...float32) *archive {
	t.Helper()
	c := small()
	c.Hall, c.HallDraw = 3, draw
	g := newNumbers(beats)
	b := (&Setup{Game: g, Config: c, Seed: 1, Workers: 2,
		Founders: []gp.Genome{g.constant(past[0])}}).breeder(context.Background())
	var champions []*champion
	for _, v := range past[1:] {
		champions = append(champions, &champion{Individual: b.newIndividual(1, g.constant(v))})
	}
	a := &archive{}
	for n := range champions { // one after the other, as a run does
		proof.OK(t, b.extend(a, champions[:n+1]))
	}
	if len(a.past) != len(past) {
		t.Fatalf("the archive holds %d of %d", len(a.past), len(past))
	}
	return a
}

// shares returns how often each of the past is drawn.
func shares(a *archive, how string) []float64 {
	count := make([]float64, len(a.past))
	const draws = 6000
	n := 2 // at a time: of few, many would hold each equally often
	if how != uniform {
		n = 100 // each finds the weights anew
	}
	for i := range draws / n {
		for _, in := range a.draw(n, how, engine.Seed(1).Num(uint64(i))) {
			for j, p := range a.past {
				if p == in {
					count[j] += 1. / draws
				}
			}
		}
	}
	return count
}

func TestDrawsFromTheArchive(t *testing.T) {
	for _, test := range []struct {
		name, how string
		beats     func(a, b float64, random *engine.Random) int
		past      []float32
		want      []float64
	}{
		{"uniform", uniform, greater, []float32{0.1, 0.2, 0.3, 0.4}, []float64{.25, .25, .25, .25}},
		// who beats all others is all of the mixture
		{"nash, transitive", nash, greater, []float32{0.1, 0.4, 0.3, 0.2}, []float64{0, 1, 0, 0}},
		// rock, which is there twice, paper and scissors share it, and who loses to all has none
		{"nash, cyclic", nash, func(a, b float64, r *engine.Random) int {
			switch { // 0.9 loses to all
			case a > 0.8 && b > 0.8:
				return engine.Tie
			case a > 0.8:
				return 1
			case b > 0.8:
				return 0
			}
			return cyclic(8*a, 8*b, r)
		}, []float32{0.0, 0.125, 0.25, 0.375, 0.9}, []float64{1. / 6, 1. / 3, 1. / 3, 1. / 6, 0}},
		// the newest loses to the greater one, and draws with its equal and with itself
		{"hardness", hardness, greater, []float32{0.1, 0.4, 0.2, 0.2},
			[]float64{.02 / 2.02, 1 / 2.02, .5 / 2.02, .5 / 2.02}},
	} {
		t.Run(test.name, func(t *testing.T) {
			have := shares(archiveOf(t, test.how, test.beats, test.past...), test.how)
			for i, want := range test.want {
				if !(math.Abs(have[i]-want) <= 0.04) {
					t.Fatalf("drawn with shares %.3f, not %.3f", have, test.want)
				}
			}
		})
	}
}

// With pairs or groups, who meets the hall stays or goes by that match.
func TestPairsMeetTheHall(t *testing.T) {
	for _, test := range []struct {
		seats  int
		hall   float64
		births int
	}{{2, -1, 15}, {2, 2, 25}, {3, -1, 10}, {3, 2, 20}} {
		c := small()
		c.Selection, c.Hall, c.Seats = ByPairs, 10, test.seats
		is := islandOf(t, 40, c, greater)
		if test.seats == 3 {
			is.Game = crowd{is.Game.(*numbers), 3}
		}
		for range c.Hall {
			is.hall = append(is.hall, test.hall)
		}
		proof.OK(t, is.step())
		proof.Is(t, len(is.offspring), test.births, "%d seats, hall of %v: births", test.seats,
			test.hall)
	}
}

// Of the generations only the last asks former champions, the numbers 2 and 3, to its race.
func TestFormerChampions(t *testing.T) {
	former := func(number float64) *champion {
		return &champion{Individual: &Individual{Player: number, genotype: uint64(number)}, island: 4}
	}
	for _, test := range []struct {
		former, last, crowned bool
	}{{true, true, true}, {true, false, false}, {false, true, false}} {
		c := small()
		c.Champion = Champion{Against: inside, Games: 64, Every: 1, Archive: 0.5, Former: test.former}
		is := islandOf(t, 10, c, greater)
		is.began = is.population
		a := &archive{past: []*Individual{{Player: -1.0}},
			champions: []*champion{former(2), former(3), former(2)}}
		best, _, err := is.race(0, []*island{is}, a, test.last)
		proof.OK(t, err)
		proof.Is(t, best.Player == 3.0 && best.island == 4, test.crowned,
			"%+v: the champion is %v of island %d", test, best.Player, best.island)
	}
}

// A race that asks the past, too, does not crown who beats the present population only.
func TestRaceAsksTheArchive(t *testing.T) {
	// 0.5 beats all of the population and loses to the past, which is negative.
	beats := func(a, b float64, _ *engine.Random) int {
		switch {
		case a == 0.5 && b >= 0 || b == 0.5 && a < 0:
			return 0
		case b == 0.5 && a >= 0 || a == 0.5 && b < 0:
			return 1
		}
		return greater(a, b, nil)
	}
	for _, test := range []struct {
		archive float64
		freak   bool
	}{{0, true}, {0.8, false}} {
		c := small()
		c.Champion = Champion{Against: inside, Candidates: 0, Games: 1024, Every: 1,
			Archive: test.archive}
		is := islandOf(t, 10, c, beats)
		is.began = is.population
		a := &archive{past: []*Individual{{Player: -1.0}, {Player: -2.0}}}
		best, _, err := is.race(0, []*island{is}, a, true)
		proof.OK(t, err)
		proof.Is(t, best.Player == 0.5, test.freak,
			"archive %v: the champion is %v", test.archive, best.Player)
	}
}
