// Command gen writes the assembly of package amoebas with avo. It is a module of its own, so that clade does not depend on avo.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Layout of the data, as packages amoebas and gp have it; a test there holds it.
const (
	peekRows      = 0   // from the corner of a view to each of its rows
	peekBitRows   = 64  // the same in bytes of a bit plane
	peekOccupancy = 128 // two planes
	peekPlanes    = 144 // fuel, energy and health
	peekWeights   = 168 // where they go
	peekWeighs    = 192
	peekSight     = 200
	peekCorner    = 208
	peekLayers    = 216
	peekScalars   = 224 // four whole numbers of 32 bits
	peekQuads     = 240 // where they go
	peekPeople    = 248 // occupied, friends

	soloLayerBytes = 16 // gp.SoloLayer

	layerFuel     = 0
	layerEmpty    = 1
	layerFriends  = 2
	layerHostiles = 3
	layerInjured  = 4

	slotMove = 1 // then hit and divide, straight and diagonal

	unitCent  = 0x3c23d70a // of energy, fuel and the round
	unitTenth = 0x3dcccccd // of health

	bestRest = 24 // the bit of what is best that says so

	side = 7
)

// Immediates of comparisons.
const (
	equal    = 0x00
	isNumber = 0x07
)

func main() {
	peek()
	pick()
	Generate()
}

var (
	g        reg.Register
	gathered = [2]reg.VecPhysical{reg.Z30, reg.Z31} // what gathers write to; they also read it, so it is none of avo's registers
)

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

var numbers = map[string]operand.Mem{}

// number returns numbers in memory.
func number(name string, words ...uint64) operand.Mem {
	if _, ok := numbers[name]; !ok {
		numbers[name] = GLOBL(name, attr.RODATA|attr.NOPTR)
		for i, v := range words {
			DATA(8*i, operand.U64(v))
		}
	}
	return numbers[name]
}

// peek writes peekAVX512: see evolved.draw in package amoebas.
func peek() {
	TEXT("peekAVX512", attr.NOSPLIT, "func(view *uint64)")
	Doc("peekAVX512 draws what one amoeba sees.")
	Pragma("noescape")
	g = Load(Param("view"), GP64())
	corner, t, u := GP64(), GP64(), GP64()
	MOVQ(at(g, peekCorner), corner)
	MOVQ(corner, t)
	ANDQ(operand.U8(7), t)
	shift := XMM()
	VMOVQ(t, shift)
	SHRQ(operand.U8(3), corner)
	rows := ZMM()
	VMOVDQU64(at(g, peekBitRows), rows)
	var people [2]reg.VecVirtual
	lift := number("lift", 0, side, 2*side, 3*side, 4*side, 5*side, 6*side, 63) // where the bits of a row come among the cells; the eighth row is none
	for p := range people {
		MOVQ(at(g, peekOccupancy+8*p), t)
		ADDQ(corner, t)
		gather(t, rows, gathered[p])
		z := ZMM()
		VPSRLQ(shift, gathered[p], z)
		VPANDQ_BCST(number("number_7f", 0x7f), z, z)
		VPSLLVQ(lift, z, z)
		half := YMM()
		VEXTRACTI64X4(operand.U8(1), z, half)
		VPOR(half, z.AsY(), half)
		quarter := XMM()
		VEXTRACTI128(operand.U8(1), half, quarter)
		VPOR(quarter, half.AsX(), quarter)
		people[p] = quarter
	}
	low, high := XMM(), XMM()
	VPUNPCKLQDQ(people[1], people[0], low)
	VPUNPCKHQDQ(people[1], people[0], high)
	VPOR(low, high, low)
	sight := GP64()
	MOVQ(at(g, peekSight), sight)
	wide := XMM()
	VPBROADCASTQ(at(g, peekSight), wide)
	VPAND(wide, low, low)
	VMOVDQU(low, at(g, peekPeople))
	occupied, friends := GP64(), GP64()
	VMOVQ(low, occupied)
	VPEXTRQ(operand.U8(1), low, friends)
	layers := GP64()
	MOVQ(at(g, peekLayers), layers)
	put := func(layer int, cells reg.Register) { MOVQ(cells, at(layers, soloLayerBytes*layer)) }
	put(layerFuel, sight)
	ANDNQ(sight, occupied, t)
	put(layerEmpty, t)
	ANDNQ(occupied, friends, t)
	put(layerHostiles, t)
	put(layerInjured, t)
	BTRQ(operand.U8(24), friends)
	put(layerFriends, friends)

	MOVQ(at(g, peekQuads), t)
	all := XMM()
	VMOVQ(at(g, peekScalars), all) // as they were written: a load of sixteen bytes would wait for both
	VPINSRQ(operand.U8(1), at(g, peekScalars+8), all, all)
	VCVTDQ2PS(all, all)
	VMULPS(number("units", unitCent|unitTenth<<32, unitCent|unitCent<<32), all, all)
	for i := range 4 {
		x := XMM()
		VPERMILPS(operand.U8(0x55*i), all, x)
		VMOVUPS(x, at(t, 16*i))
	}
	VMOVDQU64(at(g, peekRows), rows)
	MOVQ(at(g, peekCorner), corner)
	MOVQ(operand.U64(0x7f7f7f7f7f7f7f), t)
	KMOVQ(t, reg.K1)
	MOVQ(at(g, peekWeighs), t)
	for i, name := range []string{"unfueled", "unpeopled", "unhurt"} {
		TESTQ(operand.U32(1<<i), t)
		JEQ(operand.LabelRef(name))
		MOVQ(at(g, peekPlanes+8*i), u)
		ADDQ(corner, u)
		gather(u, rows, gathered[i&1])
		MOVQ(at(g, peekWeights+8*i), u)
		square := ZMM()
		VPCOMPRESSB_Z(gathered[i&1], reg.K1, square)
		VMOVDQU64(square, at(u, 0))
		Label(name)
	}
	VZEROUPPER()
	RET()
}

