// Package cluster carries out sweeps and runs on many machines. A coordinator hands workers runs
// and islands of runs; they may join, leave, crash or cheat. A worker keeps nothing that matters,
// may be killed at any time, and never starts a program that a message names. The package decides
// no result: files in the run directories do. Package broker carries its messages.
package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/experiments/cluster/broker"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
)

// lookEvery is the time between two looks at what is missing.
const lookEvery = 2 * time.Second

// Coordinator offers the missing runs of a sweep to workers and writes what they hand back into the
// sweep's directory, which alone says what is done.
type Coordinator struct {
	Broker Broker
	Dir    string
	Grid   *study.Grid
	// Audit is the share of runs, 0 to 1, that are bred again here and compared, besides every
	// worker's first and those that more than one worker has bred. With 0 there are no audits.
	Audit float64
	Log   *slog.Logger
}

// coordinator is a Coordinator at work.
type coordinator struct {
	Coordinator
	sweep string
	cells map[string]*study.Cell
	// carry carries a run out here; in tests another than sweep.Carry
	carry sweep.Carrier
	// fence is called before every change of a directory; its error leaves it as it is
	fence  func() error
	chance func() float64 // in [0, 1), which no worker can foresee

	receiving parallel.Lock // held while a run that came is restored and takes its place
	mu        parallel.Lock
	failed    map[string]string        // why, by key
	origins   map[string]*sweep.Origin // of the runs that workers have bred, by key
	rejected  *sweep.Rejected
	audits    map[string]*study.Cell // that are due
	tries     tries
	over      bool // nobody audits any more, so nothing is taken
}

// ErrFailed is wrapped by the error of a sweep that is over, but for runs that have failed.
var ErrFailed = errors.New("these runs have failed; the next sweep tries them again")

// Coordinate works until every run is done or has failed. If the context ends first, workers
// continue what they have and hand it over to the next coordinator.
func (c Coordinator) Coordinate(ctx context.Context) error {
	return newCoordinator(c).coordinate(ctx)
}

func newCoordinator(c Coordinator) *coordinator {
	at := &coordinator{Coordinator: c, sweep: workID(c.Dir), cells: map[string]*study.Cell{},
		failed: map[string]string{}, tries: tries{}, carry: sweep.Carry,
		fence: func() error { return nil }, chance: rand.Float64, mu: parallel.NewLock(),
		receiving: parallel.NewLock()}
	for i := range c.Grid.Cells {
		at.cells[c.Grid.Cells[i].Key] = &c.Grid.Cells[i]
	}
	return at
}

func (c *coordinator) coordinate(ctx context.Context) (err error) {
	if err := c.remember(); err != nil {
		return err
	}
	defer func() { // questions may be on their way that came before
		c.mu.Lock()
		tidy := c.over
		c.over = true
		c.mu.Unlock()
		c.receiving.Lock()
		defer c.receiving.Unlock()
		if tidy {
			err = errors.Join(err, c.fence(), sweep.Tidy(c.Dir))
		}
	}()
	stop, err := answerResults(c.Broker, c.Log, c.sweep, c.take)
	if err != nil {
		return err
	}
	defer stop()
	working, end := context.WithCancelCause(ctx)
	var auditing sync.WaitGroup
	auditing.Go(func() { end(c.auditAll(working)) })
	defer auditing.Wait()
	defer end(nil)
	workers, err := newRoster(c.Broker, c.sweep, c.Log)
	if err != nil {
		return err
	}
	defer workers.stop()
	for {
		missing, err := c.missing()
		if err != nil {
			return err
		}
		if missing == nil {
			return c.faults()
		}
		for i := range missing {
			if err := offer(working, c.Broker, broker.RunPrefix+workName(c.sweep, missing[i].Key),
				missing[i].Study, nil); err != nil {
				c.Log.Warn(err.Error()) // a server that is away comes back
				break
			}
		}
		c.watch(working, workers)
		if ctx.Err() != nil {
			return fmt.Errorf("%w; workers finish what they have, and the same command takes it",
				evolve.ErrStopped)
		}
		if working.Err() != nil { // an audit could not be carried out
			return context.Cause(working)
		}
	}
}

// missing lists the runs that are neither done nor failed. It returns nil, and the sweep is over,
// if there is none and no audit is due, which could put runs back.
func (c *coordinator) missing() ([]study.Cell, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := study.Grid{} // without what waits for an audit, which is not read at each look
	for _, cell := range c.Grid.Cells {
		if c.failed[cell.Key] == "" && c.audits[cell.Key] == nil {
			open.Cells = append(open.Cells, cell)
		}
	}
	missing, err := sweep.Missing(&open, c.Dir)
	if err != nil {
		return nil, err
	}
	if c.over = len(missing)+len(c.audits) == 0; c.over {
		return nil, nil
	}
	return append([]study.Cell{}, missing...), nil
}

