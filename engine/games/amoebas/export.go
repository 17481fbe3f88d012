package amoebas

import (
	_ "embed"
	"fmt"
	"strings"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

//go:embed export/protocol.go
var protocolText string

// memoryText is added to the program of a species with memory.
//
//go:embed export/memory.go
var memoryText string

// clojure is the language of the original.
const clojure = "clojure"

// Targets lists the languages of every game, and Clojure.
func (g *Game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: clojure, Extension: ".clj",
		About: "an amoeba function of the AMOEBAS course, in Clojure"})
}

// Export writes a species as a program. The energies that actions need are constants in it, for
// callers that do not use the protocol of players, which tells them.
func (g *Game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if target == clojure {
		return g.inClojure(ge, by)
	}
	runtime := playerText
	if g.settings.Memory {
		_, body, _ := strings.Cut(memoryText, "package player\n")
		runtime = strings.Replace(runtime, "\tanswer(direction)\n",
			"\tanswer(direction)\n\tremember()\n", 1) + body
	}
	scalars, cells, weights := g.words.exported()
	runtime += export.Cells("drawCell(i int)", cells) + export.Weights("weighCell(i int)", weights)
	c := &g.settings.Constants
	return export.Write(export.World{Grammar: g.grammar, Runtime: runtime, Protocol: protocolText,
		Senses: scalars,
		Name:   g.Info().Name, Version: g.Info().Version,
		Numbers: fmt.Sprintf("\n// What actions need.\nvar moveEnergy = %d\n"+
			"var attackEnergy = %d\nvar minDivideEnergy = %d\n\n// Whether the species has a "+
			"memory.\nconst remembers = %t\n", c.MoveEnergy, c.AttackEnergy, c.MinDivideEnergy,
			g.settings.Memory)}, ge, by, target)
}
