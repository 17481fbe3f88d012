package gp

import "math"

// The graph stands between trees and code. Trees become hash-consed values, so that equal
// subexpressions are one value. While a tree is read, constants are folded, and so is whatever the
// conditions above it decide: inside the first branch of (if (isEnemy R) …) the enemy is in R,
// hence in every area that contains R and in no area that is disjoint from R. Evolved trees are
// full of such dead parts.

// valueID numbers a value of the graph.
type valueID int32

// The two truth values are always there.
const (
	falseID valueID = iota
	trueID
)

// value is a node of the graph. What a, b and c mean depends on the form: arguments; a constant's
// bits in a; a scalar or flag in a; a layer in a and a rectangle in b. Unused arguments are 0.
type value struct {
	form    Form
	op      Op // of form Call
	a, b, c int32
}

// graph holds the values of one genome, hash-consed in an open-addressing table.
type graph struct {
	g      *Grammar
	values []value
	table  []valueID // 0 is free: falseID is never looked up
	known  []int8    // by value: 0 unknown, 1 true, -1 false on the present path
	trail  []valueID // values whose truth became known, to forget when a branch ends
	cells  [MaxLayers]cellFacts
	zero   uint64 // set of the scalars that are 0
	unset  uint64 // set of the flags that do not hold
}

// cellFacts holds what is certain about one layer on the present path, in unturned cells.
type cellFacts struct {
	empty   Bits    // cells that hold nothing
	held    [4]Bits // areas that hold something; the first heldN entries are in use
	heldN   int
	present bool // a single layer holds its one cell, and not in empty
}

func (gr *graph) reset(s Situation) {
	gr.values = append(gr.values[:0], value{form: Foreign}, value{form: Foreign, a: 1})
	gr.known = append(gr.known[:0], 0, 0)
	gr.trail = gr.trail[:0]
	gr.zero, gr.unset = s.Zero, s.Unset
	clear(gr.table)
	for l := range gr.g.Layers {
		layer := &gr.g.Layers[l]
		gr.cells[l] = cellFacts{present: s.Present>>l&1 != 0 && layer.Single}
		if s.Empty>>l&1 != 0 {
			gr.cells[l].empty = layer.Extent
		}
	}
}

// intern returns the value's number, the same for equal values.
func (gr *graph) intern(v value) valueID {
	if 2*len(gr.values) >= len(gr.table) {
		gr.grow()
	}
	for i := v.hash() & (len(gr.table) - 1); ; i = (i + 1) & (len(gr.table) - 1) {
		id := gr.table[i]
		if id == 0 {
			id = valueID(len(gr.values))
			gr.table[i] = id
			gr.values = append(gr.values, v)
			gr.known = append(gr.known, 0)
			return id
		}
		if gr.values[id] == v {
			return id
		}
	}
}

func (v value) hash() int {
	h := uint64(v.op)<<40 ^ uint64(v.form)<<32 ^ uint64(uint32(v.a))
	h = h*0x9e3779b97f4a7c15 ^ uint64(uint32(v.b))<<32 ^ uint64(uint32(v.c))
	h *= 0x9e3779b97f4a7c15
	return int(h >> 40)
}

func (gr *graph) grow() {
	gr.table = make([]valueID, max(256, 4*len(gr.table)))
	for id := int(trueID) + 1; id < len(gr.values); id++ {
		i := gr.values[id].hash() & (len(gr.table) - 1)
		for gr.table[i] != 0 {
			i = (i + 1) & (len(gr.table) - 1)
		}
		gr.table[i] = valueID(id)
	}
}

func (gr *graph) constant(v float32) valueID {
	return gr.intern(value{form: Const, a: int32(math.Float32bits(v))})
}

// constantOf returns the value of a constant.
func (gr *graph) constantOf(id valueID) (float32, bool) {
	v := gr.values[id]
	return math.Float32frombits(uint32(v.a)), v.form == Const && id > trueID
}

