package cli

import (
	"fmt"
	"image"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/why"
	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/gp"
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

// reasons is the page of a stepper that explains the decisions of bred players. Decisions come
// after the picture that they are about, so the page appears with the next picture, and then the
// stepper goes back.
type reasons struct {
	bred    bool // there is a player whose reasons are known
	grammar *gp.Grammar
	names   []string        // of the players
	wanted  bool            // the page is to be shown
	shown   int             // Scene.Step of the last scene
	at      image.Rectangle // pixels of the cursor
	choices []why.Kept      // since the picture
	note    string          // to stand before the next picture's inspector
}

// hear keeps the choices of the step that the page explains.
func (s *stepper) hear(at why.Moment, c *engine.Choice) {
	if s.wanted && at.Step == s.shown && s.step == s.target {
		s.choices = append(s.choices, why.Kept{Moment: at, Choice: c.Clone()})
	}
}

// argue shows the page until the user leaves it, and goes back to the picture.
func (s *stepper) argue() {
	choices := s.choices
	s.wanted, s.choices = false, nil
	s.pass = true // the target lies behind
	if len(choices) == 0 {
		s.note = "no bred player decided here; "
		return
	}
	// the one who stands at the cursor, else the first
	i := max(0, slices.IndexFunc(choices, func(k why.Kept) bool { return k.Actor.In(s.at) }))
	candidate, top := choices[i].Chosen, 0
	for !s.quit {
		rows := s.page(choices, i, candidate, &top)
		if s.err != nil {
			return
		}
		key, err := readKey(s.keys)
		switch {
		case err != nil || key == "q" || key == "\x03":
			s.quit = true
		case key == "w" || key == "\x1b":
			return
		case key == "n" || key == "p":
			i = (i + len(choices) + map[string]int{"n": 1, "p": -1}[key]) % len(choices)
			candidate, top = choices[i].Chosen, 0
		case key == "\t":
			e := why.Explain(s.grammar, s.genome(&choices[i]), choices[i].Moment,
				choices[i].Choice, candidate, nil)
			order := e.Order()
			candidate, top = order[(slices.Index(order, candidate)+1)%len(order)], 0
		case key == "\x1b[A" || key == "k":
			top--
		case key == "\x1b[B" || key == "j" || key == "\r":
			top++
		case key == "\x1b[5~":
			top -= rows
		case key == "\x1b[6~" || key == " ":
			top += rows
		}
	}
}

func (s *stepper) genome(k *why.Kept) gp.Genome { return s.seats[k.Seat].Genome }

// called returns a player's name, of a species without folders, for which there is no room.
func called(name string) string { return strings.TrimSuffix(filepath.Base(name), ".species") }

// page prints a choice from one of its lines on, and returns how many lines fit.
func (s *stepper) page(choices []why.Kept, i, candidate int, top *int) (rows int) {
	columns, rows, err := s.size()
	if err != nil {
		s.fail(err)
		return 1
	}
	k := &choices[i]
	e := why.Explain(s.grammar, s.genome(k), k.Moment, k.Choice, candidate, nil)
	lines := strings.Split(strings.TrimSuffix(e.Text(columns), "\n"), "\n")
	rows = max(1, rows-2)
	*top = max(0, min(*top, len(lines)-rows))
	title := fmt.Sprintf("why: step %d, decision %d of %d, %s in seat %d, lines %d-%d of %d",
		k.Step, i+1, len(choices), called(s.names[k.Seat]), k.Seat+1, *top+1,
		min(*top+rows, len(lines)), len(lines))
	shown := append([]string{title}, lines[*top:min(*top+rows, len(lines))]...)
	s.print("\x1b[H\x1b[2J", columns, append(shown, whyKeys)...)
	return rows
}
