package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"clade/gp/gen/ground"
)

// constants holds the vectors of constants in memory.
var constants = ground.Constants{}

// each64 is a number in every lane of 64 bits, each32 of 32 bits.
func each64(v int) operand.Mem { return constants.Each64(v) }
func each32(v int) operand.Mem { return constants.Each32(v) }

// recentred2 returns the cells at two addresses, moved.
func recentred2(m ground.Moving2, low, high operand.Mem) ground.Set {
	r := m.Recentred(low, high)
	VPAND(each64(1<<(cells-64)-1), r.High, r.High)
	return r
}

// gather64 returns the entries of a table of words.
func gather64(table operand.Mem, index reg.VecVirtual) reg.VecVirtual {
	all, d := ground.Loaded(each64(-1)), ground.Loaded(each64(0))
	table.Index, table.Scale = index, 8
	VPGATHERQQ(all, table, d)
	return d
}

func gathered2(middle reg.VecVirtual, parts []part) reg.VecVirtual {
	sum, t := YMM(), YMM()
	for i, p := range parts {
		into := t
		if i == 0 {
			into = sum
		}
		VPSRLQ(operand.U8(p.shift), middle, into)
		VPAND(each64(p.mask), into, into)
		if i > 0 {
			VPOR(t, sum, sum)
		}
	}
	return sum
}

// inPlanes2 orders the cells of the window by plane, and stores the words for four games.
func inPlanes2(g ground.Set, to operand.Mem) {
	middle, t := YMM(), YMM()
	VPSRLQ(operand.U8(32), g.Low, middle)
	VPSLLQ(operand.U8(32), g.High, t)
	VPOR(t, middle, middle)
	last := YMM()
	VPSRLQ(operand.U8(25), g.High, last)
	keep := func(p int, y reg.VecVirtual) { ground.Packed(y, to.Offset(p*vector)) }
	keep(1, g.Low)
	keep(3, last)
	keep(0, gathered2(middle, nearParts))
	keep(2, gathered2(middle, restParts))
}

// look2 is the kernel look.
func look2() {
	kernel("look", "AVX2", ofLook)
	l := looker2{newLooker(), ground.NewMoving2()}
	lost := GP32()
	XORL(lost, lost)
	for q := range 4 {
		if q > 0 {
			l.side.unless(4*q, "looked")
		}
		part := l.quarter(q)
		if q > 0 {
			SHLL(operand.U8(4*q), part)
		}
		ORL(part, lost)
	}
	Label("looked")
	Store(lost, Return("lost"))
	MOVL(operand.U32(0), l.side.at("moved"))
	near := l.enemies(0)
	l.side.unless(8, "drawn")
	second := l.enemies(1)
	SHLL(operand.U8(8), second)
	ORL(second, near)
	Label("drawn")
	Store(near, Return("near"))
	VZEROUPPER()
	RET()
}

// unless leaves out what is for more than some games if a side has no more.
func (side record) unless(games int, label string) {
	CMPL(side.at("games"), operand.U8(games))
	JBE(operand.LabelRef(label))
}

type looker2 struct {
	looker
	moving ground.Moving2
}

