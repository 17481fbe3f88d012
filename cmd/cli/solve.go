package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/study"
)

func newSolve(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var budget int64
	var table string
	var mass int
	notations := ""
	for _, g := range scope.Games {
		if a, ok := g.(engine.Analyst); ok {
			notations += "\n\n" + a.Notation()
		}
	}
	c := &cobra.Command{
		Use:   "solve GAME [POSITION]",
		Short: "Bound the value of a position, and find its best moves",
		Long: `Searches a position deeper and deeper, as long as the budget lasts, and prints
bounds of its value that hold whatever happens beyond the depth reached, the
best moves, and the line that follows. Without a position it takes the start.
Positions at the end of the search are looked up in an exact table of light
positions: a small one is made each time; a larger one, up to --mass units, is
kept in the directory --table, and continued there if it was stopped.` + notations,
		Example: `  clade solve amoeboid --set board=path --set size=3 "A2 2,0 0,1 0,1"
  clade solve amoeboid --set size=2 --budget 20000000
  clade solve amoeboid --set board=path --set size=3 "B 2,0 . 0,1" --json
  clade solve amoeboid --set board=path --set size=3 --mass 28 \
    --table tables/path3`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			game, err := study.NewGame(*o.scope, args[0], o.set...)
			if err != nil {
				return usageError{err}
			}
			analyst, ok := game.(engine.Analyst)
			if !ok {
				return misuse("%s cannot be solved; games that can: %s", args[0],
					strings.Join(gamesThat(o.scope, able["solve"]), ", "))
			}
			if budget < 1 {
				return misuse("--budget must be at least 1, not %d", budget)
			}
			if (mass == 0) != (table == "") {
				return misuse("--table DIRECTORY and --mass UNITS go together")
			}
			found, err := analyst.Analyse(strings.Join(args[1:], " "), budget, mass, table)
			if err != nil {
				return usageError{err}
			}
			return o.print(c, found, func(w io.Writer) {
				for line := range strings.Lines(found.Text()) {
					fmt.Fprint(w, terminal.Wrap(line, terminal.Room(w)))
				}
			})
		},
	}
	o.add(c, help{"set": "", "json": ""})
	f := c.Flags()
	f.Int64Var(&budget, "budget", 5_000_000, "positions to look at, at most")
	f.StringVar(&table, "table", "", "directory of an exact table; goes with --mass")
	f.IntVar(&mass, "mass", 0,
		"units up to which the table is exact; time and space grow steeply with them")
	return c
}
