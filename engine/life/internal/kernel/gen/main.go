// Command gen writes the assembly of package kernel with avo. It is a module of its own, so that clade does not depend on avo.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	tileBytes  = 64 // of a tile
	groupTiles = 64 // tiles of one word of a bit set
	stepping   = "func(next, west, here, east, awake *uint64, words int, mask *uint64, marks *uint8, apart uintptr)"
	counting   = "func(src, stale *uint64, words int, counts, change *uint32)"
	packing    = "func(marks *uint8, apart uintptr, awake *uint64, words int, wake *uint64)"
	taking     = "func(edge *uint16, column *uint64, tiles, side int)"
	giving     = "func(column *uint64, edge *uint16, tiles, side int)"
)

func main() {
	runs512()
	tiles512()
	pack512()
	count512()
	take512()
	give512()
	runs2()
	pack2()
	take2()
	give2()
	Generate()
}

// walk holds the registers with which a kernel walks from run to run of awake tiles, in both of which it goes up.
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
	TEXT("runs"+name, NOSPLIT, stepping)
	Doc("runs" + name + " is the kernel for " + goes + ".")
	Pragma("noescape")
	w := &walk{name: name, base: GP64(), bits: GP64(), east: Load(Param("east"), GP64()), mask: Load(Param("mask"), GP64()), apart: Load(Param("apart"), GP64())}
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
	w.next, w.here, w.west = Load(Param("next"), GP64()), Load(Param("here"), GP64()), Load(Param("west"), GP64())
	for _, p := range []reg.Register{w.next, w.here, w.west} {
		ADDQ(at, p)
	}
}

// words returns the places of a vector's rows and of their left and right neighbours, at bytes from the present tile.
func (w *walk) words(at int) (x, l, r operand.Mem) {
	return operand.Mem{Base: w.here, Disp: at}, operand.Mem{Base: w.west, Disp: at}, operand.Mem{Base: w.here, Index: w.east, Scale: 1, Disp: at}
}

// mark stores a byte of marks of the present tile: 0 of its rows, 1 of its west, 2 of its east.
func (w *walk) mark(kind uint8, from reg.Register) {
	m := operand.Mem{Base: w.marks}
	if kind > 0 {
		m.Index, m.Scale = w.apart, kind
	}
	MOVB(from, m)
}

// end moves on by one tile, and to the next run and the next word where this one ends, and returns in the end.
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
	VZEROUPPER()
	RET()
}

// table returns the immediate of VPTERNLOGQ for a function of the target and the two sources, as ternary passes them.
func table(f func(target, b, c bool) bool) operand.Constant {
	var imm uint8
	for i := range 8 {
		if f(i&4 != 0, i&2 != 0, i&1 != 0) {
			imm |= 1 << i
		}
	}
	return operand.U8(imm)
}

var (
	sum         = table(func(a, b, c bool) bool { return a != b != c })
	carry       = table(func(a, b, c bool) bool { return a && b || a && c || b && c })
	any3        = table(func(a, b, c bool) bool { return a || b || c })
	all3        = table(func(a, b, c bool) bool { return a && b && c })
	evens       = table(func(v, u, k bool) bool { return v != (u && k) })
	threeOrFour = table(func(ones, odd, even bool) bool { return odd != even && ones != even })
	lives       = table(func(row, near, ones bool) bool { return row || ones && !near })
)

// ternary computes f(a, b, c) into a new register.
func ternary(f operand.Constant, a, b, c reg.VecVirtual) reg.VecVirtual {
	d := ZMM()
	VMOVDQA64(a, d)
	VPTERNLOGQ(f, c, b, d)
	return d
}

// counts512 is what the cells of a tile and their neighbours of their colour add up to, nine cells each: ones, carry of the ones, twos, carry of the twos.
type counts512 struct{ ones, carry, twos, carry2, row reg.VecVirtual }

// marks512 holds what all tiles share: which cells exist, and the first and the last cells of rows.
type marks512 struct{ mask, first, last reg.VecVirtual }

// The first and the last cell of a row, of both colours.
const (
	firstCells = 0x0000000100000001
	lastCells  = 0x8000000080000000
)

