package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"clade/gp/gen/ground"
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
	VZEROUPPER()
	RET()
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
	heading, centre := ZMM(), ZMM()
	VPMOVZXDQ(l.side.at("heading", 32*h), heading)
	byHeading := func(table string, row int) reg.VecVirtual {
		d := ZMM()
		VPERMQ_Z(l.chart.at(table, row*vector), heading, moved, d)
		return d
	}
	wraps := ground.Set{byHeading("wraps", 0), byHeading("wraps", 1)}
	first, second := newTurn(byHeading("shifts", 0)), newTurn(byHeading("shifts", 1))

	visited := recentred(load(l.side.at("visited", 64*h)), wraps, first, second)
	VPSLLQ(operand.U8(cells/2), all64(1), centre)
	VPORQ(centre, visited.Low, visited.Low)
	visited.Store512(l.side.at("visited", 64*h), high)
	inPlanes(visited, plane(l.sight, "planeVisited", 32*h))

	known := recentred(load(l.side.at("known", 64*h)), wraps, first, second)
	view := ground.New512()
	VPBROADCASTQ(l.chart.at("inView"), view.Low)
	VPBROADCASTQ(l.chart.at("inView", 8), view.High)
	gone := ground.Set{byHeading("before", 0), byHeading("before", 1)}
	VPANDQ(known.Low, gone.Low, gone.Low)
	VPANDQ(known.High, gone.High, gone.High)
	VPANDNQ(gone.Low, view.Low, gone.Low)
	VPANDNQ(gone.High, view.High, gone.High)
	gone.Store512(l.sight.at("lost", 64*h), high)
	any, k, lost := ZMM(), K(), GP32()
	VPORQ(gone.Low, gone.High, any)
	VPTESTMQ(any, any, k)
	KMOVB(k, lost)

	board := onBoard(l.side, l.chart, h)(load(l.batch.at("food", 64*h)))
	VPTERNLOGQ(operand.U8(choose), known.Low, board.Low, view.Low)
	VPTERNLOGQ(operand.U8(choose), known.High, board.High, view.High)
	view.Store512(l.side.at("known", 64*h), high)
	inPlanes(view, plane(l.sight, "planeFood", 32*h))
	return lost
}

// onBoard tells how cells of the board lie in the windows of the ants of eight games.
func onBoard(side, chart record, h int) (inWindow func(ground.Set) ground.Set) {
	row, col, cell := ZMM(), ZMM(), ZMM()
	VPMOVZXDQ(side.at("row", 32*h), row)
	VPMOVZXDQ(side.at("col", 32*h), col)
	VPMULUDQ(all64(width), row, cell)
	VPADDQ(col, cell, cell)
	shift, shift2, t := all64(cells/2), ZMM(), ZMM()
	VPSUBQ(cell, shift, shift)
	VPADDQ(all64(cells), shift, t)
	VPMINUQ(t, shift, shift)
	west := K()
	VPCMPUQ(operand.U8(lessThan), all64(width/2), col, west)
	VPADDQ(all64(width), shift, shift2)
	VPADDQ(all64(cells-width), shift, west, shift2)
	VPSUBQ(all64(cells), shift2, t)
	VPMINUQ(t, shift2, shift2)
	byCol := func(row int) reg.VecVirtual {
		d, t := ZMM(), ZMM()
		VMOVDQA64(col, d)
		VMOVDQU64(chart.at("columns", row*high), t)
		VPERMI2Q(chart.at("columns", row*high+vector), t, d)
		return d
	}
	wraps, first, second := ground.Set{byCol(0), byCol(1)}, newTurn(shift), newTurn(shift2)
	return func(g ground.Set) ground.Set { return recentred(g, wraps, first, second) }
}

