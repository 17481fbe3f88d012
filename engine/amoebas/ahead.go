package amoebas

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"clade/engine"
	"clade/gp"
)

// Amoebas act one after the other, and each sees what those before it did; but most of them did nothing that it sees. So the trees of a genome are evaluated for sixteen
// amoebas whose turn is near at once, in lockstep, and an action makes this work void for those that see a cell that it changed: they are evaluated anew when their turn comes.
// What is drawn at random is drawn when an amoeba acts, so a game is the same, decision by decision, as without looking ahead.

const (
	lookahead = 64 // places of the queue that are evaluated ahead: a power of two
	fewest    = 5  // amoebas that are worth a crowd
)

// ahead is memory for looking ahead in games of one size.
type ahead struct {
	look   func(*glance)
	crowds [engine.MaxSeats]*gp.Crowd // nil before the first use
	loaded [engine.MaxSeats]*gp.Code
	glance glance
	minds  [lookahead]mind // by place in the queue
	cells  [gp.CrowdSize]uint16
	places [gp.CrowdSize]uint8
	known  []uint8 // bit plane by cell, with skirts: what minds holds of the amoeba there is true
	skirt  int     // cells before the first
}

// mind is what an amoeba will decide by.
type mind struct {
	utilities [numSlots]gp.Quad
	legal     [3]Directions
}

// glance is what a crowd of one species sees. The kernels know its layout.
type glance struct {
	corners   [gp.CrowdSize]uint32 // the cells in the upper left corners of the greatest views
	occupied  [gp.CrowdSize]uint64 // Occupied and Friends of each: this and what is drawn into the layers is the result
	friends   [gp.CrowdSize]uint64
	sightRows [side]uint64
	sight     uint64
	pitch     uint64
	planes    [2]*uint8 // World.occupied and that of the species
	fuel      *uint8    // nil where nobody weighs it
	energy    *uint8    // likewise
	layers    *gp.CrowdLayer
}

// newAhead returns memory for looking ahead, nil in a game that does not: its genomes read what a crowd lacks, or there are no kernels.
func (g *Game) newAhead(at *geometry) *ahead {
	if !g.lockstep {
		return nil
	}
	skirt := (margin*at.pitch + margin + 7) &^ 7
	return &ahead{look: glancer(g.level), known: make([]uint8, (at.cells+2*skirt)/8+2), skirt: skirt}
}

