package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"clade/evolve/spread"
)

// callEvery is the time between two calls of a run.
const callEvery = time.Second

// Answers come inside their message, or, where they are longer than messages may be, from the store
// under the name that the message holds.
const (
	inside   = 0
	inStore  = 1
	mostSent = 900_000 // bytes
)

// shareGames lets workers play games of the run's one population, see spread.RemoteGames.
func (r *sharedRun) shareGames(ctx context.Context, d *spread.Dispatcher) error {
	var stored atomic.Int64
	var asking sync.WaitGroup
	requests, err := r.conn.Subscribe(askPrefix+r.Run, func(m *nats.Msg) {
		asking.Go(func() { // an answer may take a while
			answer, err := d.Answer(ctx, m.Data)
			if err != nil {
				r.log.Warn("a remote worker's request has no answer", "error", err)
				return
			}
			message := append([]byte{inside}, answer...)
			if len(message) > mostSent {
				// a few of the latest stay
				name := fmt.Sprintf("ask.%s.%d.%d", r.Run, os.Getpid(), stored.Add(1)%8)
				if _, err := r.objects.PutBytes(ctx, name, answer); err != nil {
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
	content, err := json.Marshal(r.call)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		_ = r.conn.Publish(callSubject, content) // one of many
		wait(ctx, callEvery)
	}
	_ = requests.Unsubscribe()
	asking.Wait() // all workers get the answer that it is over
	_ = r.conn.Flush()
	r.log.Info("remote workers", "pieces of selection that they played", d.Remote())
	return nil
}
