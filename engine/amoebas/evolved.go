package amoebas

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// Bind implements engine.Game: the player is an evolved Function.
//
// It offers its candidates in this order: rest, then around the compass from a random direction, in each direction the move, the hit and the
// division that is legal. Only hostiles are hit: where hitting friends is offered, hitting is bred out. The greatest utility wins, the first among equals; a
// utility that is not a number loses to all others.
func (g *Game) Bind(genome gp.Genome) (engine.Player, error) {
	if g.fault != nil {
		return nil, fmt.Errorf("amoebas: %w", g.fault)
	}
	c := g.compilers.Get().(*gp.Compiler)
	defer g.compilers.Put(c)
	code, err := c.Compile(genome)
	if err != nil {
		return nil, fmt.Errorf("amoebas: %w", err)
	}
	e := &evolved{grammar: g.grammar, code: code, memory: g.settings.Memory, level: kernels.Scalar}
	if g.lockstep {
		e.level = g.level
	}
	e.weighs.fuel, e.weighs.injured = code.Weighs(layerFuel), code.Weighs(layerInjured)
	e.weighs.friends, e.weighs.hostiles = code.Weighs(layerFriends), code.Weighs(layerHostiles)
	return e, nil
}

// evolved decides by a genome.
type evolved struct {
	grammar *gp.Grammar
	code    *gp.Code
	memory  bool
	level   kernels.Level                                   // of kernels that this genome and these settings allow
	weighs  struct{ fuel, friends, hostiles, injured bool } // layers whose weights the code reads
}

// The situations for which code is made: no hostile in view, no friend in view, by bit.
const (
	noHostile = 1 << iota
	noFriend
	numSituations
)

// situations returns what is certain in each situation.
func situations() []gp.Situation {
	s := make([]gp.Situation, numSituations)
	for i := range s {
		if i&noHostile != 0 {
			s[i].Empty |= 1<<layerHostiles | 1<<layerInjured
		}
		if i&noFriend != 0 {
			s[i].Empty |= 1<<layerFriends | 1<<layerCalls
		}
	}
	return s
}

// scratch is memory for the decisions of one seat's evolved function.
type scratch struct {
	grammar   *gp.Grammar
	level     kernels.Level
	frame     *gp.Frame
	solo      *gp.Solo // takes the frame's place where there are kernels, else nil
	loaded    *gp.Code // whose constants are in the frame
	situation int
	utilities [numSlots]gp.Quad

	peek
	fuel, energy, health [64]uint8 // weights for the solo, by cell
}

func newScratch(g *gp.Grammar, level kernels.Level, pitch int) *scratch {
	m := &scratch{grammar: g, level: level, frame: g.NewFrame()}
	solo, err := g.NewSolo(level)
	if err != nil {
		return m
	}
	m.solo, m.layers = solo, solo.Layer(0)
	m.peek.weights = [3]*[64]uint8{&m.fuel, &m.energy, &m.health}
	solo.Layer(layerFuel).Weights, solo.Layer(layerInjured).Weights = &m.fuel, &m.health
	solo.Layer(layerFriends).Weights, solo.Layer(layerHostiles).Weights = &m.energy, &m.energy
	for y := range side {
		m.rows[y], m.bitRows[y] = uint64(y*pitch), uint64(y*pitch/8)
	}
	return m
}

func (e *evolved) Act(v *View) Action {
	m := v.minds[v.Species]
	if m == nil || m.grammar != e.grammar || m.level != e.level {
		m = newScratch(e.grammar, e.level, v.w.g.pitch)
		v.minds[v.Species] = m
	}
	if m.solo != nil {
		occupied, friends := e.draw(v, m)
		legal := v.w.constants.legal(v.Energy, occupied, friends)
		if legal == [3]Directions{} {
			return Action{}
		}
		e.evaluate(m, &legal)
		return chosen(pickOne(&m.utilities, uint32(legal[0])|uint32(legal[1])<<8|uint32(legal[2])<<16), v.Random.Below(8))
	}
	occupied, friends := v.people()
	legal := v.w.constants.legal(v.Energy, occupied, friends)
	if legal == [3]Directions{} && !e.memory {
		return Action{}
	}
	e.fill(v, m, occupied, friends)
	e.evaluate(m, &legal)
	a := choose(&m.utilities, &legal, v.Random.Below(8))
	if e.memory {
		a.Data = toData(m.utilities[slotMemory][0])
		a.ChildData = a.Data
	}
	return a
}

