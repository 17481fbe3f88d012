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
const numBreeds = int(firstSeat) + MaxSeats

// seatBreed returns the breed of a seat.
func seatBreed(seat int) breed { return firstSeat + breed(seat) }

// seat returns the seat of a breed, negative for the neutral ones.
func (b breed) seat() int { return int(b - firstSeat) }

// Class is the number under which observations name what stands on a square or whose shrine it is.
// Those of the species are drawn anew for every game.
type Class uint16

// The fixed classes.
const (
	NoClass       Class = 0
	EmptyClass    Class = 1
	WallClass     Class = 2
	HazardClass   Class = 3
	TreasureClass Class = 10
	AppleClass    Class = 11
	FlytrapClass  Class = 12
	firstClass    Class = 28 // species have numbers in firstClass..lastClass
	lastClass     Class = 10028
)

// Kind is what stands on a square.
type Kind uint8

// The kinds. Mud, fog and shrines are floor: a square with nothing else is Empty.
const (
	Empty Kind = iota
	Wall
	Hazard
	Animal // any creature, apples, flytraps and treasures included
)

// Square is one square as a creature sees it.
type Square struct {
	Point     Point
	Kind      Kind
	Class     Class
	ID        int32     // of a creature, else 0
	Facing    Direction // of a creature
	Enchanted bool      // of a creature, and only under rules that show it
	Mud, Fog  bool
	Shrine    Class // whose shrine it is, NoClass if none
}

// Body is what a creature's mind may know of itself for free, and where it gets the answer to its
// last action. It is valid while the creature lives, and may be read only during its turn.
type Body struct {
	w         *world
	mind      Mind
	clock     int64 // time the creature has spent, its ancestors' included
	effort    int64 // of the decision being made
	id        int32
	cell      int32
	slot      int32
	facing    Direction
	breed     breed
	enchanted bool
	alive     bool
	done      bool // whether the last action succeeded
	last      Verb // the last action; End before the first one and after the program has ended
	random    engine.Random
}

// ID returns the creature's number in this game, from 1.
func (b *Body) ID() int { return int(b.id) }

// Class returns the class of the creature's species.
func (b *Body) Class() Class { return b.w.classes[b.breed] }

// Position returns where the creature stands.
func (b *Body) Position() Point { return b.w.ground.point(int(b.cell)) }

// Facing returns which way the creature faces.
func (b *Body) Facing() Direction { return b.facing }

// Enchanted tells whether the creature is enchanted.
func (b *Body) Enchanted() bool { return b.enchanted }

// Done tells whether the last action succeeded: a move that moved, an attack that converted or
// passed the enchantment. All other actions succeed.
func (b *Body) Done() bool { return b.done }

// Spent returns the time that the creature has spent, what it inherited included, in virtual
// nanoseconds.
func (b *Body) Spent() int64 { return b.clock }

// Now returns the game clock: the time that all creatures together have spent, in virtual
// nanoseconds.
func (b *Body) Now() int64 { return b.w.clock }

// MapSize returns the width and the height of the map in squares.
func (b *Body) MapSize() (width, height int) { return b.w.ground.width, b.w.ground.height }

// Here returns the square that the creature stands on.
func (b *Body) Here() Square { return b.w.square(int(b.cell)) }

// Text returns the text that was last left on the square that the creature stands on, "" if none.
func (b *Body) Text() string {
	if b.w.scents == nil {
		return ""
	}
	return scentText(b.w.scents[b.cell])
}

// Random returns the creature's own stream of random numbers. It follows from the seed of the game
// and the creature's number.
func (b *Body) Random() *engine.Random { return &b.random }

// Think charges the present decision for n units of effort. A study sets what a unit costs; by
// default it costs nothing, and every decision the least.
func (b *Body) Think(n int) { b.effort += int64(n) }

// Observation returns what the creature sees, if its last action was Observe: the squares along its
// facing as they are now, at the beginning of its turn.
func (b *Body) Observation() (Observation, bool) {
	if b.last != Observe {
		return Observation{}, false
	}
	return b.w.observe(b), true
}

// Observation is a line of sight from a creature to the first square that is not empty, or is in
// fog under rules where fog blocks. It is a view of the world at the beginning of the turn: it is
// valid until the creature acts.
type Observation struct {
	// the last square of the line: the first with something on it, or in fog, where it can be Empty
	Seen     Square
	Distance int   // from the creature's square to it: 1 or more
	Time     int64 // game clock
	w        *world
	cell     int
	step     int
}

// Free returns the number of squares ahead that nothing stands on.
func (o *Observation) Free() int {
	if o.Seen.Kind == Empty {
		return o.Distance
	}
	return o.Distance - 1
}

// At returns the square at a distance: 0 is the creature's own, Distance the one that ends the
// line.
func (o *Observation) At(distance int) Square {
	if distance < 0 || distance > o.Distance {
		panic("darwin: Observation.At beyond the line of sight")
	}
	return o.w.square(o.cell + distance*o.step)
}
