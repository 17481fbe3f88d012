// Command gen writes the assembly of package amoebas with avo. It is a module of its own, so that clade does not depend on avo.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Layout of the data, as packages amoebas and gp have it; a test there holds it.
const (
	glanceCorners   = 0
	glanceBest      = 64
	glanceEnergies  = 128
	glanceOccupied  = 192
	glanceHostiles  = 320
	glanceSightRows = 448
	glanceSight     = 504
	glancePitch     = 512
	glanceCentre    = 520
	glanceOccupancy = 528 // two planes
	glanceFuel      = 544
	glanceEnergy    = 552
	glanceHealth    = 560
	glanceWho       = 568
	glanceLayers    = 576
	glanceScalars   = 584
	glanceWeighs    = 592
	glanceSeen      = 600 // hostiles, then friends
	glanceCosts     = 616 // of a move, a hit and a division

	weighsFuel    = 1
	weighsPeople  = 2
	weighsInjured = 4

	registerBytes = 256 // of gp.Crowd: 16 lanes under 4 turns

	crowdBytes   = 25 * 128 // gp.CrowdLayer
	crowdWeights = 128      // offsets in it
	crowdRows    = 9 * 128

	layerFuel     = 0
	layerEmpty    = 1
	layerFriends  = 2
	layerHostiles = 3
	layerInjured  = 4

	slotRest = 0
	slotMove = 1 // then hit and divide, straight and diagonal

	side = 7
)

// What prefer writes, by bit: moves, hits and divisions by direction; then these.
const (
	bestRest = 24
	bestNone = 25
)

// Immediates of comparisons.
const (
	equal     = 0x00 // of VCMPPS
	isNumber  = 0x07
	greater   = 0x1e
	notLess   = 5 // of VPCMPD
	minusInf  = 0xff800000
	unitTenth = 0x3dcccccd
	unitCent  = 0x3c23d70a
)

func main() {
	glance()
	prefer()
	peek()
	pick()
	Generate()
}

var (
	g, layers reg.Register
	gathered  = [2]reg.VecPhysical{reg.Z30, reg.Z31} // what gathers write to; they also read it, so it is none of avo's registers
	ones      = reg.Z29                              // likewise
)

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// all64 returns a vector with one number in every lane of 64 bits.
func all64(v uint64) reg.VecVirtual {
	z := ZMM()
	VPBROADCASTQ(number(fmt.Sprintf("number_%x", v), v), z)
	return z
}

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

