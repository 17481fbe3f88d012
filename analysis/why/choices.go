package why

import (
	"clade/engine"
	"clade/gp"
)

// Choices holds choices of one seat in a game, to be evaluated again with other genomes.
type Choices struct {
	Kept  []Kept
	Total int // in the game; where there are too many, every 2nd, 4th, 8th … is kept
}

// Kept is one of them.
type Kept struct {
	Moment
	*engine.Choice
}

// Collect replays a recorded game and keeps at most limit choices of a seat, which must hold a
// genome. It returns an error where Replay does.
func Collect(g engine.Game, record *engine.Record, seats []Seat, seat, limit int) (*Choices,
	error) {
	all, every := &Choices{}, 1
	see := func(at Moment, c *engine.Choice) {
		if at.Seat != seat {
			return
		}
		if all.Total%every == 0 {
			if len(all.Kept) == limit {
				every *= 2
				for i := range limit / 2 {
					all.Kept[i] = all.Kept[2*i]
				}
				all.Kept = all.Kept[:limit/2]
			}
			all.Kept = append(all.Kept, Kept{at, c.Clone()})
		}
		all.Total++
	}
	return all, Replay(g, record, seats, see, nil)
}

// Change is a choice that differs for another genome.
type Change struct {
	Moment
	From string `json:"from"` // what was chosen
	To   string `json:"to"`   // what the other genome chooses there
}

// Changes returns the choices that another genome would make differently, each in the position of
// the recorded game. It returns an error for a genome that does not fit the grammar.
func (all *Choices) Changes(g *gp.Grammar, other gp.Genome) ([]Change, error) {
	code, err := gp.NewCompiler(g).Compile(other)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for i := range all.Kept {
		k := &all.Kept[i]
		if best := k.decide(code); best != k.Chosen {
			changes = append(changes, Change{k.Moment, k.Candidates[k.Chosen].Name, k.Candidates[best].Name})
		}
	}
	return changes, nil
}

// As returns the choice as another genome's trees weigh it, in the same position.
func (k *Kept) As(g *gp.Grammar, other gp.Genome) *engine.Choice {
	c := k.Clone()
	for i := range c.Candidates {
		if candidate := &c.Candidates[i]; candidate.Slot >= 0 {
			candidate.Utility = g.Walk(other[candidate.Slot], c.Views[candidate.View].Frame, candidate.Turn)
		}
	}
	c.Chosen = c.Best(func(i int) float32 { return c.Candidates[i].Utility })
	return c
}

// decide returns the candidate that a genome's code takes.
func (k *Kept) decide(code *gp.Code) int {
	for i := range k.Views {
		code.Load(k.Views[i].Frame)
	}
	return k.Best(func(i int) float32 {
		c := &k.Candidates[i]
		if c.Slot < 0 {
			return c.Utility
		}
		return code.EvalLane(c.Slot, 0, c.Turn, k.Views[c.View].Frame)
	})
}

// Idle returns for each node of the genome that made the choices whether its subtree never
// mattered: no substitute for it (see gp.Grammar.Substitutes) changes any of the choices. An Area
// shares the fate of its sensor, and a subtree inside an idle one is idle too.
func (all *Choices) Idle(g *gp.Grammar, ge gp.Genome) ([][]bool, error) {
	compiler := gp.NewCompiler(g)
	idle := make([][]bool, len(ge))
	for slot, tree := range ge {
		idle[slot] = make([]bool, len(tree))
		for i := 0; i < len(tree); {
			end := g.End(tree, i)
			inert := g.Type(tree[i]) != gp.Area
			for _, sub := range g.Substitutes(tree[i:end]) {
				variant := append(gp.Genome(nil), ge...)
				variant[slot] = gp.Splice(tree, i, end, sub)
				code, err := compiler.Compile(variant)
				if err != nil {
					return nil, err
				}
				if inert = inert && !all.change(code); !inert {
					break
				}
			}
			if !inert {
				i++
				continue
			}
			for ; i < end; i++ {
				idle[slot][i] = true
			}
		}
	}
	return idle, nil
}

// change tells whether code decides any of the choices otherwise.
func (all *Choices) change(code *gp.Code) bool {
	for i := range all.Kept {
		if k := &all.Kept[i]; k.decide(code) != k.Chosen {
			return true
		}
	}
	return false
}
