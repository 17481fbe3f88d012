package gp

// Simplify returns a genome with the same value in every frame of the grammar, bit for bit but for
// the sign of a NaN. It drops what the compiler's graph folds: arithmetic on constants, branches
// that are never taken, conditions that an earlier one decides. It is for species that are passed
// on: in a species that is still bred it would remove material for later generations. A genome with
// foreign operators stays as it is. It returns an error for a genome that does not fit the grammar.
func (g *Grammar) Simplify(ge Genome) (Genome, error) {
	if err := g.Check(ge); err != nil {
		return nil, err
	}
	for _, op := range g.Operators {
		if op.Form == Foreign {
			return ge.Clone(), nil
		}
	}
	g.makeMasks()
	out := make(Genome, len(ge))
	for i, t := range ge {
		s := simplifier{graph{g: g}}
		s.reset(Situation{})
		_, out[i], _ = s.simplify(t)
	}
	return out, nil
}

// simplifier reads trees as the graph does, and keeps beside each value a tree that computes it.
type simplifier struct{ graph }

// simplify reads the subtree at the front of t and returns its value, a tree that computes this
// value on the present path, and the rest.
func (s *simplifier) simplify(t Tree) (id valueID, tree, rest Tree) {
	op := &s.g.Operators[t[0].Op]
	switch op.Form {
	case Add, Sub, Mul, IsSmaller, IsEqual:
		a, one, rest := s.simplify(t[1:])
		b, two, rest := s.simplify(rest)
		if op.Form <= Mul {
			id = s.arithmetic(op.Form, a, b)
		} else {
			id = s.settled(s.comparison(op.Form, a, b))
		}
		return id, s.tree(id, t[0], []valueID{a, b}, one, two), rest
	case Not:
		a, one, rest := s.simplify(t[1:])
		id = s.not(a)
		if s.g.Operators[one[0].Op].Form == Not {
			return id, one[1:], rest
		}
		return id, s.tree(id, t[0], []valueID{a}, one), rest
	case And, Or:
		return s.simplifyLogic(op.Form, t)
	case If:
		return s.simplifyIf(t)
	default:
		end := s.g.End(t, 0)
		id, rest = s.build(t)
		return id, s.tree(id, t[0], nil, t[1:end]), rest
	}
}

// tree returns the smallest known tree that computes a value: an argument of the same value, a
// constant, or the node with its arguments.
func (s *simplifier) tree(id valueID, n Node, values []valueID, args ...Tree) Tree {
	for i, v := range values {
		if v == id && s.g.Type(args[i][0]) == s.g.Type(n) {
			return args[i]
		}
	}
	if v, ok := s.constantOf(id); ok {
		for i, op := range s.g.Operators {
			switch {
			case op.Result != s.g.Type(n):
			case op.Form == Const || op.Form == ConstInt:
				if c := ConstNode(Op(i), v); s.g.checkConstant(c) == nil {
					return Tree{c}
				}
			}
		}
	}
	tree := Tree{n}
	for _, a := range args {
		tree = append(tree, a...)
	}
	return tree
}

// simplifyLogic is logic with trees.
func (s *simplifier) simplifyLogic(form Form, t Tree) (valueID, Tree, Tree) {
	end := s.g.End(t, 0)
	mark := s.mark()
	id, _ := s.build(t)
	s.forget(mark)
	a, one, rest := s.simplify(t[1:])
	mark = s.mark()
	s.assume(a, form == And)
	b, two, _ := s.simplify(rest)
	s.forget(mark)
	// The tree of b holds only where a does not decide, so it may replace the whole only if a never
	// does.
	switch {
	case a <= trueID && id == b:
		return id, two, t[end:]
	case id == a:
		return id, one, t[end:]
	}
	return id, s.tree(id, t[0], nil, one, two), t[end:]
}

// simplifyIf is conditional with trees.
func (s *simplifier) simplifyIf(t Tree) (valueID, Tree, Tree) {
	end := s.g.End(t, 0)
	mark := s.mark()
	id, _ := s.build(t)
	s.forget(mark)
	c, condition, rest := s.simplify(t[1:])
	other := rest[s.g.End(rest, 0):]
	switch c {
	case trueID:
		_, tree, _ := s.simplify(rest)
		return id, tree, t[end:]
	case falseID:
		_, tree, _ := s.simplify(other)
		return id, tree, t[end:]
	}
	mark = s.mark()
	s.assume(c, true)
	a, one, _ := s.simplify(rest)
	s.forget(mark)
	mark = s.mark()
	s.assume(c, false)
	b, two, _ := s.simplify(other)
	s.forget(mark)
	if a == b && len(one) == len(two) && equalTrees(one, two) {
		return id, one, t[end:]
	}
	return id, s.tree(id, t[0], nil, condition, one, two), t[end:]
}

func equalTrees(a, b Tree) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