// glance writes glanceAVX512: see glanceAt in package amoebas.
func glance() {
	TEXT("glanceAVX512", attr.NOSPLIT, "func(view *uint64)")
	Doc("glanceAVX512 is glanceAt for processors with AVX-512.")
	Pragma("noescape")
	g = Load(Param("view"), GP64())
	layers = GP64()
	MOVQ(at(g, glanceLayers), layers)
	pitch := GP64()
	MOVQ(at(g, glancePitch), pitch)
	corners := ZMM()
	VMOVDQU32(at(g, glanceCorners), corners)

	occupied, friends := windows(corners, pitch)
	var hostiles [2]reg.VecVirtual
	own, sight := all64(1<<24), ZMM()
	VPBROADCASTQ(at(g, glanceSight), sight)
	for h := range 2 {
		VPANDQ(sight, occupied[h], occupied[h])
		VPANDQ(sight, friends[h], friends[h])
		hostiles[h] = ZMM()
		VPANDNQ(occupied[h], friends[h], hostiles[h])
		VMOVDQU64(occupied[h], at(g, glanceOccupied+64*h))
		VMOVDQU64(hostiles[h], at(g, glanceHostiles+64*h))
		VPANDNQ(sight, occupied[h], occupied[h])
		VPANDNQ(friends[h], own, friends[h])
		VMOVDQU64(sight, cellsOf(layerFuel, h))
		VMOVDQU64(occupied[h], cellsOf(layerEmpty, h))
		VMOVDQU64(friends[h], cellsOf(layerFriends, h))
		VMOVDQU64(hostiles[h], cellsOf(layerHostiles, h))
		VMOVDQU64(hostiles[h], cellsOf(layerInjured, h))
	}
	for i, cells := range [][2]reg.VecVirtual{hostiles, friends} {
		any := ZMM()
		VPORQ(cells[0], cells[1], any)
		half := YMM()
		VEXTRACTI64X4(operand.U8(1), any, half)
		VPORQ(half, any.AsY(), half)
		quarter := XMM()
		VEXTRACTI128(operand.U8(1), half, quarter)
		VPOR(quarter, half.AsX(), quarter)
		eighth := XMM()
		VPSRLDQ(operand.U8(8), quarter, eighth)
		VPOR(eighth, quarter, quarter)
		VMOVQ(quarter, at(g, glanceSeen+8*i))
	}
	scalars(corners)

	low := all64(0x00ff00ff00ff00ff)
	plane := GP64()
	rows := func(name string, weighs, disp int, draw func(h, y int, row reg.Register)) {
		TESTQ(operand.U32(weighs), at(g, glanceWeighs))
		JEQ(operand.LabelRef(name))
		MOVQ(at(g, disp), plane)
		half := [2]reg.VecVirtual{corners, ZMM()}
		VEXTRACTI64X4(operand.U8(1), corners, half[1].AsY())
		for y := range side {
			for h := range 2 {
				KXNORB(reg.K7, reg.K7, reg.K7)
				VPXORQ(gathered[h], gathered[h], gathered[h])
				VPGATHERDQ(operand.Mem{Base: plane, Index: half[h].AsY(), Scale: 1}, reg.K7, gathered[h])
				draw(h, y, gathered[h])
			}
			ADDQ(pitch, plane)
		}
		Label(name)
	}
	sums := map[[2]int][2]reg.VecVirtual{} // by layer and half: of even and odd columns
	keep := func(layer, h, y int, row reg.VecVirtual) {
		odd := ZMM()
		VPSRLQ(operand.U8(8), row, odd)
		VPANDQ(low, odd, odd)
		VPANDQ(low, row, row)
		sum := [2]reg.VecVirtual{row, odd}
		if y > 0 {
			before := sums[[2]int{layer, h}]
			VPADDQ(before[0], row, row)
			VPADDQ(before[1], odd, odd)
		}
		sums[[2]int{layer, h}] = sum
		for parity, z := range sum {
			VMOVDQU64(z, at(layers, layer*crowdBytes+crowdRows+256*(y+1)+128*parity+64*h))
		}
	}
	rows("unfueled", weighsFuel, glanceFuel, func(h, y int, row reg.Register) {
		seen := ZMM()
		VPBROADCASTQ(at(g, glanceSightRows+8*y), seen)
		VPANDQ(row, seen, seen)
		keep(layerFuel, h, y, seen)
	})
	// A byte of the mask is the bits of a row of cells; byte i keeps bit i, the last byte none.
	spread, bit := ZMM(), all64(0x0040201008040201)
	VBROADCASTI32X4(number("lowest_bytes", 0, 0x0808080808080808), spread)
	rows("unpeopled", weighsPeople, glanceEnergy, func(h, y int, row reg.Register) {
		for _, of := range []struct {
			layer int
			cells reg.VecVirtual
		}{{layerFriends, friends[h]}, {layerHostiles, hostiles[h]}} {
			k, part := peopled(y, of.cells, spread, bit), ZMM()
			VMOVDQU8_Z(row, k, part)
			keep(of.layer, h, y, part)
		}
	})
	rows("unhurt", weighsInjured, glanceHealth, func(h, y int, row reg.Register) {
		k, part := peopled(y, hostiles[h], spread, bit), ones
		VPTERNLOGD(operand.U8(0xff), part, part, part)
		VMOVDQU8(row, k, part)
		VMOVDQU64(part, at(layers, layerInjured*crowdBytes+crowdWeights+128*y+64*h))
	})
	VZEROUPPER()
	RET()
}

