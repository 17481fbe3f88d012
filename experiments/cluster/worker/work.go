package worker

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/spread"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/sweep"
	"clade/experiments/version"
)

// Work takes runs and epochs, and carries them out. It returns nil when its context ends or it was
// idle for too long. If its machine cannot work, for example for a full disk, it returns an error.
func (w Worker) Work(ctx context.Context) error {
	if w.Key == nil {
		_, w.Key, _ = ed25519.GenerateKey(nil) // from crypto/rand, which never fails
	}
	if w.Carry == nil {
		w.Carry = sweep.Carry
	}
	at := newWorker(w)
	defer at.announce()()
	at.Log.Info("ready for work", "worker", at.Name, "runs at a time", at.Workers)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var group sync.WaitGroup
	for range at.Workers {
		group.Go(func() { at.loop(ctx, end) })
	}
	group.Wait()
	if c := context.Cause(ctx); errors.Is(c, errShutOut) || errors.Is(c, errMachine) {
		return c
	}
	return nil
}

// announce regularly publishes what the worker does, until the function that it returns is called.
// It is for people to read, so errors do not matter.
func (w *worker) announce() (end func()) {
	since := time.Now().Round(time.Second)
	say := func() {
		content, err := json.Marshal(sweep.Worker{Worker: w.Name, State: sweep.WorkerHere,
			Since: since, Work: w.UnderWay.list()})
		if err == nil {
			_ = w.Broker.Announce(w.id, content)
		}
	}
	say()
	stop := parallel.Repeat(w.Silence/6, say)
	return func() {
		stop()
		_ = w.Broker.Announce(w.id, nil)
	}
}

func newWorker(w Worker) *worker {
	at := &worker{Worker: w, id: broker.NameOf(w.Key.Public().(ed25519.PublicKey))}
	if at.UnderWay == nil {
		at.UnderWay = &UnderWay{}
	}
	if at.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		at.Name = fmt.Sprintf("%s/%d/%s", host, os.Getpid(), at.id)
	}
	if at.Processors == 0 {
		at.Processors = runtime.GOMAXPROCS(0)
	}
	if at.Workers <= 0 {
		at.Workers = at.Processors
	}
	if at.Silence == 0 {
		at.Silence = broker.Silence
	}
	return at
}

// loop carries out one run or epoch after the other.
func (w *worker) loop(ctx context.Context, end context.CancelCauseFunc) {
	busy, failures := time.Now(), 0
	for ctx.Err() == nil {
		task, err := w.Broker.Next(ctx)
		if err == nil {
			switch err := w.settle(ctx, task); {
			case errors.Is(err, errShutOut), errors.Is(err, errMachine):
				end(err)
			case err != nil && !errors.Is(context.Cause(ctx), broker.ErrOver):
				w.Log.Warn("work goes back", "subject", task.Subject(), "error", err)
			}
			busy, failures = time.Now(), 0
			continue
		}
		if w.Idle > 0 && time.Since(busy) > w.Idle {
			return
		}
		if !errors.Is(err, broker.ErrNone) && ctx.Err() == nil {
			w.Log.Debug("no task", "error", err)
			broker.Wait(ctx, broker.Backoff(failures))
			failures++
		}
	}
}

// settle carries out a task and reports the outcome to queue and coordinator.
func (w *worker) settle(ctx context.Context, task broker.Task) error {
	do := w.carry
	name, run := strings.CutPrefix(task.Subject(), broker.RunPrefix)
	if !run {
		do, name = w.breedEpoch, strings.TrimPrefix(name, broker.EpochPrefix)
	}
	id, key, _ := strings.Cut(name, ".") // words without dots, which lead nowhere as names of folders
	var t protocol.Task
	if err := json.Unmarshal(task.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("a damaged task: %w", err), task.Term())
	}
	var err error
	if mine := version.This().Name(); t.Program != mine {
		err = fmt.Errorf("it is for version %s, and this is %s: use the same version of the program "+
			"as the coordinator", t.Program, mine)
	} else {
		err = do(ctx, task, &t, id, key)
	}
	if err == nil || ctx.Err() == nil { // or it is kept, for Lost
		w.UnderWay.end(name)
	}
	last := context.WithoutCancel(ctx)
	switch {
	case err == nil:
		return task.DoubleAck(last)
	case errors.Is(err, lease.ErrLost), errors.Is(err, lease.ErrHeld):
		return err // it is in other hands; the queue knows
	case errors.Is(context.Cause(ctx), broker.ErrOver):
		return err // nobody waits for it
	}
	r := protocol.Result{Key: key, Host: w.Name, Back: true}
	if own := (fault{}); errors.As(err, &own) {
		r.Back, r.Error = false, own.Error()
	}
	stored, _ := w.report(last, id, &r)
	switch {
	case stored: // nobody tries it again
		return errors.Join(err, task.DoubleAck(last))
	case errors.Is(err, evolve.ErrStopped):
		w.Log.Info("stepped down", "subject", task.Subject())
		return task.NakWithDelay(0)
	case errors.Is(err, errMachine):
		return errors.Join(err, task.NakWithDelay(0))
	default:
		return errors.Join(err, task.NakWithDelay(min(4*w.Silence,
			5*time.Second<<min(max(0, task.Deliveries()-1), 5))))
	}
}

