package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/experiments/lease"
)

// Names in NATS. One stream, one bucket and one store serve all sweeps of a site.
const (
	tasksStream  = "clade-tasks"
	runPrefix    = "clade.task."   // sweep, run: a run to be done, at most one message for each
	epochPrefix  = "clade.epoch."  // run, epoch: one to be bred, at most one message for each
	askPrefix    = "clade.ask."    // run: a remote worker's request
	callSubject  = "clade.call"    // runs that others can play for say so
	resultPrefix = "clade.result." // sweep or run: asks the coordinator to take a result
	workersName  = "clade-workers" // the one consumer of the stream
	leasesBucket = "clade-leases"  // sweep.run: who is on a run, and how far
	objectsStore = "clade-packs"   // snapshots of runs, and epochs before and after they are bred
)

// Timing of the protocol.
const (
	silence       = 30 * time.Second // without a sign of life a run is given to another worker
	snapshotEvery = time.Minute      // between two snapshots that a worker hands over
	patience      = 10 * time.Second // for an answer
	lookEvery     = 2 * time.Second  // between two looks at what is missing
)

// resolvedStudy is a study as text.
type resolvedStudy struct {
	Study string `json:"study"` // in TOML
	Name  string `json:"name"`
}

// runTask is a run to be done.
type runTask struct {
	Sweep string `json:"sweep"`
	Key   string `json:"key"`
	resolvedStudy
}

// call says that others can play for a run.
type call struct {
	Run string `json:"run"`
	resolvedStudy
}

// epochTask is an epoch to be bred.
type epochTask struct {
	call
	Key   string `json:"key"`   // island-from-to
	Input string `json:"input"` // the sealed epoch in the store
}

// result is what a worker reports to the coordinator. Without object and error it asks whether an
// epoch is wanted.
type result struct {
	Key    string `json:"key"`
	Object string `json:"pack"` // in the store: snapshot of the run, or result of the epoch
	Error  string `json:"error,omitempty"`
	Host   string `json:"host"`
}

// stored is the coordinator's answer when a result is on its disk.
const stored = "stored"

// leaseRecord is the lease of a run or epoch as the bucket holds it. Its revision is the fencing
// token: every change names the revision that it follows.
type leaseRecord struct {
	Worker     string  `json:"worker"`
	Number     int     `json:"number"` // of workers so far
	Snapshot   string  `json:"pack"`   // newest one in the store, empty for none
	Generation int     `json:"generation"`
	Seconds    float64 `json:"seconds"` // a generation
}

// broker is what coordinator and workers share.
type broker struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	leases  jetstream.KeyValue
	objects jetstream.ObjectStore
	tasks   jetstream.Stream
	log     *slog.Logger
}

// openBroker connects, and makes what is not there yet. Where NATS is a cluster it makes three
// copies, to outlive the loss of a server.
func openBroker(ctx context.Context, a *Access, name string, log *slog.Logger) (*broker, error) {
	conn, err := a.connect(name, log)
	if err != nil {
		return nil, err
	}
	b := &broker{conn: conn, log: log}
	if b.js, err = jetstream.New(conn, jetstream.WithDefaultTimeout(patience)); err == nil {
		copies := 1
		if conn.ConnectedClusterName() != "" {
			copies = 3
		}
		for try := 1; ; try++ {
			if err = b.open(ctx, copies); err == nil || try == 5 || ctx.Err() != nil {
				break
			}
			// of two that open a new server at once, one may be refused
			wait(ctx, 300*time.Millisecond)
		}
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("JetStream at %s: %w", a.URL, err)
	}
	return b, nil
}

func (b *broker) open(ctx context.Context, copies int) (err error) {
	if b.tasks, err = b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{runPrefix + "*.*", epochPrefix + "*.*"},
		Retention: jetstream.WorkQueuePolicy, Replicas: copies,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	}); err != nil {
		return err
	}
	if b.leases, err = b.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: leasesBucket, History: 1, Replicas: copies}); err != nil {
		return err
	}
	b.objects, err = b.js.CreateOrUpdateObjectStore(ctx,
		jetstream.ObjectStoreConfig{Bucket: objectsStore, Replicas: copies})
	return err
}

// wait waits, or less when the context ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// workID names a sweep or run by its host and directory, so that two sweeps of one study do not
// take each other's results.
func workID(dir string) string {
	host, _ := os.Hostname()
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(host+"\x00"+dir)))[:16]
}

