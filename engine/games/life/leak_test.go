package life

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails the suite when a goroutine outlives it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
