package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/study"
)

func newTourney() *cobra.Command {
	var seed uint64
	var set []string
	var table string
	var asJSON bool
	c := &cobra.Command{
		Use:   "tournament GAME PLAYER PLAYER...",
		Short: "Hold a tournament as the game's source does",
		Long: `Holds a tournament in the way of the game's source, and prints its table. In the Darwin Game that is natural selection, every combination of four species once
on a map for four with points for how each game ended; or, on a map with a treasure, six runs of every species through the maze.`,
		Example: `  clade tournament darwin rover superrover pirate pilgrim herd --set map=ns_arena4
  clade tournament darwin lefthand tortoise solver --set map=mz_4 --set rules=handbook --csv mz_4.csv`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			game, err := study.NewGame(args[0], set...)
			if err != nil {
				return usageError{err}
			}
			t, ok := game.(engine.NativeTournament)
			if !ok {
				return usageError{fmt.Errorf("%s has no tournament of its own; use clade league",
					args[0])}
			}
			players, err := player.FindAll(game, args[1:])
			if err != nil {
				return usageError{err}
			}
			lines, err := t.Tournament(args[1:], players, engine.Seed(seed).Name("tournament"))
			if err != nil {
				return usageError{err}
			}
			if table != "" {
				if err := writeFile(table,
					func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) }); err != nil {
					return err
				}
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(struct {
					Game    string     `json:"game"`
					Columns []string   `json:"columns"`
					Rows    [][]string `json:"rows"`
				}{args[0], lines[0], lines[1:]})
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, line := range lines {
				fmt.Fprintln(w, strings.Join(line, "\t"))
			}
			return w.Flush()
		},
	}
	f := c.Flags()
	f.Uint64Var(&seed, "seed", 1, "seed of the games")
	f.StringArrayVar(&set, "set", nil, "a setting of the game, KEY=VALUE; may be repeated")
	f.StringVar(&table, "csv", "", "also write the table into this file")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
