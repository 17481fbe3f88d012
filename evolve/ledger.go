package evolve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
)

// Ledger knows how far each island of a run is bred elsewhere, and what can be bred next. Trails
// may come in any order, late and more than once. It is safe for concurrent use.
type Ledger struct {
	setup *Setup

	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	ways    []way         // of the islands
	at      int           // generation that the run is at
	saved   int           // generation of the run's newest checkpoint
	err     error
	useless bool
}

// way is how far an island is.
type way struct {
	front     int    // generation whose selection is not known yet
	people    []byte // who are there when it begins
	played    map[int][]byte
	leaving   map[int][]byte // by generation, transcripts of the choice of emigrants
	emigrants map[int][]byte
}

// ahead is how many legs an island may be in front of the run, which keeps what they were until it
// has come so far.
const ahead = 4

// newLedger begins where the run is.
func newLedger(r *Run) *Ledger {
	l := &Ledger{setup: &r.Setup, changed: make(chan struct{}), at: r.state.generation,
		saved: max(0, r.saved)}
	for _, people := range r.state.people {
		l.ways = append(l.ways, way{
			front: r.state.generation, people: encodePeople(people), played: map[int][]byte{},
			leaving: map[int][]byte{}, emigrants: map[int][]byte{},
		})
	}
	return l
}

// Setup returns the run's setup, which Breed needs on another machine too.
func (l *Ledger) Setup() *Setup { return l.setup }

// Changed returns a channel that is closed when Legs or Saved may have changed.
func (l *Ledger) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

func (l *Ledger) change() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Legs returns the legs that can be bred now, at most one an island. They are the same until a
// trail is added or the run has gone on.
func (l *Ledger) Legs() []*Leg {
	l.mu.Lock()
	defer l.mu.Unlock()
	var legs []*Leg
	for i := range l.ways {
		if leg := l.next(i); leg != nil {
			legs = append(legs, leg)
		}
	}
	return legs
}

// longest returns how many generations a leg has at most: from migration to migration, and not more
// than from checkpoint to checkpoint, which is what the run's owner is ready to lose.
func (l *Ledger) longest() int {
	c := &l.setup.Config
	return min(c.Migration.Every, c.Checkpoint)
}

// next returns an island's next leg; nil where it must wait, or is at its end.
func (l *Ledger) next(island int) *Leg {
	w, c := &l.ways[island], &l.setup.Config
	if w.front >= c.Generations || w.front >= l.at+ahead*l.longest() {
		return nil
	}
	leg := &Leg{Island: island, From: w.front, To: w.front, people: w.people}
	if c.migrates(w.front) {
		if w.emigrants[w.front] == nil {
			return leg // which chooses them
		}
		if leg.immigrants = l.ways[(island+
			len(l.ways)-1)%len(l.ways)].emigrants[w.front]; leg.immigrants == nil {
			return nil
		}
	}
	for leg.To = w.front + 1; leg.To < min(c.Generations, w.front+l.longest()) &&
		!c.migrates(leg.To); {
		leg.To++
	}
	return leg
}

// Add notes what came of a leg. A trail that came before is compared; one that contradicts what is
// known is refused, and so is one that does not fit the run.
func (l *Ledger) Add(t *Trail) error {
	c := &l.setup.Config
	if t.Island < 0 || t.Island >= c.Islands || t.From < 0 || t.To > c.Generations ||
		len(t.played) != t.To-t.From || (len(t.emigrants) > 0) != c.migrates(t.To) ||
		(len(t.people) > 0) != (t.From < t.To && t.To < c.Generations) {
		return fmt.Errorf("evolve: a trail of island %d from generation %d to %d does not fit "+
			"the run", t.Island, t.From, t.To)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &l.ways[t.Island]
	if t.To < l.saved || t.From > w.front {
		return nil // too old, or behind a gap
	}
	if t.To > w.front && c.migrates(w.front) && w.emigrants[w.front] == nil {
		// behind a gap too: those who leave the island at its beginning are not known, and only the
		// people of now can tell
		return nil
	}
	for i, p := range t.played {
		if err := note(w.played, t.Island, t.From+i, l.saved, p); err != nil {
			return err
		}
	}
	if len(t.emigrants) > 0 {
		if err := errors.Join(note(w.leaving, t.Island, t.To, l.saved, t.leaving),
			note(w.emigrants, t.Island, t.To, l.saved, t.emigrants)); err != nil {
			return err
		}
	}
	if t.To > w.front {
		w.front, w.people = t.To, t.people
	}
	l.change()
	return nil
}

// note puts down what is known of a generation, unless the run needs it no more.
func note(known map[int][]byte, island, generation, saved int, content []byte) error {
	if before, ok := known[generation]; ok && !bytes.Equal(before, content) {
		return fmt.Errorf("evolve: island %d was bred twice and came to different ends in "+
			"generation %d: machines or programs do not agree", island, generation)
	}
	if generation >= saved {
		known[generation] = content
	}
	return nil
}

// Saved returns the generation of the run's newest checkpoint. Trails that end before it are not
// needed any more.
func (l *Ledger) Saved() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.saved
}

// Useless tells whether trails that somebody keeps are of no use any more: the run is over, or one
// of them was found untrue.
func (l *Ledger) Useless() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.useless
}

func (l *Ledger) discard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.useless = true
}

// drop forgets what lies before a checkpoint.
func (l *Ledger) drop(saved int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.saved = saved
	for i := range l.ways {
		for _, known := range []map[int][]byte{l.ways[i].played, l.ways[i].leaving,
			l.ways[i].emigrants} {
			for g := range known {
				if g < saved {
					delete(known, g)
				}
			}
		}
	}
	l.change()
}

// fail ends the run with an error.
func (l *Ledger) fail(err error) {
	if err == nil {
		err = errors.New("evolve: nobody breeds the islands any more")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
	l.change()
}

// fetch returns a function that waits for the transcript of a generation of an island.
func (l *Ledger) fetch(ctx context.Context, island, generation int) func() ([]byte, error) {
	return func() ([]byte, error) {
		for {
			transcript, changed, err := l.look(island, generation)
			if transcript != nil || err != nil {
				return transcript, err
			}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-changed:
			}
		}
	}
}

// look returns the transcript, nil for one that is not known yet.
func (l *Ledger) look(island, generation int) ([]byte, <-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at < generation {
		l.at = generation
		l.change()
	}
	w := &l.ways[island]
	played := w.played[generation]
	if l.setup.Config.migrates(generation) && played != nil {
		played = append(bytes.Clone(w.leaving[generation]), played...)
	}
	return played, l.changed, l.err
}
