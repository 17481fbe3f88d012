package sweep

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/experiments/cluster/lease"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Folders in a sweep's directory.
const (
	Incoming    = ".incoming" // what comes over the network, before it takes its place
	AuditFolder = ".audit"    // what is bred again
)

// replaced is the suffix of what a run has replaced.
const replaced = ".replaced"

// Place moves a run that is complete from another folder of the sweep into its place, which must be
// held: a command that looks there finds what was there before, or nothing, or the run. Files that
// are not part of a run are removed first, or readers could take them for something of their own.
// fence is called before every change; its error leaves everything as it is.
func Place(l *lease.Lease, c *study.Cell, from, to string, fence func() error) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		n, staged := e.Name(), len(c.Study.Stages) > 0
		if n == OriginFile || runner.Writes(n) || staged && (n == StudyFile || n == stageFolder) {
			continue
		}
		if err := removeAll(filepath.Join(from, e.Name()), fence); err != nil {
			return err
		}
	}
	return swap(l, from, to, fence)
}

// swap moves a folder into the place of another.
func swap(l *lease.Lease, from, to string, fence func() error) error {
	if err := fence(); err != nil {
		return err
	}
	if err := l.Leave(from); err != nil { // so that numbers of leases keep rising
		return err
	}
	before := from + replaced
	if err := errors.Join(removeAll(before, fence), l.Check()); err != nil {
		return err
	}
	for _, move := range [][2]string{{to, before}, {from, to}} {
		if err := fence(); err != nil {
			return err
		}
		if err := os.Rename(move[0], move[1]); err != nil {
			return err
		}
	}
	if err := errors.Join(durable.SyncDir(filepath.Dir(to)),
		durable.SyncDir(filepath.Dir(from))); err != nil {
		return err
	}
	return removeAll(before, fence)
}

// Empty removes everything from the place of a run, which must be held, in one step, by way of a
// folder of the sweep.
func Empty(l *lease.Lease, to, by string, fence func() error) error {
	if err := removeAll(by, fence); err != nil {
		return err
	}
	if err := fence(); err != nil {
		return err
	}
	if err := os.MkdirAll(by, 0o777); err != nil {
		return err
	}
	return swap(l, by, to, fence)
}

// Tidy removes what dead processes have left in the folders of a sweep that is over.
func Tidy(sweep string) error {
	return errors.Join(os.RemoveAll(filepath.Join(sweep, Incoming)),
		os.RemoveAll(filepath.Join(sweep, AuditFolder)),
		os.RemoveAll(filepath.Join(sweep, workersFile)))
}

// removeAll removes a path that need not exist.
func removeAll(path string, fence func() error) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := fence(); err != nil {
		return err
	}
	return os.RemoveAll(path)
}
