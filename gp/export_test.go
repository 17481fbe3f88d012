package gp

// RowSums returns the sums of the rows of a layer before a row, 0 without Rows.
func (f *Frame) RowSums(layer, y int) (even, odd uint64) {
	if f.Rows[layer] == nil {
		return 0, 0
	}
	return f.Rows[layer].even[y], f.Rows[layer].odd[y]
}
