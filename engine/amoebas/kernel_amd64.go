package amoebas

import "clade/gp/kernels"

// glancer returns the kernel of a level.
func glancer(kernels.Level) func(*glance) { return glanceAt }
