package main

import (
	"math/bits"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// rate plans the routes over few pieces of food, and tells what each move is worth. What hidden
// food is worth is added up for sixteen ends of routes, a lane each, in the order of the hidden
// cells: for the neighbours and then for the pieces.
func rate() {
	kernel("rate", "AVX-512", "(hidden *uint64, keep *float32, next *uint8, by *float32, "+
		"at *uint16)")
	hidden, keep := pointer("hidden"), pointer("keep")
	density := Into(ZMM(), VBROADCASTSS, hidden.at("density"))
	for v := range (cells + 15) / 16 {
		VMOVUPS(Of(VMULPS_Z, at(keep, v*vector), density, within(v)), hidden.at("chance", v*vector))
	}
	p := planner{hidden: hidden, keep: keep, pieces: GP64(), apart: map[[2]int]V{}}
	p.between = func(piece, other int) V { return p.apart[[2]int{piece, other}] }
	ends, round := p.ends(), all32(width)
	p.row = Of(VPSRLD, 11, Of(VPMULLD, all32(nearEleventh), ends))
	p.column = Of(VPSUBD, Of(VPMULLD, round, p.row), ends)
	// What food counts by rows and by columns from the ends, on the torus; the lesser counts.
	worths := Load(Param("by"), GP64())
	one := all32(1)
	first, second := Into(ZMM(), VMOVUPS, at(worths, 0)), Into(ZMM(), VMOVUPS, at(worths, vector))
	for axis, from := range []V{p.row, p.column} {
		of := Of(VPADDD, round, from)
		for i := range width {
			worth := Into(Of(VMOVDQA32, of), VPERMI2PS, second, first)
			VMOVUPS(worth, hidden.at("apart", (axis*width+i)*vector))
			of = Of(VPSUBD, one, of)
		}
	}
	sum, places := all32(0), Load(Param("at"), GP64())
	for half := range 2 {
		left, cell, y, x := GP64(), GP64(), GP64(), GP64()
		loop, done := "hidden"+string(rune('0'+half)), "summed"+string(rune('0'+half))
		MOVQ(hidden.at("unseen", 8*half), left)
		TESTQ(left, left)
		JEQ(operand.LabelRef(done))
		Label(loop)
		TZCNTQ(left, cell)
		MOVWQZX(indexed(at(places, 4*64*half), cell, 4), y)
		MOVWQZX(indexed(at(places, 4*64*half+2), cell, 4), x)
		d := Into(ZMM(), VMOVUPS, indexed(hidden.at("apart"), y, 1))
		d = Of(VMINPS, indexed(hidden.at("apart"), x, 1), d)
		d = Of(VMULPS_BCST, indexed(hidden.at("chance", 4*64*half), cell, 4), d)
		Into(sum, VADDPS, d, sum)
		BLSRQ(left, left)
		JNE(operand.LabelRef(loop))
		Label(done)
	}
	p.sum, p.delay = sum, all32(int(code.Float32("routeDelay")))
	p.masks()
	p.finish(0)
	p.plan(p.add)
}

// planner plans routes over the pieces of food of an ant with foresight. Where a piece is the next
// of a route, a vector tells what the route is worth from there on, by the number of moves made
// before. For each set of pieces that are left, and each of them that may be the next, there is one
// in hidden.routes: the worth of the piece, and the greatest of what is behind it and of the routes
// over the others, which begin as many moves later as these are away.
type planner struct {
	hidden, keep     record
	pieces           reg.GPVirtual // their number
	row, column, sum V
	moves, delay     V
	later            [5]reg.OpmaskVirtual // moves made: so many at least; 0: no more than there are
	apart            map[[2]int]V
	between          func(piece, other int) V // moves from one to the other later
}

// search returns the address of a field of lookahead.
func (p *planner) search(field string, behind ...int) operand.Mem {
	return p.hidden.at("lookahead", append(behind, code.Offset("lookahead", field))...)
}

// ends returns the cells of the neighbours and of the pieces.
func (p *planner) ends() V {
	order, low, high, count := GLOBL("order", RODATA|NOPTR), ZMM(), ZMM(), GP64()
	for i := range 64 {
		DATA(i, operand.U8(i))
	}
	listed := func(half int, to V) {
		k, word := K(), GP64()
		MOVQ(p.search("food", 8*half), word)
		KMOVQ(word, k)
		VMOVDQU8(order, to)
		VPCOMPRESSB_Z(to, k, to)
		POPCNTQ(word, count)
	}
	listed(1, high)
	MOVQ(count, p.pieces)
	VPADDB(constants.All32(0x40404040), high, high)
	listed(0, low)
	ADDQ(count, p.pieces)
	behind, k := GP64(), K()
	MOVQ(operand.I32(-1), behind)
	SHLXQ(count, behind, behind)
	KMOVQ(behind, k)
	VPEXPANDB(high, k, low)
	VMOVDQU(low.AsX(), p.search("cell"))
	next := Into(XMM(), VMOVQ, operand.Mem{Base: Load(Param("next"), GP64())})
	ends := Into(ZMM(), VPMOVZXBD, Of(VPUNPCKLQDQ, low.AsX(), next))
	p.moves = Into(YMM(), VPMOVZXBD, order)
	return ends
}

// masks sets later.
func (p *planner) masks() {
	mask := GP32()
	for made := range p.later {
		p.later[made] = K()
		MOVL(operand.U32(0xff<<made&0xff*0x101), mask)
		if made == 0 {
			moves := GP32()
			MOVL(p.search("moves"), moves)
			BZHIL(moves, mask, mask)
			MOVL(mask, moves)
			SHLL(operand.U8(8), moves)
			ORL(moves, mask)
		}
		KMOVW(mask, p.later[made])
	}
}

// plan plans routes with one piece after the other, until there are no more.
func (p *planner) plan(add func(piece int)) {
	for piece := range code.Const("mostPlanned") {
		add(piece)
		for left := 1 << piece; left < 2<<piece; left++ {
			p.routes(left, piece)
		}
		p.finish(piece + 1)
	}
}

// slot returns where the routes stand that start with a piece of those left.
func (p *planner) slot(left, piece int) operand.Mem {
	slot := bits.OnesCount(uint(left & (1<<piece - 1)))
	for less := range left {
		slot += bits.OnesCount(uint(less))
	}
	return p.hidden.at("routes", slot*code.Size("route"))
}

// add works out what a piece is worth, and what is behind it, and how far away the others and the
// neighbours are.
func (p *planner) add(piece int) {
	lane, cell, worth := all32(8+piece), GP64(), ZMM()
	MOVBQZX(p.search("cell", piece), cell)
	end := Of(VPERMPS, p.sum, lane)
	VBROADCASTSS(operand.Mem{Base: p.keep, Index: cell, Scale: 4}, worth.AsY())
	Into(worth, VINSERTF32X8, 1, end.AsY(), worth)
	for _, k := range p.later[1:] {
		Into(worth, VMULPS, p.delay, worth, k)
	}
	VMOVUPS(Of(VMOVAPS_Z, worth, p.later[0]), p.hidden.at("pieces", piece*vector))
	apart := func(of V) V {
		d := Of(VPABSD, Of(VPSUBD, of, Of(VPERMD, of, lane)))
		return Of(VPMINUD, Of(VPSUBD, d, all32(width)), d)
	}
	rows := apart(p.row)
	far := Of(VPMAXUD, apart(p.column), rows)
	VMOVDQU32(far.AsY(), p.hidden.at("first", piece*vector/2))
	for other := range piece {
		d := Of(VPADDD, p.moves, Of(VPERMD, far, all32(8+other)).AsY())
		p.apart[[2]int{other, piece}] = Of(VPMINUD, all32(7).AsY(), d)
	}
}

// routes plans the routes over a set of pieces.
func (p *planner) routes(left, newest int) {
	for piece := range newest + 1 {
		if left>>piece&1 == 0 {
			continue
		}
		best := Into(YMM(), VMOVUPS, p.hidden.at("pieces", piece*vector+vector/2))
		others := left &^ (1 << piece)
		for other := range newest + 1 {
			if others>>other&1 == 0 {
				continue
			}
			apart := p.between(min(piece, other), max(piece, other))
			best = Of(VMAXPS, Of(VPERMPS, p.slot(others, other), apart), best)
		}
		VMOVUPS(Of(VADDPS, p.hidden.at("pieces", piece*vector), best), p.slot(left, piece))
	}
}

// finish returns if there are no more pieces. Routes begin as many moves later as their first piece
// is away from where a move leads.
func (p *planner) finish(pieces int) {
	more, last := "more"+strconv.Itoa(pieces), pieces == code.Const("mostPlanned")
	if !last {
		CMPQ(p.pieces, operand.U8(pieces))
		JNE(operand.LabelRef(more))
	}
	for piece := range pieces {
		t := Of(VPERMPS, p.slot(1<<pieces-1, piece), Loaded(p.hidden.at("first", piece*vector/2)))
		VMAXPS(t, p.sum.AsY(), p.sum.AsY())
	}
	VMOVUPS(p.sum.AsY(), p.hidden.at("after"))
	End()
	if !last {
		Label(more)
	}
}

// indexed adds a register, scaled, to an address.
func indexed(m operand.Mem, by reg.Register, scale uint8) operand.Mem {
	m.Index, m.Scale = by, scale
	return m
}

// within holds the lanes of a vector of all cells that are some, not behind the last.
func within(v int) reg.OpmaskVirtual {
	lanes, k := GP32(), K()
	MOVL(operand.U32(1<<min(16, cells-16*v)-1), lanes)
	KMOVW(lanes, k)
	return k
}

// nearEleventh times a cell's number, divided by 2048, is its row.
const nearEleventh = 187

// fade scales numbers of some cells.
func fade() {
	kernel("fade", "AVX-512", ofFade)
	keep, by := pointer("keep"), Into(ZMM(), VBROADCASTSS, parameter("by"))
	for half, word := range []string{"low", "high"} {
		left := Load(Param(word), GP64())
		for v := 4 * half; v < min(4*half+4, (cells+15)/16); v++ {
			k := K()
			KMOVW(left.(reg.GPVirtual).As32(), k)
			VMOVUPS(Of(VMULPS_Z, at(keep, v*vector), by, k), k, at(keep, v*vector))
			SHRQ(operand.U8(16), left)
		}
	}
	End()
}

// parameter is where a parameter stands: to load a number would be legacy SSE.
func parameter(name string) operand.Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
