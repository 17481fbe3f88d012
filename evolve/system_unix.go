//go:build unix

package evolve

import (
	"os"
	"syscall"
)

// lockExclusively locks a file until it is closed, also by the death of the process, or fails at
// once.
func lockExclusively(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// syncDirectory waits until the names in a directory have reached the disk.
func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
