package gp

import (
	"math"
	"slices"
)

// Lanes is the number of turns that an executor computes at once: the world turned by 0, 1, 2 and 3
// quarters clockwise.
const Lanes = 4

// Quad is a Float under the four turns.
type Quad [Lanes]float32

// maxSide is the most cells a side of a window, which Bits can hold.
const maxSide = 11

// Frame holds what a genome's trees may see in one decision. The game fills it in, and any number
// of trees are then evaluated in it. A frame is scratch memory of one goroutine; it is reused from
// decision to decision and between genomes.
type Frame struct {
	Layers  [MaxLayers]Bits        // the cells of each layer, unturned
	Flags   [MaxFlags]uint8        // bit k: the flag under k quarter turns
	Weights [MaxLayers]*[128]int32 // of layers with a unit; only cells in the layer count
	Rows    [MaxLayers]*Rows       // of layers whose weights are bytes

	code      *Code  // of For
	registers []Quad // scalars, then a program's constants, then its temporaries
	truths    []uint8
	grammar   *Grammar

	grid     *Grid  // of Centre
	field    *Field // of CentreField
	at       int
	together *views // of the Views whose frame it is
	decision int
	drawn    uint16 // set of the layers that were drawn together
}

// For sets whose trees will be evaluated in the frame from now on, which Reads answers for; nil
// stands for any.
func (f *Frame) For(c *Code) { f.code = c }

// Reads returns what must be filled in: no tree reads anything else. See For.
func (f *Frame) Reads() Reads {
	if f.code == nil {
		return Reads{math.MaxUint16, math.MaxUint64, math.MaxUint32}
	}
	return f.code.Reads()
}

// Centre sets the cell of a grid on which the player stands, for Draw. The grid has the side of the
// window.
func (f *Frame) Centre(g *Grid, cell int) {
	f.grid, f.at = g, cell
	if v := f.together; v != nil {
		r, i := &g.moves[cell], f.decision&(BatchSize-1)
		v.wraps[0][i], v.wraps[1][i] = r.wraps.Low, r.wraps.High
		v.turns[0][i], v.turns[1][i] = uint64(r.turns[0]), uint64(r.turns[1])
	}
}

// CentreField sets the cell of a field on which the player stands, for DrawField.
func (f *Frame) CentreField(d *Field, cell int) { f.grid, f.field, f.at = nil, d, cell }

// DrawField is Draw for cells of a field.
func (f *Frame) DrawField(layer int, board *Cells) {
	l, side, beyond := &f.grammar.Layers[layer], f.grammar.Window.Side, uint64(0)
	if l.Walls {
		beyond = math.MaxUint64
	}
	f.Layers[layer] = f.field.window(board, f.at, side, beyond).And(l.Extent)
}

// OnGrid returns which square of the board, counted row by row, is x to the right of the player
// and y below. It returns false beyond a wall, and where neither Centre nor CentreField was called.
func (f *Frame) OnGrid(x, y int) (square int, ok bool) {
	switch {
	case f.grid != nil:
		return f.grid.Cell(f.at, x, y)
	case f.field != nil:
		cell, ok := f.field.Cell(f.at, x, y)
		return f.field.Index(cell), ok
	}
	return 0, false
}

// Draw sets a layer to cells of the board, as seen from the player; see Centre. A layer with Walls
// also gets all cells beyond the walls. Cells outside of the layer's extent are left out. In a
// frame of Views the board is only remembered: Look draws all decisions at once.
func (f *Frame) Draw(layer int, board Bits) {
	if v := f.together; v != nil {
		f.drawn |= 1 << layer
		if !v.plans[layer&(MaxLayers-1)].walls.Empty() {
			board = f.grid.all.AndNot(board)
		}
		b, i := &v.boards[layer&(MaxLayers-1)], f.decision&(BatchSize-1)
		b[0][i], b[1][i] = board.Low, board.High
		return
	}
	f.drawAlone(layer, board)
}

func (f *Frame) drawAlone(layer int, board Bits) {
	l := &f.grammar.Layers[layer]
	if !l.Walls {
		f.Layers[layer] = f.grid.Recentre(board, f.at).And(l.Extent)
		return
	}
	f.Layers[layer] = l.Extent.AndNot(f.grid.Recentre(f.grid.all.AndNot(board), f.at))
}

