package gp

// Constants returns the values of a genome's Const nodes, in order.
func (g *Grammar) Constants(ge Genome) (values []float64) {
	for _, t := range ge {
		for _, n := range t {
			if g.Operators[n.Op].Form == Const {
				values = append(values, float64(n.Float()))
			}
		}
	}
	return values
}

// WithConstants returns a copy of a genome with new values in its Const nodes, trimmed to their
// range. values must be as many as Constants returns.
func (g *Grammar) WithConstants(ge Genome, values []float64) Genome {
	c := ge.Clone()
	for _, t := range c {
		for i, n := range t {
			if g.Operators[n.Op].Form == Const {
				t[i] = ConstNode(n.Op, float32(min(1, max(-1, values[0]))))
				values = values[1:]
			}
		}
	}
	return c
}
