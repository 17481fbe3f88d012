package evolve

import "context"

// replica breeds one island outside of its run, for instance on another machine, with the same
// result.
type replica struct {
	*breeder
	island     int
	past       archive
	Generation int // the next one
	Population []*Individual
}

// Replicate makes a replica of an island with the population that EncodePopulation wrote at a
// border between generations, and with the past, the run's archive, which is read only where there
// is a hall. The functions of the setup are not used.
func (s *Setup) Replicate(ctx context.Context, generation, island int,
	population, past []byte) (*replica, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r := &replica{breeder: s.breeder(ctx), island: island, Generation: generation}
	var err error
	r.Population, err = r.decodePopulation(population, s.Config.Population)
	if err == nil && s.Config.UsesHall() {
		if r.past.past, err = r.decodePast(past); err == nil {
			err = r.weigh(&r.past)
		}
	}
	return r, err
}

// Step breeds a generation. At its beginning, where Config.Migrates says so, the immigrants arrive
// that Emigrants of the previous island returned. Where there is a hall, no generation since the
// past may have had a champion.
func (r *replica) Step(e Evaluator, immigrants []byte) error {
	is, err := r.begin(e)
	if err != nil {
		return err
	}
	if r.Config.Migrates(r.Generation) {
		arrived, err := r.decodePopulation(immigrants, r.Config.immigrants())
		if err != nil {
			return err
		}
		if err := is.admit(arrived); err != nil {
			return err
		}
	}
	if err := is.step(); err != nil {
		return err
	}
	if is.probing(r.Generation) {
		if _, err := is.probe(); err != nil {
			return err
		}
	}
	for _, in := range is.offspring {
		in.parents = [2]*Individual{} // or a whole pedigree would stay in memory
	}
	is.settle()
	r.Generation, r.Population = r.Generation+1, is.population
	return nil
}

// Emigrants returns the individuals whose copies leave at the beginning of the next generation.
func (r *replica) Emigrants(e Evaluator) ([]byte, error) {
	is, err := r.begin(e)
	if err != nil {
		return nil, err
	}
	out, err := is.emigrants()
	return r.EncodePopulation(out), err
}

func (r *replica) begin(e Evaluator) (*island, error) {
	hall, err := r.hall(r.Generation, &r.past)
	return r.newIsland(r.Generation, r.island, r.Population, hall, e), err
}
