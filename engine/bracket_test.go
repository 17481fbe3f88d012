package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

func TestBracket(t *testing.T) {
	tests := []struct {
		entrants []int
		want     string // the matches, the higher number winning
	}{
		{[]int{7}, "[]"},
		{[]int{1, 2}, "[1-2]"},
		{[]int{3, 2, 1}, "[3-2 1-3]"},
		{[]int{1, 2, 3, 4}, "[1-2 3-4 2-4]"},
		{[]int{1, 2, 3, 4, 5}, "[1-2 3-4 5-2 4-5]"},
		{[]int{6, 6}, "[6-6]"},
	}
	for _, test := range tests {
		before := slices.Clone(test.entrants)
		matches := []string{}
		winner := engine.Bracket(test.entrants, func(a, b, index int) int {
			proof.Is(t, index, len(matches), "%v: match %d has the number", before, len(matches))
			matches = append(matches, fmt.Sprintf("%d-%d", a, b))
			return max(a, b)
		})
		if got := fmt.Sprint(matches); got != test.want || winner != slices.Max(before) {
			t.Errorf("%v: matches %s and winner %d; want %s", before, got, winner, test.want)
		}
		if !slices.Equal(before, test.entrants) {
			t.Errorf("%v: the entrants were changed", before)
		}
	}
}

// TestBracketShape holds for every number of entrants: one match fewer than entrants, the one that
// lost plays no more, none has two byes, and no path is longer than another by more than one match.
func TestBracketShape(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 200; n++ {
		entrants := r.Perm(n)
		lost := make([]bool, n)
		played := make([]int, n)
		matches := 0
		winner := engine.Bracket(entrants, func(a, b, index int) int {
			if lost[a] || lost[b] || a == b {
				t.Fatalf("%d entrants: match %d is between %d and %d", n, index, a, b)
			}
			matches++
			played[a]++
			played[b]++
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			lost[b] = true
			return a
		})
		if matches != n-1 || lost[winner] {
			t.Errorf("%d entrants: %d matches", n, matches)
		}
		rounds := 0
		for left := n; left > 1; left = (left + 1) / 2 {
			rounds++
		}
		if byes := rounds - played[winner]; byes < 0 || byes > 1 {
			t.Errorf("%d entrants: the winner had %d byes in %d rounds", n, byes, rounds)
		}
	}
}

func TestBracketPanics(t *testing.T) {
	for name, play := range map[string]func(){
		"nobody":   func() { engine.Bracket(nil, nil) },
		"stranger": func() { engine.Bracket([]int{4, 5}, func(int, int, int) int { return 1 }) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			play()
		})
	}
}

func TestBracketAllocatesNothing(t *testing.T) {
	entrants := []int{5, 3, 8, 1, 9, 2, 7}
	higher := func(a, b, _ int) int { return max(a, b) }
	proof.Is(t, testing.AllocsPerRun(100, func() { engine.Bracket(entrants, higher) }), 0,
		"what a bracket allocates")
}

func ExampleBracket() {
	strength := []int{3, 9, 4, 7, 5}
	winner := engine.Bracket([]int{0, 1, 2, 3, 4}, func(a, b, _ int) int {
		if strength[a] > strength[b] {
			return a
		}
		return b
	})
	fmt.Println("entrant", winner, "wins")
	// Output: entrant 1 wins
}
