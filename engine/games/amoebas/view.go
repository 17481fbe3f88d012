package amoebas

import (
	"encoding/binary"
	"math/bits"

	"clade/engine"
)

// decider decides for amoebas: the amoeba function of Janneck (2019). One function serves many
// amoebas and many games at once, so it must keep no state between calls; an amoeba remembers only
// its Data. An amoeba whose function panics rests.
type decider interface {
	Act(v *view) action
}

// draws is a source of random numbers.
type draws interface {
	Float() float64  // in [0, 1)
	Below(n int) int // in 0..n-1
}

// view is what an amoeba knows when it decides: itself and the cells around it, as they are at that
// moment. It is valid until Act returns.
type view struct {
	Energy  int
	Health  int
	Species int // its seat
	Data    datum
	Random  draws // random numbers of the game

	w     *world
	cell  int
	minds [engine.MaxSeats]*scratch // of evolved functions
	round int
	trace *reasons // of the decision, if it is wanted, else nil
}

// look sets the view to that of the amoeba in a cell.
func (v *view) look(cell int) {
	o := &v.w.who[cell]
	v.Energy, v.Health, v.Species, v.cell = int(o.energy), int(o.health), int(o.species), cell
	v.Data = 0
	if v.w.remembers {
		v.Data = v.w.data[cell]
	}
}

// constants returns the numbers of the game's physics.
func (v *view) constants() *constants { return &v.w.constants }

// visible returns the cells that the amoeba sees, its own included.
func (v *view) visible() cellSet { return v.w.sight }

// occupied returns the visible cells that hold an amoeba, the own cell included.
func (v *view) occupied() cellSet { return v.w.window(v.w.occupied, v.cell) & v.w.sight }

// friends returns the visible cells that hold an amoeba of the own species, the own cell included.
func (v *view) friends() cellSet { return v.w.window(v.w.species[v.Species], v.cell) & v.w.sight }

// amoebas returns Occupied and Friends.
func (v *view) amoebas() (occupied, friends cellSet) {
	w := v.w
	i := v.cell - margin*w.g.pitch - margin
	shift, row, at := uint(i&7), w.g.pitch>>3, i>>3
	all, kin := w.occupied, w.species[v.Species&(engine.MaxSeats-1)][:len(w.occupied)]
	for end, at := at, at+side*row; at > end; { // from the last row, so that all shifts are the same
		at -= row
		some := cellSet(binary.LittleEndian.Uint16(all[at:at+2:at+2]) >> shift & (1<<side - 1))
		same := cellSet(binary.LittleEndian.Uint16(kin[at:at+2:at+2]) >> shift & (1<<side - 1))
		occupied, friends = occupied<<side|some, friends<<side|same
	}
	return occupied & w.sight, friends & w.sight
}

// hostiles returns the visible cells that hold an amoeba of another species.
func (v *view) hostiles() cellSet { return v.occupied() &^ v.friends() }

// free returns the directions of the empty neighbours.
func (v *view) free() directions { return ^v.w.ring(v.w.occupied, v.cell) }

// targets returns the directions of the hostile neighbours.
func (v *view) targets() directions {
	return v.w.ring(v.w.occupied, v.cell) &^ v.w.ring(v.w.species[v.Species], v.cell)
}

// sees tells whether the cell at (dx, dy) is visible.
func (v *view) sees(dx, dy int) bool { return cellAt(dx, dy)&v.w.sight != 0 }

// fuel returns the fuel of the cell at (dx, dy), 0 where the amoeba does not see.
func (v *view) fuel(dx, dy int) int {
	if !v.sees(dx, dy) {
		return 0
	}
	return int(v.w.fuel[v.cell+dy*v.w.g.pitch+dx])
}

// occupant returns the amoeba in the cell at (dx, dy), and false where there is none or the amoeba
// does not see.
func (v *view) occupant(dx, dy int) (seenAmoeba, bool) {
	if !v.sees(dx, dy) {
		return seenAmoeba{}, false
	}
	return v.w.occupant(v.w.g.home(v.cell + dy*v.w.g.pitch + dx))
}

// ownFuel returns the fuel of the own cell.
func (v *view) ownFuel() int { return int(v.w.fuel[v.cell]) }

// fuelAt returns the fuel of a neighbour's cell.
func (v *view) fuelAt(d direction) int { return int(v.w.fuel[v.cell+v.w.g.offset[d&7]]) }

// neighbour returns the amoeba of a neighbour's cell; its species is free where there is none.
func (v *view) neighbour(d direction) *occupant {
	return &v.w.who[v.w.g.toward(v.cell, d)]
}

// energyAt returns the energy of the amoeba in an occupied neighbour's cell.
func (v *view) energyAt(d direction) int { return int(v.neighbour(d).energy) }

