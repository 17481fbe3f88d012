package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/all"
	"clade/experiments/player"
	"clade/experiments/study"
)

// speed is the games a second of a player against itself.
type speed struct {
	Game     string  `json:"game"`
	Players  string  `json:"players"`
	Executor string  `json:"executor"`
	Cores    int     `json:"cores"`
	Games    int     `json:"games"`
	PerCore  float64 `json:"games_per_second_per_core"`
	// the same times the decisions of a game
	Steps float64 `json:"decisions_per_second_per_core"`
}

func newBench() *cobra.Command {
	var asJSON bool
	var seconds float64
	var game string
	var runs int
	var set, players []string
	c := &cobra.Command{
		Use:   "bench [STUDY.toml]",
		Short: "Measure games a second, or a study of a benchmark problem",
		Long: `Plays games of each player of the house against itself, on one core and on all, and prints games a second a core. Evolved players are measured with
every executor that this machine has, and so are those that --player names. A decision is one of one player, or of one amoeba: their number in a game is counted in up
to four of the games. With a study of a game for one, carries it out under as many seeds, from the study's on, and prints how often it is solved, the best
fitness, and the processor time, with 95 % intervals (Wilson, t).`,
		Example: `  clade bench
  clade bench --game antwars --json
  clade bench --game amoebas --player results/amoebas/mixed-seed31.species --set world-size=200 --set rounds=300
  clade bench experiments/santafe/koza.toml --runs 30`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			given := func(flags ...string) bool {
				return slices.ContainsFunc(flags,
					c.Flags().Changed)
			}
			if len(args) == 1 {
				if given("game", "player", "seconds") {
					return usageError{errors.New("--game, --player and --seconds are not for a " +
						"study; leave them out, or the study")}
				}
				if runs < 2 {
					return usageError{fmt.Errorf("--runs must be at least 2, not %d", runs)}
				}
				study, err := study.Read(args[0], set...)
				if err != nil {
					return usageError{err}
				}
				return benchStudy(c, study, runs, asJSON)
			}
			if game == "" && len(players)+len(set) > 0 {
				return usageError{
					errors.New("--player is for one --game, and --set for one or a study")}
			}
			if given("runs") {
				return usageError{errors.New("--runs is for a study")}
			}
			if !(seconds > 0 && seconds <= maxSeconds) { // nor is it no number
				return usageError{fmt.Errorf("--seconds must be above 0 and at most %d, not %g",
					maxSeconds, seconds)}
			}
			speeds, err := benchGames(game, set, players,
				time.Duration(seconds*float64(time.Second)))
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(speeds)
			}
			fmt.Fprintf(c.OutOrStdout(), "%-12s %-28s %-10s %6s %16s %16s\n", "game", "players",
				"executor", "cores", "games/s a core", "decisions/s")
			for _, s := range speeds {
				fmt.Fprintf(c.OutOrStdout(), "%-12s %-28s %-10s %6d %16.*f %16.0f\n", s.Game,
					s.Players, s.Executor, s.Cores, places(s.PerCore), s.PerCore, s.Steps)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().Float64Var(&seconds, "seconds", 1, "time for each line")
	c.Flags().StringVar(&game, "game", "", "only this game")
	c.Flags().IntVar(&runs, "runs", 30, "runs of a study, each under a seed of its own")
	c.Flags().StringArrayVar(&players, "player", nil,
		"measure this player instead of those of the house; may be repeated")
	c.Flags().StringArrayVar(&set, "set", nil,
		"override a setting of the study or of the game, KEY=VALUE; may be repeated")
	return c
}

// maxSeconds is an hour, and more than anybody waits for a line.
const maxSeconds = 3600

// benchGames measures every game, or the one with that name and settings.
func benchGames(name string, set, players []string, d time.Duration) ([]speed, error) {
	games := all.Games()
	if name != "" {
		g, err := study.NewGame(name, set...)
		if err != nil {
			return nil, usageError{err}
		}
		games = []engine.Game{g}
	}
	speeds := []speed{}
	for _, g := range games {
		measured, err := benchGame(g, players, d)
		if err != nil {
			return nil, err
		}
		speeds = append(speeds, measured...)
	}
	return speeds, nil
}

// benchStudy carries out a benchmark, with a line a run and a summary.
func benchStudy(c *cobra.Command, study *study.Study, runs int, asJSON bool) error {
	w := c.OutOrStdout()
	if !asJSON {
		fmt.Fprintf(w, "%6s %12s %12s %8s %8s %8s %8s\n", "seed", "generations", "individuals",
			"nodes", "best", "solved", "CPU s")
	}
	b, err := runBenchmark(c.Context(), study, runs, func(r replicate) {
		if !asJSON {
			fmt.Fprintf(w, "%6d %12d %12d %8.1f %8g %8v %8.3f\n", r.Seed, r.Generations,
				r.Individuals, r.Size, r.Best, r.Solved, r.CPU)
		}
	})
	if err != nil {
		return brokenOff(err)
	}
	if asJSON {
		return json.NewEncoder(w).Encode(b)
	}
	fmt.Fprintf(w, "\nsolved    %5.1f %% of %d runs (%.1f..%.1f)\n", 100*b.Solved.Estimate,
		len(b.Runs), 100*b.Solved.Low, 100*b.Solved.High)
	fmt.Fprintf(w, "best      %.2f on average (%.2f..%.2f)\n", b.Best.Estimate, b.Best.Low,
		b.Best.High)
	fmt.Fprintf(w, "CPU       %.3f s a run (%.3f..%.3f)\n", b.CPU.Estimate, b.CPU.Low, b.CPU.High)
	fmt.Fprintf(w, "speed     %.0f individuals a second of processor time, breeding and all\n",
		b.Rate)
	return nil
}

// plain is the name of the one executor of a game that has no others.
const plain = "scalar"

// places is the number of digits behind the point that a rate is shown with.
func places(rate float64) int {
	if rate < 100 {
		return 2
	}
	return 0
}

// benchGame measures players by name, those of the house without any, with each executor of the
// game.
func benchGame(g engine.Game, names []string, d time.Duration) ([]speed, error) {
	a, ok := g.(engine.Accelerated)
	if !ok {
		return benchExecutor(g, names, plain, true, d)
	}
	var speeds []speed
	for i, executor := range a.Executors() {
		game, err := a.Using(executor)
		if err != nil {
			return nil, err
		}
		measured, err := benchExecutor(game, names, executor, i == 0, d)
		if err != nil {
			return nil, err
		}
		speeds = append(speeds, measured...)
	}
	return speeds, nil
}

// benchExecutor measures the named players; without names those of the house, and with everyone
// false only those of them that the executor plays in batches.
func benchExecutor(g engine.Game, names []string, executor string, everyone bool,
	d time.Duration) ([]speed, error) {
	var speeds []speed
	measure := func(name string, p engine.Player) {
		cores := []int{1}
		if n := runtime.GOMAXPROCS(0); n > 1 {
			cores = append(cores, n)
		}
		each := 0.0 // decisions of a game
		for _, n := range cores {
			games, took := playFor(g, p, n, d)
			if each == 0 {
				each = decisions(g, p, min(games, 4))
			}
			against := " against itself"
			if g.Info().MaxSeats == 1 {
				against = ""
			}
			rate := float64(games) / took.Seconds() / float64(n)
			speeds = append(speeds, speed{g.Info().Name, name + against, executor, n, games, rate,
				rate * each})
		}
	}
	for _, name := range names {
		p, err := player.Find(g, name)
		if err != nil {
			return nil, usageError{err}
		}
		measure(strings.TrimSuffix(filepath.Base(name), ".species"), p)
	}
	r, ok := g.(engine.Roster)
	if !ok || len(names) > 0 {
		return speeds, nil
	}
	for _, e := range r.Players() {
		p, err := e.New("")
		if err != nil {
			continue // it needs arguments
		}
		b, ok := g.(engine.Batcher)
		if batches := ok && b.Batches(p, p); batches || everyone {
			measure(e.Name, p)
		}
	}
	return speeds, nil
}

// counter counts decisions.
type counter int

func (c *counter) Decide(int, uint64) { *c++ }
func (c *counter) Step(engine.Scene)  {}

// decisions returns the mean number of decisions in the first games that playFor plays.
func decisions(g engine.Game, p engine.Player, games int) float64 {
	var n counter
	players := make([]engine.Player, min(max(2, g.Info().MinSeats), g.Info().MaxSeats))
	for i := range players {
		players[i] = p
	}
	for i := range games {
		g.Play(players, uint64(engine.Seed(0).Num(uint64(i))), &n)
	}
	return float64(n) / float64(games)
}

// matchGames is the number of games in one of the paper's matches: those that can be played at
// once.
const matchGames = 12

// playFor plays games on a number of goroutines, one or more on each, until the time is over.
func playFor(g engine.Game, p engine.Player, n int, d time.Duration) (int, time.Duration) {
	played := make([]int, n)
	began := time.Now()
	var group sync.WaitGroup
	for w := range n {
		play, atOnce := playing(g, p)
		group.Go(func() {
			count := 0
			for count == 0 || time.Since(began) < d {
				play(engine.Seed(w).Num(uint64(count)))
				count += atOnce
			}
			played[w] = count
		})
	}
	group.Wait()
	took := time.Since(began)
	total := 0
	for _, n := range played {
		total += n
	}
	return total, took
}

// playing returns what plays games of a player against itself as fast as the game can, and how many
// at once.
func playing(g engine.Game, p engine.Player) (play func(engine.Seed), atOnce int) {
	if b, ok := g.(engine.Batcher); ok && b.Batches(p, p) {
		jobs, results := make([]engine.Job, matchGames), make([]engine.Result, matchGames)
		return func(s engine.Seed) {
			for i := range jobs {
				jobs[i] = engine.Job{Players: [2]engine.Player{p, p},
					Seed: uint64(s.Num(uint64(i)))}
			}
			b.PlayBatch(jobs, results)
		}, matchGames
	}
	info := g.Info()
	players := make([]engine.Player, min(max(2, info.MinSeats), info.MaxSeats))
	for i := range players {
		players[i] = p
	}
	return func(s engine.Seed) { g.Play(players, uint64(s), nil) }, 1
}
