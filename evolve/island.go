package evolve

import (
	"sync"

	"clade/engine"
)

// island is a population during a generation. The run keeps the population as it was before, so a
// generation is undone by dropping the island.
type island struct {
	*breeder
	index      int
	generation int           // of the population when the generation began
	population []*Individual // offspring take their places in it
	began      []*Individual // the population that the generation selects from
	// selected is the selection count, by index in began, or fitness where selection computes it.
	selected  []float64
	records   []points        // by index in population, for races only
	fitness   []float64       // by index in population, for explicit fitness only
	offspring []*Individual   // in order, with immigrants
	hall      []engine.Player // champions of earlier generations that are opponents
	selection scheme
	evaluator Evaluator
	tally     Tally // of the generation's batches
}

// scheme is a kind of selection. Its methods keep all state on the island.
type scheme interface {
	// name is the value of Config.Selection.
	name() string
	// check finds what is wrong with settings under this scheme.
	check(c *Config, f *faults)
	// matches is what Config.Matches returns.
	matches(c *Config) int
	// renew breeds a generation: it selects parents and puts offspring in places.
	renew(is *island) error
	// draw draws n parents from the present population, also for migration.
	draw(is *island, n int, seed engine.Seed) ([]choice, error)
}

// choice is the outcome of one tournament, as indices in the population.
type choice struct{ winner, loser int }

// settle gives the individuals their records at the end of the generation.
func (is *island) settle() {
	for i, r := range is.records {
		is.population[i].record = r
	}
}

// stream returns the random stream of a purpose in this generation.
func (is *island) stream(purpose string, index int) engine.Seed {
	return is.seed(purpose, is.generation, is.index, index)
}

// played returns the outcomes of pieces between some of the individuals, each played by one worker.
func (is *island) played(individuals []*Individual, pieces, width int, valid validity,
	play func(w *worker, i int, outcome []uint64) error) ([]uint64, error) {
	bound := sync.OnceValue(func() error { return is.bindAll(individuals) })
	return is.evaluate(pieces, width, valid, func(i int, outcome []uint64) (Tally, error) {
		if err := bound(); err != nil {
			return Tally{}, err
		}
		return is.with(func(w *worker) error { return play(w, i, outcome) })
	})
}

// evaluate returns the outcomes of pieces, which may divide their work among workers themselves.
func (is *island) evaluate(pieces, width int, valid validity,
	play func(i int, outcome []uint64) (Tally, error)) ([]uint64, error) {
	o, err := is.evaluator.Evaluate(is.ctx, &Batch{Pieces: pieces, Width: width,
		workers: is.Workers, play: play, valid: valid})
	if err != nil {
		return nil, err
	}
	is.tally.add(o.Tally)
	return o.Numbers, nil
}
