//go:build !unix

package enginetest

import "time"

// ProcessorTime is not known here: it is 0.
func ProcessorTime() time.Duration { return 0 }