// quarter looks in four games, and returns those in which food has left the view.
func (l looker2) quarter(q int) reg.GPVirtual {
	// How the window has moved with the ant: not at all where it has not moved.
	moved, bits, heading := YMM(),
		constants.Words64(fmt.Sprintf("games64_%d", q),
			func(i int) uint64 { return 1 << (4*q + i) }), YMM()
	VPBROADCASTD(l.side.at("moved"), moved)
	VPAND(bits, moved, moved)
	VPCMPEQQ(bits, moved, moved)
	VPMOVZXDQ(l.side.at("heading", 16*q), heading)
	byHeading := func(table string, row int) reg.VecVirtual {
		d := gather64(l.chart.at(table, row*vector), heading)
		VPAND(moved, d, d)
		return d
	}
	VMOVDQU(byHeading("wraps", 0), l.moving.Low)
	VMOVDQU(byHeading("wraps", 1), l.moving.High)
	l.moving.First.Set(constants, byHeading("shifts", 0), ground.Loaded(each64(cells)))
	l.moving.Second.Set(constants, byHeading("shifts", 1), ground.Loaded(each64(cells)))

	visited := recentred2(l.moving, l.side.at("visited", 32*q), l.side.at("visited", high+32*q))
	VPOR(each64(1<<(cells/2)), visited.Low, visited.Low)
	VMOVDQU(visited.Low, l.side.at("visited", 32*q))
	VMOVDQU(visited.High, l.side.at("visited", high+32*q))
	inPlanes2(visited, plane(l.sight, "planeVisited", 16*q))

	gone := ground.Set{byHeading("before", 0), byHeading("before", 1)}
	known := recentred2(l.moving, l.side.at("known", 32*q), l.side.at("known", high+32*q))
	view := ground.Set{YMM(), YMM()}
	VPBROADCASTQ(l.chart.at("inView"), view.Low)
	VPBROADCASTQ(l.chart.at("inView", 8), view.High)
	VPANDN(known.Low, view.Low, known.Low)
	VPANDN(known.High, view.High, known.High)
	VPAND(known.Low, gone.Low, gone.Low)
	VPAND(known.High, gone.High, gone.High)
	VMOVDQU(gone.Low, l.sight.at("lost", 32*q))
	VMOVDQU(gone.High, l.sight.at("lost", high+32*q))
	zero, lost := YMM(), GP32()
	VPOR(gone.Low, gone.High, gone.Low)
	VMOVDQU(each64(0), zero)
	VPCMPEQQ(zero, gone.Low, gone.Low)
	VMOVMSKPD(gone.Low, lost)
	XORL(operand.U8(15), lost)
	VMOVDQU(known.Low, l.side.at("known", 32*q))
	VMOVDQU(known.High, l.side.at("known", high+32*q))

	l.board(q)
	board := recentred2(l.moving, l.batch.at("food", 32*q), l.batch.at("food", high+32*q))
	VPBROADCASTQ(l.chart.at("inView"), view.Low)
	VPBROADCASTQ(l.chart.at("inView", 8), view.High)
	VPAND(view.Low, board.Low, board.Low)
	VPAND(view.High, board.High, board.High)
	VPOR(l.side.at("known", 32*q), board.Low, board.Low)
	VPOR(l.side.at("known", high+32*q), board.High, board.High)
	VMOVDQU(board.Low, l.side.at("known", 32*q))
	VMOVDQU(board.High, l.side.at("known", high+32*q))
	inPlanes2(board, plane(l.sight, "planeFood", 16*q))
	return lost
}

// board sets how to move the boards of four games into the ants' windows.
func (l looker2) board(q int) {
	row, col, shift, t := YMM(), YMM(), YMM(), YMM()
	VPMOVZXDQ(l.side.at("row", 16*q), row)
	VPMOVZXDQ(l.side.at("col", 16*q), col)
	VMOVDQU(gather64(l.chart.at("columns"), col), l.moving.Low)
	VMOVDQU(gather64(l.chart.at("columns", high), col), l.moving.High)
	VPMULUDQ(each64(width), row, row)
	VPADDQ(col, row, row)
	VMOVDQU(each64(cells/2), shift)
	VPSUBQ(row, shift, shift)
	VMOVDQU(each64(0), t)
	VPCMPGTQ(shift, t, t)
	VPAND(each64(cells), t, t)
	VPADDQ(t, shift, shift)
	l.moving.First.Set(constants, shift, ground.Loaded(each64(cells)))
	VMOVDQU(each64(width/2), t)
	VPCMPGTQ(col, t, t)
	VPAND(each64(cells-2*width), t, t)
	VPADDQ(each64(width), t, t)
	VPADDQ(t, shift, shift)
	VPCMPGTQ(each64(cells-1), shift, t)
	VPAND(each64(cells), t, t)
	VPSUBQ(t, shift, shift)
	l.moving.Second.Set(constants, shift, ground.Loaded(each64(cells)))
}

