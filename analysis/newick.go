package analysis

import (
	"bufio"
	"io"
	"slices"
	"strconv"
)

// WriteNewick writes the phylogeny along first parents in the Newick format, which programs for the
// phylogenies of biology read: a tree in a line for each founder. A taxon is called by its id, and
// the length of its branch is the time from its parent's origin to its own, where times are on
// record. Other parents have no place in the format.
func (p *Phylogeny) WriteNewick(w io.Writer) error {
	// the first child of each taxon, and the next child of the same parent; -1 for none
	child, next := slices.Repeat([]int32{-1}, len(p.Taxa)), slices.Repeat([]int32{-1}, len(p.Taxa))
	for i := len(p.Taxa) - 1; i >= 0; i-- {
		if parents := p.Taxa[i].Parents; len(parents) > 0 {
			next[i], child[parents[0]] = child[parents[0]], int32(i)
		}
	}
	out := bufio.NewWriter(w)
	for i := range p.Taxa {
		if len(p.Taxa[i].Parents) == 0 {
			p.writeTree(out, int32(i), child, next)
		}
	}
	return out.Flush()
}

// writeTree writes the tree of a founder. It keeps its own stack: descent is as deep as the run is
// long.
func (p *Phylogeny) writeTree(out *bufio.Writer, founder int32, child, next []int32) {
	stack := []int32{founder}
	down := true // to the children of the last on the stack, which are still to be written
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		if down && child[i] >= 0 {
			out.WriteByte('(')
			stack = append(stack, child[i])
			continue
		}
		t := &p.Taxa[i]
		out.WriteString(strconv.Itoa(t.ID))
		if p.Untimed == "" && i != founder {
			out.WriteByte(':')
			out.WriteString(strconv.FormatFloat(t.Origin-p.Taxa[t.Parents[0]].Origin, 'f', -1, 64))
		}
		if stack = stack[:len(stack)-1]; i == founder {
			break
		}
		if down = next[i] >= 0; down {
			out.WriteByte(',')
			stack = append(stack, next[i])
		} else {
			out.WriteByte(')')
		}
	}
	out.WriteString(";\n")
}
