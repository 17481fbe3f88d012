package gp

import (
	"fmt"
	"math"
	"slices"
)

func (g *Grammar) checkParts() error {
	switch {
	case len(g.Slots) == 0 || len(g.Slots) > maxSlots:
		return fmt.Errorf("gp: a grammar has 1 to %d slots, not %d", maxSlots, len(g.Slots))
	case len(g.Operators) == 0 || len(g.Operators) > maxOperators:
		return fmt.Errorf("gp: a grammar has 1 to %d operators, not %d", maxOperators, len(g.Operators))
	case g.Scalars < 0 || g.Scalars > maxScalars || g.Flags < 0 || g.Flags > MaxFlags ||
		len(g.Layers) > MaxLayers:
		return fmt.Errorf(
			"gp: a frame has at most %d scalars, %d flags and %d layers, not %d, %d and %d",
			maxScalars, MaxFlags, MaxLayers, g.Scalars, g.Flags, len(g.Layers))
	}
	for i, s := range g.Slots {
		if g.slot(s.Name) < i || !isName(s.Name) {
			return fmt.Errorf("gp: slot name %q stands twice or is not a name", s.Name)
		}
		if from := g.slot(s.From); s.From != "" && (from < 0 || from >= i ||
			g.Slots[from].Type != s.Type) {
			return fmt.Errorf("gp: slot %q has its tree from %q, which is no slot before it of its type",
				s.Name, s.From)
		}
	}
	if len(g.Layers) > 0 {
		if s := g.Window.Side; s < 1 || s > maxSide || s%2 == 0 {
			return fmt.Errorf("gp: the window's side must be odd and in 1..%d, not %d", maxSide, s)
		}
	}
	for i := range g.Layers {
		l := &g.Layers[i]
		if l.Extent.Empty() {
			l.Extent = g.Window.Square(g.Window.Side / 2)
		}
		if l.Rows && (l.Unit == 0 || g.Window.Side > 7 || g.Window.Wrap) {
			return fmt.Errorf("gp: layer %q has rows of weights, which need a unit and an open "+
				"window of at most 7 cells a side", l.Name)
		}
		if g.Window.turned(l.Extent) != l.Extent {
			return fmt.Errorf("gp: the extent of layer %q changes under a quarter turn", l.Name)
		}
	}
	return nil
}

// isName tells whether s may be the name of an operator or a slot.
func isName(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '-' || c == '?')) {
			return false
		}
	}
	return s != ""
}

func (g *Grammar) checkOperator(op Operator) error {
	if _, twice := g.byName[op.Name]; twice || !isName(op.Name) {
		return fmt.Errorf("gp: operator name %q stands twice or is not a name", op.Name)
	}
	if op.Weight < Unused || op.Weight > maxWeight {
		return fmt.Errorf("gp: operator %q has a weight of %d; 0 to %d are possible", op.Name,
			op.Weight, maxWeight)
	}
	if len(op.Args) > 4 {
		return fmt.Errorf("gp: operator %q has %d arguments; at most 4 are possible", op.Name,
			len(op.Args))
	}
	limit := math.MaxInt
	switch op.Form {
	case Scalar:
		limit = g.Scalars
	case Flag:
		limit = g.Flags
	case Any, Count, Sum, Least, Greatest:
		limit = len(g.Layers)
	case RectC:
		centre, side := int8(15), int8(maxSide) // as many masks as memory holds
		if r := g.Rects; r.Centre < 0 || r.Centre > centre || r.Side < 1 || r.Side > side ||
			r.SideSum < 2 && !r.Exact {
			return fmt.Errorf("gp: rectangles need a centre range in 0..%d, sides in 1..%d and a "+
				"side sum of at least 2, not %+v", centre, side, r)
		}
	}
	for _, t := range append([]Type{op.Result}, op.Args...) {
		if t >= numTypes {
			return fmt.Errorf("gp: operator %q has the unknown %s", op.Name, t)
		}
	}
	if err := op.checkFunction(); err != nil {
		return err
	}
	if op.Form > Call {
		return fmt.Errorf("gp: operator %q has an unknown form", op.Name)
	}
	if op.Index < 0 || op.Index >= limit {
		return fmt.Errorf("gp: operator %q reads number %d of %d", op.Name, op.Index, limit)
	}
	if op.Form >= Sum && op.Form <= Greatest && g.Layers[op.Index].Unit == 0 {
		return fmt.Errorf("gp: operator %q reads weights, and layer %q has none", op.Name,
			g.Layers[op.Index].Name)
	}
	if (op.Form == Least || op.Form == Greatest) && g.Layers[op.Index].Rows {
		return fmt.Errorf("gp: operator %q needs single weights, and layer %q has rows of them",
			op.Name, g.Layers[op.Index].Name)
	}
	if op.Form < Foreign {
		if want := signatureOf(operator("", op.Form, 0)); want != signatureOf(op) {
			return fmt.Errorf("gp: operator %q has the signature %s; its form needs %s", op.Name,
				signatureOf(op), want)
		}
	}
	return nil
}

// checkFunction tells whether an operator has a Function where its form asks for one.
func (op *Operator) checkFunction() error {
	if op.Form != Call {
		if op.Function != nil || op.Cost != 0 {
			return fmt.Errorf("gp: operator %q has a function or a cost, and its form takes none", op.Name)
		}
		return nil
	}
	if op.Function == nil || op.Cost < 1 || op.Cost > 100 {
		return fmt.Errorf("gp: operator %q needs a function and a cost of 1 to 100, not %d",
			op.Name, op.Cost)
	}
	if len(op.Args) < 1 || len(op.Args) > MaxFunctionArgs || op.Result == Area ||
		slices.Contains(op.Args, Area) {
		return fmt.Errorf("gp: operator %q has the signature %s; a function takes 1 to %d values "+
			"and returns one, none of them an Area", op.Name, signatureOf(*op), MaxFunctionArgs)
	}
	return nil
}
