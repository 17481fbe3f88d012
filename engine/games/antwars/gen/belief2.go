package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// planner2 plans routes as planner does, with the neighbours and the pieces in a vector each.
type planner2 struct {
	planner
	of             [2]ends2
	places         reg.Register
	round, density V
}

// ends2 is eight ends of routes. What food counts for them stands in memory by row and column.
type ends2 struct {
	row, column, sum V
	rows, columns    operand.Mem
}

// newPlanner2 begins a kernel of such a planner.
func newPlanner2() planner2 {
	p := planner2{planner: planner{hidden: pointer("hidden"), keep: pointer("keep"), pieces: GP64()},
		places: Load(Param("at"), GP64()), round: Loaded(each32(width))}
	p.density = Into(YMM(), VBROADCASTSS, p.hidden.at("density"))
	return p
}

// rate2 is the kernel rate.
func rate2() {
	kernel("rate", "AVX2", "(hidden *uint64, keep *float32, next *uint8, by *float32, at *uint16, "+
		"near *float32)")
	p := newPlanner2()
	cell, rows, offset := GP64(), Load(Param("near"), GP64()), GP64()
	columns := GP64()
	MOVBQZX(p.search("at"), cell)
	LEAQ(at(rows, 3*width*vector), columns)
	ADDQ(operand.U32(width*vector), rows)
	MOVWQZX(indexed(at(p.places, 0), cell, 4), offset)
	SUBQ(offset, rows)
	MOVWQZX(indexed(at(p.places, 2), cell, 4), offset)
	SUBQ(offset, columns)
	near := ends2{sum: YMM(), rows: at(rows, 0), columns: at(columns, 0)}
	none, count := GP64(), GP64()
	MOVQ(p.search("food"), p.pieces)
	MOVQ(p.search("food", 8), none)
	ORQ(p.pieces, none)
	JNE(operand.LabelRef("some"))
	p.sums("none", near)
	VMOVUPS(near.sum, p.hidden.at("after"))
	End()
	Label("some")
	POPCNTQ(p.pieces, p.pieces)
	POPCNTQ(p.search("food", 8), count)
	ADDQ(count, p.pieces)
	cells := Into(YMM(), VPMOVZXBD, operand.Mem{Base: Load(Param("next"), GP64())})
	near.row, near.column = p.split(cells)
	p.of = [2]ends2{near, p.ends(1, p.list())}
	p.sums("some", p.of[:]...)
	p.sum = near.sum
	p.between = func(piece, other int) V {
		return Loaded(p.pair(piece, other))
	}
	p.plan(p.add)
}

// list lists the cells of up to mostPlanned pieces. What it lists behind the last is of no cell.
func (p *planner2) list() V {
	low, high, all, more := GP64(), GP64(), GP64(), GP64()
	MOVQ(p.search("food"), low)
	MOVQ(p.search("food", 8), high)
	for piece := range code.Const("mostPlanned") {
		cell, rest := GP64(), GP64()
		TZCNTQ(high, more)
		ADDQ(operand.U8(64), more)
		BLSRQ(high, rest)
		TZCNTQ(low, cell)
		CMOVQCS(more, cell)
		CMOVQCS(rest, high)
		BLSRQ(low, low)
		if piece == 0 {
			MOVQ(cell, all)
			continue
		}
		SHLQ(operand.U8(8*piece), cell)
		ORQ(cell, all)
	}
	MOVQ(all, p.search("cell"))
	return Into(YMM(), VPMOVZXBD, Into(XMM(), VMOVQ, all))
}

// split returns the rows and columns of cells.
func (p *planner2) split(cells V) (row, column V) {
	row = Of(VPSRLD, 11, Of(VPMULLD, each32(nearEleventh), cells))
	return row, Of(VPSUBD, Of(VPMULLD, p.round, row), cells)
}

// far returns how far apart rows or columns are on the torus, from their differences.
func (p *planner2) far(d V) V {
	d = Of(VPABSD, d)
	return Of(VPMINUD, Of(VPSUBD, d, p.round), d)
}

// ends works out what food counts for the ends of routes on some cells.
func (p *planner2) ends(v int, cells V) (e ends2) {
	one := Loaded(each32(1))
	worths := Into(YMM(), VMOVUPS, at(Load(Param("by"), GP64()), 0))
	e.sum, e.rows = YMM(), p.hidden.at("apart", 32*v)
	e.columns = e.rows
	e.row, e.column = p.split(cells)
	for axis, end := range []V{e.row, e.column} {
		for i := range width {
			VMOVUPS(Of(VPERMPS, worths, p.far(end)), e.rows.Offset((axis*width+i)*vector))
			end = Of(VPSUBD, one, end)
		}
	}
	return e
}

