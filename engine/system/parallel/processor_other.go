//go:build !unix

package parallel

import "time"

var processStart = time.Now()

// ProcessorTime returns the time since the start, where the system does not tell processor time as
// Unix does.
func ProcessorTime() time.Duration { return time.Since(processStart) }
