package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/match"
	"clade/experiments/player"
)

// humanFlags are the flags of play.
type humanFlags struct {
	flags
	seat            int
	history, record string
	pace            time.Duration
}

func newPlay(scope *player.Scope) *cobra.Command {
	o := humanFlags{flags: flags{scope: scope}}
	c := &cobra.Command{
		Use:   "play GAME [OPPONENT...]",
		Short: "Play a game yourself",
		Long: `Plays one game between you and a player, at the terminal: you see what the rules
let you see, and press a key for each move, or write it; "help" tells how. In
amoebas you may let your species live by the rules of a built-in one, for some
rounds or to the end; in life you place patterns.

The opponent is named as for clade match; without one, the last of "clade
players GAME" plays. In a game for more than two, name one for each other seat,
or one that takes them all.

With --real-time the game does not wait: if you press no key in time, the rules
decide what a player without an answer does. In darwin your
creature waits (with map=arena and arena.creatures=1 you have just one), in life
you wake no cell; in amoeboid you lose the game.

Every game goes into a file, a line of JSON each, and what you have achieved
against this opponent is printed after it. Ctrl-C and the end of the input leave
a game, which then does not count.`,
		Example: `  clade play antwars brilliant
  clade play antwars kept:antwars/foresight-seed711
  clade play amoeboid greedy --seat 2
  clade play darwin rover --real-time 300ms
  clade play antwars run:runs/quick --record game.record`,
		Args: cobra.RangeArgs(1, engine.MaxSeats),
		RunE: func(c *cobra.Command, args []string) error { return o.play(c, args) },
	}
	o.add(c, help{"set": "",
		"seed": "seed of the board (default: the number of this game in your file)",
		"json": "print the result as JSON; the game goes to standard error"})
	f := c.Flags()
	f.IntVar(&o.seat, "seat", 0, "your seat, from 1 (default: each in turn)")
	f.StringVar(&o.history, "history", "",
		"file of your games (default: clade/games.jsonl in your configuration directory)")
	f.StringVar(&o.record, "record", "", "also record the game into this file")
	f.DurationVar(&o.pace, "real-time", 0,
		"the game does not wait longer for a decision, such as 300ms (default: it waits)")
	return c
}

// play seats a person and an opponent, and lets them play, and keeps the result.
func (o *humanFlags) play(c *cobra.Command, args []string) error {
	game, opponents, err := o.field(args)
	if err != nil {
		return usageError{err}
	}
	if o.history == "" {
		if o.history, err = match.GamesPath(); err != nil {
			return err
		}
	}
	past, err := match.ReadGames(o.history)
	if err != nil {
		return err
	}
	seed, seat := o.seed, o.seat-1
	if !c.Flags().Changed("seed") {
		seed = uint64(len(past) + 1)
	}
	if seat < 0 {
		seat = len(past) % (len(opponents) + 1)
	}
	var players []engine.Player
	for _, name := range opponents {
		player, err := o.typed().Find(game, name)
		if err != nil {
			return usageError{err}
		}
		players = append(players, player)
	}
	// nothing is to be saved, and waiting for a line cannot be interrupted otherwise
	signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	out := c.OutOrStdout()
	if o.asJSON {
		out = c.ErrOrStderr()
	}
	names := slices.Insert(slices.Clone(opponents), seat, "person")
	opponent := strings.Join(slices.Compact(opponents), ", ")
	t := &table{in: c.InOrStdin(), out: out, names: names,
		title: terminal.Printable(fmt.Sprintf("%s: you are player %d of %d, against %s, seed %d",
			game.Info().Title, seat+1, len(names), opponent, seed))}
	person, self := t.seat(!game.Info().Hidden, o.pace)
	players = slices.Insert(players, seat, self)
	var r *engine.Record
	err = person.Play(c.Context(), &t.watch, func(rec engine.Recorder) (err error) {
		r, _, err = engine.PlayRecorded(game, names, players, seed, rec)
		return err
	})
	t.close()
	if err != nil {
		return err
	}
	if person.Stopped() {
		return errInputEnded
	}
	if o.record != "" {
		if err := r.WriteFile(o.record); err != nil {
			return err
		}
	}
	s := match.NewGame(r, opponent, seat, person)
	if err := s.Append(o.history); err != nil {
		return err
	}
	tally := append(past, s).Tally(s)
	return o.print(c, struct {
		match.Game
		Tally   match.Tally `json:"tally"`
		History string      `json:"history"`
	}{s, tally, o.history}, func(w io.Writer) { printTally(w, s, tally, o.history) })
}

