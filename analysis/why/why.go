// Package why explains the decisions of evolved players, and of built-in ones that report theirs:
// it replays a recorded game and returns, for any decision, the utility of each candidate action
// and the value of every node of the tree that computed it. It finds no players and draws nothing.
package why

import (
	"fmt"

	"clade/engine"
	"clade/gp"
)

// Seat is who plays one seat in a replay. With a genome it is an evolved player, whose choices are
// reported. Else it is the built-in Player, whose choices are reported if it can, or, if that is
// nil too, the recorded decisions.
type Seat struct {
	Genome gp.Genome
	Player engine.Player
}

// Tells tells whether the choices of the seat are reported in games of g.
func (s Seat) Tells(g engine.Game) bool {
	w, ok := g.(engine.Weigher)
	return ok && (s.Genome != nil || w.Weigh(s.Player, nil) != nil)
}

// Moment identifies a choice in a game.
type Moment struct {
	Step   int `json:"step"`   // Scene.Step of the position before it
	Seat   int `json:"seat"`   // from 0
	Number int `json:"number"` // among the choices of the seat at this step, from 0
}

// Replay plays a recorded game again and calls see with each reported choice, which is valid until
// see returns. rec may be nil. It returns an error where engine.Replay does, above all if the game
// takes another course: then the seats hold other players than those of the record.
func Replay(g engine.Game, record *engine.Record, seats []Seat, see func(Moment, *engine.Choice),
	rec engine.Recorder) error {
	g, err := record.Adjust(g)
	if err != nil {
		return err
	}
	if len(seats) != len(record.Players) {
		return fmt.Errorf("why: %d seats for a record of %d", len(seats), len(record.Players))
	}
	c := clock{next: rec}
	weigher, _ := g.(engine.Weigher)
	players := make([]engine.Player, len(seats))
	for seat, s := range seats {
		players[seat] = s.Player
		tell := func(choice *engine.Choice) {
			see(Moment{c.step, seat, c.numbers[seat]}, choice)
			c.numbers[seat]++
		}
		if s.Genome != nil && weigher == nil {
			return fmt.Errorf("why: evolved programs of %s weigh no candidates against each other",
				record.Game)
		} else if s.Genome != nil {
			if players[seat], err = g.Bind(s.Genome); err != nil {
				return err
			}
		}
		if weigher != nil {
			if told := weigher.Weigh(players[seat], tell); told != nil {
				players[seat] = told
			}
		}
	}
	if _, err = engine.ReplayAs(g, record, players, &c); err != nil {
		return fmt.Errorf("%w; or the players are not those of the record", err)
	}
	return nil
}

// clock counts steps, and the choices of each seat in one.
type clock struct {
	step    int
	numbers [engine.MaxSeats]int
	next    engine.Recorder // nil for none
}

func (c *clock) Decide(seat int, decision uint64) {
	if c.next != nil {
		c.next.Decide(seat, decision)
	}
}

func (c *clock) Step(s engine.Scene) {
	c.step, c.numbers = s.Step(), [engine.MaxSeats]int{}
	if c.next != nil {
		c.next.Step(s)
	}
}
