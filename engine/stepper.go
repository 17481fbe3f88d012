package engine

import (
	"image"
	"math"

	"clade/gp"
)

// Stepper is one game under way whose seats choose among candidate actions. Lockstep makes an
// engine.Game of it: it asks players, hashes and records decisions, and plays many games at once. A
// Stepper is used for one game after another, by one goroutine at a time.
type Stepper interface {
	// Begin deals a game for a number of seats. What was before is forgotten.
	Begin(seats int, seed uint64)
	// Live returns the set of the seats that choose in the present step, bit i for seat i: one
	// where seats take turns, several where they move at once, 0 when the game is over.
	Live() uint32
	// Sense draws all that a live seat may see: every layer and every scalar of the frame, but for
	// those that gp.Frame.Reads does not name. It returns the set of the candidates that are
	// possible, which is not empty. It only writes to the frame: in a batch, what was drawn is
	// worked out later.
	Sense(seat int, f *gp.Frame) (possible uint64)
	// Step carries out the candidates that the live seats have chosen, by seat.
	Step(chosen *[MaxSeats]int)
	// Result returns scores, marks, winner and steps; Lockstep adds the fingerprint.
	Result() Result
	// Scene returns the position for a recorder.
	Scene() Scene
}

// Offer is an action that a Stepper offers to its seats: the candidate whose utility is the value
// of a slot's tree in the frame under quarter turns.
type Offer struct {
	Name string // as a person writes it: lower case, short
	Slot int
	Turn int // 0..3
}

// Compass returns offers for the four directions of a slot, clockwise from north: "n", "e", "s" and
// "w". Under turn k direction k lies ahead, where north is at turn 0: so bit k of gp.Frame.Flags
// and entry k of gp.Frame.Scalar are for offer k.
func Compass(slot int) []Offer {
	return []Offer{{"n", slot, 0}, {"e", slot, 1}, {"s", slot, 2}, {"w", slot, 3}}
}

// Chooser is a player of a Lockstep that is written by hand.
type Chooser interface {
	// Choose returns the number of a possible candidate of a live seat. For any other number the
	// first possible one counts. It is safe for concurrent use, and must look only at what the seat
	// may see.
	Choose(game Stepper, seat int) int
}

// Reasoner is a Chooser that can tell why.
type Reasoner interface {
	Chooser
	// Reasons returns what each candidate is worth to a live seat, by number, or nil where none is
	// compared with another, and a note in words.
	Reasons(game Stepper, seat int) (worth []float32, note string)
}

// Teller is a Stepper that a person can play.
type Teller interface {
	// Tell returns what a seat sees, as lines of text: a board, if there is one, and behind an
	// empty line the words. Letters of the board have the colours of a Scene that is Tinted.
	Tell(seat int) string
}

// Knower is a Stepper whose seats do not know all of its Scene.
type Knower interface {
	// Known returns what a seat knows of the board, and the cell of who is asked.
	Known(seat int) (Planned, image.Point)
}

// Greatest returns the number of the possible offer with the greatest utility, the first of equals.
// values holds the slots' values under the four turns. A NaN loses to any number, as in Choice.
func Greatest(offers []Offer, possible uint64, values []gp.Quad) int {
	best, chosen := float32(math.Inf(-1)), -1
	for i := range offers {
		if possible>>i&1 == 0 {
			continue
		}
		if u := values[offers[i].Slot][offers[i].Turn&3]; chosen < 0 || u > best {
			if u == u {
				best = u
			}
			chosen = i
		}
	}
	return chosen
}
