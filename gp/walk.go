package gp

// Walk computes the value of a Float tree in a frame under k quarter turns, straight from the
// definition of every operator. It is slow, and the oracle against which the other executors are
// tested.
func (g *Grammar) Walk(t Tree, f *Frame, k int) float32 {
	w := walker{g: g, f: f, k: k, rest: t}
	return w.float()
}

// Value is the value of a node of a tree in one decision.
type Value struct {
	// Number is the value of a Float, 1 or 0 for a Bool, and for an Area the value of the sensor
	// above it.
	Number float32
	// Taken tells whether every conditional above the node chose the branch that holds it.
	Taken bool
}

// Trace returns the value of every node of a Float tree in a frame under k quarter turns, as Walk
// computes it. Every operator of the tree must have an executor.
func (g *Grammar) Trace(t Tree, f *Frame, k int) []Value {
	w := walker{g: g, f: f, k: k, rest: t, values: make([]Value, len(t))}
	w.float()
	return w.values
}

// walker reads a tree from the front. It also evaluates the branch that a conditional does not
// take, since only reading it shows where it ends.
type walker struct {
	g      *Grammar
	f      *Frame
	k      int
	rest   Tree
	values []Value // of all nodes; nil for Walk
	idle   int     // branches around the present node that were not taken
}

func (w *walker) next() (Node, *Operator) {
	n := w.rest[0]
	w.rest = w.rest[1:]
	return n, &w.g.Operators[n.Op]
}

// note records the value of the node before rest, with whether it is taken.
func (w *walker) note(rest Tree, v float32) {
	if w.values != nil {
		w.values[len(w.values)-len(rest)] = Value{v, w.idle == 0}
	}
}

func (w *walker) float() float32 {
	at := w.rest
	v := w.number()
	w.note(at, v)
	return v
}

func (w *walker) bool() bool {
	at := w.rest
	v := w.truth()
	w.note(at, float32(bit(v)))
	return v
}

// branch reads an argument of a conditional.
func (w *walker) branch(taken bool) float32 {
	if taken {
		return w.float()
	}
	w.idle++
	v := w.float()
	w.idle--
	return v
}

func (w *walker) number() float32 {
	n, op := w.next()
	switch op.Form {
	case Const, ConstInt:
		return n.Float()
	case Add:
		a := w.float()
		return a + w.float()
	case Sub:
		a := w.float()
		return a - w.float()
	case Mul:
		a := w.float()
		return float32(a * w.float())
	case If:
		c := w.bool()
		a, b := w.branch(c), w.branch(!c)
		if c {
			return a
		}
		return b
	case Scalar:
		return w.f.registers[op.Index][w.k]
	case Count, Sum, Least, Greatest:
		return w.area(op)
	case Call:
		return w.call(op)
	default:
		panic("gp: no executor for operator " + op.Name)
	}
}

func (w *walker) truth() bool {
	_, op := w.next()
	switch op.Form {
	case And:
		a, b := w.bool(), w.bool()
		return a && b
	case Or:
		a, b := w.bool(), w.bool()
		return a || b
	case Not:
		return !w.bool()
	case IsSmaller:
		a, b := w.float(), w.float()
		return a < b
	case IsEqual:
		a, b := w.float(), w.float()
		return a == b
	case Flag:
		return w.f.Flags[op.Index]>>w.k&1 != 0
	case Any:
		return w.area(op) > 0
	case Call:
		return w.call(op) != 0
	default:
		panic("gp: no executor for operator " + op.Name)
	}
}

// area reads a rectangle; sum visits its cells one by one.
func (w *walker) area(op *Operator) float32 {
	at := w.rest
	v := w.sum(op)
	w.note(at, v)
	return v
}

func (w *walker) sum(op *Operator) float32 {
	n, _ := w.next()
	side := w.g.Window.Side
	x1, y1, x2, y2 := w.g.Rects.Corners(n.Rect())
	// on a small torus a rectangle can overlap itself; a cell counts once
	var seen Bits
	var count, sum, least, greatest int32
	for y := y1; y <= y2; y++ {
		for x := x1; x <= x2; x++ {
			i, ok := w.g.Window.Cell(Turn(x, y, w.k))
			if !ok || seen.Has(i) || !w.f.Layers[op.Index].Has(i) {
				continue
			}
			seen.Set(i)
			if v, weighs := w.f.weightAt(side, op.Index, i); weighs {
				sum += v
				if count == 0 || v < least {
					least = v
				}
				if count == 0 || v > greatest {
					greatest = v
				}
			}
			count++
		}
	}
	unit := w.g.Layers[op.Index].Unit
	switch op.Form {
	case Sum:
		return float32(sum) * unit
	case Least:
		return float32(least) * unit
	case Greatest:
		return float32(greatest) * unit
	default:
		return float32(count)
	}
}