func (c *coordinator) faults() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []error
	for i := range c.Grid.Cells {
		cell := &c.Grid.Cells[i]
		if why := c.failed[cell.Key]; why != "" {
			all = append(all, fmt.Errorf("%s seed %d (%s): %s", cell.Group, cell.Study.Seed,
				cell.Directory(c.Dir), why))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%w:\n%w", ErrFailed, errors.Join(all...))
}

// watch records the workers and their work in the sweep's directory, for people to read, and waits.
func (c *coordinator) watch(ctx context.Context, workers *roster) {
	if all := workers.look(); all != nil {
		if err := sweep.RecordWorkers(c.Dir, all); err != nil {
			c.Log.Warn("the workers are not recorded", "error", err)
		}
	}
	broker.Wait(ctx, lookEvery)
}

// maxTries is how often a run or epoch is tried without getting any further before it is set aside.
const maxTries = 3

// tries counts the tries of runs or epochs, by key, for as long as this process lives.
type tries map[string]*try

// try holds the tries of a run or epoch since it last progressed.
type try struct {
	number, generation int
	host               string // of the worker that is at it; empty for none
	fault              string // of the last that ended
}

// note records the begin or the end of a try. It returns why no other is made, "" if one is.
func (t tries) note(r *result) (aside string) {
	a := t[r.Key]
	if a == nil {
		a = &try{}
		t[r.Key] = a
	}
	switch {
	case r.Back:
		if a.host == r.Host { // or it gives up before it has begun
			a.number, a.host = a.number-1, ""
		}
		return ""
	case r.Error != "":
		if a.host != r.Host { // nobody was here when it began
			a.number++
		}
		a.fault, a.host = fmt.Sprintf("%s, on worker %s", r.Error, r.Host), ""
	default:
		if a.host != "" {
			a.fault = fmt.Sprintf("worker %s was not heard of any more", a.host)
		}
		a.host = r.Host
		if a.number++; r.Generation > a.generation {
			a.number, a.generation = 1, r.Generation
		}
	}
	if a.number < maxTries || a.number == maxTries && a.host != "" {
		return ""
	}
	return fmt.Sprintf("set aside after %d tries that did not get any further; the last: %s",
		maxTries, a.fault)
}

// workID returns the name of a sweep or run, made of host and directory, so that two sweeps of one
// study do not take each other's results.
func workID(dir string) string {
	host, _ := os.Hostname()
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(host+"\x00"+dir)))[:16]
}

// offer queues a run, or an epoch whose object has the sum, unless it is in the queue.
func offer(ctx context.Context, b Broker, subject string, s *study.Study,
	sum []byte) error {
	text, err := s.Text()
	if err != nil {
		return err
	}
	content, err := json.Marshal(&task{Program: version.This().Name(),
		Study: string(text), Name: s.Name, Sum: sum})
	if err != nil {
		return err
	}
	return b.Offer(ctx, subject, content)
}

// answerResults answers the results that workers report of a sweep or run, until the function that
// it returns is called.
func answerResults(b Broker, log *slog.Logger, id string, take func(ctx context.Context,
	worker string, r *result) (answer, error)) (stop func(), err error) {
	subject := broker.ResultPrefix + id
	return b.Answer(subject, func(question []byte) []byte {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var r result
		var a answer
		worker, content, err := broker.Verify(subject, question)
		if err == nil {
			err = json.Unmarshal(content, &r)
		}
		if err == nil {
			a, err = take(ctx, worker, &r)
		}
		if err != nil {
			log.Warn("a result was not taken", "worker", worker, "host", r.Host, "error", err)
			a.Error = err.Error()
		}
		content, _ = json.Marshal(a) // a struct of texts and truths, which never fails
		return content
	})
}

// Spread lets workers breed the islands of one run.
type Spread struct {
	Broker Broker       // Check needs none
	Dir    string       // of the run
	Study  *study.Study // of the run
	// Audit is the share of epochs, 0 to 1, that are bred again here and compared, besides every
	// worker's first. With 0 there are no audits.
	Audit float64
	Log   *slog.Logger

	chance func() float64 // in [0, 1); in tests another than that of math/rand
	id     string         // of the run; in tests another than workID's
}

// Check returns an error if the run cannot be spread.
func (s Spread) Check() error {
	setup, err := runner.Setup(s.Study)
	if err != nil {
		return err
	}
	setup.RemoteIslands = s.share
	return setup.Check()
}

// Into sets the options of a run so that it is spread.
func (s Spread) Into(o *runner.Options) { o.RemoteIslands = s.share }

func (s Spread) share(ctx context.Context, c *evolve.Coordinator) error {
	trust, err := s.newTrust()
	if err != nil {
		return err
	}
	own := *s.Study // in the hash, founders' contents stand for their names
	own.Evolve.Founders.Species, own.Sweep = c.Setup().Config.Founders.Species, nil
	at := &islands{Broker: s.Broker, id: cmp.Or(s.id, workID(s.Dir)), study: &own,
		trust: trust, log: s.Log, coordinator: c}
	return errors.Join(at.share(ctx), trust.settle())
}
