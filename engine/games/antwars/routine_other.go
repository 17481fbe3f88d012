//go:build !amd64

package antwars

import "clade/gp/kernels"

// routineOf is for processors with kernels.
func routineOf(kernels.Level) *routine { panic("antwars: no kernels for games in lockstep") }
