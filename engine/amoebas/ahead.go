package amoebas

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"clade/engine"
	"clade/gp"
)

// Amoebas act one after the other, and each sees what those before it did; but most of them did nothing that it sees. So the trees of a genome are evaluated for sixteen
// amoebas whose turn is near at once, in lockstep, and an action makes this work void for those that see a cell that it changed: they decide alone when their turn comes.
// What is drawn at random is drawn when an amoeba acts, so a game is the same, decision by decision, as without looking ahead.
//
// To evaluate the void ones together again, with others from farther ahead, was slower: on a world of 32 x 32 by half.

const (
	lookahead = 64 // places of the queue that are evaluated ahead at most: a power of two
	crowding  = 32 // cells for each of them: on a small world most that is found far ahead becomes void
	fewest    = 6  // amoebas that are worth a crowd
	wide      = 60 // cells a side of the worlds on which this pays
)

// ahead is memory for looking ahead in games of one size.
type ahead struct {
	glance
	kernel    lookout
	crowds    [engine.MaxSeats]*gp.Crowd // nil before the first use
	loaded    [engine.MaxSeats]*gp.Code
	reach     int                  // places of the queue that are evaluated ahead
	listed    [engine.MaxSeats]int // places of the queue before this one were listed, or passed over
	utilities [slotMemory]gp.LaneFloats
	minds     [lookahead]uint32        // by place in the queue: what is best
	cells     [2 * gp.CrowdSize]uint16 // of those that are evaluated together
	places    [2 * gp.CrowdSize]uint8  // their places in the queue, modulo lookahead
	known     []uint8                  // bit plane by cell, with skirts: what minds holds of the amoeba there is true
	skirt     int                      // cells before the first
}

// glance is what a crowd of one species sees. The kernels know its layout.
type glance struct {
	corners   [gp.CrowdSize]uint32 // the cells in the upper left corners of the greatest views
	best      [gp.CrowdSize]uint32 // out: what is best, of greatest utility: see bestRest
	energies  [gp.CrowdSize]int32  // out
	occupied  [gp.CrowdSize]uint64 // out: Occupied and Hostiles of each
	hostiles  [gp.CrowdSize]uint64
	sightRows [side]uint64
	sight     uint64
	pitch     uint64
	centre    uint64    // from the corner of a view to the own cell
	occupancy [2]*uint8 // World.occupied and that of the species
	fuel      *uint8    // planes
	energy    *uint8    // only read where it weighs
	health    *uint8    // likewise
	who       *occupant
	layers    *gp.CrowdLayer // out
	scalars   *gp.LaneFloats // out: energy, health and fuel of each
	weighs    uint64         // set of what follows
	seen      [2]uint64      // out: the places where some hostile and some friend stands
	costs     [3]int32       // energy that a move, a hit and a division need
}

// lookout is the part of looking ahead that has kernels.
type lookout struct {
	look   func(*glance)                                         // sees
	prefer func(g *glance, utilities *[slotMemory]gp.LaneFloats) // and chooses
}

// newAhead returns memory for looking ahead, nil in a game that does not: its genomes read what a crowd lacks, or there are no kernels.
func (g *Game) newAhead(at *geometry) *ahead {
	if !g.lockstep || at.size < g.wide {
		return nil
	}
	skirt := (margin*at.pitch + margin + 7) &^ 7
	return &ahead{kernel: lookouts(g.level), reach: min(lookahead, at.size*at.size/crowding), known: make([]uint8, (at.cells+2*skirt)/8+2), skirt: skirt}
}

// newCrowd returns a crowd for the game's genomes, and an error for a grammar that reads what it lacks.
func (g *Game) newCrowd() (*gp.Crowd, error) {
	if g.settings.MaxAmoebaHealth >= gp.NoWeight {
		return nil, fmt.Errorf("amoebas: health above %d does not fit a crowd", gp.NoWeight-1)
	}
	return g.grammar.NewCrowd(g.level)
}

// crowd returns the crowd of a seat, loaded with a code.
func (a *arena) crowd(seat int, code *gp.Code) *gp.Crowd {
	h := a.ahead
	c := h.crowds[seat]
	if c == nil {
		var err error
		if c, err = a.game.newCrowd(); err != nil {
			panic(err.Error()) // newGameAt made one
		}
		h.crowds[seat] = c
	}
	if h.loaded[seat] != code {
		c.Load(code)
		h.loaded[seat] = code
	}
	return c
}

