//go:build !unix

package antwars

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
