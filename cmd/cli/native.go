package cli

import (
	"cmp"
	"context"
	goflag "flag"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"clade/engine"
	"clade/engine/system/parallel"
	"clade/engine/system/terminal"
	"clade/experiments/league"
	"clade/experiments/player"
)

// native holds the flags of a match of a game whose source plays games of its own kind.
type native struct {
	matchFlags
	game   string
	source engine.Native
	own    *goflag.FlagSet // the source's
	duels  bool
}

// addNative adds a command for each game whose source plays games of its own kind.
func addNative(match *cobra.Command, scope *player.Scope) {
	for _, g := range scope.Games {
		if n, ok := g.(engine.NativeMatch); ok {
			match.AddCommand(newNative(scope, g.Info(), n))
		}
	}
}

func newNative(scope *player.Scope, info engine.Info, game engine.NativeMatch) *cobra.Command {
	o := native{matchFlags: matchFlags{flags: flags{scope: scope, seed: 1, games: 1000}},
		game: info.Name, own: goflag.NewFlagSet(info.Name, goflag.ContinueOnError)}
	o.source = game.NativeMatch(o.own)
	c := &cobra.Command{
		Use:   info.Name + " [NAME=]PLAYER [NAME=]PLAYER...",
		Short: "Play matches of " + info.Title + ", also as its source does",
		Long: "Lets players of " + info.Title + ` play as "clade match" does for every game.

` + terminal.Wrap("With a name before each player, NAME=PLAYER, it is one game as the source "+
			"plays it. "+strings.ReplaceAll(o.source.About, "\n", " ")+
			" --watch shows the game in the terminal.", 80) + `

--curves draws what the game counts by step, with 95 % bands over --games games:
of all players in each game, or with --duels of every pair of them.`,
		Example: "  clade match " + info.Name + " " +
			strings.Join(o.source.Examples, "\n  clade match "+info.Name+" "),
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, key := range o.source.Keys {
				if f := c.Flags().Lookup(key); f.Changed {
					o.set = append(o.set, key+"="+f.Value.String())
				}
			}
			if err := need(c, "curves", "width"); err != nil {
				return err
			}
			names, players := splitNames(args)
			if names == nil && o.out == "" {
				if set := o.changed(c); set != "" {
					return misuse("--%s is for a game as the source plays it, whose "+
						"players have names: %s", set, strings.Join(o.suggestNames(args), " "))
				}
				return o.match(c, append([]string{info.Name}, args...))
			}
			if names == nil {
				names = players
			}
			return o.play(c, names, players)
		},
	}
	o.addPlay(c)
	f := c.Flags()
	f.AddGoFlagSet(o.own)
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(o.source.Aliases[name], name))
	})
	f.BoolVar(&o.watch, "watch", false,
		"show the game in the terminal; keys: + - speed, space pause, . one step, q stop showing")
	if _, counts := game.(engine.Census); counts {
		f.StringVar(&o.out, "curves", "",
			"draw what the game counts by step into this directory, with its data")
		f.BoolVar(&o.duels, "duels", false, "with --curves: every pair plays, instead of all at once")
		o.add(c, help{"width": ""})
	}
	f.StringVar(&o.record, "record", "", "also record the game into this file")
	return c
}

// changed returns the name of a given flag that only a game played as by the source has, "" for
// none.
func (o *native) changed(c *cobra.Command) (name string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "watch" || f.Name == "duels" ||
			o.own.Lookup(f.Name) != nil && !slices.Contains(o.source.Keys, f.Name) {
			name = f.Name
		}
	})
	return name
}

// splitNames splits arguments NAME=PLAYER. Names are nil if no player has one; a player without a
// name among others is called by itself.
func splitNames(args []string) (names, players []string) {
	named := false
	for _, a := range args {
		name, player, ok := strings.Cut(a, "=")
		if !ok || strings.ContainsAny(name, "/.:(") { // a path, a run or arguments
			name, player = a, a
		} else {
			named = true
		}
		names, players = append(names, name), append(players, player)
	}
	if !named {
		names = nil
	}
	return names, players
}

// suggestNames gives players names of the source.
func (o *native) suggestNames(players []string) []string {
	named := make([]string, len(players))
	for i, p := range players {
		named[i] = o.source.Names[i%len(o.source.Names)] + "=" + p
	}
	return named
}

// play plays a game as the source does, or draws what the game counts.
func (o *native) play(c *cobra.Command, names, players []string) error {
	if c.Flags().Changed("games") && o.out == "" {
		return misuse("with names of the players it is one game; leave --games out, or the " +
			"names, or add --curves DIRECTORY")
	}
	o.set = append(slices.Clone(o.source.Settings), o.set...) // unless --set overrides them
	game, field, err := o.field(append([]string{o.game}, players...))
	if err != nil {
		return err
	}
	if o.out != "" {
		if set := o.changed(c); set != "" && set != "duels" {
			return misuse("--%s shows one game and --curves follows several; give one of them", set)
		}
		return o.draw(c, game, names, field)
	}
	console := plain(c)
	if o.asJSON {
		console = terminal.Plain(os.Stderr)
	}
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	var s *screen
	if o.watch {
		if s, err = openScreen(c.OutOrStdout(), stop, names, 1); err != nil {
			return usageError{err}
		}
		defer s.close()
		console = s
		s.Rows, s.End = max(s.Rows-1, 2), "\n" // the console's text is below
	}
	report, err := o.source.Begin(names, players, console, os.Stderr)
	if err != nil {
		return usageError{err}
	}
	recorder := engine.Recorder(report)
	if o.watch {
		recorder = shown{report, s}
	}
	var record *engine.Record
	var result engine.Result
	if err := parallel.Promptly(ctx, func() (err error) {
		record, result, err = engine.PlayRecorded(game, players, field, o.seed, recorder)
		return err
	}); err != nil {
		return brokenOff(err)
	}
	end, err := report.Close(result)
	if err == nil && o.record != "" {
		err = record.WriteFile(o.record)
	}
	if err != nil {
		return err
	}
	return o.print(c, end, func(io.Writer) {}) // the source has printed it
}

// shown is a report that also shows its scenes in the terminal, as the source draws them.
type shown struct {
	engine.NativeReport
	screen *screen
}

func (r shown) Step(s engine.Scene) {
	drawn, words := r.Show(s)
	r.screen.Words = func(engine.Scene) []string { return words }
	r.screen.Step(drawn)
	r.NativeReport.Step(s)
}

// draw draws what the game counts by step.
func (o *native) draw(c *cobra.Command, game engine.Game, names []string,
	field []engine.Player) error {
	games := 1
	if c.Flags().Changed("games") {
		games = o.games
	}
	seats := len(field)
	if o.duels {
		if seats < 2 {
			return misuse("--duels is for two players or more")
		}
		seats = 2
	}
	p := newProgress(nil)
	figures, err := league.CensusCurves(c.Context(), game, names, field, o.duels,
		(games+seats-1)/seats, engine.Seed(o.seed).Name("curves"), o.workers, p.stageOf("playing"))
	p.close()
	if err != nil {
		return brokenOff(err)
	}
	paths, err := o.save(figures...)
	if err != nil {
		return err
	}
	return o.printPaths(c, paths)
}