// foresee decides for an amoeba by what is known ahead, which it brings up to date; it returns false where that would not pay.
func (a *arena) foresee(e *evolved, cell int) (Action, bool) {
	h := a.ahead
	if at := cell + h.skirt; h.known[at>>3]>>(at&7)&1 == 0 {
		if a.next < h.listed[a.who[cell].species&(engine.MaxSeats-1)] {
			return Action{}, false
		}
		n := a.assemble()
		if n < fewest {
			return Action{}, false
		}
		a.evaluate(e, n)
	}
	mind := h.minds[a.next&(lookahead-1)]
	if mind&bestNone != 0 {
		return Action{}, true
	}
	return chosen(options(mind), a.random.Below(8)), true
}

// assemble lists the amoeba whose turn it is and others of its seat, whose turn is near and who were not listed before. An evolved function has no other's children, so all
// amoebas of its seat have it.
func (a *arena) assemble() int {
	h := a.ahead
	seat := a.who[a.queue[a.next]].species
	listed := &h.listed[seat&(engine.MaxSeats-1)]
	h.cells[0], h.places[0] = a.queue[a.next], uint8(a.next&(lookahead-1))
	n, q := 1, max(*listed, a.next+1)
	for end := min(a.next+h.reach, len(a.queue)); q < end && n < gp.CrowdSize; q++ {
		cell := a.queue[q]
		h.cells[n&31], h.places[n&31] = cell, uint8(q&(lookahead-1)) // for nothing, or for good
		if a.who[cell].species == seat {
			n++
		}
	}
	if n >= fewest {
		*listed = q
	}
	return n
}

// evaluate finds what is best for the first n amoebas that were listed.
func (a *arena) evaluate(e *evolved, n int) {
	h, c := a.ahead, &a.constants
	seat := int(a.who[h.cells[0]].species)
	crowd := a.crowd(seat, e.code)
	a.aim(e, seat, crowd, n)
	h.kernel.look(&h.glance)
	situation := 0
	if h.seen[0] == 0 {
		situation |= noHostile
	}
	if h.seen[1] == 0 {
		situation |= noFriend
	}
	if x, round := float32(a.round)*unitEnergy, crowd.Scalar(scalarRound); round[0] != x {
		for lane := range round {
			round[lane] = x
		}
	}
	most := 0 // energy
	for _, energy := range h.energies[:n] {
		most = max(most, int(energy))
	}
	eval := func(slot, turns int) { h.utilities[slot] = *crowd.Eval(slot, situation, n, turns) }
	eval(slotRest, 1)
	for i, cost := range [3]int{c.MoveEnergy, c.AttackEnergy, c.MinDivideEnergy} {
		directions := Directions(0xff)
		if slotMove+2*i == slotHit {
			directions = Cells(h.seen[0]).Ring()
		}
		if most >= cost && directions&^diagonals != 0 {
			eval(slotMove+2*i, gp.Lanes)
		}
		if most >= cost && directions&diagonals != 0 {
			eval(slotMoveDiagonal+2*i, gp.Lanes)
		}
	}
	h.kernel.prefer(&h.glance, &h.utilities)
	for i, place := range h.places[:n] {
		h.minds[place&(lookahead-1)] = h.best[i]
		at := int(h.cells[i]) + h.skirt
		h.known[at>>3] |= 1 << (at & 7)
	}
}

// aim makes the glance that of the first n amoebas that were listed, all of one seat.
func (a *arena) aim(e *evolved, seat int, crowd *gp.Crowd, n int) {
	w, c, g := &a.World, &a.constants, &a.ahead.glance
	centre := margin*w.g.pitch + margin
	for i, cell := range a.ahead.cells[:n] {
		g.corners[i] = uint32(int(cell) - centre)
	}
	g.sightRows, g.sight, g.pitch, g.centre = w.sightRows, uint64(w.sight), uint64(w.g.pitch), uint64(centre)
	g.occupancy, g.fuel, g.who = [2]*uint8{&w.occupied[0], &w.species[seat][0]}, &w.fuel[0], &w.who[0]
	g.layers, g.scalars = crowd.Layer(0), crowd.Scalar(scalarEnergy)
	g.costs = [3]int32{int32(c.MoveEnergy), int32(c.AttackEnergy), int32(c.MinDivideEnergy)}
	if g.weighs = e.weight(); g.weighs&weighsPeople != 0 {
		g.energy = &w.energyPlane()[0]
	}
	if g.weighs&weighsInjured != 0 {
		g.health = &w.healthPlane()[0]
	}
}

// forget makes void what is known of all that see a cell.
func (a *arena) forget(cell int) {
	a.forgetAround(cell)
	for _, way := range a.g.toCopies(cell) {
		a.forgetAround(cell + way)
	}
}

// forgetAround does so without wrapping. What it clears beyond an edge belongs to no amoeba.
func (a *arena) forgetAround(cell int) {
	at := cell + a.ahead.skirt - margin*a.g.pitch - margin
	shift, row := at&7, a.g.pitch>>3
	keep := ^(uint16(1<<side-1) << shift)
	known := a.ahead.known[at>>3:]
	for y := range side {
		two := known[y*row : y*row+2]
		binary.LittleEndian.PutUint16(two, binary.LittleEndian.Uint16(two)&keep)
	}
}

