package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/terminal"
	"clade/experiments/human"
	"clade/experiments/player"
	"clade/experiments/study"
)

// humanFlags are the flags of play.
type humanFlags struct {
	flags
	seat            int
	history, record string
}

func newPlay(scope *player.Scope) *cobra.Command {
	o := humanFlags{flags: flags{scope: scope}}
	c := &cobra.Command{
		Use:   "play GAME [OPPONENT]",
		Short: "Play against a player yourself",
		Long: `Plays one game between you and a player, at the terminal: you see what the rules
let you see, and are asked for your moves; "help" tells how they are written.
The opponent is named as for clade match; without one, the last of "clade
players GAME" plays.

Every game goes into a file, a line of JSON each, and what you have achieved
against this opponent is printed after it. Ctrl-C leaves a game that then does
not count.`,
		Example: `  clade play antwars brilliant
  clade play amoeboid greedy --seat 2
  clade play antwars run:runs/quick --record game.record`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return o.play(c, args) },
	}
	o.add(c, help{"set": "",
		"seed": "seed of the board (default: the number of this game in your file)",
		"json": "print the result as JSON; the game goes to standard error"})
	f := c.Flags()
	f.IntVar(&o.seat, "seat", 0, "your seat, 1 or 2 (default: 1 and 2 in turn)")
	f.StringVar(&o.history, "history", "",
		"file of your games (default: clade/games.jsonl in your configuration directory)")
	f.StringVar(&o.record, "record", "", "also record the game into this file")
	return c
}

// play seats a person and an opponent, and lets them play, and keeps the result.
func (o *humanFlags) play(c *cobra.Command, args []string) error {
	game, seated, opponent, err := o.field(args)
	if err != nil {
		return usageError{err}
	}
	if o.history == "" {
		if o.history, err = human.Path(); err != nil {
			return err
		}
	}
	past, err := human.Read(o.history)
	if err != nil {
		return err
	}
	seed, seat := o.seed, o.seat-1
	if !c.Flags().Changed("seed") {
		seed = uint64(len(past) + 1)
	}
	if seat < 0 {
		seat = len(past) % 2
	}
	player, err := o.typed().Find(game, opponent)
	if err != nil {
		return usageError{err}
	}
	// nothing is to be saved, and waiting for a line cannot be interrupted otherwise
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	screen := c.OutOrStdout()
	if o.asJSON {
		screen = c.ErrOrStderr()
	}
	person := seated.Person(c.InOrStdin(), screen)
	players, names := []engine.Player{person, player}, []string{"person", opponent}
	if seat == 1 {
		players[0], players[1], names[0], names[1] = player, person, opponent, "person"
	}
	fmt.Fprintf(terminal.Plain(screen), "%s: you are player %d of 2, against %s, seed %d\n\n",
		game.Info().Title, seat+1, opponent, seed)
	r, _, err := engine.PlayRecorded(game, names, players, seed, nil)
	if err != nil {
		return err
	}
	if o.record != "" {
		if err := r.WriteFile(o.record); err != nil {
			return err
		}
	}
	s := human.New(r, opponent, seat, person)
	if err := s.Append(o.history); err != nil {
		return err
	}
	t := append(past, s).Tally(s)
	return o.print(c, struct {
		human.Game
		Tally   human.Tally `json:"tally"`
		History string      `json:"history"`
	}{s, t, o.history}, func(w io.Writer) { printTally(w, s, t, o.history) })
}

// field finds the game, whether a person can play it, and the opponent's name.
func (o *humanFlags) field(args []string) (engine.Game, engine.Human, string, error) {
	game, err := study.NewGame(*o.scope, args[0], o.set...)
	if err != nil {
		return nil, nil, "", err
	}
	info := game.Info()
	human, ok := game.(engine.Human)
	if ok && info.MinSeats > 2 {
		return nil, nil, "", fmt.Errorf("%s has %d seats or more, and at the terminal a person plays "+
			"against one opponent; play it on the page of clade view", info.Name, info.MinSeats)
	}
	if !ok || info.MaxSeats < 2 {
		able := func(g engine.Game) bool { _, ok := g.(engine.Human); return ok }
		return nil, nil, "", fmt.Errorf("%s cannot be played by a person; games that can: %s",
			info.Name, strings.Join(gamesThat(o.scope, able), ", "))
	}
	if o.seat < 0 || o.seat > 2 {
		return nil, nil, "", fmt.Errorf("--seat must be 1 or 2, not %d", o.seat)
	}
	if len(args) > 1 {
		return game, human, args[1], nil
	}
	if r, ok := game.(engine.Roster); ok {
		if players := r.Players(); len(players) > 0 {
			return game, human, players[len(players)-1].Name, nil
		}
	}
	return nil, nil, "", fmt.Errorf("name an opponent: %s has no players of its own", info.Name)
}

func printTally(w io.Writer, s human.Game, t human.Tally, path string) {
	games := "games"
	if t.Games == 1 {
		games = "game"
	}
	fmt.Fprintf(w, `
this game: %s
you against %s: %d %s, %d won, %d lost, %d tied, %d with moves taken back;
%.1f %% won (95 %% interval %.1f..%.1f); mean score %.2f to %.2f
kept in %s
`, s.Result, s.Opponent, t.Games, games, t.Wins, t.Losses, t.Ties, t.Undone, 100*t.Share, 100*t.Low,
		100*t.High, t.Score, t.Other, path)
}
