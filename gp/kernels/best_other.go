//go:build !amd64

package kernels

func best() Level { return Scalar }
