package analysis

import "math"

// Descent is the layout of a phylogeny along first parents: time runs to the right, and each line
// that ends has a row.
type Descent struct {
	*Phylogeny
	Start, End float64
	Y          []float64 // by taxon: a row, or the middle of its children's
	Lives      []bool    // by taxon: it is alive at the end
	Survives   []bool    // by taxon: it or a descendant by first parents is
	MRCA       int       // the most recent common ancestor of the survivors; -1 where there is none
	Leaves     int       // rows
}

// LayOut lays a phylogeny out.
func LayOut(p *Phylogeny) *Descent {
	n := len(p.Taxa)
	d := &Descent{Phylogeny: p, Y: make([]float64, n), Survives: make([]bool, n), MRCA: -1, End: 1}
	if n == 0 {
		return d
	}
	d.Start, d.End = p.Taxa[0].Origin, p.end()
	if i, err := p.commonAncestor(d.End); err == nil {
		d.MRCA = i
	}
	d.Lives = p.alive(d.End)
	children := make([][]int, n)
	for i := n - 1; i >= 0; i-- { // children stand behind their parents
		t := &p.Taxa[i]
		d.Survives[i] = d.Survives[i] || d.Lives[i]
		if len(t.Parents) > 0 {
			first := t.Parents[0]
			d.Survives[first] = d.Survives[first] || d.Survives[i]
			children[first] = append(children[first], i)
		}
	}
	d.place(children)
	return d
}

// place gives each line that ends a row, in order of depth first descent, and each parent the
// middle of its children. It keeps its own stack: descent is as deep as the run is long.
func (d *Descent) place(children [][]int) {
	var stack []int
	for i := len(d.Taxa) - 1; i >= 0; i-- {
		if len(d.Taxa[i].Parents) == 0 {
			stack = append(stack, i)
		}
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(children[i]) == 0 {
			d.Y[i] = float64(d.Leaves)
			d.Leaves++
		}
		stack = append(stack, children[i]...)
	}
	for i := len(d.Taxa) - 1; i >= 0; i-- {
		if c := children[i]; len(c) > 0 {
			low, high := math.Inf(1), math.Inf(-1)
			for _, k := range c {
				low, high = math.Min(low, d.Y[k]), math.Max(high, d.Y[k])
			}
			d.Y[i] = (low + high) / 2
		}
	}
}
