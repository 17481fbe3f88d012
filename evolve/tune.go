package evolve

import (
	"slices"

	"clade/engine"
)

// The float constants of the last champion can be tuned: Config.Champion.Tune games are played,
// three quarters of them by the samples of a CMA-ES against champions of earlier generations and
// species that the run descends from. All samples of an iteration meet the same opponents on the
// same boards. The mean of the search at its end, which is not a single lucky sample, then plays
// the other quarter against the champion, which it has not met before. It replaces the champion if
// it leads by more than two standard errors, as an equal player does in one of forty matches. A
// champion without float constants stays as it is.

const (
	tuneSamples = 16  // an iteration
	tuneRounds  = 8   // of an iteration, each a match on raceBoards boards
	tuneStep    = 0.1 // the first standard deviation: that of gp's perturbation
)

// checkTune finds settings under which champions cannot be tuned.
func (c *Config) checkTune(f *faults) {
	if c.Champion.Tune == 0 || !f.within("champion.tune", c.Champion.Tune, 10_000, 10_000_000) {
		return
	}
	if a := c.Champion.Against; a == Nobody || a == Fittest {
		f.add("champion.tune", "must be 0 where champion.against is %q, not %d", a, c.Champion.Tune)
	}
	if c.Seats > 2 {
		f.add("champion.tune", "must be 0 where seats is %d, since it plays matches of two", c.Seats)
	}
	if c.horizon() == 1 && len(c.Founders.Species) == 0 {
		f.add("champion.tune", "needs champions of earlier generations; raise generations")
	}
}

// tune returns the champion, tuned if that makes it better, and the games that were played.
func (b *breeder) tune(c *champion, past []*Individual) (*champion, int64, error) {
	rounds := b.Config.Champion.Tune / (2 * raceBoards)
	iterations := (rounds - rounds/4) / (tuneSamples * tuneRounds)
	constants := b.grammar.Constants(c.Genome)
	if len(constants) == 0 {
		return c, 0, nil
	}
	search := newCMA(constants, tuneStep, tuneSamples)
	for i := range iterations {
		if err := b.iterate(search, c, past, i); err != nil {
			return nil, 0, err
		}
	}
	tuned := b.reset(c.Individual, search.mean)
	if err := b.bindAll([]*Individual{tuned, c.Individual}); err != nil {
		return nil, 0, err
	}
	left := rounds - iterations*tuneSamples*tuneRounds
	matches, err := b.matches(left, func(i int) (first, second engine.Player, s engine.Seed) {
		return tuned.Player, c.Player, b.seed("confirm", c.generation, c.island, i)
	})
	var r record
	for i := range matches {
		r.add(&matches[i])
	}
	// if both win with the same chance, the variance of the lead over n games without ties is n
	if lead := r.Wins - r.Losses; lead > 0 && lead*lead > 4*(r.Wins+r.Losses) {
		c = &champion{tuned, c.generation, c.island, r, true}
	}
	return c, int64(rounds * 2 * raceBoards), err
}

// iterate plays the samples of an iteration, and the search learns from their points.
func (b *breeder) iterate(search *cma, c *champion, past []*Individual, iteration int) error {
	draw := newWorker().seeded(b.seed("samples", c.generation, c.island, iteration))
	players := make([]*Individual, tuneSamples)
	for i := range players {
		players[i] = b.reset(c.Individual, search.sample(draw))
	}
	opponents := make([]*Individual, tuneRounds)
	random := engine.NewRandom(uint64(b.seed("tuning opponent", c.generation, c.island, iteration)))
	for i := range opponents {
		opponents[i] = past[random.Below(len(past))]
	}
	if err := b.bindOnce(slices.Concat(players, opponents)); err != nil {
		return err
	}
	matches, err := b.matches(len(players)*tuneRounds,
		func(i int) (first, second engine.Player, s engine.Seed) {
			round := i % tuneRounds
			return players[i/tuneRounds].Player, opponents[round].Player,
				b.seed("tune", c.generation, iteration, round)
		})
	if err != nil {
		return err
	}
	sums := make([]record, len(players))
	order := make([]int, len(players))
	for i := range sums {
		order[i] = i
		for j := range tuneRounds {
			sums[i].add(&matches[i*tuneRounds+j])
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return sums[x].better(&sums[y]) })
	best := make([][]float64, len(search.weights))
	for i := range best {
		best[i] = b.grammar.Constants(players[order[i]].Genome)
	}
	search.learn(best)
	return nil
}

// reset returns an individual with other constants. It keeps its id, since it is only in the
// archive.
func (b *breeder) reset(in *Individual, constants []float64) *Individual {
	c := b.newIndividual(in.ID, b.grammar.WithConstants(in.Genome, constants))
	c.origin = in.origin
	return c
}

// matches plays n matches as long as a racing round, and returns the first players' records.
func (b *breeder) matches(n int, pair func(i int) (first, second engine.Player,
	s engine.Seed)) ([]record, error) {
	records := make([]record, n)
	err := b.each(n, func(w *worker, i int) error {
		first, second, seed := pair(i)
		o := b.play(w, engine.Match{Boards: raceBoards, Whole: true}, first, second, seed)
		records[i] = recordOf(&o)
		return nil
	})
	return records, err
}
