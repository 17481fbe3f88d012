//go:build light

package external

import (
	"errors"

	"clade/engine"
)

// WASM returns an error: a program built with the tag light runs no WebAssembly.
func (s *Supervisor) WASM(string) (engine.Player, error) {
	return nil, errors.New("this clade was built with the tag light, without WebAssembly; " +
		"go install ./cmd/clade builds it whole")
}
