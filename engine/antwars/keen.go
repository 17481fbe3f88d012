package antwars

import (
	"fmt"

	"clade/engine"
	"clade/gp"
)

// settings are the parameters of the game. Unset ones are left out, so that studies and records
// from before there were any keep their hashes.
type settings struct {
	// KeenSenses lets evolved ants perceive more than the contest's winner did: where they have
	// never looked, where the opponent may be, how much food has not been found, and the best route
	// over food they know of, as hand-written ants plan it. Games with them are played one by one,
	// without kernels. Default false.
	KeenSenses bool `toml:"keen-senses,omitempty"`
}

// Settings returns a pointer to a copy of the settings.
func (g *game) Settings() any {
	s := g.settings
	return &s
}

// With returns the game with other parameters, a *settings.
func (g *game) With(other any) (engine.Game, error) {
	s, ok := other.(*settings)
	if !ok {
		return nil, fmt.Errorf("antwars: the settings must be a %T, not a %T", s, other)
	}
	with := makeGame(g.level, *s)
	with.fault = g.fault
	return with, nil
}

// keenSenses are the operators of keen ants after those of the paper.
var keenSenses = []gp.Operator{
	gp.AreaSensor("noUnseen", gp.Count, layerUnseen),
	gp.AreaSensor("noHunted", gp.Count, layerHunter),
	gp.ScalarSensor("foodUnfound", scalarUnfound),
	gp.ScalarSensor("foodRoute", scalarRoute),
}

// How a route is planned: its moves, and what a piece is worth for each move until it is eaten.
const (
	routeReach = 5
	routeDelay = 0.7
)

// perceive draws what keen ants perceive beside the rest.
func (s *sense) perceive(m *memory) {
	f, b := s.frame, &m.belief
	unseen := b.unseen()
	recentre(&f.Layers[layerUnseen], &unseen, m.at)
	recentre(&f.Layers[layerHunter], &b.hunter, m.at)
	f.SetScalar(scalarUnfound, float32(pieces-b.found))
	routes := lookahead{moves: min(routeReach, rounds-m.time)}
	each(m.food, func(c int) {
		worth := routes.add(c)
		value := m.certainty(c)
		for i := range worth {
			worth[i] = value
			value *= routeDelay
		}
	})
	for d, to := range places[m.at].next {
		slot := slotDiagonal
		if d&1 != 0 {
			slot = slotStraight
		}
		s.routes[slot][d/2] = routes.after(to)
	}
}
