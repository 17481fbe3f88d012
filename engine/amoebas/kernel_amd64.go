package amoebas

import (
	"unsafe"

	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg amoebas

// peekOne draws what one amoeba sees, and pickOne returns what is best for it, as preferred does, of the actions that it may do. They are
// kernels for AVX-512.
func peekOne(p *peek) { peekAVX512((*uint64)(unsafe.Pointer(p))) }

func pickOne(utilities *[numSlots]gp.Quad, may options) options {
	return options(pickAVX512((*uint64)(unsafe.Pointer(utilities)), uint32(may)))
}

// lookouts returns the kernels of a level.
func lookouts(level kernels.Level) lookout {
	if level != kernels.AVX512 {
		return lookout{glanceAt, preferred}
	}
	return lookout{
		func(g *glance) { glanceAVX512((*uint64)(unsafe.Pointer(g))) },
		func(g *glance, utilities *[slotMemory]gp.LaneFloats) {
			preferAVX512((*uint64)(unsafe.Pointer(g)), (*uint64)(unsafe.Pointer(utilities)))
		},
	}
}
