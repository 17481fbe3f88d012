//go:build unix

package enginetest

import (
	"syscall"
	"time"
)

// ProcessorTime returns the time that this process has spent computing, 0 where the system does not
// tell: on a machine with other work, the time on the wall says little.
func ProcessorTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
