// Command gen writes the assembly of package antwars with avo. It is a module of its own, so that
// clade does not depend on avo.
package main

import (
	"log"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
	"clade/gp/gen/layout"
)

// code is package antwars, from which all offsets, sizes and tables come.
var code = layout.Load("..")

// Sizes in bytes, and numbers of the game.
var (
	vector     = code.Size("numbers") // sixteen lanes or games
	high       = code.Size("grounds") / 2
	planeBytes = code.Size("gp.LaneWords")
	layerBytes = code.Size("gp.LanePlanes")
	farLists   = code.Offset("gp.FarCells", "Index")
	farList    = code.Offset("gp.FarCells", "Bit") - farLists

	width  = code.Const("width")
	cells  = code.Const("cells")
	planes = code.Table("planes")
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
	draw()
	chooseHeading()
	march()
	rate()
	fade()
	look2()
	recall2()
	enter2()
	draw2()
	choose2()
	rate2()
	totals2()
	fade2()
	track2()
	Generate()
}

// kernel begins the kernel of a name for processors with a set of instructions.
func kernel(name, set, signature string) {
	symbol := name + strings.ReplaceAll(set, "-", "")
	TEXT(symbol, NOSPLIT, "func"+signature)
	Pragma("noescape")
	Doc(symbol + " is " + name + " for processors with " + set + ".")
}

// Parameters of the kernels that there are of each set of instructions.
const (
	ofLook   = "(batch, side, other, sight, chart *uint64) (near, lost uint32)"
	ofRecall = "(side, sight, time, chart *uint64)"
	ofDraw   = "(vista, side *uint64, anew, who uint32, layers, chart *uint64)"
	ofChoose = "(straight, diagonal *float32, who uint32, heading, chart *uint64)"
	ofFade   = "(keep *float32, low, high uint64, by float32)"
	ofEnter  = "(side, sight, time *uint64, who uint32, layers, far, scalars, chart *uint64)"
)

// recollection is what the kernel recall is given, and one of the recollections.
type recollection struct {
	side, time, chart, past, far record
	used, inUse, number          reg.GPVirtual
}

// recalls writes the kernel recall: of each recollection, one works out in which games it still
// counts, and sets inUse to its number where there are any.
func recalls(set string, one func(r recollection)) {
	kernel("recall", set, ofRecall)
	side, sight, time, chart := pointer("side"), pointer("sight"), pointer("time"), pointer("chart")
	left := GP64()
	r := recollection{side, time, chart, allocated("recollection"), allocated("farFood"), GP64(),
		GP32(), GP32()}
	MOVL(side.at("pasts"), left.As32())
	XORL(r.inUse, r.inUse)
	TESTL(left.As32(), left.As32())
	JEQ(operand.LabelRef("done"))
	LEAQ(side.at("past"), r.past)
	LEAQ(side.at("used"), r.used)
	LEAQ(sight.at("far"), r.far)
	XORL(r.number, r.number)
	Label("past")
	INCL(r.number)
	one(r)
	CMOVLNE(r.number, r.inUse)
	ADDQ(operand.U32(r.past.size()), r.past)
	ADDQ(operand.U32(r.far.size()), r.far)
	ADDQ(operand.U8(4), r.used)
	DECQ(left)
	JNE(operand.LabelRef("past"))
	Label("done")
	MOVL(r.inUse, side.at("pasts"))
	End()
}

// record is a pointer to a struct of package antwars.
type record struct {
	reg.GPVirtual
	name string
}

// pointer loads a parameter that is named after what it points to.
func pointer(name string) record {
	return record{Load(Param(name), GP64()).(reg.GPVirtual), name}
}

func (r record) as(name string) record { return record{r.GPVirtual, name} }

func allocated(name string) record { return record{GP64(), name} }

// at returns the address of a field, or of what stands behind it.
func (r record) at(field string, behind ...int) operand.Mem {
	m := at(r, code.Offset(r.name, field))
	for _, bytes := range behind {
		m = m.Offset(bytes)
	}
	return m
}

// plane returns the address of a plane of the sight.
func plane(sight record, name string, behind int) operand.Mem {
	return sight.at("planes", code.Const(name)*vector+behind)
}

// fillScalars computes the scalars of some counts. It knows no other scalars than these and
// foodHope.
func fillScalars(counts map[int]V, all func(v int) V, to operand.Mem) {
	for _, s := range code.Table("sensors") {
		if s["form"] != code.Const("gp.Scalar") || s["of"] == code.Const("foodAhead") ||
			s["with"] != code.Const("ofPaper") {
			continue
		}
		sum, count := map[int]any{1: VPADDD, -1: VPSUBD}[s["sign"]], counts[s["of"]]
		if sum == nil || count == nil {
			log.Fatalf("gen: no kernel fills scalar %d", s["index"])
		}
		x := Of(VCVTDQ2PS, Of(sum, count, all(s["from"])))
		VMOVUPS(x, to.Offset(s["index"]*planeBytes))
	}
}

func (r record) size() int { return code.Size(r.name) }

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// all64 returns a vector with one number in every lane of 64 bits, all32 of 32 bits.
func all64(v int) V { return constants.All64(v) }
func all32(v int) V { return constants.All32(v) }

// newTurn is a turn of the board.
func newTurn(n V) Turn { return NewTurn(constants, n, func() V { return all64(cells) }) }

// recentred returns the cells moved so that others come to stand in the middle.
func recentred(g, wraps Set, first, second Turn) Set {
	r := Recentred(g, wraps, first, second)
	return Set{r.Low, And(Of(VPSRLQ, 128-cells, all64(-1)), r.High)}
}

func load(from operand.Mem) Set { return Load512(from, high) }

// part is some bits of a word: those of the mask, after a shift to the right.
type part struct {
	shift uint8
	mask  int
}

// The two words of the middle rows of the window, see inPlanes of package antwars.
var (
	nearParts = []part{{4, 31}, {10, 31 << 5}, {16, 31 << 10}, {22, 31 << 15}, {28, 31 << 20}}
	restParts = []part{{0, 15}, {5, 63 << 4}, {10, 63 << 10}, {15, 63 << 16}, {20, 63 << 22},
		{25, 15 << 28}}
)

func gathered(middle V, parts []part) (sum V) {
	for i, p := range parts {
		mask := all64(p.mask)
		some := Of(VPSRLQ, int(p.shift), middle)
		if i == 0 {
			sum = And(mask, some)
		} else {
			Into(sum, VPTERNLOGQ, orAnd, mask, some)
		}
	}
	return sum
}

// inPlanes orders the cells of the window by plane, and stores the words for eight games.
func inPlanes(g Set, to operand.Mem) {
	middle, last := g.Middle(), Of(VPSRLQ, 25, g.High)
	for p, z := range []V{gathered(middle, nearParts), g.Low, gathered(middle, restParts), last} {
		VPMOVQD(z, to.Offset(p*vector))
	}
}
