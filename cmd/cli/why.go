package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/why"
	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/player"
)

// maxChoices bounds the choices of a game that are kept to be asked again.
const maxChoices = 4096

// whyFlags are the flags of why.
type whyFlags struct {
	flags
	step, seat, number int
	candidate          string
	players            []string
	idle               bool
}

func newWhy(scope *player.Scope) *cobra.Command {
	o := whyFlags{flags: flags{scope: scope}}
	c := &cobra.Command{
		Use:   "why RECORD --step N",
		Short: "Explain a decision of a bred player",
		Long: `Plays a recorded game again and explains one decision of a bred player: what
each candidate action was worth to it, and the value of each node of the tree
that says so, "-" for branches that were not taken. ~ marks nodes that never
mattered in this game. Some built-in players explain their decisions, too. The
players are found by the names in the record; --player names another where a
file has moved or a run has a newer champion.`,
		Example: `  clade match antwars brilliant hyper --record game.record
  clade why game.record --step 12
  clade why game.record --step 12 --candidate N --json
  clade why game.record --step 0 --player 1=run:runs/quick@100`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args[0]) },
	}
	o.add(c, help{"json": "print the explanation as JSON"})
	f := c.Flags()
	f.IntVar(&o.step, "step", 0, "step of the position in which the decision was made")
	f.IntVar(&o.seat, "seat", 0, "seat that decided, from 1 (default: the first that did)")
	f.IntVar(&o.number, "number", 1,
		"which decision of the seat at this step, from 1, where there are several")
	f.StringVar(&o.candidate, "candidate", "",
		"show the tree for this candidate (default: the one that was taken)")
	f.StringArrayVar(&o.players, "player", nil,
		"who sits where, SEAT=NAME, in place of the record's name; may be repeated")
	f.BoolVar(&o.idle, "idle", true, "mark what never mattered in this game")
	return c
}

func (o *whyFlags) run(c *cobra.Command, path string) error {
	record, err := engine.ReadRecordFile(path)
	if err != nil {
		return err
	}
	if err := o.rename(record); err != nil {
		return usageError{err}
	}
	game, err := o.scope.Game(record.Game)
	if err == nil {
		game, err = record.Adjust(game)
	}
	if err != nil {
		return err
	}
	seats, err := o.scope.Seats(game, record)
	if err != nil {
		return usageError{err}
	}
	choice, err := o.find(game, record, seats)
	if err != nil {
		return err
	}
	candidate := choice.Chosen
	if o.candidate != "" {
		if candidate, err = candidateOf(choice.Choice, o.candidate); err != nil {
			return usageError{err}
		}
	}
	var idle [][]bool
	ge := seats[choice.Seat].Genome
	if o.idle && ge != nil {
		choices, err := why.Collect(game, record, seats, choice.Seat, maxChoices)
		if err != nil {
			return err
		}
		if idle, err = choices.Idle(game.Grammar(), ge); err != nil {
			return err
		}
	}
	e := why.Explain(game.Grammar(), ge, choice.Moment, choice.Choice, candidate, idle)
	return o.print(c, e, func(w io.Writer) {
		fmt.Fprintf(w, "%s, step %d: %s in seat %d\n", game.Info().Title, e.Step,
			record.Players[e.Seat], e.Seat+1)
		fmt.Fprint(w, e.Text(terminal.Room(w)))
	})
}

// rename replaces names of the record's players by those of --player.
func (o *whyFlags) rename(record *engine.Record) error {
	for _, text := range o.players {
		seat, name, ok := strings.Cut(text, "=")
		n, err := strconv.Atoi(seat)
		if !ok || err != nil || n < 1 || n > len(record.Players) || name == "" {
			return fmt.Errorf("--player %s: write SEAT=NAME with a seat in 1..%d", text, len(record.Players))
		}
		record.Players[n-1] = name
	}
	return nil
}

// find replays the game and returns the requested decision.
func (o *whyFlags) find(game engine.Game, record *engine.Record, seats []why.Seat) (*why.Kept,
	error) {
	if o.seat < 0 || o.seat > len(seats) {
		return nil, misuse("--seat must be 1 to %d, not %d", len(seats), o.seat)
	}
	bred := false
	for _, s := range seats {
		bred = bred || s.Genome != nil || s.Tells(game)
	}
	if !bred {
		return nil, fmt.Errorf(
			"no player of this game is a genome that can be found, or a built-in player "+
				"that can tell: %s; name one with --player SEAT=NAME",
			strings.Join(record.Players, ", "))
	}
	var found *why.Kept
	last, told, there := 0, 0, 0
	err := why.Replay(game, record, seats, func(at why.Moment, c *engine.Choice) {
		last, told = at.Step, told+1
		if at.Step != o.step || o.seat != 0 && at.Seat != o.seat-1 {
			return
		}
		if there++; found == nil && at.Number == o.number-1 {
			found = &why.Kept{Moment: at, Choice: c.Clone()}
		}
	}, nil)
	if err == nil && found == nil {
		if there > 0 {
			return nil, misuse("there is no decision %d at step %d; --number is from 1, and a seat "+
				"made at most %d there", o.number, o.step, there)
		}
		err = usageError{
			fmt.Errorf("no player made a decision that it can explain at step %d; the last of "+
				"%d was made at step %d", o.step, told, last)}
	}
	return found, err
}

// candidateOf finds a candidate by its name.
func candidateOf(c *engine.Choice, name string) (int, error) {
	var names []string
	for i, k := range c.Candidates {
		if strings.EqualFold(k.Name, name) {
			return i, nil
		}
		names = append(names, k.Name)
	}
	return 0, fmt.Errorf("there is no candidate %q; there are %s", name, strings.Join(names, ", "))
}
