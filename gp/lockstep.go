package gp

import (
	"fmt"
	"slices"
	"unsafe"

	"clade/gp/kernels"
)

// BatchSize is the greatest number of decisions in a Batch.
const BatchSize = 16

// Lanes of a batch: decision i under k quarter turns is lane 4*i+k, and a vector is 16 lanes or
// four decisions.
const (
	batchLanes  = BatchSize * Lanes
	vectorLanes = 16
)

// LaneFloats and LaneWords hold a value of each lane of a batch.
type (
	LaneFloats [batchLanes]float32
	LaneWords  [batchLanes]uint32
)

// nearRadius is how far a cell may be away from the actor, in both coordinates, to be near: 25
// cells, which fit a word.
const nearRadius = 2

// maxFar is the greatest number of far cells with a weight.
const maxFar = 16

// planes is a mask as a Batch takes it: four words for each turn, of which the first holds the near
// cells. See Grammar.PlaneBit.
type planes [4][Lanes]uint32

// LanePlanes is a layer as a Batch takes it: the four words of every lane.
type LanePlanes [4]LaneWords

// FarCells are the cells of a layer that are not near and have a weight, at most 16 a lane. Unused
// entries of a lane have bit and weight 0.
type FarCells struct {
	N      int // entries in use in any lane
	_      [7]int
	Index  [maxFar]LaneWords // 4 * plane + k quarter turns
	Bit    [maxFar]LaneWords // 1 << index in the plane
	Weight [maxFar]LaneWords // of the cell, in units of the layer
}

// Batch is what the trees of one genome may see of up to BatchSize decisions at once. It computes
// their values in lockstep: an instruction of the program for all lanes, then the next. It is
// scratch memory of one goroutine, as a Frame is.
//
// Layers hold for each lane the same unturned cells, as a Frame does, but in four planes of 32
// bits; see Grammar.PlaneBit. Cells that are near weigh Layer.Near each; only far ones are listed.
type Batch struct {
	machine machine
	run     func(*machine)
	memory  []float32 // what registers is a part of, aligned to a vector
	layers  []LanePlanes
	far     [MaxLayers]*FarCells
	weights [MaxLayers]weight
	truths  []uint64
	flags   [MaxFlags]uint64 // bit i: lane i
	code    *Code
	grammar *Grammar
	// set of the layers whose cells are all near
	nearOnly uint16
}

// weight says what a layer's weights are worth.
type weight struct {
	near int32
	unit float32
}

// machine is the state of a running program. The kernels know its layout.
type machine struct {
	code      *instruction
	registers *LaneFloats // scalars, constants, temporaries
	truths    *uint64     // bit i: lane i
	masks     *planes
	layers    *LanePlanes
	far       *[MaxLayers]*FarCells
	weights   *[MaxLayers]weight
	flags     *[MaxFlags]uint64
	active    uint64 // lanes that a skip waits for
	vectors   int    // vectors in use, 1..4
	squares   *[Lanes]Bits
	solo      *[MaxLayers]SoloLayer
	trees     *soloTree // of a situation, by slot
	values    *Quad     // by slot
	slots     uint64    // of the trees whose values are asked for
}

// NewBatch returns a batch for genomes of the grammar, computed by kernels of a level. It returns
// an error for a level without kernels, for a sensor that is no scalar and no flag and neither asks
// for, counts nor adds the cells of a layer, and for rows of weights.
func (g *Grammar) NewBatch(level kernels.Level) (*Batch, error) {
	run := runner(level)
	if run == nil {
		return nil, fmt.Errorf("gp: there are no kernels for a batch with %s", level)
	}
	if err := g.limitSensors("batch", Scalar, Flag, Any, Count, Sum); err != nil {
		return nil, err
	}
	for _, l := range g.Layers {
		if l.Rows {
			return nil, fmt.Errorf("gp: a batch lacks the rows of layer %q", l.Name)
		}
	}
	b := &Batch{run: run, grammar: g,
		layers: aligned[LanePlanes](max(1, len(g.Layers)))[:len(g.Layers)]}
	for i, l := range g.Layers {
		if l.Extent.within(g.near) {
			b.nearOnly |= 1 << i
		}
		if b.weights[i] = (weight{l.Near, l.Unit}); l.Unit != 0 {
			b.far[i] = &aligned[FarCells](1)[0]
		}
	}
	return b, nil
}

