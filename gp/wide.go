package gp

import (
	"math/bits"
	"slices"
)

// Windows of more than 11 cells a side, up to 32, and those of an even side, do not fit Bits. Their
// layers are Wide, and their trees run in Code.Eval and EvalLane: there are no kernels for them. In
// an even window the actor stands to the right of and below the middle.

const maxSide = 32

// wide tells whether layers of the window are Wide.
func (w Window) wide() bool { return w.Side > 11 || w.Side > 0 && w.Side%2 == 0 }

// Wide is the cells of a layer of a wide window, numbered row by row from the upper left as
// Window.Cell does, with their weights where the layer has a unit. It may also be a game's board.
type Wide struct {
	side    int
	rows    [maxSide]uint32
	weights []int32 // by cell; nil without weights
}

// NewWide returns an empty set of side x side cells, 1 to 32 a side, with or without weights.
func NewWide(side int, weights bool) *Wide {
	w := &Wide{side: side}
	if weights {
		w.weights = make([]int32, side*side)
	}
	return w
}

// Has tells whether a cell is in the set.
func (w *Wide) Has(cell int) bool { return w.rows[cell/w.side]>>(cell%w.side)&1 != 0 }

// Set puts a cell in the set. Its weight stays as it is.
func (w *Wide) Set(cell int) { w.rows[cell/w.side] |= 1 << (cell % w.side) }

// Clear takes a cell out of the set.
func (w *Wide) Clear(cell int) { w.rows[cell/w.side] &^= 1 << (cell % w.side) }

// Weigh sets the weight of a cell. It panics for a set without weights.
func (w *Wide) Weigh(cell int, weight int32) { w.weights[cell] = weight }

// Empty takes all cells out of the set.
func (w *Wide) Empty() { w.rows = [maxSide]uint32{} }

// Count returns the number of cells in the set.
func (w *Wide) Count() (n int) {
	for _, row := range w.rows {
		n += bits.OnesCount32(row)
	}
	return n
}

// Draw makes the set that of a board of the same side whose edges meet, as it lies around a player
// on a cell of it. Both have weights, or neither.
func (w *Wide) Draw(board *Wide, cell int) {
	side, half := w.side, w.side/2
	right := (half - cell%side + side) % side
	for y := range side {
		to := (y - cell/side + half + side) % side
		row := uint64(board.rows[y])
		w.rows[to] = uint32((row<<right | row>>(side-right)) & (1<<side - 1))
		if w.weights != nil {
			from, line := board.weights[y*side:][:side], w.weights[to*side:][:side]
			copy(line[right:], from)
			copy(line, from[side-right:])
		}
	}
}

func (w *Wide) clone() *Wide {
	c := *w
	c.weights = slices.Clone(w.weights)
	return &c
}

// Wide returns a layer of a wide window, to be filled in.
func (f *Frame) Wide(layer int) *Wide { return f.wide[layer] }

// holds tells whether a layer holds a cell of the window.
func (f *Frame) holds(layer, cell int) bool {
	if f.wide != nil {
		return f.wide[layer].Has(cell)
	}
	return f.Layers[layer].Has(cell)
}

// bare tells whether a layer holds no cell.
func (f *Frame) bare(layer int) bool {
	if f.wide != nil {
		return f.wide[layer].rows == [maxSide]uint32{}
	}
	return f.Layers[layer].Empty()
}

// weightAt returns the weight of a cell of a layer, and false where the layer has none.
func (f *Frame) weightAt(side, layer, cell int) (int32, bool) {
	switch {
	case f.wide != nil:
		if w := f.wide[layer].weights; w != nil {
			return w[cell], true
		}
	case f.Rows[layer] != nil:
		return f.Rows[layer].at(cell%side, cell/side), true
	case f.Weights[layer] != nil:
		return f.Weights[layer][cell], true
	}
	return 0, false
}

// crossing is a rectangle in a wide window: the cells where its rows and its columns meet.
type crossing struct{ rows, columns uint32 }

// crossing returns the cells of a rectangle turned by k quarter turns.
func (w Window) crossing(rr RectRange, r Rect, k int) (c crossing) {
	x1, y1, x2, y2 := rr.Corners(r)
	if x1 > x2 || y1 > y2 {
		return c
	}
	x1, y1 = Turn(x1, y1, k)
	x2, y2 = Turn(x2, y2, k)
	return crossing{w.line(y1, y2), w.line(x1, x2)}
}

// line returns the rows, or columns, between two, both inclusive, relative to the actor.
func (w Window) line(a, b int) (set uint32) {
	for i := min(a, b); i <= max(a, b); i++ {
		at := i + w.Side/2
		if w.Wrap {
			at = (at%w.Side + w.Side) % w.Side
		}
		if at >= 0 && at < w.Side {
			set |= 1 << at
		}
	}
	return set
}

func (c crossing) has(side, cell int) bool {
	return c.rows>>(cell/side)&1 != 0 && c.columns>>(cell%side)&1 != 0
}

// ask answers a sensor's question about the cells of a rectangle.
func (w *Wide) ask(form Form, c crossing, unit float32) float32 {
	var count int
	var sum, least, greatest int32
	for rows := c.rows; rows != 0; rows &= rows - 1 {
		y := bits.TrailingZeros32(rows)
		cells := w.rows[y] & c.columns
		if form > Count {
			for left := cells; left != 0; left &= left - 1 {
				v := w.weights[y*w.side+bits.TrailingZeros32(left)]
				if sum += v; count == 0 {
					least, greatest = v, v
				}
				least, greatest = min(least, v), max(greatest, v)
				count++
			}
			continue
		}
		count += bits.OnesCount32(cells)
	}
	switch form {
	case Sum:
		return float32(sum) * unit
	case Least:
		return float32(least) * unit
	case Greatest:
		return float32(greatest) * unit
	default:
		return float32(count)
	}
}

// survey computes a sensor of a wide window in the lanes from first to before last; see call.
func (c *Code) survey(in *instruction, f *Frame, first, last int) {
	op := &c.grammar.Operators[in.op-numOpcodes]
	truths := uint8(0)
	for lane := first; lane < last; lane++ {
		v := f.wide[op.Index].ask(op.Form, c.crossings[in.b][lane], c.units[op.Index])
		if op.Form == Any {
			truths |= bit(v > 0) << (lane - first)
		} else {
			f.registers[in.dst][lane] = v
		}
	}
	if op.Form == Any {
		f.truths[in.dst] = truths
	}
}
