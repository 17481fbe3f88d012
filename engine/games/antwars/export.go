package antwars

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

// The runtime of exported programs, and its parts for the paper's ants, keen ones and those with
// foresight.
//
//go:embed export/player.go
var playerText string

//go:embed export/paper.go
var paperText string

//go:embed export/keen.go
var keenText string

//go:embed export/aware.go
var awareText string

//go:embed export/foresight.go
var foresightText string

//go:embed export/protocol.go
var protocolText string

// contest is the output format of the contest's entries.
const contest = "contest"

// Targets lists the languages and the contest's function.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: contest,
		About: "the function of the Ant Wars contest, in C", Extension: ".c", Limit: cLimit})
}

// Export writes a species as a program, or as the contest's function.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	parts := []string{paperText}
	switch {
	case g.settings.Rings || g.settings.Sight != "" || g.settings.Search > 0:
		return "", errors.New("antwars: programs see what the contest's ants saw and do not search; " +
			"export a species bred without rings, sight and search")
	case g.settings.beyond() != 0:
		return "", fmt.Errorf("antwars: programs count the contest's %d moves; export the species "+
			"with moves = 0", rounds)
	case g.settings.Foresight:
		parts = []string{keenText, foresightText}
	case g.settings.KeenSenses:
		parts = []string{keenText, awareText}
	}
	if target == contest {
		return g.contestC(ge)
	}
	runtime := playerText
	for _, part := range parts {
		_, part, _ = strings.Cut(part, "package player\n")
		runtime += part
	}
	var senses []export.Sense
	for _, r := range g.sensors {
		if r.form == gp.Scalar {
			senses = append(senses, r.exported())
		}
	}
	return export.Write(export.World{Grammar: g.grammar, Runtime: runtime, Protocol: protocolText,
		Senses: senses,
		Name:   g.Info().Name, Version: g.Info().Version}, ge, by, target)
}
