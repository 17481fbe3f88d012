package antwars

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/system/parallel"
	"clade/gp"
	"clade/gp/kernels"
)

func mustPlayer(tb testing.TB, name string) engine.Player {
	tb.Helper()
	return enginetest.Player(tb, New(), name)
}

// BenchmarkGame plays whole games on one core.
func BenchmarkGame(b *testing.B) {
	g := New()
	play := func(name string, players []engine.Player) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			seed, rate := uint64(0), enginetest.Rate(b)
			for b.Loop() {
				g.Play(players, seed, nil)
				seed++
			}
			rate(float64(b.N), "games")
		})
	}
	brilliant := mustPlayer(b, "brilliant")
	play("random", []engine.Player{random{}, random{}})
	play("brilliant", []engine.Player{brilliant, brilliant})
}

// grown returns genomes of about the size that long runs reach, made by crossing parts of BrilliANT
// with random ones.
func grown(tb testing.TB, n int) []gp.Genome {
	tb.Helper()
	g := New()
	r := rand.New(rand.NewPCG(1, 1))
	v := gp.PaperVariation
	population := crossable(tb, r)
	var out []gp.Genome
	for len(out) < n {
		i, j := r.IntN(64), r.IntN(64)
		population[i], population[j] = g.Grammar().Cross(r, population[i], population[j], &v)
		if size := population[i].Size(); size >= 140 && size <= 260 {
			out = append(out, population[i])
		}
	}
	return out
}

// crossable returns BrilliANT many times and some random genomes.
func crossable(tb testing.TB, r *rand.Rand) []gp.Genome {
	population := slices.Repeat([]gp.Genome{printed(tb)}, 64)
	g := New().Grammar()
	for i := 0; i < len(population); i += 4 {
		population[i] = g.Ramped(r, 2, 6)
	}
	return population
}

// executors runs a benchmark once game by game and once with the kernels of each level, with the
// processor time and the games that it used as metrics: on a machine with other work the time on
// the wall says little.
func executors(b *testing.B, f func(b *testing.B, g *game) (games int)) {
	for _, level := range kernels.Available() {
		b.Run(level.String(), func(b *testing.B) {
			rate := enginetest.Rate(b)
			rate(float64(f(b, newGame(level))), "games")
		})
	}
}

// playAll plays games in batches of a match where the game is better at that, else one by one.
func playAll(g *game, jobs []engine.Job, results []engine.Result) {
	for len(jobs) > 0 {
		g.PlayBatch(jobs[:12], results[:12])
		jobs = jobs[12:]
	}
}

// BenchmarkMatch plays whole matches of the paper's length with each executor, BrilliANT's against
// itself and among grown ants.
func BenchmarkMatch(b *testing.B) {
	genomes := map[string][]gp.Genome{"brilliant": {printed(b)}, "grown": grown(b, 100)}
	for _, set := range []string{"brilliant", "grown"} {
		b.Run(set, func(b *testing.B) {
			executors(b, func(b *testing.B, g *game) int {
				players := enginetest.Bound(b, g, genomes[set]...)
				var jobs []engine.Job
				for i := range 100 {
					jobs = match(jobs, players[i%len(players)], players[i*7%len(players)], uint64(i), 6)
				}
				results := make([]engine.Result, 12)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					playAll(g, jobs[12*i:12*i+12], results)
					i = (i + 1) % 100
				}
				return 12 * b.N
			})
		})
	}
}

// BenchmarkDecision makes decisions of grown ants in the middle of games: one by one, and for
// twelve games at once.
func BenchmarkDecision(b *testing.B) {
	for _, level := range kernels.Available() {
		b.Run(level.String(), func(b *testing.B) {
			g := newGame(level)
			p := enginetest.Bound(b, g, grown(b, 2)...)
			decide := decideBatch
			if level == kernels.Scalar {
				decide = decideAlone
			}
			next, decisions := decide(b, g, p), 0
			began := parallel.ProcessorTime()
			for b.Loop() {
				decisions += next()
			}
			b.ReportMetric(float64((parallel.ProcessorTime()-began).Nanoseconds())/float64(
				decisions), "cpu-ns/decision")
		})
	}
}

// decideAlone returns a function that makes a decision in the middle of a game.
func decideAlone(b *testing.B, g *game, p []engine.Player) func() int {
	a, board := newArena(g), deal(2)
	for ant := range p {
		a.memory[ant].begin(0)
		p[ant].(*species).code.Load(a.sense[ant].frame)
	}
	for ply := range rounds - 1 {
		ant := ply % 2
		a.memory[ant].update(&board, ant, ply/2)
		board.move(ant, p[ant].(*species).move(&a.memory[ant], a.sense[ant]))
	}
	if board.dead[0] || board.dead[1] {
		b.Fatal("an ant is dead: take another board")
	}
	return func() int {
		a.memory[0].update(&board, 0, rounds/2)
		p[0].(*species).move(&a.memory[0], a.sense[0])
		return 1
	}
}

// decideBatch returns a function that makes decisions in the middle of twelve games.
func decideBatch(_ *testing.B, g *game, p []engine.Player) func() int {
	s := newScratch(g, g.level)
	jobs := match(nil, p[0], p[1], 1, 6)
	s.begin(jobs)
	for half := range rounds {
		s.tick(half&1, make([]engine.Result, len(jobs)))
	}
	return func() int {
		s.routine.look(&s.batch, 0)
		s.routine.recall(&s.batch, 0, &s.time)
		s.decide(0, enemyAway, 1<<len(jobs)-1)
		return len(jobs)
	}
}

// BenchmarkGeneration compiles a tenth of the paper's generation and plays its matches, four an
// individual, whole, for several sizes of genomes.
func BenchmarkGeneration(b *testing.B) {
	const population = 225
	for _, size := range []int{20, 50, 100, 200, 500} {
		b.Run(fmt.Sprintf("%d-nodes", size), func(b *testing.B) {
			v := gp.PaperVariation
			genomes := enginetest.Sized(New().Grammar(), crossable(b, rand.New(rand.NewPCG(1, 2))),
				population, size, &v)
			executors(b, func(b *testing.B, g *game) int {
				jobs, results := make([]engine.Job, 0, population*4*12), make([]engine.Result, 12)
				for b.Loop() {
					players := enginetest.Bound(b, g, genomes...)
					jobs = jobs[:0]
					for i := range 4 * population {
						jobs = match(jobs, players[i%population],
							players[(i*7+i/population+1)%population], uint64(i), 6)
					}
					playAll(g, jobs, results)
				}
				return b.N * len(jobs)
			})
		})
	}
}

// BenchmarkGameGrown plays games among a hundred grown ants, which are not bred.
func BenchmarkGameGrown(b *testing.B) {
	g := New()
	players := enginetest.Bound(b, g, grown(b, 100)...)
	seed, rate := uint64(0), enginetest.Rate(b)
	for b.Loop() {
		g.Play([]engine.Player{players[seed%100], players[seed*7%100]}, seed, nil)
		seed++
	}
	rate(float64(b.N), "games")
}

// BenchmarkBind compiles grown genomes.
func BenchmarkBind(b *testing.B) {
	g := New()
	genomes := grown(b, 100)
	b.ReportAllocs()
	began := parallel.ProcessorTime()
	i := 0
	for b.Loop() {
		if _, err := g.Bind(genomes[i%100]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64((parallel.ProcessorTime()-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
}
