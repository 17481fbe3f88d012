package multiplexer

import "clade/gp/kernels"

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg multiplexer

// kernelOf returns what carries out programs at a level.
func kernelOf(level kernels.Level) func(code []instruction, tables []table) {
	switch level {
	case kernels.AVX512:
		return runWith(runAVX512)
	case kernels.AVX2:
		return runWith(runAVX2)
	default:
		return runPlain
	}
}

// runWith hands a program of one instruction or more, and registers enough for it, to assembly, which checks nothing.
func runWith(asm func(code *uint16, n int, tables *uint64)) func(code []instruction, tables []table) {
	return func(code []instruction, tables []table) {
		_ = tables[int(firstTemp)+len(code)-1]
		asm((*uint16)(&code[0].op), len(code), &tables[0][0])
	}
}
