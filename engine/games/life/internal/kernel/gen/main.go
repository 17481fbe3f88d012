// Command gen writes the assembly of package kernel with avo. It is a module of its own, so that
// clade does not depend on avo.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

const (
	tileBytes  = 64 // of a tile
	groupTiles = 64 // tiles of one word of a bit set
	stepping   = "func(next, west, here, east, awake *uint64, words int, mask *uint64, marks " +
		"*uint8, apart uintptr)"
	counting = "func(src, stale *uint64, words int, counts, change *uint32)"
	packing  = "func(marks *uint8, apart uintptr, awake *uint64, words int, wake *uint64)"
	taking   = "func(edge *uint16, column *uint64, tiles, side int)"
	giving   = "func(column *uint64, edge *uint16, tiles, side int)"
	seeing   = "func(to *uint64, sites *int32, first, end int, now, last *uint64, height, width, " +
		"stride, own, layers int, covers *uint64)"
	finding = "func(lots *uint32, n int, words *uint64, counts *uint32, apart int)"
)

// numbers are the constants in memory.
var numbers = Constants{}

func main() {
	runs512()
	tiles512()
	pack512()
	count512()
	take512()
	give512()
	see512()
	nth512()
	runs2()
	pack2()
	take2()
	give2()
	see2()
	Generate()
}

// kernel begins a kernel of a name, of which it says what it does.
func kernel(name, signature, does string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + does)
}

// walk holds the registers with which a kernel walks from run to run of awake tiles, in both of
// which it goes up.
type walk struct {
	name         string
	base         reg.Register // the first tile of the present word of the set
	bits         reg.Register // what is left of that word
	next, here   reg.Register
	west, n      reg.Register // west points at the tile on the left
	east         reg.Register // bytes from here to the tile on the right
	marks, apart reg.Register
	mask         reg.Register
}

// startWalk begins a kernel and its loops over the words of the set and over the runs of a word.
func startWalk(name, goes string) *walk {
	kernel("runs"+name, stepping, "is the kernel for "+goes+".")
	w := &walk{name: name, base: GP64(), bits: GP64(), east: Load(Param("east"), GP64()),
		mask: Load(Param("mask"), GP64()), apart: Load(Param("apart"), GP64())}
	here := Load(Param("here"), GP64())
	SUBQ(here, w.east)
	XORQ(w.base, w.base)
	return w
}

// run points the registers at the first tile of the next run.
func (w *walk) run() {
	Label("word" + w.name)
	place, set := GP64(), Load(Param("awake"), GP64())
	MOVQ(w.base, place)
	SHRQ(operand.U8(3), place)
	MOVQ(operand.Mem{Base: set, Index: place, Scale: 1}, w.bits)
	TESTQ(w.bits, w.bits)
	JZ(operand.LabelRef("done" + w.name))
	Label("run" + w.name)
	at, run := GP64(), GP64()
	w.n = GP64()
	TZCNTQ(w.bits, at)
	BLSIQ(w.bits, run)
	ADDQ(w.bits, run) // carries through the lowest run
	ANDNQ(w.bits, run, run)
	POPCNTQ(run, w.n)
	XORQ(run, w.bits)
	ADDQ(w.base, at)
	w.marks = Load(Param("marks"), GP64())
	ADDQ(at, w.marks)
	SHLQ(operand.U8(6), at)
	w.next, w.here, w.west = Load(Param("next"), GP64()), Load(Param("here"), GP64()),
		Load(Param("west"), GP64())
	for _, p := range []reg.Register{w.next, w.here, w.west} {
		ADDQ(at, p)
	}
}

// words returns the places of a vector's rows and of their left and right neighbours, at bytes from
// the present tile.
func (w *walk) words(at int) (x, l, r operand.Mem) {
	return operand.Mem{Base: w.here, Disp: at}, operand.Mem{Base: w.west, Disp: at},
		operand.Mem{Base: w.here, Index: w.east, Scale: 1, Disp: at}
}

// mark stores a byte of marks of the present tile: 0 of its rows, 1 of its west, 2 of its east.
func (w *walk) mark(kind uint8, from reg.Register) {
	m := operand.Mem{Base: w.marks}
	if kind > 0 {
		m.Index, m.Scale = w.apart, kind
	}
	MOVB(from, m)
}