// sums adds up what hidden food is worth for ends of routes, in the order of the hidden cells.
func (p *planner2) sums(name string, of ...ends2) {
	for _, e := range of {
		VPXOR(e.sum, e.sum, e.sum)
	}
	for half := range 2 {
		set, c, y, x := GP64(), GP64(), GP64(), GP64()
		loop := name + "Hidden" + strconv.Itoa(half)
		done := name + "Summed" + strconv.Itoa(half)
		MOVQ(p.hidden.at("unseen", 8*half), set)
		TESTQ(set, set)
		JEQ(operand.LabelRef(done))
		Label(loop)
		TZCNTQ(set, c)
		MOVWQZX(indexed(at(p.places, 4*64*half), c, 4), y)
		MOVWQZX(indexed(at(p.places, 4*64*half+2), c, 4), x)
		chance := Into(YMM(), VBROADCASTSS, indexed(at(p.keep, 4*64*half), c, 4))
		chance = Of(VMULPS, p.density, chance)
		for _, e := range of {
			d := Into(YMM(), VMOVUPS, indexed(e.rows, y, 1))
			d = Of(VMULPS, chance, Of(VMINPS, indexed(e.columns, x, 1), d))
			Into(e.sum, VADDPS, d, e.sum)
		}
		BLSRQ(set, set)
		JNE(operand.LabelRef(loop))
		Label(done)
	}
}

// pair is what is after as many moves as two pieces are apart.
func (p *planner2) pair(piece, other int) operand.Mem {
	return p.hidden.at("between", (other*(other-1)/2+piece)*vector/2)
}

// add is planner.add.
func (p *planner2) add(piece int) {
	lane, cell, delay := Loaded(each32(piece)), GP64(), int(code.Float32("routeDelay"))
	MOVBQZX(p.search("cell", piece), cell)
	worth := Into(YMM(), VBROADCASTSS, operand.Mem{Base: p.keep, Index: cell, Scale: 4})
	end := Of(VPERMPS, p.of[1].sum, lane)
	// Moves made: 1 at least, and so on; 1 times a number is that number.
	for least := 1; least < 5; least++ {
		delays := constants.Words("delays"+strconv.Itoa(least), 8, func(made int) uint32 {
			if made < least {
				return 0x3f800000
			}
			return uint32(delay)
		})
		worth, end = Of(VMULPS, delays, worth), Of(VMULPS, delays, end)
	}
	count := constants.Words("count8", 8, func(i int) uint32 { return uint32(i) })
	moves := Of(VPCMPGTD, count, Into(YMM(), VPBROADCASTD, p.search("moves")))
	VMOVUPS(Of(VANDPS, moves, worth), p.hidden.at("pieces", piece*vector))
	VMOVUPS(Of(VANDPS, moves, end), p.hidden.at("pieces", piece*vector+vector/2))
	var far [2]V
	for v, e := range p.of {
		rows := p.far(Of(VPSUBD, e.row, Of(VPERMD, p.of[1].row, lane)))
		columns := p.far(Of(VPSUBD, e.column, Of(VPERMD, p.of[1].column, lane)))
		far[v] = Of(VPMAXUD, rows, columns)
	}
	VMOVDQU(far[0], p.hidden.at("first", piece*vector/2))
	for other := range piece {
		d := Of(VPADDD, count, Of(VPERMD, far[1], Loaded(each32(other))))
		VMOVDQU(Of(VPMINUD, each32(7), d), p.pair(other, piece))
	}
}

// totals2 adds up what hidden food is worth where routes end, for sixteen ends at once.
func totals2() {
	kernel("totals", "AVX2", "(hidden *uint64, keep *float32, ends uint64, by *float32, at *uint16)")
	p := newPlanner2()
	left, cell, end := Load(Param("ends"), GP64()), GP64(), GP64()
	LEAQ(p.search("cell"), cell)
	LEAQ(p.search("end"), end)
	Label("ends")
	for v := range p.of {
		p.of[v] = p.ends(v, Into(YMM(), VPMOVZXBD, at(cell, 8*v)))
	}
	p.sums("all", p.of[:]...)
	for v, e := range p.of {
		VMOVUPS(e.sum, at(end, 32*v))
	}
	ADDQ(operand.U8(16), cell)
	ADDQ(operand.U8(64), end)
	SUBQ(operand.U8(16), left)
	JG(operand.LabelRef("ends"))
	End()
}

// fade2 is the kernel fade. What a cell is not scaled by is 1. A blend looks at the highest bit of a
// number, to which the cell's is shifted.
func fade2() {
	kernel("fade", "AVX2", ofFade)
	keep, one := pointer("keep"), Loaded(each32(0x3f800000))
	by := Into(YMM(), VBROADCASTSS, parameter("by"))
	var shifts [4]V
	for i := range shifts {
		shifts[i] = Loaded(constants.Words("shifts8_"+strconv.Itoa(i), 8,
			func(lane int) uint32 { return uint32(31 - 8*i - lane) }))
	}
	for half, word := range []string{"low", "high"} {
		left, some := Load(Param(word), GP64()), YMM()
		for first := 64 * half; first < min(64*half+64, cells); first += 8 {
			if first%32 == 0 {
				VMOVQ(left, some.AsX())
				VPBROADCASTD(some.AsX(), some)
				SHRQ(operand.U8(32), left)
			}
			scale := Of(VBLENDVPS, Of(VPSLLVD, shifts[first%32/8], some), by, one)
			if to := at(keep, 4*first); first+8 <= cells {
				VMOVUPS(Of(VMULPS, to, scale), to)
			} else {
				VMULSS(to, scale.AsX(), scale.AsX())
				VMOVSS(scale.AsX(), to)
			}
		}
	}
	End()
}

