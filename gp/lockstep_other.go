//go:build !amd64

package gp

import "clade/gp/kernels"

// runner and soloRunner return the kernels of a level, nil for none.
func runner(kernels.Level) func(*machine)     { return nil }
func soloRunner(kernels.Level) func(*machine) { return nil }

func viewersOf(kernels.Level) viewKernels { return viewKernels{} }

func greatestTurns(*LaneFloats, uint64, *BestTurns) { panic("gp: no kernels") }

func spreadAVX2(_, _, _ *Cells) int { panic("gp: no kernels") }

func floodAVX2(_, _ *Cells) { panic("gp: no kernels") }
