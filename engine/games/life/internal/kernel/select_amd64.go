package kernel

import (
	"math/bits"

	"clade/gp/kernels"
)

// Of returns the kernel of a level that this processor runs.
func Of(l kernels.Level) Kernel {
	switch l {
	case kernels.AVX512:
		return Kernel{l, stepAVX512, countWithAVX512, collectAVX512, takeWithAVX512, giveWithAVX512,
			nthWithAVX512, seeWithAVX512}
	case kernels.AVX2:
		return Kernel{l, stepAVX2, countScalar, collectAVX2, takeWithAVX2, giveWithAVX2,
			nthScalar, seeWithAVX2}
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

func collectAVX512(wake []uint64, marks Marks, awake Set) {
	checkCollect(wake, marks, awake)
	packAVX512(&marks[0], uintptr(marks.apart()), &awake[0], len(awake), &wake[0])
}

func collectAVX2(wake []uint64, marks Marks, awake Set) {
	checkCollect(wake, marks, awake)
	packAVX2(&marks[0], uintptr(marks.apart()), &awake[0], len(awake), &wake[0])
}

func takeWithAVX512(e Edge, column []uint64, s Side) {
	checkEdge(column, e)
	takeAVX512(&e[0], &column[Words], len(e), int(s))
}

func takeWithAVX2(e Edge, column []uint64, s Side) {
	checkEdge(column, e)
	takeAVX2(&e[0], &column[Words], len(e), int(s))
}

func giveWithAVX512(column []uint64, e Edge, s Side) {
	checkEdge(column, e)
	giveAVX512(&column[Words], &e[0], len(e), int(s))
}

func giveWithAVX2(column []uint64, e Edge, s Side) {
	checkEdge(column, e)
	giveAVX2(&column[Words], &e[0], len(e), int(s))
}

func nthWithAVX512(lots []Lot, words []uint64, counts [][2]uint32, apart int) {
	if len(lots) > 0 {
		nthAVX512(&lots[0].First, len(lots), &words[0], &counts[0][0], apart)
	}
}

func seeWithAVX512(to *[MaxSites]Window, sites *Sites, first, end int, v *View) {
	if checkSites(sites, first, end, v) {
		seeAVX512(&to[first].Layers[0].Low, &sites.Y[0], first, end, &v.Now[0], &v.Last[0], v.Height,
			v.Width, v.Stride, v.Own, int(v.Layers), &v.Covers[0][0])
	}
}

func seeWithAVX2(to *[MaxSites]Window, sites *Sites, first, end int, v *View) {
	if checkSites(sites, first, end, v) {
		seeAVX2(&to[first].Layers[0].Low, &sites.Y[0], first, end, &v.Now[0], &v.Last[0], v.Height,
			v.Width, v.Stride, v.Own, int(v.Layers), &v.Covers[0][0])
	}
}
