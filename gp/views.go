package gp

import (
	"fmt"
	"math/bits"

	"clade/gp/kernels"
)

// Views holds what up to BatchSize decisions see. Decisions are filled in one by one, drawn all at
// once, where Frame.Draw draws one, and then put into a Batch. It is scratch memory of one
// goroutine.
//
// Calls come in this order: Frame for each decision, Look, and then Holding, Enter and Batch.Eval
// any number of times.
type Views struct {
	grammar *Grammar
	memory  *views
	frames  [BatchSize]Frame
	layers  uint64 // set of all
	kernels viewKernels
}

// views is the memory of Views. The kernels know its layout.
type views struct {
	wraps  [2][BatchSize]uint64            // halves of recentring.wraps, by decision
	turns  [2][BatchSize]uint64            // recentring.turns, by decision
	boards [MaxLayers][2][BatchSize]uint64 // halves of what was drawn, by decision
	//lint:ignore U1000 the kernels write and read it
	words  [MaxLayers][4][BatchSize]uint32 // planes of the window, by decision
	plans  [MaxLayers]viewPlan
	pieces [maxPieces]viewPiece
	filled [MaxLayers]uint32 // decisions in which the layer holds a cell
	order  [BatchSize]uint32 // decisions that Enter puts into a batch
	cells  uint64            // of the window
	_      [7]uint64         // so that a vector read from any entry of order stays inside the struct
}

// viewPlan says how Look draws a layer.
type viewPlan struct {
	extent Bits
	walls  Bits   // the extent of a layer with walls, whose opposite is drawn
	planes uint64 // number of planes in use
}

// viewPiece is a segment in the form in which the kernels cut it out of a word.
type viewPiece struct {
	word  uint64 // of the window, times 8: its low half, the 64 bits of its middle, its high half
	shift uint64 // how far the word is shifted to the right
	mask  uint64 // the bits of the shifted word
	more  uint64 // 1 where another piece of the same plane follows
}

// maxPieces is enough for windows of 11 x 11.
const maxPieces = 32

// viewKernels are those of a level. layers is a set and not empty.
type viewKernels struct {
	look  func(v *views, layers, set uint64)
	enter func(v *views, lanes *LanePlanes, layers, n uint64)
}

// NewViews returns views for genomes of the grammar, drawn by kernels of a level. It returns an
// error where NewBatch does, and for layers with weights.
func (g *Grammar) NewViews(level kernels.Level) (*Views, error) {
	if _, err := g.NewBatch(level); err != nil {
		return nil, err
	}
	for _, l := range g.Layers {
		if l.Unit != 0 {
			return nil, fmt.Errorf("gp: views lack the weights of layer %q", l.Name)
		}
	}
	v := &Views{grammar: g, memory: &aligned[views](1)[0], kernels: viewersOf(level)}
	for i := range v.frames {
		v.frames[i] = Frame{grammar: g, together: v.memory, decision: i,
			registers: make([]Quad, g.Scalars)}
	}
	if g.rectOp < 0 {
		return v, nil // no operator reads a layer
	}
	v.layers = 1<<len(g.Layers) - 1
	m := v.memory
	m.cells = uint64(g.Window.Side * g.Window.Side)
	m.cut(g.segments)
	planes := uint64(1)
	for _, s := range g.segments {
		planes = max(planes, uint64(s.plane)+1)
	}
	for i, l := range g.Layers {
		m.plans[i] = viewPlan{extent: l.Extent, planes: planes}
		if l.Extent.within(g.near) {
			m.plans[i].planes = 1
		}
		if l.Walls {
			m.plans[i].walls = l.Extent
		}
	}
	return v, nil
}

// cut makes the pieces of each plane, plane by plane.
func (v *views) cut(segments []segment) {
	n, last := 0, uint8(0)
	for plane := range uint8(4) {
		for _, s := range segments {
			if s.plane != plane {
				continue
			}
			if n > 0 && last == plane {
				v.pieces[n-1].more = 1
			}
			// The bit of a cell in its plane is never above its bit in the window.
			shift := s.from - s.to
			word := min(shift/32, 2)
			v.pieces[n] = viewPiece{word: 8 * uint64(word), shift: uint64(shift - 32*word),
				mask: uint64(s.mask) << s.to}
			n, last = n+1, plane
		}
	}
}

