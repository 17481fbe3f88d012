package multiplexer

import (
	"testing"

	"clade/gp/kernels/kerneltest"
)

func TestNoLegacySSE(t *testing.T) { kerneltest.NoLegacySSE(t, "kernel_amd64.s", 50) }
