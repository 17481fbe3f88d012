package evolve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Coordinator keeps track of the islands of a run that are bred on other machines, and of what can
// be bred next. Results may arrive in any order, late and more than once. It is safe for concurrent
// use.
type Coordinator struct {
	setup *Setup

	monitor
	islands []islandState
	at      int // generation that the run is at; earlier ones are forgotten
	// The archive when generation known began, where there is a hall; known is -1 before there is
	// an archive.
	known int
	past  []byte
	err   error
}

// islandState is the state of an island. The maps are by generation.
type islandState struct {
	front      int    // first generation whose selection is not known yet
	population []byte // when it begins
	played     map[int][]byte
	left       map[int]departure
}

// ahead is how many epochs an island may be ahead of the run, which keeps their results until it
// gets there.
const ahead = 4

// newCoordinator returns a coordinator for a run between two generations, with the next one.
func newCoordinator(s *Setup, generation int, populations [][]*Individual) *Coordinator {
	c := &Coordinator{setup: s, monitor: newMonitor(), at: generation, known: -1}
	for _, population := range populations {
		c.islands = append(c.islands, islandState{
			front: generation, population: s.EncodePopulation(population),
			played: map[int][]byte{}, left: map[int]departure{},
		})
	}
	return c
}

// Setup returns the run's setup.
func (c *Coordinator) Setup() *Setup { return c.setup }

// Changed returns a channel that is closed when Epochs may have changed.
func (c *Coordinator) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// Epochs returns the epochs that can be bred now, at most one for each island. They stay the same
// until a result is added or the run advances.
func (c *Coordinator) Epochs() []*Epoch {
	c.mu.Lock()
	defer c.mu.Unlock()
	var epochs []*Epoch
	for i := range c.islands {
		if e := c.next(i); e != nil {
			epochs = append(epochs, e)
		}
	}
	return epochs
}

// longest returns the greatest number of generations in an epoch: from migration to migration, but
// no more than between checkpoints, which is how much work the settings allow to be lost.
func (c *Coordinator) longest() int {
	return min(c.setup.Config.Migration.Every, c.setup.Config.Checkpoint)
}

// next returns an island's next epoch; nil if it must wait or is at its end.
func (c *Coordinator) next(island int) *Epoch {
	s, config := &c.islands[island], &c.setup.Config
	if s.front >= config.Generations || s.front >= c.at+ahead*c.longest() || !c.remembers(s.front) {
		return nil
	}
	e := &Epoch{Island: island, From: s.front, To: s.front, population: s.population, past: c.past}
	if config.Migrates(s.front) {
		if s.left[s.front].emigrants == nil {
			return e // an epoch that only chooses the migrants
		}
		before := (island + len(c.islands) - 1) % len(c.islands)
		if e.immigrants = c.islands[before].left[s.front].emigrants; e.immigrants == nil {
			return nil
		}
	}
	for e.To = s.front + 1; e.To < min(config.Generations, s.front+c.longest()) &&
		!config.Migrates(e.To) && c.remembers(e.To); {
		e.To++
	}
	return e
}

// remembers tells whether the known archive is still that of the run when a generation begins.
func (c *Coordinator) remembers(generation int) bool {
	config := &c.setup.Config
	if !config.UsesHall() {
		return true
	}
	for g := c.known; g < generation; g++ {
		if g < 0 || config.HasChampion(g) {
			return false
		}
	}
	return true
}

// begin records that the run has reached a generation, with its archive.
func (c *Coordinator) begin(generation int, past []*Individual) {
	if !c.setup.Config.UsesHall() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.past == nil || !c.remembers(generation) {
		c.past = c.setup.EncodePast(past)
	}
	if c.known != generation {
		c.known = generation
		c.reach(generation)
		c.send()
	}
}

// Add records the result of an epoch. It returns an error for a result that contradicts an earlier
// one, and for one that does not fit the run.
func (c *Coordinator) Add(r *EpochResult) error {
	config := &c.setup.Config
	if r.Island < 0 || r.Island >= config.Islands || r.From < 0 || r.To > config.Generations ||
		len(r.played) != r.To-r.From ||
		(len(r.left.emigrants) > 0) != leaves(config, r.From, r.To) ||
		(len(r.population) > 0) != (r.From < r.To && r.To < config.Generations) {
		return fmt.Errorf("a result of island %d from generation %d to %d does not fit "+
			"the run", r.Island, r.From, r.To)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.islands[r.Island]
	if r.To < c.at || r.From > s.front {
		return nil // too old, or after a gap
	}
	if r.To > s.front && config.Migrates(s.front) && s.left[s.front].emigrants == nil {
		// after a gap, too: the migrants that leave at its beginning are not known, and follow only
		// from the present population
		return nil
	}
	for i, p := range r.played {
		if before, ok := s.played[r.From+i]; ok && !bytes.Equal(before, p) {
			return r.contradicts(r.From + i)
		}
		if r.From+i >= c.at {
			s.played[r.From+i] = p
		}
	}
	if len(r.left.emigrants) > 0 {
		if before, ok := s.left[r.To]; ok && (!bytes.Equal(before.emigrants, r.left.emigrants) ||
			!bytes.Equal(before.transcript, r.left.transcript)) {
			return r.contradicts(r.To)
		}
		s.left[r.To] = r.left
	}
	if r.To > s.front {
		s.front, s.population = r.To, r.population
	}
	c.send()
	return nil
}

func (r *EpochResult) contradicts(generation int) error {
	return fmt.Errorf("island %d was bred twice and came to different ends in generation "+
		"%d: machines or programs do not agree", r.Island, generation)
}

// reach records that the run is at a generation, and forgets earlier ones. The caller holds the
// lock.
func (c *Coordinator) reach(generation int) {
	if generation <= c.at {
		return
	}
	c.at = generation
	for i := range c.islands {
		s := &c.islands[i]
		maps.DeleteFunc(s.played, func(g int, _ []byte) bool { return g < generation })
		maps.DeleteFunc(s.left, func(g int, _ departure) bool { return g < generation })
	}
	c.send()
}

// fail ends the run with an error.
func (c *Coordinator) fail(err error) {
	if err == nil {
		err = errors.New("the islands are not bred any more")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	c.send()
}

// fetch waits for the transcript of a generation of an island.
func (c *Coordinator) fetch(ctx context.Context, island, generation int) (transcript []byte,
	err error) {
	over := c.wait(ctx, func() bool {
		c.reach(generation)
		s := &c.islands[island]
		played, known := s.played[generation]
		transcript, err = slices.Concat(s.left[generation].transcript, played), c.err
		return known || err != nil
	})
	return transcript, cmp.Or(err, over)
}
