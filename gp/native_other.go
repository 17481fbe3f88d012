//go:build !(linux && amd64)

package gp

// native is no machine code.
type native struct{}

func newNative(*Code, []byte, []uintptr) *native { return nil }

func (*native) run(*Code, []Ask, int, int, *Frame, []float32) { panic("gp: no machine code") }

func (*native) choose(*Code, int, int, *Frame, []float32) int { panic("gp: no machine code") }
