package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"clade/engine/system/durable"
	"clade/engine/system/parallel"
)

// A lease gives a directory to one worker at a time, on one machine or on many that share a file
// system. It is not a lock of the operating system: a worker that was wrongly believed dead finds
// out before it writes.
//
// It is a file in the folder .lease of the directory, named by a number that only rises: the
// fencing token (Kleppmann, "How to do distributed locking", 2016). The highest number holds the
// directory. A worker takes it by link(2) to the next number, in which one of many rivals succeeds,
// also on NFS. While it works it touches its file. Others look whether the modification time
// changes, and never compare it with a clock. The file of a released lease is empty.

// LeaseFolder is the name of the folder with the leases in a directory.
const LeaseFolder = ".lease"

// LeaseTTL is how long a worker of another machine waits for a sign of life of the holder before it
// takes the directory. A holder that cannot show itself for two thirds of it stops by itself.
const LeaseTTL = 30 * time.Second

var (
	// ErrHeld is wrapped by the error of TakeLease while another worker holds the directory.
	ErrHeld = errors.New("held by another worker")
	// ErrLost is wrapped by the error of Check, and the cause of the context's end, when another
	// worker holds the directory now.
	ErrLost = errors.New("another worker has taken the run")
)

// leaseOwner is the process that holds a lease.
type leaseOwner struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
	Boot string `json:"boot"` // identifies the running kernel; empty where it cannot be known
}

func (o leaseOwner) String() string { return fmt.Sprintf("process %d on %s", o.PID, o.Host) }

// self describes this process.
func self() leaseOwner {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil
	}
	return leaseOwner{host, os.Getpid(), string(bytes.TrimSpace(boot))}
}

// Lease is a directory held.
type Lease struct {
	number uint64 // the fencing token
	folder string
	lock   io.Closer       // of the file; shows processes of this machine that the holder lives
	lost   context.Context // ends when the lease is lost, with why
	lose   func(why error)
	end    func() // the signs of life, and the context of TakeLease
}

// leaseState is that of a directory when it was inspected.
type leaseState struct {
	Held bool // a lease is there that was not released; its holder may be dead
	// Dead says that it is held and its holder, a process of this machine, is known to be dead.
	Dead   bool
	Owner  leaseOwner // of a lease that is held
	number uint64
	signs  time.Time // changes while the holder lives
}

// InspectLease returns who holds a directory. It changes nothing.
func InspectLease(dir string) (leaseState, error) {
	return inspectLease(filepath.Join(dir, LeaseFolder))
}

func inspectLease(folder string) (leaseState, error) {
	n, err := highest(folder)
	if err != nil || n == 0 {
		return leaseState{}, err
	}
	f, err := os.Open(filepath.Join(folder, fileName(n)))
	if errors.Is(err, fs.ErrNotExist) {
		// between two looks a higher number was claimed, and this one swept away
		return inspectLease(folder)
	}
	if err != nil {
		return leaseState{}, err
	}
	defer f.Close()
	info, err := f.Stat() // of the open file, because NFS may answer for a name from an old answer
	if err != nil {
		return leaseState{}, err
	}
	content, err := io.ReadAll(f)
	if err != nil {
		return leaseState{}, err
	}
	s := leaseState{Held: len(content) > 0, number: n, signs: info.ModTime()}
	if s.Held && json.Unmarshal(content, &s.Owner) != nil {
		return leaseState{}, fmt.Errorf("%s is damaged; make sure that no worker is on the run, "+
			"then delete the file", f.Name())
	}
	if me := self(); s.Held && me.Boot != "" && s.Owner.Boot == me.Boot {
		// a holder has its file locked until it dies, and on one machine such locks can be trusted
		s.Dead = !durable.Locked(f.Name())
	}
	return s, nil
}

// TakeLease takes a directory, which need not exist yet. While another worker holds it and shows a
// sign of life within the patience, the error wraps ErrHeld. Without a sign the directory is taken
// over. Patience is LeaseTTL, or less in tests. The context that is returned ends with the cause
// ErrLost when the lease is lost.
func TakeLease(ctx context.Context, dir string, patience time.Duration) (context.Context, *Lease,
	error) {
	folder := filepath.Join(dir, LeaseFolder)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, err
	}
	seen, err := inspectLease(folder)
	if err != nil {
		return nil, nil, err
	}
	if err := outlive(ctx, folder, seen, patience); err != nil {
		return nil, nil, err
	}
	l, err := claim(folder, seen.number+1)
	if err != nil {
		return nil, nil, err
	}
	lost, lose := context.WithCancelCause(context.Background())
	held, drop := context.WithCancelCause(ctx)
	l.lost, l.lose = lost, func(why error) { lose(why); drop(context.Cause(lost)) }
	stop := l.beat(patience)
	l.end = func() { stop(); drop(nil) }
	return held, l, nil
}

