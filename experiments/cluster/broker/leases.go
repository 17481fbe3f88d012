package broker

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// Lease is a small record that only one can change at a time: a change names the revision that it
// follows, which is the fencing token.
type Lease struct {
	Key      string
	Value    []byte
	Revision uint64
}

// Lease returns a lease, or ErrNone.
func (b *Broker) Lease(ctx context.Context, key string) (Lease, error) {
	e, err := b.leases.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return Lease{}, ErrNone
	}
	if err != nil {
		return Lease{}, err
	}
	return Lease{key, e.Value(), e.Revision()}, nil
}

// SetLease changes a lease that is at a revision, 0 for one that is not there, and returns the new
// one. The error is ErrChanged where it is at another, and any other when that is not known.
func (b *Broker) SetLease(ctx context.Context, key string, value []byte,
	after uint64) (revision uint64, err error) {
	if after == 0 { // a lease that was dropped has left a mark, which Update takes for a lease
		revision, err = b.leases.Create(ctx, key, value)
	} else {
		revision, err = b.leases.Update(ctx, key, value, after)
	}
	if outdated(err) {
		err = ErrChanged
	}
	return revision, err
}

// DropLease removes a lease.
func (b *Broker) DropLease(ctx context.Context, key string) error {
	return b.leases.Purge(ctx, key)
}
