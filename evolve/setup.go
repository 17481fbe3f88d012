package evolve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/input"
)

// Setup holds everything that a run needs.
type Setup struct {
	Game   engine.Game
	Config Config
	Seed   uint64
	// Study is anything else that defines the run, such as the game's settings and the names in the
	// panels. It is a part of the hash that a checkpoint must have; it may be empty.
	Study []byte
	// Panel are the opponents of explicit fitness, for Fitness.Opponents "panel".
	Panel []engine.Player
	// Reference are the opponents in the choice of the champion, for Champion.Against "panel".
	Reference []engine.Player

	// Founders are the genomes of Config.Founders.Species, in order. Only Create and Resume need
	// them.
	Founders []gp.Genome

	// The fields below change no result.

	// Settings are the game's settings for species files; see gp.Species.
	Settings []gp.Setting

	// Workers is the number of goroutines that play; 0 means GOMAXPROCS.
	Workers int
	// Processor returns the processor time of this process so far, for Times; nil means
	// parallel.ProcessorTime. Tests that need the same bytes set another.
	Processor func() time.Duration
	// Progress, if not nil, is called after every generation, by the goroutine that called Evolve.
	Progress func(Progress)
	// Warn, if not nil, is called with a sentence about a fault that was repaired, such as a
	// damaged checkpoint.
	Warn func(string)
	// Fence, if not nil, is called before a generation's results or a checkpoint are written. Its
	// error ends the run with the files as they are.
	Fence func() error
	// RemoteIslands, if not nil, has the islands bred on other machines: it takes epochs from the
	// coordinator, has them bred with Epoch.Breed, and adds the results to the coordinator. It runs in
	// a goroutine of its own and must return when its context ends. Its error ends the run, also one
	// that has reached its last generation.
	RemoteIslands func(ctx context.Context, c *Coordinator) error
}

// Progress is the report on a generation that has ended.
type Progress struct {
	Line  *rundir.Line
	Times rundir.Times
	Saved int // generation of the newest checkpoint
	Spent Spent
}

// ErrStopped is wrapped by the error of a run whose context ended. Everything is saved, and the run
// can be resumed.
var ErrStopped = errors.New("the run was stopped")

// grammar returns the game's grammar with the weights and the slots of the settings. The error is a
// input.Fault.
func (s *Setup) grammar() (*gp.Grammar, error) {
	g, err := s.Game.Grammar().Varying(s.Config.Vary)
	if err != nil {
		return nil, input.Faultf("vary", "vary: %w", err)
	}
	if len(s.Config.Weights) == 0 {
		return g, nil
	}
	if g, err = g.Weighed(s.Config.Weights); err != nil {
		return nil, input.Below("weights", fmt.Errorf("weights: %w", err))
	}
	return g, nil
}

// CheckWeights returns an input.Fault for wrong weights of operators, else nil.
func (s *Setup) CheckWeights() error {
	_, err := s.grammar()
	return err
}

// checkDepths finds depth limits that no tree of a grammar fits in, or that allow a tree to exhaust
// memory.
func (s *Setup) checkDepths(g *gp.Grammar, f *faults) {
	game, v := s.Game.Info().Name, &s.Config.Variation
	for _, slot := range g.Slots {
		if d := g.TypeDepth(slot.Type); d > v.MaxDepth {
			f.add("variation.max-depth",
				"is %d, and the smallest tree for slot %q of %s has depth %d", v.MaxDepth,
				slot.Name, game, d)
		}
	}
	most := g.DeepestGrowth()
	for _, depth := range []struct {
		key string
		v   int
	}{{"founders.max-depth", s.Config.Founders.MaxDepth}, {"variation.grow-depth", v.GrowDepth}} {
		if depth.v > most {
			f.add(depth.key, "is %d, and a tree of %s that grows so deep can fill the memory; the "+
				"most is %d", depth.v, game, most)
		}
	}
}
