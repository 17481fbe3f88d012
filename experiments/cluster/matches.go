package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/evolve/spread"
)

// Timing of shared games.
const (
	callEvery = time.Second     // between two calls of a run
	callLasts = 5 * time.Second // how long a worker takes a call for a fresh one
)

// call is what a run says that others can play for.
type call struct {
	Run   string `json:"run"`
	Study string `json:"study"` // in TOML
	Name  string `json:"name"`
}

// Answers come inside their message, or, where they are longer than messages may be, from the store
// under the name that the message holds.
const (
	inside   = 0
	inStore  = 1
	mostSent = 900_000 // bytes
)

// share lets workers play games of the run's one population: see spread.RemoteGames.
func (s Spread) share(ctx context.Context, d *spread.Dispatcher) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	b, err := openBoard(ctx, &s.Access, "clade run "+s.Study.Name,
		func(err error) { s.Log.Warn("NATS", "error", err) })
	if err != nil {
		return err
	}
	defer b.conn.Close()
	run := sweepID(s.Dir)
	var stored atomic.Int64
	var asking sync.WaitGroup
	requests, err := b.conn.Subscribe(askPrefix+run, func(m *nats.Msg) {
		asking.Go(func() { // an answer may take a while
			answer, err := d.Answer(ctx, m.Data)
			if err != nil {
				s.Log.Warn("a remote worker's request has no answer", "error", err)
				return
			}
			message := append([]byte{inside}, answer...)
			if len(message) > mostSent {
				// a few of the latest stay
				name := fmt.Sprintf("ask.%s.%d.%d", run, os.Getpid(), stored.Add(1)%8)
				if _, err := b.packs.PutBytes(ctx, name, answer); err != nil {
					return
				}
				message = append([]byte{inStore}, name...)
			}
			_ = m.Respond(message) // a lost answer is asked for again
		})
	})
	if err != nil {
		return err
	}
	content, err := json.Marshal(call{Run: run, Study: text, Name: s.Study.Name})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		_ = b.conn.Publish(callSubject, content) // one of many
		wait(ctx, callEvery)
	}
	_ = requests.Unsubscribe()
	asking.Wait() // all are told that it is over
	_ = b.conn.Flush()
	s.Log.Info("remote workers", "pieces of selection that they played", d.Remote())
	return nil
}

// heard is a call and when it came.
type heard struct {
	call
	at time.Time
}

// hear notes calls.
func (w *worker) hear(m *nats.Msg) {
	var c call
	if json.Unmarshal(m.Data, &c) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called = heard{c, time.Now()}
}

// serve plays games of a run that has called lately, as long as it needs that. One loop of the
// worker does so at a time, with all processors. It returns at once when no run has called.
func (w *worker) serve(ctx context.Context) (served bool) {
	w.mu.Lock()
	c := w.called
	if w.serving || time.Since(c.at) > callLasts || w.shunned[c.Run] {
		w.mu.Unlock()
		return false
	}
	w.serving = true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.serving, w.called.at = false, time.Time{}
		w.mu.Unlock()
	}()
	w.Log.Info("playing for a run", "run", c.Run, "study", c.Name)
	setup, err := setupOf(c.Name, c.Study)
	if err == nil {
		err = spread.Serve(ctx, &setup, func(ctx context.Context, request []byte) ([]byte,
			error) {
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
	for began := time.Now(); time.Since(began) < w.Silence && ctx.Err() == nil; {
		one, cancel := context.WithTimeout(ctx, min(patience, w.Silence))
		m, err := w.conn.RequestWithContext(one, askPrefix+run, request)
		cancel()
		if err != nil || len(m.Data) == 0 {
			wait(ctx, 200*time.Millisecond)
			continue
		}
		if m.Data[0] == inside {
			return m.Data[1:], nil
		}
		answer, err := w.packs.GetBytes(ctx, string(m.Data[1:]))
		if err == nil {
			return answer, nil
		}
		if !errors.Is(err, jetstream.ErrObjectNotFound) {
			wait(ctx, 200*time.Millisecond)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, errUnanswered
}