func loadMarks512(mask reg.Register) marks512 {
	m := marks512{ZMM(), ZMM(), ZMM()}
	VMOVDQU64(operand.Mem{Base: mask}, m.mask)
	bits := GP64()
	MOVQ(operand.U64(firstCells), bits)
	VPBROADCASTQ(bits, m.first)
	MOVQ(operand.U64(lastCells), bits)
	VPBROADCASTQ(bits, m.last)
	return m
}

// finish512 stores the next cells of a tile and hands out the marks of its rows, west and east.
func finish512(c counts512, m marks512, dst operand.Mem, mark func(kind uint8, from reg.Register)) {
	odd, even := ZMM(), c.carry2
	VPXORQ(c.carry, c.twos, odd)
	VPTERNLOGQ(evens, c.carry, c.twos, even)
	near := ternary(any3, c.ones, odd, even)
	VPROLQ(operand.U8(32), near, near) // of the other colour
	VPTERNLOGQ(lives, c.ones, near, c.row)
	next, marks := c.ones, ZMM()
	VPTERNLOGQ(threeOrFour, even, odd, next)
	VPTERNLOGQ(all3, m.mask, c.row, next)
	VPXORQ(dst, next, marks)
	VMOVDQU64(next, dst)
	for kind, cells := range []reg.VecVirtual{marks, m.first, m.last} {
		k, byteOf := K(), GP32()
		VPTESTMQ(cells, marks, k)
		KMOVB(k, byteOf)
		mark(uint8(kind), byteOf.As8())
	}
}

// shift512 shifts the cells of x by one to the right and to the left, so that each stands where its right or left neighbour stood, and takes in those of the tiles
// beside.
func shift512(x, west, east operand.Op) (l, r reg.VecVirtual) {
	l, r = ZMM(), ZMM()
	VPSHLDD(operand.U8(1), west, x, l)
	VPSHRDD(operand.U8(1), east, x, r)
	return l, r
}

// rowSum512 adds the cells of a tile's rows to their left and right neighbours.
func rowSum512(x, w, e operand.Mem) (row, ones, twos reg.VecVirtual) {
	row = ZMM()
	VMOVDQU64(x, row)
	l, r := shift512(row, w, e)
	ones = ternary(sum, row, l, r)
	VPTERNLOGQ(carry, row, r, l)
	return row, ones, l
}

// add512 adds three vectors: the sum, and the carry in place of the first.
func add512(a, b, c reg.VecVirtual) (ones, carried reg.VecVirtual) {
	ones = ternary(sum, a, b, c)
	VPTERNLOGQ(carry, c, b, a)
	return ones, a
}

// runs512 goes down runs of tiles, a tile as one vector, with the sums of three of the tile above and of this one in registers.
func runs512() {
	r := startWalk("AVX512", "long runs of tiles, for processors with AVX-512 F, DQ and VBMI2")
	m := loadMarks512(r.mask)
	r.run()
	_, above0, above1 := rowSum512(r.words(-tileBytes))
	row, sum0, sum1 := rowSum512(r.words(0))
	Label("tile" + r.name)
	rowBelow, below0, below1 := rowSum512(r.words(tileBytes))
	up0, up1, down0, down1 := ZMM(), ZMM(), ZMM(), ZMM()
	VALIGNQ(operand.U8(7), above0, sum0, up0)
	VALIGNQ(operand.U8(7), above1, sum1, up1)
	VALIGNQ(operand.U8(1), sum0, below0, down0)
	VALIGNQ(operand.U8(1), sum1, below1, down1)
	n := counts512{row: row}
	n.ones, n.carry = add512(up0, sum0, down0)
	n.twos, n.carry2 = add512(up1, sum1, down1)
	finish512(n, m, operand.Mem{Base: r.next}, r.mark)
	for _, move := range [][2]reg.VecVirtual{{sum0, above0}, {sum1, above1}, {below0, sum0}, {below1, sum1}, {rowBelow, row}} {
		VMOVDQA64(move[0], move[1])
	}
	r.end()
}

