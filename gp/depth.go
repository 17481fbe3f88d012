package gp

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// computeDepths finds the least depth of a tree of each type and with each root, by relaxation; a
// single node has depth 1.
func (g *Grammar) computeDepths() {
	g.opDepth = make([]int, len(g.Operators))
	for t := range g.typeDepth {
		g.typeDepth[t] = infinite
	}
	for changed := true; changed; {
		changed = false
		for i, op := range g.Operators {
			d := 0
			for _, a := range op.Args {
				d = max(d, g.typeDepth[a])
			}
			if d != infinite {
				d++
			}
			g.opDepth[i] = d
			if op.Weight != Unused && d < g.typeDepth[op.Result] {
				g.typeDepth[op.Result], changed = d, true
			}
		}
	}
}

// TypeDepth returns the least depth of a tree of a type; a single node has depth 1.
func (g *Grammar) TypeDepth(t Type) int { return g.typeDepth[t] }

// MaxNodes returns the greatest number of nodes of a genome that can be played: what Compiler takes
// or, with foreign operators, what can be read as text. Variation keeps this limit; growing does
// not.
func (g *Grammar) MaxNodes() int { return g.maxNodes }

// DeepestGrowth returns the greatest depth at which no tree of any type that Ramped, Grow or Full
// makes can have more nodes than can be read as text; math.MaxInt32 where all trees are smaller. At
// greater depths a single tree can exhaust memory.
func (g *Grammar) DeepestGrowth() int {
	deepest := 0
	for i, op := range g.Operators {
		if op.Weight != Unused {
			deepest = max(deepest, g.opDepth[i])
		}
	}
	var largest [numTypes]int // nodes of the largest tree of each type, one level less deep
	// Below depth 1 only the shallowest trees of each type exist, as where growing has no room.
	for depth := 1 - int(numTypes); ; depth++ {
		var now [numTypes]int
		for i, op := range g.Operators {
			if op.Weight == Unused || g.opDepth[i] > max(depth, g.typeDepth[op.Result]) {
				continue
			}
			nodes := 1
			for _, a := range op.Args {
				nodes += largest[a]
			}
			now[op.Result] = max(now[op.Result], nodes)
		}
		if slices.Max(now[:]) > maxTextNodes {
			return depth - 1
		}
		if depth > deepest && now == largest {
			return infinite
		}
		largest = now
	}
}

// Depth returns the number of nodes on the longest path from the root to a leaf; a single node has
// depth 1.
func (g *Grammar) Depth(t Tree) int {
	depth, _ := g.Measure(t)
	return depth
}

// Measure returns a tree's depth and a hash of it. Neither takes a branch that depends on the tree,
// which a processor would often predict wrongly.
func (g *Grammar) Measure(t Tree) (depth int, hash uint64) {
	// The levels of the arguments still to come are a stack. Four entries are written at a time: a
	// node's own and free ones above it. A level waits only for that of the node above, so it does
	// not hold up the nodes between.
	var levels [quickStack + 3]uint8
	levels[0] = 1
	top, highest, deepest := 1, 0, uint8(0)
	even, odd := uint64(len(t)), uint64(0)
	for i := range t {
		// Each product waits for the one before the last.
		odd, even = even, (odd^uint64(t[i].Op)<<32^uint64(t[i].bits))*0x9e3779b97f4a7c15
		even ^= even >> 29
		at := uint(top-1) % quickStack
		level := levels[at]
		deepest = max(deepest, level)
		binary.LittleEndian.PutUint32(levels[at:], uint32(level+1)*0x01010101)
		top += int(g.shapes[t[i].Op].arity) - 1
		highest = max(highest, top)
	}
	depth = int(deepest)
	if highest > quickStack || depth == math.MaxUint8 {
		depth = g.anyDepth(t)
	}
	return depth, (even ^ bits.RotateLeft64(odd, 32)) * 0x9e3779b97f4a7c15
}

// quickStack is how many arguments still to come Measure keeps: those of trees of three arguments
// and depth 128.
const quickStack = 256

// anyDepth is Depth for trees of any depth and breadth.
func (g *Grammar) anyDepth(t Tree) int {
	deepest := 0
	var room [64]uint8 // arguments still open at each node on the path to the present one
	path := room[:0]
	for _, n := range t {
		path = append(path, uint8(len(g.Operators[n.Op].Args)))
		deepest = max(deepest, len(path))
		for len(path) > 0 && path[len(path)-1] == 0 {
			path = path[:len(path)-1]
			if len(path) > 0 {
				path[len(path)-1]--
			}
		}
	}
	return deepest
}
