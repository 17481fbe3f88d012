package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// look is the kernel of that name.
func look() {
	kernel("look", "AVX-512", ofLook)
	l := newLooker()
	lost := l.half(0)
	second := l.half(1)
	SHLL(operand.U8(8), second)
	ORL(second, lost)
	Store(lost, Return("lost"))
	MOVL(operand.U32(0), l.side.at("moved"))
	l.enemies()
	End()
}

type looker struct{ batch, side, other, sight, chart record }

func newLooker() looker {
	return looker{pointer("batch"), pointer("side"), pointer("other").as("side"), pointer("sight"),
		pointer("chart")}
}

// half looks in the first or last eight games, and returns those in which food has left the view.
func (l looker) half(h int) reg.GPVirtual {
	moved, flags := K(), GP32()
	MOVL(l.side.at("moved"), flags)
	if h > 0 {
		SHRL(operand.U8(8), flags)
	}
	KMOVB(flags, moved)
	// How the window has moved with the ant.
	heading := Into(ZMM(), VPMOVZXDQ, l.side.at("heading", 32*h))
	byHeading := func(table string, row int) V {
		return Of(VPERMQ_Z, l.chart.at(table, row*vector), heading, moved)
	}
	wraps := Set{byHeading("wraps", 0), byHeading("wraps", 1)}
	first, second := newTurn(byHeading("shifts", 0)), newTurn(byHeading("shifts", 1))

	visited := recentred(load(l.side.at("visited", 64*h)), wraps, first, second)
	visited.Low = Or(Of(VPSLLQ, cells/2, all64(1)), visited.Low)
	visited.Store512(l.side.at("visited", 64*h), high)
	inPlanes(visited, plane(l.sight, "planeVisited", 32*h))

	known := recentred(load(l.side.at("known", 64*h)), wraps, first, second)
	view := Set{Into(ZMM(), VPBROADCASTQ, l.chart.at("inView")),
		Into(ZMM(), VPBROADCASTQ, l.chart.at("inView", 8))}
	before := Set{byHeading("before", 0), byHeading("before", 1)}
	gone := known.And(before).Without(view)
	gone.Store512(l.sight.at("lost", 64*h), high)
	some, k, lost := Or(gone.Low, gone.High), K(), GP32()
	VPTESTMQ(some, some, k)
	KMOVB(k, lost)

	board := onBoard(l.side, l.chart, h)(load(l.batch.at("food", 64*h)))
	Into(view.Low, VPTERNLOGQ, choose, known.Low, board.Low)
	Into(view.High, VPTERNLOGQ, choose, known.High, board.High)
	view.Store512(l.side.at("known", 64*h), high)
	inPlanes(view, plane(l.sight, "planeFood", 32*h))
	return lost
}

// onBoard tells how cells of the board lie in the windows of the ants of eight games.
func onBoard(side, chart record, h int) (inWindow func(Set) Set) {
	row := Into(ZMM(), VPMOVZXDQ, side.at("row", 32*h))
	col := Into(ZMM(), VPMOVZXDQ, side.at("col", 32*h))
	cell := Of(VPADDQ, col, Of(VPMULUDQ, all64(width), row))
	shift := Of(VPSUBQ, cell, all64(cells/2))
	shift = Of(VPMINUQ, Of(VPADDQ, all64(cells), shift), shift)
	west := K()
	VPCMPUQ(operand.U8(lessThan), all64(width/2), col, west)
	shift2 := Of(VPADDQ, all64(width), shift)
	Into(shift2, VPADDQ, all64(cells-width), shift, west)
	shift2 = Of(VPMINUQ, Of(VPSUBQ, all64(cells), shift2), shift2)
	byCol := func(row int) V {
		d := Of(VMOVDQA64, col)
		t := Into(ZMM(), VMOVDQU64, chart.at("columns", row*high))
		return Into(d, VPERMI2Q, chart.at("columns", row*high+vector), t)
	}
	wraps, first, second := Set{byCol(0), byCol(1)}, newTurn(shift), newTurn(shift2)
	return func(g Set) Set { return recentred(g, wraps, first, second) }
}

