package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sums adds up what hidden food is worth for routes that end on sixteen cells, a lane each, in the
// order of the hidden cells. What food counts by rows and by columns from there is worked out
// first, on the torus; the lesser of the two counts.
func sums() {
	kernel("sums", "AVX-512", "(hidden *uint64, keep *float32, ends *uint8, worth, end, "+
		"by *float32, at *uint16)")
	hidden, keep := pointer("hidden"), pointer("keep")
	density := ZMM()
	VBROADCASTSS(hidden.at("density"), density)
	for v := range (cells + 15) / 16 {
		chance := ZMM()
		VMULPS_Z(at(keep, v*vector), density, within(v), chance)
		VMOVUPS(chance, hidden.at("chance", v*vector))
	}
	ends, row, column, round := ZMM(), ZMM(), ZMM(), all32(width)
	VPMOVZXBD(operand.Mem{Base: Load(Param("ends"), GP64())}, ends)
	VPMULLD(all32(nearEleventh), ends, row)
	VPSRLD(operand.U8(11), row, row)
	VPMULLD(round, row, column)
	VPSUBD(column, ends, column)
	worths := Load(Param("by"), GP64())
	first, second, one := ZMM(), ZMM(), all32(1)
	VMOVUPS(at(worths, 0), first)
	VMOVUPS(at(worths, vector), second)
	for axis, of := range []reg.VecVirtual{row, column} {
		VPADDD(round, of, of)
		for i := range width {
			worth := ZMM()
			VMOVDQA32(of, worth)
			VPERMI2PS(second, first, worth)
			VMOVUPS(worth, hidden.at("apart", (axis*width+i)*vector))
			VPSUBD(one, of, of)
		}
	}
	sum, places := all32(0), Load(Param("at"), GP64())
	for half := range 2 {
		left, cell, y, x, d := GP64(), GP64(), GP64(), GP64(), ZMM()
		loop, done := "hidden"+string(rune('0'+half)), "summed"+string(rune('0'+half))
		indexed := func(m operand.Mem, by reg.Register, scale uint8) operand.Mem {
			m.Index, m.Scale = by, scale
			return m
		}
		MOVQ(hidden.at("unseen", 8*half), left)
		TESTQ(left, left)
		JEQ(operand.LabelRef(done))
		Label(loop)
		TZCNTQ(left, cell)
		MOVWQZX(indexed(at(places, 4*64*half), cell, 4), y)
		MOVWQZX(indexed(at(places, 4*64*half+2), cell, 4), x)
		VMOVUPS(indexed(hidden.at("apart"), y, 1), d)
		VMINPS(indexed(hidden.at("apart"), x, 1), d, d)
		VMULPS_BCST(indexed(hidden.at("chance", 4*64*half), cell, 4), d, d)
		VADDPS(d, sum, sum)
		BLSRQ(left, left)
		JNE(operand.LabelRef(loop))
		Label(done)
	}
	worth, end := Load(Param("worth"), GP64()), Load(Param("end"), GP64())
	piece, delay := ZMM(), all32(int(code.Float32("routeDelay")))
	VMOVUPS(at(worth, 0), piece)
	VMOVUPS(sum, at(end, 0))
	level := 4 * code.Const("maxEnds")
	for made := 1; made < code.Const("farthest"); made++ {
		VMULPS(delay, piece, piece)
		VMULPS(delay, sum, sum)
		VMOVUPS(piece, at(worth, made*level))
		VMOVUPS(sum, at(end, made*level))
	}
	VZEROUPPER()
	RET()
}

// within holds the lanes of a vector of all cells that are some, not behind the last.
func within(v int) reg.OpmaskVirtual {
	lanes, k := GP32(), K()
	MOVL(operand.U32(1<<min(16, cells-16*v)-1), lanes)
	KMOVW(lanes, k)
	return k
}

// nearEleventh times a cell's number, divided by 2048, is its row.
const nearEleventh = 187

// fade scales numbers of some cells.
func fade() {
	kernel("fade", "AVX-512", "(keep *float32, low, high uint64, by float32)")
	keep, by := pointer("keep"), ZMM()
	number, err := Param("by").Resolve() // to load it would be legacy SSE
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(number.Addr, by)
	for half, word := range []string{"low", "high"} {
		left := Load(Param(word), GP64())
		for v := 4 * half; v < min(4*half+4, (cells+15)/16); v++ {
			k, z := K(), ZMM()
			KMOVW(left.(reg.GPVirtual).As32(), k)
			VMULPS_Z(at(keep, v*vector), by, k, z)
			VMOVUPS(z, k, at(keep, v*vector))
			SHRQ(operand.U8(16), left)
		}
	}
	VZEROUPPER()
	RET()
}
