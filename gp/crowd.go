package gp

import (
	"fmt"
	"math/bits"
	"unsafe"

	"clade/gp/kernels"
)

// CrowdSize is the greatest number of decisions in a Crowd.
const CrowdSize = vectorLanes

// CrowdBits is the number of bits of the weights of a layer that is asked for the least.
const CrowdBits = 16

// Crowd is for grammars with layers of Rows what Batch is for others: what the trees of one genome may see of up to CrowdSize decisions at once, whose values it computes in
// lockstep. Its lanes stand by turn: decision i under k quarter turns is lane 16*k+i, so that a rectangle is the same for all lanes of a vector, and a tree that only matters
// unturned takes a quarter of the time. It is scratch memory of one goroutine.
type Crowd struct {
	machine machine
	run     func(*machine)
	memory  []float32 // what registers is a part of, aligned to a vector
	layers  []CrowdLayer
	weights [MaxLayers]weight
	truths  []uint64
	code    *Code
}

// CrowdLayer is a layer as a Crowd takes it. The kernels know its layout.
type CrowdLayer struct {
	Cells [CrowdSize]uint64            // by decision: the cells
	Bits  [CrowdBits][CrowdSize]uint64 // of a layer asked for its least weight: in plane p the cells whose weight has bit p; cells that are not in the layer may stand there
	Rows  [8][2][CrowdSize]uint64      // of a layer with Rows: by row the sums of the rows before it, of columns 0, 2, 4, 6 and of 1, 3, 5, as Rows holds them
}

// NewCrowd returns a crowd for genomes of the grammar, computed by kernels of a level; weights of which the least is asked have so many bits, 1..CrowdBits. It returns an
// error for a grammar with other sensors than scalars, counts, sums of Rows and least weights, all of a window of at most 64 cells.
func (g *Grammar) NewCrowd(level kernels.Level, weightBits int) (*Crowd, error) {
	if g.bands == nil || g.Window.Side > 7 {
		return nil, fmt.Errorf("gp: a crowd needs a window of at most 7 cells a side and a layer with rows")
	}
	if weightBits < 1 || weightBits > CrowdBits {
		return nil, fmt.Errorf("gp: weights in a crowd have 1 to %d bits, not %d", CrowdBits, weightBits)
	}
	for _, op := range g.Operators {
		switch {
		case op.Form == Flag, op.Form == Any, op.Form == Greatest, op.Form == Sum && !g.Layers[op.Index].Rows:
			return nil, fmt.Errorf("gp: a crowd lacks operator %q", op.Name)
		}
	}
	c := &Crowd{run: runner(level), layers: aligned[CrowdLayer](len(g.Layers))}
	for i, l := range g.Layers {
		c.weights[i] = weight{int32(weightBits), l.Unit}
	}
	return c, nil
}

// Load prepares the crowd for a genome's code, as Batch.Load does.
func (b *Crowd) Load(c *Code) {
	if need := max(c.registers, 1) * BatchLanes; len(b.memory) < need {
		b.memory = aligned[float32](need)
	}
	if len(b.truths) < c.truths+1 {
		b.truths = make([]uint64, c.truths+1)
	}
	b.code = c
	m := &b.machine
	m.registers, m.truths, m.crowd = (*LaneFloats)(b.memory), &b.truths[0], unsafe.SliceData(b.layers)
	m.squares, m.bands, m.weights = unsafe.SliceData(c.masks), unsafe.SliceData(c.bands), &b.weights
	for i, v := range c.constants {
		lanes := (*LaneFloats)(b.memory[(c.scalars+i)*BatchLanes:])
		for k := range lanes {
			lanes[k] = v
		}
	}
}

// Scalar returns the place of a scalar, until the next Load.
func (b *Crowd) Scalar(i int) *LaneFloats { return (*LaneFloats)(b.memory[i*BatchLanes:]) }

// Layer returns the place of a layer.
func (b *Crowd) Layer(i int) *CrowdLayer { return &b.layers[i] }

// Eval computes the values of a slot's tree for the first n decisions, under the first so many turns, by the program of a situation, which must hold in all of them. The values,
// one a lane, are valid until the next call of Eval or Load; other lanes hold anything. Eval allocates nothing.
func (b *Crowd) Eval(slot, situation, n, turns int) *LaneFloats {
	p := &b.code.programs[slot*b.code.stride+situation]
	m := &b.machine
	m.code = unsafe.SliceData(p.code[:1]) // at least opEnd stands there
	m.active = (1<<n - 1) * 0x0001000100010001 & (1<<(vectorLanes*turns) - 1)
	m.vectors = turns
	b.run(m)
	return (*LaneFloats)(b.memory[int(p.result)*BatchLanes:])
}

// senseCrowd runs the instructions that look at a layer of a crowd.
func (m *machine) senseCrowd(in *instruction, float func(uint16) []float32) {
	layer := (*CrowdLayer)(unsafe.Add(unsafe.Pointer(m.crowd), uintptr(in.a)*unsafe.Sizeof(CrowdLayer{})))
	mask := (*[Lanes]Bits)(unsafe.Add(unsafe.Pointer(m.squares), uintptr(in.b)*unsafe.Sizeof([Lanes]Bits{})))
	weight := m.weights[in.a]
	for lane, d := 0, float(in.dst); lane < len(d); lane++ {
		i, k := lane%CrowdSize, lane/CrowdSize
		cells := layer.Cells[i] & mask[k][0]
		switch in.op {
		case opWordCount:
			d[lane] = float32(bits.OnesCount64(cells))
		case opRowSum:
			band := (*[Lanes]band)(unsafe.Add(unsafe.Pointer(m.bands), uintptr(in.b)*unsafe.Sizeof([Lanes]band{})))[k]
			first, last := &layer.Rows[band.first&7], &layer.Rows[band.last&7]
			columns := (last[0][i]-first[0][i])&band.even + (last[1][i]-first[1][i])&band.odd
			d[lane] = float32(int32(columns*0x0001000100010001>>48)) * weight.unit
		case opLeast:
			least := int32(0)
			for p := int(weight.near) - 1; p >= 0 && cells != 0; p-- {
				if zeros := cells &^ layer.Bits[p][i]; zeros != 0 {
					cells = zeros
				} else {
					least |= 1 << p
				}
			}
			d[lane] = float32(least) * weight.unit
		}
	}
}