// tiles512 takes each tile for itself: it adds up columns of three first, from this tile, the one above and the one below, in the tile's own column and in those beside. That is half as
// much work again as in a run, but the processor need not guess where runs end, and tiles do not wait for each other.
func tiles512() {
	TEXT("tilesAVX512", NOSPLIT, stepping)
	Pragma("noescape")
	Doc("tilesAVX512 is the kernel for scattered tiles, for processors with AVX-512 F, DQ and VBMI2.")
	m := loadMarks512(Load(Param("mask"), GP64()))
	next, awake, words := Load(Param("next"), GP64()), Load(Param("awake"), GP64()), Load(Param("words"), GP64())
	west, here, east := Load(Param("west"), GP64()), Load(Param("here"), GP64()), Load(Param("east"), GP64())
	var marks [3]reg.Register
	marks[0] = Load(Param("marks"), GP64())
	for i := 1; i < 3; i++ {
		marks[i] = Load(Param("apart"), GP64())
		ADDQ(marks[i-1], marks[i])
	}
	bits, tile, at := GP64(), GP64(), GP64()
	Label("wordTiles512")
	MOVQ(operand.Mem{Base: awake}, bits)
	TESTQ(bits, bits)
	JZ(operand.LabelRef("doneTiles512"))
	Label("tileTiles512")
	TZCNTQ(bits, tile)
	BLSRQ(bits, bits)
	MOVQ(tile, at)
	SHLQ(operand.U8(6), at)
	row, ones, twos := columnSum512(here, at)
	_, ones0, twos0 := columnSum512(west, at)
	_, ones1, twos1 := columnSum512(east, at)
	n := counts512{row: row}
	l, r := shift512(ones, ones0, ones1)
	n.ones, n.carry = add512(l, ones, r)
	l, r = shift512(twos, twos0, twos1)
	n.twos, n.carry2 = add512(l, twos, r)
	finish512(n, m, operand.Mem{Base: next, Index: at, Scale: 1},
		func(kind uint8, from reg.Register) {
			MOVB(from, operand.Mem{Base: marks[kind], Index: tile, Scale: 1})
		})
	TESTQ(bits, bits)
	JNZ(operand.LabelRef("tileTiles512"))
	Label("doneTiles512")
	for _, p := range []reg.Register{next, west, here, east} {
		ADDQ(operand.U32(groupTiles*tileBytes), p)
	}
	for _, p := range marks {
		ADDQ(operand.U8(groupTiles), p)
	}
	ADDQ(operand.U8(8), awake)
	DECQ(words)
	JNZ(operand.LabelRef("wordTiles512"))
	VZEROUPPER()
	RET()
}

// columnSum512 adds the cells of a tile to those above and below.
func columnSum512(base, at reg.Register) (row, ones, twos reg.VecVirtual) {
	place := func(d int) operand.Mem { return operand.Mem{Base: base, Index: at, Scale: 1, Disp: d} }
	row, below, up, down := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU64(place(0), row)
	VMOVDQU64(place(tileBytes), below)
	VALIGNQ(operand.U8(7), place(-tileBytes), row, up)
	VALIGNQ(operand.U8(1), row, below, down)
	ones, twos = add512(up, row, down)
	return row, ones, twos
}

// pack holds the registers of a kernel that gathers marks.
type pack struct {
	marks, apart reg.Register
	awake, here  reg.Register // a word of the set and what stands there
	words        reg.Register
	wake, set    reg.Register // a word to wake of the first kind, and bytes from one kind to the next
	begun        reg.Register // not 0 after the first word
	below        [3]reg.Register
}

// startPack begins the loop over words.
func startPack(name string) *pack {
	p := &pack{marks: Load(Param("marks"), GP64()), apart: Load(Param("apart"), GP64()), awake: Load(Param("awake"), GP64()), here: GP64(),
		words: Load(Param("words"), GP64()), wake: Load(Param("wake"), GP64()), set: GP64(), begun: GP64()}
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

// wakes stores which tiles the changes of a kind wake: where any row of a tile changed, and above and below where the first or the last did.
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
	VZEROUPPER()
	RET()
}

// pack512 packs the marks of 64 tiles at once.
func pack512() {
	TEXT("packAVX512", NOSPLIT, packing)
	Pragma("noescape")
	Doc("packAVX512 gathers marks for processors with AVX-512 F and BW.")
	first, bit := ZMM(), GP64()
	MOVQ(operand.U64(0x0101010101010101), bit)
	VPBROADCASTQ(bit, first)
	p := startPack("512")
	for kind := range p.below {
		v, k := ZMM(), K()
		VMOVDQU64(place(p.marks, p.apart, kind, 0), v)
		of := [3]reg.Register{GP64(), GP64(), GP64()}
		VPTESTMB(v, v, k)
		KMOVQ(k, of[0])
		VPTESTMB(first, v, k)
		KMOVQ(k, of[1])
		VPMOVB2M(v, k)
		KMOVQ(k, of[2])
		p.wakes("512", kind, of[0], of[1], of[2])
	}
	p.end("512")
}

