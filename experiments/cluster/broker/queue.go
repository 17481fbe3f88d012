package broker

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// signatureHeader holds the signature of a task, a call or an answer over its subject and content.
const signatureHeader = "Clade-Signature"

// Task is a piece of work in the hands of a worker. When it gives no sign of life for the silence,
// the queue hands the task to another.
type Task interface {
	Subject() string
	Data() []byte
	InProgress() error                      // a sign of life
	DoubleAck(ctx context.Context) error    // it is done; nil when the queue knows
	NakWithDelay(delay time.Duration) error // it goes back
	Term() error                            // nobody can do it
	Deliveries() int                        // how often it was given out, this time included
}

// delivery is a task as JetStream gives it out.
type delivery struct{ jetstream.Msg }

func (d delivery) Deliveries() int {
	m, err := d.Metadata()
	if err != nil {
		return 1
	}
	return int(m.NumDelivered)
}

// Offer queues a task, unless one of its subject is in the queue.
func (b *Broker) Offer(ctx context.Context, subject string, content []byte) error {
	_, err := b.js.PublishMsg(ctx, b.access.message(subject, content),
		jetstream.WithExpectLastSequencePerSubject(0))
	if err == nil || outdated(err) {
		return nil
	}
	if errors.Is(err, jetstream.ErrNoStreamResponse) {
		err = errors.Join(err, b.create(ctx)) // a server has come back that knows nothing
	}
	return fmt.Errorf("cannot offer %s: %w", subject, err)
}

// outdated tells whether a message was refused because another of its subject is there.
func outdated(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// message makes a message, and signs it where this is a coordinator of an embedded server.
func (a *Access) message(subject string, content []byte) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Data = content
	if a.inside != nil {
		m.Header.Set(signatureHeader,
			hex.EncodeToString(ed25519.Sign(a.inside.signer, signed(subject, content))))
	}
	return m
}

// signed is what a signature is over.
func signed(subject string, content []byte) []byte {
	return append([]byte(subject+"\x00"), content...)
}

// Next returns the next task, or ErrNone when there was none for two seconds. A task that no
// coordinator has signed is an error, and taken out of the queue.
func (b *Broker) Next(ctx context.Context) (Task, error) {
	m, err := b.queue.Next(jetstream.FetchMaxWait(2 * time.Second))
	switch {
	case errors.Is(err, jetstream.ErrNoMessages), errors.Is(err, context.DeadlineExceeded) &&
		b.conn.IsConnected():
		return nil, ErrNone
	case err != nil:
		return nil, err
	}
	if !b.access.genuine(m.Subject(), m.Data(), m.Headers()) {
		return nil, errors.Join(fmt.Errorf("a task %s that no coordinator has signed was "+
			"thrown away", m.Subject()), m.Term())
	}
	return delivery{m}, nil
}

// genuine tells whether a coordinator has signed a message, as far as that can be known.
func (a *Access) genuine(subject string, content []byte, header nats.Header) bool {
	if a.Signer == "" {
		return true
	}
	key, err := hex.DecodeString(a.Signer)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return false
	}
	signature, err := hex.DecodeString(header.Get(signatureHeader))
	return err == nil && ed25519.Verify(key, signed(subject, content), signature)
}

// Withdraw takes the tasks of a subject, which may hold wildcards, out of the queue.
func (b *Broker) Withdraw(ctx context.Context, subject string) error {
	return b.tasks.Purge(ctx, jetstream.WithPurgeSubject(subject))
}
