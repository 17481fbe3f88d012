package amoebas

import (
	"unsafe"

	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg amoebas

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
