package amoeboid_test

import (
	"testing"

	"clade/engine/enginetest"
	"clade/engine/games/amoeboid"
	"clade/gp/proof"
)

func TestSuite(t *testing.T) {
	proof.Long(t)
	enginetest.Run(t, amoeboid.New())
}
