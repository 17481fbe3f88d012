package gp

// Natives returns how many codes have machine code.
func Natives() int64 { return natives.Load() }