// enemies draws the opponents and the empty cells of eight games, and returns those in which an
// opponent is in view.
func (l looker2) enemies(h int) reg.GPVirtual {
	offset := func(field string) reg.VecVirtual {
		x := ground.Loaded(l.other.at(field, 32*h))
		VPSUBD(l.side.at(field, 32*h), x, x)
		VPADDD(each32(width/2), x, x)
		wrap2(x)
		VPSUBD(each32(3), x, x)
		return x
	}
	row, col := offset("row"), offset("col")
	alive, bits := YMM(), games32(h)
	VPBROADCASTD(l.other.at("alive"), alive)
	VPAND(bits, alive, alive)
	VPCMPEQD(bits, alive, alive)
	for _, x := range []reg.VecVirtual{row, col} {
		t := YMM()
		VPMINUD(each32(4), x, t)
		VPCMPEQD(t, x, t)
		VPAND(t, alive, alive)
	}
	VPMULLD(each32(5), row, row)
	VPADDD(col, row, row)
	enemy := ground.Loaded(each32(1))
	VPSLLVD(row, enemy, enemy)
	VPAND(alive, enemy, enemy)
	VMOVDQU(enemy, plane(l.sight, "planeEnemy", 32*h))
	VPOR(plane(l.sight, "planeFood", 32*h), enemy, enemy)
	VPANDN(each32(1<<25-1), enemy, enemy)
	VMOVDQU(enemy, plane(l.sight, "planeEmpty", 32*h))
	near := GP32()
	VMOVMSKPS(alive, near)
	return near
}

// games32 is the bit of each of eight games.
func games32(h int) operand.Mem {
	return constants.Words(fmt.Sprintf("games32_%d", h), 8,
		func(i int) uint32 { return 1 << (8*h + i) })
}

func wrap2(x reg.VecVirtual) {
	t, u := YMM(), YMM()
	VPADDD(each32(width), x, t)
	VPSUBD(each32(width), x, u)
	VPMINUD(t, x, x)
	VPMINUD(u, x, x)
}

// recall2 is the kernel recall.
func recall2() {
	recalls("AVX2", func(r recollection) {
		counts := r.half(0)
		r.side.unless(8, "half")
		second := r.half(1)
		SHLL(operand.U8(8), second)
		ORL(second, counts)
		Label("half")
		MOVL(counts, at(r.used, 0))
		TESTL(counts, counts)
	})
}

// half works out a recollection in eight games, and returns those in which it still counts.
func (r recollection) half(h int) reg.GPVirtual {
	offset := func(field string) reg.VecVirtual {
		x := ground.Loaded(r.past.at(field, 32*h))
		VPSUBD(r.side.at(field, 32*h), x, x)
		VPADDD(each32(width/2), x, x)
		wrap2(x)
		return x
	}
	row, col := offset("row"), offset("col")
	// within tells where a row or column is one of the view.
	within := func(x reg.VecVirtual) reg.VecVirtual {
		t, u := YMM(), YMM()
		VPSUBD(each32(3), x, t)
		VPMINUD(each32(4), t, u)
		VPCMPEQD(t, u, u)
		return u
	}
	middle, seen := within(row), within(col)
	VPAND(middle, seen, seen)
	counts, bits := YMM(), games32(h)
	VPBROADCASTD(at(r.used, 0), counts)
	VPAND(bits, counts, counts)
	VPCMPEQD(bits, counts, counts)
	VPANDN(counts, seen, counts)
	result := GP32()
	VMOVMSKPS(counts, result)
	// gather returns the entries of a table where the recollection counts; its index is not wild
	// there.
	gather := func(table string, index reg.VecVirtual) reg.VecVirtual {
		d, mask, m := YMM(), YMM(), r.chart.at(table)
		VMOVDQA(counts, mask)
		VMOVDQU(each64(0), d)
		m.Index, m.Scale = index, 4
		VPGATHERDD(mask, m, d)
		return d
	}
	rank, t := gather("farRows", row), YMM()
	VPADDD(col, rank, rank)
	VPCMPGTD(each32(7), col, t)
	VPAND(middle, t, t)
	VPAND(each32(5), t, t)
	VPSUBD(t, rank, rank)
	VPSRLD(operand.U8(5), rank, t)
	VPSLLD(operand.U8(2), t, t)
	VPADDD(each32(4), t, t)
	VPAND(counts, t, t)
	VMOVDQU(t, r.far.at("index", 32*h))
	VPAND(each32(31), rank, rank)
	VMOVDQU(each32(1), t)
	VPSLLVD(rank, t, t)
	VPAND(counts, t, t)
	VMOVDQU(t, r.far.at("bit", 32*h))
	VMOVDQU(at(r.time, 32*h), t)
	VPSUBD(r.past.at("seen", 32*h), t, t)
	VMOVDQU(gather("certainties", t), r.far.at("weight", 32*h))
	return result
}

