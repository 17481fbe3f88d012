//go:build !amd64

package antwars

import (
	"clade/gp"
	"clade/gp/kernels"
)

// routineOf is never called: there are no kernels.
func routineOf(kernels.Level) *routine { panic("antwars: no kernels for games in lockstep") }

// rating returns how a level tells what each move of an ant with foresight is worth.
func rating(level kernels.Level) func(h *hidden, keep *[cells]float32) {
	return func(h *hidden, keep *[cells]float32) { h.rate(keep, totalsOf(level)) }
}

// totalsOf returns the totals of a level.
func totalsOf(kernels.Level) totals { return (*hidden).totals }

// fade multiplies belief.keep of some cells by a factor.
func (m *memory) fade(set gp.Bits, by float32) { m.belief.fade(set, by) }
