package gp

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"clade/gp/kernels"
)

// BatchSize is the greatest number of decisions in a Batch.
const BatchSize = 16

// Lanes of a batch: decision i under k quarter turns is lane 4*i+k, and a vector is 16 lanes or
// four decisions.
const (
	BatchLanes  = BatchSize * Lanes
	vectorLanes = 16
)

// LaneFloats and LaneWords hold a value of each lane of a batch.
type (
	LaneFloats [BatchLanes]float32
	LaneWords  [BatchLanes]uint32
)

// nearRadius is how far a cell may be away from the actor, in both coordinates, to be near: 25
// cells, which fit a word.
const nearRadius = 2

// maxFar is the greatest number of far cells with a weight.
const maxFar = 16

// planes is a mask as a Batch takes it: four words for each turn, of which the first holds the near
// cells. See Grammar.Place.
type planes [4][Lanes]uint32

// LanePlanes is a layer as a Batch takes it: the four words of every lane.
type LanePlanes [4]LaneWords

// FarCells are the cells of a layer that are not near and have a weight, at most 16 a lane. Entries
// of a lane that are not used have bit and weight 0.
type FarCells struct {
	N      int // entries in use in any lane
	_      [7]int
	Index  [maxFar]LaneWords // 4 * plane + k quarter turns
	Bit    [maxFar]LaneWords // 1 << place in the plane
	Weight [maxFar]LaneWords // of the cell, in units of the layer
}

// Batch is what the trees of one genome may see of up to BatchSize decisions at once, and computes
// their values in lockstep: an instruction of the program for all lanes, then the next. It is
// scratch memory of one goroutine, as a Frame is.
//
// Layers hold for each lane the same unturned cells, as a Frame does, but in words by place: the 25
// near cells in the first, all others in order in the next three. Cells that are near weigh
// Layer.Near each; only far ones are listed.
type Batch struct {
	machine machine
	run     func(*machine)
	memory  []float32 // what registers is a part of, aligned to a vector
	layers  []LanePlanes
	far     [MaxLayers]*FarCells
	weights [MaxLayers]weight
	truths  []uint64
	code    *Code
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
	active    uint64 // lanes that a skip waits for
	vectors   int    // vectors in use, 1..4
	squares   *[Lanes]Bits
	solo      *[MaxLayers]SoloLayer
	trees     *soloTree // of a situation, by slot
	values    *Quad     // by slot
	slots     uint64    // of the trees whose values are asked for
}

// NewBatch returns a batch for genomes of the grammar, computed by kernels of a level. It returns
// an error for a grammar with flags, least or greatest weights, or rows of weights.
func (g *Grammar) NewBatch(level kernels.Level) (*Batch, error) {
	for _, op := range g.Operators {
		switch op.Form {
		case Flag, Least, Greatest:
			return nil, fmt.Errorf("gp: the lockstep executor lacks operator %q", op.Name)
		}
	}
	for _, l := range g.Layers {
		if l.Rows {
			return nil, fmt.Errorf("gp: the lockstep executor lacks the rows of layer %q", l.Name)
		}
	}
	b := &Batch{run: runner(level), layers: aligned[LanePlanes](max(1, len(g.Layers)))}
	for i, l := range g.Layers {
		if b.weights[i] = (weight{l.Near, l.Unit}); l.Unit != 0 {
			b.far[i] = &aligned[FarCells](1)[0]
		}
	}
	return b, nil
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
	if need := max(c.registers, 1) * BatchLanes; len(b.memory) < need {
		b.memory = aligned[float32](need)
	}
	if len(b.truths) < c.truths+1 {
		b.truths = make([]uint64, c.truths+1)
	}
	b.code = c
	m := &b.machine
	m.registers, m.truths, m.layers = (*LaneFloats)(b.memory), &b.truths[0],
		unsafe.SliceData(b.layers)
	m.masks, m.far, m.weights = unsafe.SliceData(c.planes), &b.far, &b.weights
	for i, v := range c.constants {
		lanes := b.register(c.scalars + i)
		for k := range lanes {
			lanes[k] = v
		}
	}
}

func (b *Batch) register(i int) *LaneFloats { return (*LaneFloats)(b.memory[i*BatchLanes:]) }

// Scalar returns the place of a scalar, until the next Load.
func (b *Batch) Scalar(i int) *LaneFloats { return b.register(i) }

// Layer returns the place of a layer.
func (b *Batch) Layer(i int) *LanePlanes { return &b.layers[i] }

// Far returns the place of the far cells of a layer that has a unit, else nil.
func (b *Batch) Far(i int) *FarCells { return b.far[i] }

// Eval computes the values of a slot's tree for the first n decisions, at most BatchSize, by the
// program of a situation, which must hold in all of them. The values, one a lane, are valid until
// the next call of Eval or Load; lanes of other decisions hold anything. Eval allocates nothing.
func (b *Batch) Eval(slot, situation, n int) *LaneFloats {
	p := &b.code.programs[slot*b.code.stride+situation]
	m := &b.machine
	m.code = unsafe.SliceData(p.code[:1]) // at least opEnd stands there
	m.active = ^uint64(0) >> (BatchLanes - Lanes*n)
	m.vectors = (n + vectorLanes/Lanes - 1) / (vectorLanes / Lanes)
	b.run(m)
	return b.register(int(p.result))
}

// Place returns where a cell of the window stands in the words of a Batch: 32 times the word, 0..3,
// plus the bit.
func (g *Grammar) Place(cell int) int { return int(g.place[cell]) }

