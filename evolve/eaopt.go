package evolve

import (
	"math"
	"math/rand"
	"strconv"

	"github.com/MaxHalford/eaopt"
)

// Only this file uses eaopt (v0.4.2). eaopt runs the generations: its GA calls our Model for every
// population, our Migrator between them, and our Callback after each generation. We work around
// what it cannot do or does wrongly:
//
//   - Minimize always starts anew, so the first Callback, before any generation, puts the
//     populations of the run in the place of throw-away ones.
//   - It sorts by fitness after each generation, unstably. Fitness is the index in the population,
//     all different, so the order stays.
//   - Its hall of fame is compulsory. It is frozen by a member of fitness minus infinity, which
//     nothing can displace.
//   - It copies random generators and cannot save them. Every draw comes from a path of
//     engine.Seed, and nothing uses eaopt's generator.
//   - Its crossover, mutation, selectors, models and MigRing have faults (stale fitness, wrong
//     indexes, a chain for a ring) and are not used.

// member is an individual as eaopt sees it.
type member struct {
	*Individual
	index int
}

// Evaluate returns the index in the population.
func (m *member) Evaluate() (float64, error) { return float64(m.index), nil }

// Clone returns another member with the same individual.
func (m *member) Clone() eaopt.Genome {
	c := *m
	return &c
}

// Mutate is never called, for the model breeds the children.
func (m *member) Mutate(*rand.Rand) { panic("evolve: eaopt mutates") }

// Crossover is never called either.
func (m *member) Crossover(eaopt.Genome, *rand.Rand) { panic("evolve: eaopt crosses") }

// members puts individuals into a population of eaopt, in order. The members themselves stay from
// generation to generation.
func members(pop *eaopt.Population, all []*Individual) {
	if len(pop.Individuals) != len(all) {
		pop.Individuals = make(eaopt.Individuals, len(all))
		frames := make([]member, len(all))
		for i := range frames {
			frames[i].index = i
			pop.Individuals[i] = eaopt.Individual{Genome: &frames[i], Fitness: float64(i), Evaluated: true}
		}
	}
	for i, in := range all {
		pop.Individuals[i].Genome.(*member).Individual = in
	}
}

// driven is a run as eaopt drives it, generation by generation.
type driven interface {
	islands() ([]*island, error) // begins a generation
	commit([]*island) error      // ends it
	ended() bool
}

// adapter is eaopt's Model and Migrator for a run.
type adapter struct {
	driven
	done    int // generations, before it began
	current []*island
	err     error // of callbacks, which cannot return one
}

// drive breeds a run until its end or that of the context. done is the number of generations that
// it has already.
func (b *breeder) drive(r driven, done int) error {
	if r.ended() {
		return nil
	}
	a := &adapter{driven: r, done: done}
	config := eaopt.GAConfig{
		NPops: uint(b.Config.Islands), PopSize: 1, NGenerations: uint(b.Config.horizon() - done),
		HofSize: 1,
		Model:   a, RNG: rand.New(rand.NewSource(0)),
		Callback:  a.callback,
		EarlyStop: func(*eaopt.GA) bool { return a.err != nil || b.ctx.Err() != nil || r.ended() },
	}
	if b.Config.immigrants() > 0 {
		config.Migrator, config.MigFrequency = ring{a}, uint(b.Config.Migration.Every)
	}
	ga, err := config.NewGA()
	if err == nil {
		err = ga.Minimize(func(*rand.Rand) eaopt.Genome { return &member{} })
	}
	if err != nil {
		return err
	}
	if a.err != nil || r.ended() {
		return a.err
	}
	return b.ctx.Err()
}

// callback is called once before the first generation and after each one.
func (a *adapter) callback(ga *eaopt.GA) {
	if a.current == nil {
		ga.HallOfFame[0].Fitness = math.Inf(-1)
		ga.Generations = uint(a.done)
		for i := range ga.Populations {
			ga.Populations[i].ID = strconv.Itoa(i)
			ga.Populations[i].Generations = ga.Generations
		}
	} else if a.err == nil {
		a.err = a.commit(a.current)
	}
	if a.err == nil {
		a.current, a.err = a.islands()
	}
	for i, is := range a.current {
		members(&ga.Populations[i], is.population)
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
	is := a.current[i]
	if err := is.step(); err != nil {
		return err
	}
	members(pop, is.population)
	return nil
}

// Validate has nothing to check: Config.Check has.
func (a *adapter) Validate() error { return nil }

// ring is the Migrator.
type ring struct{ *adapter }

// Apply moves copies round the ring of islands.
func (m ring) Apply(pops eaopt.Populations, _ *rand.Rand) {
	if m.err == nil {
		m.adapter.err = migrate(m.current)
	}
	for i, is := range m.current {
		members(&pops[i], is.population)
	}
}
