// Command gen writes the assembly of package antwars with avo. It is a module of its own, so that
// clade does not depend on avo.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Layout of the data, as package antwars has it; a test there holds it.
const (
	vector = 64 // bytes of numbers; grounds are two vectors of low and two of high words
	high   = 2 * vector

	herdPrints = 256 // behind the food
	herdSteps  = 384

	wingRow     = 0
	wingCol     = 64
	wingPoints  = 128
	wingHeading = 192
	wingKnown   = 256
	wingVisited = 512
	wingPast    = 768
	wingUsed    = 3840
	wingMoved   = 3904
	wingAlive   = 3908
	wingFed     = 3912
	wingPasts   = 3916

	pastBytes = 192
	pastCol   = 64
	pastSeen  = 128

	sightFood     = 0
	sightVisited  = 256
	sightEmpty    = 512
	sightEnemy    = 576
	sightLost     = 640
	sightFar      = 896
	sightStraight = 3968
	sightHope     = 4224
	farBytes      = 192

	laneVector = 64   // bytes of sixteen lanes
	planeBytes = 256  // of 64 lanes
	layerBytes = 1024 // of four planes
	farLists   = 64   // offset of the index in gp.FarCells
	farList    = 16 * planeBytes

	// chart: by heading, ...
	chartWrapLow    = 0
	chartWrapHigh   = 64
	chartShift      = 128
	chartShift2     = 192
	chartBeforeLow  = 256
	chartBeforeHigh = 320
	chartColLow     = 384 // ..., by column, ...
	chartColHigh    = 512
	chartFarRows    = 640 // ..., by row, ...
	chartBeliefs    = 704 // ..., by age, ...
	chartStepRow    = 896 // ..., and by heading again
	chartStepCol    = 960
	chartSpread     = 1024 // four vectors: the decision of each lane
	chartTurns      = 1280
	chartDiagonal   = 1344 // the heading of each lane as a diagonal move
	chartHopes      = 1408 // by slot, ahead then around, by turn
	chartInView     = 1472 // low and high word
	chartSecond     = 1488 // what the second move's food is worth
	chartCount      = 1536 // 0..15

	side   = 11
	cells  = side * side
	rounds = 35
	pieces = 15
)

// Immediates of VPTERNLOG, a being what the instruction overwrites.
const (
	orAnd    = 0xf8 // a | b & c
	or3      = 0xfe // a | b | c
	choose   = 0xca // a ? b : c
	lessThan = 1    // of VPCMPUD
	above    = 6
)

func main() {
	look()
	recall()
	enter()
	chooseHeading()
	march()
	look2()
	recall2()
	enter2()
	Generate()
}

// pointer loads a parameter.
func pointer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// all64 returns a vector with one number in every lane of 64 bits, all32 of 32 bits. They come from
// memory, because a broadcast of a register would take a port that the arithmetic needs.
func all64(v int64) reg.VecVirtual {
	z := ZMM()
	VPBROADCASTQ(number("number64", uint64(v)), z)
	return z
}

func all32(v int64) reg.VecVirtual {
	z := ZMM()
	VPBROADCASTD(number("number32", uint64(uint32(v))), z)
	return z
}

// number returns a number in memory.
func number(kind string, v uint64) operand.Mem {
	name := fmt.Sprintf("%s_%x", kind, v)
	if _, ok := constants[name]; !ok {
		constants[name] = GLOBL(name, attr.RODATA|attr.NOPTR)
		DATA(0, operand.U64(v))
	}
	return constants[name]
}

// ground is a set of cells in each of eight games.
type ground struct{ low, high reg.VecVirtual }

// turn is by how far to rotate the cells of the window to the left in each of eight games: what n
// and the numbers derived of it are is in rotate of package antwars.
type turn struct{ n, m, up, down, left, right reg.VecVirtual }

func newTurn(n reg.VecVirtual) turn {
	t := turn{n, ZMM(), ZMM(), ZMM(), ZMM(), ZMM()}
	word := all64(64)
	VPSUBQ(n, all64(cells), t.m)
	VPSUBQ(t.m, word, t.up)
	VPSUBQ(word, t.m, t.down)
	VPSUBQ(n, word, t.left)
	VPSUBQ(word, n, t.right)
	return t
}

