package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"clade/evolve/spread"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/protocol"
)

// callEvery is the time between two calls of a run.
const callEvery = time.Second

// mostSent is how long a message may be, in bytes.
const mostSent = 900_000

// shareGames lets workers play games of the run's one population, see spread.RemoteGames.
func (r *sharedRun) shareGames(ctx context.Context, d *spread.Dispatcher) error {
	var stored atomic.Int64
	var asking sync.WaitGroup
	subject := broker.AskPrefix + r.Run
	answered := func(question []byte) ([]byte, error) {
		worker, request, err := protocol.Verify(subject, question)
		if err != nil {
			return nil, err
		}
		content, err := d.Answer(ctx, worker, request)
		if err != nil || len(content) < mostSent {
			return append([]byte{protocol.Inside}, content...), err
		}
		// A few of the latest stay. Whoever finds another there than the sum says asks again.
		name := fmt.Sprintf("ask.%s.%d", r.Run, stored.Add(1)%8)
		sum := sha256.Sum256(content)
		return slices.Concat([]byte{protocol.InStore}, sum[:], []byte(name)),
			r.Put(ctx, name, content)
	}
	stop, err := r.Answer(subject, func(question []byte, answer func([]byte)) {
		asking.Go(func() { // an answer may take a while
			content, err := answered(question)
			if err != nil {
				r.log.Warn("a remote worker's request has no answer", "error", err)
				return
			}
			answer(content)
		})
	})
	if err != nil {
		return err
	}
	content, err := json.Marshal(r.Call)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		_ = r.Tell(broker.CallSubject, content) // one of many
		broker.Wait(ctx, callEvery)
	}
	stop()
	asking.Wait() // all workers get the answer that it is over
	r.log.Info("remote workers", "pieces of selection that they played", d.Remote())
	return nil
}
