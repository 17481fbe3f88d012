package gp

import (
	"fmt"
	"unsafe"

	"clade/gp/kernels"
)

// NoWeight exceeds every weight of a layer with a Least sensor.
const NoWeight = 255

// Solo is a Frame and its executor for games with a small window whose decisions come one at a
// time: it holds what the trees of one genome may see, and computes their values under the four
// turns in lockstep. It is scratch memory of one goroutine.
type Solo struct {
	run       func(*machine)
	machine   machine
	registers []Quad
	layers    [MaxLayers]SoloLayer
	weights   [MaxLayers]weight
	truths    []uint64
	trees     []soloTree // by situation, then slot
	slots     int
}

// soloTree is a program and the register of its value. The kernels know its layout.
type soloTree struct {
	code   *instruction
	result *Quad
}

// SoloLayer is a layer of a Solo. The kernels know its layout.
type SoloLayer struct {
	Cells uint64
	// Weights are those of the cells of a layer with a unit: 0..255, and below NoWeight if the
	// layer is asked for its least weight. Layers may share them; only cells in the layer count.
	Weights *[64]uint8
}

// NewSolo returns a Solo for genomes of the grammar. It returns an error for a grammar with other
// sensors than scalars, counts, sums of Rows and least weights, all of a window of at most 7 cells
// a side, and for the level without kernels, where Code.Eval does the same.
func (g *Grammar) NewSolo(level kernels.Level) (*Solo, error) {
	run := soloRunner(level)
	if run == nil {
		return nil, fmt.Errorf("gp: there are no kernels for a solo with %s", level)
	}
	if g.makeMasks(); g.bands == nil || g.Window.Side > 7 {
		return nil, fmt.Errorf(
			"gp: a solo needs a window of at most 7 cells a side and a layer with rows")
	}
	if err := g.limitSensors("solo", Scalar, Count, Sum, Least); err != nil {
		return nil, err
	}
	for _, op := range g.Operators {
		if op.Form == Sum && !g.Layers[op.Index].Rows {
			return nil, fmt.Errorf("gp: a solo lacks operator %q, whose layer has no rows", op.Name)
		}
	}
	if len(g.Slots) > 64 {
		return nil, fmt.Errorf("gp: a solo takes at most 64 slots, not %d", len(g.Slots))
	}
	s := &Solo{run: run}
	for i, l := range g.Layers {
		s.weights[i] = weight{unit: l.Unit}
	}
	return s, nil
}

// Load prepares the solo for a genome's code: it makes room for the registers and fills in the
// constants. Scalars are lost, layers stay.
func (s *Solo) Load(c *Code) {
	if need := max(c.registers, batchLanes/Lanes); len(s.registers) < need {
		s.registers = make([]Quad, need)
	}
	if len(s.truths) < c.truths+1 {
		s.truths = make([]uint64, c.truths+1)
	}
	m := &s.machine
	m.registers, m.truths, m.solo = (*LaneFloats)(unsafe.Pointer(&s.registers[0])), &s.truths[0],
		&s.layers
	m.active = 1<<Lanes - 1
	m.squares, m.weights = unsafe.SliceData(c.masks), &s.weights
	for i, v := range c.constants {
		s.registers[c.scalars+i] = Quad{v, v, v, v}
	}
	s.slots, s.trees = len(c.programs)/c.stride, s.trees[:0]
	for situation := range c.stride {
		for slot := range s.slots {
			p := &c.programs[slot*c.stride+situation]
			// Even an empty program has its opEnd.
			s.trees = append(s.trees, soloTree{unsafe.SliceData(p.code), &s.registers[p.result]})
		}
	}
}

// Layer returns a layer to be filled in.
func (s *Solo) Layer(i int) *SoloLayer { return &s.layers[i] }

// Scalar returns a scalar to be filled in. It is valid until the next Load.
func (s *Solo) Scalar(i int) *Quad { return &s.registers[i] }

// Eval computes the values of the trees of a set of slots under the four turns, by the programs of
// a situation, which must hold. It sets values at the indices of the slots and allocates nothing.
func (s *Solo) Eval(slots uint64, situation int, values []Quad) {
	m := &s.machine
	m.trees, m.values, m.slots = &s.trees[situation*s.slots], &values[:s.slots][0],
		slots&(1<<s.slots-1)
	s.run(m)
}
