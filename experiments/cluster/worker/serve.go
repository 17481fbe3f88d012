package worker

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"clade/evolve/spread"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/protocol"
)

// callLasts is how long a worker takes a call for a fresh one.
const callLasts = 5 * time.Second

// hear remembers a call.
func (w *worker) hear(content []byte) {
	var c protocol.Call
	if json.Unmarshal(content, &c) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called, w.heard = c, time.Now()
}

// serve plays games of a run that has called lately, as long as it needs that. One loop of the
// worker does so at a time, with all processors. It returns at once when no run has called.
func (w *worker) serve(ctx context.Context) (served bool) {
	w.mu.Lock()
	c := w.called
	if w.serving || time.Since(w.heard) > callLasts || w.shunned[c.Run] {
		w.mu.Unlock()
		return false
	}
	w.serving = true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.serving, w.heard = false, time.Time{}
		w.mu.Unlock()
	}()
	w.Log.Info("playing for a run", "run", c.Run, "study", c.Name)
	setup, err := w.setupOf(c.ResolvedStudy)
	if err == nil {
		err = spread.Serve(ctx, setup, func(ctx context.Context, request []byte) ([]byte, error) {
			return w.ask(ctx, c.Run, request)
		})
	}
	switch {
	case errors.Is(err, errUnanswered), ctx.Err() != nil:
		w.Log.Info("stopped playing for a run", "run", c.Run)
	case err != nil:
		w.Log.Warn("cannot play for a run", "run", c.Run, "error", err)
		w.mu.Lock()
		w.shunned[c.Run] = true
		w.mu.Unlock()
	default:
		w.Log.Info("played for a run", "run", c.Run)
	}
	return true
}

// errUnanswered says that a run that was served is silent.
var errUnanswered = errors.New("the run does not answer any more")

// ask brings a request to a run, again and again until it is silent for too long.
func (w *worker) ask(ctx context.Context, run string, request []byte) ([]byte, error) {
	subject := broker.AskPrefix + run
	request = protocol.Sign(w.Key, subject, request)
	for began := time.Now(); time.Since(began) < w.Silence && ctx.Err() == nil; {
		one, cancel := context.WithTimeout(ctx, min(protocol.Patience, w.Silence))
		reply, err := w.Broker.Ask(one, subject, request)
		cancel()
		const name = 1 + sha256.Size
		if err != nil || len(reply) == 0 || reply[0] != protocol.Inside && len(reply) < name {
			broker.Wait(ctx, 200*time.Millisecond)
			continue
		}
		if reply[0] == protocol.Inside {
			return reply[1:], nil
		}
		content, err := protocol.Fetch(ctx, w.Broker, string(reply[name:]), reply[1:name])
		if err == nil {
			return content, nil
		}
		if !errors.Is(err, broker.ErrNone) {
			broker.Wait(ctx, 200*time.Millisecond)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, errUnanswered
}
