// Command gen writes the assembly of package kernel with avo. It is a module of its own, so that clade does not depend on avo.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	tileBytes   = 128 // of a tile
	colourBytes = 64  // of one colour of a tile
	signature   = "func(dst, src *uint64, runs *int32, count int, stride uintptr, mask *uint64, rows, west, east *uint8)"
)

func main() {
	avx512()
	avx2()
	Generate()
}

// run holds the registers that both kernels walk with.
type run struct {
	runs, count, stride, mask reg.Register
	dst, src, n, west         reg.Register // west points at the source tile in the column to the left
	rows, wests, easts        reg.Register
}

func loadRuns() run {
	return run{
		runs: Load(Param("runs"), GP64()), count: Load(Param("count"), GP64()),
		stride: Load(Param("stride"), GP64()), mask: Load(Param("mask"), GP64()),
	}
}

// begin points the registers at the first tile of a run.
func (r *run) begin() {
	at := GP64()
	MOVLQSX(operand.Mem{Base: r.runs}, at)
	n := GP64()
	MOVLQSX(operand.Mem{Base: r.runs, Disp: 4}, n)
	r.n = n
	r.rows, r.wests, r.easts = Load(Param("rows"), GP64()), Load(Param("west"), GP64()), Load(Param("east"), GP64())
	for _, p := range []reg.Register{r.rows, r.wests, r.easts} {
		ADDQ(at, p)
	}
	SHLQ(operand.U8(7), at)
	r.dst, r.src = Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	ADDQ(at, r.dst)
	ADDQ(at, r.src)
	west := GP64()
	MOVQ(r.src, west)
	SUBQ(r.stride, west)
	r.west = west
}

// words returns the places of a vector's row words and of their left and right neighbours, at bytes from the present tile.
func (r run) words(at int) (x, w, e operand.Mem) {
	return operand.Mem{Base: r.src, Disp: at}, operand.Mem{Base: r.west, Disp: at}, operand.Mem{Base: r.src, Index: r.stride, Scale: 1, Disp: at}
}

// next moves on by one tile and jumps back to the label of tiles while any is left, then to that of runs, then returns.
func (r *run) next(tile, runs string) {
	ADDQ(operand.U32(tileBytes), r.dst)
	ADDQ(operand.U32(tileBytes), r.src)
	ADDQ(operand.U32(tileBytes), r.west)
	INCQ(r.rows)
	INCQ(r.wests)
	INCQ(r.easts)
	DECQ(r.n)
	JNZ(operand.LabelRef(tile))
	ADDQ(operand.U8(8), r.runs)
	DECQ(r.count)
	JNZ(operand.LabelRef(runs))
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
	sum   = table(func(a, b, c bool) bool { return a != b != c })
	carry = table(func(a, b, c bool) bool { return a && b || a && c || b && c })
	any3  = table(func(a, b, c bool) bool { return a || b || c })
	// twos u, carry of the ones k, carry of the twos v: one two, two twos.
	oneTwo  = table(func(u, k, v bool) bool { return u != k && !v })
	twoTwos = table(func(u, k, v bool) bool { return u && k && !v || !u && !k && v })
	// three of nine, where the cell lives or no enemy is near.
	allowed = table(func(three, alive, near bool) bool { return three && (alive || !near) })
	choose  = table(func(ones, odd, even bool) bool { return ones && odd || !ones && even })
	differ  = table(func(marks, old, now bool) bool { return marks || old != now })
)

// ternary computes f(a, b, c) into a new register.
func ternary(f operand.Constant, a, b, c reg.VecVirtual) reg.VecVirtual {
	d := ZMM()
	VMOVDQA64(a, d)
	VPTERNLOGQ(f, c, b, d)
	return d
}

// colour512 is what the AVX-512 kernel carries of one colour from tile to tile: the sums of three of the tile above and of this one, and this one.
type colour512 struct{ above0, above1, sum0, sum1, row reg.VecVirtual }

// rowSum512 adds the cells of a tile's rows to their left and right neighbours.
func rowSum512(x, w, e operand.Mem) (row, ones, twos reg.VecVirtual) {
	row = ZMM()
	l, r, t := ZMM(), ZMM(), ZMM()
	VMOVDQU64(x, row)
	VPSRLQ(operand.U8(63), w, l)
	VPSLLQ(operand.U8(1), row, t)
	VPORQ(t, l, l)
	VPSLLQ(operand.U8(63), e, r)
	VPSRLQ(operand.U8(1), row, t)
	VPORQ(t, r, r)
	ones = ternary(sum, row, l, r)
	VPTERNLOGQ(carry, row, r, l)
	return row, ones, l
}

