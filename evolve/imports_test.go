package evolve

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

// Only the adapter knows eaopt.
func TestOnlyTheAdapterKnowsEaopt(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if strings.Contains(i.Path.Value, "eaopt") {
				found++
				proof.Is(t, filepath.ToSlash(path), "../evolve/eaopt.go", "who imports eaopt")
			}
		}
		return nil
	})
	proof.OK(t, err)
	proof.Is(t, found, 1, "files that import eaopt")
}
