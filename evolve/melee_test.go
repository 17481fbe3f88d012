package evolve

import (
	"context"
	"math"
	"testing"

	"clade/engine"
)

// crowd is numbers for more than two: the greatest wins, and all are scored.
type crowd struct{ *numbers }

func (c crowd) Info() engine.Info {
	info := c.numbers.Info()
	info.MaxSeats = 8
	return info
}

func (c crowd) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	r := engine.Result{Winner: engine.Tie, Fingerprint: seed}
	most := math.Inf(-1)
	for i, p := range players {
		v := p.(float64)
		r.Scores[i] = v
		r.Fingerprint = engine.Hash(r.Fingerprint, math.Float64bits(v))
		if v > most {
			most, r.Winner = v, i
		} else if v == most {
			r.Winner = engine.Tie
		}
	}
	return r
}

func melees(t testing.TB) Setup {
	c := small()
	c.Selection, c.Seats, c.Population = ByPairs, 5, 42
	s := setup(t, c)
	s.Game = crowd{newNumbers(greater)}
	return s
}

func TestMeleesRepeat(t *testing.T) {
	s := melees(t)
	s.Workers = 1
	path, done := evolved(t, s)
	stands(t, "melees", done)
	want := contents(t, path)
	s.Workers = 3
	path, _ = evolved(t, s)
	compare(t, want, contents(t, path))
	groups, generations := 42/5, int64(s.Config.Generations)
	if games := generations * int64(groups*5*s.Config.Boards); done.Games != games {
		t.Errorf("%d games of selection, not %d", done.Games, games)
	}
}

// In a generation of melees the three best of each group of five stay.
func TestTheBetterHalfOfAMeleeStays(t *testing.T) {
	s := melees(t)
	s.Config.Population = 40
	b := &breeder{Setup: s, grammar: s.Game.Grammar(), root: 1, pool: newPool(2),
		ctx: context.Background()}
	defer b.pool.close()
	var people []*Individual
	for i := range 40 {
		in, err := b.newIndividual(uint64(i), s.Game.(crowd).constant(float32(i)/40))
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, in)
	}
	is := newIsland(b, 0, 0, people, nil)
	order := is.shuffled("pair")
	if err := is.step(); err != nil {
		t.Fatal(err)
	}
	for g := range 8 {
		group := order[5*g : 5*g+5]
		for _, place := range group {
			better := 0
			for _, other := range group {
				if other > place {
					better++
				}
			}
			if stays := is.people[place] == people[place]; stays != (better < 3) {
				t.Errorf("number %d, behind %d of its group of five, stays: %v", place, better,
					stays)
			}
		}
	}
}