// count512 counts the cells of tiles and clears the set of those tiles.
func count512() {
	TEXT("countAVX512", NOSPLIT, counting)
	Pragma("noescape")
	Doc("countAVX512 counts cells for processors with AVX-512 F and VPOPCNTDQ.")
	src, stale, words := Load(Param("src"), GP64()), Load(Param("stale"), GP64()), Load(Param("words"), GP64())
	counts, none, change := Load(Param("counts"), GP64()), GP64(), XMM()
	XORQ(none, none)
	VPXOR(change, change, change)
	bits, tile, at := GP64(), GP64(), GP64()
	Label("wordCount512")
	MOVQ(operand.Mem{Base: stale}, bits)
	TESTQ(bits, bits)
	JZ(operand.LabelRef("doneCount512"))
	MOVQ(none, operand.Mem{Base: stale})
	Label("tileCount512")
	TZCNTQ(bits, tile)
	BLSRQ(bits, bits)
	MOVQ(tile, at)
	SHLQ(operand.U8(6), at)
	n, half, old := ZMM(), YMM(), XMM()
	VPOPCNTD(operand.Mem{Base: src, Index: at, Scale: 1}, n)
	VEXTRACTI64X4(operand.U8(1), n, half)
	VPADDD(half, n.AsY(), n.AsY())
	VEXTRACTI128(operand.U8(1), n.AsY(), half.AsX())
	VPADDD(half.AsX(), n.AsX(), n.AsX())
	VPSHUFD(operand.U8(0x4e), n.AsX(), half.AsX())
	VPADDD(half.AsX(), n.AsX(), n.AsX())
	count := operand.Mem{Base: counts, Index: tile, Scale: 8}
	VMOVQ(count, old)
	VMOVQ(n.AsX(), count)
	VPSUBD(old, n.AsX(), old)
	VPADDD(old, change, change)
	TESTQ(bits, bits)
	JNZ(operand.LabelRef("tileCount512"))
	Label("doneCount512")
	ADDQ(operand.U32(groupTiles*tileBytes), src)
	ADDQ(operand.U32(groupTiles*8), counts)
	ADDQ(operand.U8(8), stale)
	DECQ(words)
	JNZ(operand.LabelRef("wordCount512"))
	out := Load(Param("change"), GP64())
	VMOVQ(change, operand.Mem{Base: out})
	VZEROUPPER()
	RET()
}

// edges holds the registers of a kernel that goes over all tiles of a column and their bits of an edge.
type edges struct {
	name                string
	column, edge, tiles reg.Register
}

// startEdges begins a kernel.
func startEdges(name, signature, does string) *edges {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + does + ".")
	return &edges{name, Load(Param("column"), GP64()), Load(Param("edge"), GP64()), Load(Param("tiles"), GP64())}
}

// cell sets to the edge's cell each half of a row of a vector.
func (e *edges) cell(v reg.VecVirtual) {
	one := GP32()
	MOVL(operand.U32(1), one)
	MOVQ(Load(Param("side"), GP64()), reg.RCX)
	SHLL(reg.CL, one)
	VMOVD(one, v.AsX())
	VPBROADCASTD(v.AsX(), v)
}

// half returns a half of the present tile, or all of it.
func (e *edges) half(i int) operand.Mem { return operand.Mem{Base: e.column, Disp: 32 * i} }

// end goes on to the next tile and returns in the end.
func (e *edges) end() {
	ADDQ(operand.U32(tileBytes), e.column)
	ADDQ(operand.U8(2), e.edge)
	DECQ(e.tiles)
	JNZ(operand.LabelRef("tile" + e.name))
	VZEROUPPER()
	RET()
}

// take512 takes an edge from a column: a bit for each half of a row.
func take512() {
	e := startEdges("takeAVX512", taking, "takes an edge for processors with AVX-512 F")
	cells, k := ZMM(), K()
	e.cell(cells)
	Label("tile" + e.name)
	VPTESTMD(e.half(0), cells, k)
	KMOVW(k, operand.Mem{Base: e.edge})
	e.end()
}

