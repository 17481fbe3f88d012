package antwars

import (
	"embed"
	"errors"
	"fmt"

	"clade/gp"
	"clade/gp/export"
)

// programs holds the runtime of exported programs and what is added to it.
//
//go:embed export/*
var programs embed.FS

// contest is the output format of the contest's entries.
const contest = "contest"

// Targets lists the languages and the contest's function.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: contest,
		About: "the function of the Ant Wars contest, in C", Extension: ".c", Limit: cLimit})
}

// Export writes a species as a program, or as the contest's function.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	parts := []string{"paper.go"}
	switch {
	case g.settings.Rings || g.settings.Sight != "" || g.settings.Search > 0:
		return "", errors.New("antwars: programs see what the contest's ants saw and do not search; " +
			"export a species bred without rings, sight and search")
	case g.settings.beyond() != 0:
		return "", fmt.Errorf("antwars: programs count the contest's %d moves; export the species "+
			"with moves = 0", rounds)
	case g.settings.Foresight:
		parts = []string{"keen.go", "foresight.go"}
	case g.settings.KeenSenses:
		parts = []string{"keen.go", "aware.go"}
	}
	if target == contest {
		return g.contestC(ge)
	}
	var senses []export.Sense
	for _, r := range g.sensors {
		if r.form == gp.Scalar {
			senses = append(senses, r.exported())
		}
	}
	return export.Write(export.World{Grammar: g.grammar,
		Runtime:  export.Text(programs, "player.go", parts...),
		Protocol: export.Text(programs, "protocol.go"), Senses: senses,
		Name: g.Info().Name, Version: g.Info().Version}, ge, by, target)
}
