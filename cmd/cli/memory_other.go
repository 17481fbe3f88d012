//go:build !linux

package cli

// memoryLimits returns no limits: nothing tells them here.
func memoryLimits() ([]memoryLimit, error) { return nil, nil }
