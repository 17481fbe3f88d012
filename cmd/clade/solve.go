package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/all"
	"clade/experiments"
)

func newSolve() *cobra.Command {
	var set []string
	var budget int64
	var asJSON bool
	c := &cobra.Command{
		Use:   "solve GAME [POSITION]",
		Short: "Bound the value of a position, and find its best moves",
		Long: `Searches a position deeper and deeper, as long as the budget lasts, and prints bounds of its value that hold whatever happens beyond the depth reached, the best
moves, and the line that follows. Without a position it takes the start.

A position of amoeboid is who rolls next, A or B, with the roll behind the letter where it has been made, then the cells in order: "." or "a,b", units of
A and of B; "/" ends a row.`,
		Example: `  clade solve amoeboid "A5 . . . / 0,4 9,0 . / 0,4 . ."
  clade solve amoeboid --set size=2 --budget 20000000
  clade solve amoeboid --set board=path --set size=3 "B 2,0 . 0,1" --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			game, err := experiments.NewGame(args[0], set...)
			if err != nil {
				return usageError{err}
			}
			analyst, ok := game.(engine.Analyst)
			if !ok {
				able := func(g engine.Game) bool { _, ok := g.(engine.Analyst); return ok }
				return usageError{fmt.Errorf("%s cannot be solved; games that can: %s", args[0], strings.Join(gamesThat(able), ", "))}
			}
			if budget < 1 {
				return usageError{fmt.Errorf("--budget must be at least 1, not %d", budget)}
			}
			found, err := analyst.Analyse(strings.Join(args[1:], " "), budget)
			if err != nil {
				return usageError{err}
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(found)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), found.Text())
			return err
		},
	}
	f := c.Flags()
	f.StringArrayVar(&set, "set", nil, "a setting of the game, KEY=VALUE; may be repeated")
	f.Int64Var(&budget, "budget", 5_000_000, "positions to look at, at most")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// gamesThat names the games that can do something.
func gamesThat(able func(engine.Game) bool) []string {
	var names []string
	for _, g := range all.Games() {
		if able(g) {
			names = append(names, g.Info().Name)
		}
	}
	return names
}
