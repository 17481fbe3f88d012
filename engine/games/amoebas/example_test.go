package amoebas

import (
	"flag"
	"fmt"
	"io"
	"os"

	"clade/engine"
)

// grazer eats, and divides whenever it can.
type grazer struct{}

func (grazer) Act(v *view) action {
	open := v.free()
	if d, ok := open.last(v.fuelAt); ok && v.Energy >= v.constants().MinDivideEnergy {
		return action{Command: doDivide, Direction: d}
	}
	return action{Command: doRest}
}

func Example() {
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 10, 60
	g, err := New().With(&s)
	if err != nil {
		panic(err)
	}
	r := g.Play([]engine.Player{grazer{}}, 1, nil)
	fmt.Printf("%v amoebas, energy %v\n", r.Marks[0][0], r.Scores[0])
	// Output: 97 amoebas, energy 3987
}

// A game as the original's program plays it, with its console line.
func Example_native() {
	s := DefaultSettings()
	s.WorldSize, s.Rounds, s.Order = 10, 60, "classic"
	g, err := New().With(&s)
	if err != nil {
		panic(err)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	native := g.(engine.NativeMatch).NativeMatch(flags)
	if err := flags.Parse([]string{"-last-gen-stats"}); err != nil {
		panic(err)
	}
	r, err := native.Begin([]string{"red"}, []string{"grazer"}, os.Stdout, io.Discard)
	if err != nil {
		panic(err)
	}
	if _, err := r.Close(g.Play([]engine.Player{grazer{}}, 1, r)); err != nil {
		fmt.Println(err)
	}
	// Output: finished ( 60  generations):  {:size {:red 99}, :energy {:red 3943}, :live-species (:red)}
}