// offer queues a run or an epoch, unless it is in the queue.
func (b *broker) offer(ctx context.Context, subject string, task any) error {
	content, err := json.Marshal(task)
	if err != nil {
		return err
	}
	// The server has one code for all reasons not to store a message.
	_, err = b.js.Publish(ctx, subject, content)
	if err != nil && !strings.Contains(err.Error(), "maximum messages per subject exceeded") {
		return fmt.Errorf("cannot offer %s: %w", subject, err)
	}
	return nil
}

// results answers what workers report of a sweep or run. An answer of take says that the result is
// on the disk.
func (b *broker) results(id string, take func(context.Context, *result) (answer string,
	err error)) (*nats.Subscription, error) {
	return b.conn.Subscribe(resultPrefix+id, func(m *nats.Msg) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var r result
		var answer string
		err := json.Unmarshal(m.Data, &r)
		if err == nil {
			answer, err = take(ctx, &r)
		}
		if err != nil {
			b.log.Warn("a result was not taken", "error", err)
			answer = err.Error()
		}
		_ = m.Respond([]byte(answer)) // a lost answer is asked for again
	})
}

// report brings a result to the coordinator of a sweep or run, and returns its answer.
func (b *broker) report(ctx context.Context, id string, r *result) (string, error) {
	content, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := b.conn.RequestWithContext(ctx, resultPrefix+id, content)
	if err != nil {
		return "", err
	}
	return string(answer.Data), nil
}

// drop removes what is no longer needed of a run or epoch. What stays behind only takes room.
func (b *broker) drop(ctx context.Context, leaseKey string, objects ...string) {
	for _, o := range objects {
		_ = b.objects.Delete(ctx, o)
	}
	_ = b.leases.Purge(ctx, leaseKey)
}

func leaseKey(id, key string) string { return id + "." + key }

// heldLease is the lease of a run or epoch in the hands of a worker.
type heldLease struct {
	*broker
	key      string
	revision uint64
	lost     atomic.Bool
	leaseRecord
}

// take takes the lease of a run or epoch for a worker. The queue gave the work to this worker, so
// the last holder was silent for too long, or stepped down. If it lives after all, its next change
// of the lease fails.
func (b *broker) take(ctx context.Context, key, worker string) (*heldLease, error) {
	l := &heldLease{broker: b, key: key}
	e, err := b.leases.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
	case err != nil:
		return nil, err
	default:
		l.revision = e.Revision()
		if err := json.Unmarshal(e.Value(), &l.leaseRecord); err != nil {
			return nil, fmt.Errorf("the lease of %s is damaged: %w", key, err)
		}
	}
	l.Worker, l.Number = worker, l.Number+1
	return l, l.renew(ctx)
}

// renew writes the lease. The error is lease.ErrLost when another worker has written it since, and
// any other when that is not known.
func (l *heldLease) renew(ctx context.Context) error {
	content, err := json.Marshal(l.leaseRecord)
	if err != nil {
		return err
	}
	revision, err := l.leases.Update(ctx, l.key, content, l.revision)
	if err == nil {
		l.revision = revision
		return nil
	}
	var api *jetstream.APIError
	if !errors.As(err, &api) || api.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence &&
		api.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequenceConstant {
		return err
	}
	// Our own change may have been written and its answer lost: then it is what we find there.
	if e, getErr := l.leases.Get(ctx, l.key); getErr == nil &&
		string(e.Value()) == string(content) {
		l.revision = e.Revision()
		return nil
	}
	l.lost.Store(true)
	return lease.ErrLost
}

// handOver puts a snapshot of the run into the store and makes it the newest. The one before goes.
func (l *heldLease) handOver(ctx context.Context, archive []byte) error {
	name := fmt.Sprintf("%s.%d.%d", l.key, l.Number, l.revision)
	if _, err := l.objects.PutBytes(ctx, name, archive); err != nil {
		return fmt.Errorf("cannot hand over a snapshot: %w", err)
	}
	old := l.Snapshot
	l.Snapshot = name
	if err := l.renew(ctx); err != nil {
		l.Snapshot = old
		return err
	}
	if old != "" && old != name {
		_ = l.objects.Delete(ctx, old) // what stays behind only takes room
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

// sharedRun is a run of which workers do a part.
type sharedRun struct {
	*broker
	call
	dir string
}