// healthAt returns the health of the amoeba in an occupied neighbour's cell.
func (v *view) healthAt(d direction) int { return int(v.neighbour(d).health) }

// sectionFuel returns the fuel of the visible cells of the section toward a direction, the own cell
// included.
func (v *view) sectionFuel(d direction) int {
	corners, straight := v.sectionFuels()
	if d&1 != 0 {
		corners = straight
	}
	return int(corners >> (d >> 1 & 3 * 16) & 0xffff)
}

// richestSection returns the direction of the set whose section holds most fuel, the highest
// direction among equals, and false for an empty set.
func (v *view) richestSection(among directions) (direction, bool) {
	if v.trace != nil {
		v.trace.weigh(among, v.sectionFuel)
	}
	if among&(among-1) == 0 {
		return direction(bits.TrailingZeros8(uint8(among))) & 7, among != 0
	}
	return among.greatest(v.sectionFuels()), true
}

// richest returns the direction of the neighbour with most fuel, the highest direction among
// equals, and false for an empty set.
func (v *view) richest(among directions) (direction, bool) {
	if v.trace != nil {
		v.trace.weigh(among, v.fuelAt)
	}
	pitch := v.w.g.pitch
	at := v.cell - pitch - 1
	above, level, below := word(v.w.fuel, at), word(v.w.fuel, at+pitch), word(v.w.fuel, at+2*pitch)
	corners := above&0xff | above&0xff0000 | below&0xff0000<<16 | below&0xff<<48
	straight := above>>8&0xff | level&0xff0000 | below>>8&0xff<<32 | level&0xff<<48
	return among.greatest(corners, straight), among != 0
}

const lanes = 0x0001000100010001 // the lowest bit in each of four lanes of sixteen

// sectionFuels returns the fuel of all sections, in lanes that cannot overflow: of corners, and of
// straight directions, clockwise from northWest and north.
func (v *view) sectionFuels() (corners, straight uint64) {
	pitch, fuel, sight := v.w.g.pitch, v.w.fuel, &v.w.sightRows
	at := v.cell - margin*pitch - margin
	r0 := word(fuel, at) & sight[0]
	r1 := word(fuel, at+pitch) & sight[1]
	r2 := word(fuel, at+2*pitch) & sight[2]
	r3 := word(fuel, at+3*pitch) & sight[3]
	r4 := word(fuel, at+4*pitch) & sight[4]
	r5 := word(fuel, at+5*pitch) & sight[5]
	r6 := word(fuel, at+6*pitch) & sight[6]
	// columns 0, 2, 4 and 6, and columns 1, 3 and 5
	const low = 0xff * lanes
	e0, e1, e2, e3, e4, e5, e6 := r0&low, r1&low, r2&low, r3&low, r4&low, r5&low, r6&low
	o0, o1, o2, o3, o4, o5, o6 := r0>>8&low, r1>>8&low, r2>>8&low, r3>>8&low, r4>>8&low, r5>>8&low,
		r6>>8&low

	const first, second, third, fourth = 0xffff, 0xffff << 16, 0xffff << 32, 0xffff << 48
	middle := o3 & second // of the own cell
	evenAbove, evenBelow, oddAbove, oddBelow := e1+e2, e4+e5, o0+o1, o5+o6
	north := e0 + evenAbove&(second|third) + oddAbove + o2&second + middle
	south := e6 + evenBelow&(second|third) + oddBelow + o4&second + middle
	// columns 0 and 6 of all rows, 1 and 5 of the five in the middle, 2 and 4 of three
	inner := o1 + o2 + o3 + o4 + o5
	evenAbove, evenBelow, oddAbove, oddBelow = evenAbove+e0, evenBelow+e6, oddAbove+o2+o3,
		oddBelow+o4+o3
	across := (evenAbove+e3+evenBelow)&(first|fourth) + (e2+e3+e4)&(second|third) +
		inner&(first|third) + middle + middle<<32
	upper := evenAbove + e3 + oddAbove&(first|second) + oddAbove<<16&(third|fourth)
	lower := evenBelow + e3 + oddBelow&(first|second) + oddBelow<<16&(third|fourth)
	// west of the middle in the first lane, east in the third
	across, upper, lower = across+across>>16, upper+upper>>16, lower+lower>>16
	corners = upper&first | upper>>16&second | lower&third | lower<<48
	straight = north*lanes>>48 | across>>16&second | south*lanes>>48<<32 | across<<48
	return corners, straight
}

// word returns eight bytes of a plane.
func word(plane []uint8, at int) uint64 {
	return binary.LittleEndian.Uint64(plane[at : at+8 : at+8])
}

// rows returns a byte 0xff for each cell of the set, by row.
func (c cellSet) rows() (r [side]uint64) {
	for y := range r {
		r[y] = spread(uint8(c >> (side * y) & (1<<side - 1)))
	}
	return r
}
