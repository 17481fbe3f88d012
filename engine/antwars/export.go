package antwars

import (
	_ "embed"
	"errors"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

// The programs' memory, and how ants of the paper and keen ones decide.
//
//go:embed export/player.go
var playerText string

//go:embed export/paper.go
var paperText string

//go:embed export/keen.go
var keenText string

// contest is the form in which ants entered the contest.
const contest = "contest"

// Targets lists the languages and the contest's function.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: contest,
		About: "the function of the Ant Wars contest, in C", Extension: ".c", Limit: cLimit})
}

// Export writes a species as a program, or as the contest's function.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	decides := paperText
	if g.settings.KeenSenses {
		decides = keenText
	}
	if target == contest {
		if g.settings.KeenSenses {
			return "", errors.New("antwars: the contest's function has the paper's senses only; " +
				"export to another language")
		}
		return g.contestC(ge)
	}
	_, decides, _ = strings.Cut(decides, "package player\n")
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText + decides}, ge, by,
		target)
}