// legal returns the directions in which an amoeba may move, hit and divide.
func (c *Constants) legal(energy int, occupied, friends Cells) (legal [3]Directions) {
	open := ^occupied.Ring()
	if energy >= c.MoveEnergy {
		legal[0] = open
	}
	if energy >= c.AttackEnergy {
		legal[1] = (occupied &^ friends).Ring()
	}
	if energy >= c.MinDivideEnergy {
		legal[2] = open
	}
	return legal
}

// evaluate computes the utilities of the slots that have a legal candidate.
func (e *evolved) evaluate(m *scratch, legal *[3]Directions) {
	e.unturned(m, slotRest)
	for i, l := range legal {
		if l&^diagonals != 0 {
			e.turned(m, slotMove+2*i)
		}
		if l&diagonals != 0 {
			e.turned(m, slotMoveDiagonal+2*i)
		}
	}
	if e.memory {
		e.unturned(m, slotMemory)
	}
}

// turned computes the utilities of a slot under the four turns.
func (e *evolved) turned(m *scratch, slot int) {
	if m.solo != nil {
		m.utilities[slot] = *m.solo.Eval(slot, m.situation, gp.Lanes)
	} else {
		m.utilities[slot] = e.code.Eval(slot, m.situation, m.frame)
	}
}

// unturned computes that of a slot which has no direction.
func (e *evolved) unturned(m *scratch, slot int) {
	if m.solo != nil {
		m.utilities[slot][0] = m.solo.Eval(slot, m.situation, 1)[0]
	} else {
		m.utilities[slot][0] = e.code.EvalLane(slot, m.situation, 0, m.frame)
	}
}

// choose returns the legal candidate of the greatest utility. A direction's frame is the world turned so that it points as N or NW does.
func choose(utilities *[numSlots]gp.Quad, legal *[3]Directions, start int) Action {
	best, most := Action{}, utilities[slotRest][0]
	if most != most {
		most = float32(math.Inf(-1))
	}
	moves, divisions := legal[0] != 0, legal[2] != 0 // both go to the empty neighbours, hits to the others
	some := bits.RotateLeft8(uint8(legal[0]|legal[1]|legal[2]), -start)
	for ; some != 0; some &= some - 1 {
		d := Direction(bits.TrailingZeros8(some)+start) & 7
		slot, turns := slotMove+1-int(d&1), d>>1
		if legal[1].Has(d) {
			if u := utilities[slot+slotHit-slotMove][turns]; u > most {
				best, most = Action{Command: Hit, Direction: d}, u
			}
			continue
		}
		if moves {
			if u := utilities[slot][turns]; u > most { // never where u is not a number
				best, most = Action{Command: Move, Direction: d}, u
			}
		}
		if divisions {
			if u := utilities[slot+slotDivide-slotMove][turns]; u > most {
				best, most = Action{Command: Divide, Direction: d}, u
			}
		}
	}
	return best
}

// maxMemory is the greatest memory of an evolved function, so that the sum over a view stays exact in an int32.
const maxMemory = 1 << 24

// toData turns the value of the memory slot into data, which trees read back in the same unit.
func toData(u float32) Data {
	return Data(math.Round(min(max(float64(orZero(u))/unitData, -maxMemory), maxMemory)))
}

func orZero(u float32) float32 {
	if u != u {
		return 0
	}
	return u
}

// fill draws into the frame as much of the view as the code reads.
func (e *evolved) fill(v *View, m *scratch, occupied, friends Cells) {
	w, f := v.w, m.frame
	if m.loaded != e.code {
		e.code.Load(f)
		m.loaded = e.code
	}
	f.SetScalar(scalarEnergy, float32(v.Energy)*unitEnergy)
	f.SetScalar(scalarHealth, float32(v.Health)*unitHealth)
	f.SetScalar(scalarFuel, float32(v.OwnFuel())*unitEnergy)
	f.SetScalar(scalarRound, float32(v.round)*unitEnergy)
	hostiles := occupied &^ friends
	f.Layers[layerFuel] = w.sight.bits()
	f.Layers[layerEmpty] = (w.sight &^ occupied).bits()
	f.Layers[layerHostiles] = hostiles.bits()
	f.Layers[layerInjured] = f.Layers[layerHostiles]
	f.Layers[layerFriends] = (friends &^ own).bits()
	m.situation = situation(hostiles, friends)
	if e.weighs.fuel {
		v.fillFuel(f.Rows[layerFuel])
	}
	if e.weighs.friends && friends != own {
		e.fillEnergy(v, f, layerFriends, friends&^own)
	}
	if hostiles != 0 {
		if e.weighs.hostiles {
			e.fillEnergy(v, f, layerHostiles, hostiles)
		}
		if e.weighs.injured {
			health := f.Weights[layerInjured]
			for rest := uint64(hostiles); rest != 0; rest &= rest - 1 {
				i := bits.TrailingZeros64(rest)
				health[i] = int32(w.who[w.g.home[v.cell+int(w.g.view[i])]].health)
			}
		}
	}
	if e.memory {
		f.SetScalar(scalarData, float32(fromData(v.Data))*unitData)
		f.Layers[layerCalls] = f.Layers[layerFriends]
		calls := f.Weights[layerCalls]
		for rest := uint64(friends &^ own); rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			calls[i] = fromData(w.data[w.g.home[v.cell+int(w.g.view[i])]])
		}
	}
}

