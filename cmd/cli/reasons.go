package cli

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"clade/analysis/why"
	"clade/engine"
	"clade/gp"
)

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
