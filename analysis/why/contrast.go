package why

import (
	"cmp"
	"math"
	"slices"

	"clade/engine"
	"clade/gp"
)

// Contrast compares the candidate that was taken with the best of the others.
type Contrast struct {
	Rival  int    `json:"rival"`  // the other candidate of the greatest utility, the first of equals
	Margin Number `json:"margin"` // utility of what was taken, less the rival's
	// Share is the margin as a share of what lies between the best and the worst utility; 0 where
	// all are equal, 1 without finite ones
	Share float32      `json:"share"`
	Why   []Difference `json:"why,omitempty"` // the greatest worth first
}

// Difference is a sensor of a tree with another value for the rival.
type Difference struct {
	Index int    `json:"index"` // of the node in the tree of the candidate that was taken
	Text  string `json:"text"`
	Type  string `json:"type"`  // "Float" or "Bool"
	Here  Number `json:"here"`  // for what was taken
	There Number `json:"there"` // for the rival
	Worth Number `json:"worth"` // utility that would be lost if it were as for the rival; positive
}

// mostReasons is how many differences a Contrast has.
const mostReasons = 3

// Against returns the contrast of a choice, nil where nothing else could be done. Where a genome
// made it, each sensor of the tree that scored what was taken is set, alone, to what it is for the
// rival: what the utility loses by that says how much it mattered.
func Against(g *gp.Grammar, ge gp.Genome, c *engine.Choice) *Contrast {
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
	v := &Contrast{Rival: rival, Margin: Number(a.Utility - b.Utility), Share: 1}
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
	all []Difference) {
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
			all = append(all, Difference{i, g.PrintTree(tree[i:end]), op.Result.String(),
				Number(here[i].Number), Number(there[i].Number), Number(worth)})
		}
	}
	slices.SortStableFunc(all, func(x, y Difference) int { return cmp.Compare(y.Worth, x.Worth) })
	return all[:min(len(all), mostReasons)]
}