// Frame returns the frame in which a decision is to be drawn, with Centre, Draw, Scalar and
// SetScalar, or by its layers and flags.
func (v *Views) Frame(decision int) *Frame {
	f := &v.frames[decision]
	f.drawn, f.grid = 0, nil
	return f
}

// Look draws the decisions of a set, whose frames have been filled in; bit i is decision i. It
// draws only the given layers: what Holding says of others is undefined.
func (v *Views) Look(set uint32, layers uint16) {
	seen := v.layers & uint64(layers)
	if seen == 0 {
		return
	}
	mixed := uint32(0) // decisions with layers of both kinds, drawn and set
	for left := set; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left) % BatchSize
		f := &v.frames[i]
		if set := uint16(seen) &^ f.drawn; f.grid == nil {
			f.enterWindow(set)
		} else if set != 0 {
			mixed |= 1 << i
		}
	}
	v.kernels.look(v.memory, seen, uint64(set))
	for ; mixed != 0; mixed &= mixed - 1 {
		f := &v.frames[bits.TrailingZeros32(mixed)%BatchSize]
		f.enterPlanes(uint16(seen) &^ f.drawn)
	}
}

// enterWindow copies layers that were set in a frame in which nothing was drawn.
func (f *Frame) enterWindow(set uint16) {
	m, i := f.together, f.decision
	m.wraps[0][i], m.wraps[1][i], m.turns[0][i], m.turns[1][i] = 0, 0, 0, 0
	for ; set != 0; set &= set - 1 {
		l := bits.TrailingZeros16(set)
		cells := f.Layers[l]
		if p := &m.plans[l]; !p.walls.Empty() {
			cells = p.extent.AndNot(cells)
		}
		m.boards[l][0][i], m.boards[l][1][i] = cells.Low, cells.High
	}
}

// enterPlanes copies layers that were set in a frame in which others were drawn, past the move of
// the drawn ones, which would drop cells beyond a wall.
func (f *Frame) enterPlanes(set uint16) {
	m, i := f.together, f.decision
	for ; set != 0; set &= set - 1 {
		l := bits.TrailingZeros16(set)
		for plane, word := range f.grammar.spread(&f.Layers[l]) {
			m.words[l][plane][i] = word
		}
		m.filled[l] &^= 1 << i
		if !f.Layers[l].Empty() {
			m.filled[l] |= 1 << i
		}
	}
}

// Holding returns the decisions of a set in which a situation holds.
func (v *Views) Holding(s Situation, set uint32) uint32 {
	for left := s.Empty; left != 0; left &= left - 1 {
		set &^= v.memory.filled[bits.TrailingZeros16(left)]
	}
	for left := s.Present; left != 0; left &= left - 1 {
		set &= v.memory.filled[bits.TrailingZeros16(left)]
	}
	return set
}

// Enter puts the decisions of a set into a batch, in order.
func (v *Views) Enter(set uint32, b *Batch) {
	m, n := v.memory, 0
	for left := set; left != 0; left &= left - 1 {
		m.order[n] = uint32(bits.TrailingZeros32(left))
		n++
	}
	for left := b.code.reads.Scalars; left != 0; left &= left - 1 {
		s := bits.TrailingZeros64(left)
		lanes := b.register(s)
		for k, i := range m.order[:n] {
			*(*Quad)(lanes[Lanes*k:]) = v.frames[i%BatchSize].registers[s]
		}
	}
	for s := range v.grammar.Flags {
		lanes := uint64(0)
		for k, i := range m.order[:n] {
			lanes |= uint64(v.frames[i%BatchSize].Flags[s]&(1<<Lanes-1)) << (Lanes * k)
		}
		*b.Flag(s) = lanes
	}
	if read := v.layers & uint64(b.code.reads.Layers); read != 0 {
		v.kernels.enter(m, &b.layers[0], read, uint64(n))
	}
}
