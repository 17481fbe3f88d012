package darwin

import (
	"embed"
	"fmt"
	"strings"

	"clade/gp/suggest"
)

// files holds the built-in maps, one for every name of the handbook's index.
//
//go:embed maps/*.map
var files embed.FS

// mapNames lists the built-in maps in alphabetical order, the mazes first.
func mapNames() []string {
	entries := must(files.ReadDir("maps"))
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".map")
	}
	return names
}

// loadMap returns a built-in map.
func loadMap(name string) (*rawMap, error) {
	text, err := files.ReadFile("maps/" + name + ".map")
	if err != nil {
		known := append(mapNames(), "maze", "arena")
		return nil, fmt.Errorf("darwin: map: %s (a map file's name must end in .map)",
			suggest.Unknown("map", name, known))
	}
	return parseMap(name, text)
}
