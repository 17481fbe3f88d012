package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// look is the kernel of that name.
func look() {
	TEXT("lookAVX512", NOSPLIT, "func(food, wing, other, sight, chart *uint64) (near, lost uint32)")
	Pragma("noescape")
	Doc("lookAVX512 is look for processors with AVX-512.")
	l := looker{pointer("food"), pointer("wing"), pointer("other"), pointer("sight"),
		pointer("chart")}
	lost := l.half(0)
	second := l.half(1)
	SHLL(operand.U8(8), second)
	ORL(second, lost)
	Store(lost, Return("lost"))
	MOVL(operand.U32(0), at(l.wing, wingMoved))
	l.enemies()
	VZEROUPPER()
	RET()
}

type looker struct{ food, wing, other, sight, chart reg.GPVirtual }

// half looks in the first or last eight games, and returns those in which food has left the view.
func (l looker) half(h int) reg.GPVirtual {
	moved, flags := K(), GP32()
	MOVL(at(l.wing, wingMoved), flags)
	if h > 0 {
		SHRL(operand.U8(8), flags)
	}
	KMOVB(flags, moved)
	// How the window has moved with the ant.
	heading, centre := ZMM(), ZMM()
	VPMOVZXDQ(at(l.wing, wingHeading+32*h), heading)
	byHeading := func(table int) reg.VecVirtual {
		d := ZMM()
		VPERMQ_Z(at(l.chart, table), heading, moved, d)
		return d
	}
	wraps := ground{byHeading(chartWrapLow), byHeading(chartWrapHigh)}
	first, second := newTurn(byHeading(chartShift)), newTurn(byHeading(chartShift2))

	visited := recentred(load(l.wing, wingVisited+64*h), wraps, first, second)
	VPSLLQ(operand.U8(cells/2), all64(1), centre)
	VPORQ(centre, visited.low, visited.low)
	visited.store(l.wing, wingVisited+64*h)
	inPlaces(visited, l.sight, sightVisited+32*h)

	known := recentred(load(l.wing, wingKnown+64*h), wraps, first, second)
	view := ground{ZMM(), ZMM()}
	VPBROADCASTQ(at(l.chart, chartInView), view.low)
	VPBROADCASTQ(at(l.chart, chartInView+8), view.high)
	gone := ground{byHeading(chartBeforeLow), byHeading(chartBeforeHigh)}
	VPANDQ(known.low, gone.low, gone.low)
	VPANDQ(known.high, gone.high, gone.high)
	VPANDNQ(gone.low, view.low, gone.low)
	VPANDNQ(gone.high, view.high, gone.high)
	gone.store(l.sight, sightLost+64*h)
	any, k, lost := ZMM(), K(), GP32()
	VPORQ(gone.low, gone.high, any)
	VPTESTMQ(any, any, k)
	KMOVB(k, lost)

	board := l.board(h)
	VPTERNLOGQ(operand.U8(choose), known.low, board.low, view.low)
	VPTERNLOGQ(operand.U8(choose), known.high, board.high, view.high)
	view.store(l.wing, wingKnown+64*h)
	inPlaces(view, l.sight, sightFood+32*h)
	return lost
}

// board returns the food in each of eight games as it lies in the ant's window.
func (l looker) board(h int) ground {
	row, col, cell := ZMM(), ZMM(), ZMM()
	VPMOVZXDQ(at(l.wing, wingRow+32*h), row)
	VPMOVZXDQ(at(l.wing, wingCol+32*h), col)
	VPMULUDQ(all64(side), row, cell)
	VPADDQ(col, cell, cell)
	shift, shift2, t := all64(cells/2), ZMM(), ZMM()
	VPSUBQ(cell, shift, shift)
	VPADDQ(all64(cells), shift, t)
	VPMINUQ(t, shift, shift)
	west := K()
	VPCMPUQ(operand.U8(lessThan), all64(side/2), col, west)
	VPADDQ(all64(side), shift, shift2)
	VPADDQ(all64(cells-side), shift, west, shift2)
	VPSUBQ(all64(cells), shift2, t)
	VPMINUQ(t, shift2, shift2)
	byCol := func(table int) reg.VecVirtual {
		d, t := ZMM(), ZMM()
		VMOVDQA64(col, d)
		VMOVDQU64(at(l.chart, table), t)
		VPERMI2Q(at(l.chart, table+vector), t, d)
		return d
	}
	return recentred(load(l.food, 64*h), ground{byCol(chartColLow), byCol(chartColHigh)},
		newTurn(shift), newTurn(shift2))
}

