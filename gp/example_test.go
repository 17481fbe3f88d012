package gp_test

import (
	"fmt"
	"math/rand/v2"

	"clade/gp"
)

// A game describes its vocabulary once. Then genomes are parsed or grown, varied, compiled, and
// evaluated in frames that the game fills.
func Example() {
	window := gp.Window{Side: 5}
	grammar := gp.MustGrammar(gp.Spec{
		Slots: []gp.Slot{{Name: "step", Type: gp.Float}},
		Operators: append(gp.Shared(),
			gp.ScalarSensor("timeLeft", 0),
			gp.AreaSensor("noFood", gp.Count, 0)),
		Scalars: 1,
		Layers:  []gp.Layer{{Name: "food"}},
		Window:  window,
		Rects:   gp.RectRange{Centre: 2, Side: 3, Exact: true},
	})

	// Parse and print.
	genome, err := grammar.Parse("(add timeLeft (noFood (rect 0 -1 3 1))) ; food ahead")
	if err != nil {
		panic(err)
	}
	fmt.Println(grammar.PrintTree(genome[0]))

	// Grow another genome, and cross the two.
	random := rand.New(rand.NewPCG(5, 6))
	other := grammar.Ramped(random, 2, 3)
	child, _ := grammar.Cross(random, genome, other, &gp.PaperVariation)
	fmt.Println(grammar.PrintTree(other[0]))
	fmt.Println(grammar.PrintTree(child[0]))

	// Fill a frame: two pieces of food, ahead and to the right.
	frame := grammar.NewFrame()
	frame.SetScalar(0, 7)
	for _, at := range [][2]int{{0, -1}, {1, 0}} {
		cell, _ := window.Cell(at[0], at[1])
		frame.Layers[0].Set(cell)
	}

	// Compile, and run under the four turns at once. The walk over the tree gives the same.
	code, err := gp.NewCompiler(grammar).Compile(genome)
	if err != nil {
		panic(err)
	}
	code.Load(frame)
	var values gp.Quad
	code.Eval(0, 0, frame, &values)
	fmt.Println(values, grammar.Walk(genome[0], frame, 1))
	// Output:
	// (add timeLeft (noFood (rect 0 -1 3 1)))
	// (mul (constint 2) (const 0.8480765))
	// (add timeLeft (mul (constint 2) (const 0.8480765)))
	// [8 8 7 7] 8
}

// A species file holds a genome and what is needed to play it.
func ExampleParseSpecies() {
	grammar := testGrammar(true)
	species, err := gp.ParseSpecies(`
; bred by hand
(species ants 1
  (origin "written for this example")
  (slot straight hope)
  (slot diagonal (sub hope time))
  (slot stay (const 0.5)))`,
		func(game string, version int) (*gp.Grammar, error) { return grammar, nil })
	if err != nil {
		panic(err)
	}
	fmt.Println(species.Game, species.Version, species.Genome.Size())
	fmt.Print(grammar.PrintSpecies(species))
	// Output:
	// ants 1 5
	// (species ants 1
	//   (origin "written for this example")
	//   (slot straight
	//     hope)
	//   (slot diagonal
	//     (sub hope time))
	//   (slot stay
	//     (const 0.5)))
}
