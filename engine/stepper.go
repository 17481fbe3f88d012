package engine

import (
	"image"
	"math"

	"clade/gp"
)

// Stepper is a game in progress whose seats choose among candidate actions. Lockstep makes an
// engine.Game of it: Lockstep asks players, hashes and records decisions, and plays many games at
// once. A Stepper is reused for one game after another, by one goroutine at a time.
type Stepper interface {
	// Begin starts a new game for a number of seats.
	Begin(seats int, seed uint64)
	// Live returns the set of the seats that choose in the present step, bit i for seat i: one seat
	// where they take turns, several where they move at once, none when the game is over.
	Live() uint32
	// Sense fills in everything that a live seat may see: every layer and scalar of the frame that
	// gp.Frame.Reads returns. It returns the set of the possible candidates, which is not empty. It
	// must not read layers back: in a batch they are drawn later.
	Sense(seat int, f *gp.Frame) (possible uint64)
	// Step carries out the candidates chosen by the live seats, by seat.
	Step(chosen *[MaxSeats]int)
	// Result returns scores, marks, winner and steps; Lockstep adds the fingerprint.
	Result() Result
	// Scene returns the position for a recorder.
	Scene() Scene
}

// Offer is an action that a Stepper offers to its seats: the candidate whose utility is the value
// of a slot's tree in the frame under quarter turns.
type Offer struct {
	Name string // in answers of people and programs: lower case, short
	Slot int
	Turn int // 0..3
}

// Compass returns offers for the four directions of a slot, clockwise from north: "n", "e", "s" and
// "w". Turn k brings direction k to where north is at turn 0, so bit k of gp.Frame.Flags and entry
// k of gp.Frame.Scalar belong to offer k.
func Compass(slot int) []Offer {
	return []Offer{{"n", slot, 0}, {"e", slot, 1}, {"s", slot, 2}, {"w", slot, 3}}
}

// Chooser is a player of a Lockstep that is written in Go.
type Chooser interface {
	// Choose returns the number of a possible candidate of a live seat. For any other number the
	// first possible one is taken. It must be safe for concurrent use, and must use only what the
	// seat may see.
	Choose(game Stepper, seat int) int
}

// Reasoner is a Chooser that can explain its decisions.
type Reasoner interface {
	Chooser
	// Reasons returns the utility of each candidate to a live seat, by number, or nil where
	// candidates are not compared, and a note in words.
	Reasons(game Stepper, seat int) (worth []float32, note string)
}

// Teller is a Stepper that can show a seat's view as text, so that a person can play it at a
// terminal.
type Teller interface {
	// Tell returns what a seat sees, as lines of text: the board, if there is one, then an empty
	// line and words. Letters of the board have the colours of the Scene, if that is Tinted.
	Tell(seat int) string
}

// Knower is a Stepper whose Scene shows more than a seat may know.
type Knower interface {
	// Known returns what a seat knows of the board, and the cell of the piece that decides.
	Known(seat int) (Planned, image.Point)
}

// Greatest returns the number of the possible offer with the greatest utility, the first among
// equals. values holds the values of the slots under the four turns. A NaN loses to every number.
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