// peek is what kernels need in order to draw for a solo what fill draws into a frame. They know its layout.
type peek struct {
	rows      [side + 1]uint64 // from the corner of a view to each of its rows; the last is none
	bitRows   [side + 1]uint64 // the same in bytes of a bit plane
	occupancy [2]*uint8        // World.occupied and that of the species
	planes    [3]*uint8        // fuel, energy and health
	weights   [3]*[64]uint8    // out: theirs
	weighs    uint64           // which of them: see weighsFuel
	sight     uint64
	corner    uint64        // the cell in the upper left corner of the greatest view
	layers    *gp.SoloLayer // out
	scalars   [scalarData]float32
	quads     *gp.Quad // out: the scalars under all turns
	occupied  Cells    // out: those of View
	friends   Cells
}

// draw does for a solo what fill does for a frame, and returns Occupied and Friends.
func (e *evolved) draw(v *View, m *scratch) (occupied, friends Cells) {
	w, p := v.w, &m.peek
	if m.loaded != e.code {
		m.solo.Load(e.code)
		m.loaded, p.quads = e.code, m.solo.Scalar(0)
	}
	p.occupancy = [2]*uint8{&w.occupied[0], &w.species[v.Species&(engine.MaxSeats-1)][0]}
	p.planes[0], p.weighs = &w.fuel[0], 0
	if e.weighs.fuel {
		p.weighs |= weighsFuel
	}
	if e.weighs.friends || e.weighs.hostiles {
		p.weighs |= weighsPeople
		p.planes[1] = &w.energyPlane()[0]
	}
	if e.weighs.injured {
		p.weighs |= weighsInjured
		p.planes[2] = &w.healthPlane()[0]
	}
	p.sight, p.corner = uint64(w.sight), uint64(v.cell-margin*w.g.pitch-margin)
	p.scalars = [scalarData]float32{float32(v.Energy) * unitEnergy, float32(v.Health) * unitHealth, float32(v.OwnFuel()) * unitEnergy, float32(v.round) * unitEnergy}
	peekOne(p)
	m.situation = situation(p.occupied&^p.friends, p.friends)
	return p.occupied, p.friends
}

// situation tells what is certain.
func situation(hostiles, friends Cells) (s int) {
	if hostiles == 0 {
		s |= noHostile
	}
	if friends == own {
		s |= noFriend
	}
	return s
}

// fillEnergy gives a layer the energy of the amoebas in its cells.
func (e *evolved) fillEnergy(v *View, f *gp.Frame, layer int, cells Cells) {
	w := v.w
	if rows := f.Rows[layer]; rows != nil {
		plane, at := w.energyPlane(), v.cell+int(w.g.view[0])
		for y := range side {
			rows.Set(y, binary.LittleEndian.Uint64(plane[at:])&spread(uint8(cells>>(side*y)&(1<<side-1))))
			at += w.g.pitch
		}
		return
	}
	weights := f.Weights[layer]
	for rest := uint64(cells); rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		weights[i] = int32(w.who[w.g.home[v.cell+int(w.g.view[i])]].energy)
	}
}

// fillFuel gives the layer of fuel what the amoeba sees.
func (v *View) fillFuel(rows *gp.Rows) {
	at := v.cell + int(v.w.g.view[0])
	for y, seen := range &v.w.sightRows {
		rows.Set(y, binary.LittleEndian.Uint64(v.w.fuel[at:])&seen)
		at += v.w.g.pitch
	}
}

// bits returns the set as gp numbers the cells of a window of the greatest view.
func (c Cells) bits() gp.Bits { return gp.Bits{uint64(c), 0} }

// fromData returns data as trees read it, in units of unitData.
func fromData(d Data) int32 { return int32(min(max(d, -maxMemory), maxMemory)) }
