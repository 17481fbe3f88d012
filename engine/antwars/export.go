package antwars

import (
	_ "embed"
	"errors"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

// contest is the form in which ants entered the contest.
const contest = "contest"

// Targets lists the languages and the contest's function.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: contest,
		About: "the function of the Ant Wars contest, in C", Extension: ".c", Limit: cLimit})
}

// Export writes a species as a program, or as the contest's function.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if g.settings.KeenSenses {
		return "", errors.New("antwars: keen senses cannot be exported yet, only the paper's")
	}
	if target == contest {
		return g.contestC(ge)
	}
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText}, ge, by, target)
}
