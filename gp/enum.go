package gp

import (
	"fmt"
	"math"
)

// Enum is a type of a game's own, whose values are a few members: directions, suits, weathers. When
// a program runs, a value is the number of its member as a Float, so executors, kernels and
// exported programs know nothing new.
type Enum struct {
	Name    string   // as errors call it, and behind "same" and "if" in Operators
	Members []string // names of operators, 2 to MaxMembers
}

// Limits of a grammar's Enums.
const (
	MaxEnums   = 4
	MaxMembers = 64
)

// EnumType returns the type of Spec.Enums[i].
func EnumType(i int) Type { return firstEnum + Type(i) }

// Operators returns what trees need of an enumeration, whose type is t: its members, whether two
// values are the same ("sameDirection", a Bool), and one of two by a Bool ("ifDirection"). More are
// made by EnumSensor and CallOperator.
func (e Enum) Operators(t Type) (operators []Operator) {
	for i, name := range e.Members {
		operators = append(operators, Operator{Name: name, Form: Member, Result: t, Index: i})
	}
	return append(operators,
		Operator{Name: "same" + e.Name, Form: IsEqual, Result: Bool, Args: []Type{t, t}},
		Operator{Name: "if" + e.Name, Form: If, Result: t, Args: []Type{Bool, t, t}})
}

// EnumSensor is a sensor of an enumeration without arguments: the scalar holds the number of a
// member.
func EnumSensor(name string, t Type, scalar int) Operator {
	return Operator{Name: name, Form: Scalar, Result: t, Index: scalar}
}

// Directions is the enumeration of directions as the actor sees them; Frame.SetDirection sets one.
func Directions() Enum {
	return Enum{"Direction", []string{"ahead", "right", "behind", "left"}}
}

// SetDirection sets a scalar to a direction of the world, in quarter turns clockwise from north, as
// it is seen under the four turns: east is "ahead" under one of them.
func (f *Frame) SetDirection(scalar, direction int) {
	for k := range Lanes {
		f.registers[scalar][k] = float32((direction - k) & (Lanes - 1))
	}
}

// TypeName returns the name of a type.
func (g *Grammar) TypeName(t Type) string {
	if t >= firstEnum && int(t-firstEnum) < len(g.Enums) {
		return g.Enums[t-firstEnum].Name
	}
	return t.String()
}

// Members returns how many members a type has, 0 for one that is no Enum.
func (g *Grammar) Members(t Type) int {
	if t < firstEnum {
		return 0
	}
	return len(g.Enums[t-firstEnum].Members)
}

// Member returns the name of a value of an enumeration, "" where the type is none or the value is no
// member.
func (g *Grammar) Member(t Type, v float32) string {
	if !(v >= 0 && v < float32(g.Members(t))) {
		return ""
	}
	return g.Enums[t-firstEnum].Members[int(v)]
}

// member is what a Function's result of a type counts as: the first member for a number of none.
func (g *Grammar) member(t Type, v float32) float32 {
	switch n := g.Members(t); {
	case n == 0:
		return v
	case !(v >= 0 && v < float32(n)):
		return 0
	default:
		return float32(math.Floor(float64(v)))
	}
}

// checkTypes refuses types that the grammar does not have, and Enums that are none.
func (g *Grammar) checkTypes() error {
	if len(g.Enums) > MaxEnums {
		return fmt.Errorf("gp: a grammar has at most %d enumerations, not %d", MaxEnums,
			len(g.Enums))
	}
	for _, e := range g.Enums {
		if n := len(e.Members); !isName(e.Name) || n < 2 || n > MaxMembers {
			return fmt.Errorf("gp: enumeration %q needs a name and 2 to %d members, not %d", e.Name,
				MaxMembers, n)
		}
	}
	for _, op := range g.Operators {
		for _, t := range append([]Type{op.Result}, op.Args...) {
			if int(t) >= int(firstEnum)+len(g.Enums) {
				return fmt.Errorf(
					"gp: operator %q has the type %s, and the grammar %d enumerations",
					op.Name, t, len(g.Enums))
			}
		}
		if op.Form == Member && (g.Members(op.Result) <= op.Index || op.Index < 0 ||
			g.Enums[op.Result-firstEnum].Members[op.Index] != op.Name) {
			return fmt.Errorf("gp: operator %q is not member %d of %s", op.Name, op.Index,
				g.TypeName(op.Result))
		}
	}
	for _, s := range g.Slots {
		if int(s.Type) >= int(firstEnum)+len(g.Enums) {
			return fmt.Errorf("gp: slot %q has the type %s, and the grammar %d enumerations",
				s.Name, s.Type, len(g.Enums))
		}
	}
	return nil
}

// signature returns what an operator's form needs, with an enumeration in the place of Float where
// values of any kind will do.
func (op *Operator) signature() string {
	want, t := operator("", op.Form, 0), Float
	switch {
	case op.Form == IsEqual && len(op.Args) > 0:
		t = op.Args[0]
	case op.Form == If || op.Form == Scalar:
		t = op.Result
	}
	if t >= firstEnum {
		want.Args = append([]Type(nil), want.Args...)
		if want.Result == Float {
			want.Result = t
		}
		for i, a := range want.Args {
			if a == Float {
				want.Args[i] = t
			}
		}
	}
	return signatureOf(want)
}
