package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
)

func newMonitor(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1, games: 200}
	var every int
	c := &cobra.Command{
		Use:   "monitor RUN",
		Short: "Monitor the coevolution of a run",
		Long: `Plays the champions of a run against each other and against the built-in
players, and draws the monitors of coevolution with their data: current
individuals against ancestors (CIAO), lag curves, master and dominance
tournament, hall of fame by age, forgetting, disengagement, intransitivity over
the generations, the disc embedding, what the champions are made of and where
they look, and descent with the time to the most recent common ancestor.

The games are kept in the file played beside the figures, so that the same
command continues a long call that was interrupted, and clade report prints the
same numbers without playing again. With --out nothing is written into the run.`,
		Example: `  clade monitor runs/quick
  clade monitor runs/quick --every 20 --games 400 --out figures`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if every < 0 {
				return misuse("--every must be at least 0, not %d", every)
			}
			if err := o.evenGames(); err != nil {
				return err
			}
			r, err := runner.Open(*o.scope, args[0])
			if err == nil {
				_, err = findRuns(args)
			}
			if err != nil {
				return err
			}
			if err := o.writeTo(filepath.Dir(report.MonitorCachePath(r))); err != nil {
				return err
			}
			p := newProgress(nil)
			m, err := report.Monitor(c.Context(), r, report.MonitorOptions{Every: every,
				Games: o.games, Workers: o.workers, Seed: report.MonitorSeed(o.seed),
				Stage: p.atStage,
				Cache: filepath.Join(o.out, filepath.Base(report.MonitorCachePath(r)))})
			p.close()
			if err != nil {
				return err
			}
			figures, err := m.Figures()
			if err != nil {
				return err
			}
			paths, err := o.save(figures...)
			if err != nil {
				return err
			}
			if !o.asJSON {
				o.drawn(paths)
			}
			return o.print(c, struct {
				Run         string           `json:"run"`
				Generations []int            `json:"generations"` // of the champions
				Games       int              `json:"games"`       // of each pair
				Dominant    []int            `json:"dominant"`    // generations
				Findings    []report.Finding `json:"findings"`
				Figures     []string         `json:"figures"`
			}{args[0], m.Generations, m.Games, m.Dominant, m.Findings(), paths}, func(w io.Writer) {
				fmt.Fprintf(w, "%d champions of generations %d to %d, %d games a pair\n\n",
					len(m.Generations), m.Generations[0], m.Generations[len(m.Generations)-1],
					m.Games)
				var rows [][2]string
				for _, f := range m.Findings() {
					rows = append(rows, [2]string{f.Monitor, f.Value + ": " + f.Meaning})
				}
				terminal.List(w, rows)
			})
		},
	}
	o.add(c, help{"seed": "", "workers": "", "as": "", "width": "", "form": "", "json": "",
		"games": "games of each pair of champions, and of each against each built-in player",
		"out":   "directory of the figures (default: RUN/monitor)"})
	c.Flags().IntVar(&every, "every", 0,
		"generations from one champion to the next (default: about forty champions)")
	return c
}