// newCrowd returns a crowd for the game's genomes, and an error for a grammar that reads what it lacks.
func (g *Game) newCrowd() (*gp.Crowd, error) {
	return g.grammar.NewCrowd(g.level, bits.Len(uint(g.settings.MaxAmoebaHealth)))
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

// foresee decides for an amoeba by what is known ahead, which it brings up to date; it returns false where it would not pay.
func (a *arena) foresee(e *evolved, cell int) (Action, bool) {
	h := a.ahead
	if at := cell + h.skirt; h.known[at>>3]>>(at&7)&1 == 0 {
		n := a.assemble(e)
		if n < fewest {
			return Action{}, false
		}
		a.evaluate(e, n)
	}
	m := &h.minds[a.next&(lookahead-1)]
	if m.legal == [3]Directions{} {
		return Action{}, true
	}
	return choose(&m.utilities, &m.legal, a.random.Below(8)), true
}

// assemble lists amoebas of a genome whose turn is near and of which nothing is known.
func (a *arena) assemble(e *evolved) int {
	h, n := a.ahead, 0
	for q, end := a.next, min(a.next+lookahead, len(a.queue)); q < end; q++ {
		cell := int(a.queue[q])
		o := &a.who[cell]
		if at := cell + h.skirt; o.species == free || h.known[at>>3]>>(at&7)&1 != 0 || a.World.functions[o.function].evolved != e {
			continue
		}
		h.cells[n], h.places[n] = uint16(cell), uint8(q&(lookahead-1))
		if n++; n == len(h.cells) {
			break
		}
	}
	return n
}

// evaluate computes the utilities of the first n amoebas that were listed.
func (a *arena) evaluate(e *evolved, n int) {
	h := a.ahead
	seat := int(a.who[h.cells[0]].species)
	crowd := a.crowd(seat, e.code)
	legal, situation := a.perceive(e, seat, crowd, n)
	eval := func(slot, turns int) {
		r := crowd.Eval(slot, situation, n, turns)
		for i, place := range h.places[:n] {
			h.minds[place].utilities[slot] = gp.Quad{r[i], r[gp.CrowdSize+i], r[2*gp.CrowdSize+i], r[3*gp.CrowdSize+i]}
		}
	}
	eval(slotRest, 1)
	for i, l := range legal {
		if l&^diagonals != 0 {
			eval(slotMove+2*i, gp.Lanes)
		}
		if l&diagonals != 0 {
			eval(slotMoveDiagonal+2*i, gp.Lanes)
		}
	}
}

// perceive draws into the crowd what the listed amoebas see. It returns what any of them may do, and the situation of all.
func (a *arena) perceive(e *evolved, seat int, crowd *gp.Crowd, n int) (legal [3]Directions, situation int) {
	h, w, c := a.ahead, &a.World, &a.constants
	g := &h.glance
	corner := uint32(margin*w.g.pitch + margin)
	for i, cell := range h.cells[:n] {
		g.corners[i] = uint32(cell) - corner
	}
	g.sightRows, g.sight, g.pitch = w.sightRows, uint64(w.sight), uint64(w.g.pitch)
	g.planes, g.layers = [2]*uint8{&w.occupied[0], &w.species[seat][0]}, crowd.Layer(0)
	g.fuel, g.energy = nil, nil
	if e.weighs.fuel {
		g.fuel = &w.fuel[0]
	}
	if e.weighs.friends || e.weighs.hostiles {
		g.energy = &w.energyPlane()[0]
	}
	h.look(g)
	energy, health, fuel, round := crowd.Scalar(scalarEnergy), crowd.Scalar(scalarHealth), crowd.Scalar(scalarFuel), crowd.Scalar(scalarRound)
	if x := float32(w.round) * unitEnergy; round[0] != x {
		for lane := range round {
			round[lane] = x
		}
	}
	hostiles, others := Cells(0), Cells(0)
	for i, cell := range h.cells[:n] {
		o, m := &w.who[cell], &h.minds[h.places[i]]
		occupied, friends := Cells(g.occupied[i]), Cells(g.friends[i])
		hostiles |= occupied &^ friends
		others |= friends &^ own
		m.legal = c.legal(int(o.energy), occupied, friends)
		for k := range legal {
			legal[k] |= m.legal[k]
		}
		spreadLanes(energy, i, float32(o.energy)*unitEnergy)
		spreadLanes(health, i, float32(o.health)*unitHealth)
		spreadLanes(fuel, i, float32(w.fuel[cell])*unitEnergy)
		at := int(cell) + h.skirt
		h.known[at>>3] |= 1 << (at & 7)
	}
	if hostiles == 0 {
		situation |= noHostile
	} else if e.weighs.injured {
		a.examine(crowd.Layer(layerInjured), n)
	}
	if others == 0 {
		situation |= noFriend
	}
	return legal, situation
}

// spreadLanes gives a number of a decision in all turns.
func spreadLanes(lanes *gp.LaneFloats, i int, x float32) {
	i &= gp.CrowdSize - 1
	lanes[i], lanes[gp.CrowdSize+i], lanes[2*gp.CrowdSize+i], lanes[3*gp.CrowdSize+i] = x, x, x, x
}

// examine draws the health of the hostiles in view.
func (a *arena) examine(injured *gp.CrowdLayer, n int) {
	w, planes := &a.World, bits.Len(uint(a.constants.MaxAmoebaHealth))
	for i := range n {
		var health [gp.CrowdBits]uint64
		corner := int(a.ahead.glance.corners[i])
		for rest := injured.Cells[i]; rest != 0; rest &= rest - 1 {
			at := bits.TrailingZeros64(rest)
			h := w.who[w.g.home[corner+at/side*w.g.pitch+at%side]].health
			for p := range planes {
				health[p&15] |= uint64(h) >> p & 1 << at
			}
		}
		for p := range planes {
			injured.Bits[p][i] = health[p&15]
		}
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
	at := func(plane *uint8, i int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(plane), i)) }
	layers := unsafe.Slice(g.layers, layerInjured+1)
	for i, corner := range g.corners {
		var windows [2]uint64
		for p, plane := range g.planes {
			for y := range side {
				two := *(*uint16)(unsafe.Pointer(at(plane, int(corner)>>3+y*int(g.pitch)>>3)))
				windows[p] |= uint64(two>>(corner&7)&(1<<side-1)) << (side * y)
			}
			windows[p] &= g.sight
		}
		occupied, friends := windows[0], windows[1]
		g.occupied[i], g.friends[i] = occupied, friends
		layers[layerFuel].Cells[i], layers[layerEmpty].Cells[i], layers[layerFriends].Cells[i] = g.sight, g.sight&^occupied, friends&^uint64(own)
		layers[layerHostiles].Cells[i], layers[layerInjured].Cells[i] = occupied&^friends, occupied&^friends
		draw := func(layer int, plane *uint8, mask func(y int) uint64) {
			rows := &layers[layer].Rows
			var even, odd uint64
			for y := range side {
				row := *at(plane, int(corner)+y*int(g.pitch)) & mask(y)
				even += row & 0x00ff00ff00ff00ff
				odd += row >> 8 & 0x00ff00ff00ff00ff
				rows[y+1][0][i], rows[y+1][1][i] = even, odd
			}
		}
		if g.fuel != nil {
			draw(layerFuel, g.fuel, func(y int) uint64 { return g.sightRows[y] })
		}
		if g.energy != nil {
			row := func(cells uint64, y int) uint64 { return spread(uint8(cells >> (side * y) & (1<<side - 1))) }
			draw(layerFriends, g.energy, func(y int) uint64 { return row(friends&^uint64(own), y) })
			draw(layerHostiles, g.energy, func(y int) uint64 { return row(occupied&^friends, y) })
		}
	}
}
