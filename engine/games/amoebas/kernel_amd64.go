package amoebas

import (
	"unsafe"

	"clade/gp"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg amoebas

// peekOne draws what an amoeba sees, and pickOne returns the best of what it may do. They are for
// processors with AVX-512.
func peekOne(p *peek) { peekAVX512((*uint64)(unsafe.Pointer(p))) }

func pickOne(utilities *[numSlots]gp.Quad, may options) options {
	return options(pickAVX512((*uint64)(unsafe.Pointer(utilities)), uint32(may)))
}
