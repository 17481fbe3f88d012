// Command breed breeds ants into a directory, as any Go program can.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"clade/engine/games/antwars"
	"clade/evolve"
	"clade/experiments/runner"
	"clade/experiments/study"
)

func main() {
	config := evolve.Default()
	config.Population, config.Generations, config.Tournament = 30, 3, 2
	s, err := study.New(antwars.New(), config, 1)
	if err != nil {
		log.Fatal(err)
	}
	s.Measure.Final = 100 // games of the last champion against each built-in ant
	end, err := runner.Start(context.Background(), os.Args[1], s, runner.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range end.Final {
		fmt.Printf("%s: %.0f %% won\n", m.Against, 100*m.Share)
	}
	fmt.Println("watch it: clade monitor", os.Args[1])
}
