package darwin

import ("clade/gp";"clade/engine")
func vocabulary() gp.Spec { return gp.Spec{Slots: []gp.Slot{{Name:"forward"}}, Operators: gp.Shared()[:2]} }
type sense struct{}
func newSense(*gp.Grammar) *sense { return nil }
func (g *game) Bind(gp.Genome) (engine.Player, error) { return nil, nil }
type scene struct{ engine.Scene }
func newScene(*game, *world) *scene { return nil }
