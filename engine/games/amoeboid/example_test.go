package amoeboid_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/games/amoeboid"
)

// A game between two built-in players, and a move by hand.
func Example() {
	g := amoeboid.New()
	r := g.Play([]engine.Player{amoeboid.Greedy{}, amoeboid.Random{}}, 1, nil)
	fmt.Println("seat", r.Winner(), "has won after", r.Steps, "plies")

	p, roll, _ := amoeboid.ParsePosition(g.Graph(), "A1 . . . / . 9,0 . / . . 0,4")
	m, _ := p.ParseMove(g.Graph(), "b2 c3 5,0", roll)
	p.Apply(m, roll)
	fmt.Println(p.Text(g.Graph(), 0), p.Verdict() == amoeboid.WonByA)
	// Output:
	// seat 0 has won after 9 plies
	// B . . . / . 5,0 . / . . 5,4 true
}
