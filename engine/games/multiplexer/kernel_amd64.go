package multiplexer

import (
	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg multiplexer

// kernelOf returns the function that runs programs at a level.
func kernelOf(level kernels.Level) func(t gp.Tree, r *registers) *table {
	switch level {
	case kernels.AVX512:
		return runAVX512
	case kernels.AVX2:
		return runAVX2
	default:
		return runPlain
	}
}

// The kernels check nothing: the tree must fit the grammar, and there must be as many slots as it
// has nodes.

func runAVX512(t gp.Tree, r *registers) *table {
	_ = r.tables[firstSlot+len(t)-1]
	kernelAVX512((*uint8)(&t[len(t)-1].Op), len(t), &r.tables[0][0], &rules[0].b.mask)
	return &r.tables[firstSlot]
}

func runAVX2(t gp.Tree, r *registers) *table {
	_ = r.tables[firstSlot+len(t)-1]
	kernelAVX2((*uint8)(&t[len(t)-1].Op), len(t), &r.tables[0][0], &rules[0].b.mask)
	return &r.tables[firstSlot]
}