// enemies draws the opponents and the empty cells of all games.
func (l looker) enemies() {
	// offset returns the opponent's row or column in the window, from the first in view.
	offset := func(disp int) reg.VecVirtual {
		x := ZMM()
		VMOVDQU32(at(l.other, disp), x)
		VPSUBD(at(l.wing, disp), x, x)
		VPADDD(all32(side/2), x, x)
		wrap(x)
		VPSUBD(all32(3), x, x)
		return x
	}
	row, col := offset(wingRow), offset(wingCol)
	k, five := K(), all32(5)
	KMOVW(at(l.other, wingAlive), k)
	VPCMPUD(operand.U8(lessThan), five, row, k, k)
	VPCMPUD(operand.U8(lessThan), five, col, k, k)
	VPMULLD(five, row, row)
	VPADDD(col, row, row)
	enemy, empty := ZMM(), ZMM()
	VPSLLVD_Z(row, all32(1), k, enemy)
	VMOVDQU32(enemy, at(l.sight, sightEnemy))
	VPORD(at(l.sight, sightFood), enemy, empty)
	VPANDND(all32(1<<25-1), empty, empty)
	VMOVDQU32(empty, at(l.sight, sightEmpty))
	near := GP32()
	KMOVW(k, near)
	Store(near, Return("near"))
}

// wrap brings rows or columns back from at most one board away.
func wrap(x reg.VecVirtual) {
	t, u := ZMM(), ZMM()
	VPADDD(all32(side), x, t)
	VPADDD(all32(-side), x, u)
	VPMINUD(t, x, x)
	VPMINUD(u, x, x)
}

// recall is the kernel of that name.
func recall() {
	TEXT("recallAVX512", NOSPLIT, "func(wing, sight, time, chart *uint64)")
	Pragma("noescape")
	Doc("recallAVX512 is recall for processors with AVX-512.")
	wing, sight, time, chart := pointer("wing"), pointer("sight"), pointer("time"), pointer("chart")
	left, past, far, used, inUse := GP64(), GP64(), GP64(), GP64(), GP32()
	MOVL(at(wing, wingPasts), left.As32())
	XORL(inUse, inUse)
	TESTL(left.As32(), left.As32())
	JEQ(operand.LabelRef("done"))
	LEAQ(at(wing, wingPast), past)
	LEAQ(at(wing, wingUsed), used)
	LEAQ(at(sight, sightFar), far)
	number := GP32()
	XORL(number, number)
	Label("past")
	INCL(number)
	offset := func(disp, wingDisp int) reg.VecVirtual {
		x := ZMM()
		VMOVDQU32(at(past, disp), x)
		VPSUBD(at(wing, wingDisp), x, x)
		VPADDD(all32(side/2), x, x)
		wrap(x)
		return x
	}
	row, col := offset(0, wingRow), offset(pastCol, wingCol)
	middleRow, middleCol, five := ZMM(), ZMM(), all32(5)
	VPADDD(all32(-3), row, middleRow)
	VPADDD(all32(-3), col, middleCol)
	k, middle, seen := K(), K(), K()
	KMOVW(at(used, 0), k)
	VPCMPUD(operand.U8(lessThan), five, middleRow, middle)
	VPCMPUD(operand.U8(lessThan), five, middleCol, middle, seen)
	KANDNW(k, seen, k)
	MOVL(operand.U32(0), at(used, 0))
	KMOVW(k, at(used, 0))
	VPCMPUD(operand.U8(above), all32(7), col, middle, middle)
	rank := ZMM()
	VPERMD(at(chart, chartFarRows), row, rank)
	VPADDD(col, rank, rank)
	VPSUBD(five, rank, middle, rank)
	index, bit := ZMM(), ZMM()
	VPSRLD(operand.U8(5), rank, index)
	VPADDD(all32(1), index, index)
	VPSLLD_Z(operand.U8(2), index, k, index)
	VMOVDQU32(index, at(far, 0))
	VPANDD(all32(31), rank, rank)
	VPSLLVD_Z(rank, all32(1), k, bit)
	VMOVDQU32(bit, at(far, vector))
	age, weight, young, old := ZMM(), ZMM(), ZMM(), K()
	VMOVDQU32(at(time, 0), age)
	VPSUBD(at(past, pastSeen), age, age)
	VPCMPUD(operand.U8(above), all32(31), age, old)
	VMOVDQA32(age, weight)
	VMOVDQU32(at(chart, chartBeliefs), young)
	VPERMI2D(at(chart, chartBeliefs+vector), young, weight)
	VPERMD(at(chart, chartBeliefs+2*vector), age, old, weight)
	VMOVDQA32_Z(weight, k, weight)
	VMOVDQU32(weight, at(far, 2*vector))
	KTESTW(k, k)
	CMOVLNE(number, inUse)
	ADDQ(operand.U32(pastBytes), past)
	ADDQ(operand.U32(farBytes), far)
	ADDQ(operand.U8(4), used)
	DECQ(left)
	JNE(operand.LabelRef("past"))
	Label("done")
	MOVL(inUse, at(wing, wingPasts))
	VZEROUPPER()
	RET()
}