// ofMachine marks an error that other work would also meet on this machine: a worker that went on
// would fail at every run of a sweep.
func ofMachine(err error) error {
	for _, no := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE,
		syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, no) {
			return fmt.Errorf("%w: %w", errMachine, err)
		}
	}
	return err
}

// breedEpoch breeds one epoch. It returns nil only after the run's machine has stored the result,
// or does not want it any more. While that machine is away nothing is bred for it.
func (w *worker) breedEpoch(ctx context.Context, task broker.Task, t *protocol.Task,
	run, key string) error {
	r := protocol.Result{Key: key, Host: w.Name}
	if stored, err := w.report(ctx, run, &r); stored || err != nil {
		return err
	}
	name := protocol.WorkName(run, key)
	w.UnderWay.change(name, func(p *piece) { p.study, p.epoch = t.Name, true })
	w.Log.Info("took an epoch", "epoch", key, "study", t.Name, "try", task.Deliveries())
	sealed, err := protocol.Fetch(ctx, w.Broker, name, t.Sum)
	if err != nil {
		return err
	}
	if sealed, err = w.epoch(ctx, task, t, sealed); err != nil {
		return blame(ctx, err)
	}
	if r.Sum, err = w.put(ctx, name+"."+w.id, sealed); err != nil {
		return err
	}
	return w.deliver(ctx, task, run, &r)
}

// epoch breeds an epoch and returns the sealed result.
func (w *worker) epoch(ctx context.Context, task broker.Task, t *protocol.Task,
	sealed []byte) ([]byte, error) {
	s, err := w.read(t)
	if err != nil {
		return nil, err
	}
	setup, err := runner.Setup(s)
	if err != nil {
		return nil, err
	}
	setup.Workers = w.processors()
	epoch, err := spread.OpenEpoch(&setup, sealed)
	if err != nil {
		return nil, err
	}
	err = w.hold(ctx, task.Subject(), task.InProgress, func(ctx context.Context) error {
		bred, err := epoch.Breed(ctx, &setup)
		if err == nil {
			sealed, err = bred.Seal(&setup)
		}
		return err
	})
	return sealed, err
}

// UnderWay is the work of a worker, for callers that cannot wait for its end. It is safe for
// concurrent use. The zero value holds no work.
type UnderWay struct {
	mu   sync.Mutex
	work map[string]*piece // by name
}

// piece is a run or an epoch under way.
type piece struct {
	sweep.WorkerTask // its key is the name
	study            string
	epoch            bool
	handed           int // generations from which others can continue
}

// change changes a piece of work, which it adds if it is new.
func (u *UnderWay) change(name string, change func(p *piece)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.work[name]
	if p == nil {
		p = &piece{WorkerTask: sweep.WorkerTask{Key: name, Since: time.Now().Round(time.Second)}}
		if u.work == nil {
			u.work = map[string]*piece{}
		}
		u.work[name] = p
	}
	change(p)
}

func (u *UnderWay) end(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.work, name)
}

// list returns what is under way, in the order of the names.
func (u *UnderWay) list() []sweep.WorkerTask {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := []sweep.WorkerTask{}
	for _, name := range slices.Sorted(maps.Keys(u.work)) {
		all = append(all, u.work[name].WorkerTask)
	}
	return all
}

// Lost describes the work that would be bred again if the worker ended now; empty for none.
func (u *UnderWay) Lost() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(u.work)) {
		_, key, _ := strings.Cut(name, ".")
		switch p := u.work[name]; {
		case p.epoch:
			all = append(all, fmt.Sprintf("epoch %s of %s", key, p.study))
		case p.Generation > p.handed:
			all = append(all, fmt.Sprintf("run %s of %s from generation %d to %d", key, p.study,
				p.handed, p.Generation))
		}
	}
	return strings.Join(all, ", ")
}
