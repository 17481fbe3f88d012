//go:build unix

package lease

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, also by the death of the process.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// isFree tells whether nobody has the file locked.
func isFree(f *os.File) bool {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil {
		return false
	}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing it unlocks it too
	return true
}