// scalars draws energy, health and fuel of each amoeba.
func scalars(corners reg.VecVirtual) {
	cells, to := ZMM(), GP64()
	VPADDD_BCST(at(g, glanceCentre), corners, cells)
	MOVQ(at(g, glanceScalars), to)
	plane := GP64()
	MOVQ(at(g, glanceWho), plane)
	var who [2]reg.VecVirtual
	for h := range 2 {
		index := cells.AsY()
		if h > 0 {
			upper := YMM()
			VEXTRACTI64X4(operand.U8(1), cells, upper)
			index = upper
		}
		KXNORB(reg.K7, reg.K7, reg.K7)
		VPXORQ(gathered[h], gathered[h], gathered[h])
		VPGATHERDQ(operand.Mem{Base: plane, Index: index, Scale: 8}, reg.K7, gathered[h])
		who[h] = ZMM()
		VMOVDQA64(gathered[h], who[h])
	}
	both, energy := ZMM(), ZMM()
	VMOVDQU32(evens(), both)
	VPERMI2D(who[1], who[0], both)
	VPSLLD(operand.U8(16), both, energy)
	VPSRAD(operand.U8(16), energy, energy)
	VPSRAD(operand.U8(16), both, both)
	VMOVDQU32(energy, at(g, glanceEnergies))
	MOVQ(at(g, glanceFuel), plane)
	KXNORW(reg.K7, reg.K7, reg.K7)
	VPXORD(gathered[0], gathered[0], gathered[0])
	VPGATHERDD(operand.Mem{Base: plane, Index: cells, Scale: 1}, reg.K7, gathered[0])
	fuel := ZMM()
	VPANDD_BCST(number("number_ff", 0xff), gathered[0], fuel)
	for i, s := range []struct {
		z    reg.VecVirtual
		unit uint64
	}{{energy, unitCent}, {both, unitTenth}, {fuel, unitCent}} {
		VCVTDQ2PS(s.z, s.z)
		VMULPS_BCST(number(fmt.Sprintf("unit_%x", s.unit), s.unit), s.z, s.z)
		for k := range 4 {
			VMOVUPS(s.z, at(to, registerBytes*i+64*k))
		}
	}
}

// evens returns the indices of the lower halves of sixteen words.
func evens() operand.Mem {
	var words [8]uint64
	for i := range words {
		words[i] = uint64(4*i) | uint64(4*i+2)<<32
	}
	return number("evens", words[:]...)
}

// peopled returns the bytes of a row that are in a set of cells.
func peopled(y int, cells, spread, bit reg.VecVirtual) reg.Register {
	mask, k := ZMM(), K()
	VPSRLQ(operand.U8(side*y), cells, mask)
	VPSHUFB(spread, mask, mask)
	VPTESTMB(bit, mask, k)
	return k
}

// neighbours are the bits of a view's cells around the own, by direction.
var neighbours = [8]int{16, 17, 18, 25, 32, 31, 30, 23}

