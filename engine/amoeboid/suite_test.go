package amoeboid_test

import (
	"testing"

	"clade/engine/amoeboid"
	"clade/engine/enginetest"
)

func TestSuite(t *testing.T) { enginetest.Run(t, amoeboid.New()) }
