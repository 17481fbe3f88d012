package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/evolve/rundir"
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
func Place(l *Lease, c *study.Cell, from, to string, fence func() error) error {
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
func swap(l *Lease, from, to string, fence func() error) error {
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
func Empty(l *Lease, to, by string, fence func() error) error {
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

// Pack puts the finished runs of a sweep into one file of its directory, and removes their folders.
// Readers find them there as before; see package packed. Runs that a worker holds, or that are
// still to be compared, stay as they are. It returns how many it has packed.
func Pack(g *study.Grid, dir string) (int, error) {
	var keys []string
	for i := range g.Cells {
		c := &g.Cells[i]
		at := c.Directory(dir)
		if _, err := os.Lstat(at); err != nil {
			continue // it is packed, or waits
		}
		if sum, err := done(c, at); err != nil {
			return 0, err
		} else if sum == nil {
			continue
		}
		if origin, err := Unaudited(at); err != nil {
			return 0, err
		} else if origin != nil {
			continue
		}
		if holder, err := InspectLease(at); err != nil {
			return 0, err
		} else if !holder.Held || holder.Dead {
			keys = append(keys, c.Key)
		}
	}
	if len(keys) == 0 {
		return 0, nil
	}
	skip := func(name string) bool { return strings.HasPrefix(name, ".") }
	if err := packed.Write(dir, keys, skip); err != nil {
		return 0, fmt.Errorf("cannot pack %s: %w", dir, err)
	}
	if err := durable.SyncDir(dir); err != nil {
		return 0, err
	}
	for _, key := range keys { // from here on a crash leaves some both packed and not
		if err := os.RemoveAll(filepath.Join(dir, key)); err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}

// shutOutFile lists the workers whose work is not accepted any more, a line each. It lies in the
// directory of a sweep, or of a run that workers share.
const shutOutFile = "shut-out.jsonl"

// ShutOut is a worker whose result was bred again and differs.
type ShutOut struct {
	Worker  string `json:"worker"`
	Host    string `json:"host,omitempty"` // as the worker said
	Run     string `json:"run"`            // key of the run, or the study of one that is shared
	Differs string `json:"differs"`        // in what
	// Joint says that several workers had a part in the run. Each of them is shut out of shared
	// runs only, since all but one may be honest.
	Joint bool `json:"joint,omitempty"`
}

func (s *ShutOut) String() string {
	worker := s.Worker
	if s.Host != "" {
		worker += " on " + s.Host
	}
	if s.Joint {
		return fmt.Sprintf("shut out of shared runs: worker %s: run %s, which it shared, "+
			"was bred again here and differs in %s", worker, s.Run, s.Differs)
	}
	return fmt.Sprintf("shut out: worker %s: its run %s was bred again here and differs in %s",
		worker, s.Run, s.Differs)
}

// ShutOuts lists the workers that were shut out of runs, or of their sweeps, each once.
func ShutOuts(runs []string) (all []ShutOut, err error) {
	var dirs []string
	for _, run := range runs {
		dirs = append(dirs, run, filepath.Dir(filepath.Clean(run)))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		some, err := ReadShutOut(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// ReadShutOut lists the workers that were shut out of a sweep or a run.
func ReadShutOut(dir string) ([]ShutOut, error) {
	all := []ShutOut{}
	_, err := durable.EachLine(filepath.Join(dir, shutOutFile), func(s *ShutOut) bool {
		all = append(all, *s)
		return true
	})
	return all, err
}

// RecordShutOut adds a worker to the list, which is on the disk when it returns.
func RecordShutOut(dir string, s ShutOut) error {
	path := filepath.Join(dir, shutOutFile)
	before, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(append(before, line...), '\n'), 0o666)
}

// differences names a difference of two runs of one cell, "" for none. It does not compare times,
// places and figures.
func differences(a, b *runner.Summary) (string, error) {
	if a.Fingerprint != b.Fingerprint {
		return fmt.Sprintf("fingerprint: it has %s, and bred again %s", b.Fingerprint, a.Fingerprint), nil
	}
	if !reflect.DeepEqual(a.Final, b.Final) || !reflect.DeepEqual(a.League, b.League) ||
		a.Games != b.Games || a.Generations != b.Generations {
		return "summary", nil
	}
	for _, name := range []string{rundir.DoneFile, runner.MeasureFile, runner.ChampionFile} {
		one, err := os.ReadFile(filepath.Join(a.Dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // not every run has all of them
			return "", err
		}
		other, err := os.ReadFile(filepath.Join(b.Dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if !bytes.Equal(one, other) {
			return name, nil
		}
	}
	return "", nil
}

// audit breeds again a run that a worker has handed in, in a directory that is held, and puts the
// result in its place. If the two differ the result of this machine counts.
func (b Breed) audit(ctx context.Context, c *study.Cell, sweep string, l *Lease,
	origin *Origin, their *runner.Summary, o runner.Options,
	fence func() error) (*runner.Summary, error) {
	dir := c.Directory(sweep)
	warn := func(format string, args ...any) {
		if o.Warn != nil {
			o.Warn(fmt.Sprintf(format, args...))
		}
	}
	warn("%s has handed this run in, and nobody has compared it; it is bred again here", origin)
	own, err := b.Carry(ctx, c, filepath.Join(sweep, AuditFolder), o)
	if err != nil {
		return nil, err
	}
	differs, err := differences(own, their)
	if err != nil {
		return nil, err
	}
	if differs == "" {
		origin.Audit = AuditSame
		err = errors.Join(o.Fence(), origin.Write(own.Dir))
	} else {
		warn("what %s has handed in differs in %s; this machine is believed", origin, differs)
		var known *Rejected
		known, err = ReadRejected(sweep)
		if err = errors.Join(err, removeAll(filepath.Join(own.Dir, OriginFile), o.Fence)); err == nil {
			for _, s := range known.shutOuts(origin, c.Key, differs) {
				err = errors.Join(err, o.Fence(), RecordShutOut(sweep, s))
			}
		}
	}
	if err == nil {
		err = Place(l, c, own.Dir, dir, fence)
	}
	if err != nil {
		return nil, err
	}
	_ = os.Remove(filepath.Join(sweep, AuditFolder)) // unless another is in it
	return runner.ReadSummary(dir)
}
