package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"clade/gp/gen/ground"
)

// planner2 plans routes as planner does, with the neighbours and the pieces in a vector each.
type planner2 struct {
	planner
	of [2]ends2
}

// ends2 is eight ends of routes.
type ends2 struct{ row, column, sum reg.VecVirtual }

// rate2 is the kernel rate.
func rate2() {
	kernel("rate", "AVX2", ofRate)
	p := planner2{planner: planner{hidden: pointer("hidden"), keep: pointer("keep"), pieces: GP64()}}
	next, pieces := YMM(), YMM()
	VPMOVZXBD(operand.Mem{Base: Load(Param("next"), GP64())}, next)
	p.list()
	VPMOVZXBD(p.search("cell"), pieces)
	p.of = p.sums([2]reg.VecVirtual{next, pieces})
	p.sum = p.of[0].sum
	p.between = func(piece, other int) reg.VecVirtual {
		return ground.Loaded(p.pair(piece, other))
	}
	p.plan(p.add)
}

// list lists the cells of up to mostPlanned pieces. What it lists behind the last is of no cell.
func (p *planner2) list() {
	low, high, count, more := GP64(), GP64(), GP64(), GP64()
	MOVQ(p.search("food"), low)
	MOVQ(p.search("food", 8), high)
	POPCNTQ(low, p.pieces)
	POPCNTQ(high, count)
	ADDQ(count, p.pieces)
	for piece := range code.Const("mostPlanned") {
		cell, rest := GP64(), GP64()
		TZCNTQ(high, more)
		ADDQ(operand.U8(64), more)
		BLSRQ(high, rest)
		TZCNTQ(low, cell)
		CMOVQCS(more, cell)
		CMOVQCS(rest, high)
		BLSRQ(low, low)
		MOVB(cell.As8(), p.search("cell", piece))
	}
}

// sums adds up what hidden food is worth for the ends of routes on some cells, in the order of the
// hidden cells.
func (p *planner2) sums(cells [2]reg.VecVirtual) (of [2]ends2) {
	worths, density := YMM(), YMM()
	VMOVUPS(at(Load(Param("by"), GP64()), 0), worths)
	VBROADCASTSS(p.hidden.at("density"), density)
	round, one := ground.Loaded(each32(width)), ground.Loaded(each32(1))
	for v, column := range cells {
		e := ends2{row: YMM(), column: column, sum: YMM()}
		of[v] = e
		VPMULLD(each32(nearEleventh), column, e.row)
		VPSRLD(operand.U8(11), e.row, e.row)
		t := YMM()
		VPMULLD(round, e.row, t)
		VPSUBD(t, column, column)
		for axis, end := range []reg.VecVirtual{e.row, column} {
			from := YMM()
			VMOVDQA(end, from)
			for i := range width {
				far, around := YMM(), YMM()
				VPABSD(from, far)
				VPSUBD(far, round, around)
				VPMINUD(around, far, far)
				VPERMPS(worths, far, far)
				VMOVUPS(far, p.hidden.at("apart", (axis*width+i)*vector+32*v))
				VPSUBD(one, from, from)
			}
		}
		VPXOR(e.sum, e.sum, e.sum)
	}
	places := Load(Param("at"), GP64())
	for half := range 2 {
		set, c, y, x, chance := GP64(), GP64(), GP64(), GP64(), YMM()
		loop, done := "hidden"+strconv.Itoa(half), "summed"+strconv.Itoa(half)
		MOVQ(p.hidden.at("unseen", 8*half), set)
		TESTQ(set, set)
		JEQ(operand.LabelRef(done))
		Label(loop)
		TZCNTQ(set, c)
		MOVWQZX(indexed(at(places, 4*64*half), c, 4), y)
		MOVWQZX(indexed(at(places, 4*64*half+2), c, 4), x)
		VBROADCASTSS(indexed(at(p.keep, 4*64*half), c, 4), chance)
		VMULPS(density, chance, chance)
		for v := range cells {
			d := YMM()
			VMOVUPS(indexed(p.hidden.at("apart", 32*v), y, 1), d)
			VMINPS(indexed(p.hidden.at("apart", 32*v), x, 1), d, d)
			VMULPS(chance, d, d)
			VADDPS(d, of[v].sum, of[v].sum)
		}
		BLSRQ(set, set)
		JNE(operand.LabelRef(loop))
		Label(done)
	}
	return of
}

