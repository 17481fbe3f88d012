//go:build unix

package parallel

import (
	"syscall"
	"time"
)

// ProcessorTime returns the user and system time of this process. Unlike wall-clock time it hardly
// depends on other work on the machine.
func ProcessorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("parallel: the system does not tell the processor time: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
