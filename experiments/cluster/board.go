package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names in JetStream. One stream, one bucket and one store serve all sweeps of a site.
const (
	tasksStream = "clade-tasks"
	// sweep, run: a run that is to be done; at most one message for each
	tasksPrefix = "clade.task."
	// run, epoch: a stretch of generations of an island that is to be bred; at most one message for
	// each
	epochsPrefix = "clade.epoch."
	askPrefix    = "clade.ask."    // run: a remote worker's request
	callSubject  = "clade.call"    // runs that others can play for say so
	resultPrefix = "clade.result." // sweep or run: asks the coordinator to take a result
	workersName  = "clade-workers" // the one consumer of the stream
	leasesBucket = "clade-leases"  // sweep.run: who is on a run, and how far
	// run directories as archives, and epochs before and after they are bred
	packsStore = "clade-packs"
)

// Timing of the protocol.
const (
	silence   = 30 * time.Second // without a sign of life from its worker a run is given to another
	packEvery = time.Minute      // between two checkpoints that a worker hands over
	patience  = 10 * time.Second // for an answer
)

// task is a run to be done.
type task struct {
	Sweep string `json:"sweep"`
	Key   string `json:"key"`
	Study string `json:"study"` // resolved, in TOML
	Name  string `json:"name"`
}

// hold is the lease of a run as the bucket holds it. Its revision is the fencing token: every
// change names the revision that it follows.
type hold struct {
	Worker     string  `json:"worker"`
	Number     int     `json:"number"` // of workers so far
	Pack       string  `json:"pack"`   // newest archive in the store, empty for none
	Generation int     `json:"generation"`
	Seconds    float64 `json:"seconds"` // a generation
}

// result is what a worker tells the coordinator.
type result struct {
	Key string `json:"key"`
	// archive of the run that is done, or result of the epoch, in the store
	Pack  string `json:"pack"`
	Error string `json:"error,omitempty"` // or why it failed
	Host  string `json:"host"`
}

// stored is the coordinator's answer when a result is on its disk.
const stored = "stored"

// board is what coordinator and workers share.
type board struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	leases jetstream.KeyValue
	packs  jetstream.ObjectStore
	tasks  jetstream.Stream
}

// openBoard connects, and makes what is not there yet: in three copies where NATS is a cluster, so
// that it outlives one of its servers.
func openBoard(ctx context.Context, a *Access, name string, lost func(error)) (*board, error) {
	conn, err := a.connect(name, lost)
	if err != nil {
		return nil, err
	}
	b := &board{conn: conn}
	if b.js, err = jetstream.New(conn, jetstream.WithDefaultTimeout(patience)); err == nil {
		copies := 1
		if conn.ConnectedClusterName() != "" {
			copies = 3
		}
		for try := 1; ; try++ {
			if err = b.open(ctx, copies); err == nil || try == 5 || ctx.Err() != nil {
				break
			}
			// of two who open a new server at once, one may be told that it failed
			wait(ctx, 300*time.Millisecond)
		}
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("JetStream at %s: %w", a.URL, err)
	}
	return b, nil
}

func (b *board) open(ctx context.Context, copies int) error {
	var err error
	b.tasks, err = b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{tasksPrefix + "*.*", epochsPrefix + "*.*"},
		Retention: jetstream.WorkQueuePolicy, Replicas: copies,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err != nil {
		return err
	}
	if b.leases,
		err = b.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: leasesBucket,
		History: 1, Replicas: copies}); err != nil {
		return err
	}
	b.packs, err = b.js.CreateOrUpdateObjectStore(ctx,
		jetstream.ObjectStoreConfig{Bucket: packsStore, Replicas: copies})
	return err
}

// offer puts a run on the board, unless it is there.
func (b *board) offer(ctx context.Context, t *task) error {
	return b.put(ctx, tasksPrefix+t.Sweep+"."+t.Key, t)
}

// put puts a piece of work on the board, unless it is there.
func (b *board) put(ctx context.Context, subject string, work any) error {
	content, err := json.Marshal(work)
	if err != nil {
		return err
	}
	_, err = b.js.Publish(ctx, subject, content)
	if err != nil && !strings.Contains(err.Error(), "maximum messages per subject exceeded") {
		return fmt.Errorf("cannot offer %s: %w", subject, err)
	}
	return nil
}

func holdKey(sweep, key string) string { return sweep + "." + key }

// errFenced says that another worker has the run now.
var errFenced = errors.New("another worker has taken the run")

// grip is a run's lease in the hands of a worker.
type grip struct {
	*board
	key      string
	revision uint64
	hold
}

// take takes a run for a worker. The queue gave the run to this worker, so whoever had it before
// was silent for too long, or stepped down; if it lives after all, its next change of the lease
// fails.
func (b *board) take(ctx context.Context, key, worker string) (*grip, error) {
	g := &grip{board: b, key: key}
	e, err := b.leases.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
	case err != nil:
		return nil, err
	default:
		g.revision = e.Revision()
		if err := json.Unmarshal(e.Value(), &g.hold); err != nil {
			return nil, fmt.Errorf("the lease of %s is damaged: %w", key, err)
		}
	}
	g.Worker, g.Number = worker, g.Number+1
	return g, g.renew(ctx)
}

// renew writes the lease. The error is errFenced when another has written it since, and any other
// when that is not known.
func (g *grip) renew(ctx context.Context) error {
	content, err := json.Marshal(g.hold)
	if err != nil {
		return err
	}
	revision, err := g.leases.Update(ctx, g.key, content, g.revision)
	if err == nil {
		g.revision = revision
		return nil
	}
	if !isConflict(err) {
		return err
	}
	// Our own change may have been written and its answer lost: then what stands there is what we
	// wrote.
	if e, getErr := g.leases.Get(ctx, g.key); getErr == nil &&
		string(e.Value()) == string(content) {
		g.revision = e.Revision()
		return nil
	}
	return errFenced
}

// sign shows the lease and the queue that the worker lives.
func (g *grip) sign(msg jetstream.Msg, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := g.renew(ctx); err != nil {
		return err
	}
	return msg.InProgress()
}

// isConflict tells whether a change named a revision that is no longer the last.
func isConflict(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	return api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// hand puts an archive of the run into the store and makes it the newest; the one before goes away.
func (g *grip) hand(ctx context.Context, archive []byte) error {
	name := fmt.Sprintf("%s.%d.%d", g.key, g.Number, g.revision)
	if _, err := g.packs.PutBytes(ctx, name, archive); err != nil {
		return fmt.Errorf("cannot hand over a checkpoint: %w", err)
	}
	old := g.Pack
	g.Pack = name
	if err := g.renew(ctx); err != nil {
		g.Pack = old
		return err
	}
	if old != "" && old != name {
		_ = g.packs.Delete(ctx, old) // what stays behind only takes room
	}
	return nil
}
