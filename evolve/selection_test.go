package evolve

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// The candidates for champion are the individuals with the greatest selection count, of all
// islands.
func TestCandidatesAreTheMostSelected(t *testing.T) {
	c := small()
	c.Champion.Candidates = 7
	is := islandOf(t, 50, c, greater)
	is.began = is.population
	for i := range is.selected {
		is.selected[i] = float64(i * 7 % 50)
	}
	field := is.candidates(0, []*island{is})
	if len(field) != 7 {
		t.Fatalf("%d candidates", len(field))
	}
	for i, c := range field {
		proof.Is(t, c.selected, float64(49-i), "how often candidate %d was selected", i)
	}
	is, selected := islandOf(t, 40, c, greater), 0.0
	proof.OK(t, is.step())
	for _, times := range is.selected {
		selected += times
	}
	proof.Is(t, selected, 40, "how often parents were selected for 40 children")
}

// Those who emigrate have won: in a transitive game the best of five random ones, whose mean place
// is 5/6 of all.
func TestEmigrantsHaveWon(t *testing.T) {
	c := small()
	c.Tournament, c.Migration.Migrants = 5, 200
	is := islandOf(t, 200, c, greater)
	out := proof.Must(is.emigrants())(t)
	mean := 0.0
	for _, in := range out {
		mean += in.Player.(float64) / float64(len(out))
	}
	if !(math.Abs(mean-5.0/6) <= 0.04) { // four standard errors
		t.Errorf("the mean place of those who leave is %.3f", mean)
	}
}

// watched is numbers where each game is looked at.
type watched struct {
	*numbers
	look func(players []engine.Player)
}

func (g watched) Play(players []engine.Player, seed uint64, r engine.Recorder) engine.Result {
	g.look(players)
	return g.numbers.Play(players, seed, r)
}

// Random opponents are all the others, each equally likely, and never oneself.
func TestRandomOpponentsAreOthers(t *testing.T) {
	const n, count = 10, 900
	c := small()
	c.Selection = ByFitness
	c.Fitness = Fitness{Measure: measureWins, Opponents: randomOpponents, Count: count}
	is := islandOf(t, n, c, greater)
	var met [n][n]atomic.Int64
	is.Config.Boards = 1
	is.Game = watched{is.Game.(*numbers), func(players []engine.Player) {
		index := func(p engine.Player) int { return int(math.Round(p.(float64) * n)) }
		met[index(players[0])][index(players[1])].Add(1)
	}}
	proof.OK(t, is.rate())
	for i := range met {
		for j := range met[i] {
			times := met[i][j].Load() // matches of either, one game of each in this seat
			if i == j && times != 0 {
				t.Errorf("%d plays against itself", i)
			} else if i != j && !(math.Abs(float64(times)-200) <= 57) {
				// of 200 expected; the standard deviation is 13.3
				t.Errorf("%d meets %d %d times", i, j, times)
			}
		}
	}
}

// The share of points of ten numbers, neighbours of which are tied, counted here: in a round robin,
// in matches of each, and against a panel, each time with the two numbers of the hall.
func TestFitnessCountsPoints(t *testing.T) {
	beats := func(a, b float64, _ *engine.Random) int {
		if math.Abs(a-b) < 0.11 {
			return engine.Tie
		}
		return greater(a, b, nil)
	}
	c := small()
	c.Selection, c.Fitness = ByFitness, Fitness{Measure: measureWins, Opponents: allOpponents}
	is := islandOf(t, 10, c, beats)
	is.hall, is.Panel = []engine.Player{-1.0, 5.0}, []engine.Player{0.42, 0.95, -2.0}
	places := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for k, rate := range []func() error{is.rate, func() error { return is.rateNewborns(places, 1) },
		func() error { is.Config.Fitness.Opponents = panel; return is.rate() }} {
		clear(is.fitness)
		is.tally = Tally{}
		proof.OK(t, rate())
		matches := 0
		for i, in := range is.population {
			others := slices.Concat(is.hall, is.Panel)
			if is.Config.Fitness.Opponents == allOpponents {
				others = slices.Clone(is.hall)
				for j, other := range is.population {
					if j != i {
						others = append(others, other.Player)
					}
				}
			}
			points := 0.0
			for _, other := range others {
				points += [3]float64{0.5, 1, 0}[1+beats(in.Player.(float64), other.(float64), nil)]
			}
			matches += len(others)
			proof.Near(t, fmt.Sprint("fitness of ", i), is.fitness[i], points/float64(len(others)), 1e-12)
		}
		if k == 0 {
			matches -= 45 // each pair plays once
		}
		proof.Is(t, is.tally, Tally{int64(matches), int64(4 * matches)}, "what is counted")
	}
}

