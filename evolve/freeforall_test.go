package evolve

import (
	"context"
	"math"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// crowd is numbers for more than two: the greatest wins, and all are scored.
type crowd struct {
	*numbers
	least int // seats; 0 means 2
}

func (c crowd) Info() engine.Info {
	info := c.numbers.Info()
	info.MinSeats, info.MaxSeats = max(2, c.least), 8
	return info
}

func (c crowd) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	if len(players) < c.Info().MinSeats {
		panic("a game with too few players")
	}
	r := engine.Result{Fingerprint: seed}
	for i, p := range players {
		v := p.(float64)
		r.Scores[i] = v
		r.Fingerprint = engine.Hash(r.Fingerprint, math.Float64bits(v))
	}
	r.WinBest(len(players))
	return r
}

func groups(t testing.TB) Setup {
	c := small()
	c.Selection, c.Seats, c.Population = ByPairs, 5, 42
	s := setup(t, c)
	s.Game = crowd{newNumbers(greater), 0}
	return s
}

// TestThreeSeats breeds a game that two cannot play, with everything that plays games in a run.
func TestThreeSeats(t *testing.T) {
	for _, name := range []string{"population", "panel"} {
		c := small()
		c.Selection, c.Seats, c.Population, c.Islands = ByPairs, 3, 41, 2
		c.Migration = Migration{Every: 3, Migrants: 3}
		c.Champion.Against, c.Parsimony = name, true
		if name == inside {
			c.Champion.Archive = 0.5
		}
		s := setup(t, c)
		s.Game = crowd{newNumbers(greater), 3}
		_, done := evolved(t, s)
		stands(t, "three seats, "+name, done)
	}
	c := small()
	s := setup(t, c)
	s.Game = crowd{newNumbers(greater), 3}
	want := `seats must be at least 3, which numbers has, not 2; more than two play with the ` +
		`selection "pairs"`
	proof.Says(t, s.Check(), want)
}

func TestFreeForAllsRepeat(t *testing.T) {
	s := groups(t)
	s.Workers = 1
	path, done := evolved(t, s)
	stands(t, "free-for-alls", done)
	want := contents(t, path)
	s.Workers = 3
	path, _ = evolved(t, s)
	compare(t, want, contents(t, path))
	generations := int64(s.Config.Generations)
	proof.Is(t, done.Games, generations*int64(42/5*5*s.Config.Boards), "games of selection")
}

// Of random groups of three the best and the worst are chosen, whose mean ranks are at 3/4 and 1/4.
func TestGroupsHaveBestAndWorst(t *testing.T) {
	c := small()
	c.Selection, c.Seats = ByPairs, 3
	is := islandOf(t, 40, c, greater)
	is.Game = crowd{is.Game.(*numbers), 3}
	best, worst := 0.0, 0.0
	for _, c := range proof.Must(is.selection.draw(is, 3000, 3))(t) {
		best, worst = best+float64(c.winner)/3000, worst+float64(c.loser)/3000
	}
	proof.Near(t, "the mean best", best, 41*3./4-1, 0.8)
	proof.Near(t, "the mean worst", worst, 41*1./4-1, 0.8)
}

// In a generation of free-for-alls the three best of each group of five stay.
func TestTheBetterHalfOfAGroupStays(t *testing.T) {
	s := groups(t)
	s.Config.Population = 40
	b := s.breeder(context.Background())
	var population []*Individual
	for i := range 40 {
		population = append(population, b.newIndividual(uint64(i),
			s.Game.(crowd).constant(float32(i)/40)))
	}
	is := b.newIsland(0, 0, population, nil, local{})
	order := shuffled(40, is.stream("pair", 0))
	proof.OK(t, is.step())
	for g := range 8 {
		group := order[5*g : 5*g+5]
		for _, place := range group {
			better := 0
			for _, other := range group {
				if other > place {
					better++
				}
			}
			proof.Is(t, is.population[place] == population[place], better < 3,
				"number %d, behind %d of five, stays", place, better)
		}
	}
}
