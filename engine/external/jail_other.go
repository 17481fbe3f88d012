//go:build !linux && !windows

package external

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// jail is what holds a process: here its process group alone.
type jail struct{ pid int }

// start starts a command.
func (j *jail) start(c *exec.Cmd, _ processLimits, _ bool, say func(string, ...any)) error {
	say("programs have no limits on this system, and may use the network: only Linux has what it " +
		"takes")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err := c.Start()
	if err == nil {
		j.pid = c.Process.Pid
	}
	return err
}

// refused tells whether less may be granted.
func refused(error) bool { return false }

// kill kills the process and its group.
func (j *jail) kill() {
	if j.pid > 1 {
		_ = syscall.Kill(-j.pid, syscall.SIGKILL) // may be gone already
	}
}

func (j *jail) remove() {}

// unread is not known.
func unread(*os.File) int { return 0 }

// nap waits a moment for a process.
func nap(int) { time.Sleep(time.Millisecond) }
