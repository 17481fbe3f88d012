package gp

import (
	"fmt"
	"strconv"
	"strings"

	"clade/gp/input"
)

// The text form is s-expressions: (add foodHope (noFood (rect 0 -2 3 3))). A leaf without a
// constant is a bare name. A comment runs from a semicolon to the end of the line. Parsing a
// printed tree gives the same tree.

// lineWidth is the column up to which PrintSpecies keeps an expression on one line.
const lineWidth = 100

// PrintTree returns a tree on one line.
func (g *Grammar) PrintTree(t Tree) string {
	var b strings.Builder
	g.printFlat(&b, t)
	return b.String()
}

// Print returns the trees of a genome in the form that Parse reads: indented, each followed by a
// line break.
func (g *Grammar) Print(ge Genome) string {
	var b strings.Builder
	for _, t := range ge {
		g.printIndented(&b, t, 0)
		b.WriteByte('\n')
	}
	return b.String()
}

func (g *Grammar) printFlat(b *strings.Builder, t Tree) {
	op := &g.Operators[t[0].Op]
	if len(op.Args) == 0 {
		b.WriteString(g.leafText(t[0]))
		return
	}
	b.WriteString("(" + op.Name)
	for i := 1; i < len(t); {
		end := g.End(t, i)
		b.WriteByte(' ')
		g.printFlat(b, t[i:end])
		i = end
	}
	b.WriteByte(')')
}

// printIndented writes a tree at an indentation and without the last line break.
func (g *Grammar) printIndented(b *strings.Builder, t Tree, indent int) {
	if flat := g.PrintTree(t); indent+len(flat) <= lineWidth || len(t) == 1 {
		b.WriteString(flat)
		return
	}
	b.WriteString("(" + g.Operators[t[0].Op].Name)
	for i := 1; i < len(t); {
		end := g.End(t, i)
		b.WriteString("\n" + strings.Repeat(" ", indent+2))
		g.printIndented(b, t[i:end], indent+2)
		i = end
	}
	b.WriteByte(')')
}

// leafText returns the text of a node without arguments.
func (g *Grammar) leafText(n Node) string {
	op := &g.Operators[n.Op]
	switch op.Form {
	case Const, ConstInt:
		return "(" + op.Name + " " + strconv.FormatFloat(float64(n.Float()), 'g', -1, 32) + ")"
	case RectC:
		r := n.Rect()
		return fmt.Sprintf("(%s %d %d %d %d)", op.Name, r.X, r.Y, r.W, r.H)
	default:
		return op.Name
	}
}

// Parse reads one tree for each slot, in order, such as
//
//	(if (noFood (rect 0 -1 3 1)) (const 0.5) (add hope (constint 2)))
//
// The number of const is in -1..1 and that of constint in 0..5; the numbers of rect are the fields
// of Rect. Errors name line and column.
func (g *Grammar) Parse(text string) (Genome, error) {
	r := newReader(text)
	ge := make(Genome, 0, len(g.Slots))
	for _, s := range g.Slots {
		t, err := g.readTree(r, nil, s.Type, 0)
		if err != nil {
			return nil, err
		}
		ge = append(ge, t)
	}
	if tok := r.next(); tok.text != "" {
		return nil, tok.errorf("%q stands behind the last of %d trees", tok.text, len(g.Slots))
	}
	return ge, nil
}

// ParseTree reads one tree of a type. Errors name line and column.
func (g *Grammar) ParseTree(text string, want Type) (Tree, error) {
	r := newReader(text)
	t, err := g.readTree(r, nil, want, 0)
	if err != nil {
		return nil, err
	}
	if tok := r.next(); tok.text != "" {
		return nil, tok.errorf("%q stands behind the end of the tree", tok.text)
	}
	return t, nil
}

// UnknownNameError is the error for an operator that the grammar lacks.
type UnknownNameError string

func (e UnknownNameError) Error() string { return string(e) }

// Limits that keep a hostile text from exhausting memory.
const (
	maxTextDepth = 1000
	maxTextNodes = 1 << 20
)

