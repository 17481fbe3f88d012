// Command gen writes the assembly of package amoebas with avo. It is a module of its own, so that
// clade does not depend on avo.
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
	peekBitRow    = 64  // bytes of a row of a bit plane
	peekOccupancy = 72  // two planes
	peekPlanes    = 88  // fuel, energy and health
	peekWeights   = 112 // where they go
	peekWeighs    = 136
	peekSight     = 144
	peekCorner    = 152
	peekLayers    = 160
	peekScalars   = 168 // four whole numbers of 32 bits
	peekQuads     = 184 // where they go
	peekAmoebas   = 192 // occupied, friends

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
	g reg.Register
	// what gathers write to; they also read it, so it is none of avo's registers
	gathered = [2]reg.VecPhysical{reg.Z30, reg.Z31}
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

// peek writes peekAVX512: see evolved.draw in package amoebas. Gathering the rows of the bit planes
// too was slower.
func peek() {
	TEXT("peekAVX512", attr.NOSPLIT, "func(view *uint64)")
	Doc("peekAVX512 draws what an amoeba sees.")
	Pragma("noescape")
	g = Load(Param("view"), GP64())
	corner, t, u := GP64(), GP64(), GP64()
	sight := GP64()
	MOVQ(at(g, peekSight), sight)
	occupied := window(0)
	ANDQ(sight, occupied)
	friends := window(1)
	ANDQ(sight, friends)
	MOVQ(occupied, at(g, peekAmoebas))
	MOVQ(friends, at(g, peekAmoebas+8))
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
	// as they were written: a load of sixteen bytes would wait for both
	VMOVQ(at(g, peekScalars), all)
	VPINSRQ(operand.U8(1), at(g, peekScalars+8), all, all)
	VCVTDQ2PS(all, all)
	VMULPS(number("units", unitCent|unitTenth<<32, unitCent|unitCent<<32), all, all)
	for i := range 4 {
		x := XMM()
		VPERMILPS(operand.U8(0x55*i), all, x)
		VMOVUPS(x, at(t, 16*i))
	}
	rows := ZMM()
	VMOVDQU64(at(g, peekRows), rows)
	MOVQ(at(g, peekCorner), corner)
	MOVQ(operand.U64(0x7f7f7f7f7f7f7f), t)
	KMOVQ(t, reg.K1)
	MOVQ(at(g, peekWeighs), t)
	for i, name := range []string{"no_fuel", "no_energy", "no_health"} {
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

// window returns the cells of a bit plane in the view. Bits are extracted from four rows at once,
// sixteen bits each.
func window(plane int) reg.GPVirtual {
	at8, bits, low, high, row := GP64(), GP64(), GP64(), GP64(), GP64()
	shift, step, three := GP64(), GP64(), GP64()
	MOVQ(at(g, peekCorner), at8)
	MOVQ(at8, shift)
	ANDQ(operand.U8(7), shift)
	SHRQ(operand.U8(3), at8)
	ADDQ(at(g, peekOccupancy+8*plane), at8)
	MOVQ(at(g, peekBitRow), step)
	LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, three)
	MOVQ(operand.U64(0x007f007f007f007f), bits)
	SHLXQ(shift, bits, bits)
	for i, word := range []reg.GPVirtual{low, high} {
		MOVWQZX(operand.Mem{Base: at8}, word)
		for y := 1; y < 4 && 4*i+y < side; y++ {
			from := operand.Mem{Base: at8, Index: step, Scale: uint8(y)}
			if y == 3 {
				from = operand.Mem{Base: at8, Index: three, Scale: 1}
			}
			MOVWQZX(from, row)
			SHLQ(operand.U8(16*y), row)
			ORQ(row, word)
		}
		PEXTQ(bits, word, word)
		LEAQ(operand.Mem{Base: at8, Index: step, Scale: 4}, at8)
	}
	SHLQ(operand.U8(4*side), high)
	ORQ(high, low)
	return low
}

// gather loads eight words.
func gather(base reg.Register, index, to reg.Register) {
	KXNORB(reg.K7, reg.K7, reg.K7)
	VPXORQ(to, to, to)
	VPGATHERQQ(operand.Mem{Base: base, Index: index, Scale: 1}, reg.K7, to)
}

// pick writes pickAVX512: see pickOne in package amoebas.
func pick() {
	TEXT("pickAVX512", attr.NOSPLIT, "func(utilities *uint64, legal uint32) uint32")
	Doc("pickAVX512 returns the best of what an amoeba may do.")
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
	shifted, t, order := GP32(), YMM(), YMM()
	VMOVDQU(directions(), order)
	for i, k := range may {
		if i == 0 {
			KMOVB(legal, k)
		} else {
			MOVL(legal, shifted)
			SHRL(operand.U8(8*i), shifted)
			KMOVB(shifted, k)
		}
		// N, E, S, W, NW, NE, SE, SW become NW, N, NE and so on
		straight := at(utilities, 16*(slotMove+2*i))
		VMOVUPS(straight, t.AsX()) // as they were written: a load of both would wait for them
		VINSERTF128(operand.U8(1), straight.Offset(16), t, t)
		VPERMPS(t, order, u[i])
		VMAXPS(most, u[i], k, most) // most, where u is not a number
	}
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