// pair is what is after as many moves as two pieces are apart.
func (p *planner2) pair(piece, other int) operand.Mem {
	return p.hidden.at("between", (other*(other-1)/2+piece)*vector/2)
}

// add is planner.add.
func (p *planner2) add(piece int) {
	lane, cell, delay := ground.Loaded(each32(piece)), GP64(), int(code.Float32("routeDelay"))
	MOVBQZX(p.search("cell", piece), cell)
	worth, end, moves := YMM(), YMM(), YMM()
	VBROADCASTSS(operand.Mem{Base: p.keep, Index: cell, Scale: 4}, worth)
	VPERMPS(p.of[1].sum, lane, end)
	// Moves made: 1 at least, and so on; 1 times a number is that number.
	for least := 1; least < 5; least++ {
		delays := constants.Words("delays"+strconv.Itoa(least), 8, func(made int) uint32 {
			if made < least {
				return 0x3f800000
			}
			return uint32(delay)
		})
		VMULPS(delays, worth, worth)
		VMULPS(delays, end, end)
	}
	VPBROADCASTD(p.search("moves"), moves)
	count := constants.Words("count8", 8, func(i int) uint32 { return uint32(i) })
	VPCMPGTD(count, moves, moves)
	VANDPS(moves, worth, worth)
	VANDPS(moves, end, end)
	VMOVUPS(worth, p.hidden.at("pieces", piece*vector))
	VMOVUPS(end, p.hidden.at("pieces", piece*vector+vector/2))
	var far [2]reg.VecVirtual
	for v, e := range p.of {
		for axis, of := range []reg.VecVirtual{e.row, e.column} {
			d, around, from := YMM(), ground.Loaded(each32(width)), p.of[1].row
			if axis == 1 {
				from = p.of[1].column
			}
			VPERMD(from, lane, d)
			VPSUBD(of, d, d)
			VPABSD(d, d)
			VPSUBD(d, around, around)
			VPMINUD(around, d, d)
			if axis == 1 {
				VPMAXUD(far[v], d, d)
			}
			far[v] = d
		}
	}
	VMOVDQU(far[0], p.hidden.at("first", piece*vector/2))
	for other := range piece {
		d := ground.Loaded(each32(other))
		VPERMD(far[1], d, d)
		VPADDD(count, d, d)
		VPMINUD(each32(7), d, d)
		VMOVDQU(d, p.pair(other, piece))
	}
}

// totals2 adds up what hidden food is worth where routes end, for sixteen ends at once.
func totals2() {
	kernel("totals", "AVX2", "(hidden *uint64, keep *float32, ends uint64, by *float32, at *uint16)")
	p := planner2{planner: planner{hidden: pointer("hidden"), keep: pointer("keep")}}
	left, cell, end := Load(Param("ends"), GP64()), GP64(), GP64()
	LEAQ(p.search("cell"), cell)
	LEAQ(p.search("end"), end)
	Label("ends")
	var cells [2]reg.VecVirtual
	for v := range cells {
		cells[v] = YMM()
		VPMOVZXBD(at(cell, 8*v), cells[v])
	}
	for v, e := range p.sums(cells) {
		VMOVUPS(e.sum, at(end, 32*v))
	}
	ADDQ(operand.U8(16), cell)
	ADDQ(operand.U8(64), end)
	SUBQ(operand.U8(16), left)
	JG(operand.LabelRef("ends"))
	VZEROUPPER()
	RET()
}
