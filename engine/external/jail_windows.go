package external

import (
	"os"
	"os/exec"
	"time"
)

// jail is what holds a process: here the process alone.
type jail struct{ c *exec.Cmd }

// start starts a command.
func (j *jail) start(c *exec.Cmd, _ processLimits, _ bool, say func(string, ...any)) error {
	say("programs have no limits on this system, may use the network, and what they start may " +
		"outlive them: only Linux has what it takes")
	j.c = c
	return c.Start()
}

// refused tells whether less may be granted.
func refused(error) bool { return false }

// kill kills the process.
func (j *jail) kill() {
	if j.c != nil && j.c.Process != nil {
		_ = j.c.Process.Kill() // may be gone already
	}
}

func (j *jail) remove() {}

// unread is not known.
func unread(*os.File) int { return 0 }

// nap waits a moment for a process.
func nap(int) { time.Sleep(time.Millisecond) }
