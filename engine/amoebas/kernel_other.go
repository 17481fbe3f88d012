//go:build !amd64

package amoebas

import "clade/gp/kernels"

// lookouts returns the kernels of a level.
func lookouts(kernels.Level) lookout { return lookout{glanceAt, preferred} }
