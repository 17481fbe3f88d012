//go:build !amd64

package kernel

import "clade/gp/kernels"

// Of returns the kernel of a level that this processor runs.
func Of(kernels.Level) Kernel { return scalar() }
