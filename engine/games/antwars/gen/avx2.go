package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// constants holds the vectors of constants in memory.
var constants = Constants{}

// each64 is a number in every lane of 64 bits, each32 of 32 bits.
func each64(v int) operand.Mem { return constants.Each64(v) }
func each32(v int) operand.Mem { return constants.Each32(v) }

// recentred2 returns the cells at two addresses, moved.
func recentred2(m Moving2, low, high operand.Mem) Set {
	r := m.Recentred(low, high)
	return Set{r.Low, And(each64(1<<(cells-64)-1), r.High)}
}

// loaded2 returns the sets of four games, and stored2 stores them.
func loaded2(from operand.Mem) Set { return Set{Loaded(from), Loaded(from.Offset(high))} }

func stored2(g Set, to operand.Mem) {
	VMOVDQU(g.Low, to)
	VMOVDQU(g.High, to.Offset(high))
}

// gather64 returns the entries of a table of words.
func gather64(table operand.Mem, index V) V {
	all, d := Loaded(each64(-1)), Loaded(each64(0))
	table.Index, table.Scale = index, 8
	VPGATHERQQ(all, table, d)
	return d
}

func gathered2(middle V, parts []part) (sum V) {
	for i, p := range parts {
		some := And(each64(p.mask), Of(VPSRLQ, int(p.shift), middle))
		if i > 0 {
			some = Or(some, sum)
		}
		sum = some
	}
	return sum
}

// inPlanes2 orders the cells of the window by plane, and stores the words for four games.
func inPlanes2(g Set, to operand.Mem) {
	middle, last := g.Middle(), Of(VPSRLQ, 25, g.High)
	keep := func(p int, y V) { Packed(y, to.Offset(p*vector)) }
	keep(1, g.Low)
	keep(3, last)
	keep(0, gathered2(middle, nearParts))
	keep(2, gathered2(middle, restParts))
}

// look2 is the kernel look.
func look2() {
	kernel("look", "AVX2", ofLook)
	l := looker2{newLooker(), NewMoving2()}
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
	End()
}

// unless leaves out what is for more than some games if a side has no more.
func (side record) unless(games int, label string) {
	CMPL(side.at("games"), operand.U8(games))
	JBE(operand.LabelRef(label))
}

type looker2 struct {
	looker
	moving Moving2
}

// quarter looks in four games, and returns those in which food has left the view.
func (l looker2) quarter(q int) reg.GPVirtual {
	// How the window has moved with the ant: not at all where it has not moved.
	moved := among(VPCMPEQQ, games64(q), l.side.at("moved"))
	heading := Into(YMM(), VPMOVZXDQ, l.side.at("heading", 16*q))
	byHeading := func(table string, row int) V {
		return And(gather64(l.chart.at(table, row*vector), heading), moved)
	}
	VMOVDQU(byHeading("wraps", 0), l.moving.Low)
	VMOVDQU(byHeading("wraps", 1), l.moving.High)
	l.moving.First.Set(constants, byHeading("shifts", 0), Loaded(each64(cells)))
	l.moving.Second.Set(constants, byHeading("shifts", 1), Loaded(each64(cells)))

	visited := recentred2(l.moving, l.side.at("visited", 32*q), l.side.at("visited", high+32*q))
	visited.Low = Or(each64(1<<(cells/2)), visited.Low)
	stored2(visited, l.side.at("visited", 32*q))
	inPlanes2(visited, plane(l.sight, "planeVisited", 16*q))

	before := Set{byHeading("before", 0), byHeading("before", 1)}
	known := recentred2(l.moving, l.side.at("known", 32*q), l.side.at("known", high+32*q)).
		Without(l.inView())
	gone := known.And(before)
	stored2(gone, l.sight.at("lost", 32*q))
	lost := Signs(VMOVMSKPD, Of(VPCMPEQQ, Loaded(each64(0)), Or(gone.High, gone.Low)))
	XORL(operand.U8(15), lost)
	stored2(known, l.side.at("known", 32*q))

	l.board(q)
	board := recentred2(l.moving, l.batch.at("food", 32*q), l.batch.at("food", high+32*q))
	board = l.inView().And(board)
	board = Set{Or(l.side.at("known", 32*q), board.Low), Or(l.side.at("known", high+32*q), board.High)}
	stored2(board, l.side.at("known", 32*q))
	inPlanes2(board, plane(l.sight, "planeFood", 16*q))
	return lost
}

// inView is the cells in view.
func (l looker2) inView() Set {
	return Set{Into(YMM(), VPBROADCASTQ, l.chart.at("inView")),
		Into(YMM(), VPBROADCASTQ, l.chart.at("inView", 8))}
}

