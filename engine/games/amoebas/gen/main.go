// Command gen writes the assembly of package amoebas with avo. It is a module of its own, so that
// clade does not depend on avo.
package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
	"clade/gp/gen/layout"
)

// code is package amoebas, from which all offsets, sizes and numbers come.
var code = layout.Load("..")

var (
	layerBytes = code.Size("gp.SoloLayer")
	quadBytes  = code.Size("gp.Quad")
	side       = code.Const("side")
	bestRest   = code.Const("bestRest")
)

// Immediates of comparisons.
const (
	equal    = 0x00
	isNumber = 0x07
)

func main() {
	peek()
	pick("AVX512")
	pick("AVX2")
	Generate()
}

var g reg.Register

// offset returns where a field stands in what peek is given, and field the field in memory.
func offset(field string) int       { return code.Offset("peek", field) }
func field(name string) operand.Mem { return at(g, offset(name)) }

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

var numbers = Constants{}

// square returns the places in what rows loads of the cells of a view.
func square() operand.Mem {
	places := make([]uint64, 64)
	for i := range side * side {
		places[i] = uint64(16*(i/side) + i%side)
	}
	return numbers.Words64("square", 8, func(i int) (word uint64) {
		for k, place := range places[8*i:][:8] {
			word |= place << (8 * k)
		}
		return word
	})
}

// peek writes peekAVX512: see evolved.draw in package amoebas. Gathering the rows of the bit planes
// too was slower.
func peek() {
	TEXT("peekAVX512", attr.NOSPLIT, "func(view *uint64)")
	Doc("peekAVX512 draws what an amoeba sees.")
	Pragma("noescape")
	g = Load(Param("view"), GP64())
	corner, t, u := GP64(), GP64(), GP64()
	sight := GP64()
	MOVQ(field("sight"), sight)
	occupied := window(0)
	ANDQ(sight, occupied)
	friends := window(1)
	ANDQ(sight, friends)
	MOVQ(occupied, field("occupied"))
	MOVQ(friends, field("friends"))
	empty, hostiles, layers := GP64(), GP64(), GP64()
	ANDNQ(sight, occupied, empty)
	ANDNQ(occupied, friends, hostiles)
	BTRQ(operand.U8(24), friends)
	groups := map[int]reg.Register{code.Const("groupVisible"): sight,
		code.Const("groupEmpty"): empty, code.Const("groupFriends"): friends,
		code.Const("groupHostiles"): hostiles}
	MOVQ(field("layers"), layers)
	for i, row := range code.Table("layerRows")[:code.Const("kernelLayers")] {
		MOVQ(groups[row["among"]],
			at(layers, layerBytes*i+code.Offset("gp.SoloLayer", "Cells")))
	}
	MOVQ(field("quads"), t)
	// as they were written: a load of sixteen bytes would wait for both
	all := Of(VPINSRQ, 1, at(g, offset("scalars")+8), Into(XMM(), VMOVQ, field("scalars")))
	all = Of(VMULPS, field("units"), Of(VCVTDQ2PS, all))
	for i := range code.Const("numCounts") {
		VMOVUPS(Of(VPERMILPS, 0x55*i, all), at(t, quadBytes*i))
	}
	order, step, three := Into(ZMM(), VMOVDQU64, square()), GP64(), GP64()
	MOVQ(field("row"), step)
	LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, three)
	MOVQ(field("corner"), corner)
	MOVQ(field("weighs"), t)
	for i, weighs := range []string{"weighsFuel", "weighsEnergy", "weighsHealth"} {
		name := "without_" + weighs
		TESTQ(operand.U32(code.Const(weighs)), t)
		JEQ(operand.LabelRef(name))
		MOVQ(at(g, offset("planes")+8*i), u)
		ADDQ(corner, u)
		z := rows(u, step, three)
		MOVQ(at(g, offset("weights")+8*i), u)
		VMOVDQU64(Into(z[0], VPERMT2B, z[1], order), at(u, 0))
		Label(name)
	}
	End()
}

// window returns the cells of a bit plane in the view. Bits are extracted from four rows at once,
// sixteen bits each.
func window(plane int) reg.GPVirtual {
	at8, bits, low, high, r := GP64(), GP64(), GP64(), GP64(), GP64()
	shift, step, three := GP64(), GP64(), GP64()
	MOVQ(field("corner"), at8)
	MOVQ(at8, shift)
	ANDQ(operand.U8(7), shift)
	SHRQ(operand.U8(3), at8)
	ADDQ(at(g, offset("occupancy")+8*plane), at8)
	MOVQ(field("bitRow"), step)
	LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, three)
	MOVQ(operand.U64(0x007f007f007f007f), bits)
	SHLXQ(shift, bits, bits)
	for i, word := range []reg.GPVirtual{low, high} {
		MOVWQZX(operand.Mem{Base: at8}, word)
		for y := 1; y < 4 && 4*i+y < side; y++ {
			MOVWQZX(row(at8, step, three, y), r)
			SHLQ(operand.U8(16*y), r)
			ORQ(r, word)
		}
		PEXTQ(bits, word, word)
		LEAQ(operand.Mem{Base: at8, Index: step, Scale: 4}, at8)
	}
	SHLQ(operand.U8(4*side), high)
	ORQ(high, low)
	return low
}

