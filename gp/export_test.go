package gp

// RowWeight returns the weight of a cell of a layer with Rows.
func (f *Frame) RowWeight(layer, x, y int) int32 { return f.Rows[layer].at(x, y) }

// Native tells whether the code has machine code.
func (c *Code) Native() bool { return c.native != nil || c.choice != nil }

// Plain returns the field without vectors.
func (d *Field) Plain() *Field {
	plain := *d
	plain.vectors = false
	return &plain
}
