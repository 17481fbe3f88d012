package antwars

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

var strengthGames = flag.Int("strength", 1000,
	"games of each pair of ants in TestStrength, and of each row of TestSwaps")

// wins counts the games that the first player wins of an even number, two on each board, one in
// each seat.
func wins(g engine.Game, a, b engine.Player, games int) (n int) {
	boards := engine.Seed(2007).Name("strength")
	for i := range games / 2 {
		seed := uint64(boards.Num(uint64(i)))
		if g.Play([]engine.Player{a, b}, seed, nil).Winner() == 0 {
			n++
		}
		if g.Play([]engine.Player{b, a}, seed, nil).Winner() == 1 {
			n++
		}
	}
	return n
}

// wilson is the 95 % interval of a proportion (Wilson, 1927).
func wilson(successes, trials int) (low, high float64) {
	const z = 1.959963984540054
	n := float64(trials)
	p := float64(successes) / n
	centre := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return centre - half, centre + half
}

// TestStrength plays every pair of built-in ants and checks the order of the hand-written ants:
// each beats all weaker ones beyond the 95 % interval, and hyper is BrilliANT's equal or better.
func TestStrength(t *testing.T) {
	proof.Slow(t)
	g := New()
	games := *strengthGames
	names := append(handWritten[:len(handWritten):len(handWritten)], "brilliant")
	var table strings.Builder
	for i, name := range names {
		for j, rival := range names[:i] {
			won := wins(g, mustPlayer(t, name), mustPlayer(t, rival), games)
			low, high := wilson(won, games)
			fmt.Fprintf(&table, "%-10s %-10s %5.1f %%  %5.1f-%.1f\n", name, rival,
				100*float64(won)/float64(games), 100*low, 100*high)
			if name != "brilliant" && low <= 0.5 {
				t.Errorf("%s wins %d of %d games against %s", name, won, games, rival)
			}
			if name == "brilliant" && j == len(handWritten)-1 && low > 0.5 {
				t.Errorf("hyper is worse than BrilliANT: it loses %d of %d games", won, games)
			}
		}
	}
	t.Logf("wins in %d games of each pair, with the Wilson 95 %% interval:\n%s", games, &table)
}
