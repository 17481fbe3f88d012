package amoeboid_test

import (
	"testing"

	"clade/engine/enginetest"
	"clade/engine/games/amoeboid"
)

func TestSuite(t *testing.T) { enginetest.Run(t, amoeboid.New()) }
