// Package protocol defines the messages between coordinators and workers of a cluster (tasks,
// results and answers) and snapshots of run directories. Package broker carries them.
package protocol

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"clade/experiments/cluster/broker"
)

// Broker carries work and results between coordinators and workers. Package broker implements it
// over NATS; its comments state the guarantees.
type Broker interface {
	// A queue hands each task to one worker at a time.
	Offer(ctx context.Context, subject string, content []byte) error
	Next(ctx context.Context) (broker.Task, error)
	Withdraw(ctx context.Context, subject string) error

	// Objects are named bytes: snapshots of runs, and epochs before and after they are bred.
	Put(ctx context.Context, name, by string, content []byte) error
	Get(ctx context.Context, name string) ([]byte, error)
	By(ctx context.Context, name string) (string, error)
	Remove(ctx context.Context, names ...string) error
	Objects(ctx context.Context, prefix string) ([]string, error)

	// Messages are questions with answers.
	Ask(ctx context.Context, subject string, question []byte) ([]byte, error)
	Answer(subject string, answer func(question []byte) []byte) (stop func(), err error)

	// Announce publishes the state of a worker, and Hear receives such announcements.
	Announce(worker string, content []byte) error
	Hear(hear func(worker string, content []byte)) (stop func(), err error)
}

// Fetch returns the object that has the SHA-256; another one in its place is an error.
func Fetch(ctx context.Context, b Broker, name string, sum []byte) ([]byte, error) {
	content, err := b.Get(ctx, name)
	if is := sha256.Sum256(content); err == nil && !bytes.Equal(is[:], sum) {
		err = fmt.Errorf("%s is %w", name, ErrSwapped)
	}
	return content, err
}

// ErrSwapped is wrapped by the error of Fetch for an object other than the expected one.
var ErrSwapped = errors.New("not what was handed over")

// Task is a run to be done, or an epoch of one, which is sealed in the store. The subject names it.
type Task struct {
	Program string `json:"program"` // version of the coordinator's
	Study   string `json:"study"`   // in TOML
	Name    string `json:"name"`    // of the study
	// Sum is the SHA-256 of an epoch's object, or any worker could put another in its place.
	Sum []byte `json:"sum,omitempty"`
}

// Result is what a worker reports to the coordinator of a run or an epoch: what was bred, or how a
// try to breed it ended. With neither it asks whether it is to try.
type Result struct {
	Key  string `json:"key"`
	Host string `json:"host"`
	Sum  []byte `json:"sum,omitempty"` // SHA-256 of what was bred, which is in the store
	// Before are those that had a part in the run before, as the snapshots say from which it was
	// continued; see MostBefore.
	Before []string `json:"before,omitempty"`
	// Generation is the one from which a try of a run continues.
	Generation int    `json:"generation,omitempty"`
	Error      string `json:"error,omitempty"` // what the try failed in
	Back       bool   `json:"back,omitempty"`  // what it ended in is not the work's fault
}

// MostBefore is how many workers are named that had a part in a run before: the first of them.
const MostBefore = 100

// Answer is the coordinator's answer to a result.
type Answer struct {
	Stored  bool   `json:"stored,omitempty"`   // it is on the disk, or is not wanted any more
	Wait    bool   `json:"wait,omitempty"`     // it is being bred again, to compare; ask again
	ShutOut bool   `json:"shut_out,omitempty"` // nothing of this worker is taken any more
	Anew    bool   `json:"anew,omitempty"`     // the run must be begun from nothing
	Error   string `json:"error,omitempty"`    // why it was not taken
}

// WorkName returns the name of a run of a sweep, or of an epoch of a run, and of its object in the
// store: the newest snapshot of the run, at last the whole run, or the sealed epoch. What a worker
// makes of an epoch has the same name with that of the worker behind it.
func WorkName(id, key string) string { return id + "." + key }
