//go:build !amd64

package gp

import "clade/gp/kernels"

// runSolo is for processors that NewSolo refuses.
func runSolo(*machine) { panic("gp: no kernel for a solo") }

// runner returns the kernel of a level, nil for none.
func runner(kernels.Level) func(*machine) { return nil }

func viewersOf(kernels.Level) viewKernels { return viewKernels{} }

func greatestTurns(*LaneFloats, uint64, *BestTurns) { panic("gp: no kernels") }

func spreadAVX2(_, _, _ *Cells) int { panic("gp: no kernels") }

func floodAVX2(_, _ *Cells) { panic("gp: no kernels") }
