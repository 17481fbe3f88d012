package gp

// Substitutes returns trees that replace a subtree in order to learn whether its value matters: for
// a Float two constants and its sum with 1, or, in an untyped vocabulary, every leaf; for a Bool
// its negation, which has an effect wherever the value matters. An Area has none. The grammar has
// the operators of Shared, or is untyped.
func (g *Grammar) Substitutes(sub Tree) []Tree {
	switch g.Type(sub[0]) {
	case Float:
		if _, numbers := g.Lookup("constint"); !numbers {
			return g.leavesOf(Float)
		}
		five := ConstNode(g.shared(ConstInt), 5)
		hundred := Tree{Leaf(g.shared(Mul)), Leaf(g.shared(Mul)), five, five, five}
		return []Tree{
			hundred,
			append(Tree{Leaf(g.shared(Sub)), ConstNode(g.shared(ConstInt), 0)}, hundred...),
			append(append(Tree{Leaf(g.shared(Add))}, sub...), ConstNode(g.shared(Const), 0.5)),
		}
	case Bool:
		return []Tree{append(Tree{Leaf(g.shared(Not))}, sub...)}
	default:
		return nil
	}
}

// shared returns the first operator of a form.
func (g *Grammar) shared(form Form) Op {
	for i, op := range g.Operators {
		if op.Form == form {
			return Op(i)
		}
	}
	panic("gp: the grammar lacks a shared operator")
}

// leavesOf returns the trees of one node of a type.
func (g *Grammar) leavesOf(t Type) (all []Tree) {
	for i, op := range g.Operators {
		if op.Result == t && len(op.Args) == 0 {
			all = append(all, Tree{Leaf(Op(i))})
		}
	}
	return all
}
