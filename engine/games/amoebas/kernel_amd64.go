package amoebas

import (
	"unsafe"

	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg amoebas

// peekOne draws what an amoeba sees, with AVX-512.
func peekOne(p *peek) { peekAVX512((*uint64)(unsafe.Pointer(p))) }

// pickOne returns the best of what an amoeba may do, by the kernel of a level that has one.
func pickOne(level kernels.Level, utilities *[numSlots]gp.Quad, may options) options {
	words := (*uint64)(unsafe.Pointer(utilities))
	if level == kernels.AVX2 {
		return options(pickAVX2(words, uint32(may)))
	}
	return options(pickAVX512(words, uint32(may)))
}
