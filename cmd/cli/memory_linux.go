package cli

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// A program of Go has some 2 GB of address space with next to nothing in use; with less than
// leastSpace it may die at any time in a way that no program can put into words.
const leastSpace = 3 << 30

// memoryLimits returns the limits on the memory of this process, and lets the garbage collector
// work harder where it comes near to one.
func memoryLimits() (all []memoryLimit, err error) {
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && space.Cur < math.MaxInt64 {
		if space.Cur < leastSpace {
			return nil, fmt.Errorf("this shell's limit on address space is %d MB (ulimit -v), and "+
				"clade needs %d MB; raise it, or limit memory by a cgroup, as Slurm's --mem does",
				space.Cur>>20, leastSpace>>20)
		}
		all = append(all, memoryLimit{"address space (ulimit -v)", int64(space.Cur),
			func() int64 { return statm(0) }})
	}
	if limit := cgroupLimit(); limit < math.MaxInt64 {
		all = append(all, memoryLimit{"memory (of its cgroup)", limit,
			func() int64 { return statm(1) }})
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		for _, l := range all {
			room := l.bytes - l.used() - reserve
			debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), max(room, l.bytes/8)))
		}
	}
	return all, nil
}

// statm returns a number of /proc/self/statm in bytes: 0 is address space, 1 is resident memory.
func statm(field int) int64 {
	content, err := os.ReadFile("/proc/self/statm")
	if words := bytes.Fields(content); err == nil && len(words) > field {
		pages, _ := strconv.ParseInt(string(words[field]), 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}

// cgroupLimit returns the least limit of the cgroups that this process is in, of version 1 or 2.
func cgroupLimit() int64 {
	least := int64(math.MaxInt64)
	content, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(content)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if parts[1] != "" {
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		if parts[1] != "" && parts[1] != "memory" {
			continue
		}
		for path := parts[2]; ; path = filepath.Dir(path) { // each above holds, too
			text, err := os.ReadFile(filepath.Join(root, path, file))
			if n, parse := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil &&
				parse == nil && n < 1<<60 { // more is none
				least = min(least, n)
			}
			if path == "/" || path == "." {
				break
			}
		}
	}
	return least
}
