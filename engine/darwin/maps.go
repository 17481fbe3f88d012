package darwin

import (
	"embed"
	"fmt"
	"strings"

	"clade/gp/suggest"
)

// files are maps of our own making, one for every name of the handbook's index.
//
//go:embed maps/*.map
var files embed.FS

// MapNames lists the maps of the house in alphabetic order, the mazes first.
func MapNames() []string {
	entries := must(files.ReadDir("maps"))
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".map")
	}
	return names
}

// LoadMap returns a map of the house.
func LoadMap(name string) (*Map, error) {
	text, err := files.ReadFile("maps/" + name + ".map")
	if err != nil {
		known := append(MapNames(), "maze", "arena")
		return nil, fmt.Errorf("darwin: map: %s (a map file's name must end in .map)",
			suggest.Unknown("map", name, known))
	}
	return ParseMap(name, text)
}
