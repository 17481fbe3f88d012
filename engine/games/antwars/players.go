package antwars

import (
	_ "embed"
	"fmt"

	"clade/engine"
	"clade/gp"
)

// Players lists the built-in ants by increasing strength.
func (g *game) Players() []engine.Entry {
	brilliant := engine.PlainEntry("antwars", "brilliant",
		"BrilliANT, the evolved winner of the contest, from its printed trees", g.brilliant)
	brilliant.Genome = g.printed
	return []engine.Entry{
		engine.FixedEntry("antwars", "random", "goes anywhere", random{}),
		engine.FixedEntry("antwars", "greedy",
			"goes to the nearest food it knows of and gives the opponent no thought", greedy{}),
		engine.FixedEntry("antwars", "smart",
			"never steps beside the opponent, prefers clusters of food", smart{}),
		brilliant,
		engine.FixedEntry("antwars", "super",
			"plans three moves and explores what it has not seen", super{}),
		engine.FixedEntry("antwars", "hyper", "plans five moves, guesses where food and the "+
			"opponent are, knows when a bite decides", hyper{}),
		searches("search", "plays out its moves on boards that may be: as many moves a decision as "+
			"stand in brackets", false),
		searches("seer", "does so on the board as it is, which no ant sees: a yardstick", true),
	}
}

// random goes in any direction with equal chance.
type random struct{}

func (random) Move(m *memory) int {
	return int(uint64(engine.Seed(m.seed).Num(uint64(m.time))) >> 61)
}

//go:embed brilliant.species
var brilliantText string

// brilliant is the player of the printed trees.
func (g *game) brilliant() (engine.Player, error) {
	ge, err := g.printed()
	if err != nil {
		return nil, err
	}
	return g.Bind(ge)
}

// printed returns the trees that the paper prints ("The original encoding of BrilliANT's trees").
func (g *game) printed() (gp.Genome, error) {
	s, err := gp.ParseSpecies(brilliantText,
		func(string, int) (*gp.Grammar, error) { return g.grammar, nil })
	if err != nil {
		return nil, fmt.Errorf("antwars: brilliant.species: %w", err)
	}
	return s.Genome, nil
}
