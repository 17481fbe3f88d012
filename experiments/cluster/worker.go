package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/lease"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Worker carries out runs that coordinators offer, of any sweep, breeds islands and plays games of
// runs that are spread, until its context ends. It keeps nothing that matters: what it has bred it
// hands over every minute, when it steps down and when a run is over.
type Worker struct {
	Access Access
	// directory for the runs under way; a worker that comes back goes on with what it finds there
	Scratch string
	Workers int           // runs or islands at a time; 0 means one a processor
	Idle    time.Duration // ends the worker when nothing was offered for so long; 0 means never
	Silence time.Duration // as the coordinator's; 0 means 30 s
	Log     *slog.Logger
}

// worker is a Worker at work.
type worker struct {
	*board
	Worker
	name string

	mu      sync.Mutex
	setup   *setupCache // of the latest epoch
	called  heard       // the latest call of a run
	serving bool
	shunned map[string]bool // runs that cannot be helped
}

// processors returns how many goroutines play for one run or epoch.
func (w *worker) processors() int { return max(1, runtime.GOMAXPROCS(0)/w.Workers) }

// Work takes runs and carries them out. It returns nil when its context ends or it was idle for too
// long.
func (w Worker) Work(ctx context.Context) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	at := &worker{Worker: w, shunned: map[string]bool{},
		name: fmt.Sprintf("%s/%d/%s", host, os.Getpid(), nuid.Next()[16:])}
	if at.Workers <= 0 {
		at.Workers = runtime.GOMAXPROCS(0)
	}
	if at.Silence == 0 {
		at.Silence = silence
	}
	if at.board, err = openBoard(ctx, &w.Access, at.name,
		func(err error) { w.Log.Warn("NATS", "error", err) }); err != nil {
		return err
	}
	defer at.conn.Close()
	queue, err := at.enlist(ctx)
	if err != nil {
		return err
	}
	if _, err := at.conn.Subscribe(callSubject, at.hear); err != nil {
		return err
	}
	w.Log.Info("ready for work", "worker", at.name, "runs at a time", at.Workers)
	var group sync.WaitGroup
	for range at.Workers {
		group.Go(func() { at.loop(ctx, queue) })
	}
	group.Wait()
	return nil
}

// enlist returns the queue of work, which all workers share.
func (w *worker) enlist(ctx context.Context) (jetstream.Consumer, error) {
	c, err := w.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: w.Silence,
		MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// loop takes one run or epoch after the other.
func (w *worker) loop(ctx context.Context, queue jetstream.Consumer) {
	busy := time.Now()
	for ctx.Err() == nil {
		msg, err := queue.Next(jetstream.FetchMaxWait(2 * time.Second))
		if err != nil {
			if w.serve(ctx) {
				busy = time.Now()
			}
			if w.Idle > 0 && time.Since(busy) > w.Idle {
				return
			}
			if !w.conn.IsConnected() || !isTimeout(err) {
				wait(ctx, 500*time.Millisecond)
				// a server may come back that knows nothing
				if again, err := w.enlist(ctx); err == nil {
					queue = again
				}
			}
			continue
		}
		handle := w.handle
		if strings.HasPrefix(msg.Subject(), epochsPrefix) {
			handle = w.handleEpoch
		}
		if err := handle(ctx, msg); err != nil {
			w.Log.Warn("work goes back", "subject", msg.Subject(), "error", err)
		}
		busy = time.Now()
	}
}

func isTimeout(err error) bool {
	return errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, context.DeadlineExceeded)
}

// wait waits, or less when the context ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// handle does one run, and says to the queue what came of it only after the coordinator has it on
// its disk.
func (w *worker) handle(ctx context.Context, msg jetstream.Msg) error {
	back := func(err error) error {
		return errors.Join(err, msg.NakWithDelay(min(5*time.Second, w.Silence)))
	}
	var t task
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("a damaged task: %w", err), msg.Term())
	}
	cell, err := t.cell()
	if err != nil {
		return back(err)
	}
	g, err := w.take(ctx, holdKey(t.Sweep, t.Key), w.name)
	if err != nil {
		return back(err)
	}
	dir := filepath.Join(w.Scratch, t.Sweep)
	if err := w.fetch(ctx, g, cell.Directory(dir)); err != nil {
		return back(err)
	}
	w.Log.Info("took a run", "run", t.Key, "study", t.Name, "worker number", g.Number, "from",
		g.Pack)
	j := &job{worker: w, grip: g, cell: cell, dir: dir, msg: msg}
	err = j.run(ctx)
	switch {
	case errors.Is(err, errFenced), errors.Is(err, lease.ErrLost), errors.Is(err, lease.ErrHeld):
		return err // the run is in other hands; the queue knows
	case errors.Is(err, evolve.ErrStopped):
		w.Log.Info("stepped down", "run", t.Key)
		return msg.Nak()
	case errors.Is(err, errUndelivered):
		return back(err)
	}
	r := result{Key: t.Key, Pack: g.Pack, Host: w.name}
	if err != nil {
		r.Error = err.Error()
	}
	if err := w.deliver(ctx, msg, t.Sweep, &r); err != nil {
		return back(err)
	}
	w.Log.Info("done", "run", t.Key, "error", r.Error)
	return errors.Join(msg.DoubleAck(context.WithoutCancel(ctx)), os.RemoveAll(cell.Directory(dir)))
}

