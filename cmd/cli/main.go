// Package cli is the command line of clade, for a list of games. It passes flags to the packages
// that do the work, and prints their results.
//
// A module with a game of its own gets the whole workbench from a main of one line:
//
//	func main() { cli.Main(append(all.Games(), mine.New())...) }
package cli

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"clade/engine"
	"clade/engine/external"
	"clade/engine/system/terminal"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/gp/input"
)

// garbagePercent is how far the heap may grow beyond the data in use before garbage is collected.
// The heap of a usual run is so small that the collector would otherwise work in every generation.
// Processor time of experiments/multiplexer/koza.toml against a ballast of 32 MB, six pairs: 1.04
// (0.92-1.35) with 400, and 800 was no faster and took twice the memory of quick.toml.
const garbagePercent = 400

// spareMemory restores the collector's default for commands that read many runs: with 10,000 runs,
// clade collect, compare and report take 150 to 220 MB instead of 250 to 590, in the same time.
func spareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
}

// Main runs the process's command line with these games, and exits with its status.
func Main(games ...engine.Game) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	log.SetOutput(terminal.Plain(os.Stderr)) // for slog, too
	limits, err := memoryLimits()
	if err != nil {
		complain("clade: " + err.Error())
		os.Exit(1)
	}
	ctx := withinMemory(withSignals(context.Background()), limits)
	os.Exit(run(ctx, games, os.Args[1:]))
}

// run carries out a command line and returns the exit status.
func run(ctx context.Context, games []engine.Game, args []string) int {
	ctx, stop := context.WithCancelCause(context.WithValue(ctx, saves{}, new(atomic.Bool)))
	defer stop(nil)
	root, out := newCommand(games, stop), &standardOutput{file: os.Stdout}
	root.SetOut(out)
	root.SetArgs(args)
	name := ""
	if c, _, err := root.Find(args); err == nil {
		name = c.Name()
	}
	err := promptly(ctx, name, func() error {
		if err := root.ExecuteContext(ctx); err != nil {
			return err
		}
		return out.check()
	})
	cause := context.Cause(ctx)
	_, fault := errors.AsType[*external.Fault](cause)
	_, forfeit := errors.AsType[*external.Forfeit](cause)
	if full, ok := errors.AsType[memoryError](cause); ok {
		complain("clade: " + full.Error())
	}
	switch {
	case fault || forfeit:
		err = cause
		complain("clade: " + err.Error())
	case err != nil && ctx.Err() == nil:
		complain("clade: " + err.Error() + remedy(err))
	case err != nil:
		complain(err.Error())
	}
	return status(ctx, err)
}

// remedy returns the command that repairs the cause of an error, "" if there is none.
func remedy(err error) string {
	f, ok := errors.AsType[*rundir.Problem](err)
	switch {
	case !ok:
		return ""
	case f.Remedy == rundir.Mend:
		return ": `clade verify --mend " + input.Quote(f.Dir) + "`"
	}
	return ": `clade resume " + input.Quote(f.Dir) + "`"
}

// complain writes a message to standard error, wrapped to the width of a terminal. Control
// characters that foreign names and messages may hold are made harmless.
func complain(text string) {
	text = terminal.Printable(text)
	if columns, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && columns > 0 {
		text = terminal.Wrap(text, columns)
	}
	fmt.Fprintln(os.Stderr, text)
}

