package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/games/amoeboid"
)

// advantages examines both claims on advantages, on every end of many games between three kinds of
// players on several boards.
func advantages() claim {
	table := table{Name: "advantages", Columns: []string{"board", "players", "games", "won",
		"without advantage 1", "without advantage 2"}}
	broken := 0
	for _, size := range []int{2, 3, 4} {
		s := amoeboid.Default()
		s.Size = size
		g, err := amoeboid.FromSettings(s)
		if err != nil {
			panic("claims: " + err.Error())
		}
		for _, pair := range []struct {
			name    string
			players []engine.Player
		}{
			{"random, random", []engine.Player{amoeboid.Random{}, amoeboid.Random{}}},
			{"greedy, cautious", []engine.Player{amoeboid.Greedy{}, amoeboid.Cautious{}}},
			{"cautious, random", []engine.Player{amoeboid.Cautious{}, amoeboid.Random{}}},
		} {
			const games = 500
			wins, without1, without2 := 0, 0, 0
			for seed := range uint64(games) {
				r := g.Play(pair.players, seed, nil)
				if r.Winner() == engine.Tie {
					continue
				}
				wins++
				// The marks of a game are the units and the control of both seats.
				w, l := r.Winner(), 1-r.Winner()
				without1 += boolInt(r.Marks[w][0] <= r.Marks[l][0])
				without2 += boolInt(r.Marks[w][1] <= r.Marks[l][1])
			}
			broken += without1 + without2
			table.Add(fmt.Sprintf("%d x %d", size, size), pair.name, games, wins, without1, without2)
		}
	}
	return claim{
		Name: "Advantages 1 and 2",
		Says: "A player can win only with more rolled in all than the other (advantage 1), " +
			"and only with more size under his control (advantage 2).",
		Verdict: "true, both",
		Evidence: []string{
			fmt.Sprintf("Proof. At the end the loser owns no piece, so in every piece the "+
				"winner has at least as many units, and in one more. Both began with one unit, so "+
				"the winner's rolls sum to more. The loser controls nothing, the winner "+
				"something. This holds for any board and die. `TestTheorems` checks both in every "+
				"game it plays; the games below have %d exceptions.", broken),
		},
		Table: table,
	}
}

// rollOnce convolves a distribution over the difference, index i being i+low, with one roll, added
// for A and subtracted for B.
func rollOnce(p []float64, sign int) []float64 {
	q := make([]float64, len(p))
	for i, v := range p {
		if v == 0 {
			continue
		}
		for r := 1; r <= die; r++ {
			if j := i + sign*r; j >= 0 && j < len(q) {
				q[j] += v / die
			}
		}
	}
	return q
}

// ahead computes what share of games no player can win before a limit who wins each of its plies
// from ply 20 on after which it has more units, with some chance.
func ahead() claim {
	limits := []int{100, 200, 400, 1000}
	table := table{Name: "ahead", Columns: []string{"chance to win a ply ahead"}}
	for _, limit := range limits {
		table.Columns = append(table.Columns, fmt.Sprint(limit, " plies"))
	}
	const from, span = 20, 350 // what lies beyond the span is less than what is printed
	marks := map[float64][]string{}
	for _, chance := range []float64{1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01} {
		row := []any{strconv.FormatFloat(chance, 'g', -1, 64)}
		open := make([]float64, len(limits)) // games that are not won, the mean of both seats
		for seat := range 2 {
			p := make([]float64, 2*span+1)
			p[span] = 1
			for ply := range limits[len(limits)-1] {
				own := ply%2 == seat
				if p = rollOnce(p, 2*boolInt(own)-1); own && ply >= from {
					for i := span + 1; i < len(p); i++ {
						p[i] *= 1 - chance
					}
				}
				if k := slices.Index(limits, ply+1); k >= 0 {
					for _, v := range p {
						open[k] += v / 2
					}
				}
			}
		}
		for _, v := range open {
			row = append(row, v)
			marks[chance] = append(marks[chance], fmt.Sprintf("%.1f", 100*v))
		}
		table.Add(row...)
	}
	return claim{
		Name: "Advantage 1 within a limit",
		Says: "(Not the document's; it follows from advantage 1.) Where a game is tied at a limit, " +
			"dice alone keep a player from winning some games.",
		Verdict: fmt.Sprintf("at least %s %% of games of 400 plies, if none is won before ply %d",
			marks[1][2], from),
		Evidence: []string{
			fmt.Sprintf("A player who cannot lose wins, from ply %d on, with some chance "+
				"each own ply after which it has more units. The table has the share of games "+
				"that stay open, by stepping the distribution of the difference. To tie fewer "+
				"than 15 %% of games of 400 plies, the chance must be near 0.1; with 0.02, %s %% "+
				"are tied.", from, marks[0.02][2]),
		},
		Table: table,
	}
}

