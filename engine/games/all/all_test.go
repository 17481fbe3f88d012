package all_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/gp/proof"
)

// TestEveryFolderIsListed fails when a folder of engine holds a Go package, which must be a game,
// and the list does not import it.
func TestEveryFolderIsListed(t *testing.T) {
	file := proof.Must(parser.ParseFile(token.NewFileSet(), "all.go", nil, parser.ImportsOnly))(t)
	listed := map[string]bool{}
	for _, i := range file.Imports {
		listed[strings.Trim(i.Path.Value, `"`)] = true
	}
	for _, folder := range gameFolders(t) {
		if !listed[engineRoot+folder] {
			t.Errorf("engine/games/%s is missing in engine/games/all: add %s.New() to Games", folder, folder)
		}
	}
}

// gameFolders returns the folders that hold a game.
func gameFolders(t *testing.T) []string {
	entries := proof.Must(os.ReadDir(".."))(t)
	var folders []string
	for _, e := range entries {
		files := proof.Must(filepath.Glob(filepath.Join("..", e.Name(), "*.go")))(t)
		if e.IsDir() && len(files) > 0 && e.Name() != "all" {
			folders = append(folders, e.Name())
		}
	}
	return folders
}

// TestGamesAreNamedAsTheirFolders holds that each folder is listed once and its game has the
// folder's name.
func TestGamesAreNamedAsTheirFolders(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range all.Games() {
		typ := reflect.TypeOf(g)
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		name := g.Info().Name
		if folder := path.Base(typ.PkgPath()); folder != name || seen[name] {
			t.Errorf("the game of folder %s is named %q, or it is listed twice", folder, name)
		}
		seen[name] = true
		if n := strings.Count(g.Info().Rules, "."); n < 4 || n > 6 {
			t.Errorf("the rules of %s have %d sentences, want about five", name, n)
		}
		if _, ok := g.(engine.Recordable); !ok {
			t.Errorf("%s is not engine.Recordable", name)
		}
	}
	for _, folder := range gameFolders(t) {
		if !seen[folder] {
			t.Errorf("no game is named as the folder engine/games/%s", folder)
		}
	}
}

func ExampleGames() {
	for _, g := range all.Games()[:3] {
		fmt.Println(g.Info().Title)
	}
	// Output:
	// Ant Wars
	// AMOEBAS
	// The Darwin Game
}
