package antwars

import (
	"fmt"

	"clade/engine"
)

// facts is what both ants know before a game.
type facts struct {
	Width int `json:"width"` // cells a side of the torus
	Sight int `json:"sight"` // cells that an ant sees to each side of its own
	Food  int `json:"food"`  // pieces on the whole board at the start
	Moves int `json:"moves"` // of each ant
}

// observation is what an ant sees, and what the game remembers for it.
type observation struct {
	Move   int `json:"move"`   // the ant's own, from 0
	Eaten  int `json:"eaten"`  // pieces of food that the ant has eaten
	Row    int `json:"row"`    // of the ant, from 0 at the top
	Column int `json:"column"` // of the ant, from 0 at the left
	// Board is the torus with the ant in its middle, a string of letters for each row from the top:
	// "@" the ant, "X" the other ant in sight, "O" food in sight, "." nothing in sight, "o" food
	// when last seen, ":" where the ant has been, " " anything else.
	Board []string `json:"board"`
}

// Facts implements engine.Interactive.
func (g *game) Facts() any { return facts{width, radius, pieces, rounds + g.settings.beyond()} }

// Seat implements engine.Interactive.
func (g *game) Seat(a engine.Agent) engine.Player { return external{a} }

// external is an ant for which an agent decides.
type external struct{ agent engine.Agent }

// Move asks the agent. An ant without an answer goes north-west.
func (e external) Move(m *memory) int {
	d := decision{memory: m}
	e.agent.Act(&d)
	return d.direction
}

// decision is one move to be made.
type decision struct {
	memory    *memory
	direction int
}

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	m := d.memory
	return observation{m.time, m.points, int(m.at) / width, int(m.at) % width, m.rows()}
}

// Actions implements engine.Decision: the eight directions.
func (d *decision) Actions() ([]engine.Action, bool) { return moves[:], true }

var moves = makeMoves()

func makeMoves() (a [len(compass)]engine.Action) {
	for i := range a {
		a[i] = engine.Action{Name: compass[i], Key: keypad[i]}
	}
	return a
}

// Take implements engine.Decision.
func (d *decision) Take(answer []byte) error {
	i, err := engine.ReadAction(answer, moves[:])
	if err == nil {
		d.direction = i
	}
	return err
}

// Text implements engine.Speaker: the board in a frame, the ant in its middle, and what the letters
// mean.
func (d *decision) Text() string {
	m := d.memory
	return fmt.Sprintf(
		"%s\nmove %d of %d, %d eaten\nyou are @; O food, X the other ant, . nothing; "+
			"o food when last seen, : where you were\n", m.picture(), m.time+1, m.time+m.left(), m.points)
}

// Tint implements engine.Tinted.
func (d *decision) Tint(letter rune) uint8 { return tints[letter] }

var tints = map[rune]uint8{'@': engine.Seats + 1, 'X': engine.Seats, 'O': engine.Goods,
	'o': engine.Veil, ':': engine.Veil}
