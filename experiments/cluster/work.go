package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"clade/evolve"
	"clade/experiments/lease"
)

// Work takes runs, epochs and games, and does them. It returns nil when its context ends or it was
// idle for too long.
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
	if at.broker, err = openBroker(ctx, &w.Access, at.name, w.Log); err != nil {
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
	return w.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: w.Silence,
		MaxDeliver: -1, MaxAckPending: -1,
	})
}

// loop does one run or epoch after the other, and plays games while there is none.
func (w *worker) loop(ctx context.Context, queue jetstream.Consumer) {
	busy := time.Now()
	for ctx.Err() == nil {
		msg, err := queue.Next(jetstream.FetchMaxWait(2 * time.Second))
		if err == nil {
			if err := w.settle(ctx, msg); err != nil {
				w.Log.Warn("work goes back", "subject", msg.Subject(), "error", err)
			}
			busy = time.Now()
			continue
		}
		if w.serve(ctx) {
			busy = time.Now()
		}
		if w.Idle > 0 && time.Since(busy) > w.Idle {
			return
		}
		if !w.conn.IsConnected() || !errors.Is(err, jetstream.ErrNoMessages) &&
			!errors.Is(err, context.DeadlineExceeded) {
			wait(ctx, 500*time.Millisecond)
			// a server may come back that knows nothing
			if again, err := w.enlist(ctx); err == nil {
				queue = again
			}
		}
	}
}

// settle does the work of a message and tells the queue what came of it.
func (w *worker) settle(ctx context.Context, msg jetstream.Msg) error {
	do := w.carry
	if strings.HasPrefix(msg.Subject(), epochPrefix) {
		do = w.breed
	}
	err := do(ctx, msg)
	switch {
	case err == nil:
		return msg.DoubleAck(context.WithoutCancel(ctx))
	case errors.Is(err, lease.ErrLost), errors.Is(err, lease.ErrHeld):
		return err // it is in other hands; the queue knows
	case errors.Is(err, evolve.ErrStopped):
		w.Log.Info("stepped down", "subject", msg.Subject())
		return msg.Nak()
	case errors.Is(err, errDamaged):
		return errors.Join(err, msg.Term())
	default:
		return errors.Join(err, msg.NakWithDelay(min(5*time.Second, w.Silence)))
	}
}