// enter is the kernel of that name. The layers and scalars stand in the order of package antwars.
func enter() {
	TEXT("enterAVX512", NOSPLIT,
		"func(wing, sight, time *uint64, who uint32, layers, far, scalars, chart *uint64)")
	Pragma("noescape")
	Doc("enterAVX512 is enter for processors with AVX-512.")
	wing, sight, time, layers := pointer("wing"), pointer("sight"), pointer("time"),
		pointer("layers")
	far, scalars, chart := pointer("far"), pointer("scalars"), pointer("chart")
	who, left := GP32(), GP32()
	Load(Param("who"), who)
	POPCNTL(who, left)
	k, order := K(), ZMM()
	KMOVW(who, k)
	VMOVDQU32(at(chart, chartCount), order)
	VPCOMPRESSD_Z(order, k, order)
	pasts, spread, hope := GP64(), GP64(), GP64()
	MOVL(at(wing, wingPasts), pasts.As32())
	MOVQ(pasts, at(far, 0))
	ADDQ(operand.U8(farLists), far)
	LEAQ(at(chart, chartSpread), spread)
	LEAQ(at(sight, sightHope), hope)
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
	for p := range 4 {
		z := take(at(sight, sightFood+p*vector))
		VMOVDQU32(z, at(layers, p*planeBytes))
		if p == 0 {
			food = z
		}
		VMOVDQU32(take(at(sight, sightVisited+p*vector)), at(layers, 3*layerBytes+p*planeBytes))
	}
	VMOVDQU32(take(at(sight, sightEnemy)), at(layers, layerBytes))
	VMOVDQU32(take(at(sight, sightEmpty)), at(layers, 2*layerBytes))
	// Scalars: moves left, food eaten, food not eaten, hope.
	number := func(scalar int, z reg.VecVirtual) {
		VCVTDQ2PS(z, z)
		VMOVUPS(z, at(scalars, scalar*planeBytes))
	}
	t := all32(rounds)
	VPSUBD(take(at(time, 0)), t, t)
	number(0, t)
	points := take(at(wing, wingPoints))
	t = all32(pieces)
	VPSUBD(points, t, t)
	number(2, t)
	number(1, points)
	for slot, to := range []operand.Mem{at(scalars, 3*planeBytes), at(hope, 0)} {
		cell, ahead, around := ZMM(), K(), K()
		VBROADCASTI32X4(at(chart, chartHopes+32*slot), cell)
		VPTESTMD(cell, food, ahead)
		VBROADCASTI32X4(at(chart, chartHopes+32*slot+16), cell)
		VPTESTMD(cell, food, around)
		h := ZMM()
		one := all32(0x3f800000)
		VMOVDQA32_Z(one, ahead, h)
		second := ZMM()
		VBROADCASTSS(at(chart, chartSecond), second)
		VADDPS(second, h, around, h)
		VMOVUPS(h, to)
	}
	lists, list, n := GP64(), GP64(), GP64()
	turns := ZMM()
	VMOVDQU32(at(chart, chartTurns), turns)
	MOVQ(far, list)
	LEAQ(at(sight, sightFar), lists)
	MOVQ(pasts, n)
	TESTQ(n, n)
	JEQ(operand.LabelRef("entered"))
	Label("far")
	index := take(at(lists, 0))
	VPADDD(turns, index, index)
	VMOVDQU32(index, at(list, 0))
	VMOVDQU32(take(at(lists, vector)), at(list, farList))
	VMOVDQU32(take(at(lists, 2*vector)), at(list, 2*farList))
	ADDQ(operand.U32(farBytes), lists)
	ADDQ(operand.U32(planeBytes), list)
	DECQ(n)
	JNE(operand.LabelRef("far"))
	Label("entered")
	for _, p := range []reg.GPVirtual{spread, hope, layers, far, scalars} {
		ADDQ(operand.U8(laneVector), p)
	}
	SUBL(operand.U8(4), left)
	JG(operand.LabelRef("vector"))
	VZEROUPPER()
	RET()
}