// enemies draws the opponents and the empty cells of all games.
func (l looker) enemies() {
	// from the first in view
	row := Of(VPSUBD, all32(3), offset(l.other, l.side, "row"))
	col := Of(VPSUBD, all32(3), offset(l.other, l.side, "col"))
	k, five := K(), all32(5)
	KMOVW(l.other.at("alive"), k)
	VPCMPUD(operand.U8(lessThan), five, row, k, k)
	VPCMPUD(operand.U8(lessThan), five, col, k, k)
	cell := Of(VPADDD, col, Of(VPMULLD, five, row))
	enemy := Of(VPSLLVD_Z, cell, all32(1), k)
	VMOVDQU32(enemy, plane(l.sight, "planeEnemy", 0))
	full := Or(plane(l.sight, "planeFood", 0), enemy)
	VMOVDQU32(Without(all32(1<<25-1), full), plane(l.sight, "planeEmpty", 0))
	near := GP32()
	KMOVW(k, near)
	Store(near, Return("near"))
}

// offset returns the row or column in the window of what stands at a place.
func offset(of, side record, field string) V {
	return wrap(Of(VPADDD, all32(width/2),
		Of(VPSUBD, side.at(field), Into(ZMM(), VMOVDQU32, of.at(field)))))
}

// wrap brings rows or columns back from at most one board away.
func wrap(x V) V {
	more, less := Of(VPADDD, all32(width), x), Of(VPADDD, all32(-width), x)
	return Of(VPMINUD, less, Of(VPMINUD, more, x))
}

// recall is the kernel of that name.
func recall() { recalls("AVX-512", recollection.all) }

// all works out a recollection in all games.
func (r recollection) all() {
	row, col, five := offset(r.past, r.side, "row"), offset(r.past, r.side, "col"), all32(5)
	middleRow, middleCol := Of(VPADDD, all32(-3), row), Of(VPADDD, all32(-3), col)
	k, middle, seen := K(), K(), K()
	KMOVW(at(r.used, 0), k)
	VPCMPUD(operand.U8(lessThan), five, middleRow, middle)
	VPCMPUD(operand.U8(lessThan), five, middleCol, middle, seen)
	KANDNW(k, seen, k)
	MOVL(operand.U32(0), at(r.used, 0))
	KMOVW(k, at(r.used, 0))
	VPCMPUD(operand.U8(above), all32(7), col, middle, middle)
	rank := Of(VPADDD, col, Of(VPERMD, r.chart.at("farRows"), row))
	Into(rank, VPSUBD, five, rank, middle)
	index := Of(VPADDD, all32(1), Of(VPSRLD, 5, rank))
	VMOVDQU32(Of(VPSLLD_Z, 2, index, k), r.far.at("index"))
	VMOVDQU32(Of(VPSLLVD_Z, And(all32(31), rank), all32(1), k), r.far.at("bit"))
	old := K()
	age := Of(VPSUBD, r.past.at("seen"), Into(ZMM(), VMOVDQU32, at(r.time, 0)))
	VPCMPUD(operand.U8(above), all32(31), age, old)
	weight := Of(VMOVDQA32, age)
	table := Into(ZMM(), VMOVDQU32, r.chart.at("certainties"))
	Into(weight, VPERMI2D, r.chart.at("certainties", vector), table)
	Into(weight, VPERMD, r.chart.at("certainties", 2*vector), age, old)
	// only in games of more moves than the contest's
	VPCMPUD(operand.U8(above), all32(47), age, k, old)
	KTESTW(old, old)
	JZ(operand.LabelRef("young"))
	Into(table, VMOVDQU32, r.chart.at("certainties", 4*vector))
	Into(age, VPERMI2D, r.chart.at("certainties", 3*vector), table)
	VMOVDQA32(age, old, weight)
	Label("young")
	VMOVDQU32(Of(VMOVDQA32_Z, weight, k), r.far.at("weight"))
	KTESTW(k, k)
}

