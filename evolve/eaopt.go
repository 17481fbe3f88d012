package evolve

import (
	"math"
	"math/rand"
	"strconv"

	"github.com/MaxHalford/eaopt"

	"clade/engine"
)

// This file is the only one that knows eaopt (v0.4.2). eaopt runs the generations: its GA calls our
// Model for every population, our Migrator between them, and our Callback after each generation.
// What it cannot do, or does wrongly, is kept out of its hands:
//
//   - Minimize always starts anew, so the first Callback, before any generation, puts the
//     populations of the run in the place of throw-away ones.
//   - It sorts by fitness after each generation, unstably. Fitness is the place in the population,
//     all different, so the order stays.
//   - Its hall of fame is compulsory. It is frozen by a member of fitness minus infinity, which
//     nothing can displace.
//   - It copies random generators about and cannot save them. Every draw comes from a path of
//     engine.Seed; a generator handed through its interfaces is made for one call.
//   - Its crossover, mutation, selectors, models and MigRing have faults (stale fitness, wrong
//     indexes, a chain for a ring) and are not used.

// member is an individual as eaopt sees it.
type member struct {
	*Individual
	place int
}

// Evaluate returns the place, see above.
func (m *member) Evaluate() (float64, error) { return float64(m.place), nil }

// Clone returns another member with the same individual.
func (m *member) Clone() eaopt.Genome {
	c := *m
	return &c
}

// Mutate is never called, for the model breeds the children.
func (m *member) Mutate(*rand.Rand) { panic("evolve: eaopt mutates") }

// Crossover is never called either.
func (m *member) Crossover(eaopt.Genome, *rand.Rand) { panic("evolve: eaopt crosses") }

// members puts people into a population's individuals, in order. The members themselves stay from
// generation to generation.
func members(pop *eaopt.Population, people []*Individual) {
	if len(pop.Individuals) != len(people) {
		pop.Individuals = make(eaopt.Individuals, len(people))
		all := make([]member, len(people))
		for i := range all {
			all[i].place = i
			pop.Individuals[i] = eaopt.Individual{Genome: &all[i], Fitness: float64(i),
				Evaluated: true}
		}
	}
	for i, in := range people {
		pop.Individuals[i].Genome.(*member).Individual = in
	}
}

// stream is a source for math/rand that gives the numbers of a seed.
type stream struct{ engine.Random }

func (s *stream) Int63() int64    { return int64(s.Uint64() >> 1) }
func (s *stream) Seed(seed int64) { s.Random = engine.NewRandom(uint64(seed)) }

func generator(s engine.Seed) *rand.Rand { return rand.New(&stream{engine.NewRandom(uint64(s))}) }

// adapter lets a run be driven by eaopt: it is its Model and its Migrator.
type adapter struct {
	run     *Run
	islands []*island
	err     error // where eaopt's interface returns none
}

// evolveGenerations does the generations that are left.
func (r *Run) evolveGenerations() error {
	left := r.Config.Generations - r.state.generation
	if r.ended() {
		return nil
	}
	a := &adapter{run: r}
	config := eaopt.GAConfig{
		NPops: uint(r.Config.Islands), PopSize: 1, NGenerations: uint(left), HofSize: 1,
		Model: a, RNG: generator(r.root),
		Callback:  a.callback,
		EarlyStop: func(*eaopt.GA) bool { return a.err != nil || r.ctx.Err() != nil || r.ended() },
	}
	if r.immigrants() > 0 {
		config.Migrator, config.MigFrequency = a.migrator(), uint(r.Config.Migration.Every)
	}
	ga, err := config.NewGA()
	if err != nil {
		return err
	}
	throwAway := func(*rand.Rand) eaopt.Genome { return &member{} }
	if err := ga.Minimize(throwAway); err != nil {
		return err
	}
	if a.err != nil || r.ended() {
		return a.err
	}
	return r.ctx.Err()
}

// callback is called once before the first generation and after each one.
func (a *adapter) callback(ga *eaopt.GA) {
	if a.islands == nil {
		ga.HallOfFame[0].Fitness = math.Inf(-1)
		ga.Generations = uint(a.run.state.generation)
		for i := range ga.Populations {
			ga.Populations[i].ID = strconv.Itoa(i)
			ga.Populations[i].Generations = ga.Generations
			ga.Populations[i].RNG = generator(a.run.root.Num(uint64(i)))
		}
	} else if a.err == nil {
		a.err = a.run.commit(a.islands)
	}
	a.islands = a.run.begin()
	for i, is := range a.islands {
		members(&ga.Populations[i], is.people)
	}
}

// Apply is the Model: one generation of one population. eaopt calls it for all islands at once.
func (a *adapter) Apply(pop *eaopt.Population) error {
	if a.err != nil {
		return a.err
	}
	i, err := strconv.Atoi(pop.ID)
	if err != nil {
		return err
	}
	is := a.islands[i]
	is.choose = func(n int, seed engine.Seed) ([]choice, error) {
		members(pop, is.people)
		s := selector{is: is}
		_, _, err := s.Apply(uint(n), pop.Individuals, generator(seed))
		return s.choices, err
	}
	if err := is.step(); err != nil {
		return err
	}
	members(pop, is.people)
	return nil
}

// drawAdapted is draw with the seed that arrives when eaopt calls the selector, for generations
// that are bred without it.
func (is *island) drawAdapted(n int, seed engine.Seed) ([]choice, error) {
	return is.draw(n, engine.Seed(generator(seed).Uint64()))
}

// Validate has nothing to check: Config.Check has.
func (a *adapter) Validate() error { return nil }

// selector is the Selector: tournaments in a population. It keeps the losers too, for which eaopt's
// interface has no place.
type selector struct {
	is      *island
	choices []choice
}

// Apply draws n parents.
func (s *selector) Apply(n uint, indis eaopt.Individuals, rng *rand.Rand) (eaopt.Individuals, []int,
	error) {
	var err error
	if s.choices, err = s.is.draw(int(n), engine.Seed(rng.Uint64())); err != nil {
		return nil, nil, err
	}
	selected, indexes := make(eaopt.Individuals, n), make([]int, n)
	for i, c := range s.choices {
		selected[i], indexes[i] = indis[c.winner], c.winner
	}
	return selected, indexes, nil
}

// Validate has nothing to check.
func (s *selector) Validate() error { return nil }

// ring is the Migrator.
type ring struct{ *adapter }

func (a *adapter) migrator() eaopt.Migrator { return ring{a} }

// Apply moves copies round the ring of islands.
func (m ring) Apply(pops eaopt.Populations, _ *rand.Rand) {
	if m.err != nil {
		return
	}
	if m.adapter.err = migrate(m.islands); m.err != nil {
		return
	}
	for i, is := range m.islands {
		members(&pops[i], is.people)
	}
}
