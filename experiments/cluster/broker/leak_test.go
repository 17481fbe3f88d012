package broker

import (
	"testing"

	"clade/experiments/cluster/clustertest"
)

func TestMain(m *testing.M) { clustertest.NoLeaks(m) }