// Where chance has a part in a game for one, fitness is the mean score of the boards of a match.
func TestFitnessAlone(t *testing.T) {
	c := small()
	c.Boards = 50
	is := islandOf(t, 1, c, greater)
	sum, seeds, w := 0.0, map[uint64]bool{}, newWorker()
	is.chance, is.Game = true, dice{is.Game.(*numbers), func(seed uint64) float64 {
		score := float64(seed % 6)
		sum, seeds[seed] = sum+score, true
		return score
	}}
	got := is.alone(w, is.population[0], 3)
	proof.Near(t, "fitness", got, sum/50, 1e-12)
	if len(seeds) != 50 || w.tally != (Tally{0, 50}) {
		t.Errorf("%d boards, %+v", len(seeds), w.tally)
	}
}

// dice is a game for one.
type dice struct {
	*numbers
	roll func(seed uint64) float64
}

func (d dice) Play(_ []engine.Player, seed uint64, _ engine.Recorder) (r engine.Result) {
	r.Scores[0] = d.roll(seed)
	return r
}

// Twins of which nobody plays count as many games as others that are equal, and win as often.
func TestTwinsToss(t *testing.T) {
	is := islandOf(t, 2, small(), greater)
	is.halves = true
	group := is.population
	group[1].Player = group[0].Player
	played, tossed, twin := newWorker(), newWorker(), *group[0]
	for seed := range engine.Seed(40) {
		proof.Is(t, is.beats(tossed, group[0], &twin, seed), is.beats(played, group[0], group[1], seed),
			"whether twins win with seed %d", seed)
	}
	proof.Is(t, tossed.tally, played.tally, "what is counted of twins")
}

// In a steady state everybody has a fitness of its own: here the mean score, which is the number
// that an individual is.
func TestNewbornsHaveTheirOwnFitness(t *testing.T) {
	c := small()
	c.Selection, c.Replacement, c.Fitness.Measure = ByFitness, replaceLosers, measureScore
	is := islandOf(t, 41, c, greater)
	proof.OK(t, is.step())
	proof.Is(t, len(is.offspring), 41, "births among 41")
	for i, in := range is.population {
		if !(math.Abs(is.fitness[i]-in.Player.(float64)) <= 1e-9) {
			t.Errorf("the fitness of %v is %v", in.Player, is.fitness[i])
		}
	}
}

// The hall's champions are drawn anew every generation, each at most once.
func TestHallIsDrawnAnew(t *testing.T) {
	c := small()
	c.Hall = 3
	is := islandOf(t, 2, c, greater)
	a := &archive{}
	for i := range 12 {
		a.past = append(a.past, &Individual{Player: float64(i)})
	}
	drawn := map[engine.Player]int{}
	for generation := range 400 {
		players := proof.Must(is.breeder.hall(generation, a))(t)
		if len(players) != 3 || players[0] == players[1] || players[0] == players[2] ||
			players[1] == players[2] {
			t.Fatalf("the hall is %v", players)
		}
		for _, p := range players {
			drawn[p]++
		}
	}
	for _, best := range a.past {
		// of 100 expected; the standard deviation is 8.7
		if n := drawn[best.Player]; n < 60 || n > 140 {
			t.Errorf("champion %v was drawn %d times", best.Player, n)
		}
	}
}

// Of twins one plays a racing round for all, but where one of them would meet itself, and each has
// the record that it has by itself. The ten players are numbers, five of them twice.
func TestTwinsRaceOnce(t *testing.T) {
	race := func(twins bool) (records []record, games int64) {
		c := small()
		c.Champion.Candidates = 0
		is := islandOf(t, 10, c, greater)
		var played atomic.Int64
		is.Game = watched{is.Game.(*numbers), func([]engine.Player) { played.Add(1) }}
		for i, in := range is.population[:5] {
			twin := is.population[5+i]
			if twin.Player = in.Player; twins {
				twin.genotype, twin.Genome = in.genotype, in.Genome
			}
		}
		is.began = is.population
		field := is.candidates(0, []*island{is})
		all := proof.Must(is.rounds(0, []*island{is}, &archive{}, field, 0, 40))(t)
		proof.Is(t, all, int64(len(field)*40*2*raceBoards), "games counted")
		for _, c := range field {
			records = append(records, c.record)
			proof.Is(t, c.record.Marks[0], 40*2*raceBoards, "marks, one a game")
		}
		return records, played.Load()
	}
	alone, all := race(false)
	shared, once := race(true)
	if once < all/2 || once > all*7/10 {
		t.Errorf("of %d games twins leave %d", all, once)
	}
	proof.Are(t, shared, alone, "records of twins")
}
