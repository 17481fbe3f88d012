// Package life plays Life, King of the Hill: Conway's Life with two colours, where each side may wake some cells in every generation and
// more live cells at the end win. It draws no figures and breeds nothing.
package life

import "os"

// kernelVariable names the environment variable that overrides the choice of a kernel: scalar, avx2 or avx512. It changes speed only.
const kernelVariable = "CLADE_KERNELS"

// kernelFromEnvironment returns the kernel that the environment demands.
func kernelFromEnvironment() (string, bool) { return os.LookupEnv(kernelVariable) }
