package life

import (
	"clade/engine"
	"clade/gp"
)

func vocabulary() gp.Spec {
	return gp.Spec{Slots: []gp.Slot{{Name: "x", Type: gp.Float}}, Operators: gp.Shared(), Rects: gp.PaperRects}
}

func (g *Game) Grammar() *gp.Grammar                  { return g.grammar }
func (g *Game) Bind(gp.Genome) (engine.Player, error) { return nil, nil }
