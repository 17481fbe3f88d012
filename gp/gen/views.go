package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// The kernels of Views. The loop over layers is inside that over vectors of decisions, because all
// layers of a decision move alike.

var (
	numbers   = Constants{}
	halfBytes = 8 * code.Const("BatchSize") // of a board of all decisions
	wordBytes = 4 * code.Const("BatchSize") // of a plane of all decisions
)

// viewer holds the registers of a look.
type viewer struct {
	views, board, words, plan, filled, piece, left, planes reg.GPVirtual
	name                                                   string
}

// newViewer skips what follows if the set has none of the nth group of decisions.
func newViewer(decisions, nth int) viewer {
	v := viewer{views: Load(Param("v"), GP64()).(reg.GPVirtual), board: GP64(), words: GP64(),
		plan: GP64(), filled: GP64(), piece: GP64(), left: GP64(), planes: GP64(),
		name: fmt.Sprintf("part_%d", nth)}
	set, part := GP64(), uint32(1)<<decisions-1
	Load(Param("set"), set)
	TESTL(operand.U32(part<<(decisions*nth)), set.As32())
	JEQ(operand.LabelRef(v.name + "_done"))
	Load(Param("layers"), v.left)
	LEAQ(v.field("boards", 0), v.board)
	LEAQ(v.field("words", 0), v.words)
	LEAQ(v.field("plans", 0), v.plan)
	LEAQ(v.field("filled", 0), v.filled)
	return v
}

// field returns the address of a field, or of what is so many bytes behind its start.
func (v viewer) field(name string, behind int) operand.Mem {
	return operand.Mem{Base: v.views, Disp: code.Offset("views", name) + behind}
}

// layers repeats what is written for a set of layers.
func (v viewer) layers(write func()) {
	Label(v.name + "_layer")
	SHRQ(operand.U8(1), v.left)
	JCC(operand.LabelRef(v.name + "_next"))
	write()
	Label(v.name + "_next")
	ADDQ(operand.U32(2*halfBytes), v.board)
	ADDQ(operand.U32(4*wordBytes), v.words)
	ADDQ(operand.U32(code.Size("viewPlan")), v.plan)
	ADDQ(operand.U8(4), v.filled)
	TESTQ(v.left, v.left)
	JNE(operand.LabelRef(v.name + "_layer"))
	Label(v.name + "_done")
}

// spread repeats what is written for each plane of a layer and each of its pieces.
func (v viewer) spread(begin, piece func(), end func(to reg.Register)) {
	MOVQ(operand.Mem{Base: v.plan, Disp: code.Offset("viewPlan", "planes")}, v.planes)
	LEAQ(v.field("pieces", 0), v.piece)
	to := GP64()
	MOVQ(v.words, to)
	Label(v.name + "_plane")
	begin()
	Label(v.name + "_piece")
	piece()
	more := GP64()
	MOVQ(v.pieceField("more"), more)
	ADDQ(operand.U8(code.Size("viewPiece")), v.piece)
	TESTQ(more, more)
	JNE(operand.LabelRef(v.name + "_piece"))
	end(to)
	ADDQ(operand.U8(wordBytes), to)
	DECQ(v.planes)
	JNE(operand.LabelRef(v.name + "_plane"))
}

func (v viewer) pieceField(name string) operand.Mem {
	return operand.Mem{Base: v.piece, Disp: code.Offset("viewPiece", name)}
}

// wordOf returns the address of the word that holds a piece.
func (v viewer) wordOf(words operand.Mem, bytes int) operand.Mem {
	index := GP64()
	MOVQ(v.pieceField("word"), index)
	return words.Idx(index, uint8(bytes/8))
}

// planField returns the address of half a set of the layer's plan.
func (v viewer) planField(name string, half int) operand.Mem {
	return operand.Mem{Base: v.plan, Disp: code.Offset("viewPlan", name) + 8*half}
}

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

