package amoebas

import (
	"encoding/binary"

	"clade/engine"
)

// free is the species of an empty cell.
const free = 0xff

// occupant is the amoeba in a cell.
type occupant struct {
	energy, health int16
	function       uint16 // number in world.functions
	species        uint8  // free where there is none
}

// The planes of numbers of amoebas.
const (
	planeEnergy = iota
	planeHealth
	numPlanes
)

// life is the birth and the descent of an amoeba. No rule and no function reads it.
type life struct {
	born       uint32 // round
	generation uint32 // 0 for a species' first amoeba, for a child its parent's plus 1
}

// world is a position of the game: the cells, their fuel, and the amoebas. It is scratch memory of
// one game at a time, and only its rules change it.
type world struct {
	constants constants
	g         *geometry
	sight     cellSet
	sightRows [side]uint64 // of sight: a byte 0xff for each cell
	seats     int
	round     int // rounds played

	fuel []uint8 // by cell, copies in the margins kept equal
	// energy and health of amoebas, by cell, margins likewise; in free cells the energy is 0 and
	// the health anything. nil until an evolved function asks for a plane whose numbers are all
	// bytes
	planes   [numPlanes][]uint8
	occupied []uint8                  // bit plane by cell, margins likewise: who is there
	species  [engine.MaxSeats][]uint8 // bit planes by seat
	who      []occupant               // by cell of the world itself
	data     []datum                  // likewise
	// some amoeba has had data other than 0 in this game; until then data are neither read nor
	// written, which saves cache misses
	remembers bool
	lives     []life // likewise; nil without a recorder
	// bit set by place in the classic order: which cells are occupied
	present  []uint64
	room     [numPlanes][]uint8   // memory for planes
	queue    []uint16             // cells that act in this round, in order
	sizes    [engine.MaxSeats]int // amoebas of each seat
	energies [engine.MaxSeats]int // their energy
	births   [engine.MaxSeats]int // since the start, the first amoeba counted
	deaths   [engine.MaxSeats]int // since the start
	kills    [engine.MaxSeats]int // amoebas of any species killed by each seat

	functions []function // the seats' own first
	vacant    []uint16   // numbers of functions that no amoeba has any more

	variants map[mutating]decider // functions of children, kept from game to game
}

// mostVariants is how many variants a world keeps at most.
const mostVariants = 1 << 12

// variant returns the function of a child that differs from its parent's. Equal children share one,
// so that it is allocated once.
func (w *world) variant(f mutating) decider {
	v, ok := w.variants[f]
	if !ok {
		if w.variants == nil || len(w.variants) == mostVariants {
			w.variants = map[mutating]decider{}
		}
		v = f
		w.variants[f] = v
	}
	return v
}

// function is a function in use.
type function struct {
	decider
	users int // amoebas that have it
}

// newWorld returns a world of the size of the constants; reset makes it ready.
func newWorld(g *geometry) *world {
	w := &world{
		g: g, fuel: make([]uint8, g.cells+16), occupied: make([]uint8, g.cells/8+4),
		who: make([]occupant, g.cells), data: make([]datum, g.cells),
		present: make([]uint64, (g.size*g.size+63)/64), queue: make([]uint16, 0, g.size*g.size),
	}
	return w
}

// reset empties the world and fills its cells with fuel.
func (w *world) reset(c *constants, functions []decider) {
	w.constants, w.seats, w.round, w.sight = *c, len(functions), 0, square(c.ViewDistance)
	clear(w.planes[:])
	w.sightRows = w.sight.rows()
	for i := range w.fuel {
		w.fuel[i] = uint8(c.MaxCellEnergy)
	}
	clear(w.occupied)
	for s := range functions {
		if w.species[s] == nil {
			w.species[s] = make([]uint8, len(w.occupied))
		}
		clear(w.species[s])
	}
	for i := range w.who {
		w.who[i].species = free
	}
	if w.remembers {
		clear(w.data)
		w.remembers = false
	}
	clear(w.present)
	w.sizes, w.energies, w.births, w.deaths, w.kills = [16]int{}, [16]int{}, [16]int{}, [16]int{},
		[16]int{}
	clear(w.functions)
	w.functions, w.vacant = w.functions[:0], w.vacant[:0]
	for _, f := range functions {
		w.functions = append(w.functions, function{decider: f})
	}
}

// put sets an amoeba into a free cell.
func (w *world) put(cell int, o occupant, data datum) {
	w.who[cell] = o
	w.remember(cell, data)
	w.mark(cell, int(o.species))
	w.sizes[o.species]++
	w.energies[o.species] += int(o.energy)
	w.functions[o.function].users++
	w.note(planeEnergy, cell, o.energy)
	w.note(planeHealth, cell, o.health)
}

// remember sets the data of the amoeba in a cell.
func (w *world) remember(cell int, data datum) {
	if data != 0 || w.remembers {
		w.data[cell], w.remembers = data, true
	}
}

// note keeps a plane up to date.
func (w *world) note(plane, cell int, v int16) {
	if p := w.planes[plane]; p != nil {
		w.setByte(p, cell, uint8(v))
	}
}

