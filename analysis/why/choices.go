package why

import (
	"cmp"
	"math"
	"slices"

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

// contrast compares the candidate that was taken with the best of the others.
type contrast struct {
	Rival  int    `json:"rival"`  // the other candidate of the greatest utility, the first of equals
	Margin Number `json:"margin"` // utility of what was taken, less the rival's
	// Share is the margin as a share of what lies between the best and the worst utility; 0 where
	// all are equal, 1 without finite ones
	Share float32      `json:"share"`
	Why   []difference `json:"why,omitempty"` // the greatest worth first
}

// difference is a sensor of a tree with another value for the rival.
type difference struct {
	Index int    `json:"index"` // of the node in the tree of the candidate that was taken
	Text  string `json:"text"`
	Type  string `json:"type"`  // "Float" or "Bool"
	Here  Number `json:"here"`  // for what was taken
	There Number `json:"there"` // for the rival
	Worth Number `json:"worth"` // utility that would be lost if it were as for the rival; positive
}

// mostReasons is how many differences a contrast has.
const mostReasons = 3

// Against returns the contrast of a choice, nil where nothing else could be done. Where a genome
// made it, each sensor of the tree that scored what was taken is set, alone, to what it is for the
// rival: what the utility loses by that says how much it mattered.
func Against(g *gp.Grammar, ge gp.Genome, c *engine.Choice) *contrast {
	rival, least, most := -1, float32(math.Inf(1)), float32(math.Inf(-1))
	for i := range c.Candidates {
		u := c.Candidates[i].Utility
		if float64(u-u) == 0 { // finite
			least, most = min(least, u), max(most, u)
		}
		if i != c.Chosen && (rival < 0 || u > c.Candidates[rival].Utility) {
			rival = i
		}
	}
	if rival < 0 {
		return nil
	}
	a, b := &c.Candidates[c.Chosen], &c.Candidates[rival]
	v := &contrast{Rival: rival, Margin: Number(a.Utility - b.Utility), Share: 1}
	if margin := float64(v.Margin); margin-margin == 0 && least <= most {
		v.Share = 0
		if most > least {
			v.Share = float32(v.Margin) / (most - least)
		}
	}
	if ge != nil && a.Slot >= 0 && b.Slot >= 0 {
		v.Why = differences(g, ge[a.Slot], c, a, b)
	}
	return v
}

// differences returns what a tree senses otherwise for the candidate b than for a, which it scored.
func differences(g *gp.Grammar, tree gp.Tree, c *engine.Choice, a, b *engine.Candidate) (
	all []difference) {
	constant, numbers := g.Lookup("const")
	if !numbers {
		return nil
	}
	frame := c.Views[a.View].Frame
	here := g.Trace(tree, frame, a.Turn)
	there := g.Trace(tree, c.Views[b.View].Frame, b.Turn)
	for i := range tree {
		op := &g.Operators[tree[i].Op]
		sensor := len(op.Args) == 0 || len(op.Args) == 1 && op.Args[0] == gp.Area
		if !sensor || op.Result == gp.Area || !here[i].Taken || here[i].Number == there[i].Number {
			continue
		}
		end := g.End(tree, i)
		as := gp.Tree{gp.ConstNode(constant, there[i].Number)}
		if op.Result == gp.Bool {
			as = g.Substitutes(tree[i:end])[0] // its negation
		}
		worth := a.Utility - g.Walk(gp.Splice(tree, i, end, as), frame, a.Turn)
		if worth > 0 {
			all = append(all, difference{i, g.PrintTree(tree[i:end]), op.Result.String(),
				Number(here[i].Number), Number(there[i].Number), Number(worth)})
		}
	}
	slices.SortStableFunc(all, func(x, y difference) int { return cmp.Compare(y.Worth, x.Worth) })
	return all[:min(len(all), mostReasons)]
}
