package darwin

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"clade/engine/system/durable"
	"clade/gp/suggest"
)

// mapSuffix ends the name of a map file.
const mapSuffix = ".map"

// files holds the built-in maps, one for every name of the handbook's index. Their names, numbers
// of species and kinds of ground are the original's; their plans are this package's own.
//
//go:embed maps/*.map
var files embed.FS

// mapNames lists the built-in maps in alphabetical order, the mazes first.
func mapNames() []string {
	return namesOf(must(files.ReadDir("maps")))
}

// namesOf returns the names of the maps among files.
func namesOf(entries []fs.DirEntry) (names []string) {
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), mapSuffix); ok {
			names = append(names, name)
		}
	}
	return names
}

// loadMap returns a built-in map.
func loadMap(name string) (*rawMap, error) {
	text, err := files.ReadFile("maps/" + name + mapSuffix)
	if err != nil {
		known := append(mapNames(), "maze", "arena")
		return nil, fmt.Errorf("darwin: map: %s (a map file's name must end in .map)",
			suggest.Unknown("map", name, known))
	}
	return parseMap(name, text)
}

// readMap reads the map's file.
func (s *settings) readMap() (*rawMap, error) {
	text, err := durable.ReadFile(s.File(), durable.MaxText)
	switch {
	case err == nil:
		return parseMap(s.File(), text)
	case s.Maps == "":
		return nil, suggest.Faultf("map", "darwin: map: %w", err)
	}
	entries, folder := os.ReadDir(s.Maps)
	switch names := namesOf(entries); {
	case folder != nil:
		return nil, suggest.Faultf("maps", "darwin: maps: %w", folder)
	case len(names) == 0:
		return nil, suggest.Faultf("maps", "darwin: maps: %s has no file that ends in %s", s.Maps,
			mapSuffix)
	case errors.Is(err, fs.ErrNotExist):
		return nil, suggest.Faultf("map", "darwin: map: %s in %s", suggest.Unknown("map",
			strings.TrimSuffix(s.Map, mapSuffix), names), s.Maps)
	}
	return nil, suggest.Faultf("map", "darwin: map: %w", err)
}
