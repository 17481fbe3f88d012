//go:build unix

package parallel

import (
	"syscall"
	"time"
)

// ProcessorTime returns the time that this process has spent computing, of user and system: on a
// machine with other work, the time on the wall says little.
func ProcessorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("parallel: the system does not tell the processor time: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
