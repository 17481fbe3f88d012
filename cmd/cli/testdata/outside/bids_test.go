package main

import (
	"testing"

	"clade/engine/enginetest"
)

func TestSuite(t *testing.T) { enginetest.Run(t, newBids()) }
