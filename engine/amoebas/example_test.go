package amoebas_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/amoebas"
)

// grazer eats, and divides whenever it can.
type grazer struct{}

func (grazer) Act(v *amoebas.View) amoebas.Action {
	open := v.Free()
	if d, ok := open.Last(v.FuelAt); ok && v.Energy >= v.Constants().MinDivideEnergy {
		return amoebas.Action{Command: amoebas.Divide, Direction: d}
	}
	return amoebas.Action{Command: amoebas.Rest}
}

func Example() {
	s := amoebas.DefaultSettings()
	s.WorldSize, s.Rounds = 10, 60
	g, err := amoebas.New().With(&s)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := g.Play([]engine.Player{grazer{}}, 1, nil)
	fmt.Printf("%v amoebas, energy %v\n", r.Marks[0][0], r.Scores[0])
	// Output: 97 amoebas, energy 3987
}