// enemies draws the opponents and the empty cells of all games.
func (l looker) enemies() {
	// offset returns the opponent's row or column in the window, from the first in view.
	offset := func(field string) reg.VecVirtual {
		x := ZMM()
		VMOVDQU32(l.other.at(field), x)
		VPSUBD(l.side.at(field), x, x)
		VPADDD(all32(width/2), x, x)
		wrap(x)
		VPSUBD(all32(3), x, x)
		return x
	}
	row, col := offset("row"), offset("col")
	k, five := K(), all32(5)
	KMOVW(l.other.at("alive"), k)
	VPCMPUD(operand.U8(lessThan), five, row, k, k)
	VPCMPUD(operand.U8(lessThan), five, col, k, k)
	VPMULLD(five, row, row)
	VPADDD(col, row, row)
	enemy, empty := ZMM(), ZMM()
	VPSLLVD_Z(row, all32(1), k, enemy)
	VMOVDQU32(enemy, plane(l.sight, "planeEnemy", 0))
	VPORD(plane(l.sight, "planeFood", 0), enemy, empty)
	VPANDND(all32(1<<25-1), empty, empty)
	VMOVDQU32(empty, plane(l.sight, "planeEmpty", 0))
	near := GP32()
	KMOVW(k, near)
	Store(near, Return("near"))
}

// wrap brings rows or columns back from at most one board away.
func wrap(x reg.VecVirtual) {
	t, u := ZMM(), ZMM()
	VPADDD(all32(width), x, t)
	VPADDD(all32(-width), x, u)
	VPMINUD(t, x, x)
	VPMINUD(u, x, x)
}

// recall is the kernel of that name.
func recall() { recalls("AVX-512", recollection.all) }

// all works out a recollection in all games.
func (r recollection) all() {
	offset := func(field string) reg.VecVirtual {
		x := ZMM()
		VMOVDQU32(r.past.at(field), x)
		VPSUBD(r.side.at(field), x, x)
		VPADDD(all32(width/2), x, x)
		wrap(x)
		return x
	}
	row, col := offset("row"), offset("col")
	middleRow, middleCol, five := ZMM(), ZMM(), all32(5)
	VPADDD(all32(-3), row, middleRow)
	VPADDD(all32(-3), col, middleCol)
	k, middle, seen := K(), K(), K()
	KMOVW(at(r.used, 0), k)
	VPCMPUD(operand.U8(lessThan), five, middleRow, middle)
	VPCMPUD(operand.U8(lessThan), five, middleCol, middle, seen)
	KANDNW(k, seen, k)
	MOVL(operand.U32(0), at(r.used, 0))
	KMOVW(k, at(r.used, 0))
	VPCMPUD(operand.U8(above), all32(7), col, middle, middle)
	rank := ZMM()
	VPERMD(r.chart.at("farRows"), row, rank)
	VPADDD(col, rank, rank)
	VPSUBD(five, rank, middle, rank)
	index, bit := ZMM(), ZMM()
	VPSRLD(operand.U8(5), rank, index)
	VPADDD(all32(1), index, index)
	VPSLLD_Z(operand.U8(2), index, k, index)
	VMOVDQU32(index, r.far.at("index"))
	VPANDD(all32(31), rank, rank)
	VPSLLVD_Z(rank, all32(1), k, bit)
	VMOVDQU32(bit, r.far.at("bit"))
	age, weight, table, old := ZMM(), ZMM(), ZMM(), K()
	VMOVDQU32(at(r.time, 0), age)
	VPSUBD(r.past.at("seen"), age, age)
	VPCMPUD(operand.U8(above), all32(31), age, old)
	VMOVDQA32(age, weight)
	VMOVDQU32(r.chart.at("certainties"), table)
	VPERMI2D(r.chart.at("certainties", vector), table, weight)
	VPERMD(r.chart.at("certainties", 2*vector), age, old, weight)
	// only in games of more moves than the contest's
	VPCMPUD(operand.U8(above), all32(47), age, k, old)
	KTESTW(old, old)
	JZ(operand.LabelRef("young"))
	VMOVDQU32(r.chart.at("certainties", 4*vector), table)
	VPERMI2D(r.chart.at("certainties", 3*vector), table, age)
	VMOVDQA32(age, old, weight)
	Label("young")
	VMOVDQA32_Z(weight, k, weight)
	VMOVDQU32(weight, r.far.at("weight"))
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
	games := ZMM()
	VMOVDQU32(at(spread, 0), games)
	VPERMD(order, games, games)
	take := func(from operand.Mem) reg.VecVirtual {
		z := ZMM()
		VPERMD(from, games, z)
		return z
	}
	var food reg.VecVirtual
	for i, to := range planes {
		z := take(sight.at("planes", i*vector))
		VMOVDQU32(z, at(layers, to["layer"]*layerBytes+to["plane"]*planeBytes))
		if i == code.Const("planeFood") {
			food = z
		}
	}
	counts := map[int]reg.VecVirtual{code.Const("countMoves"): take(at(time, 0)),
		code.Const("countPoints"): take(side.at("points"))}
	fillScalars(counts, all32, at(numbers, 0))
	for slot, to := range []operand.Mem{at(numbers, code.Const("scalarFoodHope")*planeBytes),
		at(hope, 0)} {
		cell, ahead, around := ZMM(), K(), K()
		VBROADCASTI32X4(chart.at("hopes", 32*slot), cell)
		VPTESTMD(cell, food, ahead)
		VBROADCASTI32X4(chart.at("hopes", 32*slot+16), cell)
		VPTESTMD(cell, food, around)
		h := ZMM()
		one := all32(0x3f800000)
		VMOVDQA32_Z(one, ahead, h)
		second := ZMM()
		VBROADCASTSS(chart.at("second"), second)
		VADDPS(second, h, around, h)
		VMOVUPS(h, to)
	}
	lists, list, n := allocated("farFood"), GP64(), GP64()
	turns := ZMM()
	VMOVDQU32(chart.at("turns"), turns)
	MOVQ(far, list)
	LEAQ(sight.at("far"), lists)
	MOVQ(pasts, n)
	TESTQ(n, n)
	JEQ(operand.LabelRef("entered"))
	Label("far")
	index := take(lists.at("index"))
	VPADDD(turns, index, index)
	VMOVDQU32(index, at(list, 0))
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
	VZEROUPPER()
	RET()
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
	lanes := ZMM()
	VMOVDQU32(at(spread, 0), lanes)
	VPERMD(games, lanes, lanes)
	for i := range 4 * sets {
		z := ZMM()
		VPERMD(vista.at("planes", i*vector), lanes, z)
		VMOVDQU32(z, at(layers, i*planeBytes))
	}
	ADDQ(operand.U8(vector), spread)
	ADDQ(operand.U8(vector), layers)
	SUBL(operand.U8(4), left)
	JG(operand.LabelRef("vector"))
	VZEROUPPER()
	RET()
}

