//go:build !amd64

package antwars

import "clade/gp/kernels"

// routineOf is for processors with kernels.
func routineOf(kernels.Level) *routine { panic("antwars: no kernels for games in lockstep") }

// summing returns how a level sums up what hidden food is worth.
func summing(kernels.Level) func(h *hidden, ends int) { return (*hidden).sums }
