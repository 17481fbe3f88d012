package player

import (
	"clade/analysis/why"
	"clade/engine"
)

// Seats returns the players of a recorded game whose decisions can be computed again: evolved
// players and built-in ones. For all others, such as people, programs and files that are gone, the
// record decides. It returns an error for a species file that cannot be read.
func (s Scope) Seats(g engine.Game, record *engine.Record) ([]why.Seat, error) {
	g, err := record.Adjust(g)
	if err != nil {
		return nil, err
	}
	seats := make([]why.Seat, len(record.Players))
	for i, name := range record.Players {
		if seats[i].Genome, err = s.genome(g, name); err != nil {
			return nil, err
		}
		if _, builtIn := Named(g, name); builtIn && seats[i].Genome == nil {
			if seats[i].Player, err = s.Find(g, name); err != nil {
				return nil, err
			}
		}
	}
	return seats, nil
}
