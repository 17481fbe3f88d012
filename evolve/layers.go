package evolve

import "slices"

// Age layers (Hornby, ALPS: the age-layered population structure, 2006) protect new lines from
// individuals whose ancestors have been bred for long. The age of an individual is that of its
// oldest founder. At a migration all individuals move up one island, and the first island is
// founded anew. Since all layers have the same width and nobody moves at other times, the
// individuals of an island descend from founders of one generation and reach the age limit of their
// layer at once, when the next island has been emptied: individuals of island i, counted from 0,
// are younger than (i+1) * Migration.Every generations. The last island has no limit, and there
// newcomers challenge incumbents.

// layer returns which of the newcomers, copies of all individuals of the layer below, enter this
// layer, and the places that they take.
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

// challenge plays a match between each newcomer and the incumbent of its place, or in a game for
// one compares their scores, and returns the newcomers that win, with their places.
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
