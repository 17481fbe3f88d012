package amoebas

import (
	"unsafe"

	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg amoebas

// glancer returns the kernel of a level.
func glancer(level kernels.Level) func(*glance) {
	if level == kernels.AVX512 {
		return func(g *glance) { glanceAVX512((*uint64)(unsafe.Pointer(g))) }
	}
	return glanceAt
}