// Rows holds the weights of a layer as running sums down each column, so that the sum over a
// rectangle is a difference of two rows. A word holds four columns of 16 bits.
type Rows struct {
	even, odd [8]uint64 // by row: the sums of the rows before it, columns 0, 2, 4, 6 and 1, 3, 5
}

const lowBytes = 0x00ff00ff00ff00ff

// Set sets the weights of all rows: byte x is that of column x, and 0 where the layer holds no cell
// and past the last column.
func (r *Rows) Set(weights *[7]uint64) {
	var even, odd uint64
	for y, row := range weights {
		even, odd = even+row&lowBytes, odd+row>>8&lowBytes
		r.even[y+1], r.odd[y+1] = even, odd
	}
}

// at returns the weight of a cell.
func (r *Rows) at(x, y int) int32 {
	column := &r.even
	if x&1 != 0 {
		column = &r.odd
	}
	return int32(uint16((column[y+1] - column[y]) >> (x >> 1 * 16)))
}

// band is a rectangle in the form in which Rows are summed: rows from first to before last, and a
// lane of ones for each column.
type band struct {
	even, odd   uint64
	first, last uint8
}

// sum adds the weights of a rectangle.
func (r *Rows) sum(b *band) int32 {
	columns := (r.even[b.last&7]-r.even[b.first&7])&b.even + (r.odd[b.last&7]-r.odd[b.first&7])&b.odd
	return int32(columns * 0x0001000100010001 >> 48)
}

// band returns a set of cells of the window, which must be a rectangle or empty, as a band.
func (w Window) band(cells Bits) (b band) {
	for i := range w.Side * w.Side {
		if x, y := i%w.Side, i/w.Side; cells.Has(i) {
			lane := uint64(0xffff) << (x >> 1 * 16)
			if x&1 == 0 {
				b.even |= lane
			} else {
				b.odd |= lane
			}
			if b.last == 0 {
				b.first = uint8(y)
			}
			b.last = uint8(y + 1)
		}
	}
	return b
}

// NewFrame returns a frame for genomes of the grammar.
func (g *Grammar) NewFrame() *Frame {
	f := &Frame{grammar: g, registers: make([]Quad, g.Scalars)}
	for i, l := range g.Layers {
		switch {
		case l.Rows:
			f.Rows[i] = new(Rows)
		case l.Unit != 0:
			f.Weights[i] = new([128]int32)
		}
	}
	return f
}

// Clone returns a copy of what the game has filled in, which shares no memory. Code must be loaded
// into it again.
func (f *Frame) Clone() *Frame {
	c := *f
	c.registers, c.truths = slices.Clone(f.registers[:f.grammar.Scalars]), nil
	for i := range c.Weights {
		if w := f.Weights[i]; w != nil {
			weights := *w
			c.Weights[i] = &weights
		}
		if r := f.Rows[i]; r != nil {
			rows := *r
			c.Rows[i] = &rows
		}
	}
	return &c
}

// Cells returns the cells that a layer of a frame holds, row by row, each as its column and row
// relative to the actor and, where the layer has weights, its weight.
func (g *Grammar) Cells(f *Frame, layer int) [][]int32 {
	cells, side := [][]int32{}, g.Window.Side
	for i := range side * side {
		if !f.Layers[layer].Has(i) {
			continue
		}
		cell := []int32{int32(i%side - side/2), int32(i/side - side/2)}
		if w, ok := f.weightAt(side, layer, i); ok {
			cell = append(cell, w)
		}
		cells = append(cells, cell)
	}
	return cells
}

// weightAt returns the weight of a cell of a layer, and false where the layer has none.
func (f *Frame) weightAt(side, layer, cell int) (int32, bool) {
	switch {
	case f.Rows[layer] != nil:
		return f.Rows[layer].at(cell%side, cell/side), true
	case f.Weights[layer] != nil:
		return f.Weights[layer][cell], true
	}
	return 0, false
}

// Scalar returns a scalar to be filled in: entry k is its value under k quarter turns.
func (f *Frame) Scalar(i int) *Quad { return &f.registers[i] }

// SetScalar sets a scalar to a value that is the same under all turns.
func (f *Frame) SetScalar(i int, v float32) {
	q := &f.registers[i] // assigning a Quad would build it on the stack and copy it
	q[0], q[1], q[2], q[3] = v, v, v, v
}