// prefer writes preferAVX512: see preferred in package amoebas.
func prefer() {
	TEXT("preferAVX512", attr.NOSPLIT, "func(view, utilities *uint64)")
	Doc("preferAVX512 is preferred for processors with AVX-512.")
	Pragma("noescape")
	g = Load(Param("view"), GP64())
	utilities := Load(Param("utilities"), GP64())
	bits := func(i int) operand.Mem { return number(fmt.Sprintf("bit_%d", i), 1<<i) }
	energy, most, best := ZMM(), ZMM(), ZMM()
	VMOVDQU32(at(g, glanceEnergies), energy)
	// K1 to K3: who can afford what; K4: the occupied neighbours, K5: the hostile ones; K7: who may do something
	for i, k := range []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3} {
		VPCMPD_BCST(operand.U8(notLess), at(g, glanceCosts+4*i), energy, k)
	}
	VMOVUPS(at(utilities, slotRest*registerBytes), energy)
	VCMPPS(operand.U8(isNumber), energy, energy, reg.K6)
	VPBROADCASTD(number("minus_infinity", minusInf), most)
	VMOVUPS(energy, reg.K6, most)
	VPBROADCASTD(bits(bestRest), best)
	KXORW(reg.K7, reg.K7, reg.K7)
	var occupied, hostiles [2]reg.VecVirtual
	for h := range 2 {
		occupied[h], hostiles[h] = ZMM(), ZMM()
		VMOVDQU64(at(g, glanceOccupied+64*h), occupied[h])
		VMOVDQU64(at(g, glanceHostiles+64*h), hostiles[h])
	}
	u, never, wide := ZMM(), ones, ZMM()
	VPTERNLOGD(operand.U8(0xff), never, never, never) // not a number
	for d, cell := range neighbours {
		VPBROADCASTQ(bits(cell), wide)
		for _, set := range []struct {
			z [2]reg.VecVirtual
			k reg.OpmaskPhysical
		}{{occupied, reg.K4}, {hostiles, reg.K5}} {
			VPTESTMQ(set.z[0], wide, set.k)
			VPTESTMQ(set.z[1], wide, reg.K6)
			KUNPCKBW(set.k, reg.K6, set.k)
		}
		KNOTW(reg.K4, reg.K4)
		for i, afford := range []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3} {
			legal := reg.K4
			if i == 1 {
				legal = reg.K5
			}
			slot := slotMove + 2*i + 1 - d&1
			KANDW(legal, afford, reg.K6)
			KORW(reg.K6, reg.K7, reg.K7)
			VMOVAPS(never, u)
			VMOVUPS(at(utilities, slot*registerBytes+64*(d>>1)), reg.K6, u)
			VCMPPS(operand.U8(greater), most, u, reg.K6)
			VMOVAPS(u, reg.K6, most)
			VPXORD(best, best, reg.K6, best)
			VCMPPS(operand.U8(equal), most, u, reg.K6)
			VPORD_BCST(bits(8*i+d), best, reg.K6, best)
		}
	}
	KNOTW(reg.K7, reg.K7)
	VPORD_BCST(bits(bestNone), best, reg.K7, best)
	VMOVDQU32(best, at(g, glanceBest))
	VZEROUPPER()
	RET()
}

func cellsOf(layer, h int) operand.Mem { return at(layers, layer*crowdBytes+64*h) }

// windows returns the cells of two bit planes in the views, as eight words twice each.
func windows(corners, pitch reg.Register) (occupied, friends [2]reg.VecVirtual) {
	index, shift, seven := ZMM(), ZMM(), ZMM()
	VPSRLD(operand.U8(3), corners, index)
	VPANDD_BCST(number("number_7", 7), corners, shift)
	VPBROADCASTD(number("number_7f", 0x7f), seven)
	step := GP64()
	MOVQ(pitch, step)
	SHRQ(operand.U8(3), step)
	plane := GP64()
	for p, into := range []*[2]reg.VecVirtual{&occupied, &friends} {
		MOVQ(at(g, glanceOccupancy+8*p), plane)
		var parts [2]reg.VecVirtual // the first four rows and the other three
		for y := range side {
			row, z := ZMM(), gathered[y&1]
			KXNORW(reg.K7, reg.K7, reg.K7)
			VPXORD(z, z, z)
			VPGATHERDD(operand.Mem{Base: plane, Index: index, Scale: 1}, reg.K7, z)
			VPSRLVD(shift, z, row)
			VPANDD(seven, row, row)
			if y%4 == 0 {
				parts[y/4] = row
			} else {
				VPSLLD(operand.U8(side*(y%4)), row, row)
				VPORD(row, parts[y/4], parts[y/4])
			}
			if y < side-1 {
				ADDQ(step, plane)
			}
		}
		for h := range 2 {
			low, high := ZMM(), ZMM()
			if h > 0 {
				for _, part := range parts {
					VEXTRACTI64X4(operand.U8(1), part, part.AsY())
				}
			}
			VPMOVZXDQ(parts[0].AsY(), low)
			VPMOVZXDQ(parts[1].AsY(), high)
			VPSLLQ(operand.U8(4*side), high, high)
			VPORQ(high, low, low)
			into[h] = low
		}
	}
	return occupied, friends
}
