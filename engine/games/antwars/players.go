package antwars

import (
	_ "embed"
	"fmt"

	"clade/engine"
	"clade/gp"
)

// Players lists the built-in ants by increasing strength.
func (g *game) Players() []engine.Entry {
	return []engine.Entry{
		{Name: "random", About: "goes anywhere", New: plain(random{})},
		{Name: "greedy",
			About: "goes to the nearest food it knows of and gives the opponent no thought",
			New:   plain(greedy{})},
		{Name: "smart", About: "never steps beside the opponent, prefers clusters of food",
			New: plain(smart{})},
		{Name: "brilliant",
			About: "BrilliANT, the evolved winner of the contest, from its printed trees",
			New:   g.brilliant, Genome: g.printed},
		{Name: "super", About: "plans three moves and explores what it has not seen",
			New: plain(super{})},
		{Name: "hyper",
			About: "plans five moves, guesses where food and the opponent are, knows when a bite " +
				"decides", New: plain(hyper{})},
	}
}

// plain makes an entry's constructor for an ant without arguments.
func plain(a decider) func(string) (engine.Player, error) {
	return func(args string) (engine.Player, error) {
		if args != "" {
			return nil, fmt.Errorf("antwars: this ant takes no arguments, not %q", args)
		}
		return a, nil
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
func (g *game) brilliant(args string) (engine.Player, error) {
	if args != "" {
		return nil, fmt.Errorf("antwars: brilliant takes no arguments, not %q", args)
	}
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
