package player

import (
	"errors"
	"io/fs"
	"strings"

	"clade/evolve/rundir"
	"clade/gp/suggest"
	"clade/results"
)

// KeptPrefix begins the name of a species that the program brings with it.
const KeptPrefix = "kept:"

const speciesEnding = ".species"

// Kept lists the species of a game that the program brings with it: kept:GAME/NAME, in order of
// their names.
func Kept(game string) (names []string) {
	files, _ := fs.Glob(results.Kept, game+"/*"+speciesEnding) // the pattern is a good one
	for _, file := range files {
		names = append(names, KeptPrefix+strings.TrimSuffix(file, speciesEnding))
	}
	return names
}

// ReadText reads the text of a species: of a file, or of one that the program brings with it.
func ReadText(path string) ([]byte, error) {
	name, kept := strings.CutPrefix(path, KeptPrefix)
	if !kept {
		return rundir.ReadFile(path)
	}
	text, err := results.Kept.ReadFile(name + speciesEnding)
	if err != nil {
		game, _, _ := strings.Cut(name, "/")
		known := Kept(game)
		if len(known) == 0 {
			known = Kept("*")
		}
		return nil, errors.New(suggest.Unknown("kept species", path, known))
	}
	return text, nil
}
