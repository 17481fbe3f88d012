package gp

import (
	"fmt"
	"slices"
)

// makeKin makes the table of replacements of Spec.Kin.
func (g *Grammar) makeKin() error {
	for _, names := range g.Kin {
		if len(names) != len(g.Slots) {
			return fmt.Errorf("gp: kin %q are not one for %d slots each", names, len(g.Slots))
		}
		var ops []Op
		for _, name := range names {
			op, ok := g.byName[name]
			if !ok || g.shapes[op] != g.shapes[g.byName[names[0]]] {
				return fmt.Errorf("gp: kin %q are not operators of one signature", names)
			}
			ops = append(ops, op)
		}
		for slot, own := range ops {
			if len(g.kin) == slot {
				g.kin = append(g.kin, make([]Op, len(g.Operators)))
				for op := range g.kin[slot] {
					g.kin[slot][op] = Op(op)
				}
			}
			for _, op := range ops {
				g.kin[slot][op] = own
			}
		}
	}
	return nil
}

// settle returns the genome with each operator of Spec.Kin replaced by that of its slot. It may
// write to the genome, and never to a tree.
func (g *Grammar) settle(ge Genome) Genome {
	for slot, kin := range g.kin {
		stray := func(n Node) bool { return kin[n.Op] != n.Op }
		i := slices.IndexFunc(ge[slot], stray)
		if i < 0 {
			continue
		}
		ge[slot] = slices.Clone(ge[slot])
		for ; i < len(ge[slot]); i++ {
			ge[slot][i].Op = kin[ge[slot][i].Op]
		}
	}
	return ge
}