// firstGame begins what a kernel does for one of some games after the other, and returns the number
// of the game.
func firstGame(who reg.GPVirtual) reg.GPVirtual {
	Label("game")
	game := GP64()
	BSFL(who, game.As32())
	return game
}

// nextGame goes on with the next game, and ends the kernel behind the last.
func nextGame(who reg.GPVirtual) {
	BLSRL(who, who)
	JNE(operand.LabelRef("game"))
	VZEROUPPER()
	RET()
}

// enter2 is the kernel enter: one game after the other, four lanes at a time.
func enter2() {
	kernel("enter", "AVX2", ofEnter)
	side, sight, time, layers := pointer("side"), pointer("sight"), pointer("time"), pointer("layers")
	far, numbers, chart := pointer("far").as("gp.FarCells"), pointer("scalars"), pointer("chart")
	who, pasts, hope := GP32(), GP64(), GP64()
	Load(Param("who"), who)
	MOVL(side.at("pasts"), pasts.As32())
	MOVQ(pasts, far.at("N"))
	ADDQ(operand.U8(farLists), far)
	LEAQ(sight.at("hope"), hope)
	second, one, turns := XMM(), XMM(), XMM()
	VBROADCASTSS(chart.at("second"), second)
	VPBROADCASTD(each32(0x3f800000), one)
	VMOVDQU(chart.at("turns"), turns)
	game := firstGame(who)
	of := func(m operand.Mem) operand.Mem { return m.Idx(game, 4) }
	take := func(from operand.Mem) reg.VecVirtual {
		x := XMM()
		VPBROADCASTD(of(from), x)
		return x
	}
	var food reg.VecVirtual
	for i, to := range planes {
		x := take(sight.at("planes", i*vector))
		VMOVDQU(x, at(layers, to["layer"]*layerBytes+to["plane"]*planeBytes))
		if i == code.Const("planeFood") {
			food = x
		}
	}
	counts := map[int]reg.VecVirtual{code.Const("countMoves"): take(at(time, 0)),
		code.Const("countPoints"): take(side.at("points"))}
	four := func(v int) reg.VecVirtual {
		x := XMM()
		VMOVDQU(each32(v), x)
		return x
	}
	fillScalars(counts, four, at(numbers, 0))
	zero := XMM()
	VPXOR(zero, zero, zero)
	for slot, to := range []operand.Mem{at(numbers, code.Const("scalarFoodHope")*planeBytes),
		at(hope, 0)} {
		ahead, around := XMM(), XMM()
		VPAND(chart.at("hopes", 32*slot), food, ahead)
		VPCMPEQD(zero, ahead, ahead)
		VPANDN(one, ahead, ahead)
		VPAND(chart.at("hopes", 32*slot+16), food, around)
		VPCMPEQD(zero, around, around)
		VPANDN(second, around, around)
		VADDPS(around, ahead, ahead)
		VMOVUPS(ahead, to)
	}
	lists, list, n := allocated("farFood"), GP64(), GP64()
	MOVQ(far, list)
	LEAQ(of(sight.at("far")), lists)
	MOVQ(pasts, n)
	TESTQ(n, n)
	JEQ(operand.LabelRef("entered"))
	Label("far")
	index, bit, weight := XMM(), XMM(), XMM()
	VPBROADCASTD(lists.at("index"), index)
	VPADDD(turns, index, index)
	VMOVDQU(index, at(list, 0))
	VPBROADCASTD(lists.at("bit"), bit)
	VMOVDQU(bit, at(list, farList))
	VPBROADCASTD(lists.at("weight"), weight)
	VMOVDQU(weight, at(list, 2*farList))
	ADDQ(operand.U32(lists.size()), lists)
	ADDQ(operand.U32(planeBytes), list)
	DECQ(n)
	JNE(operand.LabelRef("far"))
	Label("entered")
	for _, p := range []reg.GPVirtual{hope, layers, far, numbers} {
		ADDQ(operand.U8(16), p)
	}
	nextGame(who)
}

