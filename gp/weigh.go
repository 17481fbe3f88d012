package gp

import (
	"fmt"
	"maps"
	"slices"

	"clade/gp/input"
)

// maxWeight is the greatest weight of an operator.
const maxWeight = 100

// Weighed returns a grammar that reads the same genomes, and in which trees grow with other
// weights: by the names of operators, 1 to 100, or 0 for an operator that is switched off and
// stands in no tree that is grown or varied, as in an ablation. Operators that are not named keep
// their weights. It returns an error, whose key is the name where one is at fault, for an operator
// that there is not, a weight out of range, and for weights with which a type that is needed has no
// tree.
func (g *Grammar) Weighed(weights map[string]int) (*Grammar, error) {
	spec := g.Spec
	spec.Operators, spec.Layers = slices.Clone(g.Operators), slices.Clone(g.Layers)
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		weight := weights[name]
		op, ok := g.byName[name]
		if !ok {
			var names []string
			for _, op := range g.Operators {
				names = append(names, op.Name)
			}
			return nil, input.Faultf(name, "%s", input.Unknown("primitive", name, names))
		}
		if weight < 0 || weight > maxWeight {
			return nil, input.Faultf(name, "%s must be in 0..%d, not %d", name, maxWeight, weight)
		}
		if weight == 0 {
			weight = Unused
		}
		spec.Operators[op].Weight = weight
	}
	weighed, err := NewGrammar(spec)
	if err != nil {
		return nil, fmt.Errorf("with these weights trees cannot grow: %w", err)
	}
	return weighed, nil
}

// Varying returns a grammar that reads the same genomes, and in which variation changes the trees
// of the named slots alone; of no names, g. It returns an error for a name that is no slot's.
func (g *Grammar) Varying(names []string) (*Grammar, error) {
	if len(names) == 0 {
		return g, nil
	}
	spec := g.Spec
	spec.Slots, spec.Layers = slices.Clone(g.Slots), slices.Clone(g.Layers)
	for i := range spec.Slots {
		spec.Slots[i].Kept = !slices.Contains(names, spec.Slots[i].Name)
	}
	for _, name := range names {
		if g.slot(name) < 0 {
			return nil, g.unknownSlot(name)
		}
	}
	return NewGrammar(spec)
}

// Uses returns the name of an operator of a genome that is switched off, "" for none.
func (g *Grammar) Uses(ge Genome) string {
	for _, t := range ge {
		for _, n := range t {
			if op := &g.Operators[n.Op]; op.Weight == Unused {
				return op.Name
			}
		}
	}
	return ""
}
