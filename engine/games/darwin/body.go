package darwin

import "clade/engine"

// breed is a kind of creature within one game: the three neutral ones, then the species of the
// seats.
type breed int8

const (
	none breed = iota - 1
	apple
	flytrap
	treasure
	firstSeat
)

// numBreeds is the number of breeds that can be in a game.
const numBreeds = int(firstSeat) + maxSeats

// seatBreed returns the breed of a seat.
func seatBreed(seat int) breed { return firstSeat + breed(seat) }

// seat returns the seat of a breed, negative for the neutral ones.
func (b breed) seat() int { return int(b - firstSeat) }

// class is the number by which an observation names what stands on a square, or whose shrine it is.
// Every game draws new ones for the species.
type class uint16

// The fixed classes.
const (
	noClass       class = 0
	emptyClass    class = 1
	wallClass     class = 2
	hazardClass   class = 3
	treasureClass class = 10
	appleClass    class = 11
	flytrapClass  class = 12
	firstClass    class = 28 // species have numbers in firstClass..lastClass
	lastClass     class = 10028
)

// kind is what stands on a square.
type kind uint8

// The kinds. Mud, fog and shrines are floor: a square with nothing else is empty.
const (
	kindEmpty kind = iota
	kindWall
	kindHazard
	kindAnimal // any creature, also apples, flytraps and treasures
)

// square is one square as a creature sees it.
type square struct {
	point     point
	kind      kind
	class     class
	id        int32     // of a creature, else 0
	facing    direction // of a creature
	enchanted bool      // of a creature, and only under rules that show it
	mud, fog  bool
	shrine    class // whose shrine it is, noClass if none
}

// body is a creature in its world. Its mind may read it only during its turn.
type body struct {
	w         *world
	mind      mind
	clock     int64 // time spent, with what it inherited, in virtual nanoseconds
	effort    int64 // of the decision being made
	id        int32 // from 1
	cell      int32
	at        point // of the cell
	slot      int32
	facing    direction
	breed     breed
	enchanted bool
	alive     bool
	done      bool          // whether the last action succeeded; only moves and attacks can fail
	last      verb          // the last action; end before the first one
	trace     *reasons      // gets the reasons of a built-in creature, if not nil
	random    engine.Random // the creature's own stream, from the game's seed and its id
}

// class returns the class of the creature's species.
func (b *body) class() class { return b.w.classes[b.breed] }

// position returns where the creature stands.
func (b *body) position() point { return b.at }

// text returns the text that was last left on the square that the creature stands on, "" if none.
func (b *body) text() string {
	if b.w.scents == nil {
		return ""
	}
	return scentText(b.w.scents[b.cell])
}

// observation is a line of sight from a creature to the first square that is not empty. Under rules
// where fog blocks, it also ends at the first square in fog. It is valid until the creature acts.
type observation struct {
	seen     square // the last square of the line
	distance int    // from the creature's square to it: 1 or more
	w        *world
	cell     int
	step     int
}

// free returns the number of squares ahead that nothing stands on.
func (o *observation) free() int {
	if o.seen.kind == kindEmpty {
		return o.distance
	}
	return o.distance - 1
}

// at returns the square at a distance in 0..o.distance: 0 is the creature's own.
func (o *observation) at(distance int) square { return o.w.square(o.cell + distance*o.step) }