// limitSensors returns an error for a sensor that an executor does not have.
func (g *Grammar) limitSensors(executor string, forms ...Form) error {
	for _, op := range g.Operators {
		if op.Form >= Scalar && op.Form != Foreign && !slices.Contains(forms, op.Form) {
			return fmt.Errorf("gp: a %s lacks operator %q", executor, op.Name)
		}
	}
	return nil
}

// aligned returns n values that start at a multiple of 64 bytes. T has no pointers.
func aligned[T any](n int) []T {
	var t T
	size := n*int(unsafe.Sizeof(t)) + 64
	memory := unsafe.Pointer(unsafe.SliceData(make([]uint64, size/8)))
	return unsafe.Slice((*T)(unsafe.Add(memory, -uintptr(memory)&63)), n)
}

// Load prepares the batch for a genome's code: it makes room for the registers and fills in the
// constants. What the batch holds of scalars is lost.
func (b *Batch) Load(c *Code) {
	if need := max(c.registers, 1) * batchLanes; len(b.memory) < need {
		b.memory = aligned[float32](need)
	}
	if len(b.truths) < c.truths+1 {
		b.truths = make([]uint64, c.truths+1)
	}
	b.code = c
	m := &b.machine
	m.registers, m.truths, m.layers = (*LaneFloats)(b.memory), &b.truths[0],
		unsafe.SliceData(b.layers)
	m.masks, m.far, m.weights, m.flags = unsafe.SliceData(c.planes), &b.far, &b.weights, &b.flags
	for i, v := range c.constants {
		lanes := b.register(c.scalars + i)
		for k := range lanes {
			lanes[k] = v
		}
	}
}

func (b *Batch) register(i int) *LaneFloats { return (*LaneFloats)(b.memory[i*batchLanes:]) }

// Scalar returns a scalar to be filled in. It is valid until the next Load.
func (b *Batch) Scalar(i int) *LaneFloats { return b.register(i) }

// Flag returns a flag to be filled in: bit i is lane i.
func (b *Batch) Flag(i int) *uint64 { return &b.flags[i] }

// Layer returns a layer to be filled in.
func (b *Batch) Layer(i int) *LanePlanes { return &b.layers[i] }

// Far returns the far cells of a layer that has a unit, to be filled in; nil for other layers.
func (b *Batch) Far(i int) *FarCells { return b.far[i] }

// Eval computes the values of a slot's tree for the first n decisions, at most BatchSize, by the
// program of a situation, which must hold in all of them. The values, one a lane, are valid until
// the next call of Eval or Load; lanes of other decisions hold anything. Eval allocates nothing.
func (b *Batch) Eval(slot, situation, n int) *LaneFloats {
	p := &b.code.programs[slot*b.code.stride+situation]
	m := &b.machine
	m.code = unsafe.SliceData(p.code[:1]) // at least opEnd stands there
	m.active = ^uint64(0) >> (batchLanes - Lanes*n)
	m.vectors = (n + vectorLanes/Lanes - 1) / (vectorLanes / Lanes)
	b.run(m)
	return b.register(int(p.result))
}

// BestTurns is which turns are worth most, by decision.
type BestTurns struct {
	Possible [BatchSize]uint8   // bit k: k quarter turns are possible; to be filled in
	Turn     [BatchSize]uint8   // the best of those; anything where there is none
	Value    [BatchSize]float32 // of that turn
}

// Find finds the turns of the first n decisions under which values, which Batch.Eval has returned,
// are greatest: the first of equals. A NaN counts as minus infinity.
func (g *BestTurns) Find(values *LaneFloats, n int) { greatestTurns(values, uint64(n), g) }

// PlaneBit returns where a cell of the window stands in a Batch: 32 times the plane, 0..3, plus the
// bit. The first plane holds the 25 near cells in order, the next three all others.
func (g *Grammar) PlaneBit(cell int) int { return int(g.planeBit[cell]) }

func (g *Grammar) orderCells() {
	g.near = g.Window.Square(nearRadius)
	near, far := 0, 32
	for i := range g.Window.Side * g.Window.Side {
		at := &near
		if !g.near.Has(i) {
			at = &far
		}
		g.planeBit[i] = uint8(*at)
		*at++
	}
	g.makeSegments()
}