// rows loads sixteen bytes of each row of a view, four rows a register. Gathers of eight bytes were
// slower: on Zen 4 they took half of what peek took.
func rows(corner, step, three reg.Register) (z [2]V) {
	for i := range z {
		z[i] = ZMM()
		VMOVDQU(operand.Mem{Base: corner}, z[i].AsX())
		for y := 1; y < 4 && 4*i+y < side; y++ {
			Into(z[i], VINSERTI64X2, y, row(corner, step, three, y), z[i])
		}
		if i == 0 {
			LEAQ(operand.Mem{Base: corner, Index: step, Scale: 4}, corner)
		}
	}
	return z
}

// row returns the row y of 0..3 below a place.
func row(from, step, three reg.Register, y int) operand.Mem {
	if y == 3 {
		return operand.Mem{Base: from, Index: three, Scale: 1}
	}
	return operand.Mem{Base: from, Index: step, Scale: uint8(y)}
}

// pick writes pickAVX512 or pickAVX2: see pickOne in package amoebas. With AVX2 what is possible is
// a mask of lanes.
func pick(level string) {
	TEXT("pick"+level, attr.NOSPLIT, "func(utilities *uint64, legal uint32) uint32")
	Doc("pick" + level + " returns the best of what an amoeba may do.")
	narrow, masks := level == "AVX2", [3]V{}
	Pragma("noescape")
	utilities, legal := Load(Param("utilities"), GP64()), Load(Param("legal"), GP32())
	var u [3]V
	may := []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3}
	r, real := Into(YMM(), VBROADCASTSS, at(utilities, 0)), V(nil)
	if narrow {
		real = Of(VCMPPS, isNumber, r, r)
	} else {
		VCMPPS(operand.U8(isNumber), r, r, reg.K4)
	}
	rest := Into(YMM(), VPBROADCASTD, numbers.Each32(-8388608))
	if narrow {
		rest = Of(VBLENDVPS, real, r, rest)
	} else {
		VMOVAPS(r, reg.K4, rest)
	}
	most := Of(VMOVAPS, rest)
	slots := [3][2]string{{"slotMove", "slotMoveDiagonal"}, {"slotHit", "slotHitDiagonal"},
		{"slotDivide", "slotDivideDiagonal"}}
	shifted, order := GP32(), Loaded(directions())
	for i, k := range may {
		if narrow {
			masks[i] = And(bitsOf(i), Into(YMM(), VPBROADCASTD, Into(XMM(), VMOVD, legal)))
			masks[i] = Of(VPCMPEQD, bitsOf(i), masks[i])
		} else if i == 0 {
			KMOVB(legal, k)
		} else {
			MOVL(legal, shifted)
			SHRL(operand.U8(8*i), shifted)
			KMOVB(shifted, k)
		}
		// N, E, S, W, NW, NE, SE, SW become NW, N, NE and so on
		straight, t := at(utilities, quadBytes*code.Const(slots[i][0])), YMM()
		VMOVUPS(straight, t.AsX()) // as they were written: a load of both would wait for them
		diagonal := at(utilities, quadBytes*code.Const(slots[i][1]))
		u[i] = Of(VPERMPS, Of(VINSERTF128, 1, diagonal, t), order)
		if narrow {
			// most, where u is not a number
			Into(most, VBLENDVPS, masks[i], Of(VMAXPS, most, u[i]), most)
		} else {
			VMAXPS(most, u[i], k, most)
		}
	}
	most = Of(VMAXPS, Of(VPERM2F128, 1, most, most), most)
	most = Of(VMAXPS, Of(VPERMILPS, 0x4e, most), most)
	most = Of(VMAXPS, Of(VPERMILPS, 0xb1, most), most)
	best, b := GP32(), GP32()
	if narrow {
		VMOVMSKPS(Of(VCMPPS, equal, rest, most), best)
	} else {
		VCMPPS(operand.U8(equal), rest, most, reg.K4)
		KMOVB(reg.K4, best)
	}
	SHLL(operand.U8(bits.TrailingZeros(uint(bestRest))), best)
	ANDL(operand.U32(bestRest), best)
	for i, k := range may {
		if narrow {
			VMOVMSKPS(And(masks[i], Of(VCMPPS, equal, u[i], most)), b)
		} else {
			VCMPPS(operand.U8(equal), u[i], most, k, reg.K5)
			KMOVB(reg.K5, b)
		}
		if i > 0 {
			SHLL(operand.U8(8*i), b)
		}
		ORL(b, best)
	}
	VZEROUPPER()
	Store(best, ReturnIndex(0))
	RET()
}

// directions returns the places of the directions' utilities among those of a kind of action.
func directions() operand.Mem {
	return numbers.Words("directions", 8, func(d int) uint32 { return uint32(d>>1 + 4*(1-d&1)) })
}

// bitsOf returns the bit of each direction among those of a kind of action.
func bitsOf(kind int) operand.Mem {
	return numbers.Words([]string{"moves", "hits", "divisions"}[kind], 8,
		func(d int) uint32 { return 1 << (8*kind + d) })
}