// build reads the subtree at the front of t and returns its value and the rest.
func (gr *graph) build(t Tree) (valueID, Tree) {
	n := t[0]
	op := &gr.g.Operators[n.Op]
	t = t[1:]
	switch op.Form {
	case Const, ConstInt:
		return gr.constant(n.Float()), t
	case Scalar:
		if gr.zero>>op.Index&1 != 0 {
			return gr.constant(0), t
		}
		return gr.intern(value{form: Scalar, a: int32(op.Index)}), t
	case Flag:
		if gr.unset>>op.Index&1 != 0 {
			return falseID, t
		}
		return gr.settled(gr.intern(value{form: Flag, a: int32(op.Index)})), t
	case Any, Count, Sum, Least, Greatest:
		return gr.area(n.Op, gr.g.Rects.index(t[0].Rect())), t[1:]
	case Add, Sub, Mul:
		a, t := gr.build(t)
		b, t := gr.build(t)
		return gr.arithmetic(op.Form, a, b), t
	case IsSmaller, IsEqual:
		a, t := gr.build(t)
		b, t := gr.build(t)
		return gr.settled(gr.comparison(op.Form, a, b)), t
	case Not:
		a, t := gr.build(t)
		return gr.not(a), t
	case And, Or:
		return gr.logic(op.Form, t)
	case If:
		return gr.conditional(t)
	case Call:
		return gr.call(n.Op, t)
	default:
		panic("gp: graph: operator " + op.Name)
	}
}

// call reads the arguments of a Function.
func (gr *graph) call(op Op, t Tree) (valueID, Tree) {
	var args [MaxFunctionArgs]int32
	for i := range gr.g.Operators[op].Args {
		var a valueID
		a, t = gr.build(t)
		args[i] = int32(a)
	}
	return gr.settled(gr.intern(value{Call, op, args[0], args[1], args[2]})), t
}

// settled returns trueID or falseID for a truth value that is known on this path, and others
// unchanged.
func (gr *graph) settled(id valueID) valueID {
	switch gr.known[id] {
	case 1:
		return trueID
	case -1:
		return falseID
	default:
		return id
	}
}

// area folds a sensor of a layer over a rectangle.
func (gr *graph) area(number Op, rect int) valueID {
	op := &gr.g.Operators[number]
	l := op.Index
	facts := &gr.cells[l]
	canon := gr.g.canon[l][rect]
	var cells Bits
	if canon >= 0 {
		cells = gr.g.masks[canon][0].And(gr.g.Layers[l].Extent).AndNot(facts.empty)
	}
	if cells.Empty() {
		if op.Form == Any {
			return falseID
		}
		return gr.constant(0)
	}
	if op.Form == Any || op.Form == Count && gr.g.Layers[l].Single {
		if facts.certain(cells, gr.g.Layers[l].Extent) {
			if op.Form == Any {
				return trueID
			}
			return gr.constant(1)
		}
	}
	id := gr.intern(value{form: op.Form, a: int32(l), b: canon})
	if op.Form == Any {
		return gr.settled(id)
	}
	return id
}

// certain tells whether some of these cells must hold something.
func (f *cellFacts) certain(cells, extent Bits) bool {
	if f.present && extent.AndNot(f.empty).within(cells) {
		return true
	}
	for i := range f.heldN {
		if f.held[i].AndNot(f.empty).within(cells) {
			return true
		}
	}
	return false
}

// arithmetic folds only by rules that are exact in binary32 for every value, infinities and signed
// zeros included.
func (gr *graph) arithmetic(form Form, a, b valueID) valueID {
	x, xConst := gr.constantOf(a)
	y, yConst := gr.constantOf(b)
	switch form {
	case Add:
		if xConst && yConst {
			return gr.constant(x + y)
		}
		if a > b { // addition commutes, so both orders are one value
			a, b = b, a
		}
	case Sub:
		if xConst && yConst {
			return gr.constant(x - y)
		}
		if yConst && math.Float32bits(y) == 0 {
			return a
		}
	case Mul:
		if xConst && yConst {
			return gr.constant(float32(x * y))
		}
		if xConst && x == 1 {
			return b
		}
		if yConst && y == 1 {
			return a
		}
		if a > b {
			a, b = b, a
		}
	}
	return gr.intern(value{form: form, a: int32(a), b: int32(b)})
}

func (gr *graph) comparison(form Form, a, b valueID) valueID {
	x, xConst := gr.constantOf(a)
	y, yConst := gr.constantOf(b)
	if form == IsSmaller {
		if a == b || xConst && yConst && !(x < y) {
			return falseID
		}
		if xConst && yConst {
			return trueID
		}
		return gr.intern(value{form: form, a: int32(a), b: int32(b)})
	}
	if xConst && yConst && x != y {
		return falseID
	}
	if xConst && yConst || a == b && gr.isNumber(a) {
		return trueID
	}
	if a > b {
		a, b = b, a
	}
	return gr.intern(value{form: form, a: int32(a), b: int32(b)})
}

