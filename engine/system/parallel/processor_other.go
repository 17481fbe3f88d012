//go:build !unix

package parallel

import "time"

var processStart = time.Now()

// ProcessorTime returns the time since the start, on systems that do not report processor time as
// Unix does.
func ProcessorTime() time.Duration { return time.Since(processStart) }