// enter is the kernel of that name. The layers and scalars stand in the order of package antwars.
func enter() {
	kernel("enter", "AVX-512", ofEnter)
	side, sight, time, layers := pointer("side"), pointer("sight"), pointer("time"), pointer("layers")
	far, numbers, chart := pointer("far").as("gp.FarCells"), pointer("scalars"), pointer("chart")
	left, order := GP32(), compressed(chart)
	Load(Param("who"), left)
	POPCNTL(left, left)
	pasts, spread, hope := GP64(), GP64(), GP64()
	MOVL(side.at("pasts"), pasts.As32())
	MOVQ(pasts, far.at("N"))
	ADDQ(operand.U8(farLists), far)
	LEAQ(chart.at("spread"), spread)
	LEAQ(sight.at("hope"), hope)
	Label("vector")
	games := Of(VPERMD, order, Into(ZMM(), VMOVDQU32, at(spread, 0)))
	take := func(from operand.Mem) V { return Of(VPERMD, from, games) }
	var food V
	for i, to := range planes {
		z := take(sight.at("planes", i*vector))
		VMOVDQU32(z, at(layers, to["layer"]*layerBytes+to["plane"]*planeBytes))
		if i == code.Const("planeFood") {
			food = z
		}
	}
	counts := map[int]V{code.Const("countMoves"): take(at(time, 0)),
		code.Const("countPoints"): take(side.at("points"))}
	fillScalars(counts, all32, at(numbers, 0))
	for slot, to := range []operand.Mem{at(numbers, code.Const("scalarFoodHope")*planeBytes),
		at(hope, 0)} {
		ahead, around := K(), K()
		VPTESTMD(Into(ZMM(), VBROADCASTI32X4, chart.at("hopes", 32*slot)), food, ahead)
		VPTESTMD(Into(ZMM(), VBROADCASTI32X4, chart.at("hopes", 32*slot+16)), food, around)
		h := Of(VMOVDQA32_Z, all32(0x3f800000), ahead)
		VMOVUPS(Into(h, VADDPS, Into(ZMM(), VBROADCASTSS, chart.at("second")), h, around), to)
	}
	lists, list, n := allocated("farFood"), GP64(), GP64()
	turns := Into(ZMM(), VMOVDQU32, chart.at("turns"))
	MOVQ(far, list)
	LEAQ(sight.at("far"), lists)
	MOVQ(pasts, n)
	TESTQ(n, n)
	JEQ(operand.LabelRef("entered"))
	Label("far")
	VMOVDQU32(Of(VPADDD, turns, take(lists.at("index"))), at(list, 0))
	VMOVDQU32(take(lists.at("bit")), at(list, farList))
	VMOVDQU32(take(lists.at("weight")), at(list, 2*farList))
	ADDQ(operand.U32(lists.size()), lists)
	ADDQ(operand.U32(planeBytes), list)
	DECQ(n)
	JNE(operand.LabelRef("far"))
	Label("entered")
	for _, p := range []reg.GPVirtual{spread, hope, layers, far, numbers} {
		ADDQ(operand.U8(vector), p)
	}
	SUBL(operand.U8(4), left)
	JG(operand.LabelRef("vector"))
	End()
}