func (g *Grammar) placeCells() {
	g.near = g.Window.Square(nearRadius)
	near, far := 0, 32
	for i := range g.Window.Side * g.Window.Side {
		at := &near
		if !g.near.Has(i) {
			at = &far
		}
		g.place[i] = uint8(*at)
		*at++
	}
}

// inPlanes orders a set of cells by place.
func (g *Grammar) inPlanes(b Bits) (words [4]uint32) {
	for i := range g.Window.Side * g.Window.Side {
		if b.Has(i) {
			words[g.place[i]>>5] |= 1 << (g.place[i] & 31)
		}
	}
	return words
}

// runPlain is the twin of the kernels in plain Go.
func runPlain(m *machine) {
	n := min(m.vectors*vectorLanes, BatchLanes)
	float := func(r uint16) []float32 {
		return (*LaneFloats)(unsafe.Add(unsafe.Pointer(m.registers),
			uintptr(r)*unsafe.Sizeof(LaneFloats{})))[:n]
	}
	truth := func(
		r uint16) *uint64 {
		return (*uint64)(unsafe.Add(unsafe.Pointer(m.truths), uintptr(r)*8))
	}
	for pc := m.code; ; pc = following(pc, 1) {
		switch in := pc; in.op {
		case opAdd:
			d, a, b := float(in.dst), float(in.a), float(in.b)
			for i := range d {
				d[i] = a[i] + b[i]
			}
		case opSub:
			d, a, b := float(in.dst), float(in.a), float(in.b)
			for i := range d {
				d[i] = a[i] - b[i]
			}
		case opMul:
			d, a, b := float(in.dst), float(in.a), float(in.b)
			for i := range d {
				d[i] = a[i] * b[i]
			}
		case opBlend:
			d, a, b, c := float(in.dst), float(in.a), float(in.b), *truth(in.c)
			for i := range d {
				mask := -uint32(c >> i & 1)
				d[i] = math.Float32frombits(math.Float32bits(a[i])&mask | math.Float32bits(
					b[i])&^mask)
			}
		case opSmaller:
			a, b, c := float(in.a), float(in.b), uint64(0)
			for i := range a {
				c |= uint64(bit(a[i] < b[i])) << i
			}
			*truth(in.dst) = c
		case opEqual:
			a, b, c := float(in.a), float(in.b), uint64(0)
			for i := range a {
				c |= uint64(bit(a[i] == b[i])) << i
			}
			*truth(in.dst) = c
		case opAnd:
			*truth(in.dst) = *truth(in.a) & *truth(in.b)
		case opOr:
			*truth(in.dst) = *truth(in.a) | *truth(in.b)
		case opNot:
			*truth(in.dst) = ^*truth(in.a)
		case opSkipNone:
			if *truth(in.c)&m.active == 0 {
				pc = following(pc, in.a)
			}
		case opSkipAll:
			if ^*truth(in.c)&m.active == 0 {
				pc = following(pc, in.a)
			}
		case opEnd:
			return
		default:
			m.sense(in, float, truth, n)
		}
	}
}

// following returns the instruction so many behind this one.
func following(pc *instruction, by uint16) *instruction {
	return (*instruction)(unsafe.Add(unsafe.Pointer(pc), uintptr(by)*unsafe.Sizeof(instruction{})))
}

// sense runs the instructions that look at a layer.
func (m *machine) sense(in *instruction, float func(uint16) []float32, truth func(uint16) *uint64,
	n int) {
	mask := (*planes)(unsafe.Add(unsafe.Pointer(m.masks), uintptr(in.b)*unsafe.Sizeof(planes{})))
	layer := (*LanePlanes)(unsafe.Add(unsafe.Pointer(m.layers),
		uintptr(in.a)*unsafe.Sizeof(LanePlanes{})))
	weight := m.weights[in.a]
	switch in.op {
	case opAny, opNearAny:
		c := uint64(0)
		for i := range n {
			word := layer[0][i] & mask[0][i&3]
			if in.op == opAny {
				word |= layer[1][i]&mask[1][i&3] | layer[2][i]&mask[2][i&3] | layer[3][i]&mask[3][i&3]
			}
			c |= uint64(bit(word != 0)) << i
		}
		*truth(in.dst) = c
	case opNearCount:
		for i, d := 0, float(in.dst); i < len(d); i++ {
			d[i] = float32(bits.OnesCount32(layer[0][i] & mask[0][i&3]))
		}
	case opCount:
		for i, d := 0, float(in.dst); i < len(d); i++ {
			d[i] = float32(
				bits.OnesCount64(
					uint64(layer[0][i]&mask[0][i&3])|uint64(layer[1][i]&mask[1][i&3])<<32) +
					bits.OnesCount64(
						uint64(layer[2][i]&mask[2][i&3])|uint64(layer[3][i]&mask[3][i&3])<<32))
		}
	case opNearSum:
		for i, d := 0, float(in.dst); i < len(d); i++ {
			d[i] = float32(
				int32(bits.OnesCount32(layer[0][i]&mask[0][i&3]))*weight.near) * weight.unit
		}
	case opSum:
		far := m.far[in.a]
		for i, d := 0, float(in.dst); i < len(d); i++ {
			s := int32(bits.OnesCount32(layer[0][i]&mask[0][i&3])) * weight.near
			for j := range far.N {
				if at := far.Index[j][i]; mask[at>>2&3][at&3]&far.Bit[j][i] != 0 {
					s += int32(far.Weight[j][i])
				}
			}
			d[i] = float32(s) * weight.unit
		}
	default:
		panic("gp: lockstep: unknown opcode")
	}
}
