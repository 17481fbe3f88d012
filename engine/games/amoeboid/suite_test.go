package amoeboid_test

import (
	"testing"

	"clade/engine/enginetest"
	"clade/engine/games/amoeboid"
	"clade/gp/proof"
)

func TestSuite(t *testing.T) {
	proof.Slow(t)
	enginetest.Run(t, amoeboid.New())
}