// end moves on by one tile, and to the next run and the next word where this one ends, and returns
// in the end.
func (w *walk) end() {
	for _, p := range []reg.Register{w.next, w.here, w.west} {
		ADDQ(operand.U32(tileBytes), p)
	}
	INCQ(w.marks)
	DECQ(w.n)
	JNZ(operand.LabelRef("tile" + w.name))
	TESTQ(w.bits, w.bits)
	JNZ(operand.LabelRef("run" + w.name))
	Label("done" + w.name)
	ADDQ(operand.U8(groupTiles), w.base)
	end := Load(Param("words"), GP64())
	SHLQ(operand.U8(6), end)
	CMPQ(w.base, end)
	JNE(operand.LabelRef("word" + w.name))
	End()
}

// pack holds the registers of a kernel that gathers marks.
type pack struct {
	marks, apart reg.Register
	awake, here  reg.Register // a word of the set and what stands there
	words        reg.Register
	wake         reg.Register // a word of the tiles to wake, of the first kind
	set          reg.Register // bytes from one kind of those words to the next
	begun        reg.Register // not 0 after the first word
	below        [3]reg.Register
}

// startPack begins the loop over words.
func startPack(name string) *pack {
	p := &pack{marks: Load(Param("marks"), GP64()), apart: Load(Param("apart"), GP64()),
		awake: Load(Param("awake"), GP64()), here: GP64(),
		words: Load(Param("words"), GP64()), wake: Load(Param("wake"), GP64()), set: GP64(),
		begun: GP64()}
	MOVQ(p.words, p.set)
	SHLQ(operand.U8(3), p.set)
	XORQ(p.begun, p.begun)
	for i := range p.below {
		p.below[i] = GP64()
		XORQ(p.below[i], p.below[i])
	}
	Label("pack" + name)
	MOVQ(operand.Mem{Base: p.awake}, p.here)
	return p
}

// place returns where the vector or word of a kind stands.
func place(base, apart reg.Register, kind, disp int) operand.Mem {
	m := operand.Mem{Base: base, Disp: disp}
	if kind > 0 {
		m.Index, m.Scale = apart, uint8(kind)
	}
	return m
}

// wakes stores which tiles the changes of a kind wake: where any row of a tile changed, and above
// and below where the first or the last did.
func (p *pack) wakes(name string, kind int, any, first, last reg.Register) {
	for _, r := range []reg.Register{any, first, last} {
		ANDQ(p.here, r)
	}
	above := GP64()
	ORQ(p.below[kind], any)
	MOVQ(first, above)
	SHRQ(operand.U8(1), above)
	ORQ(above, any)
	MOVQ(last, p.below[kind])
	SHRQ(operand.U8(63), p.below[kind])
	ADDQ(last, last)
	ORQ(last, any)
	MOVQ(any, place(p.wake, p.set, kind, 0))
	one := fmt.Sprint("one", name, kind)
	TESTQ(p.begun, p.begun)
	JZ(operand.LabelRef(one))
	SHLQ(operand.U8(63), first)
	ORQ(first, place(p.wake, p.set, kind, -8))
	Label(one)
}

// end goes on to the next word and returns in the end.
func (p *pack) end(name string) {
	ADDQ(operand.U8(groupTiles), p.marks)
	ADDQ(operand.U8(8), p.awake)
	ADDQ(operand.U8(8), p.wake)
	INCQ(p.begun)
	CMPQ(p.begun, p.words)
	JNE(operand.LabelRef("pack" + name))
	End()
}

// edges holds the registers of a kernel that goes over all tiles of a column and their bits of an
// edge.
type edges struct {
	name                string
	column, edge, tiles reg.Register
}

// startEdges begins a kernel.
func startEdges(name, signature, does string) *edges {
	kernel(name, signature, does+".")
	return &edges{name, Load(Param("column"), GP64()), Load(Param("edge"), GP64()),
		Load(Param("tiles"), GP64())}
}

// cell sets to the edge's cell each half of a row of a vector.
func (e *edges) cell(v V) {
	one := GP32()
	MOVL(operand.U32(1), one)
	MOVQ(Load(Param("side"), GP64()), reg.RCX)
	SHLL(reg.CL, one)
	Into(v, VPBROADCASTD, Into(XMM(), VMOVD, one))
}

// half returns a half of the present tile, or all of it.
func (e *edges) half(i int) operand.Mem { return operand.Mem{Base: e.column, Disp: 32 * i} }

// end goes on to the next tile and returns in the end.
func (e *edges) end() {
	ADDQ(operand.U32(tileBytes), e.column)
	ADDQ(operand.U8(2), e.edge)
	DECQ(e.tiles)
	JNZ(operand.LabelRef("tile" + e.name))
	End()
}
