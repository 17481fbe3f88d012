//go:build !amd64

package amoebas

import (
	"clade/gp"
	"clade/gp/kernels"
)

// peekOne and pickOne are for processors with a gp.Solo.
func peekOne(*peek) { panic("amoebas: no kernels") }

func pickOne(kernels.Level, *[numSlots]gp.Quad, options) options { panic("amoebas: no kernels") }