// draw is the kernel of that name. A layer is drawn from planes by game that it keeps beside the
// sets of cells.
func draw() {
	kernel("draw", "AVX-512", ofDraw)
	vista, side, layers, chart := pointer("vista"), pointer("side"), pointer("layers"),
		pointer("chart")
	sets := code.Const("vistas")
	for h := range 2 {
		inWindow := onBoard(side, chart, h)
		for i := range sets {
			inPlanes(inWindow(load(vista.at("cells", i*2*high+64*h))),
				vista.at("planes", i*4*vector+32*h))
		}
	}
	games := compressed(chart)
	left, spread := GP32(), GP64()
	Load(Param("who"), left)
	POPCNTL(left, left)
	LEAQ(chart.at("spread"), spread)
	Label("vector")
	lanes := Of(VPERMD, games, Into(ZMM(), VMOVDQU32, at(spread, 0)))
	for i := range 4 * sets {
		VMOVDQU32(Of(VPERMD, vista.at("planes", i*vector), lanes), at(layers, i*planeBytes))
	}
	ADDQ(operand.U8(vector), spread)
	ADDQ(operand.U8(vector), layers)
	SUBL(operand.U8(4), left)
	JG(operand.LabelRef("vector"))
	End()
}

// compressed returns the numbers of the games in the parameter who.
func compressed(chart record) V {
	who, k := GP32(), K()
	Load(Param("who"), who)
	KMOVW(who, k)
	return Of(VPCOMPRESSD_Z, Into(ZMM(), VMOVDQU32, chart.at("count")), k)
}

// chooseHeading is the kernel choose.
func chooseHeading() {
	kernel("choose", "AVX-512", ofChoose)
	straight, diagonal, heading, chart := pointer("straight"), pointer("diagonal"),
		pointer("heading"), pointer("chart")
	who, left := GP32(), GP32()
	Load(Param("who"), who)
	POPCNTL(who, left)
	chosen, none := ZMM(), all32(16)
	lowest := all32(-8388608) // the bits of minus infinity
	first := GP32()
	MOVL(operand.U32(0x1111), first)
	firstLane := K()
	KMOVW(first, firstLane)
	asDiagonal := Into(ZMM(), VMOVDQU32, chart.at("diagonal"))
	asStraight := Of(VPADDD, all32(1), asDiagonal)
	// across does an instruction with all four numbers of a decision.
	across := func(instruction, shuffle any, x V) V {
		x = Of(instruction, Of(shuffle, 0xb1, x), x)
		return Of(instruction, Of(shuffle, 0x4e, x), x)
	}
	for v := range 4 {
		d := Into(ZMM(), VMOVUPS, at(diagonal, v*vector))
		s := Into(ZMM(), VMOVUPS, at(straight, v*vector))
		// What is not a number is never greater, but stays where it is the first.
		stays, k := K(), K()
		VCMPPS(operand.U8(3), d, d, firstLane, stays)
		VCMPPS(operand.U8(3), d, d, k)
		VMOVDQA32(lowest, k, d)
		VCMPPS(operand.U8(3), s, s, k)
		VMOVDQA32(lowest, k, s)
		best, isBest := across(VMAXPS, VPERMILPS, Of(VMAXPS, s, d)), K()
		VCMPPS(operand.U8(0), best, d, isBest)
		KORW(stays, isBest, isBest)
		c := Of(VPBLENDMD, asDiagonal, none, isBest)
		VCMPPS(operand.U8(0), best, s, isBest)
		c = across(VPMINUD, VPSHUFD, Of(VPMINUD, Of(VPBLENDMD, asStraight, none, isBest), c))
		c = Of(VPCOMPRESSD_Z, c, firstLane)
		if v == 0 {
			Into(chosen, VMOVDQA32, c)
		} else {
			Into(chosen, VINSERTI32X4, v, c.AsX(), chosen)
		}
		if v < 3 {
			CMPL(left, operand.U8(4*v+4))
			JLE(operand.LabelRef("chosen"))
		}
	}
	Label("chosen")
	k := K()
	KMOVW(who, k)
	old := Into(ZMM(), VMOVDQU32, at(heading, 0))
	VMOVDQU32(Into(old, VPEXPANDD, chosen, k), at(heading, 0))
	End()
}

