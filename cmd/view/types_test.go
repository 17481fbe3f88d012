package view

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
)

// answered are the files of whose structs the server's answers are made.
var answered = []string{"*.go", "internal/*/*.go", "site/*.go", "../../analysis/why/*.go",
	"../../engine/*.go", "../../experiments/collect/catalogue.go",
	"../../experiments/collect/row.go", "../../experiments/match/[hmp]*.go",
	"../../analysis/figure/table.go"}

// TestTypesOfAnswers holds types.d.ts, by which the page's scripts are checked, to the structs of
// the server, as they stand in its sources. CLADE_UPDATE=1 writes it.
func TestTypesOfAnswers(t *testing.T) {
	all := map[string]string{}
	for _, files := range answered {
		names := proof.Must(filepath.Glob(files))(t)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file := proof.Must(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
			for _, d := range file.Decls {
				gen, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range gen.Specs {
					spec, ok := s.(*ast.TypeSpec)
					if !ok {
						continue
					}
					in := pkg(file.Name.Name)
					body, ok := spec.Type.(*ast.StructType)
					if !ok || len(in.fields(body)) == 0 {
						continue
					}
					name := in.name(spec.Name)
					if all[name] != "" {
						t.Errorf("two structs are called %s", name)
					}
					all[name] = in.declared(name, body)
				}
			}
		}
	}
	text := "// What the server answers: made of its structs by `CLADE_UPDATE=1 go test ./cmd/view " +
		"-run Types`.\n"
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text += "\n" + all[name]
	}
	text += "\ntype Numeric = number | \"NaN\" | \"+Inf\" | \"-Inf\";\n"
	proof.Golden(t, "types.d.ts", text)
}

// pkg is the name of a package, which stands before what it does not export.
type pkg string

func (in pkg) name(id *ast.Ident) string {
	if id.IsExported() {
		return id.Name
	}
	return upper(string(in)) + upper(id.Name)
}

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// fields writes the fields that have a name in JSON.
func (in pkg) fields(body *ast.StructType) (lines []string) {
	for _, f := range body.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		name, rest, _ := strings.Cut(tag, ",")
		if name == "" || name == "-" {
			continue
		}
		if strings.Contains(rest, "omitempty") {
			name += "?"
		}
		lines = append(lines, fmt.Sprintf("  %s: %s;\n", name, in.typeOf(f.Type)))
	}
	return lines
}

// declared writes a struct as an interface; what it embeds it extends.
func (in pkg) declared(name string, body *ast.StructType) string {
	extends := ""
	for _, f := range body.Fields.List {
		if len(f.Names) > 0 || f.Tag != nil {
			continue
		}
		if base := in.typeOf(f.Type); base != "unknown" {
			extends += ", " + base
		}
	}
	if extends != "" {
		extends = " extends " + extends[2:]
	}
	return "interface " + name + extends + " {\n" + strings.Join(in.fields(body), "") + "}\n"
}

// typeOf writes a type of Go as one of TypeScript.
func (in pkg) typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return in.typeOf(e.X)
	case *ast.ArrayType:
		if n := in.typeOf(e.Elt); strings.Contains(n, " ") {
			return "(" + n + ")[]"
		} else {
			return n + "[]"
		}
	case *ast.MapType:
		return "Record<string, " + in.typeOf(e.Value) + ">"
	case *ast.SelectorExpr:
		return in.typeOf(e.Sel)
	case *ast.Ident:
		switch e.Name {
		case "string", "Form":
			return "string"
		case "bool":
			return "boolean"
		case "int", "int8", "int16", "int32", "int64", "uint64", "uint8", "float32", "float64":
			return "number"
		case "Number":
			return "Numeric"
		case "Point":
			return "number[]"
		case "colours":
			return "string[]"
		case "any", "RawMessage":
			return "any"
		}
		return in.name(e)
	}
	return "unknown"
}

// Lines of the page's own files keep to 100 columns, as those of Go do.
func TestColumnsOfPages(t *testing.T) {
	for _, pattern := range []string{"web/*.*s", "web/*.html", "web/pages/*"} {
		names := proof.Must(filepath.Glob(pattern))(t)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // a folder
			}
			for i, line := range strings.Split(string(text), "\n") {
				if n := len([]rune(line)); n > 100 {
					t.Errorf("%s:%d has %d columns", name, i+1, n)
				}
			}
		}
	}
}