// field finds the game, whether a person can play it, and the names of all opponents.
func (o *humanFlags) field(args []string) (engine.Game, []string, error) {
	game, err := o.game(args[0], args[1:]...)
	if err != nil {
		return nil, nil, err
	}
	if !playable(game) {
		return nil, nil, fmt.Errorf("%s cannot be played by a person; games that can: %s",
			game.Info().Name, strings.Join(gamesThat(o.scope, playable), ", "))
	}
	if o.pace < 0 {
		return nil, nil, fmt.Errorf("--real-time must be above 0, not %v", o.pace)
	}
	opponents, info := slices.Clone(args[1:]), game.Info()
	if own := player.Plain(game); len(opponents) == 0 && len(own) > 0 {
		opponents = append(opponents, own[len(own)-1].Name)
	}
	if len(opponents) == 0 {
		return nil, nil, fmt.Errorf("name an opponent: %s has no players of its own", info.Name)
	}
	if opponents, err = match.Field(info, opponents); err != nil {
		return nil, nil, err
	}
	seats := len(opponents) + 1
	if o.seat < 0 || o.seat > seats {
		return nil, nil, fmt.Errorf("--seat must be 1 to %d, not %d", seats, o.seat)
	}
	return game, opponents, nil
}

// playable reports whether a person can play a game against others.
func playable(g engine.Game) bool {
	_, ok := g.(engine.Interactive)
	return ok && g.Info().MaxSeats >= 2
}

// errInputEnded is why a game without an end does not count.
var errInputEnded = errors.New("stopped: the input ended before the game, which does not count")

// table is where a person sits.
type table struct {
	in     io.Reader
	out    io.Writer
	names  []string
	title  string
	watch  match.Watch
	screen *screen // nil without a terminal
}

// seat returns the person, and the player that it is: one who answers as programs do, by keys at a
// terminal.
func (t *table) seat(open bool, pace time.Duration) (*match.Player, engine.Player) {
	s := &match.Player{Moves: match.Moves{Open: open}, Out: t.out, Lines: bufio.NewScanner(t.in),
		Columns: 80, Title: t.title,
		Status: func() string { return terminal.Printable(t.watch.Scores(t.names)) }}
	leave := func() {
		t.close()
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Signal(os.Interrupt) // as Ctrl-C does outside raw mode
		}
	}
	if screen, err := openScreen(t.out, leave, t.names, 1); err == nil {
		t.screen, s.Out, s.Key, s.Pace = screen, screen, screen.key, pace
		s.Columns, s.Rows, s.Colours = screen.Columns, screen.Rows, screen.Colours
		fmt.Fprint(screen, "\x1b[?25h")
	}
	return s, &engine.External{Begin: func(engine.Opening) engine.Agent { return s }}
}

// close gives the terminal back.
func (t *table) close() {
	if t.screen != nil {
		t.screen.close()
		fmt.Fprintln(t.out)
	}
}

func printTally(w io.Writer, s match.Game, t match.Tally, path string) {
	games := "games"
	if t.Games == 1 {
		games = "game"
	}
	fmt.Fprintf(w, `
this game: %s, %g to %g
you against %s: %d %s, %d won, %d lost, %d tied, %d with moves taken back;
%.1f %% won (95 %% interval %.1f..%.1f); mean score %.2f to %.2f
kept in %s
`, s.Result, s.Score, s.Other, s.Opponent, t.Games, games, t.Wins, t.Losses, t.Ties, t.Undone,
		100*t.Share, 100*t.Low,
		100*t.High, t.Score, t.Other, path)
}
