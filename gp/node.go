package gp

import (
	"fmt"
	"math"
)

// Type is the type of a value.
type Type uint8

// The types.
const (
	Float Type = iota // IEEE binary32
	Bool
	Area // a rectangle of cells relative to the actor
	numTypes
)

// String returns the type's name.
func (t Type) String() string {
	if t >= numTypes {
		return fmt.Sprintf("type %d", uint8(t))
	}
	return [...]string{"Float", "Bool", "Area"}[t]
}

// Op is the number of an operator in its grammar.
type Op uint8

// Node is one node of a tree: an operator and, for an ephemeral constant, its value. It holds no
// pointer.
type Node struct {
	Op   Op
	bits uint32 // a constant's binary32, or a packed rectangle
}

// Leaf returns a node of an operator that carries no constant.
func Leaf(op Op) Node { return Node{Op: op} }

// ConstNode returns a node of a Const or ConstInt operator.
func ConstNode(op Op, value float32) Node { return Node{op, math.Float32bits(value)} }

// RectNode returns a node of the Rect operator.
func RectNode(op Op, r Rect) Node {
	return Node{op, uint32(uint8(r.X)) | uint32(uint8(r.Y))<<8 | uint32(uint8(r.W))<<16 |
		uint32(uint8(r.H))<<24}
}

// Bits returns the constant that a node carries, 0 for none. It is for files that hold genomes;
// only NodeOf understands it.
func (n Node) Bits() uint32 { return n.bits }

// NodeOf is the inverse of Op and Bits. Grammar.Check tells whether the constant fits the operator.
func NodeOf(op Op, bits uint32) Node { return Node{op, bits} }

// Float returns the value of a Const or ConstInt node.
func (n Node) Float() float32 { return math.Float32frombits(n.bits) }

// Rect returns the value of a Rect node.
func (n Node) Rect() Rect {
	return Rect{int8(n.bits), int8(n.bits >> 8), int8(n.bits >> 16), int8(n.bits >> 24)}
}

// Tree is a program of nodes in prefix order: a node, then its arguments' subtrees. A subtree is a
// slice of it.
type Tree []Node

// Genome is one tree for each slot of a grammar.
type Genome []Tree

// Clone returns a copy that shares no memory.
func (ge Genome) Clone() Genome {
	c := make(Genome, len(ge))
	for i, t := range ge {
		c[i] = append(Tree(nil), t...)
	}
	return c
}

// Size returns the number of nodes in all trees.
func (ge Genome) Size() int {
	n := 0
	for _, t := range ge {
		n += len(t)
	}
	return n
}