// trace adds the decisions to the fingerprints, as engine.Hash does, and to the steps.
func trace(batch record, movers reg.OpmaskVirtual, heading V) {
	count(batch.at("steps"), movers)
	for h := range 2 {
		k, part := movers, heading.AsY()
		if h == 1 {
			k, part = K(), Into(YMM(), VEXTRACTI32X8, 1, heading)
			KSHIFTRW(operand.U8(8), movers, k)
		}
		hash := Into(ZMM(), VMOVDQU64, batch.at("prints", 64*h))
		mixed := Xor(hash, Into(ZMM(), VPMOVZXDQ, part))
		mixed = Of(VPMULLQ, all64(-0x61c8864680b583eb), mixed) // 2^64 over the golden ratio
		Into(hash, VPXORQ, Of(VPSRLQ, 29, mixed), mixed, k)
		VMOVDQU64(hash, batch.at("prints", 64*h))
	}
}

// count adds 1 to the numbers of some games.
func count(numbers operand.Mem, games reg.OpmaskVirtual) {
	n := Into(ZMM(), VMOVDQU32, numbers)
	VMOVDQU32(Into(n, VPADDD, all32(1), n, games), numbers)
}

// march is the kernel of that name.
func march() {
	kernel("march", "AVX-512",
		"(batch, side, other *uint64, who uint32, chart *uint64) (killed uint32)")
	batch, side, other, chart := pointer("batch"), pointer("side"), pointer("other").as("side"),
		pointer("chart")
	who, movers := GP32(), K()
	Load(Param("who"), who)
	KMOVW(who, movers)
	heading := Into(ZMM(), VMOVDQU32, side.at("heading"))
	moved := func(field string, step int) V {
		by := Of(VPERMD_Z, chart.at("step", step*vector), heading, movers)
		x := wrap(Of(VPADDD, side.at(field), by))
		VMOVDQU32(x, side.at(field))
		return x
	}
	row, col := moved("row", 0), moved("col", 1)
	trace(batch, movers, heading)
	dead, alive := K(), GP32()
	MOVL(other.at("alive"), alive)
	KMOVW(alive, dead)
	KANDW(movers, dead, dead)
	VPCMPEQD(other.at("row"), row, dead, dead)
	VPCMPEQD(other.at("col"), col, dead, dead)
	killed := GP32()
	KMOVW(dead, killed)
	Store(killed, Return("killed"))
	XORL(killed, alive)
	MOVL(alive, other.at("alive"))
	eaters, eats := K(), K()
	KANDNW(movers, dead, eaters)
	cells := Of(VPADDD, col, Of(VPMULLD, all32(width), row))
	var halves [2]reg.OpmaskVirtual
	for h := range halves {
		part := cells.AsY()
		if h == 1 {
			part, eats = Into(YMM(), VEXTRACTI32X8, 1, cells), K()
			KSHIFTRW(operand.U8(8), eaters, eats)
		} else {
			KMOVW(eaters, eats)
		}
		cell := Into(ZMM(), VPMOVZXDQ, part)
		low := Of(VPSLLVQ, cell, all64(1))
		bits := Set{low, Of(VPSLLVQ, Of(VPADDQ, all64(-64), cell), all64(1))}
		g := load(batch.at("food", 64*h))
		bits = g.And(bits)
		some := Or(bits.Low, bits.High)
		halves[h] = K()
		VPTESTMQ(some, some, eats, halves[h])
		Into(g.Low, VPXORQ, bits.Low, g.Low, halves[h])
		Into(g.High, VPXORQ, bits.High, g.High, halves[h])
		g.Store512(batch.at("food", 64*h), high)
	}
	fed := K()
	KUNPCKBW(halves[0], halves[1], fed)
	count(side.at("points"), fed)
	ate, keep := GP32(), GP32()
	KMOVW(fed, ate)
	MOVL(who, keep)
	NOTL(keep)
	ANDL(side.at("fed"), keep)
	ORL(ate, keep)
	MOVL(keep, side.at("fed"))
	ORL(who, side.at("moved"))
	End()
}
