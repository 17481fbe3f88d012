package antwars

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"clade/engine"
)

// Person is somebody at a terminal. He sees what an ant sees and remembers, and nothing else, until
// the game is over. A person plays one game at a time.
type Person struct {
	in       *bufio.Scanner
	out      io.Writer
	resigned bool
	points   int // before his last move
}

// NewPerson returns an ant that reads directions from in, a line each, and shows its view on out.
// Where in ends, it resigns.
func NewPerson(in io.Reader, out io.Writer) *Person {
	return &Person{in: bufio.NewScanner(in), out: out}
}

// Person returns a person.
func (g *game) Person(in io.Reader, out io.Writer) engine.Person { return NewPerson(in, out) }

// Resigned tells whether the person gave up the last game. The rules know no resigning: the ant
// goes on to the north-west, and the game ends when its moves are over.
func (h *Person) Resigned() bool { return h.resigned }

// Undone returns 0: what an ant has seen cannot be unseen, so that no move is taken back.
func (h *Person) Undone() int { return 0 }

// compass names the directions, keypad the keys in their places.
var (
	compass = [8]string{"nw", "n", "ne", "e", "se", "s", "sw", "w"}
	keypad  = [8]string{"7", "8", "9", "6", "3", "2", "1", "4"}
)

// help is what a person is told when he asks.
const help = `moves:  7 8 9   or  nw n ne
        4   6        w    e
        1 2 3       sw s se
also:   resign, help
The board is a torus, drawn with your ant @ in its middle; what leaves at one edge comes back at the other. You see 5 x 5 cells:
        O food   X the other ant   . nothing
and remember the rest:
        o food when you last saw it   : where you have been
Step onto food to eat it, and onto the other ant to kill it. Whoever has eaten more after 35 moves each wins, dead or alive; ant 1 wins a tie.
`

// Move shows the ant's view and asks until the answer is a direction.
func (h *Person) Move(m *Memory) int {
	if m.Time == 0 {
		h.resigned, h.points = false, 0
		h.say("%s", help)
	}
	if h.resigned {
		return 0
	}
	if m.Points > h.points {
		h.say("\nYou eat.\n")
	}
	h.points = m.Points
	h.say("\nmove %d of %d, %d eaten\n%s", m.Time+1, rounds, m.Points, m.picture())
	for {
		h.say("> ")
		if !h.in.Scan() {
			h.say("\nno more input: you resign\n")
			h.resigned = true
			return 0
		}
		switch text := strings.ToLower(strings.TrimSpace(h.in.Text())); text {
		case "":
		case "help", "?":
			h.say("%s", help)
		case "resign", "quit":
			h.resigned = true
			return 0
		default:
			if d := directionOf(text); d >= 0 {
				if int(places[m.At].next[d]) == m.Enemy {
					h.say("\nYou kill the other ant.\n")
				}
				return d
			}
			h.say("%q is no direction; write one of 7 8 9 4 6 1 2 3 or nw n ne w e sw s se; "+
				"\"help\" tells more\n", text)
		}
	}
}

// directionOf reads a direction, -1 if it is none.
func directionOf(text string) int {
	if d := slices.Index(keypad[:], text); d >= 0 {
		return d
	}
	return slices.Index(compass[:], text)
}

// picture draws what the ant sees and remembers, the ant in the middle.
func (m *Memory) picture() string {
	var b strings.Builder
	row, column := int(m.At)/side, int(m.At)%side
	edge := "+" + strings.Repeat("-", 2*side+1) + "+\n"
	b.WriteString(edge)
	for r := -side / 2; r <= side/2; r++ {
		b.WriteByte('|')
		for c := -side / 2; c <= side/2; c++ {
			b.WriteByte(' ')
			b.WriteByte(m.letter(cellAt(row+r, column+c)))
		}
		b.WriteString(" |\n")
	}
	b.WriteString(edge)
	return b.String()
}

// letter draws one cell.
func (m *Memory) letter(cell int) byte {
	inView := m.View.Has(cell)
	switch {
	case cell == int(m.At):
		return '@'
	case cell == m.Enemy:
		return 'X'
	case m.Food.Has(cell) && inView:
		return 'O'
	case m.Food.Has(cell):
		return 'o'
	case m.Visited.Has(cell):
		return ':'
	case inView:
		return '.'
	default:
		return ' '
	}
}

// farewell shows the end, and at last the whole board. A killed ant is not asked any more, so that
// it hears of its death here.
func (h *Person) farewell(b *board, ant int) {
	if b.dead[ant] {
		h.say("\nThe other ant has killed you.\n")
	}
	verdict := "you lose"
	if !h.resigned && b.winner() == ant {
		verdict = "you win"
	}
	if b.score[0] == b.score[1] && !h.resigned {
		verdict += ", for ant 1 wins a tie"
	}
	h.say("\nThe end: you ate %d, the other ant %d; %s. You were ant %d.\n%s", b.score[ant],
		b.score[1-ant], verdict, ant+1, (&scene{board: *b, step: rounds}).ending())
}

// ending prints the last position without its moves' count, which says little here.
func (s *scene) ending() string {
	_, board, _ := strings.Cut(s.Text(), "\n")
	return board
}

func (h *Person) say(format string, args ...any) { fmt.Fprintf(h.out, format, args...) }
