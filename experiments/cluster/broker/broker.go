// Package broker connects the packages of a cluster over NATS: a server inside the program, the
// connection to it, a queue of tasks, a store of objects, and messages with answers. It does not
// know the content of tasks.
package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Beginnings of subjects. One stream and one store serve all sweeps of a site.
const (
	RunPrefix    = "clade.task."   // sweep, run: a run to be done, at most one task for each
	EpochPrefix  = "clade.epoch."  // run, epoch: one to be bred, at most one task for each
	ResultPrefix = "clade.result." // sweep or run: asks the coordinator to take a result

	tasksStream  = "clade-tasks"
	workersName  = "clade-workers" // the one consumer of the stream
	objectsStore = "clade-packs"
)

// Silence is how long a worker may give no sign of life before its task is given to another.
const Silence = 30 * time.Second

// Patience is how long to wait for an answer.
const Patience = 10 * time.Second

var (
	// ErrNone says that there is no such task or object.
	ErrNone = errors.New("there is none")
	// ErrOver says that the server inside a sweep or run has ended for good.
	ErrOver = errors.New("the sweep or run of this server is over")
)

// Broker is a connection to NATS. It is safe for concurrent use.
type Broker struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	access  Access
	silence time.Duration
	objects jetstream.ObjectStore
	tasks   jetstream.Stream
	queue   jetstream.Consumer
	over    context.Context // ends when an embedded server says that it ends for good
}

// Open connects a coordinator, and makes stream, queue and store if they do not exist. On a cluster
// of NATS servers it keeps three copies, to survive the loss of a server. Silence is the constant,
// or less in tests.
func Open(ctx context.Context, a Access, name string, silence time.Duration,
	log *slog.Logger) (*Broker, error) {
	b, err := a.connect(name, log)
	if err != nil {
		return nil, err
	}
	b.silence = silence
	for try := 1; ; try++ {
		if err = b.create(ctx); err == nil {
			return b, nil
		}
		if try == 5 || ctx.Err() != nil {
			b.Close()
			return nil, fmt.Errorf("JetStream at %s: %w", a.URL, err)
		}
		// of two that open a new server at once, one may be refused
		Wait(ctx, 300*time.Millisecond)
	}
}

// Join connects a worker. It waits for a server that is away, and for a coordinator to open it, as
// long as the context lasts.
func Join(ctx context.Context, a Access, name string, log *slog.Logger) (*Broker, error) {
	for tries := 0; ; tries++ {
		b, err := a.connect(name, log)
		if err == nil {
			if err = b.find(ctx); err == nil {
				return b, nil
			}
			b.Close()
			err = fmt.Errorf("JetStream at %s: %w", a.URL, err)
		} else if !away(err) {
			return nil, err
		}
		if tries == 0 {
			log.Info("waiting for a coordinator", "error", err)
		}
		if Wait(ctx, Backoff(tries)); ctx.Err() != nil {
			return nil, err
		}
	}
}

// Close ends the connection.
func (b *Broker) Close() { b.conn.Close() }

// Served returns a context that ends with ErrOver when the server announces that it ends for good,
// as one inside a sweep or run does at the end. A site's own server never does.
func (b *Broker) Served(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	context.AfterFunc(b.over, func() { cancel(ErrOver) })
	return ctx, cancel
}

// Backoff returns how long to wait after a number of failed tries, counted from 0: a second, then
// twice as long each time, a quarter of a minute at most, which is less than Silence.
func Backoff(tries int) time.Duration { return min(time.Second<<min(tries, 10), Silence/2) }

// create makes stream, queue and store, if they do not exist, and looks them up.
func (b *Broker) create(ctx context.Context) error {
	copies := 1
	if b.conn.ConnectedClusterName() != "" {
		copies = 3
	}
	tasks, err := b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{RunPrefix + "*.*", EpochPrefix + "*.*"},
		Retention: jetstream.WorkQueuePolicy, Replicas: copies,
	})
	if err != nil {
		return err
	}
	if _, err = b.js.CreateOrUpdateObjectStore(ctx,
		jetstream.ObjectStoreConfig{Bucket: objectsStore, Replicas: copies}); err != nil {
		return err
	}
	_, err = tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.silence,
		MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	return b.find(ctx)
}

// find looks stream, queue and store up.
func (b *Broker) find(ctx context.Context) (err error) {
	if b.tasks, err = b.js.Stream(ctx, tasksStream); err != nil {
		return err
	}
	if b.objects, err = b.js.ObjectStore(ctx, objectsStore); err != nil {
		return err
	}
	b.queue, err = b.tasks.Consumer(ctx, workersName)
	return err
}