// draw2 is the kernel draw.
func draw2() {
	kernel("draw", "AVX2", ofDraw)
	vista, l, layers := pointer("vista"), looker2{moving: ground.NewMoving2()}, GP64()
	l.side, l.chart = pointer("side"), pointer("chart")
	Load(Param("layers"), layers)
	who, sets := GP32(), code.Const("vistas")
	Load(Param("who"), who)
	for q := range 4 {
		next := fmt.Sprint("next", q)
		TESTL(operand.U32(15<<(4*q)), who)
		JEQ(operand.LabelRef(next))
		l.board(q)
		for i := range sets {
			from := vista.at("cells", i*2*high+32*q)
			inPlanes2(recentred2(l.moving, from, from.Offset(high)),
				vista.at("planes", i*4*vector+16*q))
		}
		Label(next)
	}
	game := firstGame(who)
	for i := range 4 * sets {
		x := XMM()
		VPBROADCASTD(indexed(vista.at("planes", i*vector), game, 4), x)
		VMOVDQU(x, at(layers, i*planeBytes))
	}
	ADDQ(operand.U8(16), layers)
	nextGame(who)
}

// choose2 is the kernel choose: the utilities of a game stand in a vector by direction.
func choose2() {
	kernel("choose", "AVX2", ofChoose)
	straight, diagonal, heading := pointer("straight"), pointer("diagonal"), pointer("heading")
	who, best := GP32(), GP32()
	Load(Param("who"), who)
	// What is not a number is never greater, but stays where it is the first.
	none := constants.Words("none", 8, func(i int) uint32 {
		return 0x7f800000 | uint32(min(i, 1))<<31
	})
	game := firstGame(who)
	d, s, all, t := XMM(), XMM(), YMM(), YMM()
	VMOVUPS(at(diagonal, 0), d)
	VMOVUPS(at(straight, 0), s)
	VUNPCKLPS(s, d, all.AsX())
	VUNPCKHPS(s, d, t.AsX())
	VINSERTF128(operand.U8(1), t.AsX(), all, all)
	VCMPPS(operand.U8(3), all, all, t)
	VBLENDVPS(t, none, all, all)
	VPERM2F128(operand.U8(1), all, all, t)
	VMAXPS(t, all, t)
	for _, halves := range []uint64{0x4e, 0xb1} {
		u := YMM()
		VPERMILPS(operand.U8(halves), t, u)
		VMAXPS(u, t, t)
	}
	VCMPPS(operand.U8(0), t, all, t)
	VMOVMSKPS(t, best)
	BSFL(best, best)
	MOVL(best, indexed(at(heading, 0), game, 4))
	ADDQ(operand.U8(16), straight)
	ADDQ(operand.U8(16), diagonal)
	nextGame(who)
}
