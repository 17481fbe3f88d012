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
func stepWith(asm func(dst, src *uint64, n int, stride uintptr, mask *uint64, rows, west, east *uint8)) func(dst, src []uint64, at, n, stride int, mask *Mask, marks Marks) {
	return func(dst, src []uint64, at, n, stride int, mask *Mask, marks Marks) {
		_, _ = src[(at-1-stride)*Words], src[(at+n+1+stride)*Words-1]
		_, _, _, _ = dst[at*Words:(at+n)*Words], marks.Rows[at:at+n], marks.West[at:at+n], marks.East[at:at+n]
		asm(&dst[at*Words], &src[at*Words], n, uintptr(stride)*Words*8, &mask[0], &marks.Rows[at], &marks.West[at], &marks.East[at])
	}
}
