package antwars

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/kernels"
	"clade/gp/proof"
)

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
		proof.Is(t, inPlanes(b), want, "cell %d", cell)
	}
}

// TestBatchPlays holds batches and matches of each level to games played one by one, of ants of the
// paper, of those that bred ones were crossed with random ones to, and of built-in ones.
func TestBatchPlays(t *testing.T) {
	proof.Slow(t)
	n := 500
	if proof.Quick() {
		n = 100
	}
	for _, with := range perceptions {
		for _, level := range kernels.Available() {
			t.Run(with.name+level.String(), func(t *testing.T) {
				g := makeGame(level, with.settings)
				brilliant := proof.Must(g.brilliant())(t) // bound to this game's words
				players := append(enginetest.Bound(t, g, with.ants(t, 400)...), brilliant, random{},
					smart{})
				r := engine.NewRandom(1)
				var jobs []engine.Job
				for i := range n {
					x, y := players[r.Below(len(players))], players[r.Below(len(players))]
					jobs = match(jobs, x, y, uint64(i), 1+i%10)
					proof.OK(t, enginetest.SameMatch(engine.Match{Boards: 1 + i%9, Once: i%5 == 0}, g, x, y,
						engine.Seed(i)))
				}
				checkBatch(t, g, jobs)
			})
		}
	}
}

// TestBatches holds who plays in lockstep, and how many games at once: as many between the same two
// evolved ants, in either seat, as fit.
func TestBatches(t *testing.T) {
	genomes := grown(t, 3)
	for _, level := range kernels.Available() {
		for s, lockstep := range map[settings]bool{
			{}: true, {KeenSenses: true, Rings: true}: true, {Search: 1}: false,
			{KeenSenses: true, Sight: sightOpponent}: false,
		} {
			g := makeGame(level, s)
			p := append(enginetest.Bound(t, g, genomes...), smart{})
			for _, c := range []struct{ a, b, boards, want int }{
				{0, 1, 1, 2}, {0, 1, 8, batchSize}, {1, 0, 9, batchSize}, {0, 3, 1, 0}, {3, 0, 1, 0},
			} {
				jobs := match(nil, p[c.a], p[c.b], 1, c.boards)
				proof.Is(t, together(jobs), c.want, "games of %+v", c)
				proof.Is(t, g.Batches(jobs[0].Players), c.want > 0 && lockstep && level > kernels.Scalar,
					"%v, %+v: games of %+v", level, s, c)
			}
			for _, c := range [][2]int{{0, 2}, {2, 0}, {1, 2}, {2, 1}, {0, 0}, {1, 1}, {0, 3}, {3, 0}} {
				jobs := match(match(nil, p[0], p[1], 1, 2), p[c[0]], p[c[1]], 1, 1)
				proof.Is(t, together(jobs), 4, "games before those of %v", c)
			}
		}
	}
}

