package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/input"
)

func newBreed(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	var games int64
	var span time.Duration
	var dry bool
	c := &cobra.Command{
		Use:   "breed GAME",
		Short: "Breed the strongest species that a time or a number of games buys",
		Long: `Breeds a species without a study, by the stages of experiments/GAME/breed.toml,
which share the budget. Populations are bred apart, their champions race, the
best continue, and the last stage breeds from the champions of all. No
hand-written player has a part in it; the last champion then plays all of them
on fresh boards, and a league with the species that are kept with this program
rates it.

With --games the result repeats to the byte. With --for the program measures
how fast it plays and plans games by that: the plan is the study.toml in the
run's directory, and "clade run" on that makes exactly the same again. Stop it
with Ctrl-C at any time; "clade resume" continues it.`,
		Example: `  clade breed antwars --for 1m
  clade breed life --for 1h --seed 7 --out runs/life-7
  clade breed amoebas --games 20000
  clade breed amoebas --games 20000 --dry-run    forecast the cost
  clade breed antwars --for 10m --set keen-senses=false --set foresight=false
                                       with the senses of the paper's ants`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			timed, counted := c.Flags().Changed("for"), c.Flags().Changed("games")
			switch {
			case timed == counted:
				return misuse("give either --for, such as --for 1h, or --games")
			case timed && span < time.Second:
				return misuse("--for must be at least 1s, not %s", span)
			case counted && (games < 1 || games > 1e15):
				return misuse("--games must be in 1..10^15, not %d", games)
			}
			if err := o.setSeed(c); err != nil {
				return err
			}
			s, err := o.breedStudy(args[0])
			switch {
			case err != nil:
				return err
			case len(s.Stages) == 0:
				return misuse("--set stage=[] leaves no stage; write a study, and breed by clade run")
			case s.Evolve.Games > 0:
				return misuse("--games or --for is the budget; leave out --set evolve.games")
			}
			dir, err := o.freshDirectory(s.Name)
			if err != nil {
				return err
			}
			if sweep.IsStaged(dir) {
				return misuse("%s holds a run; go on with %s, or choose another directory with --out",
					dir, resuming(c, dir))
			}
			if s.Evolve.Games = games; timed {
				if s.Evolve.Games, err = o.plan(c.Context(), s, span); err != nil {
					return err
				}
			}
			if dry {
				return o.foretell(c, s)
			}
			return o.breedStages(c, s, dir)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, dryRun)
	c.Flags().DurationVar(&span, "for", 0, "about how long to breed on this machine, such as 90s, "+
		"10m or 4h")
	c.Flags().Int64Var(&games, "games", 0, "games of selection, in all stages together")
	o.add(c, help{"out": "run directory (default runs/breed-GAME, or the first free one like it)",
		"set":     "a setting of the game, or another one of the plan, KEY=VALUE; may be repeated",
		"seed":    "seed of everything random",
		"workers": "", "form": "", "json": "end with one line of JSON"})
	return c
}

// breedStudy returns the plan of a world as a study, without its budget.
func (o *flags) breedStudy(game string) (*study.Study, error) {
	if _, err := o.scope.Game(game); err != nil {
		return nil, usageError{err}
	}
	text, err := experiments.BreedPlan(game)
	if err != nil {
		return nil, misuse("there is no plan for %s; write a study, and breed by clade run", game)
	}
	set := append([]string{fmt.Sprintf("seed=%d", o.seed), "name=breed-" + game}, o.set...)
	for {
		s, err := study.Parse(*o.scope, "the plan of "+game, text, set...)
		if err == nil {
			return s, nil
		}
		known := withoutWeights(text, err)
		if len(known) == len(text) {
			return nil, usageError{err}
		}
		if text = known; !o.asJSON {
			complain("the plan's weight of a primitive that " + game + " lacks under these settings is " +
				"left out")
		}
	}
}

// withoutWeights returns a plan without its weights of primitives that, by the error, the game
// lacks under the settings that were asked for.
func withoutWeights(plan []byte, err error) []byte {
	input.Each(err, func(err error) {
		if f := (*input.Fault)(nil); errors.As(err, &f) {
			if name, is := strings.CutPrefix(f.Key, "evolve.weights."); is {
				line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` = \d+.*\n`)
				plan = line.ReplaceAll(plan, nil)
			}
		}
	})
	return plan
}

// How a time is planned: the part for measuring the speed, with its bounds, and the part that is
// planned. The rest is for races and for measuring the last champion.
const (
	trialShare   = 0.05
	leastTrial   = 300 * time.Millisecond
	mostTrial    = 20 * time.Second
	plannedShare = 0.9
)

