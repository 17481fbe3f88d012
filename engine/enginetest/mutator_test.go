package enginetest_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"
)

// mutateSource is what the changed source calls. Each function does what the source did, and what
// the mutant does where its number is asked for.
const mutateSource = `

import (
	"os"
	"strconv"
)

var mutantAsked, _ = strconv.Atoi(os.Getenv("CLADE_MUTANT"))

func mutant(n int) bool { return n == mutantAsked }

type mutable interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
}

func mutateConstant[T mutable](n int, v T) T {
	if mutant(n) {
		return v + 1
	}
	return v
}

func mutateAdd[T mutable](n int, a, b T) T {
	if mutant(n) {
		return a - b
	}
	return a + b
}

func mutateSub[T mutable](n int, a, b T) T {
	if mutant(n) {
		return a + b
	}
	return a - b
}

func mutateLess[T mutable](n int, a, b T) bool { return a < b || mutant(n) && a == b }

func mutateAtMost[T mutable](n int, a, b T) bool { return a < b || !mutant(n) && a == b }

func mutateMore[T mutable](n int, a, b T) bool { return a > b || mutant(n) && a == b }

func mutateAtLeast[T mutable](n int, a, b T) bool { return a > b || !mutant(n) && a == b }

func mutateEqual[T comparable](n int, a, b T) bool { return (a == b) != mutant(n) }

func mutateAnd(n int, a bool, b func() bool) bool {
	if mutant(n) {
		return a || b()
	}
	return a && b()
}

func mutateOr(n int, a bool, b func() bool) bool {
	if mutant(n) {
		return a && b()
	}
	return a || b()
}
`

// mutator finds the changes of files.
type mutator struct {
	info  *types.Info
	pkg   *types.Package
	fset  *token.FileSet
	names []string
	seen  map[string]int
	text  []byte
	file  *ast.File
	where string // file and function
	edits []edit
}

// edit replaces bytes of a file; of those at one place the first goes first.
type edit struct {
	from, to int
	with     string
}

// change returns the text of a file with all its changes.
func (m *mutator) change(text []byte, file *ast.File) []byte {
	m.text, m.file, m.edits = text, file, nil
	name := filepath.Base(m.fset.Position(file.Pos()).Filename)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			m.where = name + " " + f.Name.Name
			if f.Recv != nil {
				t := f.Recv.List[0].Type
				m.where = name + " " + strings.TrimPrefix(types.ExprString(t), "*") + "." + f.Name.Name
			}
			m.visit(f.Body)
		}
	}
	sort.SliceStable(m.edits, func(i, j int) bool { return m.edits[i].from < m.edits[j].from })
	var out []byte
	at := 0
	for _, e := range m.edits {
		out = append(append(out, text[at:e.from]...), e.with...)
		at = e.to
	}
	return append(out, text[at:]...)
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

// number names a change of a node and returns its number.
func (m *mutator) number(n ast.Node, what string) int {
	source := strings.Join(strings.Fields(string(m.text[m.offset(n.Pos()):m.offset(n.End())])), " ")
	name := fmt.Sprintf("%s: %s: %s", m.where, source, what)
	m.seen[name]++
	if k := m.seen[name]; k > 1 {
		name = fmt.Sprintf("%s (%d)", name, k)
	}
	m.names = append(m.names, name)
	return len(m.names)
}

// insert puts text before or behind a node's bytes.
func (m *mutator) insert(at token.Pos, text string) {
	m.edits = append(m.edits, edit{m.offset(at), m.offset(at), text})
}

// visit changes what is below a node, from the outside in.
func (m *mutator) visit(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			m.statements(n.List)
			return false
		case *ast.CaseClause:
			for _, e := range n.List {
				if m.info.Types[e].Value == nil && !m.info.Types[e].IsType() {
					m.visit(e)
				}
			}
			m.statements(n.Body)
			return false
		case *ast.ArrayType, *ast.GenDecl:
			return false
		case *ast.KeyValueExpr:
			m.visit(n.Value)
			return false
		case ast.Expr:
			return m.expression(n)
		}
		return true
	})
}

// statements lets each statement that only has an effect be left out.
func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				m.visit(s)
				continue
			}
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
					continue
				}
			}
		case *ast.IncDecStmt:
		default:
			m.visit(s)
			continue
		}
		m.insert(s.Pos(), fmt.Sprintf("if !mutant(%d) { ", m.number(s, "left out")))
		m.visit(s)
		m.insert(s.End(), " }")
	}
}

// swaps are operators that are changed, with the function that does so.
var swaps = map[token.Token]struct{ call, what string }{
	token.ADD: {"mutateAdd", "-"}, token.SUB: {"mutateSub", "+"},
	token.LSS: {"mutateLess", "<="}, token.LEQ: {"mutateAtMost", "<"},
	token.GTR: {"mutateMore", ">="}, token.GEQ: {"mutateAtLeast", ">"},
	token.EQL: {"mutateEqual", "!="}, token.NEQ: {"!mutateEqual", "=="},
	token.LAND: {"mutateAnd", "||"}, token.LOR: {"mutateOr", "&&"},
}

// expression changes a constant or an operator, and tells whether to go on inside.
func (m *mutator) expression(e ast.Expr) bool {
	v := m.info.Types[e]
	if v.IsType() {
		return false
	}
	if v.Value != nil {
		if k := v.Value.Kind(); k != constant.Int && k != constant.Float {
			return false
		}
		name := types.TypeString(v.Type.Underlying(), types.RelativeTo(m.pkg))
		if named, ok := v.Type.(*types.Named); ok && named.Obj().Pkg() != m.pkg {
			return false // its name need not be imported
		} else if ok {
			name = named.Obj().Name()
		}
		if strings.Contains(name, "untyped") {
			return false
		}
		m.insert(e.Pos(), fmt.Sprintf("mutateConstant[%s](%d, ", name, m.number(e, "+ 1")))
		m.insert(e.End(), ")")
		return false
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return true
	}
	swap, ok := swaps[b.Op]
	x, y := m.info.Types[b.X], m.info.Types[b.Y]
	if !ok || x.IsNil() || y.IsNil() || !types.Identical(x.Type, y.Type) || types.IsInterface(x.Type) {
		return true
	}
	if t, ok := x.Type.Underlying().(*types.Basic); ok && b.Op == token.ADD &&
		t.Info()&types.IsString != 0 {
		return true // there is no difference of texts
	}
	between, end := ", ", ")"
	if b.Op == token.LAND || b.Op == token.LOR {
		between, end = ", func() bool { return (", ") })"
	}
	m.insert(b.Pos(), fmt.Sprintf("%s(%d, ", swap.call, m.number(b, swap.what)))
	m.visit(b.X)
	m.edits = append(m.edits, edit{m.offset(b.OpPos), m.offset(b.OpPos) + len(b.Op.String()), between})
	m.visit(b.Y)
	m.insert(b.End(), end)
	return false
}
