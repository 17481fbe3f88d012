package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/all"
)

// speed is the games a second of one pair of players.
type speed struct {
	Game     string  `json:"game"`
	Players  string  `json:"players"`
	Executor string  `json:"executor"`
	Cores    int     `json:"cores"`
	Games    int     `json:"games"`
	PerCore  float64 `json:"games_per_second_per_core"`
}

func newBench() *cobra.Command {
	var asJSON bool
	var seconds float64
	var game string
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure games a second",
		Long:  "Plays games of each player of the house against itself, on one core and on all, and prints games a second a core.",
		Example: `  clade bench
  clade bench --game antwars --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var speeds []speed
			for _, g := range all.Games() {
				if game != "" && g.Info().Name != game {
					continue
				}
				measured, err := benchGame(g, time.Duration(seconds*float64(time.Second)))
				if err != nil {
					return err
				}
				speeds = append(speeds, measured...)
			}
			if speeds == nil {
				_, err := all.Find(game)
				return usageError{err}
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(speeds)
			}
			fmt.Fprintf(c.OutOrStdout(), "%-10s %-28s %-10s %6s %16s\n", "game", "players", "executor", "cores", "games/s a core")
			for _, s := range speeds {
				fmt.Fprintf(c.OutOrStdout(), "%-10s %-28s %-10s %6d %16.0f\n", s.Game, s.Players, s.Executor, s.Cores, s.PerCore)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().Float64Var(&seconds, "seconds", 1, "time for each line")
	c.Flags().StringVar(&game, "game", "", "only this game")
	return c
}

func benchGame(g engine.Game, d time.Duration) ([]speed, error) {
	var speeds []speed
	r, ok := g.(engine.Roster)
	if !ok {
		return nil, nil
	}
	for _, e := range r.Players() {
		p, err := e.New("")
		if err != nil {
			continue // it needs arguments
		}
		cores := []int{1}
		if n := runtime.GOMAXPROCS(0); n > 1 {
			cores = append(cores, n)
		}
		for _, n := range cores {
			games, took := playFor(g, p, n, d)
			against := " against itself"
			if g.Info().MaxSeats == 1 {
				against = ""
			}
			speeds = append(speeds, speed{g.Info().Name, e.Name + against, "scalar", n, games, float64(games) / took.Seconds() / float64(n)})
		}
	}
	return speeds, nil
}

// playFor plays games on a number of goroutines until the time is over.
func playFor(g engine.Game, p engine.Player, n int, d time.Duration) (int, time.Duration) {
	played := make([]int, n)
	info := g.Info()
	players := make([]engine.Player, min(max(2, info.MinSeats), info.MaxSeats))
	for i := range players {
		players[i] = p
	}
	began := time.Now()
	var group sync.WaitGroup
	for w := range n {
		group.Go(func() {
			count := 0
			for time.Since(began) < d {
				g.Play(players, uint64(engine.Seed(w).Num(uint64(count))), nil)
				count++
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
