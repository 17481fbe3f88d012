package gp

import (
	"fmt"
	"math/bits"
	"unsafe"

	"clade/gp/kernels"
)

// CrowdSize is the greatest number of decisions in a Crowd.
const CrowdSize = vectorLanes

// NoWeight stands in CrowdLayer.Weights where a layer holds no cell.
const NoWeight = 255

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
	Cells   [CrowdSize]uint64       // by decision: the cells
	Weights [8][CrowdSize]uint64    // of a layer asked for its least weight, by row: byte x is column x, a weight in 0..254 or NoWeight
	Rows    [8][2][CrowdSize]uint64 // of a layer with Rows: by row the sums of the rows before it, of columns 0, 2, 4, 6 and of 1, 3, 5, as Rows holds them
}

// NewCrowd returns a crowd for genomes of the grammar, computed by the kernels of a level. It returns an error for AVX2, which has none, and for a grammar
// with other sensors than scalars, counts, sums of Rows and least weights, all of a window of at most 7 cells a side.
func (g *Grammar) NewCrowd(level kernels.Level) (*Crowd, error) {
	if level == kernels.AVX2 {
		return nil, fmt.Errorf("gp: there are no kernels for crowds with %s", level)
	}
	if err := g.crowded(); err != nil {
		return nil, err
	}
	c := &Crowd{run: runner(level), layers: aligned[CrowdLayer](len(g.Layers))}
	for i, l := range g.Layers {
		c.weights[i] = weight{unit: l.Unit}
	}
	return c, nil
}

// crowded returns an error for a grammar that neither a Crowd nor a Solo takes.
func (g *Grammar) crowded() error {
	if g.bands == nil || g.Window.Side > 7 {
		return fmt.Errorf("gp: a crowd needs a window of at most 7 cells a side and a layer with rows")
	}
	for _, op := range g.Operators {
		switch {
		case op.Form == Flag, op.Form == Any, op.Form == Greatest, op.Form == Sum && !g.Layers[op.Index].Rows:
			return fmt.Errorf("gp: a crowd lacks operator %q", op.Name)
		}
	}
	return nil
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
	weight := m.weights[in.a]
	for lane, d := 0, float(in.dst); lane < len(d); lane++ {
		i, k := lane%CrowdSize, lane/CrowdSize
		if in.op == opWordCount {
			mask := (*[Lanes]Bits)(unsafe.Add(unsafe.Pointer(m.squares), uintptr(in.b)*unsafe.Sizeof([Lanes]Bits{})))
			d[lane] = float32(bits.OnesCount64(layer.Cells[i] & mask[k][0]))
			continue
		}
		band := (*[Lanes]band)(unsafe.Add(unsafe.Pointer(m.bands), uintptr(in.b)*unsafe.Sizeof([Lanes]band{})))[k]
		if in.op == opRowSum {
			first, last := &layer.Rows[band.first&7], &layer.Rows[band.last&7]
			columns := (last[0][i]-first[0][i])&band.even + (last[1][i]-first[1][i])&band.odd
			d[lane] = float32(int32(columns*0x0001000100010001>>48)) * weight.unit
			continue
		}
		least := uint8(NoWeight)
		for y := band.first; y < band.last; y++ {
			row := layer.Weights[y][i] | ^(band.even&lowBytes | band.odd&^lowBytes)
			for ; row != ^uint64(0); row = row>>8 | 0xff<<56 {
				least = min(least, uint8(row))
			}
		}
		if least == NoWeight {
			least = 0
		}
		d[lane] = float32(least) * weight.unit
	}
}
