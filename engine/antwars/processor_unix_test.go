//go:build unix

package antwars

import (
	"syscall"
	"time"
)

// processorTime returns the time that this process has spent computing.
func processorTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
