package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"clade/evolve/rundir"
	"clade/experiments/cluster/lease"
	"clade/experiments/runner"
	"clade/experiments/study"
)

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
func (b Breed) audit(ctx context.Context, c *study.Cell, sweep string, l *lease.Lease,
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
