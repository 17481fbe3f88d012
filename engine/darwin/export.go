package darwin

import (
	_ "embed"
	"errors"
	"fmt"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

// Targets lists the languages.
func (g *game) Targets() []export.Target { return export.Languages() }

// Export writes a species as a program for one creature. The time limit of the game stands in it.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if g.settings.SharedMap {
		return "", errors.New(
			"darwin: a species whose creatures share their map cannot be written " +
				"as a program, which knows one creature")
	}
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText,
		Numbers: fmt.Sprintf("\n// The time limit of a game, in virtual nanoseconds.\n"+
			"const timeLimit int64 = %d\n", g.limit())}, ge, by, target)
}
