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

// runSolo2 is runSolo by AVX2.
//
//go:noescape
func runSolo2(m *machine)

// soloRunner returns the kernel of a level for a Solo, nil for none.
func soloRunner(level kernels.Level) func(*machine) {
	switch level {
	case kernels.AVX512:
		return runSolo
	case kernels.AVX2:
		return runSolo2
	default:
		return nil
	}
}

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

// Views by AVX-512 and AVX2; see Views.Look and Views.Enter.
//
//go:noescape
func lookAVX512(v *views, layers, set uint64)

//go:noescape
func lookAVX2(v *views, layers, set uint64)

//go:noescape
func enterAVX512(v *views, lanes *LanePlanes, layers, n uint64)

//go:noescape
func enterAVX2(v *views, lanes *LanePlanes, layers, n uint64)

// greatestTurns is BestTurns.Find by AVX2.
//
//go:noescape
func greatestTurns(values *LaneFloats, n uint64, best *BestTurns)

// spreadAVX2 is spread by AVX2, and floodAVX2 without goals.
//
//go:noescape
func spreadAVX2(reached, free, goals *Cells) (steps int)

//go:noescape
func floodAVX2(reached, free *Cells)

// viewersOf returns the kernels of a level that has any.
func viewersOf(level kernels.Level) viewKernels {
	if level == kernels.AVX512 {
		return viewKernels{lookAVX512, enterAVX512}
	}
	return viewKernels{lookAVX2, enterAVX2}
}
