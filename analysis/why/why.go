// Package why explains the decisions of evolved players, and of built-in ones that report theirs:
// it replays a recorded game and returns, for any decision, the utility of each candidate action
// and the value of every node of the tree that computed it. It finds no players and draws nothing.
package why

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"clade/engine"
	"clade/gp"
)

// Seat is who plays one seat in a replay. With a genome it is an evolved player, whose choices are
// reported. Else it is the built-in Player, whose choices are reported if it can, or, if that is
// nil too, the recorded decisions.
type Seat struct {
	Genome gp.Genome
	Player engine.Player
}

// Tells tells whether the choices of the seat are reported in games of g.
func (s Seat) Tells(g engine.Game) bool {
	w, ok := g.(engine.Weigher)
	return ok && (s.Genome != nil || w.Weigh(s.Player, nil) != nil)
}

// Moment identifies a choice in a game.
type Moment struct {
	Step   int `json:"step"`   // Scene.Step of the position before it
	Seat   int `json:"seat"`   // from 0
	Number int `json:"number"` // among the choices of the seat at this step, from 0
}

// Replay plays a recorded game again and calls see with each reported choice, which is valid until
// see returns. rec may be nil. It returns an error where engine.Replay does, above all if the game
// takes another course: then the seats hold other players than those of the record.
func Replay(g engine.Game, record *engine.Record, seats []Seat, see func(Moment, *engine.Choice),
	rec engine.Recorder) error {
	g, err := record.Adjust(g)
	if err != nil {
		return err
	}
	if len(seats) != len(record.Players) {
		return fmt.Errorf("why: %d seats for a record of %d", len(seats), len(record.Players))
	}
	c := clock{next: rec}
	weigher, _ := g.(engine.Weigher)
	players := make([]engine.Player, len(seats))
	for seat, s := range seats {
		players[seat] = s.Player
		tell := func(choice *engine.Choice) {
			see(Moment{c.step, seat, c.numbers[seat]}, choice)
			c.numbers[seat]++
		}
		if s.Genome != nil && weigher == nil {
			return fmt.Errorf("why: evolved programs of %s weigh no candidates against each other",
				record.Game)
		} else if s.Genome != nil {
			if players[seat], err = g.Bind(s.Genome); err != nil {
				return err
			}
		}
		if weigher != nil {
			if told := weigher.Weigh(players[seat], tell); told != nil {
				players[seat] = told
			}
		}
	}
	if _, err = engine.ReplayAs(g, record, players, &c); err != nil {
		return fmt.Errorf("%w; or the players are not those of the record", err)
	}
	return nil
}

// clock counts steps, and the choices of each seat in one.
type clock struct {
	step    int
	numbers [engine.MaxSeats]int
	next    engine.Recorder // nil for none
}

func (c *clock) Decide(seat int, decision uint64) {
	if c.next != nil {
		c.next.Decide(seat, decision)
	}
}

func (c *clock) Step(s engine.Scene) {
	c.step, c.numbers = s.Step(), [engine.MaxSeats]int{}
	if c.next != nil {
		c.next.Step(s)
	}
}

// Text returns the explanation as lines for a terminal of a width in columns: the candidates, the
// best first and the chosen one marked, then the tree. A branch that was not taken is folded into
// one line, and ~ marks what never mattered.
func (e *Explanation) Text(columns int) string {
	var b strings.Builder
	line := func(text string) {
		if utf8.RuneCountInString(text) > columns {
			text = string([]rune(text)[:columns-1]) + "…"
		}
		b.WriteString(text + "\n")
	}
	for _, text := range e.ranking(columns) {
		line(text)
	}
	if e.Note != "" {
		line(e.Note)
	}
	if e.Slot == "" {
		return b.String()
	}
	line(fmt.Sprintf("tree %s for %s: value, node", e.Slot, e.Candidates[e.Shown].Name))
	for i := 0; i < len(e.Tree); {
		n := &e.Tree[i]
		end := i + 1
		for end < len(e.Tree) && e.Tree[end].Depth > n.Depth {
			end++
		}
		mark := " "
		if n.Idle {
			mark = "~"
		}
		indent := mark + strings.Repeat("  ", n.Depth)
		if !n.Taken {
			more := ""
			if end > i+1 {
				more = fmt.Sprintf(" … %d nodes", end-i)
			}
			line(fmt.Sprintf("%9s %s%s%s", "-", indent, n.Text, more))
			i = end
			continue
		}
		line(fmt.Sprintf("%9s %s%s", n.worth(), indent, n.Text))
		i++
	}
	return b.String()
}

// worth writes a node's value.
func (n *node) worth() string {
	if n.Type == "Bool" {
		return [2]string{"false", "true"}[int(n.Value)&1]
	}
	return n.Value.String()
}

// String writes a number in at most nine characters.
func (n Number) String() string { return fmt.Sprintf("%.5g", float32(n)) }

// ranking lists the candidates by utility, as many a line as fit.
func (e *Explanation) ranking(columns int) []string {
	order := e.Order()
	words := make([]string, len(order))
	width := 0
	for i, k := range order {
		mark := " "
		if k == e.Chosen {
			mark = "*"
		}
		words[i] = fmt.Sprintf("%s%9s %s", mark, e.Candidates[k].Utility, e.Candidates[k].Name)
		width = max(width, utf8.RuneCountInString(words[i])+2)
	}
	a := max(1, columns/max(width, 1))
	rows := (len(words) + a - 1) / a
	lines := make([]string, rows)
	for i, w := range words {
		lines[i%rows] += w + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(w)))
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	title := "one candidate:"
	if len(words) > 1 {
		title = fmt.Sprintf("%d candidates by utility, * was taken:", len(words))
	}
	return append([]string{title}, lines...)
}