// board sets how to move the boards of four games into the ants' windows.
func (l looker2) board(q int) {
	row := Into(YMM(), VPMOVZXDQ, l.side.at("row", 16*q))
	col := Into(YMM(), VPMOVZXDQ, l.side.at("col", 16*q))
	VMOVDQU(gather64(l.chart.at("columns"), col), l.moving.Low)
	VMOVDQU(gather64(l.chart.at("columns", high), col), l.moving.High)
	cell := Of(VPADDQ, col, Of(VPMULUDQ, each64(width), row))
	shift := Of(VPSUBQ, cell, Loaded(each64(cells/2)))
	// where the first is greater than the second, a number, else 0
	number := func(second any, first V, n int) V { return And(each64(n), Of(VPCMPGTQ, second, first)) }
	shift = Of(VPADDQ, number(shift, Loaded(each64(0)), cells), shift)
	l.moving.First.Set(constants, shift, Loaded(each64(cells)))
	further := Of(VPADDQ, each64(width), number(col, Loaded(each64(width/2)), cells-2*width))
	shift = Of(VPADDQ, further, shift)
	shift = Of(VPSUBQ, number(each64(cells-1), shift, cells), shift)
	l.moving.Second.Set(constants, shift, Loaded(each64(cells)))
}

// enemies draws the opponents and the empty cells of eight games, and returns those in which an
// opponent is in view.
func (l looker2) enemies(h int) reg.GPVirtual {
	row := Of(VPSUBD, each32(3), offset2(l.other, l.side, "row", h))
	col := Of(VPSUBD, each32(3), offset2(l.other, l.side, "col", h))
	alive := among(VPCMPEQD, games32(h), l.other.at("alive"))
	for _, x := range []V{row, col} {
		alive = And(Of(VPCMPEQD, Of(VPMINUD, each32(4), x), x), alive)
	}
	cell := Of(VPADDD, col, Of(VPMULLD, each32(5), row))
	enemy := And(alive, Of(VPSLLVD, cell, Loaded(each32(1))))
	VMOVDQU(enemy, plane(l.sight, "planeEnemy", 32*h))
	full := Or(plane(l.sight, "planeFood", 32*h), enemy)
	VMOVDQU(Without(each32(1<<25-1), full), plane(l.sight, "planeEmpty", 32*h))
	return Signs(VMOVMSKPS, alive)
}

// games64 is the bit of each of four games.
func games64(q int) operand.Mem {
	return constants.Words64(fmt.Sprintf("games64_%d", q), 4,
		func(i int) uint64 { return 1 << (4*q + i) })
}

// games32 is the bit of each of eight games.
func games32(h int) operand.Mem {
	return constants.Words(fmt.Sprintf("games32_%d", h), 8,
		func(i int) uint32 { return 1 << (8*h + i) })
}

// among tells in which games, whose bits are given, a set in memory has the bit.
func among(equal any, bits, set operand.Mem) V {
	return Of(equal, bits, And(bits, Into(YMM(), VPBROADCASTD, set)))
}

