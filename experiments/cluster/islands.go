package cluster

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"clade/evolve"
	"clade/experiments/cluster/broker"
	"clade/experiments/study"
)

// islands is a run whose islands workers breed.
type islands struct {
	Broker
	id          string       // of the run
	study       *study.Study // as workers read it
	trust       *trust
	log         *slog.Logger
	coordinator *evolve.Coordinator
	offered     map[string]time.Time
	tries       tries
	failed      context.Context // ends when the run has a fault, with that
	fault       context.CancelCauseFunc
	auditing    sync.WaitGroup

	mu     sync.Mutex
	audits map[string]error // what they found, by worker and what it has handed in
}

// errAuditing says that an audit is under way.
var errAuditing = errors.New("it is being bred again, to compare")

func epochKey(island, from, to int) string { return fmt.Sprintf("%d-%d-%d", island, from, to) }

// share offers epochs to workers until its context ends, see evolve.Setup.
func (i *islands) share(ctx context.Context) error {
	i.offered, i.audits = map[string]time.Time{}, map[string]error{}
	i.tries = tries{}
	i.failed, i.fault = context.WithCancelCause(context.Background())
	defer i.fault(nil)
	stop, err := answerResults(i, i.log, i.id, func(taking context.Context, worker string,
		r *result) (answer, error) {
		return i.take(ctx, taking, worker, r)
	})
	if err != nil {
		return err
	}
	err = i.offerAll(ctx)
	stop()
	i.auditing.Wait()
	i.clear()
	return cmp.Or(err, context.Cause(i.failed))
}

// offerAll offers epochs until the context ends or the run has a fault.
func (i *islands) offerAll(ctx context.Context) error {
	workers, err := newRoster(i.Broker, i.id, i.log)
	if err != nil {
		return err
	}
	defer workers.stop()
	for ctx.Err() == nil && i.failed.Err() == nil {
		workers.look()
		changed := i.coordinator.Changed()
		for _, epoch := range i.coordinator.Epochs() {
			if err := i.offerEpoch(ctx, epoch); err != nil && ctx.Err() == nil {
				i.log.Warn(err.Error()) // a server that is away comes back, but not at once
				changed = nil
				break
			}
		}
		select {
		case <-ctx.Done():
		case <-i.failed.Done():
		case <-changed:
		case <-time.After(lookEvery):
		}
	}
	return nil
}

// offerEpoch queues an epoch, and repeats that from time to time in case the task was lost.
func (i *islands) offerEpoch(ctx context.Context, epoch *evolve.Epoch) error {
	key := epochKey(epoch.Island, epoch.From, epoch.To)
	if time.Since(i.offered[key]) < broker.Silence {
		return nil
	}
	name := workName(i.id, key)
	sealed, err := epoch.Seal(i.coordinator.Setup())
	if err == nil {
		err = i.Put(ctx, name, "", sealed)
	}
	if err == nil {
		sum := sha256.Sum256(sealed)
		err = offer(ctx, i, broker.EpochPrefix+name, i.study, sum[:])
	}
	if err != nil {
		return fmt.Errorf("cannot hand epoch %s out: %w", key, err)
	}
	i.offered[key] = time.Now()
	return nil
}

// take stores a result, or records a try of an epoch that is wanted.
func (i *islands) take(run, ctx context.Context, worker string,
	r *result) (answer, error) {
	if i.trust.shutOut(worker) {
		return answer{ShutOut: true}, nil
	}
	name := workName(i.id, r.Key)
	object, epochs := name+"."+worker, i.coordinator.Epochs()
	at := slices.IndexFunc(epochs,
		func(e *evolve.Epoch) bool { return epochKey(e.Island, e.From, e.To) == r.Key })
	if at < 0 { // it was taken before, or is from before the run was resumed: nobody compares it
		_ = i.Remove(ctx, name, object) // what cannot be removed only takes space
		return answer{Stored: true}, nil
	}
	if r.Sum == nil {
		why := i.tries.note(r)
		if why != "" {
			i.fault(fmt.Errorf("epoch %s: %s", r.Key, why))
		}
		return answer{Stored: why != ""}, nil
	}
	sealed, err := fetch(ctx, i, object, r.Sum)
	if err != nil {
		return answer{}, err
	}
	t, err := evolve.OpenResult(i.coordinator.Setup(), sealed)
	if err != nil {
		return answer{}, err
	}
	if epochKey(t.Island, t.From, t.To) != r.Key {
		return answer{}, fmt.Errorf("the result for epoch %s is of another epoch", r.Key)
	}
	switch err := i.counts(run, worker, r, epochs[at], sealed); {
	case errors.Is(err, errAuditing):
		return answer{Wait: true}, nil
	case err != nil:
		return answer{ShutOut: i.trust.shutOut(worker)}, err
	}
	if err := i.coordinator.Add(t); err != nil {
		i.fault(err)
	}
	_ = i.Remove(ctx, name, object)
	return answer{Stored: true}, nil
}

// counts returns nil for a result that counts. It starts an audit if one is due, and later returns
// what that has found.
func (i *islands) counts(ctx context.Context, worker string, r *result,
	epoch *evolve.Epoch, sealed []byte) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	name := worker + " " + string(r.Sum)
	if found, known := i.audits[name]; known {
		return found
	}
	if !i.trust.shouldAudit(worker) {
		return i.trust.accept(worker, epoch.From)
	}
	i.audits[name] = errAuditing
	i.auditing.Go(func() {
		err := i.auditEpoch(ctx, worker, r, epoch, sealed)
		i.mu.Lock()
		defer i.mu.Unlock()
		i.audits[name] = err
	})
	return errAuditing
}

// auditEpoch breeds an epoch again and compares.
func (i *islands) auditEpoch(ctx context.Context, worker string, r *result,
	epoch *evolve.Epoch, sealed []byte) error {
	setup := *i.coordinator.Setup()
	setup.RemoteIslands = nil
	bred, err := epoch.Breed(ctx, &setup)
	var here []byte
	if err == nil {
		here, err = bred.Seal(&setup)
	}
	if err != nil {
		return fmt.Errorf("epoch %s cannot be bred again, to compare: %w", r.Key, err)
	}
	if bytes.Equal(here, sealed) {
		i.trust.markGood(worker)
		return nil
	}
	i.log.Error("an epoch was bred again and differs; this machine is believed", "epoch", r.Key,
		"worker", worker, "host", r.Host)
	err = fmt.Errorf("worker %s handed in a result that this machine does not reproduce: machines or "+
		"programs differ, or the worker cheats", worker)
	if i.trust.markBad(worker) {
		i.fault(fmt.Errorf("%w; the run is taken back to the checkpoint before it", err))
	}
	return err
}

// clear removes everything of the run from queue and store. If the run is resumed, it is offered
// again.
func (i *islands) clear() {
	ctx, cancel := context.WithTimeout(context.Background(), broker.Patience)
	defer cancel()
	// a worker that takes what stays behind finds that it is not wanted
	_ = i.Withdraw(ctx, broker.EpochPrefix+i.id+".*")
	objects, _ := i.Objects(ctx, workName(i.id, ""))
	_ = i.Remove(ctx, objects...)
}