func look512() {
	TEXT("lookAVX512", NOSPLIT, "func(v *uint64, layers, set uint64)")
	words := AllocLocal(3 * 64)
	for half := range 2 {
		v := newViewer(8, half)
		wraps := Load512(v.field("wraps", 64*half), halfBytes)
		turn := func(second int) Turn {
			n := Into(ZMM(), VMOVDQU64, v.field("turns", second*halfBytes+64*half))
			return NewTurn(numbers, n, func() V {
				return Into(ZMM(), VPBROADCASTQ, v.field("cells", 0))
			})
		}
		first, second := turn(0), turn(1)
		v.layers(func() {
			r := Recentred(Load512(at(v.board, 64*half), halfBytes), wraps, first,
				second)
			for half, z := range []V{r.Low, r.High} {
				VPANDQ_BCST(v.planField("extent", half), z, z)
				VPXORQ_BCST(v.planField("walls", half), z, z)
			}
			some, k, filled := Or(r.Low, r.High), K(), GP32()
			VPTESTMQ(some, some, k)
			KMOVB(k, filled)
			MOVB(filled.As8(), at(v.filled, half))
			for i, z := range []V{r.Low, r.Middle(), r.High} {
				VMOVDQU64(z, words.Offset(64*i))
			}
			plane := ZMM()
			v.spread(func() { VPXORQ(plane, plane, plane) }, func() {
				z := Into(ZMM(), VMOVDQU64, v.wordOf(words, 64))
				z = Of(VPSRLVQ_BCST, v.pieceField("shift"), z)
				VPTERNLOGQ_BCST(operand.U8(andOr), v.pieceField("mask"), z, plane)
			}, func(to reg.Register) { VPMOVQD(plane, at(to, 32*half)) })
		})
	}
	End()
}

func look2() {
	TEXT("lookAVX2", NOSPLIT, "func(v *uint64, layers, set uint64)")
	words, moving := AllocLocal(3*32), NewMoving2()
	for q := range 4 {
		v := newViewer(4, q)
		VMOVDQU(Loaded(v.field("wraps", 32*q)), moving.Low)
		VMOVDQU(Loaded(v.field("wraps", halfBytes+32*q)), moving.High)
		all := func(m operand.Mem) V { return Into(YMM(), VPBROADCASTQ, m) }
		moving.First.Set(numbers, Loaded(v.field("turns", 32*q)), all(v.field("cells", 0)))
		moving.Second.Set(numbers, Loaded(v.field("turns", halfBytes+32*q)),
			all(v.field("cells", 0)))
		v.layers(func() {
			r := moving.Recentred(at(v.board, 32*q), at(v.board, halfBytes+32*q))
			for half, y := range []*V{&r.Low, &r.High} {
				*y = And(all(v.planField("extent", half)), *y)
				*y = Xor(all(v.planField("walls", half)), *y)
			}
			some, zero, filled := Or(r.Low, r.High), YMM(), GP32()
			VPXOR(zero, zero, zero)
			VMOVMSKPD(Of(VPCMPEQQ, zero, some), filled)
			XORL(operand.U8(15), filled)
			keep := GP32()
			MOVL(at(v.filled, 0), keep)
			ANDL(operand.U32(^(uint32(15) << (4 * q))), keep)
			if q > 0 {
				SHLL(operand.U8(4*q), filled)
			}
			ORL(filled, keep)
			MOVL(keep, at(v.filled, 0))
			for i, y := range []V{r.Low, r.Middle(), r.High} {
				VMOVDQU(y, words.Offset(32*i))
			}
			plane := YMM()
			v.spread(func() { VPXOR(plane, plane, plane) }, func() {
				y := Of(VPSRLVQ, all(v.pieceField("shift")), Loaded(v.wordOf(words, 32)))
				Into(plane, VPOR, And(all(v.pieceField("mask")), y), plane)
			}, func(to reg.Register) { Packed(plane, at(to, 16*q)) })
		})
	}
	End()
}

