package evolve

import (
	"context"
	"fmt"
	"io"
	"slices"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/gp"
)

// Individual is a member of a population. After its birth only its player, its line in the lineage
// and its remembered score change.
type Individual struct {
	ID     uint64 // unique in a run; parents have lower ones than their offspring
	Genome gp.Genome
	Player engine.Player // nil until it plays
	Size   int           // nodes in all trees
	Depth  int           // of the deepest tree

	genotype uint64         // hash of the genome
	origin   origin         // how it came to be
	parents  [2]*Individual // until the lineage has recorded the birth
	line     uint32         // its index in the lineage, 0 before that
	lives    int            // the last generation with it
	score    float64        // in a game for one without chance
	judged   bool           // the score is known
	record   points         // of earlier generations, with the selection "race"
}

// origin is the operation that made an individual.
type origin uint8

const (
	founded origin = iota
	crossed
	mutated
	adjusted // by mutation of constants
	copied
	migrated
	perturbed // the small steps, in gp's order
	hoisted
	inserted
	insertedPaired
	transferred
	origins
)

func (o origin) String() string {
	return [...]string{"founder", "crossover", "mutation", "constants", "copy", "migration",
		"perturbation", "hoist", "insertion", "paired-insertion", "transfer"}[o]
}

// measure computes size, depth and hash from the genome.
func (in *Individual) measure(g *gp.Grammar) {
	in.Size = in.Genome.Size()
	for _, t := range in.Genome {
		depth, hash := g.Measure(t)
		in.Depth, in.genotype = max(in.Depth, depth), engine.Hash(in.genotype, hash)
	}
}

// twin tells whether two individuals have the same genome.
func (in *Individual) twin(other *Individual) bool {
	return in.genotype == other.genotype &&
		slices.EqualFunc(in.Genome, other.Genome, slices.Equal[gp.Tree])
}

// identity hashes the ids and genomes of a population, in order.
func identity(population []*Individual) uint64 {
	sum := uint64(0)
	for _, in := range population {
		sum = engine.Hash(engine.Hash(sum, in.ID), in.genotype)
	}
	return sum
}

// Member is an individual of a run's population.
type Member struct {
	*Individual
	Island, Index int
	Born          int    // the first generation with it; 0 for founders
	Origin        string // the operation that made it
}

// Members reads all individuals of a run of this setup, island by island, and returns the
// generation of the checkpoint that it read: that of the given generation or, if that is negative,
// the newest sound one. It writes nothing, so it may be called during the run.
func (s *Setup) Members(path string, generation int) ([]Member, int, error) {
	b, state, at, err := s.checkpoint(path, generation)
	if err != nil {
		return nil, 0, err
	}
	var all []Member
	for island, population := range state.populations {
		for index, in := range population {
			born, _ := b.birth(in.ID)
			all = append(all, Member{in, island, index, born, in.origin.String()})
		}
	}
	return all, at, nil
}

// WriteLineage writes the lineage of a run's newest sound checkpoint in the format of the file that
// a run writes at its end. Like Members it may be called during the run.
func (s *Setup) WriteLineage(w io.Writer, path string) error {
	b, state, _, err := s.checkpoint(path, -1)
	if err != nil {
		return err
	}
	return state.lineage.write(w, b)
}

// checkpoint reads the checkpoint that Members chooses.
func (s *Setup) checkpoint(path string, generation int) (*breeder, *state, int, error) {
	if err := s.Check(); err != nil {
		return nil, nil, 0, err
	}
	payload, at, err := rundir.Checkpoint(path, s.Hash(), generation)
	if err != nil {
		return nil, nil, 0, err
	}
	b := s.breeder(context.Background())
	state, err := b.decode(payload)
	return b, state, at, err
}

// Species returns a member as a species file. generation is that of its checkpoint.
func (s *Setup) Species(m *Member, generation int) []byte {
	return s.speciesFile("", generation, m.Island, m.Individual)
}

// speciesFile returns an individual as a species file that says where it comes from.
func (s *Setup) speciesFile(what string, generation, island int, in *Individual) []byte {
	info := s.Game.Info()
	origin := fmt.Sprintf("%sgeneration %d, individual %d of island %d, seed %d", what, generation,
		in.ID, island, s.Seed)
	return []byte(s.Game.Grammar().PrintSpecies(&gp.Species{Game: info.Name, Version: info.Version,
		Origin: []string{origin}, Settings: s.Settings, Genome: in.Genome}))
}
