package evolve

import (
	"context"
	"math"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// islandOf returns an island whose individual i is the number i/n, and plays.
func islandOf(t testing.TB, n int, c Config,
	beats func(a, b float64, random *engine.Random) int) *island {
	t.Helper()
	g := newNumbers(beats)
	c.Population = n
	b := (&Setup{Game: g, Config: c, Seed: 1, Workers: 2}).breeder(context.Background())
	population := make([]*Individual, n)
	for i := range population {
		population[i] = b.newIndividual(b.childID(0, 0, i), g.constant(float32(i)/float32(n)))
	}
	proof.OK(t, b.bindAll(population))
	return b.newIsland(0, 0, population, nil, local{})
}

// In a transitive game the winner of a single elimination among k is the best of them, as in
// ordinary tournament selection of size k, and it takes k-1 matches. The chance that the winner is
// at most the individual of rank r, from the worst, of n is C(r, k) / C(n, k).
func TestSingleEliminationIsTournamentSelectionInATransitiveGame(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	const n, draws = 100, 40_000
	for _, k := range []int{2, 3, 5, 8} {
		c := small()
		c.Tournament = k
		is := islandOf(t, n, c, greater)
		choices := proof.Must(is.selection.draw(is, draws, 7))(t)
		proof.Is(t, is.tally.Matches, int64(draws*(k-1)), "k = %d: matches", k)
		below := make([]float64, n+1) // winners of rank 1..r
		for _, c := range choices {
			below[c.winner+1]++
		}
		worst := 0.0
		expected := 1.0
		for r := n; r >= 1; r-- {
			rest := 0.0
			for i := 1; i <= r; i++ {
				rest += below[i]
			}
			worst = max(worst, math.Abs(rest/draws-expected))
			expected *= float64(r-k) / float64(r) // C(r-1, k) / C(r, k)
			if r <= k {
				expected = 0
			}
		}
		// Kolmogorov's bound at the level 0.001.
		if bound := 1.95 / math.Sqrt(draws); worst > bound {
			t.Errorf("k = %d: the distribution of winners is off by %.4f, more than %.4f", k, worst, bound)
		}
		explicit := islandOf(t, n, c, greater)
		explicit.fitness = make([]float64, n)
		for i := range explicit.fitness {
			explicit.fitness[i] = float64(i)
		}
		same := proof.Must(byFitness{}.draw(explicit, draws, 7))(t)
		for i := range same {
			if same[i].winner != choices[i].winner {
				t.Fatalf("k = %d: with the same draw, fitness selects %d and the game %d", k,
					same[i].winner, choices[i].winner)
			}
		}
	}
}

// In rock, paper, scissors there is no best: with clones of three kinds, selection alone makes the
// shares go round, each kind rising after the one it beats.
func TestSingleEliminationCyclesInRockPaperScissors(t *testing.T) {
	proof.Alone(t)
	const n = 3000
	c := small()
	c.Tournament = 2
	is := islandOf(t, n, c, cyclic)
	kinds := make([]int, n) // 0, 1, 2: kind+1 beats kind
	for i := range kinds {
		kinds[i] = [...]int{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}[i%10]
	}
	var leaders []int
	for generation := range 30 {
		counts := [3]int{}
		for i, k := range kinds {
			counts[k]++
			is.population[i].Player = float64(k)
		}
		leader := 0
		for k := range counts {
			if counts[k] > counts[leader] {
				leader = k
			}
		}
		if n := len(leaders); n == 0 || leaders[n-1] != leader {
			leaders = append(leaders, leader)
		}
		is.generation = generation
		choices := proof.Must(is.selection.draw(is, n, is.stream("select", 0)))(t)
		next := make([]int, n)
		for i, c := range choices {
			next[i] = kinds[c.winner]
		}
		kinds = next
		if counts[0] == 0 || counts[1] == 0 || counts[2] == 0 {
			break // drift ends the dance sooner or later
		}
	}
	if len(leaders) < 4 {
		t.Fatalf("only %v led", leaders)
	}
	for i := 1; i < len(leaders); i++ {
		proof.Is(t, leaders[i], (leaders[i-1]+1)%3, "the kind after %d, of %v", leaders[i-1], leaders)
	}
	t.Log(leaders)
}

// The hall's champions never become parents, and the individual that got farthest does.
func TestHallIsOpponentsOnly(t *testing.T) {
	for _, test := range []struct {
		size        int
		hall        []engine.Player
		least, most float64 // of the parents' mean rank
	}{
		{4, []engine.Player{2.0, 3.0, -1.0}, 27, 39}, // 24.5 without selection, 39.8 without a hall
		// Of two the greater one, 33, where they meet first, which is a third; else the last to lose.
		{2, []engine.Player{2.0}, 33./3 + 2*24.5/3 - 1.2, 33./3 + 2*24.5/3 + 1.2},
	} {
		c := small()
		c.Tournament = test.size
		is := islandOf(t, 50, c, greater)
		is.hall = test.hall
		choices := proof.Must(is.selection.draw(is, 2000, 3))(t)
		mean := 0.0
		for _, c := range choices {
			if c.winner < 0 || c.loser < 0 || test.size > 2 && c.winner == c.loser {
				t.Fatalf("choice %+v", c)
			}
			mean += float64(c.winner) / float64(len(choices))
		}
		proof.Is(t, is.tally.Matches, int64(2000*(test.size-1+len(test.hall))), "matches")
		if mean < test.least || mean > test.most {
			t.Errorf("the parents' mean rank is %.1f of %+v", mean, test)
		}
	}
}

// With parsimony the smaller of two equals wins, in a match and by fitness.
func TestParsimony(t *testing.T) {
	c := small()
	c.Parsimony = true
	is := islandOf(t, 2, c, greater)
	is.population[0].Player, is.population[1].Player = 1.0, 1.0
	is.population[1].Size = 9
	for seed := range engine.Seed(50) {
		if w := newWorker(); !is.beats(w, is.population[0], is.population[1], seed) ||
			is.beats(w, is.population[1], is.population[0], seed) {
			t.Fatal("the larger one wins")
		}
	}
	is.population[1].Player = 2.0
	if is.beats(newWorker(), is.population[0], is.population[1], 0) {
		t.Error("the smaller one wins a match it has lost")
	}
	if is.fitter(is.population[0], is.population[1], 1, 1) >= 0 ||
		is.fitter(is.population[0], is.population[1], 1,
			2) <= 0 {
		t.Error("fitness is ordered wrongly")
	}
}

func TestElitesAreTheBest(t *testing.T) {
	for _, fit := range []bool{false, true} {
		c := small()
		c.Elites = 1
		is := islandOf(t, 200, c, greater)
		is.began = append([]*Individual(nil), is.population...)
		best := is.population[199]
		if fit {
			is.fitness = make([]float64, 200)
			is.fitness[199] = 1
		}
		elites := knockout
		if fit {
			elites = chooseFittest
		}
		chosen := proof.Must(elites(is, 1))(t)
		is.moveToFront(chosen)
		if is.population[0] != best || is.began[0] != best {
			t.Errorf("with fitness %v, individual %d is the elite", fit, is.population[0].ID)
		}
		seen := map[uint64]bool{}
		for _, in := range is.population {
			seen[in.ID] = true
		}
		proof.Is(t, len(seen), 200, "individuals that are left")
	}
}

// checkGrowth holds that any kind of selection makes the numbers grow.
func checkGrowth(t *testing.T, r *Run) {
	t.Helper()
	mean := 0.0
	population := r.state.populations[r.Config.Islands-1] // of age layers the one that lasts
	for _, in := range population {
		p := proof.Must(r.player(in))(t)
		mean += p.(float64) / float64(len(population))
	}
	if mean < 9 { // founders: about 1
		t.Errorf("after %d generations the mean is %.2f", r.Config.Generations, mean)
	}
}

// A race finds the best individual of a transitive game, and nearly the best of a noisy one.
func TestRace(t *testing.T) {
	for _, against := range []string{inside, panel} {
		c := small()
		c.Champion = Champion{Against: against, Candidates: 0, Games: 500, Every: 1}
		is := islandOf(t, 100, c, func(a, b float64, r *engine.Random) int { return noisy(8*a, 8*b, r) })
		is.Reference = []engine.Player{0.4, 0.6}
		is.began = is.population
		best, _, err := is.race(0, []*island{is}, &archive{}, true)
		proof.OK(t, err)
		if best.ID < 85 {
			t.Errorf("against %s, %d of 0..99 is champion", against, best.ID)
		}
		if best.record.Games < 500 || best.record.Games > 520 {
			t.Errorf("against %s, the champion has played %d games", against, best.record.Games)
		}
	}
}