// offset2 returns the row or column in the window of what stands at a place, in eight games.
func offset2(of, side record, field string, h int) V {
	x := Of(VPSUBD, side.at(field, 32*h), Loaded(of.at(field, 32*h)))
	x = Of(VPADDD, each32(width/2), x)
	more, less := Of(VPADDD, each32(width), x), Of(VPSUBD, each32(width), x)
	return Of(VPMINUD, less, Of(VPMINUD, more, x))
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
	row, col := offset2(r.past, r.side, "row", h), offset2(r.past, r.side, "col", h)
	// within tells where a row or column is one of the view.
	within := func(x V) V {
		t := Of(VPSUBD, each32(3), x)
		return Of(VPCMPEQD, t, Of(VPMINUD, each32(4), t))
	}
	middle := within(row)
	seen := And(middle, within(col))
	counts := Without(among(VPCMPEQD, games32(h), at(r.used, 0)), seen)
	result := Signs(VMOVMSKPS, counts)
	// gather returns the entries of a table where the recollection counts; its index is not wild
	// there.
	gather := func(table string, index V) V {
		mask, d, m := Of(VMOVDQA, counts), Loaded(each64(0)), r.chart.at(table)
		m.Index, m.Scale = index, 4
		VPGATHERDD(mask, m, d)
		return d
	}
	rank := Of(VPADDD, col, gather("farRows", row))
	beyond := And(middle, Of(VPCMPGTD, each32(7), col))
	rank = Of(VPSUBD, And(each32(5), beyond), rank)
	index := Of(VPADDD, each32(4), Of(VPSLLD, 2, Of(VPSRLD, 5, rank)))
	VMOVDQU(And(counts, index), r.far.at("index", 32*h))
	bit := And(each32(31), rank)
	VMOVDQU(And(counts, Of(VPSLLVD, bit, Loaded(each32(1)))), r.far.at("bit", 32*h))
	age := Of(VPSUBD, r.past.at("seen", 32*h), Loaded(at(r.time, 32*h)))
	VMOVDQU(gather("certainties", age), r.far.at("weight", 32*h))
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
	End()
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
	second := Into(XMM(), VBROADCASTSS, chart.at("second"))
	one := Into(XMM(), VPBROADCASTD, each32(0x3f800000))
	turns := Into(XMM(), VMOVDQU, chart.at("turns"))
	game := firstGame(who)
	of := func(m operand.Mem) operand.Mem { return m.Idx(game, 4) }
	take := func(from operand.Mem) V { return Into(XMM(), VPBROADCASTD, of(from)) }
	var food V
	for i, to := range planes {
		x := take(sight.at("planes", i*vector))
		VMOVDQU(x, at(layers, to["layer"]*layerBytes+to["plane"]*planeBytes))
		if i == code.Const("planeFood") {
			food = x
		}
	}
	counts := map[int]V{code.Const("countMoves"): take(at(time, 0)),
		code.Const("countPoints"): take(side.at("points"))}
	four := func(v int) V { return Into(XMM(), VMOVDQU, each32(v)) }
	fillScalars(counts, four, at(numbers, 0))
	zero := XMM()
	VPXOR(zero, zero, zero)
	// hoped returns a number where there is food on some near cells.
	hoped := func(slot, part int, number V) V {
		return Without(number, Of(VPCMPEQD, zero, And(chart.at("hopes", 32*slot+16*part), food)))
	}
	for slot, to := range []operand.Mem{at(numbers, code.Const("scalarFoodHope")*planeBytes),
		at(hope, 0)} {
		ahead := hoped(slot, 0, one)
		VMOVUPS(Of(VADDPS, hoped(slot, 1, second), ahead), to)
	}
	lists, list, n := allocated("farFood"), GP64(), GP64()
	MOVQ(far, list)
	LEAQ(of(sight.at("far")), lists)
	MOVQ(pasts, n)
	TESTQ(n, n)
	JEQ(operand.LabelRef("entered"))
	Label("far")
	VMOVDQU(Of(VPADDD, turns, Into(XMM(), VPBROADCASTD, lists.at("index"))), at(list, 0))
	VMOVDQU(Into(XMM(), VPBROADCASTD, lists.at("bit")), at(list, farList))
	VMOVDQU(Into(XMM(), VPBROADCASTD, lists.at("weight")), at(list, 2*farList))
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
	vista, l, layers := pointer("vista"), looker2{moving: NewMoving2()}, GP64()
	l.side, l.chart = pointer("side"), pointer("chart")
	Load(Param("layers"), layers)
	anew, who, sets := GP32(), GP32(), code.Const("vistas")
	Load(Param("anew"), anew)
	Load(Param("who"), who)
	for q := range 4 {
		next := fmt.Sprint("next", q)
		TESTL(operand.U32(15<<(4*q)), anew)
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
		x := Into(XMM(), VPBROADCASTD, indexed(vista.at("planes", i*vector), game, 4))
		VMOVDQU(x, at(layers, i*planeBytes))
	}
	ADDQ(operand.U8(16), layers)
	nextGame(who)
}

// choose2 is the kernel choose: the utilities of a game stand in a vector by direction.
func choose2() {
	kernel("choose", "AVX2", ofChoose)
	straight, diagonal, heading := pointer("straight"), pointer("diagonal"), pointer("heading")
	who := GP32()
	Load(Param("who"), who)
	// What is not a number is never greater, but stays where it is the first.
	none := constants.Words("none", 8, func(i int) uint32 {
		return 0x7f800000 | uint32(min(i, 1))<<31
	})
	game := firstGame(who)
	d, s, all := Into(XMM(), VMOVUPS, at(diagonal, 0)), Into(XMM(), VMOVUPS, at(straight, 0)), YMM()
	VUNPCKLPS(s, d, all.AsX())
	all = Of(VINSERTF128, 1, Of(VUNPCKHPS, s, d), all)
	all = Of(VBLENDVPS, Of(VCMPPS, 3, all, all), none, all)
	most := Of(VMAXPS, Of(VPERM2F128, 1, all, all), all)
	for _, halves := range []int{0x4e, 0xb1} {
		most = Of(VMAXPS, Of(VPERMILPS, halves, most), most)
	}
	best := Signs(VMOVMSKPS, Of(VCMPPS, 0, most, all))
	BSFL(best, best)
	MOVL(best, indexed(at(heading, 0), game, 4))
	ADDQ(operand.U8(16), straight)
	ADDQ(operand.U8(16), diagonal)
	nextGame(who)
}
