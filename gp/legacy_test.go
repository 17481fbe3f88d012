package gp_test

import (
	"testing"

	"clade/gp/kernels/kerneltest"
)

func TestNoLegacySSE(t *testing.T) {
	kerneltest.NoLegacySSE(t, "lockstep_amd64.s", 3500)
	kerneltest.NoLegacySSE(t, "native_linux_amd64.s", 1)
}
