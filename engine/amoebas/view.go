package amoebas

import (
	"encoding/binary"
	"math/bits"

	"clade/engine"
)

// Function decides for amoebas: the amoeba function of the source. One function serves many amoebas and many games at once, so it keeps nothing of
// its own between calls; what an amoeba remembers is its data. A function that panics makes the amoeba rest.
type Function interface {
	Act(v *View) Action
}

// Draws is a source of random numbers.
type Draws interface {
	Float() float64  // in [0, 1)
	Below(n int) int // in 0..n-1
}

// View is what an amoeba knows when it decides: itself and the cells around it, as they are at that moment. It is valid until Act returns.
type View struct {
	Energy  int
	Health  int
	Species int // its seat
	Data    Data
	Random  Draws // random numbers of the game

	w     *World
	cell  int
	minds [engine.MaxSeats]*scratch // of evolved functions
	round int
}

// look makes the view that of the amoeba in a cell.
func (v *View) look(cell int) {
	o := &v.w.who[cell]
	v.Energy, v.Health, v.Species, v.Data, v.cell = int(o.energy), int(o.health), int(o.species), v.w.data[cell], cell
}

// Constants returns the numbers of the game's physics.
func (v *View) Constants() *Constants { return &v.w.constants }

// Visible returns the cells that the amoeba sees, its own included.
func (v *View) Visible() Cells { return v.w.sight }

// Occupied returns the visible cells that hold an amoeba, the own cell included.
func (v *View) Occupied() Cells { return v.w.window(v.w.occupied, v.cell) & v.w.sight }

// Friends returns the visible cells that hold an amoeba of the own species, the own cell included.
func (v *View) Friends() Cells { return v.w.window(v.w.species[v.Species], v.cell) & v.w.sight }

// Hostiles returns the visible cells that hold an amoeba of another species.
func (v *View) Hostiles() Cells { return v.Occupied() &^ v.Friends() }

// Free returns the directions of the empty neighbours.
func (v *View) Free() Directions { return ^v.w.ring(v.w.occupied, v.cell) }

// Targets returns the directions of the hostile neighbours.
func (v *View) Targets() Directions {
	return v.w.ring(v.w.occupied, v.cell) &^ v.w.ring(v.w.species[v.Species], v.cell)
}

// Sees tells whether the cell at (dx, dy) is visible.
func (v *View) Sees(dx, dy int) bool { return At(dx, dy)&v.w.sight != 0 }

// Fuel returns the fuel of the cell at (dx, dy), 0 where the amoeba does not see.
func (v *View) Fuel(dx, dy int) int {
	if !v.Sees(dx, dy) {
		return 0
	}
	return int(v.w.fuel[v.cell+dy*v.w.g.pitch+dx])
}

// Occupant returns the amoeba in the cell at (dx, dy), and false where there is none or the amoeba does not see.
func (v *View) Occupant(dx, dy int) (Occupant, bool) {
	if !v.Sees(dx, dy) {
		return Occupant{}, false
	}
	return v.w.occupant(int(v.w.g.home[v.cell+dy*v.w.g.pitch+dx]))
}

// OwnFuel returns the fuel of the own cell.
func (v *View) OwnFuel() int { return int(v.w.fuel[v.cell]) }

// FuelAt returns the fuel of a neighbour's cell.
func (v *View) FuelAt(d Direction) int { return int(v.w.fuel[v.cell+v.w.g.offset[d&7]]) }

// neighbour returns the amoeba of a neighbour's cell; its species is free where there is none.
func (v *View) neighbour(d Direction) *occupant {
	return &v.w.who[v.w.g.home[v.cell+v.w.g.offset[d&7]]]
}

// EnergyAt returns the energy of the amoeba in an occupied neighbour's cell.
func (v *View) EnergyAt(d Direction) int { return int(v.neighbour(d).energy) }

// HealthAt returns the health of the amoeba in an occupied neighbour's cell.
func (v *View) HealthAt(d Direction) int { return int(v.neighbour(d).health) }

// SectionFuel returns the fuel of the visible cells of the section toward a direction, the own cell included.
func (v *View) SectionFuel(d Direction) int {
	return v.fuelOf(&sectionBytes[v.w.constants.ViewDistance][d&7])
}

// rowBytes selects bytes of the seven rows of a view.
type rowBytes struct {
	first, last int // rows that have any
	mask        [side]uint64
}

// fuelOf adds up the fuel of selected cells: seven bytes a word, in sixteen-bit lanes, none of which can overflow.
func (v *View) fuelOf(rows *rowBytes) int {
	const lanes = 0x0001000100010001
	pitch := v.w.g.pitch
	at := v.cell + (rows.first-margin)*pitch - margin
	var sum uint64
	for _, mask := range rows.mask[rows.first : rows.last+1] {
		row := binary.LittleEndian.Uint64(v.w.fuel[at:]) & mask
		sum += row&(0xff*lanes) + row>>8&(0xff*lanes)
		at += pitch
	}
	return int(sum * lanes >> 48)
}

// sectionBytes are the rows of the sections, by view distance.
var sectionBytes = func() (b [maxView + 1][8]rowBytes) {
	for distance := 1; distance < len(b); distance++ {
		for d := range Direction(8) {
			b[distance][d] = (d.Section() & square(distance)).rows()
		}
	}
	return b
}()

// rows returns a byte 0xff for each cell of the set, which must not be empty.
func (c Cells) rows() (r rowBytes) {
	r.first, r.last = bits.TrailingZeros64(uint64(c))/side, (63-bits.LeadingZeros64(uint64(c)))/side
	for y := range r.mask {
		r.mask[y] = spread(uint8(c >> (side * y) & (1<<side - 1)))
	}
	return r
}
