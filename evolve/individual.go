package evolve

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"clade/engine"
	"clade/gp"
)

// Individual is a member of a population. Nobody writes to it after its birth but the lineage, and
// explicit fitness that remembers a score.
type Individual struct {
	ID     uint64 // unique in a run; parents have lower ones than their children
	Genome gp.Genome
	Player engine.Player
	Size   int // nodes in all trees
	Depth  int // of the deepest tree

	genotype uint64         // hash of the genome
	origin   origin         // how it came to be
	parents  [2]*Individual // until the lineage has noted the birth
	line     uint32         // its place in the lineage, 0 before the birth is noted
	lives    int            // the last generation that had it
	score    float64        // of its own game, in a game for one without chance
	judged   bool           // the score is known
}

// origin is the act by which an individual came to be.
type origin uint8

const (
	founded origin = iota
	crossed
	mutated
	adjusted // by mutation of constants
	copied
	migrated
	origins
)

func (o origin) String() string {
	return [...]string{"founder", "crossover", "mutation", "constants", "copy", "migration"}[o]
}

// breeder is what all parts of a run share. It does not change while the run goes on.
type breeder struct {
	Setup
	grammar     *gp.Grammar
	root        engine.Seed
	chance      bool // the game has it
	pool        *pool
	ctx         context.Context         // of the present call of Run.Evolve
	binding     sync.Mutex              // see player
	equivalence engine.EquivalenceCheck // the game, if it is one
}

// seed returns the stream of a purpose. This is the only door by which randomness enters.
func (b *breeder) seed(purpose string, generation, island, index int) engine.Seed {
	return b.root.Name(purpose).Num(uint64(generation)).Num(uint64(island)).Num(uint64(index))
}

// immigrants is how many ids an island reserves for them every generation.
func (b *breeder) immigrants() int {
	if b.Config.Islands > 1 {
		return b.Config.Migration.Migrants
	}
	return 0
}

// stride is how many ids an island has every generation: first those of immigrants, then those of
// children, so that parents have lower ids than their children.
func (b *breeder) stride() uint64 { return uint64(b.immigrants() + b.Config.Population) }

// childID numbers the children, and the founders as children of generation 0; immigrantID numbers
// the copies that immigrate. No counter is shared.
func (b *breeder) childID(generation, island, index int) uint64 {
	return b.immigrantID(generation, island, b.immigrants()+index)
}

func (b *breeder) immigrantID(generation, island, index int) uint64 {
	return (uint64(generation)*uint64(b.Config.Islands)+uint64(island))*b.stride() + uint64(index)
}

// birth returns the generation of birth that an id tells, and the island. Founders are of
// generation 0; who comes to be while generation g selects is of generation g+1.
func (b *breeder) birth(id uint64) (generation, island int) {
	block := id / b.stride()
	return int(block / uint64(b.Config.Islands)), int(block % uint64(b.Config.Islands))
}

// newIndividual measures a genome and, where islands play here, binds it to the game.
func (b *breeder) newIndividual(id uint64, ge gp.Genome) (*Individual, error) {
	in := &Individual{ID: id, Genome: ge}
	if b.Elsewhere == nil {
		var err error
		if in.Player, err = b.bind(ge); err != nil {
			return nil, err
		}
	}
	in.measure(b.grammar)
	return in, nil
}

// bind binds a genome of the run to the game.
func (b *breeder) bind(ge gp.Genome) (engine.Player, error) {
	p, err := b.Game.Bind(ge)
	if err != nil {
		return nil, fmt.Errorf("evolve: %s refuses a genome of its own grammar: %w",
			b.Game.Info().Name, err)
	}
	return p, nil
}

// player returns an individual's player. Where islands play elsewhere few need one here, and are
// bound when they do.
func (b *breeder) player(in *Individual) (engine.Player, error) {
	if b.Elsewhere == nil {
		return in.Player, nil
	}
	b.binding.Lock()
	defer b.binding.Unlock()
	var err error
	if in.Player == nil {
		in.Player, err = b.bind(in.Genome)
	}
	return in.Player, err
}

// hashOf hashes who somebody is into a hash of those before.
func hashOf(before uint64, in *Individual) uint64 {
	return engine.Hash(engine.Hash(before, in.ID), in.genotype)
}

// measure takes an individual's measures from its genome.
func (in *Individual) measure(g *gp.Grammar) {
	in.Size = in.Genome.Size()
	for _, t := range in.Genome {
		depth, hash := g.Measure(t)
		in.Depth, in.genotype = max(in.Depth, depth), engine.Hash(in.genotype, hash)
	}
}

// child is newIndividual for a genome that may be its first parent's own, or play as it does, and
// then need not be bound again.
func (b *breeder) child(id uint64, ge gp.Genome, how origin, parents ...*Individual) (*Individual,
	error) {
	in := &Individual{}
	if first := parents[0]; sameTrees(ge, first.Genome) {
		*in = *first
		in.ID, in.line = id, 0
	} else if b.equivalence != nil && first.Player != nil &&
		b.equivalence.PlaysAs(first.Player, first.Genome, ge) {
		*in = Individual{ID: id, Genome: ge, Player: first.Player, score: first.score,
			judged: first.judged}
		in.measure(b.grammar)
	} else {
		var err error
		if in, err = b.newIndividual(id, ge); err != nil {
			return nil, err
		}
	}
	in.origin, in.parents = how, [2]*Individual{}
	copy(in.parents[:], parents)
	return in, nil
}

// sameTrees tells whether two genomes share all their trees in memory.
func sameTrees(a, b gp.Genome) bool {
	for i := range a {
		if len(a[i]) != len(b[i]) || &a[i][0] != &b[i][0] {
			return false
		}
	}
	return true
}

// Contest plays a match between two players, as Referee.Match does for a game for two. It is the
// one place where individuals meet: a game for more seats can be bred by a contest that fills the
// other ones. It is called from many goroutines, each with a referee of its own, and must depend on
// nothing but its arguments.
type Contest func(r *engine.Referee, m engine.Match, a, b engine.Player,
	seed engine.Seed) engine.Outcome

// play plays a match and counts it.
func (b *breeder) play(w *worker, m engine.Match, first, second engine.Player,
	seed engine.Seed) engine.Outcome {
	o := b.contest(w, m, first, second, seed)
	w.matches++
	w.games += int64(o.Games)
	return o
}

func (b *breeder) contest(w *worker, m engine.Match, first, second engine.Player,
	seed engine.Seed) engine.Outcome {
	if b.Contest != nil {
		return b.Contest(&w.referee, m, first, second, seed)
	}
	return w.referee.Match(m, b.Game, first, second, seed)
}

// beats plays a match of the selection between two individuals and tells whether the first wins.
// With parsimony the smaller one wins where else a coin would decide.
func (b *breeder) beats(w *worker, x, y *Individual, seed engine.Seed) bool {
	m := engine.Match{Boards: b.Config.Boards, Once: b.Config.Once}
	o := b.play(w, m, x.Player, y.Player, seed)
	if b.Config.Parsimony && x.Size != y.Size && !m.Decided(&o) && o.Scores[0] == o.Scores[1] {
		return x.Size < y.Size
	}
	return o.Winner == 0
}

// fitter orders two individuals by fitness, the fitter first; with parsimony the smaller one comes
// first among equals.
func (b *breeder) fitter(x, y *Individual, fx, fy float64) int {
	switch {
	case fx > fy:
		return -1
	case fx < fy:
		return 1
	case fx == fy && b.Config.Parsimony:
		return cmp.Compare(x.Size, y.Size)
	}
	return cmp.Compare(fy, fx) // what is no number is less
}
