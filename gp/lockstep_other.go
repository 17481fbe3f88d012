//go:build !amd64

package gp

import "clade/gp/kernels"

// runner returns the kernel of a level.
func runner(kernels.Level) func(*machine) { return runPlain }
