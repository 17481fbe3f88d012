package spread

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Trust keeps what a run knows of its remote workers, by their names. Something that a worker hands
// in is due when it is to be done again on the run's machine before it counts: the first of every
// worker is, and then what Audit chooses. It is safe for concurrent use.
type Trust struct {
	// Audit chooses; nil means that nothing is due at all. No worker may foresee it.
	Audit func() bool
	// Save is called with the generations from which on the workers had a part in the run, when one
	// comes in, before its part counts; nil for nothing. What it was given last goes into Since
	// when the run goes on in another process.
	Save  func(since map[string]int) error
	Since map[string]int
	// Before are workers that were shut out of the run in another process.
	Before map[string]bool

	mu   sync.Mutex
	true map[string]bool // workers of which something was done again, and was right
	lies map[string]*Lie
}

// Lie is the error of a run in which a worker had a part that was found untrue later.
type Lie struct {
	Worker string
	Since  int // generation from which on the run may be untrue; -1 where all of it is true
}

func (l *Lie) Error() string {
	return fmt.Sprintf("worker %s handed in what this machine does not find: machines or "+
		"programs do not agree, or the worker lies; what was bred since generation %d may be "+
		"untrue", l.Worker, l.Since)
}

// Due tells whether something of a worker is to be done again here.
func (t *Trust) Due(worker string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Audit != nil && (!t.true[worker] || t.Audit())
}

// Right notes that something was done again and was right.
func (t *Trust) Right(worker string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.true == nil {
		t.true = map[string]bool{}
	}
	t.true[worker] = true
}

// Takes notes that something of a worker is taken, unseen, in a generation.
func (t *Trust) Takes(worker string, generation int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if since, known := t.Since[worker]; known && since <= generation {
		return nil
	}
	next := maps.Clone(t.Since)
	if next == nil {
		next = map[string]int{}
	}
	next[worker] = generation
	if t.Save != nil {
		if err := t.Save(next); err != nil {
			return err
		}
	}
	t.Since = next
	return nil
}

// Lied notes that something of a worker was untrue. Nothing of it is to be taken any more.
func (t *Trust) Lied(worker string) *Lie {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lies == nil {
		t.lies = map[string]*Lie{}
	}
	since, known := t.Since[worker]
	if !known {
		since = -1
	}
	t.lies[worker] = &Lie{worker, since}
	return t.lies[worker]
}

// ShutOut tells whether nothing of a worker is to be taken.
func (t *Trust) ShutOut(worker string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lies[worker] != nil || t.Before[worker]
}

// Lies returns a lie of each worker that was shut out, by the workers' names.
func (t *Trust) Lies() []*Lie {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Values(t.lies),
		func(a, b *Lie) int { return strings.Compare(a.Worker, b.Worker) })
}

// Worst returns the lie that makes most of the run untrue; nil where the run is true.
func (t *Trust) Worst() *Lie {
	var worst *Lie
	for _, l := range t.Lies() {
		if l.Since >= 0 && (worst == nil || l.Since < worst.Since) {
			worst = l
		}
	}
	return worst
}
