package evolve

import (
	"slices"

	"clade/engine"
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
