package export

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// A runtime may keep structs by number: for a type T that it declares and a variable v of type *T,
// vOf(n) makes v point to the T of number n and tells whether that is new, and vNone() forgets all.
// Fields are whole numbers, truth values, arrays of them, and slices, which make([]T, n) gives.

// pointers matches declarations of variables that point to structs.
var pointers = regexp.MustCompile(`(?m)^var (\w+) \*(\w+)$`)

// registries returns stubs of the functions of such variables, for the type checker.
func registries(texts []string) string {
	var b strings.Builder
	for _, found := range pointers.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		fmt.Fprintf(&b, "func %[1]sOf(number int) bool { return false }\nfunc %[1]sNone() {}\n", found[1])
	}
	return b.String()
}

// goRegistries returns these functions in Go.
func goRegistries(texts []string) string {
	var b strings.Builder
	structure := Text(files, "structure.go")
	for _, found := range pointers.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		b.WriteString(strings.NewReplacer("VAR", found[1], "TYPE", found[2]).Replace(structure))
	}
	return b.String()
}

// structOf returns the struct that a type points to, nil for another type.
func structOf(typ types.Type) *types.Named {
	p, ok := typ.(*types.Pointer)
	if !ok {
		return nil
	}
	named, _ := p.Elem().(*types.Named)
	return named
}

// registry writes a variable that points to structs, with their type and functions.
func (t *translator) registry(name string, of *types.Named) {
	s := of.Underlying().(*types.Struct)
	var fields, release []string
	for f := range s.Fields() {
		fields = append(fields, t.field(f.Name(), f.Type()))
		if _, ok := f.Type().(*types.Slice); ok {
			release = append(release, "free("+name+"All[i]->"+f.Name()+");")
		}
	}
	static := ""
	if t.driver == "" {
		static = "static "
	}
	text := strings.NewReplacer("static ", static, "VAR", name, "TYPE", of.Obj().Name(),
		"FIELDS", strings.Join(fields, "\n"+t.fieldIndent), "RELEASE",
		strings.Join(release, "\n        ")).Replace(Text(files, "structure"+t.extension))
	t.out.WriteString(text)
}

// made translates make([]T, n).
func (t *translator) made(e *ast.CallExpr) string {
	element := t.info.TypeOf(e).(*types.Slice).Elem()
	zero, name := "0", "int"
	if types.Identical(element, types.Typ[types.Bool]) {
		zero, name = t.truth[false], "boolean"
	}
	return strings.NewReplacer("ZERO", zero, "NAME", name, "SIZE", t.expression(e.Args[1])).
		Replace(t.allocate)
}

// The tables of a frame, by layer.
const (
	held   = "held"
	weight = "weight"
)

// ofLayer returns the key of a layer in a table.
func ofLayer(table, layer string) string { return table + " " + nameOf("layer", layer) }

// assignsAll returns an error if trees read a sense, a layer or weights that the runtime never
// sets.
func (p *program) assignsAll(read map[string]string) error {
	set := map[string]bool{}
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			switch left := a.Lhs[0].(type) {
			case *ast.Ident:
				set[left.Name] = true
			case *ast.IndexExpr: // held[layer][cell], where any layer may stand in a variable
				if row, ok := left.X.(*ast.IndexExpr); ok {
					table, _ := row.X.(*ast.Ident)
					layer, _ := row.Index.(*ast.Ident)
					if table != nil && layer != nil && p.info.Types[layer].Value == nil {
						set[table.Name] = true
					} else if table != nil && layer != nil {
						set[table.Name+" "+layer.Name] = true
					}
				}
			}
			return true
		})
	}
	for variable, word := range read {
		table, _, _ := strings.Cut(variable, " ")
		if !set[variable] && !set[table] {
			return fmt.Errorf("export: the species reads %q, which the runtime never sets", word)
		}
	}
	return nil
}