// outlive returns nil if the holder that was seen is gone, or gives no sign of life for the
// patience.
func outlive(ctx context.Context, folder string, seen leaseState, patience time.Duration) error {
	if !seen.Held || seen.Dead {
		return nil
	}
	held := fmt.Errorf("%w, %s: %s", ErrHeld, seen.Owner, filepath.Dir(folder))
	if seen.Owner.Boot == self().Boot && seen.Owner.Boot != "" {
		return held
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(patience / 12):
		}
		now, err := inspectLease(folder)
		if err != nil {
			return err
		}
		if now.number != seen.number || now.Held && !now.signs.Equal(seen.signs) {
			return held
		}
		if !now.Held {
			return nil
		}
	}
	return nil
}

// claim makes the lease of a number, or returns an error if a rival was faster.
func claim(folder string, number uint64) (*Lease, error) {
	f, err := os.CreateTemp(folder, "new-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	err = errors.Join(json.NewEncoder(f).Encode(self()), f.Close())
	if err != nil {
		return nil, err
	}
	lock, err := durable.Lock(f.Name())
	if err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), filepath.Join(folder, fileName(number))); err != nil {
		lock.Close()
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%w: %s", ErrHeld, filepath.Dir(folder))
		}
		return nil, err
	}
	l := &Lease{number: number, folder: folder, lock: lock}
	if err := l.look(); err != nil { // the number was free because it is of the past
		os.Remove(l.path())
		lock.Close()
		return nil, fmt.Errorf("%w: %s", ErrHeld, filepath.Dir(folder))
	}
	for n := number - 1; n > 0; n-- { // old numbers say nothing any more
		if os.Remove(filepath.Join(folder, fileName(n))) != nil {
			break
		}
	}
	return l, nil
}

// beat shows signs of life until the function that it returns is called, or the lease is lost.
func (l *Lease) beat(patience time.Duration) (stop func()) {
	shown := time.Now()
	return parallel.Repeat(patience/6, func() {
		if l.lost.Err() != nil {
			return
		}
		err := l.look()
		if err == nil {
			// Only that the time changes matters, so a clock that jumps back does no harm.
			err = os.Chtimes(l.path(), time.Time{}, time.Now())
		}
		if err == nil {
			shown = time.Now()
		} else if errors.Is(err, ErrLost) || time.Since(shown) > patience*2/3 {
			l.fail(err)
		}
	})
}

func (l *Lease) path() string { return filepath.Join(l.folder, fileName(l.number)) }

// look returns an error if the lease is no longer the highest.
func (l *Lease) look() error {
	n, err := highest(l.folder)
	if err != nil {
		return err
	}
	if n != l.number {
		return fmt.Errorf("%w: %s, lease %d after lease %d", ErrLost, filepath.Dir(l.folder),
			n, l.number)
	}
	return nil
}

func (l *Lease) fail(err error) {
	if !errors.Is(err, ErrLost) {
		err = fmt.Errorf("%w, or may have: no sign of life could be shown: %w", ErrLost, err)
	}
	l.lose(err)
}

// Check returns nil as long as the directory is held, and for ever after an error that wraps
// ErrLost. Call it before every write.
func (l *Lease) Check() error {
	if err := l.look(); err != nil {
		l.fail(err) // it stays lost for the reason of the first time
	}
	return context.Cause(l.lost)
}

// Release frees the directory. A lease that was lost stays lost.
func (l *Lease) Release() error {
	l.end()
	defer l.lock.Close()
	if l.Check() != nil {
		return nil
	}
	if err := os.Truncate(l.path(), 0); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // another has just taken the directory
}

// Leave writes the number into another directory, as that of a released lease, so that the
// directory can take this one's place and numbers go on rising.
func (l *Lease) Leave(dir string) error {
	folder := filepath.Join(dir, LeaseFolder)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, fileName(l.number)), nil, 0o666)
}

// highest returns the highest number of a folder, 0 without one. It reads the folder, because NFS
// may answer a question for a single name from an old answer.
func highest(folder string) (uint64, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	top := uint64(0)
	for _, e := range entries {
		if n, err := strconv.ParseUint(e.Name(), 10, 64); err == nil {
			top = max(top, n)
		}
	}
	return top, nil
}

func fileName(n uint64) string { return fmt.Sprintf("%012d", n) }
