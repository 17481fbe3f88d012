//go:build !amd64

package antwars

import "clade/gp/kernels"

// routineOf returns the routine of a level.
func routineOf(kernels.Level) *routine { return &routine{look, recall, enter, choose, march} }