// chooseHeading is the kernel choose.
func chooseHeading() {
	TEXT("chooseAVX512", NOSPLIT,
		"func(straight, diagonal *float32, who uint32, heading, chart *uint64)")
	Pragma("noescape")
	Doc("chooseAVX512 is choose for processors with AVX-512.")
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
	VMOVDQU32(at(chart, chartDiagonal), asDiagonal)
	VPADDD(all32(1), asDiagonal, asStraight)
	for v := range 4 {
		d, s, best, t := ZMM(), ZMM(), ZMM(), ZMM()
		VMOVUPS(at(diagonal, v*laneVector), d)
		VMOVUPS(at(straight, v*laneVector), s)
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
func trace(herd reg.GPVirtual, movers reg.OpmaskVirtual, heading reg.VecVirtual) {
	steps := ZMM()
	VMOVDQU32(at(herd, herdSteps), steps)
	VPADDD(all32(1), steps, movers, steps)
	VMOVDQU32(steps, at(herd, herdSteps))
	for h := range 2 {
		k, part := movers, heading.AsY()
		if h == 1 {
			k, part = K(), YMM()
			KSHIFTRW(operand.U8(8), movers, k)
			VEXTRACTI32X8(operand.U8(1), heading, part)
		}
		hash, decision, t := ZMM(), ZMM(), ZMM()
		VMOVDQU64(at(herd, herdPrints+64*h), hash)
		VPMOVZXDQ(part, decision)
		VPXORQ(hash, decision, decision)
		VPMULLQ(all64(-0x61c8864680b583eb), decision, decision) // 2^64 over the golden ratio
		VPSRLQ(operand.U8(29), decision, t)
		VPXORQ(t, decision, k, hash)
		VMOVDQU64(hash, at(herd, herdPrints+64*h))
	}
}

// march is the kernel of that name.
func march() {
	TEXT("marchAVX512", NOSPLIT,
		"func(food, wing, other *uint64, who uint32, chart *uint64) (killed uint32)")
	Pragma("noescape")
	Doc("marchAVX512 is march for processors with AVX-512.")
	food, wing, other, chart := pointer("food"), pointer("wing"), pointer("other"), pointer("chart")
	who, heading, movers := GP32(), ZMM(), K()
	Load(Param("who"), who)
	KMOVW(who, movers)
	VMOVDQU32(at(wing, wingHeading), heading)
	moved := func(disp, table int) reg.VecVirtual {
		x := ZMM()
		VPERMD_Z(at(chart, table), heading, movers, x)
		VPADDD(at(wing, disp), x, x)
		wrap(x)
		VMOVDQU32(x, at(wing, disp))
		return x
	}
	row, col := moved(wingRow, chartStepRow), moved(wingCol, chartStepCol)
	trace(food, movers, heading)
	dead, alive := K(), GP32()
	MOVL(at(other, wingAlive), alive)
	KMOVW(alive, dead)
	KANDW(movers, dead, dead)
	VPCMPEQD(at(other, wingRow), row, dead, dead)
	VPCMPEQD(at(other, wingCol), col, dead, dead)
	killed := GP32()
	KMOVW(dead, killed)
	Store(killed, Return("killed"))
	XORL(killed, alive)
	MOVL(alive, at(other, wingAlive))
	eaters, eats := K(), K()
	KANDNW(movers, dead, eaters)
	VPMULLD(all32(side), row, row)
	VPADDD(col, row, row)
	var halves [2]reg.OpmaskVirtual
	for h := range halves {
		cell, bits, any := ZMM(), ground{ZMM(), ZMM()}, ZMM()
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
		VPSLLVQ(cell, all64(1), bits.low)
		VPADDQ(all64(-64), cell, cell)
		VPSLLVQ(cell, all64(1), bits.high)
		g := load(food, 64*h)
		VPANDQ(g.low, bits.low, bits.low)
		VPANDQ(g.high, bits.high, bits.high)
		VPORQ(bits.low, bits.high, any)
		halves[h] = K()
		VPTESTMQ(any, any, eats, halves[h])
		VPXORQ(bits.low, g.low, halves[h], g.low)
		VPXORQ(bits.high, g.high, halves[h], g.high)
		g.store(food, 64*h)
	}
	fed := K()
	KUNPCKBW(halves[0], halves[1], fed)
	points := ZMM()
	VMOVDQU32(at(wing, wingPoints), points)
	VPADDD(all32(1), points, fed, points)
	VMOVDQU32(points, at(wing, wingPoints))
	ate, keep := GP32(), GP32()
	KMOVW(fed, ate)
	MOVL(who, keep)
	NOTL(keep)
	ANDL(at(wing, wingFed), keep)
	ORL(ate, keep)
	MOVL(keep, at(wing, wingFed))
	ORL(who, at(wing, wingMoved))
	VZEROUPPER()
	RET()
}
