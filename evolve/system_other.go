//go:build !unix

package evolve

import "os"

// lockExclusively does nothing where the operating system has no flock.
func lockExclusively(*os.File) error { return nil }

// syncDirectory does nothing where a directory cannot be synced.
func syncDirectory(string) error { return nil }
