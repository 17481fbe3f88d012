package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/all"
	"clade/experiments/study"
)

func newSolve() *cobra.Command {
	var set []string
	var budget int64
	var table string
	var mass int
	var asJSON bool
	c := &cobra.Command{
		Use:   "solve GAME [POSITION]",
		Short: "Bound the value of a position, and find its best moves",
		Long: `Searches a position deeper and deeper, as long as the budget lasts, and prints bounds of its value that hold whatever happens beyond the depth reached, the best
moves, and the line that follows. Without a position it takes the start. Where the search ends, an exact table of all light positions goes on if it reaches so far: a small
one is made each time; a larger one, up to --mass units, is kept in the directory --table, where it goes on if it was stopped.

A position of amoeboid is who rolls next, A or B, with the roll behind the letter where it has been made, then the cells in order: "." or "a,b", units of
A and of B; "/" ends a row.`,
		Example: `  clade solve amoeboid "A5 . . . / 0,4 9,0 . / 0,4 . ."
  clade solve amoeboid --set size=2 --budget 20000000
  clade solve amoeboid --set board=path --set size=3 "B 2,0 . 0,1" --json
  clade solve amoeboid --set board=path --set size=3 --mass 28 --table tables/path3`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			game, err := study.NewGame(args[0], set...)
			if err != nil {
				return usageError{err}
			}
			analyst, ok := game.(engine.Analyst)
			if !ok {
				able := func(g engine.Game) bool { _, ok := g.(engine.Analyst); return ok }
				return usageError{fmt.Errorf("%s cannot be solved; games that can: %s", args[0],
					strings.Join(gamesThat(able), ", "))}
			}
			if budget < 1 {
				return usageError{fmt.Errorf("--budget must be at least 1, not %d", budget)}
			}
			found, err := analyse(analyst, strings.Join(args[1:], " "), budget, mass, table)
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
	f.StringVar(&table, "table", "", "directory of an exact table; goes with --mass")
	f.IntVar(&mass, "mass", 0,
		"units up to which the table is exact; time and space grow steeply with them")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// tabulator is an analyst that keeps exact tables in directories.
type tabulator interface {
	AnalyseTable(position string, budget int64, mass int, dir string) (engine.Analysis, error)
}

// analyse solves a position with the table that is asked for, or with the game's own.
func analyse(analyst engine.Analyst, position string, budget int64, mass int,
	dir string) (engine.Analysis, error) {
	if mass == 0 && dir == "" {
		return analyst.Analyse(position, budget)
	}
	if mass == 0 || dir == "" {
		return nil, fmt.Errorf("--table DIRECTORY and --mass UNITS go together")
	}
	t, ok := analyst.(tabulator)
	if !ok {
		return nil, fmt.Errorf("this game has no tables")
	}
	return t.AnalyseTable(position, budget, mass, dir)
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
