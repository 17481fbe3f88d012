package gp

// RowSums returns the sums of the rows of a layer before a row, 0 without Rows.
func (f *Frame) RowSums(layer, y int) (even, odd uint64) {
	if f.Rows[layer] == nil {
		return 0, 0
	}
	return f.Rows[layer].even[y], f.Rows[layer].odd[y]
}

// RowWeight returns the weight of a cell of a layer with Rows.
func (f *Frame) RowWeight(layer, x, y int) int32 { return f.Rows[layer].at(x, y) }
