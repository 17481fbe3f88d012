//go:build !linux

package cli

// memoryLimits returns no limits: they are known on Linux only.
func memoryLimits() ([]memoryLimit, error) { return nil, nil }
