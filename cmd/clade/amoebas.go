package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/engine"
	"clade/engine/amoebas"
	population "clade/experiments/amoebas"
	"clade/gp/suggest"
)

// tournament holds the flags of a tournament of AMOEBAS as its source plays it.
type tournament struct {
	contest
	amoebas.Flags
	rounds         int
	colours        []string
	watch          bool
	curves, record string
	duels          bool
}

func newTournament() *cobra.Command {
	var o tournament
	c := &cobra.Command{
		Use:   "amoebas [NAME=]PLAYER [NAME=]PLAYER...",
		Short: "Let species of AMOEBAS play, also as the original's tournaments do",
		Long: `Lets species of AMOEBAS play as "clade match" does for every game. With a name before each player, NAME=PLAYER, it is a tournament as in the source: one
game in the original's acting order, and the flags say what is written: the original's console lines, CSV files and frames, byte for byte. Other than there, frames need
no window; --watch shows the game in the terminal instead. A species whose name is a colour has that colour.

With --curves, sizes, energies, territories, ages and generations by round are drawn, with 95 % bands over --games games: of all players in each game, or with --duels of
every pair of them.`,
		Example: `  clade match amoebas red=caesar blue=theroots yellow=untitled --rounds 300 --last-gen-stats --csv-stats --save-graphics --directory out
  clade match amoebas red=caesar blue=untitled --rounds 1000 --set world-size=100 --watch
  clade match amoebas red=caesar blue=theroots --rounds 300 --curves figures --games 20
  clade match amoebas caesar results/amoebas/duel32-seed1.species --games 1000 --set world-size=32`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("rounds") {
				o.set = append(o.set, "rounds="+strconv.Itoa(o.rounds))
			}
			names, players := splitNames(args)
			if names == nil && o.curves == "" {
				if set := o.changed(c); set != "" {
					return usageError{fmt.Errorf("--%s is for a tournament, whose species have "+
						"names: %s", set, strings.Join(suggestNames(args), " "))}
				}
				return o.match(c, append([]string{"amoebas"}, args...), extras{record: o.record})
			}
			if names == nil {
				names = players
			}
			return o.play(c, names, players)
		},
	}
	o.flags(c, 1000)
	f := c.Flags()
	f.IntVar(&o.rounds, "rounds", amoebas.DefaultSettings().Rounds, "rounds of a game")
	f.BoolVar(&o.GenerationalStats, "generational-stats", false,
		"print statistics after every round")
	f.BoolVar(&o.ReportExtinctions, "report-extinctions", false, "print when species die out")
	f.BoolVar(&o.LastGenStats, "last-gen-stats", false, "print statistics after the last round")
	f.BoolVar(&o.SaveGraphics, "save-graphics", false,
		"write a frame after every round: g00000.png, ...")
	f.BoolVar(&o.CSVStats, "csv-stats", false, "write popsize.csv and energy.csv")
	f.BoolVar(&o.GIF, "gif", false, "write all frames into game.gif")
	f.StringVar(&o.Directory, "directory", ".", "where files go")
	f.StringArrayVar(&o.colours, "colour", nil,
		"the colour of a species, NAME=RRGGBB; may be repeated")
	f.BoolVar(&o.watch, "watch", false,
		"show the game in the terminal; keys: + - speed, space pause, . one round, q stop showing")
	f.BoolVar(&o.watch, "graphics", false, "the original's name of --watch")
	f.StringVar(&o.curves, "curves", "",
		"draw the populations by round into this directory, with their data")
	f.BoolVar(&o.duels, "duels", false, "with --curves: every pair plays, instead of all at once")
	f.StringVar(&o.record, "record", "", "also record the game into this file")
	return c
}

