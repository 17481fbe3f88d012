package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// table returns the immediate of VPTERNLOGQ for a function of the target and the two sources, as
// ternary passes them.
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
func ternary(f operand.Constant, a, b, c V) V {
	return Into(Of(VMOVDQA64, a), VPTERNLOGQ, f, c, b)
}

// counts512 is what the cells of a tile and their neighbours of their colour add up to, nine cells
// each: ones, carry of the ones, twos, carry of the twos.
type counts512 struct{ ones, carry, twos, carry2, row V }

// marks512 holds what all tiles share: which cells exist, and the first and the last cells of rows.
type marks512 struct{ mask, first, last V }

// The first and the last cell of a row, of both colours.
const (
	firstCells = 0x0000000100000001
	lastCells  = 0x8000000080000000
)

func loadMarks512(mask reg.Register) marks512 {
	each := func(word uint64) V {
		bits := GP64()
		MOVQ(operand.U64(word), bits)
		return Into(ZMM(), VPBROADCASTQ, bits)
	}
	return marks512{Into(ZMM(), VMOVDQU64, operand.Mem{Base: mask}), each(firstCells),
		each(lastCells)}
}

// finish512 stores the next cells of a tile and hands out the marks of its rows, west and east.
func finish512(c counts512, m marks512, dst operand.Mem, mark func(kind uint8, from reg.Register)) {
	odd, even := Xor(c.carry, c.twos), c.carry2
	Into(even, VPTERNLOGQ, evens, c.carry, c.twos)
	near := Of(VPROLQ, 32, ternary(any3, c.ones, odd, even)) // of the other colour
	Into(c.row, VPTERNLOGQ, lives, c.ones, near)
	next := Into(c.ones, VPTERNLOGQ, threeOrFour, even, odd)
	Into(next, VPTERNLOGQ, all3, m.mask, c.row)
	marks := Xor(dst, next)
	VMOVDQU64(next, dst)
	for kind, cells := range []V{marks, m.first, m.last} {
		k, byteOf := K(), GP32()
		VPTESTMQ(cells, marks, k)
		KMOVB(k, byteOf)
		mark(uint8(kind), byteOf.As8())
	}
}

// shift512 shifts the cells of x by one to the right and to the left, so that each stands where its
// right or left neighbour stood, and takes in those of the tiles beside.
func shift512(x, west, east operand.Op) (l, r V) {
	return Of(VPSHLDD, 1, west, x), Of(VPSHRDD, 1, east, x)
}

// rowSum512 adds the cells of a tile's rows to their left and right neighbours.
func rowSum512(x, w, e operand.Mem) (row, ones, twos V) {
	row = Into(ZMM(), VMOVDQU64, x)
	l, r := shift512(row, w, e)
	ones = ternary(sum, row, l, r)
	return row, ones, Into(l, VPTERNLOGQ, carry, row, r)
}

// add512 adds three vectors: the sum, and the carry in place of the first.
func add512(a, b, c V) (ones, carried V) {
	ones = ternary(sum, a, b, c)
	return ones, Into(a, VPTERNLOGQ, carry, c, b)
}

// runs512 goes down runs of tiles, a tile as one vector, with the sums of three of the tile above
// and of this one in registers.
func runs512() {
	r := startWalk("AVX512", "long runs of tiles, for processors with AVX-512 F, DQ and VBMI2")
	m := loadMarks512(r.mask)
	r.run()
	_, above0, above1 := rowSum512(r.words(-tileBytes))
	row, sum0, sum1 := rowSum512(r.words(0))
	Label("tile" + r.name)
	rowBelow, below0, below1 := rowSum512(r.words(tileBytes))
	up0, up1 := Of(VALIGNQ, 7, above0, sum0), Of(VALIGNQ, 7, above1, sum1)
	down0, down1 := Of(VALIGNQ, 1, sum0, below0), Of(VALIGNQ, 1, sum1, below1)
	n := counts512{row: row}
	n.ones, n.carry = add512(up0, sum0, down0)
	n.twos, n.carry2 = add512(up1, sum1, down1)
	finish512(n, m, operand.Mem{Base: r.next}, r.mark)
	for _, move := range [][2]V{{sum0, above0}, {sum1, above1}, {below0, sum0},
		{below1, sum1}, {rowBelow, row}} {
		VMOVDQA64(move[0], move[1])
	}
	r.end()
}

// tiles512 takes each tile for itself: it adds up columns of three first, from this tile, the one
// above and the one below, in the tile's own column and in those beside. That is half as much work
// again as in a run, but the processor need not guess where runs end, and tiles do not wait for
// each other.
func tiles512() {
	kernel("tilesAVX512", stepping,
		"is the kernel for scattered tiles, for processors with AVX-512 F, DQ and VBMI2.")
	m := loadMarks512(Load(Param("mask"), GP64()))
	next, awake, words := Load(Param("next"), GP64()), Load(Param("awake"), GP64()),
		Load(Param("words"), GP64())
	west, here, east := Load(Param("west"), GP64()), Load(Param("here"), GP64()),
		Load(Param("east"), GP64())
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
	End()
}

// columnSum512 adds the cells of a tile to those above and below.
func columnSum512(base, at reg.Register) (row, ones, twos V) {
	place := operand.Mem{Base: base, Index: at, Scale: 1}
	row, below := Into(ZMM(), VMOVDQU64, place), Into(ZMM(), VMOVDQU64, place.Offset(tileBytes))
	up, down := Of(VALIGNQ, 7, place.Offset(-tileBytes), row), Of(VALIGNQ, 1, row, below)
	ones, twos = add512(up, row, down)
	return row, ones, twos
}

// pack512 packs the marks of 64 tiles at once.
func pack512() {
	kernel("packAVX512", packing, "gathers marks for processors with AVX-512 F and BW.")
	bit := GP64()
	MOVQ(operand.U64(0x0101010101010101), bit)
	first := Into(ZMM(), VPBROADCASTQ, bit)
	p := startPack("512")
	for kind := range p.below {
		v, k := Into(ZMM(), VMOVDQU64, place(p.marks, p.apart, kind, 0)), K()
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
	kernel("countAVX512", counting, "counts cells for processors with AVX-512 F and VPOPCNTDQ.")
	src, stale, words := Load(Param("src"), GP64()), Load(Param("stale"), GP64()),
		Load(Param("words"), GP64())
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
	all := Into(ZMM(), VPOPCNTD, operand.Mem{Base: src, Index: at, Scale: 1})
	half := Of(VPADDD, Into(YMM(), VEXTRACTI64X4, 1, all), all.AsY())
	n := Of(VPADDD, Into(XMM(), VEXTRACTI128, 1, half), half.AsX())
	n = Of(VPADDD, Of(VPSHUFD, 0x4e, n), n)
	count := operand.Mem{Base: counts, Index: tile, Scale: 8}
	old := Into(XMM(), VMOVQ, count)
	VMOVQ(n, count)
	Into(change, VPADDD, Of(VPSUBD, old, n), change)
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
	End()
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
	e := startEdges("giveAVX512", giving,
		"writes a column with an edge for processors with AVX-512 F")
	cells, k := ZMM(), K()
	e.cell(cells)
	Label("tile" + e.name)
	KMOVW(operand.Mem{Base: e.edge}, k)
	VMOVDQU64(Of(VMOVDQA32_Z, cells, k), e.half(0))
	e.end()
}
