//go:build !amd64

package multiplexer

import "clade/gp/kernels"

// kernelOf returns what carries out programs at a level.
func kernelOf(kernels.Level) func(code []instruction, tables []table) { return runPlain }
