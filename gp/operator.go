package gp

import (
	"slices"
	"strconv"
)

// Form is the kind of computation that an operator stands for, as executors distinguish them.
type Form uint8

// The forms. Sensors read one entry of the frame, numbered by Operator.Index.
const (
	Const    Form = iota // ephemeral real constant in [-1, 1]
	ConstInt             // ephemeral integer constant in 0..5, a Float
	RectC                // ephemeral rectangle
	Add                  // binary32
	Sub
	Mul
	If // the second argument where the first holds, else the third
	And
	Or
	Not
	IsSmaller // the first is less
	IsEqual
	Scalar // Frame.Scalars[Index], one value a turn
	Flag   // Frame.Flags[Index], one bit a turn
	Any    // some cell of layer Index lies in the area
	Count  // how many cells of layer Index lie in the area
	// Sum adds the weights of the cells of layer Index in the area, times the layer's unit. Least
	// is the least of them, times the unit, and 0 where there is none; Greatest is the greatest.
	Sum
	Least
	Greatest
	Foreign // only the game's own executor knows it, and Compiler refuses it
	Call    // Function computes it
)

// formTypes holds, by form, the type of the result and those of the arguments.
// Foreign operators have any, and those of form Call all but Areas.
var formTypes = [Foreign][]Type{
	Const: {Float}, ConstInt: {Float}, RectC: {Area},
	Add: {Float, Float, Float}, Sub: {Float, Float, Float}, Mul: {Float, Float, Float},
	If:  {Float, Bool, Float, Float},
	And: {Bool, Bool, Bool}, Or: {Bool, Bool, Bool}, Not: {Bool, Bool},
	IsSmaller: {Bool, Float, Float}, IsEqual: {Bool, Float, Float},
	Scalar: {Float}, Flag: {Bool}, Any: {Bool, Area},
	Count: {Float, Area}, Sum: {Float, Area}, Least: {Float, Area}, Greatest: {Float, Area},
}

// Operator is one word of the vocabulary.
type Operator struct {
	Name   string // as printed: letters, digits, hyphens and question marks, no digit first
	Form   Form
	Result Type
	Args   []Type // types of the arguments, at most 4
	Index  int    // scalar, flag or layer that a sensor reads
	About  string // what it says, a clause for people
	// Weight is how likely trees grow with it, relative to other operators: 0 means 1, and Unused
	// never. See Weighted and Grammar.Weighed.
	Weight int
	// Function and Cost are those of form Call; see CallOperator.
	Function Function
	Cost     int
}

// Unused is the weight of an operator that never enters a tree by growing or variation.
const Unused = -1

func operator(name string, form Form, index int) Operator {
	t := formTypes[form]
	return Operator{Name: name, Form: form, Result: t[0], Args: t[1:len(t):len(t)], Index: index}
}

// Saying returns the operator with its About.
func (op Operator) Saying(about string) Operator {
	op.About = about
	return op
}

// abouts holds the About of the shared operators, by form.
var abouts = [...]string{
	Const:     "a number in -1..1, drawn when a tree grows",
	ConstInt:  "a whole number in 0..5, drawn when a tree grows",
	RectC:     "a rectangle of cells around who acts, drawn when a tree grows",
	Add:       "the sum of two numbers",
	Sub:       "the first number less the second",
	Mul:       "the product of two numbers",
	If:        "the second argument where the first holds, else the third",
	And:       "both hold",
	Or:        "at least one of two holds",
	Not:       "the argument does not hold",
	IsSmaller: "the first number is less than the second",
	IsEqual:   "two numbers are equal",
}

// Shared returns the operators that all games have in common, in fixed order: the constants, the
// arithmetic, the logic, the comparisons and the conditional of BrilliANT's function set.
func Shared() (operators []Operator) {
	for form, name := range [...]string{Const: "const", ConstInt: "constint", RectC: "rect",
		Add: "add", Sub: "sub", Mul: "mul", If: "if", And: "and", Or: "or", Not: "not",
		IsSmaller: "isSmaller", IsEqual: "isEqual"} {
		operators = append(operators, operator(name, Form(form), 0).Saying(abouts[form]))
	}
	return operators
}

// SharedNumbers returns the operators of Shared but the rectangle, for games without a grid.
func SharedNumbers() []Operator {
	return slices.DeleteFunc(Shared(), func(op Operator) bool { return op.Form == RectC })
}

// Vector returns sensors of scalars 0 to n-1, named by the prefix and their number.
func Vector(prefix string, n int) (operators []Operator) {
	for i := range n {
		operators = append(operators, ScalarSensor(prefix+strconv.Itoa(i), i))
	}
	return operators
}

// Weighted gives weights, 1 to 100, to conditionals and to arithmetic. Where a grammar has many
// sensors, most of them leaves, trees grown from equally likely operators are tiny and stay so. It
// changes the operators in place and returns them.
func Weighted(operators []Operator, conditionals, arithmetic int) []Operator {
	for i := range operators {
		switch op := &operators[i]; op.Form {
		case If:
			op.Weight = conditionals
		case Add, Sub, Mul:
			op.Weight = arithmetic
		}
	}
	return operators
}

// ScalarSensor is a Float sensor without arguments.
func ScalarSensor(name string, scalar int) Operator { return operator(name, Scalar, scalar) }

// FlagSensor is a Bool sensor without arguments.
func FlagSensor(name string, flag int) Operator { return operator(name, Flag, flag) }

// AreaSensor is a sensor of a layer over an area: form is Any, Count, Sum, Least or Greatest.
func AreaSensor(name string, form Form, layer int) Operator { return operator(name, form, layer) }
