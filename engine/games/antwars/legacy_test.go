package antwars

import (
	"testing"

	"clade/gp/kernels/kerneltest"
)

func TestNoLegacySSE(t *testing.T) { kerneltest.NoLegacySSE(t, "routine_amd64.s", 2000) }