// plane returns a plane, and makes it if there is none yet.
func (w *world) plane(i int) []uint8 {
	if w.planes[i] == nil {
		if w.room[i] == nil {
			w.room[i] = make([]uint8, len(w.fuel))
		}
		clear(w.room[i])
		w.planes[i] = w.room[i]
		for _, cell := range w.g.order {
			if o := &w.who[cell]; o.species != free {
				w.note(i, int(cell), [numPlanes]int16{o.energy, o.health}[i])
			}
		}
	}
	return w.planes[i]
}

// take removes the amoeba from a cell.
func (w *world) take(cell int) {
	o := w.who[cell]
	w.mark(cell, int(o.species))
	w.sizes[o.species]--
	w.energies[o.species] -= int(o.energy)
	w.release(o.function)
	w.note(planeEnergy, cell, 0)
	w.who[cell].species = free
	w.remember(cell, 0)
}

// mark flips the bits that say that an amoeba of the species is in the cell.
func (w *world) mark(cell, species int) {
	place := w.g.rank[cell]
	w.present[place>>6] ^= 1 << (place & 63)
	plane := w.species[species]
	bit := uint8(1) << (cell & 7)
	w.occupied[cell>>3] ^= bit
	plane[cell>>3] ^= bit
	if w.g.border(cell) != 0 {
		for _, by := range w.g.toCopies(cell) {
			i := cell + by
			w.occupied[i>>3] ^= 1 << (i & 7)
			plane[i>>3] ^= 1 << (i & 7)
		}
	}
}

// setFuel changes the fuel of a cell.
func (w *world) setFuel(cell int, v uint8) { w.setByte(w.fuel, cell, v) }

// setByte changes a cell of a plane of bytes.
func (w *world) setByte(plane []uint8, cell int, v uint8) {
	plane[cell] = v
	if w.g.border(cell) != 0 {
		for _, by := range w.g.toCopies(cell) {
			plane[cell+by] = v
		}
	}
}

// adopt returns the number of a function that a child was given.
func (w *world) adopt(f decider) uint16 {
	if n := len(w.vacant); n > 0 {
		i := w.vacant[n-1]
		w.vacant = w.vacant[:n-1]
		w.functions[i] = function{decider: f}
		return i
	}
	w.functions = append(w.functions, function{decider: f})
	return uint16(len(w.functions) - 1)
}

// release takes one user from a function and forgets it after the last, unless it is a seat's own.
func (w *world) release(i uint16) {
	f := &w.functions[i]
	if f.users--; f.users == 0 && int(i) >= w.seats {
		f.decider = nil
		w.vacant = append(w.vacant, i)
	}
}

// window returns the cells of a bit plane in the greatest view of a cell.
func (w *world) window(plane []uint8, cell int) cellSet {
	i := cell - margin*w.g.pitch - margin
	shift, row, at := uint(i&7), w.g.pitch>>3, i>>3
	var c cellSet
	for y := range side {
		two := uint(binary.LittleEndian.Uint16(plane[at:]))
		c |= cellSet(two>>shift&(1<<side-1)) << (side * y)
		at += row
	}
	return c
}

// ring returns the neighbours of a cell in a bit plane.
func (w *world) ring(plane []uint8, cell int) directions {
	i := cell - w.g.pitch - 1
	shift, row, at := uint(i&7), w.g.pitch>>3, i>>3
	above := (uint(plane[at]) | uint(plane[at+1])<<8) >> shift
	level := (uint(plane[at+row]) | uint(plane[at+row+1])<<8) >> shift
	below := (uint(plane[at+2*row]) | uint(plane[at+2*row+1])<<8) >> shift
	return directions(
		above&7 | level>>2&1<<3 | below>>2&1<<4 | below>>1&1<<5 | below&1<<6 | level&1<<7)
}

// size returns the number of cells a side.
func (w *world) size() int { return w.g.size }

// fuel returns the fuel of the cell at (x, y).
func (w *world) fuelAt(x, y int) int { return int(w.fuel[w.g.cell(x, y)]) }

// occupantAt returns the amoeba in the cell at (x, y), and false if there is none.
func (w *world) occupantAt(x, y int) (seenAmoeba, bool) { return w.occupant(w.g.cell(x, y)) }

// lifeAt returns the age of the amoeba in the cell at (x, y), in rounds with that of its birth
// counted, and its generation: 0 for a species' first amoeba, which is of age 0 at the start. It
// returns false if there is none, or without a recorder.
func (w *world) lifeAt(x, y int) (age, generation int, ok bool) {
	cell := w.g.cell(x, y)
	if w.lives == nil || w.who[cell].species == free {
		return 0, 0, false
	}
	l := w.lives[cell]
	return w.round - int(l.born), int(l.generation), true
}

// seenAmoeba is what can be seen of an amoeba.
type seenAmoeba struct {
	Species int // seat
	Energy  int // units
	Health  int // units
	Data    datum
}

func (w *world) occupant(cell int) (seenAmoeba, bool) {
	o := w.who[cell]
	return seenAmoeba{int(o.species), int(o.energy), int(o.health), w.data[cell]}, o.species != free
}