// plan returns how many games fit into a time. It breeds the first stage for a short while to
// measure the speed, and discards the result.
func (o *flags) plan(ctx context.Context, s *study.Study, span time.Duration) (int64, error) {
	dir, err := os.MkdirTemp("", "clade-breed-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	stages, err := s.Plan()
	if err != nil {
		return 0, err
	}
	trial, err := s.StageStudy(stages, 0, 0, nil)
	if err != nil {
		return 0, err
	}
	length := min(max(time.Duration(trialShare*float64(span)), leastTrial), mostTrial)
	trial.Evolve.Games, trial.Evolve.Seconds = 0, length.Seconds()
	trial.Measure.Against, trial.Measure.Final, trial.Measure.League = nil, 0, 0
	began, run := time.Now(), filepath.Join(dir, "run")
	_, err = runner.Start(ctx, run, trial, runner.Options{Workers: o.workers})
	if errors.Is(err, evolve.ErrStopped) {
		return 0, errors.New("stopped while the speed was measured; nothing is bred yet")
	}
	if err != nil {
		return 0, err
	}
	spent := time.Since(began)
	shares, work := 0.0, 0.0
	for _, st := range stages {
		shares, work = shares+st.Share, work+st.Share/st.Pace
	}
	_, played, seconds := rundir.Spent(run)
	speed := float64(played) / seconds
	games := speed * max(0.1*span.Seconds(), plannedShare*span.Seconds()-spent.Seconds()) *
		shares / work
	rounding := math.Pow(10, max(0, math.Floor(math.Log10(max(games, 1)))-2))
	planned := max(1, int64(math.Floor(games/rounding)*rounding))
	if !o.asJSON {
		complain(fmt.Sprintf("%.0f games a second here: planning %d games", speed, planned))
	}
	return planned, nil
}

// breedStages carries a staged study out in a directory, from wherever it stopped, and prints the
// result.
func (o *flags) breedStages(c *cobra.Command, s *study.Study, dir string) error {
	if !o.asJSON {
		complain(fmt.Sprintf("breeding %s in %d stages in %s (Ctrl-C stops; %s goes on)", s.Name,
			len(s.Stages), dir, resuming(c, dir)))
	}
	p := newProgress(nil)
	end := p.followStages(s, dir)
	options := p.options(o.workers)
	options.Progress, options.Strength = nil, nil
	options.Stage = func(stage runner.Stage) { end(); p.atStage(stage) }
	var sum *runner.Summary
	err := saving(c, func() (err error) {
		sum, err = sweep.Stages(c.Context(), s, dir, options)
		end()
		p.close()
		return err
	}, func() string { return "not all that was under way could be saved in time" })
	if errors.Is(err, evolve.ErrStopped) || errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%w\ngo on with: %s", evolve.ErrStopped, resuming(c, dir))
		return errors.Join(err, o.print(c, bredRun{Run: dir, Stopped: true}, func(io.Writer) {}))
	}
	if err != nil {
		return err
	}
	return o.print(c, bredRun{sum.Dir, sum.Generations, sum.ChampionPath(), &sum.Fingerprint,
		false}, func(w io.Writer) {
		printSummary(w, sum)
		fmt.Fprintf(w, "exactly this again: clade run %s\n",
			input.Quote(filepath.Join(dir, sweep.StudyFile)))
	})
}

// followStages shows the progress of a staged run until the function that it returns is
// called once or more.
func (p *progress) followStages(s *study.Study, dir string) (end func()) {
	every := logEvery
	if drawable(os.Stderr) {
		every = time.Second
		p.bar = p.newBar(wholeBudget, "of the budget", 0)
	}
	first := -1.0
	stop := parallel.Repeat(every, func() {
		at, err := sweep.ReadStages(s, dir)
		if err != nil {
			slog.Warn("the progress is not shown", "error", err)
			return
		}
		if first < 0 {
			first = at.Share
		}
		if p.bar != nil {
			p.bar.Describe(fmt.Sprintf("stage %d of %d", at.Stage, at.Stages))
			_ = p.bar.Set(int(wholeBudget * at.Share))
			return
		}
		about := []any{"stage", at.Stage, "of", at.Stages, "called", at.Name, "games", at.Games}
		if at.Budget > 0 {
			about = append(about, "of", at.Budget)
		}
		if done := at.Share - first; done > 0 {
			left := float64(time.Since(p.began)) * (1 - at.Share) / done
			about = append(about, "left", time.Duration(left).Round(time.Second))
		}
		slog.Info("breeding", about...)
	})
	return sync.OnceFunc(func() { stop(); p.since = time.Now() })
}
