package evolve

import "slices"

// Age layers (Hornby, ALPS: the age-layered population structure, 2006) keep those whose ancestors
// have been bred for long from driving out those that have only begun. The age of an individual is
// that of its oldest founder. At a migration everybody moves up one island, and the first island is
// founded anew. As layers of equal width meet at no other time, all of an island but the last are
// descended from founders of one generation, so that they come to the limit of their layer at
// once and find the next one empty: nobody of island i, counted from 0, is as old as (i+1) *
// Migration.Every generations. The last island has no limit, and there newcomers challenge
// incumbents.

// layer returns those who become a part of this layer, out of copies of all individuals of the one
// below, each with the place that it takes out of as many.
func (is *island) layer(newcomers []*Individual, places []int) ([]*Individual, []int, error) {
	switch is.index {
	case 0:
		founders, err := is.found(is.generation+1, 0)
		return founders, places, err
	case is.Config.Islands - 1:
		return is.challenge(newcomers, places)
	default:
		return newcomers, places, nil
	}
}

// challenge lets each newcomer play a match of the selection against the incumbent of its place, or
// both play alone, and returns the newcomers that win, with their places.
func (is *island) challenge(newcomers []*Individual, places []int) (winners []*Individual,
	won []int, err error) {
	numbers, err := is.played(slices.Concat(newcomers, is.population), len(newcomers), 1, below(2),
		func(w *worker, i int, outcome []uint64) error {
			if is.wins(w, newcomers[i], is.population[places[i]], i) {
				outcome[0] = 1
			}
			return nil
		})
	for i, v := range numbers {
		if v == 1 {
			winners, won = append(winners, newcomers[i]), append(won, places[i])
		}
	}
	return winners, won, err
}

// wins tells whether a newcomer wins challenge i.
func (is *island) wins(w *worker, newcomer, incumbent *Individual, i int) bool {
	seed := is.stream("challenge", i)
	if !is.Config.solitary() {
		return is.beats(w, newcomer, incumbent, seed)
	}
	return is.fitter(newcomer, incumbent, is.alone(w, newcomer, seed),
		is.alone(w, incumbent, seed)) < 0
}