// compressed returns the numbers of the games in the parameter who.
func compressed(chart record) reg.VecVirtual {
	who, k, order := GP32(), K(), ZMM()
	Load(Param("who"), who)
	KMOVW(who, k)
	VMOVDQU32(chart.at("count"), order)
	VPCOMPRESSD_Z(order, k, order)
	return order
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
	asDiagonal, asStraight := ZMM(), ZMM()
	VMOVDQU32(chart.at("diagonal"), asDiagonal)
	VPADDD(all32(1), asDiagonal, asStraight)
	for v := range 4 {
		d, s, best, t := ZMM(), ZMM(), ZMM(), ZMM()
		VMOVUPS(at(diagonal, v*vector), d)
		VMOVUPS(at(straight, v*vector), s)
		// What is not a number is never greater, but stays where it is the first.
		stays, k := K(), K()
		VCMPPS(operand.U8(3), d, d, firstLane, stays)
		VCMPPS(operand.U8(3), d, d, k)
		VMOVDQA32(lowest, k, d)
		VCMPPS(operand.U8(3), s, s, k)
		VMOVDQA32(lowest, k, s)
		VMAXPS(s, d, best)
		VPERMILPS(operand.U8(0xb1), best, t)
		VMAXPS(t, best, best)
		VPERMILPS(operand.U8(0x4e), best, t)
		VMAXPS(t, best, best)
		isBest := K()
		VCMPPS(operand.U8(0), best, d, isBest)
		KORW(stays, isBest, isBest)
		c, u := ZMM(), ZMM()
		VPBLENDMD(asDiagonal, none, isBest, c)
		VCMPPS(operand.U8(0), best, s, isBest)
		VPBLENDMD(asStraight, none, isBest, u)
		VPMINUD(u, c, c)
		VPSHUFD(operand.U8(0xb1), c, t)
		VPMINUD(t, c, c)
		VPSHUFD(operand.U8(0x4e), c, t)
		VPMINUD(t, c, c)
		VPCOMPRESSD_Z(c, firstLane, c)
		if v == 0 {
			VMOVDQA32(c, chosen)
		} else {
			VINSERTI32X4(operand.U8(v), c.AsX(), chosen, chosen)
		}
		if v < 3 {
			CMPL(left, operand.U8(4*v+4))
			JLE(operand.LabelRef("chosen"))
		}
	}
	Label("chosen")
	k, old := K(), ZMM()
	KMOVW(who, k)
	VMOVDQU32(at(heading, 0), old)
	VPEXPANDD(chosen, k, old)
	VMOVDQU32(old, at(heading, 0))
	VZEROUPPER()
	RET()
}

