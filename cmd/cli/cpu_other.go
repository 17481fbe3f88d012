//go:build !unix

package cli

import "time"

var processStart = time.Now()

// processorSeconds returns the time since the start, where the system does not tell processor time
// as Unix does.
func processorSeconds() float64 { return time.Since(processStart).Seconds() }