// avx512 handles a tile as one vector a colour.
func avx512() {
	TEXT("stepAVX512", NOSPLIT, signature)
	Pragma("noescape")
	Doc("stepAVX512 is the kernel for processors with AVX-512 F and DQ.")
	r := loadRuns()
	mask, first := ZMM(), ZMM()
	VMOVDQU64(operand.Mem{Base: r.mask}, mask)
	bit := GP64()
	MOVQ(operand.U32(1), bit)
	VPBROADCASTQ(bit, first)
	Label("run512")
	r.begin()
	var colours [2]colour512
	for i := range colours {
		c := &colours[i]
		x, w, e := r.words(i*colourBytes - tileBytes)
		_, c.above0, c.above1 = rowSum512(x, w, e)
		x, w, e = r.words(i * colourBytes)
		c.row, c.sum0, c.sum1 = rowSum512(x, w, e)
	}
	Label("tile512")
	var ones, odd, even, near, row, below0, below1 [2]reg.VecVirtual
	for i, c := range colours {
		x, w, e := r.words(i*colourBytes + tileBytes)
		row[i], below0[i], below1[i] = rowSum512(x, w, e)
		up0, up1, down0, down1 := ZMM(), ZMM(), ZMM(), ZMM()
		VALIGNQ(operand.U8(7), c.above0, c.sum0, up0)
		VALIGNQ(operand.U8(7), c.above1, c.sum1, up1)
		VALIGNQ(operand.U8(1), c.sum0, below0[i], down0)
		VALIGNQ(operand.U8(1), c.sum1, below1[i], down1)
		ones[i] = ternary(sum, up0, c.sum0, down0)
		VPTERNLOGQ(carry, down0, c.sum0, up0) // up0: carry of the ones
		twos := ternary(sum, up1, c.sum1, down1)
		VPTERNLOGQ(carry, down1, c.sum1, up1) // up1: carry of the twos
		near[i] = ternary(any3, ones[i], up0, twos)
		VPORQ(up1, near[i], near[i])
		odd[i] = ternary(oneTwo, twos, up0, up1)
		even[i] = twos
		VPTERNLOGQ(twoTwos, up1, up0, even[i])
		VPANDQ(c.row, even[i], even[i])
	}
	marks := ZMM()
	for i, c := range colours {
		VPTERNLOGQ(allowed, near[1-i], c.row, odd[i])
		VPTERNLOGQ(choose, even[i], odd[i], ones[i])
		VPANDQ(mask, ones[i], ones[i])
		out := operand.Mem{Base: r.dst, Disp: i * colourBytes}
		if i == 0 {
			VPXORQ(out, ones[i], marks)
		} else {
			VPTERNLOGQ(differ, out, ones[i], marks)
		}
		VMOVDQU64(ones[i], out)
	}
	k := K()
	byteOf := GP32()
	VPTESTMQ(marks, marks, k)
	KMOVB(k, byteOf)
	MOVB(byteOf.As8(), operand.Mem{Base: r.rows})
	VPTESTMQ(first, marks, k)
	KMOVB(k, byteOf)
	MOVB(byteOf.As8(), operand.Mem{Base: r.wests})
	VPMOVQ2M(marks, k)
	KMOVB(k, byteOf)
	MOVB(byteOf.As8(), operand.Mem{Base: r.easts})
	for i, c := range colours {
		VMOVDQA64(c.sum0, c.above0)
		VMOVDQA64(c.sum1, c.above1)
		VMOVDQA64(below0[i], c.sum0)
		VMOVDQA64(below1[i], c.sum1)
		VMOVDQA64(row[i], c.row)
	}
	r.next("tile512", "run512")
}

// frame2 is what the AVX2 kernel carries of one colour from half tile to half tile, on the stack: the sums of three of the half above, turned
// down by one row, and of this half.
type frame2 struct{ above0, above1, sum0, sum1 operand.Mem }

func local2() frame2 {
	m := AllocLocal(128)
	return frame2{m, m.Offset(32), m.Offset(64), m.Offset(96)}
}

// rowSum2 adds the cells of half a tile's rows to their left and right neighbours.
func rowSum2(x, w, e operand.Mem) (ones, twos reg.VecVirtual) {
	row, l, r, t := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(x, row)
	VMOVDQU(w, l)
	VPSRLQ(operand.U8(63), l, l)
	VPADDQ(row, row, t)
	VPOR(t, l, l)
	VMOVDQU(e, r)
	VPSLLQ(operand.U8(63), r, r)
	VPSRLQ(operand.U8(1), row, t)
	VPOR(t, r, r)
	VPAND(l, r, t)
	VPXOR(l, r, l)
	VPAND(l, row, r)
	VPXOR(l, row, row)
	VPOR(t, r, r)
	return row, r
}

// add2 is a full adder: its first argument becomes the sum, its third the carry.
func add2(a reg.VecVirtual, b operand.Mem, c reg.VecVirtual) {
	t, u := YMM(), YMM()
	VPAND(b, a, t)
	VPXOR(b, a, a)
	VPAND(a, c, u)
	VPXOR(a, c, a)
	VPOR(t, u, c)
}