// give512 writes a column with an edge.
func give512() {
	e := startEdges("giveAVX512", giving, "writes a column with an edge for processors with AVX-512 F")
	cells, tile, k := ZMM(), ZMM(), K()
	e.cell(cells)
	Label("tile" + e.name)
	KMOVW(operand.Mem{Base: e.edge}, k)
	VMOVDQA32_Z(cells, k, tile)
	VMOVDQU64(tile, e.half(0))
	e.end()
}

// carried2 is what the AVX2 kernel carries from half tile to half tile: the sums of three of the half above, turned down by one row, and of this half.
type carried2 struct{ above0, above1, sum0, sum1 reg.VecVirtual }

// rowSum2 adds the cells of half a tile's rows to their left and right neighbours.
func rowSum2(x, w, e operand.Mem) (ones, twos reg.VecVirtual) {
	row, l, r, t := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(x, row)
	VMOVDQU(w, l)
	VPSRLD(operand.U8(31), l, l)
	VPADDD(row, row, t)
	VPOR(t, l, l)
	VMOVDQU(e, r)
	VPSLLD(operand.U8(31), r, r)
	VPSRLD(operand.U8(1), row, t)
	VPOR(t, r, r)
	VPAND(l, r, t)
	VPXOR(l, r, l)
	VPAND(l, row, r)
	VPXOR(l, row, row)
	VPOR(t, r, r)
	return row, r
}

// add2 is a full adder: its first argument becomes the sum, its third the carry.
func add2(a, b, c reg.VecVirtual) {
	t, u := YMM(), YMM()
	VPAND(b, a, t)
	VPXOR(b, a, a)
	VPAND(a, c, u)
	VPXOR(a, c, a)
	VPOR(t, u, c)
}

// between2 returns the two rows on either side of the line between two halves.
func between2(above, below reg.VecVirtual) reg.VecVirtual {
	b := YMM()
	VPERM2I128(operand.U8(0x21), below, above, b)
	return b
}

// half2 computes the next cells of the half tile at a byte offset, and what is carried to the half below.
func half2(r *walk, f carried2, at, below int) (next reg.VecVirtual, onward carried2) {
	below0, below1 := rowSum2(r.words(below))
	amid0, amid1 := between2(f.sum0, below0), between2(f.sum1, below1)
	up0, up1, down0, down1 := YMM(), YMM(), YMM(), YMM()
	VPALIGNR(operand.U8(8), f.above0, f.sum0, up0)
	VPALIGNR(operand.U8(8), f.above1, f.sum1, up1)
	VPALIGNR(operand.U8(8), f.sum0, amid0, down0)
	VPALIGNR(operand.U8(8), f.sum1, amid1, down1)
	add2(up0, f.sum0, down0) // up0: ones; down0: their carry
	add2(up1, f.sum1, down1) // up1: twos; down1: their carry
	odd, near := YMM(), YMM()
	VPXOR(up1, down0, odd)
	VPAND(up1, down0, down0)
	VPXOR(down1, down0, down0) // even
	VPOR(up0, odd, near)
	VPOR(down0, near, near)
	VPSHUFD(operand.U8(0xb1), near, near) // of the other colour
	VPXOR(down0, odd, odd)
	VPXOR(down0, up0, down0)
	VPAND(down0, odd, odd) // three or four
	VPANDN(up0, near, near)
	x, _, _ := r.words(at)
	VPOR(x, near, near)
	VPAND(near, odd, odd)
	VPAND(operand.Mem{Base: r.mask, Disp: at}, odd, odd)
	return odd, carried2{amid0, amid1, below0, below1}
}