// trace adds the decisions to the fingerprints, as engine.Hash does, and to the steps.
func trace(batch record, movers reg.OpmaskVirtual, heading reg.VecVirtual) {
	steps := ZMM()
	VMOVDQU32(batch.at("steps"), steps)
	VPADDD(all32(1), steps, movers, steps)
	VMOVDQU32(steps, batch.at("steps"))
	for h := range 2 {
		k, part := movers, heading.AsY()
		if h == 1 {
			k, part = K(), YMM()
			KSHIFTRW(operand.U8(8), movers, k)
			VEXTRACTI32X8(operand.U8(1), heading, part)
		}
		hash, decision, t := ZMM(), ZMM(), ZMM()
		VMOVDQU64(batch.at("prints", 64*h), hash)
		VPMOVZXDQ(part, decision)
		VPXORQ(hash, decision, decision)
		VPMULLQ(all64(-0x61c8864680b583eb), decision, decision) // 2^64 over the golden ratio
		VPSRLQ(operand.U8(29), decision, t)
		VPXORQ(t, decision, k, hash)
		VMOVDQU64(hash, batch.at("prints", 64*h))
	}
}

// march is the kernel of that name.
func march() {
	kernel("march", "AVX-512",
		"(batch, side, other *uint64, who uint32, chart *uint64) (killed uint32)")
	batch, side, other, chart := pointer("batch"), pointer("side"), pointer("other").as("side"),
		pointer("chart")
	who, heading, movers := GP32(), ZMM(), K()
	Load(Param("who"), who)
	KMOVW(who, movers)
	VMOVDQU32(side.at("heading"), heading)
	moved := func(field string, step int) reg.VecVirtual {
		x := ZMM()
		VPERMD_Z(chart.at("step", step*vector), heading, movers, x)
		VPADDD(side.at(field), x, x)
		wrap(x)
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
	VPMULLD(all32(width), row, row)
	VPADDD(col, row, row)
	var halves [2]reg.OpmaskVirtual
	for h := range halves {
		cell, bits, any := ZMM(), ground.New512(), ZMM()
		part := row.AsY()
		if h == 1 {
			part = YMM()
			VEXTRACTI32X8(operand.U8(1), row, part)
			eats = K()
			KSHIFTRW(operand.U8(8), eaters, eats)
		} else {
			KMOVW(eaters, eats)
		}
		VPMOVZXDQ(part, cell)
		VPSLLVQ(cell, all64(1), bits.Low)
		VPADDQ(all64(-64), cell, cell)
		VPSLLVQ(cell, all64(1), bits.High)
		g := load(batch.at("food", 64*h))
		VPANDQ(g.Low, bits.Low, bits.Low)
		VPANDQ(g.High, bits.High, bits.High)
		VPORQ(bits.Low, bits.High, any)
		halves[h] = K()
		VPTESTMQ(any, any, eats, halves[h])
		VPXORQ(bits.Low, g.Low, halves[h], g.Low)
		VPXORQ(bits.High, g.High, halves[h], g.High)
		g.Store512(batch.at("food", 64*h), high)
	}
	fed := K()
	KUNPCKBW(halves[0], halves[1], fed)
	points := ZMM()
	VMOVDQU32(side.at("points"), points)
	VPADDD(all32(1), points, fed, points)
	VMOVDQU32(points, side.at("points"))
	ate, keep := GP32(), GP32()
	KMOVW(fed, ate)
	MOVL(who, keep)
	NOTL(keep)
	ANDL(side.at("fed"), keep)
	ORL(ate, keep)
	MOVL(keep, side.at("fed"))
	ORL(who, side.at("moved"))
	VZEROUPPER()
	RET()
}
