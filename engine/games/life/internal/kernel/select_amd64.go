package kernel

import (
	"math/bits"

	"clade/gp/kernels"
)

// Of returns the kernel of a level that this processor runs.
func Of(l kernels.Level) Kernel {
	switch l {
	case kernels.AVX512:
		return Kernel{l, stepAVX512, countWithAVX512, collectBy(packAVX512), takeBy(takeAVX512),
			giveBy(giveAVX512), nthWithAVX512, seeBy(seeAVX512)}
	case kernels.AVX2:
		return Kernel{l, stepAVX2, countScalar, collectBy(packAVX2), takeBy(takeAVX2),
			giveBy(giveAVX2), nthScalar, seeBy(seeAVX2)}
	default:
		return scalar()
	}
}

// longRun is the average length of runs, in tiles, from which on going down them saves more than
// beginning them costs.
const longRun = 6

func stepAVX512(next, west, here, east []uint64, awake Set, mask *Mask, marks Marks) {
	check(next, west, here, east, awake, marks)
	tiles, runs := 0, 0
	for _, w := range awake {
		tiles += bits.OnesCount64(w)
		runs += bits.OnesCount64(w &^ (w << 1))
	}
	switch {
	case tiles == 0:
	case tiles >= longRun*runs:
		runsAVX512(&next[Words], &west[Words], &here[Words], &east[Words], &awake[0], len(awake),
			&mask[0], &marks[0], uintptr(marks.apart()))
	default:
		tilesAVX512(&next[Words], &west[Words], &here[Words], &east[Words], &awake[0], len(awake),
			&mask[0], &marks[0], uintptr(marks.apart()))
	}
}

func stepAVX2(next, west, here, east []uint64, awake Set, mask *Mask, marks Marks) {
	check(next, west, here, east, awake, marks)
	if len(awake) > 0 {
		runsAVX2(&next[Words], &west[Words], &here[Words], &east[Words], &awake[0], len(awake),
			&mask[0], &marks[0], uintptr(marks.apart()))
	}
}

func countWithAVX512(src []uint64, at int, stale Set, counts [][2]uint32) (change [2]int32) {
	if last := highest(stale); last >= 0 {
		_, _ = src[(at+last+1)*Words-1], counts[last]
		var c [2]uint32
		countAVX512(&src[at*Words], &stale[0], len(stale), &counts[0][0], &c[0])
		change = [2]int32{int32(c[0]), int32(c[1])}
	}
	return change
}

// collectBy and those that follow return what a Kernel does by the kernel of a level.
func collectBy(pack func(marks *uint8, apart uintptr, awake *uint64, words int,
	wake *uint64)) func([]uint64, Marks, Set) {
	return func(wake []uint64, marks Marks, awake Set) {
		checkCollect(wake, marks, awake)
		pack(&marks[0], uintptr(marks.apart()), &awake[0], len(awake), &wake[0])
	}
}

func takeBy(take func(edge *uint16, column *uint64, tiles, side int)) func(Edge, []uint64, Side) {
	return func(e Edge, column []uint64, s Side) {
		checkEdge(column, e)
		take(&e[0], &column[Words], len(e), int(s))
	}
}

func giveBy(give func(column *uint64, edge *uint16, tiles, side int)) func([]uint64, Edge, Side) {
	return func(column []uint64, e Edge, s Side) {
		checkEdge(column, e)
		give(&column[Words], &e[0], len(e), int(s))
	}
}

func nthWithAVX512(lots []Lot, words []uint64, counts [][2]uint32, apart int) {
	if len(lots) > 0 {
		nthAVX512(&lots[0].First, len(lots), &words[0], &counts[0][0], apart)
	}
}

func seeBy(see func(to *uint64, sites *int32, first, end int, now, last *uint64, height, width,
	stride, own, layers int, covers *uint64)) func(*[MaxSites]Window, *Sites, int, int, *View) {
	return func(to *[MaxSites]Window, sites *Sites, first, end int, v *View) {
		if checkSites(sites, first, end, v) {
			see(&to[first].Layers[0].Low, &sites.Y[0], first, end, &v.Now[0], &v.Last[0], v.Height,
				v.Width, v.Stride, v.Own, int(v.Layers), &v.Covers[0][0])
		}
	}
}
