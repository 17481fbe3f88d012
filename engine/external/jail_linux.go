package external

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// jail confines a process by its process group, limits, namespaces where the system grants them,
// and a control group where one can be made.
type jail struct {
	pid    int
	closed bool     // in namespaces: all that it starts dies with it
	groups []string // folders of control groups
}

// start starts a command in a jail. closed asks for new namespaces: of users, so that the others
// need no rights; of processes, so that the kernel kills everything that it started when it dies;
// of the network, which is empty; of shared memory.
//
// Tracing stops the process before its first instruction, until the limits are set. Where tracing
// is forbidden the limits are set a moment after its start.
func (j *jail) start(c *exec.Cmd, limits processLimits, closed bool,
	say func(string, ...any)) error {
	// In its own session it has no terminal to write to or to type into. It is killed if we die in
	// any way.
	attr := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL, Ptrace: true}
	if closed {
		attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
			syscall.CLONE_NEWIPC
		// root within would have rights over its namespaces
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getgid(), Size: 1}}
	}
	j.closed, c.SysProcAttr = closed, attr
	runtime.LockOSThread() // tracing is a thread's
	defer runtime.UnlockOSThread()
	if err := c.Start(); err != nil {
		return err
	}
	j.pid = c.Process.Pid
	err := untilStopped(j.pid)
	if err == nil {
		err = j.limit(limits)
	}
	if err == nil {
		j.group(limits, say)
		err = unix.PtraceDetach(j.pid)
	}
	if err != nil {
		j.kill()
		_ = c.Wait() // killed
		j.remove()
		return fmt.Errorf("limits of the process: %w", err)
	}
	return nil
}

// nobody is the number of every user within.
const nobody = 65534

// refused tells whether a process could not be started because it asked for namespaces.
func refused(err error) bool {
	for _, e := range []error{unix.EPERM, unix.ENOSPC, unix.EUSERS, unix.EINVAL, unix.EACCES,
		unix.ENOSYS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// untilStopped waits until a traced process stops before its first instruction.
func untilStopped(pid int) error {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case status.Stopped():
			return nil
		default:
			return fmt.Errorf("it ended before it began (status %d)", status)
		}
	}
}

// limit sets the limits of the process.
func (j *jail) limit(l processLimits) error {
	resources := map[int]uint64{unix.RLIMIT_DATA: l.Memory, unix.RLIMIT_FSIZE: l.File,
		unix.RLIMIT_NOFILE: l.Files, unix.RLIMIT_CPU: l.Seconds, unix.RLIMIT_CORE: 0}
	if j.countsProcesses() {
		resources[unix.RLIMIT_NPROC] = l.Processes
	}
	for resource, most := range resources {
		var had unix.Rlimit
		if err := unix.Prlimit(j.pid, resource, nil, &had); err != nil {
			return err
		}
		most = min(most, had.Max) // a lower one of the user's stays
		if err := unix.Prlimit(j.pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
			return err
		}
	}
	return nil
}

// countsProcesses tells whether the limit of processes counts those in the jail. Root is exempt
// from it, outside of a namespace it counts all that the user runs, and so did Linux before 5.14.
func (j *jail) countsProcesses() bool {
	var name unix.Utsname
	if !j.closed || os.Getuid() == 0 || unix.Uname(&name) != nil {
		return false
	}
	var major, minor int
	_, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 14)
}

// groups numbers the control groups of this process.
var groups atomic.Uint64

// group puts a process into a control group of its own for all that it will start, where one can be
// made. Only root is exempt from the limit of processes, and usually only root can make groups.
func (j *jail) group(l processLimits, say func(string, ...any)) {
	bounded := j.countsProcesses()
	name := fmt.Sprintf("clade-%d-%d", os.Getpid(), groups.Add(1))
	for controller, files := range map[string]map[string]uint64{
		"pids":   {"pids.max": l.Processes},
		"memory": {"memory.max": l.Memory, "memory.limit_in_bytes": l.Memory},
	} {
		folder := controlGroup(controller)
		if folder == "" {
			continue
		}
		folder = filepath.Join(folder, name)
		known := slices.Contains(j.groups, folder)
		if !known && os.Mkdir(folder, 0o755) != nil {
			continue
		}
		set := false
		for file, most := range files {
			path := filepath.Join(folder, file)
			if _, err := os.Stat(path); err == nil {
				set = os.WriteFile(path, []byte(strconv.FormatUint(most, 10)), 0) == nil || set
			}
		}
		err := os.WriteFile(filepath.Join(folder, "cgroup.procs"), []byte(strconv.Itoa(j.pid)), 0)
		bounded = bounded || set && err == nil && controller == "pids"
		if !known {
			j.groups = append(j.groups, folder)
		}
	}
	if !bounded {
		say("the number of processes that a program starts is not limited here: that takes " +
			"namespaces and a user other than root, or control groups that can be written")
	}
}

// controlGroup returns the folder of our own control group that has a controller, "" if there is
// none: of version 1 by controller, of version 2 the one group.
func controlGroup(controller string) string {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	unified := ""
	for entry := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(entry), ":", 3)
		switch {
		case len(parts) != 3:
		case parts[1] == controller:
			return existing(filepath.Join("/sys/fs/cgroup", controller, parts[2]))
		case parts[0] == "0":
			unified = filepath.Join("/sys/fs/cgroup", parts[2])
		}
	}
	return existing(unified)
}

func existing(folder string) string {
	if _, err := os.Stat(filepath.Join(folder, "cgroup.procs")); folder == "" || err != nil {
		return ""
	}
	return folder
}

// kill kills the process and all that it started, as far as it can be found: what left its process
// group is found in namespaces and control groups.
func (j *jail) kill() {
	if j.pid <= 1 {
		return // never started
	}
	_ = syscall.Kill(-j.pid, syscall.SIGKILL) // may be gone already
	j.empty()
}

// empty kills what is in the control groups.
func (j *jail) empty() {
	for _, g := range j.groups {
		text, _ := os.ReadFile(filepath.Join(g, "cgroup.procs"))
		for word := range strings.FieldsSeq(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil && pid > 1 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// remove removes the control groups. A group can go when its last process has.
func (j *jail) remove() {
	for _, g := range j.groups {
		for range 100 {
			if err := unix.Rmdir(g); !errors.Is(err, unix.EBUSY) {
				break
			}
			j.empty()
			time.Sleep(time.Millisecond)
		}
	}
	j.groups = nil
}

// unread returns how many bytes are in a pipe of which f is one end, 0 if nobody can read them.
func unread(f *os.File) (bytes int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0 // it is closed
	}
	_ = raw.Control(func(fd uintptr) {
		ends := []unix.PollFd{{Fd: int32(fd)}}
		if n, err := unix.Poll(ends, 0); err == nil && n > 0 && ends[0].Revents&unix.POLLERR != 0 {
			return
		}
		bytes, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ)
	})
	return bytes
}

// nap waits a moment for a process, longer with each try. Most read on in some microseconds, while
// time.Sleep may take a millisecond. Giving the processor away instead of sleeping was slower where
// all processors are in use.
func nap(try int) {
	pause := unix.NsecToTimespec(int64(10*time.Microsecond) << min(try, 7))
	_ = unix.Nanosleep(&pause, nil) // a signal may end it
}
