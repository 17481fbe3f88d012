package darwin

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

//go:embed export/creature.java.txt
var creatureText string

// javaCreature is the form in which species enter the original.
const javaCreature = "creature"

// Targets lists the languages and the original's.
func (g *game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: javaCreature, Extension: ".java",
		About: "a Creature of Darwin 2.2, in Java"})
}

// Export writes a species as a program for one creature, or as a class of the original's creatures.
// The time limit of the game stands in it.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if g.settings.SharedMap {
		return "", errors.New(
			"darwin: a species whose creatures share their map cannot be written " +
				"as a program, which knows one creature")
	}
	w := export.World{Grammar: g.grammar, Runtime: playerText,
		Numbers: fmt.Sprintf("\n// The time limit of a game, in virtual nanoseconds.\n"+
			"const timeLimit int64 = %d\n", g.limit())}
	if target != javaCreature {
		w.Numbers += widest(largestMap)
		return export.Write(w, ge, by, target)
	}
	// What a program reads and answers is not a concern of a class.
	_, w.Runtime, _ = strings.Cut(playerText, "\npackage player\n")
	w.Runtime = "package player\n" + w.Runtime
	w.Numbers += widest(largestOfOriginal)
	return export.WriteObject(w, ge, by, creatureText)
}

// Sides of the largest maps that an exported creature remembers: any of clade's, and twice the
// largest of the original's, since there are as many memories as creatures.
const (
	largestMap        = 512
	largestOfOriginal = 128
)

// widest declares the side of a creature's memory.
func widest(side int) string {
	return fmt.Sprintf("\n// The widest map that a creature remembers, with a margin around it.\n"+
		"const widest = %d\n", side+2*reach)
}
