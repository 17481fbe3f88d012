package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"clade/evolve/spread"
	"clade/experiments/broker"
)

// Broker is what carries work and results between coordinators and workers. Package broker has the
// one over NATS, whose comments say what is promised.
type Broker interface {
	Queue
	Leases
	Objects
	Messages
}

// Queue hands each task to one worker at a time.
type Queue interface {
	Offer(ctx context.Context, subject string, content []byte) error
	Next(ctx context.Context) (broker.Task, error)
	Withdraw(ctx context.Context, subject string) error
}

// Leases are small records that one worker can change at a time.
type Leases interface {
	Lease(ctx context.Context, key string) (broker.Lease, error)
	SetLease(ctx context.Context, key string, value []byte, after uint64) (uint64, error)
	Leases(ctx context.Context, prefix string) ([]broker.Lease, error)
	DropLease(ctx context.Context, key string) error
}

// Objects are named bytes: snapshots of runs, and epochs before and after they are bred.
type Objects interface {
	Put(ctx context.Context, name string, content []byte) error
	Get(ctx context.Context, name string) ([]byte, error)
	Remove(ctx context.Context, name string) error
	Objects(ctx context.Context, prefix string) ([]string, error)
}

// Messages are questions with answers, and calls to all.
type Messages interface {
	Ask(ctx context.Context, subject string, question []byte) ([]byte, error)
	Answer(subject string, handle func(question []byte, answer func([]byte))) (stop func(),
		err error)
	Tell(subject string, content []byte) error
	Listen(subject string, hear func(content []byte)) error
}

// Timing of the protocol.
const (
	snapshotEvery = time.Minute      // between two snapshots that a worker hands over
	patience      = 10 * time.Second // for an answer
	lookEvery     = 2 * time.Second  // between two looks at what is missing
)

// maxTries is how often a run or epoch is tried without getting any further before it is set aside.
const maxTries = 3

// resolvedStudy is a study as text.
type resolvedStudy struct {
	Study string `json:"study"` // in TOML
	Name  string `json:"name"`
}

// runTask is a run to be done.
type runTask struct {
	Sweep   string `json:"sweep"`
	Key     string `json:"key"`
	Program string `json:"program"` // version of the coordinator's
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
	Sum    []byte `json:"sum"`  // SHA-256 of the object
	Error  string `json:"error,omitempty"`
	Host   string `json:"host"`
}

// answer is what the coordinator says to a result.
type answer struct {
	Stored  bool   `json:"stored,omitempty"`   // it is on the disk, or is not wanted any more
	Wanted  bool   `json:"wanted,omitempty"`   // of an epoch that a worker has asked for
	Wait    bool   `json:"wait,omitempty"`     // it is being bred again, to compare; ask again
	ShutOut bool   `json:"shut_out,omitempty"` // nothing of this worker is taken any more
	Error   string `json:"error,omitempty"`    // why it was not taken
}

// signature begins a message of a worker: its public key and its signature over the subject and the
// content, so that no worker can speak for another.
const signature = ed25519.PublicKeySize + ed25519.SignatureSize

// sign signs a message.
func sign(key ed25519.PrivateKey, subject string, content []byte) []byte {
	message := append([]byte(nil), key.Public().(ed25519.PublicKey)...)
	message = append(message, ed25519.Sign(key, signedPart(subject, content))...)
	return append(message, content...)
}

// verify returns the content of a signed message, and who has signed it.
func verify(subject string, message []byte) (worker string, content []byte, err error) {
	if len(message) < signature {
		return "", nil, errors.New("a message without signature")
	}
	key, content := ed25519.PublicKey(message[:ed25519.PublicKeySize]), message[signature:]
	if !ed25519.Verify(key, signedPart(subject, content),
		message[ed25519.PublicKeySize:signature]) {
		return "", nil, errors.New("a message with a wrong signature")
	}
	return nameOf(key), content, nil
}

func signedPart(subject string, content []byte) []byte {
	return append([]byte(subject+"\x00"), content...)
}

// nameOf names the owner of a key.
func nameOf(key ed25519.PublicKey) string { return fmt.Sprintf("%x", sha256.Sum256(key))[:16] }

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
func offer(ctx context.Context, q Queue, subject string, task any) error {
	content, err := json.Marshal(task)
	if err != nil {
		return err
	}
	return q.Offer(ctx, subject, content)
}

// answerResults answers what workers report of a sweep or run, until the function that it returns
// is called.
func answerResults(m Messages, log *slog.Logger, id string, take func(ctx context.Context,
	worker string, r *result) (answer, error)) (stop func(), err error) {
	subject := broker.ResultPrefix + id
	return m.Answer(subject, func(question []byte, reply func([]byte)) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var r result
		var a answer
		worker, content, err := verify(subject, question)
		if err == nil {
			err = json.Unmarshal(content, &r)
		}
		if err == nil {
			a, err = take(ctx, worker, &r)
		}
		if err != nil {
			log.Warn("a result was not taken", "worker", worker, "host", r.Host, "error", err)
			a.Error = err.Error()
		}
		if content, err = json.Marshal(a); err == nil {
			reply(content)
		}
	})
}

// fetch returns an object that a worker has reported, and not what another has put in its place.
func fetch(ctx context.Context, o Objects, r *result) ([]byte, error) {
	content, err := o.Get(ctx, r.Object)
	if err == nil && sha256.Sum256(content) != [32]byte(append(r.Sum, make([]byte, 32)...)[:32]) {
		err = fmt.Errorf("%s is not what was handed over", r.Object)
	}
	return content, err
}

// drop removes what is no longer needed of a run or epoch. What stays behind only takes room.
func drop(ctx context.Context, b Broker, leaseKey string, objects ...string) {
	for _, o := range objects {
		_ = b.Remove(ctx, o)
	}
	_ = b.DropLease(ctx, leaseKey)
}

// sharedRun is a run of which workers do a part.
type sharedRun struct {
	Broker
	call
	dir   string
	trust *spread.Trust
	log   *slog.Logger
}
