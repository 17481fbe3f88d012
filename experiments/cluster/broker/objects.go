package broker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// maxObject is the most bytes of an object, so that none can fill the memory.
const maxObject = 1 << 30

// Put stores an object under a name, and records by whom.
func (b *Broker) Put(ctx context.Context, name, by string, content []byte) error {
	if len(content) > maxObject {
		return fmt.Errorf("%s has %d bytes; at most %d are allowed", name, len(content), maxObject)
	}
	_, err := b.objects.Put(ctx, jetstream.ObjectMeta{Name: name, Description: by},
		bytes.NewReader(content))
	return err
}

// Get returns an object, or ErrNone.
func (b *Broker) Get(ctx context.Context, name string) ([]byte, error) {
	o, err := b.objects.Get(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer o.Close()
	content, err := io.ReadAll(io.LimitReader(o, maxObject+1))
	if len(content) > maxObject {
		err = fmt.Errorf("%s has more than %d bytes", name, maxObject)
	}
	return content, err
}

// By returns who has stored the object of a name; empty if there is none.
func (b *Broker) By(ctx context.Context, name string) (string, error) {
	info, err := b.objects.GetInfo(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return info.Description, nil
}

// Remove removes objects. Those that are not there are no error.
func (b *Broker) Remove(ctx context.Context, names ...string) (err error) {
	for _, name := range names {
		if no := b.objects.Delete(ctx, name); !errors.Is(no, jetstream.ErrObjectNotFound) {
			err = errors.Join(err, no)
		}
	}
	return err
}

// Objects lists the names of objects that begin with a prefix.
func (b *Broker) Objects(ctx context.Context, prefix string) ([]string, error) {
	all, err := b.objects.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		err = nil
	}
	var names []string
	for _, o := range all {
		if strings.HasPrefix(o.Name, prefix) {
			names = append(names, o.Name)
		}
	}
	return names, err
}

// Task is a piece of work given to a worker. If the worker gives no sign of life for the silence,
// the queue gives the task to another.
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
type delivery struct {
	jetstream.Msg
	content []byte
}

func (d delivery) Data() []byte { return d.content }

func (d delivery) Deliveries() int {
	m, err := d.Metadata()
	if err != nil {
		return 1
	}
	return int(m.NumDelivered)
}

// Offer queues a task, unless one of its subject is in the queue.
func (b *Broker) Offer(ctx context.Context, subject string, content []byte) error {
	_, err := b.js.Publish(ctx, subject, b.access.sign(subject, content),
		jetstream.WithExpectLastSequencePerSubject(0))
	if err == nil || outdated(err) {
		return nil
	}
	if errors.Is(err, jetstream.ErrNoStreamResponse) {
		err = errors.Join(err, b.create(ctx)) // a server has come back that knows nothing
	}
	return fmt.Errorf("cannot offer %s: %w", subject, err)
}

// outdated reports whether a message was refused because another of its subject is in the queue.
func outdated(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// Next returns the next task, or ErrNone if there was none for two seconds. A task without a
// coordinator's signature is an error, and is removed from the queue.
func (b *Broker) Next(ctx context.Context) (Task, error) {
	m, err := b.queue.Next(jetstream.FetchMaxWait(2 * time.Second))
	switch {
	case errors.Is(err, jetstream.ErrNoMessages), errors.Is(err, context.DeadlineExceeded) &&
		b.conn.IsConnected():
		return nil, ErrNone
	case err != nil:
		return nil, err
	}
	content, err := b.access.verify(m.Subject(), m.Data())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("a task %s was thrown away: %w", m.Subject(), err), m.Term())
	}
	return delivery{m, content}, nil
}

// Withdraw removes the tasks of a subject, which may hold wildcards, from the queue.
func (b *Broker) Withdraw(ctx context.Context, subject string) error {
	return b.tasks.Purge(ctx, jetstream.WithPurgeSubject(subject))
}
