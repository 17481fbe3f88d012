package darwin

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

// programs holds the runtime of exported programs and what is added to it.
//
//go:embed export/*
var programs embed.FS

// javaCreature is the output format of species for the original program.
const javaCreature = "creature"

// Targets lists the languages of every game, and the original's.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: javaCreature, Extension: ".java",
		About: "a Creature of Darwin 2.2, in Java"})
}

// Export writes a species as a program, or as a class of the original's creatures. The game's time
// limit is a constant in it, for callers that do not use the protocol of players, which tells it.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if g.settings.SharedMap && target == javaCreature {
		return "", errors.New("darwin: creatures of the original share nothing, so that a species " +
			"with shared-map has no such class; export to a language, to play by persist")
	}
	values, layers := exported(g.senses)
	var parts []string
	if g.settings.KeenSenses || g.settings.ShrineWays {
		parts = []string{"keen.go"}
	}
	w := export.World{Grammar: g.grammar, Senses: values,
		Protocol: export.Text(programs, "protocol.go"),
		Runtime: export.Text(programs, "player.go", parts...) +
			export.Cells("drawCell(i, here int)", layers),
		Name: g.Info().Name, Version: g.Info().Version,
		Numbers: fmt.Sprintf("\n// The time limit of a game, in virtual nanoseconds.\n"+
			"var timeLimit int64 = %d\n\n// What a decision takes: the nodes of the species as it was "+
			"bred.\nconst effort = %d\n\n// Whether all creatures of the species have one map.\n"+
			"const sharesMap = %t\n", g.limit(), cmp.Or(by.Nodes, ge.Size()),
			g.settings.SharedMap)}
	if target != javaCreature {
		return export.Write(w, ge, by, target)
	}
	// The first comment says what a program reads and answers, which a class does not.
	_, w.Runtime, _ = strings.Cut(w.Runtime, "\npackage player\n")
	w.Runtime = "package player\n" + w.Runtime
	return export.WriteObject(w, ge, by, export.Text(programs, "creature.java"))
}
