package amoebas

import (
	_ "embed"
	"errors"
	"fmt"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

// clojure is the language of the original.
const clojure = "clojure"

// Targets lists the languages and the original's.
func (g *Game) Targets() []export.Target {
	return append(export.Languages(), export.Target{Name: clojure, Extension: ".clj",
		About: "an amoeba function of the AMOEBAS course, in Clojure"})
}

// Export writes a species as a program. The constants of the game stand in it.
func (g *Game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	if g.settings.Memory {
		return "", errors.New("amoebas: a species with memory cannot be written as a program: " +
			"programs have no data of other amoebas")
	}
	if target == clojure {
		return g.inClojure(ge, by)
	}
	c := &g.settings.Constants
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText,
		Numbers: fmt.Sprintf("\n// What actions need.\nconst moveEnergy = %d\n"+
			"const attackEnergy = %d\nconst minDivideEnergy = %d\n", c.MoveEnergy,
			c.AttackEnergy, c.MinDivideEnergy)}, ge, by, target)
}