// cell rebuilds the run. A worker whose program would breed something else, because its version is
// another, has another key for it and leaves it to others.
func (t *task) cell() (*study.Cell, error) {
	s, err := study.Parse(t.Name+".toml", []byte(t.Study))
	if err != nil {
		return nil, fmt.Errorf("this program does not understand run %s: %w", t.Key, err)
	}
	g, err := s.Grid()
	if err != nil {
		return nil, err
	}
	if len(g.Cells) != 1 || g.Cells[0].Key != t.Key {
		return nil, fmt.Errorf("this program would breed something else for run %s than "+
			"the coordinator's; use the same version", t.Key)
	}
	return &g.Cells[0], nil
}

// fetch brings the newest checkpoint here, unless something is here already: whatever it is, it was
// bred from the same seed.
func (w *worker) fetch(ctx context.Context, g *grip, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil || g.Pack == "" {
		return nil
	}
	archive, err := w.packs.GetBytes(ctx, g.Pack)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil // lost; the run begins anew, and will be the same
	}
	if err != nil {
		return err
	}
	return unpack(archive, dir)
}

// errUndelivered says that a run went well and its archive did not reach the store.
var errUndelivered = errors.New("the run could not be handed over")

// job is a run that a worker is on.
type job struct {
	*worker
	grip *grip
	cell *study.Cell
	dir  string
	msg  jetstream.Msg

	mu     sync.Mutex
	fenced bool
	at     rundir.Times // of the latest generation
}

// run carries the run out and hands it over as it goes.
func (j *job) run(ctx context.Context) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var beats sync.WaitGroup
	ended := make(chan struct{})
	beats.Go(func() { j.beat(ended, stop) })
	options := runner.Options{
		Workers: j.processors(), Command: os.Args, Fence: j.fence,
		Progress: func(r evolve.Progress) {
			j.mu.Lock()
			j.at = r.Times
			j.mu.Unlock()
		},
	}
	_, err := sweep.Carry(working, j.cell, j.dir, options)
	close(ended)
	beats.Wait()
	if j.fence() != nil {
		return errFenced
	}
	if err == nil || errors.Is(err, evolve.ErrStopped) {
		// Handing over is allowed to outlive the worker's context a little: a batch system grants
		// some seconds between its signal and its last word.
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), j.Silence)
		defer cancel()
		if handed := j.hand(last); handed != nil && err == nil {
			return fmt.Errorf("%w: %w", errUndelivered, handed)
		}
	}
	return err
}

func (j *job) fence() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fenced {
		return errFenced
	}
	return nil
}

// beat shows signs of life, hands checkpoints over, and stops the run when it is in other hands.
func (j *job) beat(ended <-chan struct{}, stop context.CancelCauseFunc) {
	tick := time.NewTicker(j.Silence / 4)
	defer tick.Stop()
	handed := time.Now()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		j.mu.Lock()
		j.grip.Generation, j.grip.Seconds = j.at.Generation+1, j.at.Seconds
		j.mu.Unlock()
		err := j.grip.sign(j.msg, j.Silence/2)
		if err == nil && time.Since(handed) > min(packEvery, 2*j.Silence) {
			ctx, cancel := context.WithTimeout(context.Background(), j.Silence/2)
			if err = j.hand(ctx); err == nil {
				handed = time.Now()
			}
			cancel()
		}
		if errors.Is(err, errFenced) {
			j.mu.Lock()
			j.fenced = true
			j.mu.Unlock()
			stop(err)
			return
		}
		if err != nil {
			j.Log.Warn("cannot show a sign of life; the run goes on", "run", j.cell.Key, "error",
				err)
		}
	}
}

// hand hands the run directory over as it is.
func (j *job) hand(ctx context.Context) error {
	archive, err := pack(j.cell.Directory(j.dir))
	if err != nil {
		return err
	}
	return j.grip.hand(ctx, archive)
}

// deliver asks the coordinator to take the result, until it says that it has it. Where no
// coordinator answers for a while, the result stays in the store.
func (w *worker) deliver(ctx context.Context, msg jetstream.Msg, sweep string, r *result) error {
	content, err := json.Marshal(r)
	if err != nil {
		return err
	}
	for attempt := 0; ; attempt++ {
		_ = msg.InProgress()
		one, cancel := context.WithTimeout(ctx, patience)
		answer, err := w.conn.RequestWithContext(one, resultPrefix+sweep, content)
		cancel()
		switch {
		case err == nil && string(answer.Data) == stored:
			return nil
		case err == nil:
			err = errors.New(string(answer.Data))
		}
		if ctx.Err() != nil || attempt >= 5 {
			return fmt.Errorf("the coordinator has not taken %s: %w", r.Key, err)
		}
		wait(ctx, time.Second)
	}
}