// changed returns a flag that only a tournament has, "" where none was given.
func (o *tournament) changed(c *cobra.Command) string {
	for _, name := range []string{
		"generational-stats", "report-extinctions", "last-gen-stats", "save-graphics", "csv-stats",
		"gif", "directory", "colour", "watch", "graphics", "duels",
	} {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// splitNames parts NAME=PLAYER. Names are nil where no player has one; a player without a name
// among others gets its own.
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

// suggestNames gives players names that are colours.
func suggestNames(players []string) []string {
	var named []string
	for i, p := range players {
		named = append(named, colourNames[i%len(colourNames)]+"="+p)
	}
	return named
}

// colourNames are the colours of the original's examples, in the order of amoebas.SeatColours.
var colourNames = []string{"red", "blue", "yellow", "white", "gray", "orange", "magenta", "cyan"}

// play plays a tournament, or follows populations through games.
func (o *tournament) play(c *cobra.Command, names, players []string) error {
	if c.Flags().Changed("games") && o.curves == "" {
		return usageError{fmt.Errorf("a tournament is one game; leave --games out, or the names " +
			"of the players, or add --curves DIRECTORY")}
	}
	// the original's, unless --set says otherwise
	o.set = append([]string{"order=classic"}, o.set...)
	game, field, err := o.field(append([]string{"amoebas"}, players...), 0)
	if err != nil {
		return err
	}
	if o.curves != "" {
		if set := o.changed(c); set != "" && set != "duels" {
			return usageError{fmt.Errorf("--%s shows one game and --curves follows several; give "+
				"one of them", set)}
		}
		return o.follow(c, game, names, field)
	}
	entrants, err := o.entrants(names)
	if err != nil {
		return usageError{err}
	}
	console := c.OutOrStdout()
	if o.asJSON {
		console = os.Stderr
	}
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	var watching recorders
	if o.watch {
		w, err := openWatch(c.OutOrStdout(), stop, names, 1)
		if err != nil {
			return usageError{err}
		}
		defer w.screen.close()
		console = w.screen
		w.Rows = max(w.Rows-1, 2) // what the console says stands below
		w.Legend = func(s engine.Scene) string {
			return legend(entrants,
				s.(*amoebas.Scene)) + "\x1b[K\n"
		}
		watching = recorders{coloured{w, entrants}}
	}
	report, err := amoebas.NewReport(entrants, o.Flags, console)
	if err != nil {
		return err
	}
	record, result, err := playUntil(ctx, func() (*engine.Record, engine.Result, error) {
		return engine.PlayRecorded(game, players, field, uint64(engine.Seed(o.seed)),
			append(watching, report))
	})
	if err == nil {
		err = report.Close()
	}
	if err == nil && o.record != "" {
		err = record.WriteFile(o.record)
	}
	if err != nil {
		return err
	}
	if command, ok := amoebas.Film(o.Directory); ok && o.SaveGraphics {
		fmt.Fprintf(os.Stderr, "a film of the frames: %s\n", strings.Join(command, " "))
	}
	if o.asJSON {
		return printTournament(c.OutOrStdout(), names, players, &result)
	}
	return nil
}

// coloured shows scenes in the entrants' colours.
type coloured struct {
	*watching
	entrants []amoebas.Entrant
}

func (c coloured) Step(s engine.Scene) { c.watching.Step(s.(*amoebas.Scene).In(c.entrants)) }

// legend is a line of what the species have, in their colours.
func legend(entrants []amoebas.Entrant, s *amoebas.Scene) string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d", s.Step())
	for i, has := range s.Census(nil) {
		e := &entrants[i]
		fmt.Fprintf(&b, "  \x1b[38;2;%d;%d;%dm■\x1b[0m %s %d (%d)", e.Colour.R, e.Colour.G,
			e.Colour.B, e.Name, has.Size, has.Energy)
	}
	return b.String()
}

// follow draws how populations develop.
func (o *tournament) follow(c *cobra.Command, game engine.Game, names []string,
	field []engine.Player) error {
	games := 1
	if c.Flags().Changed("games") {
		games = o.games
	}
	seats := len(field)
	if o.duels {
		if seats < 2 {
			return usageError{fmt.Errorf("--duels is for two players or more")}
		}
		seats = 2
	}
	runs, err := population.Follow(c.Context(), game, names, field, o.duels, (games+seats-1)/seats,
		engine.Seed(o.seed).Name("curves"))
	if err != nil {
		return err
	}
	populations, structure, err := population.Curves(runs)
	if err != nil {
		return err
	}
	var paths []string
	for _, f := range []*figure.Figure{populations, structure} {
		saved, err := f.Save(o.curves)
		if err != nil {
			return err
		}
		paths = append(paths, saved...)
	}
	if o.asJSON {
		return json.NewEncoder(c.OutOrStdout()).Encode(paths)
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), strings.Join(paths, "\n"))
	return err
}

// entrants gives species their colours: what --colour says, else the one that they are called by,
// else that of their seat.
func (o *tournament) entrants(names []string) ([]amoebas.Entrant, error) {
	entrants := make([]amoebas.Entrant, len(names))
	seats := amoebas.SeatColours()
	for i, name := range names {
		entrants[i] = amoebas.Entrant{Name: name, Colour: seats[i]}
		for k, colour := range colourNames {
			if name == colour {
				entrants[i].Colour = seats[k]
			}
		}
	}
	for _, s := range o.colours {
		name, hex, _ := strings.Cut(s, "=")
		rgb, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
		if err != nil || len(strings.TrimPrefix(hex, "#")) != 6 {
			return nil, fmt.Errorf(
				"the colour %q is not of the form NAME=RRGGBB, such as red=ff0000", s)
		}
		found := false
		for i := range entrants {
			if entrants[i].Name == name {
				entrants[i].Colour, found = color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8),
					uint8(rgb), 255}, true
			}
		}
		if !found {
			return nil, fmt.Errorf("--colour %s: %s", s, suggest.Unknown("species", name, names))
		}
	}
	return entrants, nil
}

// playUntil plays a game unless the context ends first. What the game still does then, nobody sees:
// the program ends.
func playUntil(ctx context.Context, play func() (*engine.Record, engine.Result,
	error)) (*engine.Record, engine.Result, error) {
	type end struct {
		record *engine.Record
		result engine.Result
		err    error
	}
	ended := make(chan end, 1)
	go func() {
		record, result, err := play()
		ended <- end{record, result, err}
	}()
	select {
	case e := <-ended:
		return e.record, e.result, e.err
	case <-ctx.Done():
		return nil, engine.Result{}, fmt.Errorf("the game was stopped before its end")
	}
}

// recorders is a Recorder that tells several.
type recorders []engine.Recorder

func (r recorders) Decide(seat int, decision uint64) {
	for _, one := range r {
		one.Decide(seat, decision)
	}
}

func (r recorders) Step(s engine.Scene) {
	for _, one := range r {
		one.Step(s)
	}
}

// printTournament prints the end of a game as JSON.
func printTournament(w io.Writer, names, players []string, r *engine.Result) error {
	type species struct {
		Name   string  `json:"name"`
		Player string  `json:"player"`
		Energy float64 `json:"energy"`
		Size   int     `json:"size"`
	}
	end := struct {
		Rounds      int       `json:"rounds"`
		Winner      string    `json:"winner"` // "" for a tie
		Species     []species `json:"species"`
		Fingerprint uint64    `json:"fingerprint"`
	}{Rounds: r.Steps, Fingerprint: r.Fingerprint}
	if r.Winner != engine.Tie {
		end.Winner = names[r.Winner]
	}
	for i, name := range names {
		end.Species = append(end.Species,
			species{name, players[i], r.Scores[i], int(r.Marks[i][0])})
	}
	return json.NewEncoder(w).Encode(end)
}