// TestMatchesStop holds matches in lockstep to games played one by one, and to a number of steps:
// another number is another stop, and must be meant. Some ants play against themselves. One asks of
// each row in view whether the opponent is there: in view of it the last answer follows. Two look
// for food where they have seen it, in a match that goes on for the total score. Of keen ants a few
// games are played.
func TestMatchesStop(t *testing.T) {
	for _, level := range kernels.Available()[1:] {
		g := newGame(level)
		sees := "foodHope"
		for row := -2; row <= 2; row++ {
			sees = fmt.Sprintf("(if (isEnemy (rect 0 %d 5 1)) (const 0.5) %s)", row, sees)
		}
		const near, far = "(noFood (rect 0 -3 5 1))", "(noFood (rect 0 -4 5 1))"
		both := "(add foodHope (add " + near + " " + far + "))"
		proof.OK(t, enginetest.SameMatch(engine.Match{Boards: 1}, g, speciesOf(t, g, near+" "+near),
			speciesOf(t, g, both+" "+both), 9309))
		players := append(enginetest.Bound(t, g, grown(t, 30)...), speciesOf(t, g, sees+" foodHope"))
		steps, whole, n := 0, 0, len(players)
		for i := range 100 {
			x, y := players[i%n], players[i*i%n]
			m := engine.Match{Boards: 1 + i%9, Once: i%4 == 3}
			proof.OK(t, enginetest.SameMatch(m, g, x, y, engine.Seed(i)))
			jobs := match(nil, x, y, uint64(i), 1+i%8)
			results := make([]engine.Result, len(jobs))
			for _, play := range []struct {
				of    func([]engine.Job, []engine.Result)
				steps *int
			}{{g.PlayMatch, &steps}, {g.PlayBatch, &whole}} {
				play.of(jobs, results)
				for _, r := range results {
					*play.steps += r.Steps
				}
			}
		}
		proof.Is(t, [2]int{steps, whole}, [2]int{44593, 57990},
			"%v: steps of matches, and of all their games", level)
		for _, with := range perceptions[1:] {
			g := makeGame(level, with.settings)
			p := enginetest.Bound(t, g, with.ants(t, 2)...)
			checkBatch(t, g, match(nil, p[0], p[1], 1, 2))
		}
	}
}

// perceptions are what ants may perceive in lockstep, and ants that do.
var perceptions = []struct {
	name     string
	settings settings
	ants     func(testing.TB, int) []gp.Genome
}{
	{"", settings{}, grown},
	{"keen ", settings{KeenSenses: true}, keenAnts("keen-seed613")},
	{"foresight ", settings{KeenSenses: true, Foresight: true},
		keenAnts("keen-seed613", "foresight-seed711", "foresight-seed701")},
	{"rings ", settings{KeenSenses: true, Rings: true, Moves: 40}, keenAnts("keen-seed613")},
	{"rings, foresight ", settings{KeenSenses: true, Foresight: true, Rings: true},
		keenAnts("foresight-seed711")},
}

// keenAnts returns ants that some kept species were crossed with random genomes to, and these.
func keenAnts(names ...string) func(tb testing.TB, n int) []gp.Genome {
	return func(tb testing.TB, n int) []gp.Genome {
		foresight := names[len(names)-1] != "keen-seed613"
		game := makeGame(kernels.Scalar, settings{KeenSenses: true, Foresight: foresight})
		g := game.grammar
		var kept []gp.Genome
		for _, name := range names {
			kept = append(kept, enginetest.Kept(tb, game, name))
		}
		r, out := rand.New(rand.NewPCG(1, 3)), slices.Clone(kept)
		for len(out) < n {
			a, b := g.Cross(r, kept[len(out)%len(kept)], g.Ramped(r, 2, 7), &gp.PaperVariation)
			out = append(out, a, b)
		}
		return out[:n]
	}
}

// TestLengths plays games of other lengths than the contest's: in lockstep as alone, and ants that
// do not look at the clock begin a long game as a short one. The powers of 0.9 are those of the
// library.
func TestLengths(t *testing.T) {
	proof.Slow(t)
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
	ants := grown(t, 40)
	for _, moves := range []int{1, 2, 18, 34, 36, 48, 64, mostMoves} {
		short, long := begin(min(moves, rounds)), begin(max(moves, rounds))
		proof.Are(t, short, long[:len(short)], "the first of %d moves", moves)
		for _, level := range kernels.Available() {
			g := makeGame(level, settings{Moves: moves})
			players := enginetest.Bound(t, g, ants...)
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
	trees, chosen := printed(t), kernels.Chosen
	defer func() { kernels.Chosen = chosen }()
	kernels.Chosen = func() (kernels.Level, error) { return kernels.Choose("mmx") }
	g := New().(*game)
	proof.Fails(g.Bind(trees))(t, kernels.Variable)
	for _, executor := range []string{"", "mmx"} {
		proof.Fails(g.Using(executor))(t, "scalar")
	}
}
