package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/input"
)

func newRun(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var quick, dry bool
	var nats natsFlags
	var after then
	c := &cobra.Command{
		Use:   "run STUDY.toml",
		Short: "Breed: carry out a study",
		Long: `Carries out a study: breeds its population with a progress line, then measures
the champions and draws the figures, all into a run directory. Stop it with
Ctrl-C at any time; "clade resume" goes on exactly where it stopped.`,
		Example: `  clade run experiments/antwars/quick.toml
  clade run experiments/antwars/brilliant.toml --seed 7 --out runs/brilliant-7
  clade run experiments/antwars/brilliant.toml --set evolve.population=500
  clade run my.toml --quick            see in seconds whether a study works
  clade run my.toml --dry-run          forecast the cost
  clade run my.toml --then 'clade report "$CLADE_DIR"'
  clade run islands.toml --nats here   let workers breed the islands, each by
                                       clade worker --nats PATH/nats.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.setSeed(c); err != nil {
				return err
			}
			study, err := study.Read(*o.scope, args[0], o.set...)
			if err != nil {
				return usageError{err}
			}
			if quick {
				study.Quick()
			}
			if dry {
				return o.foretell(c, study)
			}
			dir, err := o.freshDirectory(study.Name)
			if err != nil {
				return err
			}
			if len(study.Stages) > 0 {
				if nats.where != "" {
					return misuse("--nats: the stages of a study are bred here; leave it out")
				}
				if err := o.breedStages(c, study, dir); err != nil {
					return err
				}
				return after.run(c.Context(), dir)
			}
			if err := o.begin(c, &nats, dir, study); err != nil {
				return err
			}
			return after.run(c.Context(), dir)
		},
	}
	o.add(c, help{"out": "run directory (default runs/NAME, or the first free runs/NAME-2, -3, …)",
		"set":     "override a setting of the study, KEY=VALUE; may be repeated",
		"seed":    "seed of everything random (default: the study's)",
		"workers": "", "form": "", "json": "end with one line of JSON"})
	c.Flags().BoolVar(&quick, "quick", false,
		"a small version: at most 100 individuals and 20 generations")
	c.Flags().BoolVar(&dry, "dry-run", false, dryRun)
	after.register(c)
	nats.registerCoordinator(c, natsPart)
	return c
}

// dryRun is the help of --dry-run of one run.
const dryRun = "breed nothing: play the first generations, and forecast the games, processor " +
	"time and disk space of the run"

// foretell prints the forecast of a study's cost.
func (o *flags) foretell(c *cobra.Command, s *study.Study) error {
	f, err := runner.Foresee(c.Context(), s, o.workers)
	if err != nil {
		return err
	}
	return o.print(c, f, func(w io.Writer) {
		fmt.Fprintln(w, terminal.Wrap(fmt.Sprintf("%s: %s. %s", s.Name, f, foreseen), terminal.Room(w)))
	})
}

// foreseen says how far to trust a forecast.
const foreseen = "This follows from the first generations: later ones have larger genomes, which " +
	"take longer."

// setSeed adds --seed, if given, to the settings that override a study.
func (o *flags) setSeed(c *cobra.Command) error {
	given := c.Flags().Changed("seed")
	switch {
	case o.seed > math.MaxInt64:
		return misuse("--seed must be at most %d, not %d", math.MaxInt64, o.seed)
	case given && o.setsSeed():
		return misuse("--seed and --set seed are the same; give one of them")
	case given:
		o.set = append(o.set, fmt.Sprintf("seed=%d", o.seed))
	}
	return nil
}

// setsSeed reports whether --set gives a seed.
func (o *flags) setsSeed() bool {
	return slices.ContainsFunc(o.set, func(set string) bool {
		key, _, _ := strings.Cut(set, "=")
		return strings.TrimSpace(key) == "seed"
	})
}

// freshDirectory returns the directory of a new run: that of --out, which must be free, or one
// below runs.
func (o *flags) freshDirectory(name string) (string, error) {
	dir := o.out
	if dir == "" {
		dir = freeDirectory(filepath.Join("runs", name))
	}
	if err := cmp.Or(runner.CheckEmpty(dir), checkFolder(dir)); err != nil {
		return "", usageError{err}
	}
	return dir, nil
}

// begin breeds a study from its first generation.
func (o *flags) begin(c *cobra.Command, nats *natsFlags, dir string, s *study.Study) error {
	return o.breed(c, nats, dir, s, func(options runner.Options) (*runner.Summary, error) {
		begun := false
		options.Begun = func() {
			if begun = true; !o.asJSON {
				complain(fmt.Sprintf("breeding %s in %s (Ctrl-C stops; %s goes on)", s.Name, dir,
					resuming(c, dir)))
			}
		}
		sum, err := runner.Start(c.Context(), dir, s, options)
		if err != nil && !begun { // founders that there are not, say
			err = usageError{err}
		}
		return sum, err
	})
}

// freeDirectory returns the path, or the first free one of path-2, path-3 and so on.
func freeDirectory(path string) string {
	for n := 2; ; n++ {
		try := path
		if n > 2 {
			try = fmt.Sprintf("%s-%d", path, n-1)
		}
		if _, err := os.Stat(try); errors.Is(err, os.ErrNotExist) {
			return try
		} else if err != nil {
			return path
		}
	}
}

func newResume(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var nats natsFlags
	c := &cobra.Command{
		Use:   "resume RUN",
		Short: "Resume a run exactly where it stopped",
		Long: `Goes on with a run that was stopped or killed. The result is the same, to the
byte, as if it had never stopped.`,
		Example: "  clade resume runs/quick",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if sweep.IsStaged(args[0]) {
				s, err := sweep.OpenStaged(*o.scope, args[0])
				if err != nil {
					return err
				}
				return o.breedStages(c, s, args[0])
			}
			r, err := runner.Open(*o.scope, args[0])
			if err != nil {
				return err
			}
			return o.breed(c, &nats, args[0], r.Study,
				func(options runner.Options) (*runner.Summary, error) {
					return r.Resume(c.Context(), options)
				})
		},
	}
	o.add(c, help{"workers": "", "form": "", "json": "end with one line of JSON"})
	nats.registerCoordinator(c, natsPart)
	return c
}

func newFork(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use:   "fork RUN",
		Short: "Breed a run's population further under other settings",
		Long: `Begins a new run from the population of a run's newest checkpoint, or of that of
a generation, under the same study with other settings. The manifest names every
ancestor, and the new run keeps copies of them.`,
		Example: `  clade fork runs/quick --set evolve.variation.mutation=0.1
  clade fork runs/quick@1000 --seed 2 --out runs/quick-again`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, at, err := player.AtGeneration(args[0])
			if err != nil {
				return usageError{err}
			}
			if err := o.setSeed(c); err != nil {
				return err
			}
			m, err := runner.ReadManifest(dir)
			if err != nil {
				return err
			}
			if at < 0 { // the newest, which the manifest names, too
				r, err := runner.Open(*scope, dir)
				if err != nil {
					return err
				}
				setup, err := r.Setup()
				if err == nil {
					_, at, err = setup.Members(r.Dir, at)
				}
				if err != nil {
					return err
				}
			}
			o.set = append([]string{fmt.Sprintf("evolve.founders.species=[%q]",
				fmt.Sprintf("%s%s@%d", study.Individual, dir, at)), "evolve.founders.share=1",
				"evolve.founders.mutants=0"}, o.set...)
			s, err := study.Parse(*o.scope, filepath.Join(dir, rundir.ManifestFile),
				[]byte(m.Study), o.set...)
			if err != nil {
				return usageError{err}
			}
			out, err := o.freshDirectory(s.Name)
			if err != nil {
				return err
			}
			return o.begin(c, &natsFlags{}, out, s)
		},
	}
	o.add(c, help{"out": "run directory (default runs/NAME, or the first free runs/NAME-2, -3, …)",
		"set":     "override a setting of the run's study, KEY=VALUE; may be repeated",
		"seed":    "seed of everything random (default: the run's)",
		"workers": "", "form": "", "json": "end with one line of JSON"})
	return c
}

// resuming returns the command that continues a run which this command began.
func resuming(c *cobra.Command, dir string) string {
	words := []string{"clade", "resume", dir}
	if c.Flags().Changed("allow-programs") {
		words = append(words, "--allow-programs")
	}
	return "`" + input.Quote(words...) + "`"
}

// bredRun is what clade run and clade resume print with --json.
type bredRun struct {
	Run         string  `json:"run"`
	Generations int     `json:"generations"` // that are done; 0 where none was bred just now
	Champion    *string `json:"champion"`    // null where there is none, or the run was stopped
	Fingerprint *string `json:"fingerprint"` // likewise
	Stopped     bool    `json:"stopped"`
}

// natsPart is the help of --nats where one run is spread.
const natsPart = "let workers (see clade worker) breed the islands: the URL of a site's NATS, or " +
	"\"here\" for a server inside this process"

// breed carries a run out, with a progress line and, if the flags say so, on remote workers, and
// prints the result.
func (o *flags) breed(c *cobra.Command, nats *natsFlags, dir string, s *study.Study,
	carry func(runner.Options) (*runner.Summary, error)) error {
	p := newProgress(&s.Evolve)
	options := p.options(o.workers)
	end, err := nats.spread(c, &options, dir, s)
	if err != nil {
		return err
	}
	defer end()
	var sum *runner.Summary
	done := func() int { return p.done }
	err = saving(c, func() (err error) {
		sum, err = carry(options)
		p.close()
		return err
	}, func() string {
		saved := p.saved.Load()
		done = func() int { return max(0, int(saved)) }
		const late = "its last checkpoint could not be written in time, and "
		if saved < 0 {
			return late + "the one before stands"
		}
		return fmt.Sprintf("%sthat of generation %d stands", late, saved)
	})
	if errors.Is(err, evolve.ErrStopped) || errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%w\ngo on with: %s", err, resuming(c, dir))
		return errors.Join(err, o.print(c, bredRun{Run: dir, Generations: done(), Stopped: true},
			func(io.Writer) {}))
	}
	if err != nil {
		return err
	}
	return o.print(c, bredRun{sum.Dir, sum.Generations, sum.ChampionPath(), &sum.Fingerprint,
		false}, func(w io.Writer) { printSummary(w, sum) })
}

func printSummary(w io.Writer, sum *runner.Summary) {
	of := ""
	if sweep.IsStaged(sum.Dir) {
		of = " of the last stage"
	}
	fmt.Fprintf(w, "\n%d generations, %d games of selection%s in %s\nfingerprint %s\n",
		sum.Generations, sum.Games, of, sum.Dir, sum.Fingerprint)
	champion := sum.ChampionPath()
	if len(sum.Final) > 0 {
		fmt.Fprintf(w, "\nthe champion, %s, on fresh boards:\n\n", *champion)
		printMeasurements(w, sum.Final)
	}
	if len(sum.League) > 0 {
		fmt.Fprint(w, "\nrated among the kept species of the game:\n\n")
		printRated(w, sum.League)
	}
	fmt.Fprintf(w, "\nfigures: %s\n", filepath.Join(sum.Dir, rundir.FigureFolder))
	if champion != nil {
		fmt.Fprintf(w, "its trees: clade show %s\n", input.Quote(*champion))
	}
}

// printRated prints one line a player. A bound is marked as one, and a dash is what is not known.
func printRated(w io.Writer, league []runner.Rated) {
	number := func(format string, scale float64, x *float64) string {
		if x == nil {
			return "-"
		}
		return fmt.Sprintf(format, scale**x)
	}
	rows := [][]string{{"", "Elo", "95 % interval", "ranks", "champion's points against it"}}
	for _, r := range league {
		rows = append(rows, []string{r.Player, number("%.0f", 1, r.Elo),
			number("%.0f", 1, r.Low) + ".." + number("%.0f", 1, r.High),
			fmt.Sprintf("%d-%d", r.RankLow, r.RankHigh), number("%.1f%%", 100, r.Points)})
	}
	terminal.Table(w, rows)
}

// printMeasurements prints one line an opponent, and a table for each of the settings.
func printMeasurements(w io.Writer, ms []runner.Measurement) {
	if i := slices.IndexFunc(ms, func(m runner.Measurement) bool {
		return m.Settings != ms[0].Settings
	}); i > 0 {
		printMeasurements(w, ms[:i])
		fmt.Fprintf(w, "\nat %s:\n\n", ms[i].Settings)
		printMeasurements(w, ms[i:])
		return
	}
	rows := [][]string{{"against", "games", "wins", "share", "95 % interval", "score", "other's"}}
	for _, m := range ms {
		rows = append(rows, []string{m.Against, fmt.Sprint(m.Games), fmt.Sprint(m.Wins),
			fmt.Sprintf("%.2f%%", 100*m.Share),
			fmt.Sprintf("%.2f%%..%.2f%%", 100*m.Low, 100*m.High),
			fmt.Sprintf("%.3f", m.Score), fmt.Sprintf("%.3f", m.Other)})
	}
	terminal.Table(w, rows)
}

func newPlot(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var style lookFlags
	c := &cobra.Command{
		Use:   "plot RUN...",
		Short: "Draw the figures of runs, replicates pooled",
		Long: `Draws the figures of runs and writes their data beside them: PNG, SVG, PDF, TeX
and CSV. Several runs of one study, each with a seed of its own, are pooled as
replicates: means with 95 % bands. Runs of different studies or settings share
the axes. An argument may also be a folder of runs.

Panels are wins, the marks of the game (clade games GAME), sums of marks, score,
size, depth, genotypes and behaviour. A group keeps its colour whatever else is
drawn. Flags override the table [figures] of a study.`,
		Example: `  clade plot runs/quick
  clade plot runs/quick-seed1 runs/quick-seed2 runs/quick-seed3 --out figures
  clade plot runs/hall --panels wins,score --width column --out paper
  clade plot runs/brilliant --panels wins,early-deaths+sacrifices,score`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dirs, err := o.runs(args, rundir.FigureFolder)
			if err != nil {
				return err
			}
			p := newProgress(nil)
			groups, err := report.OpenGroups(*o.scope, dirs, p.stageOf(reading))
			p.close()
			if err != nil {
				return err
			}
			look := runner.LookOf(groups)
			look.Width = cmp.Or(o.width, look.Width)
			if err := style.over(c, &look, groups); err != nil {
				return err
			}
			paths, err := runner.Plot(groups, look, o.out, o.forms()...)
			if errors.As(err, new(*input.Fault)) {
				return misuse("--%w", err)
			}
			if err != nil {
				return err
			}
			return o.printPaths(c, paths)
		},
	}
	o.add(c, help{"out": "directory of the figures (default: RUN/figures)", "as": "",
		"width": "", "json": "print the paths as JSON"})
	style.register(c)
	return c
}
