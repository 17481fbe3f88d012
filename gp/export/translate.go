package export

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"clade/gp"
)

// The runtime of an exported species is written once, in a subset of Go that every language has:
// whole numbers, binary32, truth values, arrays of fixed size, structs kept by number (see
// structure.go), functions, constant texts as their arguments, if, for and assignments to one
// variable. This file translates it to another language, statement for statement. Whole numbers
// that are divided must not be negative, because languages round differently.

// translator translates declarations of a type-checked file.
type translator struct {
	*language
	info     *types.Info
	comments []*ast.CommentGroup // not yet written
	out      strings.Builder
	indent   int
	scope    *types.Scope
	fault    error
}

func (t *translator) fail(n ast.Node, what string) {
	if t.fault == nil {
		t.fault = fmt.Errorf("export: %s: %s cannot be translated (%T)", t.name, what, n)
	}
}

func (t *translator) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != "" {
		text = strings.Repeat("    ", t.indent) + text
	}
	t.out.WriteString(text + "\n")
}

// remark writes the comments before a position.
func (t *translator) remark(before token.Pos) {
	for len(t.comments) > 0 && t.comments[0].Pos() < before {
		for l := range strings.Lines(t.comments[0].Text()) {
			t.line("%s", strings.TrimRight(t.comment+" "+l, " \n"))
		}
		t.comments = t.comments[1:]
	}
}

// skipRemarks leaves out the comments before a position.
func (t *translator) skipRemarks(before token.Pos) {
	for len(t.comments) > 0 && t.comments[0].Pos() < before {
		t.comments = t.comments[1:]
	}
}

func (t *translator) declarations(decls []ast.Decl) {
	values := false // the declaration before is of a constant or a variable
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, s := range d.Specs {
				if !values || len(t.comments) > 0 && t.comments[0].Pos() < s.Pos() {
					t.line("")
				}
				values = true
				if _, ok := s.(*ast.TypeSpec); ok { // written with the variable that points to it
					t.remark(s.Pos())
					t.skipRemarks(s.End())
					continue
				}
				t.remark(s.Pos())
				t.values(s.(*ast.ValueSpec), d.Tok == token.CONST)
			}
		case *ast.FuncDecl:
			values = false
			t.line("")
			if t.brackets == nil {
				t.line("")
			}
			t.remark(d.Pos())
			t.function(d)
		}
	}
}

// values writes constants or variables, of a package or of a function.
func (t *translator) values(s *ast.ValueSpec, constants bool) {
	for i, name := range s.Names {
		o := t.info.Defs[name]
		if of := structOf(o.Type()); of != nil {
			t.registry(name.Name, of)
			continue
		}
		typ, value := types.Default(o.Type()), ""
		if isSlice(typ) {
			t.line("%s", t.slice(name.Name, typ))
			continue
		}
		switch {
		case constants:
			value = t.constant(o.(*types.Const).Val(), typ)
		case i < len(s.Values):
			value = t.expression(s.Values[i])
		}
		t.line("%s", t.declare(name.Name, typ, value, o.Parent() == t.scope, constants))
	}
}

func (t *translator) constant(v constant.Value, typ types.Type) string {
	switch basic := typ.Underlying().(*types.Basic); {
	case basic.Kind() == types.Float32:
		f, _ := constant.Float32Val(v)
		return t.Number(strconv.FormatFloat(float64(f), 'g', -1, 32))
	case v.Kind() == constant.Bool:
		return t.truth[constant.BoolVal(v)]
	case v.Kind() == constant.String:
		return strconv.Quote(constant.StringVal(v))
	case isInt64(typ):
		return v.ExactString() + t.long
	case v.Kind() == constant.Int:
		return v.ExactString()
	}
	return v.ExactString() + " is not a constant"
}

// headOf returns the first line of a function.
func (t *translator) headOf(d *ast.FuncDecl) string {
	var params []string
	for _, f := range d.Type.Params.List {
		for _, n := range f.Names {
			params = append(params, t.parameter(n.Name, t.info.TypeOf(f.Type)))
		}
	}
	var result types.Type
	if d.Type.Results != nil {
		result = t.info.TypeOf(d.Type.Results.List[0].Type)
	}
	return t.head(d.Name.Name, params, result)
}

func (t *translator) function(d *ast.FuncDecl) {
	t.line("%s", t.headOf(d))
	t.indent++
	if globals := t.assigned(d.Body); t.brackets == nil && len(globals) > 0 {
		t.line("global %s", strings.Join(globals, ", "))
	}
	t.indent--
	t.block(d.Body)
}

// assigned lists the package's variables that a body assigns to as a whole.
func (t *translator) assigned(body *ast.BlockStmt) (names []string) {
	seen := map[string]bool{}
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && !seen[id.Name] && t.info.Uses[id] != nil &&
			t.info.Uses[id].Parent() == t.scope {
			seen[id.Name] = true
			names = append(names, id.Name)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			note(n.Lhs[0])
		case *ast.IncDecStmt:
			note(n.X)
		}
		return true
	})
	return names
}

// block writes statements, and the bracket after them.
func (t *translator) block(b *ast.BlockStmt) {
	t.indent++
	for _, s := range b.List {
		t.remark(s.Pos())
		t.statement(s)
	}
	if t.brackets == nil && len(b.List) == 0 {
		t.line("pass")
	}
	t.remark(b.Rbrace)
	t.indent--
	if t.brackets != nil {
		t.line("}")
	}
}