// runs2 handles a tile as two vectors, the upper and the lower four rows.
func runs2() {
	r := startWalk("AVX2", "processors with AVX2 and BMI1")
	zero := YMM()
	VPXOR(zero, zero, zero)
	r.run()
	var f carried2
	above0, above1 := rowSum2(r.words(-tileBytes + 32))
	f.sum0, f.sum1 = rowSum2(r.words(0))
	f.above0, f.above1 = between2(above0, f.sum0), between2(above1, f.sum1)
	Label("tile" + r.name)
	onward := f
	var diff [2]reg.VecVirtual
	for half := range diff {
		var next reg.VecVirtual
		next, onward = half2(r, onward, 32*half, 32*half+32)
		out := operand.Mem{Base: r.next, Disp: 32 * half}
		diff[half] = YMM()
		VPXOR(out, next, diff[half])
		VMOVDQU(next, out)
	}
	for _, move := range [][2]reg.VecVirtual{{onward.above0, f.above0}, {onward.above1, f.above1}, {onward.sum0, f.sum0}, {onward.sum1, f.sum1}} {
		VMOVDQA(move[0], move[1])
	}
	// Both colours of rows 0, 4, 1, 5, 2, 6, 3, 7: the first and the last row stay at the ends.
	rows, others, byteOf := YMM(), YMM(), GP32()
	VPBLENDD(operand.U8(0xaa), diff[1], diff[0], rows)
	VPBLENDD(operand.U8(0xaa), diff[0], diff[1], others)
	VPSHUFD(operand.U8(0xb1), others, others)
	VPOR(others, rows, rows)
	VMOVMSKPS(rows, byteOf)
	r.mark(2, byteOf.As8())
	VPCMPEQD(zero, rows, others)
	VMOVMSKPS(others, byteOf)
	NOTL(byteOf)
	r.mark(0, byteOf.As8())
	VPSLLD(operand.U8(31), rows, rows)
	VMOVMSKPS(rows, byteOf)
	r.mark(1, byteOf.As8())
	r.end()
}

// pack2 packs the marks of 64 tiles in two halves.
func pack2() {
	TEXT("packAVX2", NOSPLIT, packing)
	Pragma("noescape")
	Doc("packAVX2 gathers marks for processors with AVX2.")
	zero := YMM()
	VPXOR(zero, zero, zero)
	p := startPack("2")
	for kind := range p.below {
		var half, bits [2]reg.VecVirtual
		for i := range half {
			half[i], bits[i] = YMM(), YMM()
			VMOVDQU(place(p.marks, p.apart, kind, 32*i), half[i])
			VPCMPEQB(zero, half[i], bits[i])
		}
		any := packed2(bits)
		NOTQ(any)
		for i := range half {
			VPSLLW(operand.U8(7), half[i], bits[i])
		}
		p.wakes("2", kind, any, packed2(bits), packed2(half))
	}
	p.end("2")
}

// packed2 returns the highest bits of the bytes of two halves.
func packed2(half [2]reg.VecVirtual) reg.Register {
	low, high := GP64(), GP64()
	VPMOVMSKB(half[0], low.As32())
	VPMOVMSKB(half[1], high.As32())
	SHLQ(operand.U8(32), high)
	ORQ(high, low)
	return low
}

// take2 shifts the cells of an edge to where the processor gathers bits.
func take2() {
	e := startEdges("takeAVX2", taking, "takes an edge for processors with AVX2")
	last, shift := GP64(), XMM()
	MOVQ(operand.U32(31), last)
	SUBQ(Load(Param("side"), GP64()), last)
	VMOVQ(last, shift)
	Label("tile" + e.name)
	var bits [2]reg.GPVirtual
	for i := range bits {
		v := YMM()
		bits[i] = GP32()
		VMOVDQU(e.half(i), v)
		VPSLLD(shift, v, v)
		VMOVMSKPS(v, bits[i])
	}
	SHLL(operand.U8(8), bits[1])
	ORL(bits[0], bits[1])
	MOVW(bits[1].As16(), operand.Mem{Base: e.edge})
	e.end()
}

// give2 gives each half of a row all bits of the edge, and leaves a cell where its own is among them.
func give2() {
	e := startEdges("giveAVX2", giving, "writes a column with an edge for processors with AVX2")
	own := GLOBL("bits", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, operand.U32(1<<i))
	}
	cells := YMM()
	e.cell(cells)
	bits := [2]reg.VecVirtual{YMM(), YMM()}
	for i := range bits {
		VMOVDQU(own.Offset(32*i), bits[i])
	}
	Label("tile" + e.name)
	all := YMM()
	VPBROADCASTW(operand.Mem{Base: e.edge}, all)
	for i := range bits {
		v := YMM()
		VPAND(bits[i], all, v)
		VPCMPEQD(bits[i], v, v)
		VPAND(cells, v, v)
		VMOVDQU(v, e.half(i))
	}
	e.end()
}
