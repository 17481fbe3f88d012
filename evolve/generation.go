package evolve

import (
	"slices"

	"clade/engine"
)

// schemes lists the selection schemes.
func schemes() []scheme { return []scheme{tournament{}, byFitness{}, pairs{}, byRace{}} }

// scheme returns the selection scheme of the settings, nil for an unknown one.
func (c *Config) scheme() scheme {
	for _, s := range schemes() {
		if s.name() == c.Selection {
			return s
		}
	}
	return nil
}

// Matches returns how many matches of one board a generation of an island has, but for a factor that
// is the same for any population.
func (c *Config) Matches() int { return c.scheme().matches(c) }

// newIsland begins a generation.
func (b *breeder) newIsland(generation, index int, population []*Individual, hall []engine.Player,
	e Evaluator) *island {
	is := &island{breeder: b, generation: generation, index: index, hall: hall,
		evaluator: e,
		selection: b.Config.scheme()}
	is.population = append(is.population, population...)
	is.selected = make([]float64, len(population))
	return is
}

// step breeds one generation: it selects from the population and replaces it by offspring.
func (is *island) step() error {
	is.began = append([]*Individual(nil), is.population...)
	if err := is.selection.renew(is); err != nil {
		return err
	}
	// a population bred from received outcomes must equal the one that was played
	sum := identity(is.population)
	_, err := is.evaluate(1, 1, equal(sum), func(_ int, outcome []uint64) (Tally, error) {
		outcome[0] = sum
		return Tally{}, nil
	})
	return err
}

// emigrants draws individuals, as parents are drawn, whose copies go to the next island. With age
// layers all go.
func (is *island) emigrants() ([]*Individual, error) {
	if is.Config.Migration.Layers {
		return slices.Clone(is.population), nil
	}
	choices, err := is.selection.draw(is, is.Config.Migration.Migrants, is.stream("emigrate", 0))
	if err != nil {
		return nil, err
	}
	out := make([]*Individual, len(choices))
	for i, c := range choices {
		out[i] = is.population[c.winner]
	}
	return out, nil
}

// admit puts copies of immigrants in random places or, with age layers, in those that they win.
func (is *island) admit(immigrants []*Individual) error {
	places := shuffled(len(is.population), is.stream("immigrate", 0))
	newcomers := make([]*Individual, len(immigrants))
	for i, m := range immigrants {
		in := *m
		in.ID, in.line = is.immigrantID(is.generation+1, is.index, i), 0
		in.origin, in.parents = migrated, [2]*Individual{m}
		newcomers[i] = &in
	}
	if is.Config.Migration.Layers {
		var err error
		if newcomers, places, err = is.layer(newcomers, places); err != nil {
			return err
		}
	}
	for i, in := range newcomers {
		is.population[places[i]] = in
	}
	is.offspring = append(is.offspring, newcomers...)
	is.fitness = nil // of another population
	return nil
}

// migrate moves copies round the ring of islands, or up the age layers, all at once.
func migrate(islands []*island) error {
	travellers := make([][]*Individual, len(islands))
	for i, is := range islands {
		out, err := is.emigrants()
		if err != nil {
			return err
		}
		travellers[(i+1)%len(islands)] = out
	}
	for i, is := range islands {
		if err := is.admit(travellers[i]); err != nil {
			return err
		}
	}
	return nil
}
