package cli

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"clade/analysis"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/engine/system/terminal"
	"clade/experiments/player"
)

func newTournament(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	var table string
	var rounds int
	kinds := ""
	for _, g := range scope.Games {
		if t, ok := g.(engine.NativeTournament); ok {
			kinds += "\n\n" + t.TournamentHelp()
		}
	}
	c := &cobra.Command{
		Use:   "tournament GAME PLAYER PLAYER...",
		Short: "Hold a tournament as the game's source does",
		Long:  `Holds a tournament in the way of the game's source, and prints its table.` + kinds,
		Example: `  clade tournament darwin rover superrover pirate pilgrim herd \
    --set map=ns_arena4
  clade tournament antwars hyper super brilliant run:runs/quick --rounds 100
  clade tournament darwin lefthand tortoise solver --set map=mz_4 --csv mz_4.csv`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			game, err := o.game(args[0], args[1:]...)
			if err != nil {
				return err
			}
			t, ok := game.(engine.NativeTournament)
			if !ok {
				return misuse("%s has no tournament of its own; use clade league", args[0])
			}
			players, err := o.typed().FindAll(game, args[1:])
			if err != nil {
				return usageError{err}
			}
			if rounds < 1 || rounds > maxRounds {
				return misuse("--rounds must be in 1..%d, not %d", maxRounds, rounds)
			}
			p := newProgress(nil)
			var lines [][]string
			err = parallel.Promptly(c.Context(), func() (err error) {
				lines, err = t.Tournament(c.Context(), engine.Tournament{Names: args[1:],
					Players: players, Rounds: rounds, Seed: engine.Seed(o.seed).Name("tournament"),
					Workers: o.workers, Progress: p.stageOf("playing")})
				return err
			})
			p.close()
			if c.Context().Err() != nil {
				return brokenOff(c.Context().Err())
			} else if err != nil {
				return usageError{err}
			}
			if table != "" {
				if err := writeFile(table,
					func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) }); err != nil {
					return err
				}
			}
			return o.print(c, struct {
				Game      string          `json:"game"`
				Standings *analysis.Table `json:"standings"`
			}{args[0], typed(lines)}, func(w io.Writer) {
				rows := make([][]string, len(lines)) // who it is begins a row
				for i, line := range lines {
					rows[i] = append([]string{line[0] + "  " + line[1]}, line[2:]...)
				}
				terminal.Table(w, rows)
			})
		},
	}
	o.add(c, help{"seed": "seed of the games", "set": "", "workers": "", "form": "", "json": ""})
	c.Flags().IntVar(&rounds, "rounds", 1, "how often the tournament is played; results add up")
	c.Flags().StringVar(&table, "csv", "", "also write the table into this file")
	return c
}

// maxRounds bounds the rounds of a tournament at more than anybody can wait for.
const maxRounds = 1_000_000

// typed converts lines of text, the first of which names the columns, to a table with numbers as
// numbers and with names in the style of all data.
func typed(lines [][]string) *analysis.Table {
	var columns []string
	for _, name := range lines[0] {
		columns = append(columns, strings.Join(strings.FieldsFunc(strings.ToLower(name),
			func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), "_"))
	}
	t := analysis.NewTable(columns...)
	for _, line := range lines[1:] {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = line[i]
			if x, err := strconv.ParseFloat(line[i], 64); err == nil && columns[i] != "player" {
				row[i] = x
			}
		}
		t.Add(row...)
	}
	return t
}
