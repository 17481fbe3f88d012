package kernel

import "golang.org/x/sys/cpu"

// Available returns the kernels that this processor runs, slowest first.
func Available() []Kernel {
	all := []Kernel{Scalar()}
	if cpu.X86.HasAVX2 {
		all = append(all, Kernel{"avx2", stepWith(stepAVX2)})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		all = append(all, Kernel{"avx512", stepWith(stepAVX512)})
	}
	return all
}

// stepWith checks what assembly cannot: that all it touches is there.
func stepWith(asm func(dst, src *uint64, runs *int32, count int, stride uintptr, mask *uint64, rows, west, east *uint8)) func(dst, src []uint64, runs []Run, stride int, mask *Mask, marks Marks) {
	return func(dst, src []uint64, runs []Run, stride int, mask *Mask, marks Marks) {
		tiles := min(len(dst), len(src)) / Words
		for _, r := range runs {
			if at, n := int(r.At), int(r.N); n < 1 || at-1-stride < 0 || at+n+1+stride > tiles || at+n > len(marks.East) {
				panic("life: a run of tiles lies off the board")
			}
		}
		if len(runs) > 0 {
			asm(&dst[0], &src[0], &runs[0].At, len(runs), uintptr(stride)*Words*8, &mask[0], &marks.Rows[0], &marks.West[0], &marks.East[0])
		}
	}
}
