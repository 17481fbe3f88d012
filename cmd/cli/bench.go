package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/experiments/player"
	"clade/experiments/study"
)

// speed is the rate at which games of a player against itself, or of random species, are played.
type speed struct {
	Game      string  `json:"game"`
	Player    string  `json:"player"`
	Executor  string  `json:"executor"`
	Workers   int     `json:"workers"`
	Games     int     `json:"games"`
	Rate      float64 `json:"games_per_processor_second"`
	Decisions float64 `json:"decisions_per_processor_second"`
	// Processor seconds a second of the clock: of two workers near 2, if the machine has nothing
	// else to do.
	Cores float64 `json:"cores"`
}

func newBench(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	var seconds float64
	var game string
	var runs int
	var players []string
	var budgets []int64
	c := &cobra.Command{
		Use:   "bench [STUDY.toml]",
		Short: "Measure games a second, strength by budget, or a benchmark problem",
		Long: `Plays games of each built-in player against itself, and of random species, with
one worker and with one for each core, and prints games a second of processor
time, which other work of the machine hardly changes. Random species and players
of --player are measured with every executor that this machine has. A decision
is one of one player, or of one creature that it moves; decisions a game are
counted in up to sixteen of the games. Cores are processor seconds a second of
the clock.

With a study of a game for one, carries it out under several seeds, from the
study's on, and prints how often it is solved, the best fitness, and the
processor time, with 95 % intervals (Wilson, t).

With --strength, breeds one --game by its plan, as clade breed does, for each
number of games, several times, and prints the last champions' results against
built-in players on fresh boards, and the processor time. The same command
continues what is missing. The directory then has a figure of it, too.`,
		Example: `  clade bench
  clade bench --game antwars --json
  clade bench --game amoebas --set world-size=200 --set rounds=300 \
    --player results/amoebas/mixed-seed31.species
  clade bench experiments/santafe/koza.toml --runs 30
  clade bench --game antwars --strength 100000,1000000 --seed 11`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			given := func(flags ...string) bool {
				return slices.ContainsFunc(flags, c.Flags().Changed)
			}
			if len(args) == 1 {
				if given("strength", "out", "workers", "seed") {
					return misuse("--strength, --seed, --out and --workers are not for a study; " +
						"its seed is --set seed")
				}
				if given("game", "player", "seconds") {
					return misuse("--game, --player and --seconds are not for a study; leave " +
						"them out, or the study")
				}
				s, err := study.Read(*o.scope, args[0], o.set...)
				if err != nil {
					if _, none := study.NewGame(*o.scope, args[0]); none == nil {
						err = fmt.Errorf("%w; the game is --game %s", err, args[0])
					}
					return usageError{err}
				}
				return o.benchStudy(c, s, runs)
			}
			if game == "" && len(players)+len(o.set) > 0 {
				return misuse("--player is for one --game, and --set for one or a study")
			}
			if len(budgets) > 0 {
				if game == "" || given("player", "seconds") {
					return misuse("--strength needs one --game, and neither --player nor --seconds")
				}
				if !given("runs") {
					runs = 5
				}
				if runs < 2 || runs > 1000 {
					return misuse("--runs must be in 2..1000, not %d", runs)
				}
				if o.seed > math.MaxInt64-1000 {
					return misuse("--seed must be at most %d, not %d", math.MaxInt64-1000, o.seed)
				}
				if o.setsSeed() {
					return misuse("the seeds of --strength are --seed and those after it, not " +
						"--set seed")
				}
				return o.benchStrength(c, game, budgets, runs)
			}
			if given("runs", "out", "workers", "seed") {
				return misuse("--runs is for a study or --strength, and --seed, --out and --workers " +
					"are for --strength")
			}
			if !(seconds > 0 && seconds <= maxSeconds) { // nor NaN
				return misuse("--seconds must be above 0 and at most %d, not %g", maxSeconds, seconds)
			}
			speeds, err := o.benchGames(c.Context(), game, players,
				time.Duration(seconds*float64(time.Second)))
			if len(speeds) > 0 {
				err = cmp.Or(o.print(c, speeds, func(w io.Writer) { printSpeeds(w, speeds) }), err)
			}
			return err
		},
	}
	o.add(c, help{"form": "", "json": "", "workers": "",
		"out":  "directory of the runs of --strength (default runs/strength-GAME)",
		"seed": "seed of the first run of --strength; the others have those after it",
		"set":  "override a setting of the study or of the game, KEY=VALUE; may be repeated"})
	c.Flags().Float64Var(&seconds, "seconds", 1, "time for each line")
	c.Flags().StringVar(&game, "game", "", "only this game")
	c.Flags().IntVar(&runs, "runs", 30, "runs of a study, or of a budget (5), each under a seed of "+
		"its own")
	c.Flags().Int64SliceVar(&budgets, "strength", nil, "measure what these numbers of games of "+
		"selection buy")
	c.Flags().StringArrayVar(&players, "player", nil,
		"measure this player instead of the built-in ones; may be repeated")
	return c
}