// track2 is the kernel track: what ants see of the board, and where their opponents may be. It
// spreads the latter, as they will have moved when the ant looks again.
func track2() {
	kernel("track", "AVX2", "(batch, side, other, tracked, vista *uint64, who, near uint32, "+
		"place *uint64)")
	batch, side, other := pointer("batch"), pointer("side"), pointer("other").as("side")
	tracked, vista, place := pointer("tracked"), pointer("vista"), pointer("place")
	who, near := Load(Param("who"), GP32()), Load(Param("near"), GP32())
	in := func(games reg.Register) V { return Into(YMM(), VPBROADCASTD, Of(VMOVD, games)) }
	movers, seers := in(who), in(near)
	for q := range 4 {
		next := "untracked" + strconv.Itoa(q)
		TESTL(operand.U32(15<<(4*q)), who)
		JEQ(operand.LabelRef(next))
		sets := func(of record, field string) Set { return loaded2(of.at(field, 32*q)) }
		cell := func(of record) V {
			row := Into(YMM(), VPMOVZXDQ, of.at("row", 16*q))
			column := Into(YMM(), VPMOVZXDQ, of.at("col", 16*q))
			return Of(VPADDQ, column, Of(VPMULUDQ, each64(width), row))
		}
		among := func(games V) V { return Of(VPCMPEQQ, games64(q), And(games64(q), games)) }
		turn := among(movers)
		at := Of(VPMULUDQ, each64(place.size()/8), cell(side))
		view := Set{gather64(place.at("view"), at), gather64(place.at("view", 8), at)}
		view = view.And(Set{turn, turn})
		stored2(view, tracked.at("view", 32*q))
		food := view.And(sets(batch, "food")).Or(sets(tracked, "food").Without(view))
		stored2(food, tracked.at("food", 32*q))
		fresh := view.Without(sets(tracked, "seen"))
		stored2(fresh, tracked.at("fresh", 32*q))
		stored2(fresh.And(sets(tracked, "hunted")).Without(food), tracked.at("late", 32*q))
		seen := sets(tracked, "seen").Or(view)
		stored2(seen, tracked.at("seen", 32*q))
		unseen := everywhere2().Without(seen)
		stored2(unseen, vista.at("cells", 32*q))

		hunter, enemy, near := sets(tracked, "hunter").Without(view), cell(other), among(seers)
		one := Loaded(each64(1))
		hunter = chosen2(near, Set{Of(VPSLLVQ, enemy, one),
			Of(VPSLLVQ, Of(VPSUBQ, each64(64), enemy), one)}, hunter)
		alive := And(turn, among(Into(YMM(), VPBROADCASTD, other.at("alive"))))
		hunter = hunter.And(Set{alive, alive})
		stored2(hunter, vista.at("cells", 2*high+32*q))
		stored2(hunter.Or(sets(tracked, "hunted")), tracked.at("hunted", 32*q))
		stored2(food.Or(unseen).And(hunter).Without(view), tracked.at("fading", 32*q))
		stored2(chosen2(turn, spread2(hunter), sets(tracked, "hunter")), tracked.at("hunter", 32*q))
		Label(next)
	}
	End()
}

// chosen2 returns the first of two sets in some games, else the second.
func chosen2(games V, first, second Set) Set {
	return Set{Of(VBLENDVPD, games, first.Low, second.Low),
		Of(VBLENDVPD, games, first.High, second.High)}
}

// columns2 holds the cells of some columns.
func columns2(from, to int) Set {
	var half [2]int
	for cell := range cells {
		if column := cell % width; from <= column && column < to {
			half[cell/64] |= 1 << (cell % 64)
		}
	}
	return Set{Loaded(each64(half[0])), Loaded(each64(half[1]))}
}

func everywhere2() Set { return columns2(0, width) }

// spread2 adds to sets of cells all their neighbours.
func spread2(b Set) Set {
	up := func(b Set, by int) Set {
		return Set{Of(VPSLLQ, by, b.Low), Or(Of(VPSRLQ, 64-by, b.Low), Of(VPSLLQ, by, b.High))}
	}
	down := func(b Set, by int) Set {
		return Set{Or(Of(VPSLLQ, 64-by, b.High), Of(VPSRLQ, by, b.Low)), Of(VPSRLQ, by, b.High)}
	}
	east, west := columns2(width-1, width), columns2(0, 1)
	row := b.Or(up(b.Without(east), 1)).Or(down(b.And(east), width-1)).
		Or(down(b.Without(west), 1)).Or(up(b.And(west), width-1))
	all := row.Or(up(row, width)).Or(down(row, width))
	all.Low = Or(Of(VPSRLQ, cells-width-64, row.High), all.Low)
	all.High = Or(Of(VPSLLQ, cells-width-64, row.Low), all.High)
	return all.And(everywhere2())
}
