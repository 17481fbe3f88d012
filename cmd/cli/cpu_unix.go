//go:build unix

package cli

import (
	"syscall"
	"time"
)

// processorSeconds returns the processor time of this process so far, of user and system.
func processorSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("clade: the system does not tell the processor time: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
