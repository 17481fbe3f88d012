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
	glanceOccupied  = 64
	glanceFriends   = 192
	glanceSightRows = 320
	glanceSight     = 376
	glancePitch     = 384
	glancePlanes    = 392
	glanceFuel      = 408
	glanceEnergy    = 416
	glanceLayers    = 424

	crowdBytes = 33 * 128 // gp.CrowdLayer
	crowdRows  = 17 * 128 // offset in it

	layerFuel     = 0
	layerEmpty    = 1
	layerFriends  = 2
	layerHostiles = 3
	layerInjured  = 4

	side = 7
)

func main() {
	glance()
	Generate()
}

var (
	g, layers reg.Register
	gathered  = [2]reg.VecPhysical{reg.Z30, reg.Z31} // what gathers write to; they also read it, so they have none of avo's registers
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
		VMOVDQU64(occupied[h], at(g, glanceOccupied+64*h))
		VMOVDQU64(friends[h], at(g, glanceFriends+64*h))
		hostiles[h] = ZMM()
		empty := ZMM()
		VPANDNQ(sight, occupied[h], empty)
		VPANDNQ(occupied[h], friends[h], hostiles[h])
		VPANDNQ(friends[h], own, friends[h])
		VMOVDQU64(sight, cellsOf(layerFuel, h))
		VMOVDQU64(empty, cellsOf(layerEmpty, h))
		VMOVDQU64(friends[h], cellsOf(layerFriends, h))
		VMOVDQU64(hostiles[h], cellsOf(layerHostiles, h))
		VMOVDQU64(hostiles[h], cellsOf(layerInjured, h))
	}

	low := all64(0x00ff00ff00ff00ff)
	plane := GP64()
	rows := func(name string, disp int, draw func(h, y int, row reg.Register)) {
		MOVQ(at(g, disp), plane)
		TESTQ(plane, plane)
		JEQ(operand.LabelRef(name))
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
	rows("unfueled", glanceFuel, func(h, y int, row reg.Register) {
		seen := ZMM()
		VPBROADCASTQ(at(g, glanceSightRows+8*y), seen)
		VPANDQ(row, seen, seen)
		keep(layerFuel, h, y, seen)
	})
	// A byte of the mask is the bits of a row of cells; byte i keeps bit i.
	spread, bit := ZMM(), all64(0x8040201008040201)
	VBROADCASTI32X4(number("lowest_bytes", 0, 0x0808080808080808), spread)
	rows("unpeopled", glanceEnergy, func(h, y int, row reg.Register) {
		peopled(layerFriends, h, y, row, friends[h], spread, bit, keep)
		peopled(layerHostiles, h, y, row, hostiles[h], spread, bit, keep)
	})
	VZEROUPPER()
	RET()
}

// peopled keeps of a row what stands in cells of a set.
func peopled(layer, h, y int, row reg.Register, cells, spread, bit reg.VecVirtual, keep func(layer, h, y int, row reg.VecVirtual)) {
	mask, k, part := ZMM(), K(), ZMM()
	VPSRLQ(operand.U8(side*y), cells, mask)
	VPSHUFB(spread, mask, mask)
	VPTESTMB(bit, mask, k)
	VMOVDQU8_Z(row, k, part)
	keep(layer, h, y, part)
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
		MOVQ(at(g, glancePlanes+8*p), plane)
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
