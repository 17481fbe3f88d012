// Package protocol is what coordinators and workers of a cluster say to each other: tasks, leases,
// results and answers, signed, and snapshots of run directories. Package broker carries them.
package protocol

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"clade/experiments/cluster/broker"
)

// Broker is what carries work and results between coordinators and workers. Package broker has the
// one over NATS, whose comments say what is promised.
type Broker interface {
	// A queue hands each task to one worker at a time.
	Offer(ctx context.Context, subject string, content []byte) error
	Next(ctx context.Context) (broker.Task, error)
	Withdraw(ctx context.Context, subject string) error

	// Leases are small records that one worker can change at a time.
	Lease(ctx context.Context, key string) (broker.Lease, error)
	SetLease(ctx context.Context, key string, value []byte, after uint64) (uint64, error)
	DropLease(ctx context.Context, key string) error

	// Objects are named bytes: snapshots of runs, and epochs before and after they are bred.
	Put(ctx context.Context, name string, content []byte) error
	Get(ctx context.Context, name string) ([]byte, error)
	Remove(ctx context.Context, name string) error
	Objects(ctx context.Context, prefix string) ([]string, error)

	// Messages are questions with answers.
	Ask(ctx context.Context, subject string, question []byte) ([]byte, error)
	Answer(subject string, handle func(question []byte, answer func([]byte))) (stop func(),
		err error)

	// Announce tells coordinators of a worker, and Hear what workers announce.
	Announce(worker string, content []byte) error
	Hear(hear func(worker string, content []byte)) (stop func(), err error)
}

// Fetch returns an object with a SHA-256, and not what another has put in its place.
func Fetch(ctx context.Context, b Broker, name string, sum []byte) ([]byte, error) {
	content, err := b.Get(ctx, name)
	if is := sha256.Sum256(content); err == nil && !bytes.Equal(is[:], sum) {
		err = fmt.Errorf("%s is %w", name, ErrSwapped)
	}
	return content, err
}

// ErrSwapped is wrapped by the error of Fetch for another object than the one that is meant.
var ErrSwapped = errors.New("not what was handed over")

// ResolvedStudy is a study as text.
type ResolvedStudy struct {
	Study string `json:"study"` // in TOML
	Name  string `json:"name"`
}

// RunTask is a run to be done.
type RunTask struct {
	Sweep   string `json:"sweep"`
	Key     string `json:"key"`
	Program string `json:"program"` // version of the coordinator's
	ResolvedStudy
}

// EpochTask is an epoch to be bred.
type EpochTask struct {
	Run string `json:"run"`
	ResolvedStudy
	Key   string `json:"key"`   // island-from-to
	Input string `json:"input"` // the sealed epoch in the store
	Sum   []byte `json:"sum"`   // its SHA-256, or any worker could put another in its place
}

// Result is what a worker reports to the coordinator. Without object and error it asks whether an
// epoch is wanted.
type Result struct {
	Key    string `json:"key"`
	Begun  Begun  `json:"begun,omitzero"` // of a run
	Object string `json:"pack"`           // in the store: the run, or the result of the epoch
	Sum    []byte `json:"sum"`            // SHA-256 of the object
	Error  string `json:"error,omitempty"`
	Host   string `json:"host"`
}

// Answer is what the coordinator says to a result.
type Answer struct {
	Stored  bool   `json:"stored,omitempty"`   // it is on the disk, or is not wanted any more
	Wanted  bool   `json:"wanted,omitempty"`   // of an epoch that a worker has asked for
	Wait    bool   `json:"wait,omitempty"`     // it is being bred again, to compare; ask again
	ShutOut bool   `json:"shut_out,omitempty"` // nothing of this worker is taken any more
	Anew    bool   `json:"anew,omitempty"`     // those who had a part in the run must not share one
	Error   string `json:"error,omitempty"`    // why it was not taken
}

// LeaseRecord is what the lease of a run or epoch says.
type LeaseRecord struct {
	Worker     string `json:"worker"`
	Number     int    `json:"number"` // of workers so far
	Tries      int    `json:"tries"`  // since it last got further
	Fault      string `json:"fault"`  // what the last try ended in, if it could tell
	Snapshot   string `json:"pack"`   // newest one in the store, empty for none
	Word       []byte `json:"word"`   // its SHA-256, signed by its worker
	Generation int    `json:"generation"`
}

// Presence is what a worker says of itself again and again, for people to read.
type Presence struct {
	Worker string    `json:"worker"` // name
	Since  time.Time `json:"since"`  // by its clock
	Work   []Work    `json:"work"`   // under way
}

// Work is a run or an epoch in the hands of a worker.
type Work struct {
	Lease      string    `json:"lease"`
	Study      string    `json:"study"`
	Epoch      bool      `json:"epoch,omitempty"`
	Since      time.Time `json:"since"`
	Generation int       `json:"generation"` // of a run: those that are over
	Seconds    float64   `json:"seconds"`    // a generation
}

// Key is that of the run or epoch.
func (w *Work) Key() string { return w.Lease[strings.Index(w.Lease, ".")+1:] }

// LeaseKey names the lease of a run of a sweep, or of an epoch of a run.
func LeaseKey(id, key string) string { return id + "." + key }

// EpochObjects begins the names of the epochs of a run in the store.
func EpochObjects(run string) string { return "epoch." + run + "." }

// Patience is how long an answer is waited for.
const Patience = 10 * time.Second
