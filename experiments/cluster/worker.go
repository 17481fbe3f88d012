package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
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
	"clade/experiments/cluster/broker"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
)

// Worker carries out runs of any sweep that coordinators offer, and breeds islands of runs that are
// spread, until its context ends. It keeps nothing that matters: it hands over its work every
// minute, when it steps down and when a run is over.
type Worker struct {
	Broker Broker
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
func (w *worker) read(t *task) (*study.Study, error) {
	s, err := study.Parse(w.Scope, t.Name+".toml", []byte(t.Study))
	if err != nil {
		err = fmt.Errorf("this program does not understand the study %s: %w", t.Name, err)
	}
	return s, err
}

// hold does a piece of work, and meanwhile calls beat regularly, which shows a sign of life. If
// beat finds that another worker has taken the work, the context of do ends, and the error is
// sweep.ErrLost.
func (w *worker) hold(ctx context.Context, name string, beat func() error,
	do func(context.Context) error) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	end := parallel.Repeat(w.Silence/4, func() {
		if errors.Is(context.Cause(working), sweep.ErrLost) {
			return
		}
		switch err := beat(); {
		case errors.Is(err, sweep.ErrLost):
			stop(err)
		case err != nil:
			w.Log.Warn("cannot show a sign of life; the work goes on", "work", name, "error", err)
		}
	})
	err := do(working)
	end()
	if lost := context.Cause(working); err != nil && errors.Is(lost, sweep.ErrLost) {
		return lost
	}
	return err
}

// blame marks an error as the work's own fault, unless it is the machine's, or the work has ended
// for another reason.
func blame(ctx context.Context, err error) error {
	for _, other := range []error{sweep.ErrLost, sweep.ErrHeld, evolve.ErrStopped} {
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
func (w *worker) report(ctx context.Context, id string, r *result) (stored bool,
	err error) {
	content, _ := json.Marshal(r) // of texts, numbers and bytes, which never fails
	ctx, cancel := context.WithTimeout(ctx, broker.Patience)
	defer cancel()
	subject := broker.ResultPrefix + id
	content, err = w.Broker.Ask(ctx, subject, broker.Sign(w.Key, subject, content))
	var a answer
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
	r *result) error {
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
func (w *worker) settle(ctx context.Context, given broker.Task) error {
	do := w.carry
	name, run := strings.CutPrefix(given.Subject(), broker.RunPrefix)
	if !run {
		do, name = w.breedEpoch, strings.TrimPrefix(name, broker.EpochPrefix)
	}
	id, key, _ := strings.Cut(name, ".") // words without dots, which lead nowhere as names of folders
	var t task
	if err := json.Unmarshal(given.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("a damaged task: %w", err), given.Term())
	}
	var err error
	if mine := version.This().Name(); t.Program != mine {
		err = fmt.Errorf("it is for version %s, and this is %s: use the same version of the program "+
			"as the coordinator", t.Program, mine)
	} else {
		err = do(ctx, given, &t, id, key)
	}
	if err == nil || ctx.Err() == nil { // or it is kept, for Lost
		w.UnderWay.end(name)
	}
	last := context.WithoutCancel(ctx)
	switch {
	case err == nil:
		return given.DoubleAck(last)
	case errors.Is(err, sweep.ErrLost), errors.Is(err, sweep.ErrHeld):
		return err // it is in other hands; the queue knows
	case errors.Is(context.Cause(ctx), broker.ErrOver):
		return err // nobody waits for it
	}
	r := result{Key: key, Host: w.Name, Back: true}
	if own := (fault{}); errors.As(err, &own) {
		r.Back, r.Error = false, own.Error()
	}
	stored, _ := w.report(last, id, &r)
	switch {
	case stored: // nobody tries it again
		return errors.Join(err, given.DoubleAck(last))
	case errors.Is(err, evolve.ErrStopped):
		w.Log.Info("stepped down", "subject", given.Subject())
		return given.NakWithDelay(0)
	case errors.Is(err, errMachine):
		return errors.Join(err, given.NakWithDelay(0))
	default:
		return errors.Join(err, given.NakWithDelay(min(4*w.Silence,
			5*time.Second<<min(max(0, given.Deliveries()-1), 5))))
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
func (w *worker) breedEpoch(ctx context.Context, task broker.Task, t *task,
	run, key string) error {
	r := result{Key: key, Host: w.Name}
	if stored, err := w.report(ctx, run, &r); stored || err != nil {
		return err
	}
	name := workName(run, key)
	w.UnderWay.change(name, func(p *piece) { p.study, p.epoch = t.Name, true })
	w.Log.Info("took an epoch", "epoch", key, "study", t.Name, "try", task.Deliveries())
	sealed, err := fetch(ctx, w.Broker, name, t.Sum)
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
func (w *worker) epoch(ctx context.Context, task broker.Task, t *task,
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
	epoch, err := evolve.OpenEpoch(&setup, sealed)
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
				max(0, p.handed), p.Generation))
		}
	}
	return strings.Join(all, ", ")
}