// half2 computes three-of-nine, who stays alive, and near for one colour of the half tile at a byte offset, and moves the carried sums on.
func half2(r run, f frame2, at, below int) (three, stay, near reg.VecVirtual) {
	below0, below1 := rowSum2(r.words(below))
	// Down a row: lanes 1, 2, 3 of this half and lane 0 of the one below.
	sum0, sum1, down0, down1 := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(f.sum0, sum0)
	VMOVDQU(f.sum1, sum1)
	VPBLENDD(operand.U8(0x03), below0, sum0, down0)
	VPERMQ(operand.U8(0x39), down0, down0)
	VPBLENDD(operand.U8(0x03), below1, sum1, down1)
	VPERMQ(operand.U8(0x39), down1, down1)
	// Up a row: lane 3 of the half above, already turned to lane 0, and lanes 0, 1, 2 of this one.
	VPERMQ(operand.U8(0x93), sum0, sum0)
	VPERMQ(operand.U8(0x93), sum1, sum1)
	up0, up1 := YMM(), YMM()
	VPBLENDD(operand.U8(0x03), f.above0, sum0, up0)
	VPBLENDD(operand.U8(0x03), f.above1, sum1, up1)
	VMOVDQU(sum0, f.above0)
	VMOVDQU(sum1, f.above1)
	add2(up0, f.sum0, down0) // up0: ones; down0: their carry
	add2(up1, f.sum1, down1) // up1: twos; down1: their carry
	VMOVDQU(below0, f.sum0)
	VMOVDQU(below1, f.sum1)
	near = YMM()
	VPOR(up0, down0, near)
	VPOR(up1, near, near)
	VPOR(down1, near, near)
	odd := YMM()
	VPXOR(up1, down0, odd)
	VPAND(up1, down0, down0)
	VPXOR(down1, down0, down0)
	VPANDN(down0, odd, down0) // two twos
	VPANDN(down0, up0, down0) // four
	VPANDN(odd, down1, odd)   // one two
	VPAND(up0, odd, odd)      // three
	stay = down0
	VPOR(odd, stay, stay)
	x, _, _ := r.words(at)
	VPAND(x, stay, stay)
	return odd, stay, near
}

// avx2 handles a tile as two vectors a colour, the upper and the lower four rows.
func avx2() {
	TEXT("stepAVX2", NOSPLIT, signature)
	Pragma("noescape")
	Doc("stepAVX2 is the kernel for processors with AVX2.")
	r := loadRuns()
	frames := [2]frame2{local2(), local2()}
	zero := YMM()
	VPXOR(zero, zero, zero)
	Label("run2")
	r.begin()
	for i, f := range frames {
		above0, above1 := rowSum2(r.words(i*colourBytes - tileBytes + 32))
		VPERMQ(operand.U8(0x93), above0, above0)
		VPERMQ(operand.U8(0x93), above1, above1)
		VMOVDQU(above0, f.above0)
		VMOVDQU(above1, f.above1)
		sum0, sum1 := rowSum2(r.words(i * colourBytes))
		VMOVDQU(sum0, f.sum0)
		VMOVDQU(sum1, f.sum1)
	}
	Label("tile2")
	rows, west, east := GP32(), GP32(), GP32()
	for half := range 2 {
		at := 32 * half
		below := at + 32
		if half == 1 {
			below = tileBytes
		}
		threeA, stayA, nearA := half2(r, frames[0], at, below)
		threeB, stayB, nearB := half2(r, frames[1], at+colourBytes, below+colourBytes)
		VPANDN(threeA, nearB, threeA)
		VPANDN(threeB, nearA, threeB)
		VPOR(stayA, threeA, threeA)
		VPOR(stayB, threeB, threeB)
		VPAND(operand.Mem{Base: r.mask, Disp: at}, threeA, threeA)
		VPAND(operand.Mem{Base: r.mask, Disp: at}, threeB, threeB)
		outA, outB := operand.Mem{Base: r.dst, Disp: at}, operand.Mem{Base: r.dst, Disp: at + colourBytes}
		VPXOR(outA, threeA, stayA)
		VPXOR(outB, threeB, stayB)
		VMOVDQU(threeA, outA)
		VMOVDQU(threeB, outB)
		VPOR(stayA, stayB, stayA)
		VPCMPEQQ(zero, stayA, stayB)
		mark := GP32()
		collect(half, stayA, mark, east)
		VPSLLQ(operand.U8(63), stayA, stayA)
		collect(half, stayA, mark, west)
		collect(half, stayB, mark, rows)
	}
	NOTL(rows)
	MOVB(rows.As8(), operand.Mem{Base: r.rows})
	MOVB(west.As8(), operand.Mem{Base: r.wests})
	MOVB(east.As8(), operand.Mem{Base: r.easts})
	r.next("tile2", "run2")
}

// collect gathers the sign bits of a half into the low or the high four bits of a register.
func collect(half int, v reg.VecVirtual, scratch, into reg.GPVirtual) {
	if half == 0 {
		VMOVMSKPD(v, into)
		return
	}
	VMOVMSKPD(v, scratch)
	SHLL(operand.U8(4), scratch)
	ORL(scratch, into)
}
