package evolve

import "context"

// Replica breeds one island apart from its run, on another machine for instance, to the same
// individuals.
type Replica struct {
	*breeder
	island     int
	Generation int // the next one
	Population []*Individual
}

// Replicate makes a replica of an island with the population that EncodePopulation wrote at a
// border between generations. Setup.Remote and the functions of the setup are not used.
func (s *Setup) Replicate(ctx context.Context, generation, island int,
	population []byte) (*Replica, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r := &Replica{breeder: s.breeder(ctx), island: island, Generation: generation}
	var err error
	r.Population, err = r.decodePopulation(population, s.Config.Population)
	return r, err
}

// Step does a generation. Immigrants arrive at its beginning, where Config.Migrates says so, as
// Emigrants of the island before returned them.
func (r *Replica) Step(e Evaluator, immigrants []byte) error {
	is := r.newIsland(r.Generation, r.island, r.Population, nil, e)
	if r.Config.Migrates(r.Generation) {
		arrived, err := r.decodePopulation(immigrants, r.immigrants())
		if err != nil {
			return err
		}
		is.admit(arrived)
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
	r.Generation, r.Population = r.Generation+1, is.population
	return nil
}

// Emigrants returns the individuals whose copies leave at the beginning of the next generation.
func (r *Replica) Emigrants(e Evaluator) ([]byte, error) {
	out, err := r.newIsland(r.Generation, r.island, r.Population, nil, e).emigrants()
	return EncodePopulation(out), err
}