// isNumber tells whether a value can never be a NaN. Frames hold finite scalars.
func (gr *graph) isNumber(id valueID) bool {
	if c, ok := gr.constantOf(id); ok {
		return c == c
	}
	switch gr.values[id].form {
	case Scalar, Count, Sum, Least, Greatest:
		return true
	default:
		return false
	}
}

func (gr *graph) not(a valueID) valueID {
	switch {
	case a == trueID:
		return falseID
	case a == falseID:
		return trueID
	case gr.values[a].form == Not:
		return valueID(gr.values[a].a)
	default:
		return gr.settled(gr.intern(value{form: Not, a: int32(a)}))
	}
}

// logic folds And and Or; the second argument is read under the assumption that the first does not
// decide.
func (gr *graph) logic(form Form, t Tree) (valueID, Tree) {
	decides := falseID // the value of one argument that decides the whole
	if form == Or {
		decides = trueID
	}
	a, t := gr.build(t)
	if a == decides {
		return a, t[gr.g.End(t, 0):]
	}
	if a <= trueID {
		return gr.build(t)
	}
	mark := gr.mark()
	gr.assume(a, form == And)
	b, t := gr.build(t)
	gr.forget(mark)
	switch {
	case b == decides:
		return b, t
	case b <= trueID || a == b:
		return a, t
	case gr.values[b].form == Not && valueID(gr.values[b].a) == a, gr.values[a].form == Not &&
		valueID(gr.values[a].a) == b:
		return decides, t
	}
	if a > b {
		a, b = b, a
	}
	return gr.settled(gr.intern(value{form: form, a: int32(a), b: int32(b)})), t
}

// conditional folds If; each branch is read under its condition.
func (gr *graph) conditional(t Tree) (valueID, Tree) {
	c, t := gr.build(t)
	end := gr.g.End(t, 0)
	switch c {
	case trueID:
		a, rest := gr.build(t)
		return a, rest[gr.g.End(rest, 0):]
	case falseID:
		return gr.build(t[end:])
	}
	mark := gr.mark()
	gr.assume(c, true)
	a, t := gr.build(t)
	gr.forget(mark)
	mark = gr.mark()
	gr.assume(c, false)
	b, t := gr.build(t)
	gr.forget(mark)
	if a == b {
		return a, t
	}
	if gr.values[c].form == Not {
		c, a, b = valueID(gr.values[c].a), b, a
	}
	return gr.intern(value{form: If, a: int32(c), b: int32(a), c: int32(b)}), t
}

// pathMark is the state of the path before a branch, to return to when the branch ends.
type pathMark struct {
	trail int
	cells [MaxLayers]cellFacts
}

func (gr *graph) mark() pathMark {
	m := pathMark{trail: len(gr.trail)}
	copy(m.cells[:len(gr.g.Layers)], gr.cells[:])
	return m
}

func (gr *graph) forget(m pathMark) {
	for _, id := range gr.trail[m.trail:] {
		gr.known[id] = 0
	}
	gr.trail = gr.trail[:m.trail]
	copy(gr.cells[:len(gr.g.Layers)], m.cells[:])
}

// assume records on the present path that a truth value is known, and what follows from it.
func (gr *graph) assume(id valueID, truth bool) {
	if id <= trueID || gr.known[id] != 0 {
		return
	}
	gr.known[id] = -1
	if truth {
		gr.known[id] = 1
	}
	gr.trail = append(gr.trail, id)
	switch v := gr.values[id]; v.form {
	case Not:
		gr.assume(valueID(v.a), !truth)
	case And, Or:
		if truth == (v.form == And) {
			gr.assume(valueID(v.a), truth)
			gr.assume(valueID(v.b), truth)
		}
	case Any:
		gr.assumeCells(int(v.a), gr.g.masks[v.b][0].And(gr.g.Layers[v.a].Extent), truth)
	}
}

func (gr *graph) assumeCells(l int, cells Bits, held bool) {
	f, layer := &gr.cells[l], &gr.g.Layers[l]
	switch {
	case !held:
		f.empty = f.empty.Or(cells)
	case layer.Single:
		f.empty = f.empty.Or(layer.Extent.AndNot(cells))
		f.present = true
	case f.heldN < len(f.held):
		f.held[f.heldN] = cells
		f.heldN++
	}
}
