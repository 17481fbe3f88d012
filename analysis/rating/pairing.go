package rating

import (
	"fmt"

	"clade/analysis/stat"
)

// Outcome is the end of one game for the first player of a pairing.
type Outcome int

// The outcomes.
const (
	Loss Outcome = iota
	Tie
	Win
)

// Pairing holds what two players did against each other. A board is two games: in the first A has the first seat, in the second B has. Both
// outcomes are A's.
type Pairing struct {
	A, B   int    // numbers of the players
	Boards [9]int // number of boards by 3*(outcome of the first game) + outcome of the second
}

// Add counts one board.
func (p *Pairing) Add(first, second Outcome) { p.Boards[3*first+second]++ }

// Count returns the number of boards.
func (p *Pairing) Count() int {
	n := 0
	for _, c := range p.Boards {
		n += c
	}
	return n
}

// Points returns the points of A, a win counting 1 and a tie a half, as a share of all, with the Wilson interval whose trials are boards. That is safe, because the
// share of a board varies at most as much as a trial of that probability.
func (p *Pairing) Points(confidence float64) stat.Interval {
	sum := 0.0
	for i, c := range p.Boards {
		sum += float64(c) * float64(i/3+i%3) / 4
	}
	return stat.Wilson(sum, float64(p.Count()), confidence)
}

// Pentanomial counts the boards by A's points, for sequential tests.
func (p *Pairing) Pentanomial() stat.Pentanomial {
	var q stat.Pentanomial
	for i, c := range p.Boards {
		q[i/3+i%3] += c
	}
	return q
}

// outcomes counts games by A's outcome, for each seat of A.
func outcomes(boards *[9]int) (first, second [3]float64) {
	for i, c := range boards {
		first[i/3] += float64(c)
		second[i%3] += float64(c)
	}
	return first, second
}

func checkPairings(players int, pairings []Pairing) error {
	for i, p := range pairings {
		if p.A < 0 || p.B < 0 || p.A >= players || p.B >= players || p.A == p.B {
			return fmt.Errorf("rating: pairing %d is between players %d and %d; there are %d, numbered from 0", i, p.A, p.B, players)
		}
		for _, c := range p.Boards {
			if c < 0 {
				return fmt.Errorf("rating: pairing %d has %d boards of a kind", i, c)
			}
		}
	}
	return nil
}
