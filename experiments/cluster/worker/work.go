package worker

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"clade/evolve"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/experiments/sweep"
)

// Work takes runs and epochs, and does them. It returns nil when its context ends or it was
// idle for too long.
func (w Worker) Work(ctx context.Context) error {
	if w.Key == nil {
		_, key, err := ed25519.GenerateKey(nil) // from crypto/rand
		if err != nil {
			return err
		}
		w.Key = key
	}
	if w.Carry == nil {
		w.Carry = sweep.Carry
	}
	return newWorker(w).work(ctx)
}

func newWorker(w Worker) *worker {
	at := &worker{Worker: w,
		id: protocol.NameOf(w.Key.Public().(ed25519.PublicKey))}
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

func (w *worker) work(ctx context.Context) error {
	w.Log.Info("ready for work", "worker", w.Name, "runs at a time", w.Workers)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var group sync.WaitGroup
	for range w.Workers {
		group.Go(func() { w.loop(ctx, end) })
	}
	group.Wait()
	if cause := context.Cause(ctx); errors.Is(cause, errShutOut) {
		return cause
	}
	return nil
}

// loop does one run or epoch after the other.
func (w *worker) loop(ctx context.Context, end context.CancelCauseFunc) {
	busy := time.Now()
	for ctx.Err() == nil {
		task, err := w.Broker.Next(ctx)
		if err == nil {
			if err := w.settle(ctx, task); errors.Is(err, errShutOut) {
				end(err)
			} else if err != nil {
				w.Log.Warn("work goes back", "subject", task.Subject(), "error", err)
			}
			busy = time.Now()
			continue
		}
		if w.Idle > 0 && time.Since(busy) > w.Idle {
			return
		}
		if !errors.Is(err, broker.ErrNone) && ctx.Err() == nil {
			w.Log.Debug("no task", "error", err)
			broker.Wait(ctx, 500*time.Millisecond)
		}
	}
}

// settle does the work of a task and tells the queue what came of it.
func (w *worker) settle(ctx context.Context, task broker.Task) error {
	do := w.carry
	if strings.HasPrefix(task.Subject(), broker.EpochPrefix) {
		do = w.breedEpoch
	}
	err := do(ctx, task)
	switch {
	case err == nil:
		return task.DoubleAck(context.WithoutCancel(ctx))
	case errors.Is(err, lease.ErrLost), errors.Is(err, lease.ErrHeld):
		return err // it is in other hands; the queue knows
	case errors.Is(err, evolve.ErrStopped):
		w.Log.Info("stepped down", "subject", task.Subject())
		return task.NakWithDelay(0)
	case errors.Is(err, errDamaged):
		return errors.Join(err, task.Term())
	default:
		return errors.Join(err, task.NakWithDelay(min(5*time.Second, w.Silence)))
	}
}
