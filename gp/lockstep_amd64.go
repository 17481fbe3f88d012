package gp

import "clade/gp/kernels"

//go:generate go run -C gen . -out ../lockstep_amd64.s -pkg gp

// runAVX512 runs the program of a Batch, on processors with AVX-512.
//
//go:noescape
func runAVX512(m *machine)

// runAVX2 runs the program of a Batch, on processors with AVX2.
//
//go:noescape
func runAVX2(m *machine)

// runSolo runs the program of a Solo, on processors with AVX-512.
//
//go:noescape
func runSolo(m *machine)

// runner returns the kernel of a level, nil for none.
func runner(level kernels.Level) func(*machine) {
	switch level {
	case kernels.AVX512:
		return runAVX512
	case kernels.AVX2:
		return runAVX2
	default:
		return nil
	}
}
