package rating

import (
	"fmt"
	"math"

	"clade/analysis/stat"
)

// Outcome is the result of one game for the first player of a pairing.
type Outcome int

// The outcomes.
const (
	Loss Outcome = iota
	Tie
	Win
)

// Pairing holds the results of two players against each other. A board is two games: in the first A
// has the first seat, in the second B has. Both outcomes are A's.
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

// Points returns the points of A, 1 for a win and a half for a tie, as a share of all, with the
// Wilson interval with boards as trials. That is conservative, because the share of a board varies
// at most as much as a trial of that probability.
func (p *Pairing) Points(confidence float64) stat.Interval {
	sum := 0.0
	for i, c := range p.Boards {
		sum += float64(c) * float64(i/3+i%3) / 4
	}
	return stat.Wilson(sum, float64(p.Count()), confidence)
}

// Scores returns the points of each player against each other as a share of all, 0..1; NaN where
// two did not meet, and for a player against itself. Several pairings of the same two add up.
func Scores(players int, pairings []Pairing) ([][]float64, error) {
	if err := checkPairings(players, pairings); err != nil {
		return nil, err
	}
	points, boards := make([][]float64, players), make([][]float64, players)
	for i := range points {
		points[i], boards[i] = make([]float64, players), make([]float64, players)
	}
	for _, p := range pairings {
		for i, c := range p.Boards {
			points[p.A][p.B] += float64(c*(i/3+i%3)) / 4
			points[p.B][p.A] += float64(c*(4-i/3-i%3)) / 4
			boards[p.A][p.B] += float64(c)
			boards[p.B][p.A] += float64(c)
		}
	}
	for i := range points {
		for j := range points {
			points[i][j] /= boards[i][j] // NaN without boards
		}
	}
	return points, nil
}

// Payoffs returns scores as payoffs of a symmetric game of zero sum, -1..1: 0 is even, and stands
// where two did not meet. NashAverage, AlphaRankLimit and the disc embedding take it.
func Payoffs(scores [][]float64) [][]float64 {
	payoffs := make([][]float64, len(scores))
	for i, row := range scores {
		payoffs[i] = make([]float64, len(row))
		for j, s := range row {
			if !math.IsNaN(s) {
				payoffs[i][j] = s - scores[j][i]
			}
		}
	}
	return payoffs
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
			return fmt.Errorf("rating: pairing %d is between players %d and %d; there are %d, "+
				"numbered from 0", i, p.A, p.B, players)
		}
		for _, c := range p.Boards {
			if c < 0 {
				return fmt.Errorf("rating: pairing %d has %d boards of a kind", i, c)
			}
		}
	}
	return nil
}
