package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
)

// The gallery shows every figure that package figure can draw, and its figures are those of its
// page.
func TestGallery(t *testing.T) {
	folder := filepath.FromSlash("../../results/gallery")
	page := proof.Must(os.ReadFile(filepath.Join(folder, "README.md")))(t)
	shown, makers := map[string]bool{}, map[string]bool{}
	for _, m := range regexp.MustCompile(`\]\((\S+\.svg) "figure\.(\w+)"\)`).
		FindAllStringSubmatch(string(page), -1) {
		shown[m[1]], makers[m[2]] = true, true
	}
	paths := proof.Must(filepath.Glob(filepath.Join(folder, "*.svg")))(t)
	there := map[string]bool{}
	for _, path := range paths {
		there[filepath.Base(path)] = true
	}
	if !maps.Equal(there, shown) {
		t.Errorf("the gallery holds\n%v\nand its page shows\n%v", slices.Sorted(maps.Keys(there)),
			slices.Sorted(maps.Keys(shown)))
	}
	if can := drawers(t, filepath.FromSlash("../../analysis/figure")); !maps.Equal(can, makers) {
		t.Errorf("package figure draws\n%v\nand the gallery shows\n%v",
			slices.Sorted(maps.Keys(can)), slices.Sorted(maps.Keys(makers)))
	}
}

// drawers lists the exported functions of a package that return a figure.
func drawers(t *testing.T, dir string) map[string]bool {
	found := map[string]bool{}
	paths := proof.Must(filepath.Glob(filepath.Join(dir, "*.go")))(t)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file := proof.Must(parser.ParseFile(token.NewFileSet(), path, nil, 0))(t)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			for _, result := range f.Type.Results.List {
				if star, ok := result.Type.(*ast.StarExpr); ok {
					if name, ok := star.X.(*ast.Ident); ok && name.Name == "Figure" {
						found[f.Name.Name] = true
					}
				}
			}
		}
	}
	return found
}
