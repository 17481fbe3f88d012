package evolve

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"clade/engine"
	"clade/engine/system/parallel"
	"clade/gp"
)

// breeder holds what all parts of a run share. It does not change during the run.
type breeder struct {
	Setup
	grammar     *gp.Grammar
	root        engine.Seed
	chance      bool                    // the game has it
	halves      bool                    // the game's scores are multiples of a half
	ctx         context.Context         // of the present call of Run.Evolve
	free        chan *worker            // not in use
	binding     *sync.Mutex             // see player
	equivalence engine.EquivalenceCheck // the game, if it is one
}

// breeder returns the breeder of a run. It panics for settings that Check refuses.
func (s *Setup) breeder(ctx context.Context) *breeder {
	info := s.Game.Info()
	b := &breeder{Setup: *s, root: engine.Seed(s.Seed), chance: info.Chance, halves: info.Halves,
		ctx: ctx, binding: new(sync.Mutex)}
	var err error
	if b.grammar, err = s.grammar(); err != nil {
		panic(err.Error())
	}
	b.Workers = cmp.Or(b.Workers, runtime.GOMAXPROCS(0))
	if b.Processor == nil {
		b.Processor = parallel.ProcessorTime
	}
	b.free = make(chan *worker, b.Workers)
	for range b.Workers {
		b.free <- newWorker()
	}
	b.equivalence, _ = s.Game.(engine.EquivalenceCheck)
	return b
}

// Hash identifies everything that decides a run's results.
func (s *Setup) Hash() [32]byte {
	info := s.Game.Info()
	text, err := json.Marshal(struct {
		Game    string
		Version int
		Grammar string // so that saved genomes are never read under other numbers
		Config  Config
		Seed    uint64
		Study   []byte
	}{info.Name, info.Version, s.Game.Grammar().Signature(), s.Config, s.Seed, s.Study})
	if err != nil {
		panic("evolve: a setup cannot be hashed: " + err.Error())
	}
	return sha256.Sum256(text)
}

// maxWorkers bounds Setup.Workers.
const maxWorkers = 4096

// worker is scratch memory of one goroutine at a time. Its content means nothing to the next piece
// of work.
type worker struct {
	source  engine.Random
	random  *rand.Rand // draws from source
	referee engine.Referee
	members []int // of a tournament
	seat    [1]engine.Player
	players []engine.Player // of a game of the filter
	tally   Tally           // of the present piece
}

func newWorker() *worker {
	w := &worker{}
	w.random = rand.New(&w.source)
	return w
}

// seeded points the worker's generator at a stream.
func (w *worker) seeded(s engine.Seed) *rand.Rand {
	w.source = engine.NewRandom(uint64(s))
	return w.random
}

// with calls do with a free worker. All islands, which are bred at the same time, share the
// Setup.Workers workers, so do must not wait for another piece of work.
func (b *breeder) with(do func(w *worker) error) (Tally, error) {
	w := <-b.free
	defer func() { b.free <- w }()
	w.tally = Tally{}
	err := do(w)
	return w.tally, err
}

// each does n pieces of work. The result of a piece may depend on its number only, never on the
// worker.
func (b *breeder) each(n int, do func(w *worker, i int) error) error {
	return parallel.Each(b.ctx, n, b.Workers, func(_, i int) error {
		_, err := b.with(func(w *worker) error { return do(w, i) })
		return err
	})
}

// seed returns the stream of a purpose. All randomness of a run comes from here.
func (b *breeder) seed(purpose string, generation, island, index int) engine.Seed {
	return b.root.Name(purpose).Num(uint64(generation)).Num(uint64(island)).Num(uint64(index))
}

// stride is the number of ids of an island in a generation: first those of immigrants, then those
// of offspring, so that parents have lower ids than their offspring.
func (b *breeder) stride() uint64 { return uint64(b.Config.immigrants() + b.Config.Population) }

// childID numbers offspring, and founders as offspring of generation 0; immigrantID numbers
// immigrating copies, and founders of a later generation. Ids need no shared counter.
func (b *breeder) childID(generation, island, index int) uint64 {
	return b.immigrantID(generation, island, b.Config.immigrants()+index)
}

func (b *breeder) immigrantID(generation, island, index int) uint64 {
	return (uint64(generation)*uint64(b.Config.Islands)+uint64(island))*b.stride() + uint64(index)
}

// birth returns the generation and the island of birth, which follow from an id. Founders are of
// generation 0; offspring of the selection of generation g are of generation g+1.
func (b *breeder) birth(id uint64) (generation, island int) {
	block := id / b.stride()
	return int(block / uint64(b.Config.Islands)), int(block % uint64(b.Config.Islands))
}

// newIndividual measures a genome.
func (b *breeder) newIndividual(id uint64, ge gp.Genome) *Individual {
	in := &Individual{ID: id, Genome: ge}
	in.measure(b.grammar)
	return in
}

// child is newIndividual for a child. If its genome is that of its first parent, or plays as it
// does, it shares the parent's player and need not be bound.
func (b *breeder) child(id uint64, ge gp.Genome, how origin, parents ...*Individual) *Individual {
	var in *Individual
	if first := parents[0]; sameTrees(ge, first.Genome) {
		copied := *first
		in = &copied
		in.ID, in.line, in.record = id, 0, points{}
	} else {
		in = b.newIndividual(id, ge)
		if b.equivalence != nil && first.Player != nil &&
			b.equivalence.PlaysAs(first.Player, first.Genome, ge) {
			in.Player, in.score, in.judged = first.Player, first.score, first.judged
		}
	}
	in.origin, in.parents = how, [2]*Individual{}
	copy(in.parents[:], parents)
	return in
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

// bind binds a genome of the run to the game.
func (b *breeder) bind(ge gp.Genome) (engine.Player, error) {
	p, err := b.Game.Bind(ge)
	if err != nil {
		return nil, fmt.Errorf("%s refuses a genome of its own grammar: %w", b.Game.Info().Name, err)
	}
	return p, nil
}

// bindAll binds the individuals that are not bound yet. Individuals are bound before their first
// game, which those whose games are played on other machines may never have here.
func (b *breeder) bindAll(individuals []*Individual) error {
	unbound := slices.DeleteFunc(slices.Clone(individuals),
		func(in *Individual) bool { return in.Player != nil })
	return b.each(len(unbound), func(_ *worker, i int) error {
		var err error
		unbound[i].Player, err = b.bind(unbound[i].Genome)
		return err
	})
}

// player returns the player of one individual. It may be called from many goroutines.
func (b *breeder) player(in *Individual) (engine.Player, error) {
	b.binding.Lock()
	defer b.binding.Unlock()
	var err error
	if in.Player == nil {
		in.Player, err = b.bind(in.Genome)
	}
	return in.Player, err
}

// shuffled returns the numbers below n in random order.
func shuffled(n int, seed engine.Seed) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	shuffle(order, seed)
	return order
}

func shuffle(order []int, seed engine.Seed) {
	random := engine.NewRandom(uint64(seed))
	for i := len(order) - 1; i > 0; i-- {
		j := random.Below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
}
