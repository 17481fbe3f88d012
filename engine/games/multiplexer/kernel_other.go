//go:build !amd64

package multiplexer

import (
	"clade/gp"
	"clade/gp/kernels"
)

// kernelOf returns the function that runs programs at a level.
func kernelOf(kernels.Level) func(t gp.Tree, r *registers) *table { return runPlain }
