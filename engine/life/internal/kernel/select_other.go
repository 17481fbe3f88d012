//go:build !amd64

package kernel

// Available returns the kernels that this processor runs, slowest first.
func Available() []Kernel { return []Kernel{Scalar()} }
