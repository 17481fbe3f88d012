package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// origin says in a run's directory which worker has bred it: origin.json.
type origin struct {
	Worker string `json:"worker"`
	Host   string `json:"host"` // as the worker says
	// Joint says that the worker went on with what others had begun, of which Before are those that
	// have left their word.
	Joint  bool       `json:"joint,omitempty"`
	Before []string   `json:"before,omitempty"`
	Audit  auditState `json:"audit,omitempty"` // empty where the run is not bred again
}

// auditState is how far the audit of a run is.
type auditState string

const (
	auditDue  auditState = "due"
	auditSame auditState = "same" // it was bred again, to the same bytes
)

const (
	originFile = "origin.json"
	// auditFolder holds in a sweep's directory what is bred again.
	auditFolder = ".audit"
)

func (o origin) write(dir string) error {
	content, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, originFile), append(content, '\n'), 0o666)
}

// remember reads what is known of the workers of this sweep.
func (c *coordinator) remember() error {
	c.origins, c.shutOut, c.apart = map[string]origin{}, map[string]bool{}, map[string]bool{}
	c.audits = map[string]*study.Cell{}
	shutOut, err := sweep.ReadShutOut(c.Dir)
	if err != nil {
		return err
	}
	for i := range shutOut {
		c.note(&shutOut[i])
	}
	for key, cell := range c.cells {
		dir := cell.Directory(c.Dir)
		content, err := os.ReadFile(filepath.Join(dir, originFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var o origin
		if err == nil {
			err = json.Unmarshal(content, &o)
		}
		if err != nil {
			return fmt.Errorf("%s: %w; remove the run, and it is bred again",
				filepath.Join(dir, originFile), err)
		}
		sum, err := runner.ReadSummary(dir)
		if err != nil {
			return err
		}
		switch {
		case sum == nil: // it was about to be placed, and comes again
		case c.refused(o) && o.Audit != auditSame:
			err = c.putBack(cell) // a crash came between
		default:
			c.origins[key] = o
			if o.Audit == auditDue && c.Audit > 0 {
				c.audits[key] = cell
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// due decides whether a run is bred again.
func (c *coordinator) due(by origin) auditState {
	if c.Audit == 0 {
		return ""
	}
	for _, o := range c.origins {
		if o.Worker == by.Worker && !o.Joint && !by.Joint {
			if c.chance() < c.Audit {
				return auditDue
			}
			return ""
		}
	}
	return auditDue
}

// auditAll breeds again what is due, until the context ends.
func (c *coordinator) auditAll(ctx context.Context) error {
	for ctx.Err() == nil {
		c.mu.Lock()
		keys := slices.Sorted(maps.Keys(c.audits))
		c.mu.Unlock()
		if len(keys) == 0 {
			broker.Wait(ctx, lookEvery/2)
			continue
		}
		if err := c.audit(ctx, c.cells[keys[0]]); err != nil {
			return err
		}
	}
	return nil
}

// audit breeds a run again and compares. Where they differ this machine is believed.
func (c *coordinator) audit(ctx context.Context, cell *study.Cell) error {
	again := filepath.Join(c.Dir, auditFolder)
	own, err := c.carry(ctx, cell, again, runner.Options{Fence: c.fence, Warn: func(s string) {
		c.Log.Warn(s, "audit", cell.Key)
	}})
	if err != nil {
		return fmt.Errorf("cannot breed run %s again, to compare: %w", cell.Key, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer delete(c.audits, cell.Key)
	from, to := cell.Directory(again), cell.Directory(c.Dir)
	o := c.origins[cell.Key]
	their, err := runner.ReadSummary(to)
	if err != nil {
		return err
	}
	if their == nil {
		return nil // its worker was shut out meanwhile
	}
	if err := c.fence(); err != nil {
		return err
	}
	differs, err := differ(own, their, from, to)
	if err != nil {
		return err
	}
	if differs == "" {
		c.Log.Info("a run was bred again, to the same bytes", "run", cell.Key, "worker", o.Worker)
		o.Audit = auditSame
		c.origins[cell.Key] = o
		if err := o.write(from); err != nil {
			return err
		}
	} else {
		c.Log.Error("a run was bred again and differs; this machine is believed", "run", cell.Key,
			"worker", o.Worker, "host", o.Host, "in", differs)
		if err := c.shut(cell, o, differs); err != nil {
			return err
		}
		delete(c.origins, cell.Key)
	}
	// What was bred here takes the place of what came, of which not all was compared. Should this
	// be cut short, nothing half moved is taken for a run.
	moving := filepath.Join(c.Dir, incoming, cell.Key)
	if err := errors.Join(os.RemoveAll(moving),
		os.MkdirAll(filepath.Dir(moving), 0o777)); err != nil {
		return err
	}
	if err := c.fence(); err != nil {
		return err
	}
	if err := os.Rename(from, moving); err != nil {
		return err
	}
	if err := c.place(ctx, moving, to); err != nil {
		return err
	}
	return os.RemoveAll(moving)
}

// differ tells in what two runs of one cell differ; nothing if they do not. What says how long
// something took, or where, is not compared, and neither are figures.
func differ(a, b *runner.Summary, dirA, dirB string) (string, error) {
	if a.Fingerprint != b.Fingerprint {
		return fmt.Sprintf("fingerprint: it has %s, and bred again %s", b.Fingerprint,
			a.Fingerprint), nil
	}
	if !reflect.DeepEqual(a.Final, b.Final) || a.Games != b.Games ||
		a.Generations != b.Generations {
		return "summary", nil
	}
	for _, name := range []string{rundir.DoneFile, runner.MeasureFile, runner.ChampionFile} {
		one, err := os.ReadFile(filepath.Join(dirA, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // not every run has all of them
			return "", err
		}
		other, err := os.ReadFile(filepath.Join(dirB, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if !bytes.Equal(one, other) {
			return name, nil
		}
	}
	return "", nil
}

// shut shuts the worker of a run that differs out and puts its results back into the queue, but for
// those that were bred again to the same bytes. Of several that had a part in the run nobody can
// tell which of them lied: from then on each of them works alone, and the next lie has one author.
func (c *coordinator) shut(cell *study.Cell, o origin, differs string) error {
	for _, worker := range append([]string{o.Worker}, o.Before...) {
		s := sweep.ShutOut{Worker: worker, Run: cell.Key, Differs: differs, Joint: o.Joint}
		if worker == o.Worker {
			s.Host = o.Host
		}
		if c.shutOut[worker] || o.Joint && c.apart[worker] {
			continue
		}
		if err := sweep.RecordShutOut(c.Dir, s); err != nil {
			return err
		}
		c.note(&s)
	}
	for key, o := range c.origins {
		if c.refused(o) && o.Audit != auditSame {
			if err := c.putBack(c.cells[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *coordinator) note(s *sweep.ShutOut) {
	if s.Joint {
		c.apart[s.Worker] = true
	} else {
		c.shutOut[s.Worker] = true
	}
}

// refused tells whether nothing is taken of who has bred a run, or not of those who have together.
func (c *coordinator) refused(o origin) bool {
	return c.shutOut[o.Worker] || o.Joint && slices.ContainsFunc(append(o.Before, o.Worker),
		func(w string) bool { return c.apart[w] || c.shutOut[w] })
}

// putBack removes what came of a run, which is then missing.
func (c *coordinator) putBack(cell *study.Cell) error {
	delete(c.origins, cell.Key)
	delete(c.audits, cell.Key)
	return c.empty(cell.Directory(c.Dir))
}
