package multiplexer

import (
	_ "embed"

	"clade/gp"
	"clade/gp/export"
)

//go:embed export/player.go
var playerText string

// Targets lists the languages of every game.
func (g *game) Targets() []export.Target { return export.Languages() }

// Export writes a tree as a program.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText, If: "if"}, ge, by,
		target)
}