// symmetry computes the exact distribution of the difference of the rolls' sums.
func symmetry() claim {
	table := table{Name: "symmetry", Columns: []string{"rolls of A", "rolls of B", "mean",
		"largest difference of P(k) and P(-k)"}}
	const span = 200
	p := make([]float64, 2*span+1)
	p[span] = 1
	note := func(a, b int) {
		mean, skew := 0.0, 0.0
		for i, v := range p {
			mean += float64(float64(i-span) * v)
			skew = max(skew, math.Abs(v-p[len(p)-1-i]))
		}
		table.Add(a, b, math.Round(mean*1e9)/1e9+0, math.Round(skew*1e9)/1e9)
	}
	for n := 1; n <= 20; n++ {
		p = rollOnce(p, 1)
		if n <= 3 || n == 20 {
			note(n, n-1)
		}
		p = rollOnce(p, -1)
		if n <= 3 || n == 20 {
			note(n, n)
		}
	}
	return claim{
		Name:    "Symmetry of the difference",
		Says:    "The expected difference of the players' rolled sums is always 0.",
		Verdict: "true after equal numbers of rolls only",
		Evidence: []string{
			"In half of all positions A has rolled once more than B. There the " +
				"expectation is 3.5, and the distribution is not symmetric.",
		},
		Table: table,
	}
}

// unboundedness computes how probable it is that A has led by more than 44 within n rounds, exactly
// and by simulation.
func unboundedness() claim {
	table := table{Name: "unboundedness", Apart: true, Columns: []string{"rounds", "exact",
		"simulated", "simulated low", "simulated high"}}
	const (
		bound = 44
		walks = 2000
		last  = 10000
		// differences below -depth are dropped: their mass is counted as never coming back
		depth = 6000
	)
	hit := make([]int, last+1) // walks that first lead by more than the bound in a round
	for w := range uint64(walks) {
		r := engine.NewRandom(uint64(engine.Seed(1).Name("walk").Num(w)))
		difference := 0
		for n := 1; n <= last; n++ {
			rollA := r.Below(die)
			difference += rollA - r.Below(die)
			if difference > bound {
				hit[n]++
				break
			}
		}
	}
	p := make([]float64, depth+bound+1) // by difference + depth, not yet absorbed
	p[depth] = 1
	step := differences()
	absorbed, simulated := 0.0, 0
	marks := map[int]string{}
	shown := []int{10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000, 2000, 3000, 5000, 7000, last}
	low := depth
	for n := 1; n <= last; n++ {
		low = max(0, low-(die-1))
		q := make([]float64, len(p))
		for i := low; i < len(p); i++ {
			sum := 0.0
			for d, weight := range step {
				if j := i - (d - die + 1); j >= 0 && j < len(p) {
					sum += float64(p[j] * weight)
				}
			}
			q[i] = sum
		}
		for d := 1; d < die; d++ { // from difference bound-i+1 on, d leads beyond the bound
			for i := len(p) - d; i < len(p); i++ {
				absorbed += float64(p[i] * step[d+die-1])
			}
		}
		p = q
		simulated += hit[n]
		if slices.Contains(shown, n) {
			share := stat.Wilson(float64(simulated), walks, 0.95)
			table.Add(n, absorbed, float64(simulated)/walks, share.Low, share.High)
			marks[n] = strconv.FormatFloat(absorbed, 'f', 3, 64)
		}
	}
	return claim{
		Name: "Unboundedness of the difference",
		Says: "The probability that the difference exceeds M before n turns tends to 1 for " +
			"every M (stated as a conjecture, backed by simulation).",
		Verdict: "true, but slow",
		Evidence: []string{
			"Proof. The difference after whole rounds is a random walk with " +
				"independent steps of mean 0 and finite variance, not constant. It exceeds every " +
				"bound with probability 1 (Chung and Fuchs, 1951). The time to do so has no " +
				"finite mean.",
			fmt.Sprintf("For M = 44, the bound of case IV, the probability is %s within 100 "+
				"rounds, %s within 1,000, %s within 3,000 and %s within 10,000. It is exact, by "+
				"stepping the walk's distribution; a simulation of %d walks with 95 %% Wilson "+
				"intervals stands beside it.",
				marks[100], marks[1000], marks[3000], marks[10000], walks),
			"![Probability that the difference has exceeded 44, by rounds](unboundedness.svg)",
		},
		Table: table,
	}
}

// differences returns the distribution of one roll less another, index 0 being 1-die.
func differences() []float64 {
	p := make([]float64, 2*die-1)
	for a := range die {
		for b := range die {
			p[a-b+die-1] += 1.0 / (die * die)
		}
	}
	return p
}