// entering repeats what is written, which copies a plane of four decisions, for all planes of a set
// of layers. What it seldom needs stays in memory, because there are too few registers.
func entering(begin func(order reg.Register), plane func(from, to operand.Mem)) {
	order, lanes, left := GP64(), GP64(), GP64()
	Load(Param("v"), order)
	ADDQ(operand.U32(code.Offset("views", "order")), order)
	Load(Param("lanes"), lanes)
	Load(Param("n"), left)
	words, to, plan, layers, planes, from, into := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(),
		GP64()
	Label("decisions")
	begin(order)
	Load(Param("v"), words)
	LEAQ(at(words, code.Offset("views", "plans")), plan)
	ADDQ(operand.U32(code.Offset("views", "words")), words)
	MOVQ(lanes, to)
	Load(Param("layers"), layers)
	Label("layer")
	SHRQ(operand.U8(1), layers)
	JCC(operand.LabelRef("next"))
	MOVQ(at(plan, code.Offset("viewPlan", "planes")), planes)
	MOVQ(words, from)
	MOVQ(to, into)
	Label("plane")
	plane(at(from, 0), at(into, 0))
	ADDQ(operand.U8(wordBytes), from)
	ADDQ(operand.U32(planeBytes), into)
	DECQ(planes)
	JNE(operand.LabelRef("plane"))
	Label("next")
	ADDQ(operand.U32(4*wordBytes), words)
	ADDQ(operand.U32(4*planeBytes), to)
	ADDQ(operand.U32(code.Size("viewPlan")), plan)
	TESTQ(layers, layers)
	JNE(operand.LabelRef("layer"))
	ADDQ(operand.U8(64), lanes)
	ADDQ(operand.U8(16), order)
	SUBQ(operand.U8(4), left)
	JG(operand.LabelRef("decisions"))
	End()
}

func enter512() {
	TEXT("enterAVX512", NOSPLIT, "func(v, lanes *uint64, layers, n uint64)")
	games, quarters := ZMM(), Into(ZMM(), VMOVDQU32,
		numbers.Words("decisions_of_lanes", 16, func(i int) uint32 { return uint32(i / 4) }))
	entering(func(order reg.Register) {
		VPERMD(at(order, 0), quarters, games)
	}, func(from, to operand.Mem) {
		VMOVDQU32(Of(VPERMD, from, games), to)
	})
}

func enter2() {
	TEXT("enterAVX2", NOSPLIT, "func(v, lanes *uint64, layers, n uint64)")
	games := [4]reg.GPVirtual{GP64(), GP64(), GP64(), GP64()}
	entering(func(order reg.Register) {
		for i, game := range games {
			MOVL(at(order, 4*i), game.As32())
		}
	}, func(from, to operand.Mem) {
		for i, game := range games {
			VMOVDQU(Into(XMM(), VPBROADCASTD, from.Idx(game, 4)), to.Offset(16*i))
		}
	})
}

// greatest finds the possible turn of the greatest value, two decisions at a time.
func greatest() {
	TEXT("greatestTurns", NOSPLIT, "func(values *float32, n uint64, best *uint8)")
	values, left, turns := Load(Param("values"), GP64()), Load(Param("n"), GP64()),
		Load(Param("best"), GP64())
	worth := GP64()
	LEAQ(at(turns, code.Offset("BestTurns", "Value")), worth)
	lanes := numbers.Words("turns_of_two", 8, func(i int) uint32 { return 1 << (i%4 + i/4*8) })
	zero, lowest := YMM(), Loaded(numbers.Each32(-8388608)) // minus infinity
	VXORPS(zero, zero, zero)
	Label("two")
	word, mask, second := GP32(), GP32(), GP32()
	MOVWLZX(at(turns, code.Offset("BestTurns", "Possible")), word)
	possible := And(lanes, Into(YMM(), VPBROADCASTD, Into(XMM(), VMOVD, word)))
	possible = Of(VPCMPEQD, lanes, possible)
	u := Of(VADDPS, zero, Loaded(at(values, 0)))
	isNumber := And(possible, Of(VCMPPS, 7, u, u))
	u = Of(VBLENDVPS, isNumber, u, lowest)
	best := Of(VMAXPS, Of(VPERMILPS, 0xb1, u), u)
	best = Of(VMAXPS, Of(VPERMILPS, 0x4e, best), best)
	VMOVSS(best.AsX(), at(worth, 0))
	VMOVMSKPS(And(possible, Of(VCMPPS, 0, best, u)), mask)
	VMOVSS(Into(XMM(), VEXTRACTF128, 1, best), at(worth, 4))
	TZCNTL(mask, second)
	MOVB(second.As8(), at(turns, code.Offset("BestTurns", "Turn")))
	SHRL(operand.U8(4), mask)
	TZCNTL(mask, second)
	MOVB(second.As8(), at(turns, code.Offset("BestTurns", "Turn")+1))
	ADDQ(operand.U8(32), values)
	ADDQ(operand.U8(2), turns)
	ADDQ(operand.U8(8), worth)
	SUBQ(operand.U8(2), left)
	JG(operand.LabelRef("two"))
	End()
}
