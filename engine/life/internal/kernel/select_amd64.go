package kernel

import (
	"math/bits"

	"clade/gp/kernels"
)

// Of returns the kernel of a level that this processor runs.
func Of(l kernels.Level) Kernel {
	switch l {
	case kernels.AVX512:
		return Kernel{l, stepAVX512, countWithAVX512, collectAVX512}
	case kernels.AVX2:
		return Kernel{l, stepAVX2, countScalar, collectAVX2}
	default:
		return Scalar()
	}
}

// longRun is the average length of runs, in tiles, from which on going down them saves more than beginning them costs.
const longRun = 6

func stepAVX512(dst, src []uint64, at int, awake Set, stride int, mask *Mask, marks Marks, calls Calls) {
	check(dst, src, at, awake, stride, marks)
	tiles, runs := 0, 0
	for _, w := range awake {
		tiles += bits.OnesCount64(w)
		runs += bits.OnesCount64(w &^ (w << 1))
	}
	switch {
	case tiles == 0:
	case tiles >= longRun*runs && calls != (Calls{}):
		callsAVX512(&dst[at*Words], &src[at*Words], &awake[0], len(awake), uintptr(8*Words*stride), &mask[0], &marks[0], uintptr(marks.apart()), &dst[calls.Claim], &src[calls.Fetch])
	case tiles >= longRun*runs:
		runsAVX512(&dst[at*Words], &src[at*Words], &awake[0], len(awake), uintptr(8*Words*stride), &mask[0], &marks[0], uintptr(marks.apart()))
	default:
		tilesAVX512(&dst[at*Words], &src[at*Words], &awake[0], len(awake), uintptr(8*Words*stride), &mask[0], &marks[0], uintptr(marks.apart()))
	}
}

func stepAVX2(dst, src []uint64, at int, awake Set, stride int, mask *Mask, marks Marks, calls Calls) {
	check(dst, src, at, awake, stride, marks)
	if calls != (Calls{}) {
		callsAVX2(&dst[at*Words], &src[at*Words], &awake[0], len(awake), uintptr(8*Words*stride), &mask[0], &marks[0], uintptr(marks.apart()), &dst[calls.Claim], &src[calls.Fetch])
		return
	}
	runsAVX2(&dst[at*Words], &src[at*Words], &awake[0], len(awake), uintptr(8*Words*stride), &mask[0], &marks[0], uintptr(marks.apart()))
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