// newCommand returns the root command with all others. stop cancels the running command and gives
// the reason.
func newCommand(games []engine.Game, stop func(error)) *cobra.Command {
	programs := &external.Supervisor{Notice: complain, Fail: stop}
	scope := &player.Scope{Games: games, Trust: player.Files, Programs: programs}
	root := &cobra.Command{
		Use:   "clade",
		Short: "Breed species that play games",
		Long: `clade breeds species that play: typed genetic programs compete in
single-elimination tournaments, and the winners have children. Runs repeat to
the byte, survive any crash, and end in figures.

` + exitCodes,
		Example: `  clade breed antwars --for 1m                   breed ants for a minute
  clade run experiments/antwars/quick.toml       carry out a study
  clade match antwars run:runs/quick brilliant   let the champion play the
                                                 contest's winner
  clade show runs/quick/champion.species         look at its trees`,
		SilenceUsage: true, SilenceErrors: true, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	cobra.EnableCommandSorting = false // those of a group stand as one needs them
	b := thisBuild()
	var text strings.Builder
	b.print(&text)
	root.Version = text.String()
	root.SetVersionTemplate("{{.Version}}")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommandGroupID("What there is")
	root.SetCompletionCommandGroupID("What there is")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages",
		".FlagUsagesWrapped 80"))
	root.PersistentFlags().BoolFunc("allow-programs", "start programs that a study, a run or a "+
		"message names as players (exec:, persist:); their author then runs them as you",
		func(value string) error {
			allow, err := strconv.ParseBool(value)
			if allow {
				scope.Trust = player.Programs
			}
			return err
		})
	root.PersistentFlags().BoolFunc("strict", "end with an error when a program that plays gives "+
		"a wrong answer or none in time", func(value string) error {
		strict, err := strconv.ParseBool(value)
		programs.Strict = strict
		return err
	})
	root.PersistentPreRunE = checkFlags
	root.PersistentPostRun = func(*cobra.Command, []string) { programs.Report() }
	for _, group := range [...]struct {
		title    string
		commands []*cobra.Command
	}{
		{"Breed", []*cobra.Command{newBreed(scope), newRun(scope), newResume(scope), newFork(scope),
			newSweep(scope), newStatus(scope), newNote(scope), newWorker(scope)}},
		{"Look", []*cobra.Command{newShow(scope), newWhy(scope), newReplay(scope), newView(scope),
			newPopulation(scope), newPhylogeny(scope)}},
		{"Play", []*cobra.Command{newPlay(scope), newMatch(scope), newLeague(scope),
			newTournament(scope), newExploit(scope), newSolve(scope)}},
		{"Analyse", []*cobra.Command{newPlot(scope), newCompare(scope), newDiff(scope), newReport(scope),
			newMethods(scope),
			newMonitor(scope), newCollect(scope)}},
		{"Pass on", []*cobra.Command{newExport(scope), newArtifact(scope), newPack(scope),
			newVerify(scope), newRepro(scope)}},
		{"What there is", []*cobra.Command{newGames(scope), newPlayers(scope), newDocs(scope),
			newBench(scope), newVersion()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, c := range group.commands {
			c.GroupID = group.title
		}
		root.AddCommand(group.commands...)
	}
	completeAll(root, scope)
	var known []string
	for _, c := range root.Commands() {
		for _, inner := range append(c.Commands(), c) {
			inner.Args, inner.RunE = operands(inner.Args), plainly(inner.RunE)
		}
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	// a known command takes the first word
	root.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return usageError{errors.New(input.Unknown("command", args[0], known))}
	}
	return root
}

// operands wraps a check of operands so that its error says what the command accepts.
func operands(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return nil
		}
		given := "an operand is missing"
		if len(args) > 0 {
			given = fmt.Sprintf("%q does not fit", strings.Join(args, " "))
		}
		return misuse("%s; the command is used as: %s (%s --help has examples)", given,
			c.UseLine(), c.CommandPath())
	}
}

// kinds are the values that flags of a type take.
var kinds = map[string]string{"int": "a whole number", "int64": "a whole number",
	"uint64": "a whole number of 0 or more", "float64": "a number", "bool": "true or false",
	"duration": "a time such as 90s, 10m or 4h"}

// flagError suggests the flag that may have been meant, and leaves out the name of the function
// that parsed a value.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		err = errors.New(input.Unknown("flag", "--"+unknown.GetSpecifiedName(), known))
	case errors.As(err, &invalid):
		cause := invalid.Unwrap()
		kind := kinds[invalid.GetFlag().Value.Type()]
		if kind != "" && !errors.Is(cause, strconv.ErrRange) {
			cause = errors.New(kind + " is needed here")
		} else if errors.As(cause, &number) {
			cause = number.Err
		}
		err = fmt.Errorf("%q does not fit --%s: %w", invalid.GetValue(), invalid.GetFlag().Name, cause)
	}
	return misuse("%w (see %s --help)", err, c.CommandPath())
}
