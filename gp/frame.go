package gp

// Lanes is the number of turns that an executor computes at once: the world turned by 0, 1, 2 and 3 quarters clockwise.
const Lanes = 4

// Quad is a Float under the four turns.
type Quad [Lanes]float32

// Frame is what a genome's trees may see of one decision. The game fills it, then any number of trees are evaluated in it. A
// frame is scratch memory of one goroutine; it is reused from decision to decision and between genomes.
type Frame struct {
	Layers  [MaxLayers]Bits        // the cells of each layer, unturned
	Flags   [MaxFlags]uint8        // bit k: the flag under k quarter turns
	Weights [MaxLayers]*[128]int32 // of the cells of each layer that has a unit; only the cells in the layer count

	registers []Quad // scalars, then a program's constants, then its temporaries
	truths    []uint8
	scalars   int
}

// NewFrame returns a frame for genomes of the grammar.
func (g *Grammar) NewFrame() *Frame {
	f := &Frame{scalars: g.Scalars, registers: make([]Quad, g.Scalars)}
	for i, l := range g.Layers {
		if l.Unit != 0 {
			f.Weights[i] = new([128]int32)
		}
	}
	return f
}

// Scalar returns the place of a scalar: entry k is its value under k quarter turns.
func (f *Frame) Scalar(i int) *Quad { return &f.registers[i] }

// SetScalar gives a scalar that no turn changes its value.
func (f *Frame) SetScalar(i int, v float32) { f.registers[i] = Quad{v, v, v, v} }