// readTree appends one expression of the wanted type.
func (g *Grammar) readTree(r *reader, tree Tree, want Type, depth int) (Tree, error) {
	tok := r.next()
	if depth > maxTextDepth || len(tree) > maxTextNodes {
		return nil, tok.errorf("the tree is deeper than %d or larger than %d nodes", maxTextDepth,
			maxTextNodes)
	}
	open := tok
	bracket := tok.text == "("
	if bracket {
		tok = r.next()
	}
	if tok.text == "" || tok.text == ")" || tok.text == "(" || tok.quoted {
		return nil, tok.errorf("a name of type %s is needed here, not %s", want, tok)
	}
	op, ok := g.byName[tok.text]
	if _, err := strconv.ParseFloat(tok.text, 32); err == nil && !ok && want == Float {
		return nil, tok.errorf("%q is a number: write (const …) in -1..1 or (constint …) in 0..5",
			tok.text)
	}
	if !ok {
		return nil, tok.errorf("%w", UnknownNameError(input.Unknown("name", tok.text, g.namesOf(want))))
	}
	o := &g.Operators[op]
	if o.Result != want {
		return nil, tok.errorf("%q is of type %s, and %s is needed here; for example %s", o.Name,
			o.Result, want, g.namesOf(want)[0])
	}
	wantsBracket := len(o.Args) > 0 || o.Form == Const || o.Form == ConstInt || o.Form == RectC
	if wantsBracket && !bracket {
		return nil, tok.errorf("%q takes arguments: write (%s …)", o.Name, o.Name)
	}
	node, err := g.readConstant(r, op, tok)
	if err != nil {
		return nil, err
	}
	tree = append(tree, node)
	for _, a := range o.Args {
		if tree, err = g.readTree(r, tree, a, depth+1); err != nil {
			return nil, err
		}
	}
	if bracket {
		if tok := r.next(); tok.text == "" {
			return nil, open.errorf(
				"the bracket that opens here is never closed; %q is complete, so add a )", o.Name)
		} else if tok.text != ")" || tok.quoted {
			return nil, tok.errorf("%q is complete, and ) is needed here, not %s", o.Name, tok)
		}
	}
	return tree, nil
}

// readConstant reads the numbers of an ephemeral constant.
func (g *Grammar) readConstant(r *reader, op Op, name token) (Node, error) {
	var node Node
	switch g.Operators[op].Form {
	case Const, ConstInt:
		tok := r.next()
		v, err := strconv.ParseFloat(tok.text, 32)
		if err != nil {
			return node, tok.errorf("%q needs a number here, not %s", name.text, tok)
		}
		node = ConstNode(op, float32(v))
	case RectC:
		var q [4]int8
		for i := range q {
			tok := r.next()
			v, err := strconv.ParseInt(tok.text, 10, 8)
			if err != nil {
				return node,
					tok.errorf("%q needs four whole numbers (centre x, centre y, width, height), "+
						"not %s", name.text, tok)
			}
			q[i] = int8(v)
		}
		node = RectNode(op, Rect{q[0], q[1], q[2], q[3]})
	default:
		return Leaf(op), nil
	}
	if err := g.checkConstant(node); err != nil {
		return node, name.errorf("%s", err)
	}
	return node, nil
}

// namesOf lists the operators of a type.
func (g *Grammar) namesOf(t Type) []string {
	var names []string
	for i := range g.Operators {
		if g.Operators[i].Result == t {
			names = append(names, g.Operators[i].Name)
		}
	}
	return names
}

// token is a bracket, a word or a quoted string; empty and unquoted at the end of the text.
type token struct {
	text         string
	quoted       bool
	line, column int // from 1
}

func (t token) String() string {
	if t.text == "" && !t.quoted {
		return "the end of the text"
	}
	const enough = 40 // bytes of a word that an error quotes
	if len(t.text) > enough {
		return strconv.Quote(t.text[:enough]) + "…"
	}
	return strconv.Quote(t.text)
}

func (t token) errorf(format string, args ...any) error {
	return fmt.Errorf("gp: line %d, column %d: %w", t.line, t.column, fmt.Errorf(format, args...))
}

// reader splits text into tokens.
type reader struct {
	rest         string
	line, column int
}

func newReader(text string) *reader { return &reader{text, 1, 1} }

// advance steps over n bytes.
func (r *reader) advance(n int) string {
	s := r.rest[:n]
	r.rest = r.rest[n:]
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		r.line += strings.Count(s, "\n")
		r.column = len(s) - i
	} else {
		r.column += n
	}
	return s
}

const space = " \t\r\n"

func (r *reader) next() token {
	for {
		r.advance(len(r.rest) - len(strings.TrimLeft(r.rest, space)))
		if !strings.HasPrefix(r.rest, ";") {
			break
		}
		if i := strings.IndexByte(r.rest, '\n'); i >= 0 {
			r.advance(i)
		} else {
			r.advance(len(r.rest))
		}
	}
	t := token{line: r.line, column: r.column}
	switch {
	case r.rest == "":
	case r.rest[0] == '(' || r.rest[0] == ')':
		t.text = r.advance(1)
	case r.rest[0] == '"':
		t.quoted = true
		if q, err := strconv.QuotedPrefix(r.rest); err == nil {
			t.text, _ = strconv.Unquote(r.advance(len(q)))
		} else {
			t.text = r.advance(len(r.rest))
		}
	default:
		n := strings.IndexAny(r.rest, space+`();"`)
		if n < 0 {
			n = len(r.rest)
		}
		t.text = r.advance(n)
	}
	return t
}