// rotated returns the rotated cells; what stands above the 121 does not count.
func (t turn) rotated(g ground) ground {
	r := ground{ZMM(), ZMM()}
	a, b, c := ZMM(), ZMM(), ZMM()
	VPSLLVQ(t.n, g.low, r.low)
	VPSRLVQ(t.m, g.low, a)
	VPSLLVQ(t.up, g.high, b)
	VPSRLVQ(t.down, g.high, c)
	VPTERNLOGQ(operand.U8(or3), a, b, c)
	VPORQ(c, r.low, r.low)
	d, e, f := ZMM(), ZMM(), ZMM()
	VPSLLVQ(t.n, g.high, r.high)
	VPSRLVQ(t.left, g.low, d)
	VPSLLVQ(t.right, g.low, e)
	VPSRLVQ(t.m, g.high, f)
	VPTERNLOGQ(operand.U8(or3), d, e, f)
	VPORQ(f, r.high, r.high)
	return r
}

// recentred returns the cells moved so that others come to stand in the middle: those in wraps by
// the second turn, all others by the first.
func recentred(g, wraps ground, first, second turn) ground {
	w, rest := ground{ZMM(), ZMM()}, ground{ZMM(), ZMM()}
	VPANDQ(g.low, wraps.low, w.low)
	VPANDQ(g.high, wraps.high, w.high)
	VPANDNQ(g.low, wraps.low, rest.low)
	VPANDNQ(g.high, wraps.high, rest.high)
	r, s := first.rotated(rest), second.rotated(w)
	VPORQ(s.low, r.low, r.low)
	VPORQ(s.high, r.high, r.high)
	board := ZMM()
	VPSRLQ(operand.U8(128-cells), all64(-1), board)
	VPANDQ(board, r.high, r.high)
	return r
}

func load(base reg.Register, disp int) ground {
	g := ground{ZMM(), ZMM()}
	VMOVDQU64(at(base, disp), g.low)
	VMOVDQU64(at(base, disp+high), g.high)
	return g
}

func (g ground) store(base reg.Register, disp int) {
	VMOVDQU64(g.low, at(base, disp))
	VMOVDQU64(g.high, at(base, disp+high))
}

// part is some bits of a word: those of the mask, after a shift to the right.
type part struct {
	shift uint8
	mask  uint32
}

// The two words of the middle rows of the window, see inPlaces of package antwars.
var (
	nearParts = []part{{4, 31}, {10, 31 << 5}, {16, 31 << 10}, {22, 31 << 15}, {28, 31 << 20}}
	restParts = []part{{0, 15}, {5, 63 << 4}, {10, 63 << 10}, {15, 63 << 16}, {20, 63 << 22},
		{25, 15 << 28}}
)

func gathered(middle reg.VecVirtual, parts []part) reg.VecVirtual {
	sum, t := ZMM(), ZMM()
	for i, p := range parts {
		mask := all64(int64(p.mask))
		into := t
		if i == 0 {
			into = sum
		}
		VPSRLQ(operand.U8(p.shift), middle, into)
		if i == 0 {
			VPANDQ(mask, into, into)
		} else {
			VPTERNLOGQ(operand.U8(orAnd), mask, t, sum)
		}
	}
	return sum
}

// inPlaces orders the cells of the window by place, and stores the words for eight games.
func inPlaces(g ground, base reg.Register, disp int) {
	middle, t := ZMM(), ZMM()
	VPSRLQ(operand.U8(32), g.low, middle)
	VPSLLQ(operand.U8(32), g.high, t)
	VPORQ(t, middle, middle)
	last := ZMM()
	VPSRLQ(operand.U8(25), g.high, last)
	for p, z := range []reg.VecVirtual{gathered(middle, nearParts), g.low,
		gathered(middle, restParts), last} {
		VPMOVQD(z, at(base, disp+p*vector))
	}
}
