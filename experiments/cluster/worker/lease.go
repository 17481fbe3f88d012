package worker

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
)

// maxTries is how often a run or epoch is tried without getting any further before it is set aside.
const maxTries = 3

// heldLease is the lease of a run or epoch in the hands of a worker.
type heldLease struct {
	protocol.Broker
	key      string
	revision uint64
	lost     atomic.Bool
	protocol.LeaseRecord
}

// takeLease takes the lease of a run or epoch for a worker. The queue gave the work to this worker,
// so the last holder was silent for too long, or stepped down. If it lives after all, its next
// change of the lease fails. A damaged lease is set aside: only its revision counts, and what it
// said of a snapshot is bred again.
func takeLease(ctx context.Context, b protocol.Broker, key, worker string,
	log *slog.Logger) (*heldLease, error) {
	l := &heldLease{Broker: b, key: key}
	have, err := b.Lease(ctx, key)
	switch {
	case errors.Is(err, broker.ErrNone):
	case err != nil:
		return nil, err
	default:
		l.revision = have.Revision
		if err := json.Unmarshal(have.Value, &l.LeaseRecord); err != nil {
			log.Warn("a damaged lease is set aside, and the work begins anew", "lease", key,
				"error", err)
			l.LeaseRecord = protocol.LeaseRecord{}
		}
	}
	before := l.Worker
	l.Worker, l.Number, l.Tries = worker, l.Number+1, l.Tries+1
	if l.Tries > 1 && l.Fault == "" {
		l.Fault = fmt.Sprintf("worker %s was not heard of any more", before)
	}
	return l, l.renew(ctx)
}

// setAside tells why the work is not tried again; empty where it is.
func (l *heldLease) setAside() string {
	if l.Tries <= maxTries {
		return ""
	}
	return fmt.Sprintf("set aside after %d tries that did not get any further; the last: %s",
		maxTries, l.Fault)
}

// failed notes what this try ended in, unless that is the machine's fault.
func (l *heldLease) failed(ctx context.Context, why error) error {
	if errors.Is(ofMachine(why), errMachine) {
		return l.interrupted(ctx, why)
	}
	l.Fault = fmt.Sprintf("%s, on worker %s", why, l.Worker)
	return errors.Join(why, l.renew(ctx))
}

// interrupted takes the try back: something was in the way that is not the work's fault.
func (l *heldLease) interrupted(ctx context.Context, why error) error {
	l.Tries--
	return errors.Join(ofMachine(why), l.renew(ctx))
}

// further notes that the work got further.
func (l *heldLease) further() { l.Tries, l.Fault = 0, "" }

// renew writes the lease. The error is lease.ErrLost when another worker has written it since, and
// any other when that is not known.
func (l *heldLease) renew(ctx context.Context) error {
	content, err := json.Marshal(l.LeaseRecord)
	if err != nil {
		return err
	}
	revision, err := l.SetLease(ctx, l.key, content, l.revision)
	if err == nil {
		l.revision = revision
		return nil
	}
	if !errors.Is(err, broker.ErrChanged) {
		return err
	}
	// Our own change may have been written and its answer lost: then it is what we find there.
	if have, getErr := l.Lease(ctx, l.key); getErr == nil && string(have.Value) == string(content) {
		l.revision = have.Revision
		return nil
	}
	l.lost.Store(true)
	return lease.ErrLost
}

// handOver puts a snapshot of the run into the store and makes it the newest. The one before goes.
func (l *heldLease) handOver(ctx context.Context, by ed25519.PrivateKey, archive []byte) error {
	name := fmt.Sprintf("%s.%d.%d", l.key, l.Number, l.revision)
	if err := l.Put(ctx, name, archive); err != nil {
		return fmt.Errorf("cannot hand over a snapshot: %w", err)
	}
	sum := sha256.Sum256(archive)
	old, word := l.Snapshot, l.Word
	l.Snapshot, l.Word = name, broker.Sign(by, l.key, sum[:])
	if err := l.renew(ctx); err != nil {
		l.Snapshot, l.Word = old, word
		return err
	}
	if old != "" && old != name {
		_ = l.Remove(ctx, old) // what stays behind only takes room
	}
	return nil
}

// fence returns lease.ErrLost once another worker is known to have taken the lease.
func (l *heldLease) fence() error {
	if l.lost.Load() {
		return lease.ErrLost
	}
	return nil
}
