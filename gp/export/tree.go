package export

import (
	"fmt"
	"strconv"
	"strings"

	"clade/gp"
)

// Syntax is a language's syntax of trees.
type Syntax struct {
	// Forms holds the texts before, between and after the arguments of operators.
	Forms map[gp.Form][]string
	// Number writes a constant, given as the shortest decimal that reads back as the same binary32.
	Number func(text string) string
	// the texts of a call: before the function's name, after it, between arguments, at the end
	Call [4]string
}

// thenFirst is the form of conditionals whose first branch comes before the condition.
var thenFirst = []string{"(", " if ", " else ", ")"}

// Printer writes trees of a grammar in a language.
type Printer struct {
	Syntax
	Grammar *gp.Grammar
	// If is the name of a foreign operator that is a conditional of another type than Float.
	If string
	// Sensor returns what a scalar or flag is written as, the function and first argument of a
	// layer's sensor, or the function of an operator of the game's own; nil for what the language
	// lacks.
	Sensor func(op *gp.Operator) []string
}

// expression is a tree as texts: those before, between and after its arguments.
type expression struct {
	form  gp.Form
	parts []string
	args  []*expression
	depth int // of operators
	size  int // nodes
}

// build returns a tree as an expression. It returns an error for an operator that the language
// lacks.
func (p *Printer) build(t gp.Tree) (*expression, error) {
	op := &p.Grammar.Operators[t[0].Op]
	e := &expression{form: op.Form, size: 1}
	if op.Name == p.If {
		e.form = gp.If
	}
	switch e.form {
	case gp.Const, gp.ConstInt:
		v := strconv.FormatFloat(float64(t[0].Float()), 'g', -1, 32)
		e.parts = []string{p.Number(v)}
	case gp.Scalar, gp.Flag:
		if e.parts = p.Sensor(op); e.parts == nil {
			return nil, missing(op)
		}
	case gp.Any, gp.Count, gp.Sum, gp.Least, gp.Greatest:
		x1, y1, x2, y2 := p.Grammar.Rects.Corners(t[1].Rect())
		words := p.Sensor(op)
		if words == nil {
			return nil, missing(op)
		}
		for _, n := range []int{x1, y1, x2, y2} {
			words = append(words, strconv.Itoa(n))
		}
		e.parts = []string{p.call(words[0], words[1:]...)}
	default:
		e.parts = p.Forms[e.form]
		if e.form == gp.Call {
			e.parts = p.function(op)
		}
		if e.parts == nil {
			return nil, missing(op)
		}
		for i := 1; i < len(t); {
			end := p.Grammar.End(t, i)
			arg, err := p.build(t[i:end])
			if err != nil {
				return nil, err
			}
			e.args = append(e.args, arg)
			e.depth, e.size = max(e.depth, arg.depth+1), e.size+arg.size
			i = end
		}
	}
	return e, nil
}

// function returns the texts around the arguments of an operator of the game's own.
func (p *Printer) function(op *gp.Operator) []string {
	words := p.Sensor(op)
	if words == nil {
		return nil
	}
	open, end := p.Call[0]+words[0]+p.Call[1], p.Call[3]
	parts := []string{open}
	for range op.Args[1:] {
		parts = append(parts, p.Call[2])
	}
	return append(parts, end)
}

func missing(op *gp.Operator) error {
	return fmt.Errorf("export: operator %q cannot be written in this language", op.Name)
}

func (p *Printer) call(name string, args ...string) string {
	return p.Call[0] + name + p.Call[1] + strings.Join(args, p.Call[2]) + p.Call[3]
}

// Expression returns a tree on one line.
func (p *Printer) Expression(t gp.Tree) (string, error) {
	e, err := p.build(t)
	if err != nil {
		return "", err
	}
	return e.flat(), nil
}

func (e *expression) flat() string {
	var b strings.Builder
	e.write(&b, 0, 0)
	return b.String()
}

// write writes the expression from a column on: on one line if that is short enough or width is 0,
// else with a line for each argument.
func (e *expression) write(b *strings.Builder, width, column int) {
	if width > 0 && len(e.args) > 0 && column+len(e.flat()) <= width {
		width = 0
	}
	b.WriteString(e.parts[0])
	column += len(e.parts[0])
	args := e.args
	if e.form == gp.If && e.parts[1] == thenFirst[1] {
		args = []*expression{args[1], args[0], args[2]}
	}
	for i, a := range args {
		a.write(b, width, column)
		behind := e.parts[i+1]
		if width > 0 && i < len(e.args)-1 {
			behind = strings.TrimRight(behind, " ") + "\n" + strings.Repeat(" ", column)
		}
		b.WriteString(behind)
	}
}

// Functions are split so that every compiler accepts them: Python reads at most 200 nested
// brackets, and Java at most 64 KB of code in a method.
const (
	maxDepth = 12
	maxNodes = 150
)

// Function is a function that computes a tree or a part of one.
type Function struct {
	Name string
	bool bool // what it returns; else a Float
	body *expression
}

// Text returns the function's value, laid out in lines of up to a width that begin at an
// indentation.
func (f Function) Text(width, indent int) string {
	var b strings.Builder
	f.body.write(&b, width, indent)
	return b.String()
}

// Functions splits a tree into functions. The last one returns the tree's value.
func (p *Printer) Functions(name string, t gp.Tree) ([]Function, error) {
	root, err := p.build(t)
	if err != nil {
		return nil, err
	}
	var all []Function
	var cut func(e *expression, t gp.Tree)
	cut = func(e *expression, t gp.Tree) {
		e.depth, e.size = 0, 1
		at := 1
		for i, a := range e.args {
			end := p.Grammar.End(t, at)
			cut(a, t[at:end])
			if a.depth >= maxDepth || a.size >= maxNodes {
				part := fmt.Sprintf("%sPart%d", name, len(all)+1)
				all = append(all, Function{part, p.Grammar.Type(t[at]) == gp.Bool, a})
				a = &expression{form: gp.Scalar, parts: []string{p.call(part)}, size: 1}
				e.args[i] = a
			}
			e.depth, e.size = max(e.depth, a.depth+1), e.size+a.size
			at = end
		}
	}
	cut(root, t)
	return append(all, Function{name, p.Grammar.Type(t[0]) == gp.Bool, root}), nil
}
