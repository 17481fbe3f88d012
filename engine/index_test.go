package engine_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clade/gp/proof"
)

// The package comment and the page name every interface that a game, a scene or a Stepper may have.
func TestIndexIsComplete(t *testing.T) {
	page := proof.Must(os.ReadFile("README.md"))(t)
	names := proof.Must(filepath.Glob("*.go"))(t)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := proof.Must(parser.ParseFile(fset, name, nil, parser.ParseComments))(t)
		files = append(files, file)
	}
	pkg := proof.Must(doc.NewFromFiles(fset, files, "clade/engine"))(t)
	declared := map[string]bool{}
	for _, typ := range pkg.Types {
		declared[typ.Name] = true
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z]\\w+)`").FindAllStringSubmatch(
		string(page), -1) {
		if !declared[row[1]] {
			t.Errorf("README.md names %s, and there is none", row[1])
		}
	}
	offered := regexp.MustCompile(`is an? (game|scene|Stepper|Inspector)\b`)
	n := 0
	for _, typ := range pkg.Types {
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		if _, ok := spec.Type.(*ast.InterfaceType); !ok || !offered.MatchString(typ.Doc) {
			continue
		}
		n++
		if !regexp.MustCompile(`\b` + typ.Name + `\b`).MatchString(pkg.Doc) {
			t.Errorf("the package comment does not name %s", typ.Name)
		}
		proof.Holds(t, string(page), "`"+typ.Name)
	}
	if n < 15 {
		t.Errorf("only %d interfaces found", n)
	}
}