func (t *translator) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		t.assign(s)
	case *ast.IncDecStmt:
		t.line("%s %s 1%s", t.expression(s.X), map[token.Token]string{token.INC: "+=",
			token.DEC: "-="}[s.Tok], t.end)
	case *ast.ExprStmt:
		t.line("%s%s", t.expression(s.X), t.end)
	case *ast.ReturnStmt:
		if len(s.Results) == 0 {
			t.line("return%s", t.end)
			return
		}
		t.line("return %s%s", t.expression(s.Results[0]), t.end)
	case *ast.BranchStmt:
		t.line("%s%s", s.Tok, t.end)
	case *ast.DeclStmt:
		for _, v := range s.Decl.(*ast.GenDecl).Specs {
			t.values(v.(*ast.ValueSpec), false)
		}
	case *ast.IfStmt:
		t.choice(s, "")
	case *ast.ForStmt:
		condition := t.truth[true]
		if s.Cond != nil {
			condition = t.expression(s.Cond)
		}
		if s.Init != nil || s.Post != nil {
			t.fail(s, "a loop with a counter that is not a range")
		}
		t.open("while", condition)
		t.block(s.Body)
	case *ast.RangeStmt:
		counter := "_"
		if s.Key != nil {
			counter = t.expression(s.Key)
		}
		t.line("%s", t.loop(counter, t.expression(s.X)))
		t.block(s.Body)
	default:
		t.fail(s, "this statement")
	}
}

// open writes the beginning of a block under a condition.
func (t *translator) open(word, condition string) {
	if t.brackets == nil {
		t.line("%s %s:", word, condition)
		return
	}
	t.line("%s (%s) {", word, condition)
}

func (t *translator) choice(s *ast.IfStmt, before string) {
	word := before + "if"
	if before != "" && t.brackets == nil {
		word = "elif"
	}
	t.open(word, t.expression(s.Cond))
	t.block(s.Body)
	switch other := s.Else.(type) {
	case *ast.IfStmt:
		t.choice(other, "else ")
	case *ast.BlockStmt:
		if t.brackets == nil {
			t.line("else:")
		} else {
			t.line("else {")
		}
		t.block(other)
	}
}

func (t *translator) assign(s *ast.AssignStmt) {
	if len(s.Lhs) != 1 {
		t.fail(s, "an assignment to several variables")
		return
	}
	value := t.expression(s.Rhs[0])
	if s.Tok == token.DEFINE {
		name := s.Lhs[0].(*ast.Ident)
		t.line("%s", t.declare(name.Name, t.info.Defs[name].Type(), value, false, false))
		return
	}
	if s.Tok != token.ASSIGN && isFloat(t.info.TypeOf(s.Lhs[0])) {
		t.fail(s, "an operation on a float in an assignment")
	}
	t.line("%s %s %s%s", t.expression(s.Lhs[0]), s.Tok, value, t.end)
}

func isFloat(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

func isInt64(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int64
}

func (t *translator) expression(e ast.Expr) string {
	if tv := t.info.Types[e]; tv.Value != nil {
		if c, ok := e.(*ast.BasicLit); ok && c.Kind == token.CHAR && t.characters {
			return c.Value
		}
		name, ok := e.(*ast.Ident)
		if !ok || t.info.Uses[name].Parent() == types.Universe {
			return t.constant(tv.Value, types.Default(tv.Type))
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ParenExpr:
		return "(" + t.expression(e.X) + ")"
	case *ast.IndexExpr:
		return t.expression(e.X) + "[" + t.expression(e.Index) + "]"
	case *ast.SelectorExpr:
		return t.expression(e.X) + t.reach + e.Sel.Name
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return "(" + t.Forms[gp.Not][0][1:] + t.expression(e.X) + ")"
		}
		return e.Op.String() + t.expression(e.X)
	case *ast.BinaryExpr:
		return t.binary(e)
	case *ast.CompositeLit:
		var values []string
		for _, v := range e.Elts {
			values = append(values, t.expression(v))
		}
		var text strings.Builder
		for i, v := range values {
			switch {
			case i == 0:
			case i%16 == 0:
				text.WriteString(",\n    ")
			default:
				text.WriteString(", ")
			}
			text.WriteString(v)
		}
		return t.array[0] + text.String() + t.array[1]
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && f.Name == "make" {
			return t.made(e)
		}
		var args []string
		for _, a := range e.Args {
			args = append(args, t.expression(a))
		}
		if tv := t.info.Types[e.Fun]; tv.IsType() {
			return t.convert(args[0], t.info.TypeOf(e.Args[0]), tv.Type)
		}
		name := t.expression(e.Fun)
		if t.builtin != "" && (name == "min" || name == "max") {
			name = t.builtin + name
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	}
	t.fail(e, "this expression")
	return ""
}

func (t *translator) binary(e *ast.BinaryExpr) string {
	a, b := t.expression(e.X), t.expression(e.Y)
	if e.Op == token.LOR { // compilers of C ask for brackets
		a, b = bracketed(e.X, a), bracketed(e.Y, b)
	}
	typ := t.info.TypeOf(e)
	switch e.Op {
	case token.LAND:
		return a + " " + t.and + " " + b
	case token.LOR:
		return a + " " + t.or + " " + b
	case token.QUO:
		if !isFloat(typ) {
			return fmt.Sprintf(t.quotient, a, b)
		}
	case token.AND, token.OR, token.XOR, token.SHL, token.SHR, token.AND_NOT:
		t.fail(e, "an operation on bits")
	}
	if isFloat(typ) {
		return t.round + "(" + a + " " + e.Op.String() + " " + b + ")"
	}
	op := e.Op.String()
	if equal := strings.TrimSpace(t.Forms[gp.IsEqual][1]); e.Op == token.EQL {
		op = equal
	} else if e.Op == token.NEQ {
		op = "!" + equal[1:]
	}
	return a + " " + op + " " + b
}

// bracketed adds brackets to a conjunction.
func bracketed(e ast.Expr, text string) string {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return "(" + text + ")"
	}
	return text
}