// glanceAt is the twin of the kernels in plain Go.
func glanceAt(g *glance) {
	g.seen = [2]uint64{}
	at := func(plane *uint8, i int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(plane), i)) }
	layers := unsafe.Slice(g.layers, layerInjured+1)
	scalars := unsafe.Slice(g.scalars, scalarFuel+1)
	for i, corner := range g.corners {
		var windows [2]uint64
		for p, plane := range g.occupancy {
			for y := range side {
				two := *(*uint16)(unsafe.Pointer(at(plane, int(corner)>>3+y*int(g.pitch)>>3)))
				windows[p] |= uint64(two>>(corner&7)&(1<<side-1)) << (side * y)
			}
			windows[p] &= g.sight
		}
		hostiles, friends := windows[0]&^windows[1], windows[1]&^uint64(own)
		g.occupied[i], g.hostiles[i] = windows[0], hostiles
		g.seen[0], g.seen[1] = g.seen[0]|hostiles, g.seen[1]|friends
		layers[layerFuel].Cells[i], layers[layerEmpty].Cells[i], layers[layerFriends].Cells[i] = g.sight, g.sight&^windows[0], friends
		layers[layerHostiles].Cells[i], layers[layerInjured].Cells[i] = hostiles, hostiles

		cell := int(corner) + int(g.centre)
		me := (*occupant)(unsafe.Add(unsafe.Pointer(g.who), cell*int(unsafe.Sizeof(occupant{}))))
		g.energies[i] = int32(me.energy)
		spreadLanes(&scalars[scalarEnergy], i, float32(me.energy)*unitEnergy)
		spreadLanes(&scalars[scalarHealth], i, float32(me.health)*unitHealth)
		spreadLanes(&scalars[scalarFuel], i, float32(*(*uint8)(unsafe.Add(unsafe.Pointer(g.fuel), cell)))*unitEnergy)

		rowOf := func(plane *uint8, y int) uint64 { return *at(plane, int(corner)+y*int(g.pitch)) }
		within := func(cells uint64, y int) uint64 { return spread(uint8(cells >> (side * y) & (1<<side - 1))) }
		draw := func(layer int, row func(y int) uint64) {
			rows := &layers[layer].Rows
			var even, odd uint64
			for y := range side {
				even += row(y) & 0x00ff00ff00ff00ff
				odd += row(y) >> 8 & 0x00ff00ff00ff00ff
				rows[y+1][0][i], rows[y+1][1][i] = even, odd
			}
		}
		if g.weighs&weighsFuel != 0 {
			draw(layerFuel, func(y int) uint64 { return rowOf(g.fuel, y) & g.sightRows[y] })
		}
		if g.weighs&weighsPeople != 0 {
			draw(layerFriends, func(y int) uint64 { return rowOf(g.energy, y) & within(friends, y) })
			draw(layerHostiles, func(y int) uint64 { return rowOf(g.energy, y) & within(hostiles, y) })
		}
		if g.weighs&weighsInjured != 0 {
			for y := range side {
				layers[layerInjured].Weights[y][i] = rowOf(g.health, y) | ^within(hostiles, y)
			}
		}
	}
}

// spreadLanes gives a number of a decision under all turns.
func spreadLanes(lanes *gp.LaneFloats, i int, x float32) {
	lanes[i], lanes[gp.CrowdSize+i], lanes[2*gp.CrowdSize+i], lanes[3*gp.CrowdSize+i] = x, x, x, x
}

// preferred is the twin of the kernels in plain Go. Utilities of what nobody may do are not read.
func preferred(g *glance, utilities *[slotMemory]gp.LaneFloats) {
	for i := range g.best {
		best, most, possible := uint32(bestRest), utilities[slotRest][i], false
		if most != most {
			most = float32(math.Inf(-1))
		}
		occupied, hostiles := Cells(g.occupied[i]).Ring(), Cells(g.hostiles[i]).Ring()
		for d := range Direction(8) {
			for kind, cost := range g.costs {
				legal := !occupied.Has(d)
				if slotMove+2*kind == slotHit {
					legal = hostiles.Has(d)
				}
				if !legal || g.energies[i] < cost {
					continue
				}
				possible = true
				switch u := utilities[slotMove+2*kind+1-int(d&1)][gp.CrowdSize*int(d>>1)+i]; {
				case u > most:
					best, most = 1<<(8*kind+int(d)), u
				case u == most:
					best |= 1 << (8*kind + int(d))
				}
			}
		}
		if !possible {
			best |= bestNone
		}
		g.best[i] = best
	}
}