// gather loads eight words.
func gather(base reg.Register, index, to reg.Register) {
	KXNORB(reg.K7, reg.K7, reg.K7)
	VPXORQ(to, to, to)
	VPGATHERQQ(operand.Mem{Base: base, Index: index, Scale: 1}, reg.K7, to)
}

// pick writes pickAVX512: see bestOf in package amoebas.
func pick() {
	TEXT("pickAVX512", attr.NOSPLIT, "func(utilities *uint64, legal uint32) uint32")
	Doc("pickAVX512 is bestOf for processors with AVX-512.")
	Pragma("noescape")
	utilities, legal := Load(Param("utilities"), GP64()), Load(Param("legal"), GP32())
	most, u := YMM(), [3]reg.VecVirtual{YMM(), YMM(), YMM()}
	may := []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3}
	rest, r := YMM(), YMM()
	VBROADCASTSS(at(utilities, 0), r)
	VCMPPS(operand.U8(isNumber), r, r, reg.K4)
	VPBROADCASTD(number("minus_infinity", 0xff800000), rest)
	VMOVAPS(r, reg.K4, rest)
	VMOVAPS(rest, most)
	shifted := GP32()
	for i, k := range may {
		if i == 0 {
			KMOVB(legal, k)
		} else {
			MOVL(legal, shifted)
			SHRL(operand.U8(8*i), shifted)
			KMOVB(shifted, k)
		}
		// N, E, S, W, NW, NE, SE, SW become NW, N, NE and so on
		VMOVDQU(directions(), u[i])
		VPERMPS(at(utilities, 16*(slotMove+2*i)), u[i], u[i])
		VMAXPS(most, u[i], k, most) // most, where u is not a number
	}
	t := YMM()
	VPERM2F128(operand.U8(1), most, most, t)
	VMAXPS(t, most, most)
	VPERMILPS(operand.U8(0x4e), most, t)
	VMAXPS(t, most, most)
	VPERMILPS(operand.U8(0xb1), most, t)
	VMAXPS(t, most, most)
	best, b := GP32(), GP32()
	VCMPPS(operand.U8(equal), rest, most, reg.K4)
	KMOVB(reg.K4, best)
	SHLL(operand.U8(bestRest), best)
	ANDL(operand.U32(1<<bestRest), best)
	for i, k := range may {
		VCMPPS(operand.U8(equal), u[i], most, k, reg.K5)
		KMOVB(reg.K5, b)
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
	words := make([]uint64, 4)
	for d := range 8 {
		place := uint64(d >> 1)
		if d&1 == 0 {
			place += 4
		}
		words[d>>1] |= place << (32 * (d & 1))
	}
	return number("directions", words...)
}
