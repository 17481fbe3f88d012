package antwars

import (
	"math"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// bound returns players for the genomes.
func bound(tb testing.TB, g engine.Game, genomes []gp.Genome) []engine.Player {
	tb.Helper()
	players := make([]engine.Player, len(genomes))
	for i, ge := range genomes {
		p := proof.Must(g.Bind(ge))(tb)
		players[i] = p
	}
	return players
}

// match returns the games of a match on a number of boards, whole.
func match(jobs []engine.Job, a, b engine.Player, seed uint64, boards int) []engine.Job {
	for i := range uint64(boards) {
		jobs = append(jobs, engine.Job{Players: []engine.Player{a, b}, Seed: seed + i},
			engine.Job{Players: []engine.Player{b, a}, Seed: seed + i})
	}
	return jobs
}

func TestInPlanes(t *testing.T) {
	g := New().Grammar()
	for cell := range cells {
		var b gp.Bits
		b.Set(cell)
		at := g.PlaneBit(cell)
		var want [4]uint32
		want[at>>5] = 1 << (at & 31)
		if got := inPlanes(b); got != want {
			t.Errorf("cell %d: %x, want %x", cell, got, want)
		}
	}
}

// TestBatchPlays holds batches of each level to games played one by one.
func TestBatchPlays(t *testing.T) {
	n := 500
	if testing.Short() {
		n = 100
	}
	for _, level := range kernels.Available() {
		t.Run(level.String(), func(t *testing.T) {
			g := newGame(level)
			genomes := grown(t, 400)
			players := bound(t, g, genomes)
			players = append(players, mustPlayer(t, "brilliant"), random{}, smart{})
			r := engine.NewRandom(1)
			var jobs []engine.Job
			for i := range n {
				jobs = match(jobs, players[r.Below(len(players))], players[r.Below(len(players))],
					uint64(i), 1+i%10)
			}
			checkBatch(t, g, jobs)
		})
	}
}

// TestLengths plays games of other lengths than the contest's: in lockstep as alone, and ants that
// do not look at the clock begin a long game as a short one. The powers of 0.9 are those of the
// library.
func TestLengths(t *testing.T) {
	for i, c := range certainty {
		if math.Abs(float64(c)-4096*math.Pow(0.9, float64(i))) > 0.5 {
			t.Errorf("0.9 to the power of %d is no %d/4096", i, c)
		}
	}
	begin := func(moves int) []uint64 {
		g := makeGame(kernels.Scalar, settings{Moves: moves})
		ge := proof.Must(g.grammar.Parse("(noFood (rect 0 -1 5 3)) (noFood (rect 0 -1 5 3))"))(t)
		players := []engine.Player{smart{}, proof.Must(g.Bind(ge))(t)}
		var decided []uint64
		r := g.Play(players, 1, engine.OnDecide(func(_ int, d uint64) { decided = append(decided, d) }))
		if r.Steps != 2*moves || g.Info().Decisions != moves {
			t.Fatalf("%d moves: %d steps, at most %d decisions", moves, r.Steps, g.Info().Decisions)
		}
		return decided
	}
	for _, moves := range []int{1, 2, 18, 34, 36, 48, 64, mostMoves} {
		short, long := begin(min(moves, rounds)), begin(max(moves, rounds))
		if !slices.Equal(short, long[:len(short)]) {
			t.Errorf("%d moves begin otherwise: %v, %v", moves, short, long)
		}
		for _, level := range kernels.Available() {
			g := makeGame(level, settings{Moves: moves})
			players := bound(t, g, grown(t, 40))
			var jobs []engine.Job
			for i := range 60 {
				jobs = match(jobs, players[i%40], players[(7*i+1)%40], uint64(i), 1+i%8)
			}
			checkBatch(t, g, jobs)
		}
	}
	g := makeGame(kernels.Scalar, settings{Moves: 34})
	proof.Fails(g.Export(printed(t), export.Origin{}, "c"))(t, "moves = 0")
}

func checkBatch(t *testing.T, g *game, jobs []engine.Job) {
	t.Helper()
	results := make([]engine.Result, len(jobs))
	g.PlayBatch(jobs, results)
	for i, job := range jobs {
		if want := g.Play(job.Players, job.Seed, nil); results[i] != want {
			t.Fatalf("job %d of %d: %+v, alone %+v", i, len(jobs), results[i], want)
		}
	}
}

// TestUnknownKernels holds that a wrong name in the environment is an error that says what to do,
// and not a slow run.
func TestUnknownKernels(t *testing.T) {
	g := newGame(kernels.Scalar)
	_, g.fault = kernels.Choose("mmx")
	proof.Fails(g.Bind(printed(t)))(t, kernels.Variable)
	for _, executor := range []string{"", "mmx"} {
		proof.Fails(g.Using(executor))(t, "scalar")
	}
}
