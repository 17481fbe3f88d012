//go:build !amd64

package amoebas

import "clade/gp"

// peekOne and pickOne are for processors with a gp.Solo.
func peekOne(*peek) { panic("amoebas: no kernels") }

func pickOne(*[numSlots]gp.Quad, options) options { panic("amoebas: no kernels") }