// printSpeeds prints a line each.
func printSpeeds(w io.Writer, speeds []speed) {
	rows := [][]string{{"player", "executor", "workers", "games/cpu-s", "decisions/cpu-s", "cores"}}
	for i, s := range speeds {
		if i == 0 || s.Game != speeds[i-1].Game {
			if i > 0 {
				rows = append(rows, nil)
			}
			rows = append(rows, []string{s.Game})
		}
		digits := 0 // behind the point
		if s.Rate < 100 {
			digits = 2
		}
		rows = append(rows, []string{"  " + s.Player, s.Executor, fmt.Sprint(s.Workers),
			fmt.Sprintf("%.*f", digits, s.Rate), fmt.Sprintf("%.0f", s.Decisions),
			fmt.Sprintf("%.2f", s.Cores)})
	}
	terminal.Table(w, rows)
}

// maxSeconds is an hour, and more than anybody waits for a line.
const maxSeconds = 3600

// benchGames measures every game, or the one with that name and settings, with each executor. The
// one executor of a game that has no others is called scalar. Stopped, it returns what it has
// measured beside the error.
func (o *flags) benchGames(ctx context.Context, name string, players []string,
	d time.Duration) ([]speed, error) {
	games := o.scope.Games
	if name != "" {
		g, err := o.game(name, players...)
		if err != nil {
			return nil, err
		}
		games = []engine.Game{g}
	}
	var lines []func() speed
	add := func(g engine.Game, executor string, everyone bool) error {
		more, err := o.benchExecutor(g, players, executor, everyone, d)
		lines = append(lines, more...)
		return err
	}
	for _, g := range games {
		a, ok := g.(engine.Accelerated)
		if !ok {
			if err := add(g, "scalar", true); err != nil {
				return nil, err
			}
			continue
		}
		for i, executor := range a.Executors() {
			game, err := a.Using(executor)
			if err == nil {
				err = add(game, executor, i == 0)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	p := newProgress(nil)
	defer p.close()
	speeds := []speed{}
	for i, measure := range lines {
		if ctx.Err() != nil {
			return speeds, fmt.Errorf("stopped after %d of %d lines", i, len(lines))
		}
		speeds = append(speeds, measure())
		p.stageOf("measuring")(i+1, len(lines))
	}
	return speeds, nil
}

// benchStudy carries out a benchmark, with a line a run and a summary.
func (o *flags) benchStudy(c *cobra.Command, study *study.Study, runs int) error {
	w := plain(c)
	if !o.asJSON {
		fmt.Fprintf(w, "%6s %12s %12s %8s %8s %8s %8s\n", "seed", "generations", "individuals",
			"nodes", "best", "solved", "CPU s")
	}
	p := newProgress(nil)
	done := 0
	b, err := runBenchmark(c.Context(), study, runs, func(r replicate) {
		done++
		defer p.stageOf("breeding")(done, runs)
		if p.hide(); !o.asJSON {
			fmt.Fprintf(w, "%6d %12d %12d %8.1f %8g %8v %8.3f\n", r.Seed, r.Generations,
				r.Individuals, r.Size, r.Best, r.Solved, r.CPU)
		}
	})
	p.close()
	if err != nil {
		return brokenOff(err)
	}
	return o.print(c, b, func(w io.Writer) {
		fmt.Fprintf(w, `
solved    %5.1f %% of %d runs (%.1f..%.1f)
best      %.2f on average (%s)
CPU       %.3f s a run (%s)
speed     %.0f individuals a second of processor time, breeding and all
`, 100*b.Solved.Estimate, len(b.Runs), 100*b.Solved.Low, 100*b.Solved.High, b.Best.Estimate,
			bounds("%.2f", b.Best.Low, b.Best.High), b.CPU.Estimate,
			bounds("%.3f", b.CPU.Low, b.CPU.High), b.Rate)
	})
}

// benchExecutor returns what measures the named players, a line each; without names the built-in
// ones and random species, and with everyone false, of the built-in ones, only those that the
// executor plays in batches.
func (o *flags) benchExecutor(g engine.Game, names []string, executor string, everyone bool,
	d time.Duration) ([]func() speed, error) {
	var lines []func() speed
	measure := func(name string, seats lineups) {
		each := 0.0 // decisions of a game
		for _, n := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
			lines = append(lines, func() speed {
				games, used, took := playFor(g, seats, n, d)
				if each == 0 {
					each = decisions(g, seats, min(games, 16))
				}
				rate := float64(games) / used.Seconds()
				return speed{g.Info().Name, name, executor, n, games, rate, rate * each,
					used.Seconds() / took.Seconds()}
			})
		}
	}
	for _, name := range names {
		p, err := o.typed().Find(g, name)
		if err != nil {
			return nil, usageError{err}
		}
		measure(called(name), itself(g.Info(), p))
	}
	if len(names) > 0 {
		return lines, nil
	}
	for _, e := range player.BuiltIn(g) {
		p, err := e.New("")
		if err != nil {
			continue // it needs arguments
		}
		if seats := itself(g.Info(), p); everyone || seats.batches(g) {
			measure(e.Name, seats)
		}
	}
	random, err := randomSpecies(g)
	if err == nil {
		measure("random species", random)
	}
	return lines, err
}

// lineups holds the players of games: game i has row i, modulo the number of rows.
type lineups [][]engine.Player

func (s lineups) of(game int) []engine.Player { return s[game%len(s)] }

// batches reports whether the game plays them in batches.
func (s lineups) batches(g engine.Game) bool {
	b, ok := g.(engine.Batcher)
	return ok && b.Batches(s.of(0))
}

// itself seats a player against itself.
func itself(info engine.Info, p engine.Player) lineups {
	return lineups{slices.Repeat([]engine.Player{p}, min(max(2, info.MinSeats), info.MaxSeats))}
}

// randomSpecies seats sixteen genomes that are drawn at random, each against the next. Their trees
// are as deep as those of founders may grow.
func randomSpecies(g engine.Game) (lineups, error) {
	var all []engine.Player
	r := rand.New(rand.NewPCG(1, 2))
	for range 16 {
		p, err := g.Bind(g.Grammar().Ramped(r, 4, 7))
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	seats := len(itself(g.Info(), nil)[0])
	var s lineups
	for range all {
		s = append(s, all[:seats:seats])
		all = append(all[1:], all[0])
	}
	return s, nil
}

// decisions returns the mean number of decisions in the first games that playFor plays.
func decisions(g engine.Game, s lineups, games int) float64 {
	n := 0
	for i := range games {
		g.Play(s.of(i), uint64(engine.Seed(0).Num(uint64(i))),
			engine.OnDecide(func(int, uint64) { n++ }))
	}
	return float64(n) / float64(games)
}

// matchGames is the number of games that are given to a batch at a time.
const matchGames = 12

// playFor plays games on a number of goroutines, at least one game on each, until a time of the
// clock is over. It returns how many, and the processor and clock time they took.
func playFor(g engine.Game, s lineups, n int, d time.Duration) (games int, used,
	took time.Duration) {
	var total atomic.Int64
	began, from := time.Now(), parallel.ProcessorTime()
	var group sync.WaitGroup
	for w := range n {
		play, atOnce := playing(g, s)
		group.Go(func() {
			count := 0
			for count == 0 || time.Since(began) < d {
				play(count, engine.Seed(w).Num(uint64(count)))
				count += atOnce
			}
			total.Add(int64(count))
		})
	}
	group.Wait()
	return int(total.Load()), max(1, parallel.ProcessorTime()-from), time.Since(began)
}

// playing returns the fastest way to play games, and how many it plays at once.
func playing(g engine.Game, s lineups) (play func(int, engine.Seed), atOnce int) {
	if s.batches(g) {
		b := g.(engine.Batcher)
		jobs, results := make([]engine.Job, matchGames), make([]engine.Result, matchGames)
		return func(n int, seed engine.Seed) {
			players := s.of(n / matchGames)
			for i := range jobs {
				jobs[i] = engine.Job{Players: players, Seed: uint64(seed.Num(uint64(i)))}
			}
			b.PlayBatch(jobs, results)
		}, matchGames
	}
	return func(n int, seed engine.Seed) { g.Play(s.of(n), uint64(seed), nil) }, 1
}

// replicate is one run of a benchmark.
type replicate struct {
	Seed        uint64  `json:"seed"`
	Generations int     `json:"generations"` // evaluated
	Individuals int64   `json:"individuals"` // evaluated
	Size        float64 `json:"size"`        // mean nodes of an individual over all generations
	Best        float64 `json:"best"`        // greatest fitness of all generations
	Solved      bool    `json:"solved"`      // it reached the study's evolve.stop-at
	CPU         float64 `json:"cpu"`         // seconds of user and system, without measurements
}

// benchmark is the result of all runs, with 95 % intervals.
type benchmark struct {
	Study  string        `json:"study"`
	Runs   []replicate   `json:"runs"`
	Solved stat.Interval `json:"solved"` // share of runs (Wilson)
	Best   stat.Interval `json:"best"`   // mean (t)
	CPU    stat.Interval `json:"cpu"`    // mean seconds a run (t)
	Rate   float64       `json:"rate"`   // individuals a second of processor time
}

// runBenchmark carries out a study of a game for one under a number of seeds, from the study's on,
// one after the other and each by one worker, in directories that it deletes. It reports every run.
func runBenchmark(ctx context.Context, s *study.Study, runs int,
	report func(replicate)) (*benchmark, error) {
	if s.Evolve.Selection != evolve.ByFitness || s.Evolve.StopAt == 0 {
		return nil, fmt.Errorf("the study %s is not a benchmark: it needs explicit fitness and "+
			"evolve.stop-at, the fitness of a solution", s.Name)
	}
	if runs < 2 {
		return nil, misuse("--runs must be at least 2, not %d", runs)
	}
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	b := &benchmark{Study: s.Name}
	for i := range runs {
		one := *s
		one.Seed += uint64(i)
		r, err := breedOnce(ctx, &one)
		if err != nil {
			return nil, err
		}
		b.Runs = append(b.Runs, *r)
		report(*r)
	}
	b.sum(g.Info().Scores)
	return b, nil
}

// breedOnce carries out the study once.
func breedOnce(ctx context.Context, s *study.Study) (*replicate, error) {
	dir, err := os.MkdirTemp("", "benchmark")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	out := &replicate{Seed: s.Seed}
	began := parallel.ProcessorTime()
	e, err := evolve.Create(dir, evolve.Setup{Game: g, Config: s.Evolve, Seed: s.Seed, Workers: 1,
		Progress: func(r evolve.Progress) {
			out.Generations++
			out.Individuals += r.Line.Games
			out.Size += r.Line.Size.Mean
			out.Best = max(out.Best, r.Line.Fitness.Max)
		}})
	if err != nil {
		return nil, err
	}
	_, err = e.Evolve(ctx)
	err = cmp.Or(err, e.Close())
	out.CPU = (parallel.ProcessorTime() - began).Seconds()
	out.Size /= float64(max(1, out.Generations))
	out.Solved = out.Best >= s.Evolve.StopAt
	return out, err
}

// sum computes means and intervals, those of fitness, which is a game's score, within its bounds.
func (b *benchmark) sum(scores engine.Bounds) {
	n := len(b.Runs)
	solved, individuals, seconds := 0, int64(0), 0.0
	best, cpu := make([]float64, n), make([]float64, n)
	for i, r := range b.Runs {
		if r.Solved {
			solved++
		}
		best[i], cpu[i] = r.Best, r.CPU
		individuals += r.Individuals
		seconds += r.CPU
	}
	b.Solved = stat.Wilson(float64(solved), float64(n), 0.95)
	least, most := scores.Ends()
	b.Best = stat.MeanT(best, 0.95).Within(least, most)
	b.CPU = stat.MeanT(cpu, 0.95).Within(0, math.Inf(1))
	b.Rate = float64(individuals) / seconds
}
