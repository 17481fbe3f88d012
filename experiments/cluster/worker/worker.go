// Package worker carries out the work that the coordinators of package cluster offer. It keeps
// nothing that matters, may be killed at any time, and never starts a program that a message names.
package worker

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Worker carries out runs of any sweep that coordinators offer, and breeds islands of runs that are
// spread, until its context ends. It keeps nothing that matters: it hands over its work every
// minute, when it steps down and when a run is over.
type Worker struct {
	Broker protocol.Broker
	Scope  player.Scope // what studies that come over the network may name
	// Scratch is a directory for the runs under way. A worker that comes back goes on with what it
	// finds there.
	Scratch string
	Workers int           // runs or islands at a time; 0 means one a processor
	Idle    time.Duration // ends the worker when nothing was offered for so long; 0 means never
	Silence time.Duration // of the queue; 0 means broker.Silence
	Log     *slog.Logger

	// The fields below are set by tests that must repeat, and found here otherwise. Key signs what
	// the worker says; nil makes one. Name is for people; empty means host, process and the name of
	// the key. Processors are those of the machine; 0 means what Go may use. Carry carries a run
	// out; nil means sweep.Carry.
	Key        ed25519.PrivateKey
	Name       string
	Processors int
	Carry      sweep.Carrier
	// UnderWay is updated with the worker's work; nil makes one.
	UnderWay *UnderWay
}

// worker is a Worker at work.
type worker struct {
	Worker
	id string // the name of the key
}

var (
	// errShutOut says that nothing of this worker is taken any more.
	errShutOut = errors.New("this worker was shut out: its work was bred again and differs, " +
		"so its machine or its program works differently")
	// errMachine says that this machine cannot carry anything out.
	errMachine = errors.New("this machine lacks disk space or file handles, and leaves work to others")
	// errAnew says that a run must be begun from nothing.
	errAnew = errors.New("this run begins anew")
	// errUnheard says that nobody has answered.
	errUnheard = errors.New("no coordinator answers")
)

// processors returns how many goroutines breed one run or epoch.
func (w *worker) processors() int { return max(1, w.Processors/w.Workers) }

// read returns the study of a task.
func (w *worker) read(t *protocol.Task) (*study.Study, error) {
	s, err := study.Parse(w.Scope, t.Name+".toml", []byte(t.Study))
	if err != nil {
		err = fmt.Errorf("this program does not understand the study %s: %w", t.Name, err)
	}
	return s, err
}

// hold does a piece of work, and meanwhile calls beat regularly, which shows a sign of life. If
// beat finds that another worker has taken the work, the context of do ends, and the error is
// lease.ErrLost.
func (w *worker) hold(ctx context.Context, name string, beat func() error,
	do func(context.Context) error) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	end := parallel.Repeat(w.Silence/4, func() {
		if errors.Is(context.Cause(working), lease.ErrLost) {
			return
		}
		switch err := beat(); {
		case errors.Is(err, lease.ErrLost):
			stop(err)
		case err != nil:
			w.Log.Warn("cannot show a sign of life; the work goes on", "work", name, "error", err)
		}
	})
	err := do(working)
	end()
	if lost := context.Cause(working); err != nil && errors.Is(lost, lease.ErrLost) {
		return lost
	}
	return err
}

// blame marks an error as the work's own fault, unless it is the machine's, or the work has ended
// for another reason.
func blame(ctx context.Context, err error) error {
	for _, other := range []error{lease.ErrLost, lease.ErrHeld, evolve.ErrStopped} {
		if errors.Is(err, other) {
			return err
		}
	}
	if err = ofMachine(err); errors.Is(err, errMachine) {
		return err
	}
	if ctx.Err() != nil {
		return errors.Join(evolve.ErrStopped, err)
	}
	return fault{err}
}

// fault is an error that is the work's own: it counts as a try.
type fault struct{ error }

// report brings a result to the coordinator of a sweep or run. It returns whether the coordinator
// has stored it, or does not want it any more; an error if it refuses it, or does not answer.
func (w *worker) report(ctx context.Context, id string, r *protocol.Result) (stored bool,
	err error) {
	content, _ := json.Marshal(r) // of texts, numbers and bytes, which never fails
	ctx, cancel := context.WithTimeout(ctx, broker.Patience)
	defer cancel()
	subject := broker.ResultPrefix + id
	content, err = w.Broker.Ask(ctx, subject, broker.Sign(w.Key, subject, content))
	var a protocol.Answer
	if err == nil {
		err = json.Unmarshal(content, &a)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("%w: %w", errUnheard, err)
	case a.ShutOut:
		err = errShutOut
	case a.Anew:
		err = fmt.Errorf("%w: %s", errAnew, a.Error)
	case a.Error != "":
		err = errors.New(a.Error)
	}
	return a.Stored && err == nil, err
}

// put puts what was bred into the store, and returns its SHA-256.
func (w *worker) put(ctx context.Context, name string, content []byte) ([]byte, error) {
	if err := w.Broker.Put(ctx, name, w.id, content); err != nil {
		return nil, fmt.Errorf("cannot hand %s over: %w", name, err)
	}
	sum := sha256.Sum256(content)
	return sum[:], nil
}

// deliver reports a result until the coordinator says that it has stored it. If no coordinator
// answers for a while, the result stays in the store.
func (w *worker) deliver(ctx context.Context, task broker.Task, id string,
	r *protocol.Result) error {
	for attempt := 0; ; {
		_ = task.InProgress()
		stored, err := w.report(ctx, id, r)
		switch {
		case stored:
			w.Log.Info("done", "work", r.Key)
			return nil
		case errors.Is(err, errShutOut), errors.Is(err, errAnew):
			return err
		case err != nil:
			attempt++
		}
		if ctx.Err() != nil || attempt > 5 {
			return fmt.Errorf("the coordinator has not taken %s: %w", r.Key,
				errors.Join(err, ctx.Err()))
		}
		broker.Wait(ctx, min(broker.Backoff(max(0, attempt-1)), w.Silence/3))
	}
}
