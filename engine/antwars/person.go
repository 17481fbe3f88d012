package antwars

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"clade/engine"
)

// person is a human player at a terminal. It shows what an ant sees and remembers, and nothing else
// until the game is over. It plays one game at a time.
type person struct {
	in       *bufio.Scanner
	out      io.Writer
	resigned bool
	points   int // before the last move
}

// newPerson returns an ant that reads directions from in, a line each, and shows its view on out.
// At the end of in it resigns.
func newPerson(in io.Reader, out io.Writer) *person {
	return &person{in: bufio.NewScanner(in), out: out}
}

// Person returns a person.
func (g *game) Person(in io.Reader, out io.Writer) engine.Person { return newPerson(in, out) }

// Resigned tells whether the person gave up the last game. The rules do not know resigning: the ant
// goes on to the north-west, and the game ends when its moves are over.
func (h *person) Resigned() bool { return h.resigned }

// Undone returns 0: moves are not taken back, because an ant cannot unsee what it has seen.
func (h *person) Undone() int { return 0 }

// compass names the directions, keypad the keys that stand for them.
var (
	compass = [8]string{"nw", "n", "ne", "e", "se", "s", "sw", "w"}
	keypad  = [8]string{"7", "8", "9", "6", "3", "2", "1", "4"}
)

// help is the answer to "help".
const help = `moves:  7 8 9   or  nw n ne
        4   6        w    e
        1 2 3       sw s se
also:   resign, help
The board is a torus, drawn with your ant @ in its middle. What leaves at one edge comes back at
the other. You see 5 x 5 cells:
        O food   X the other ant   . nothing
and remember the rest:
        o food when you last saw it   : where you have been
Step onto food to eat it, and onto the other ant to kill it. After 35 moves each the ant that has
eaten more wins, dead or alive. Ant 1 wins a tie.
`

// Move shows the ant's view and asks until the answer is a direction.
func (h *person) Move(m *memory) int {
	if m.time == 0 {
		h.resigned, h.points = false, 0
		h.say("%s", help)
	}
	if h.resigned {
		return 0
	}
	if m.points > h.points {
		h.say("\nYou eat.\n")
	}
	h.points = m.points
	h.say("\nmove %d of %d, %d eaten\n%s", m.time+1, rounds, m.points, m.picture())
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
				if int(places[m.at].next[d]) == m.enemy {
					h.say("\nYou kill the other ant.\n")
				}
				return d
			}
			h.say("%q is not a direction; write one of 7 8 9 4 6 1 2 3 or nw n ne w e sw s se; "+
				"\"help\" tells more\n", text)
		}
	}
}

// directionOf reads a direction; -1 stands for anything else.
func directionOf(text string) int {
	if d := slices.Index(keypad[:], text); d >= 0 {
		return d
	}
	return slices.Index(compass[:], text)
}

// picture draws what the ant sees and remembers, the ant in the middle.
func (m *memory) picture() string {
	var b strings.Builder
	edge := "+" + strings.Repeat("-", 2*width+1) + "+\n"
	b.WriteString(edge)
	for _, row := range m.rows() {
		b.WriteByte('|')
		for i := range len(row) {
			b.WriteByte(' ')
			b.WriteByte(row[i])
		}
		b.WriteString(" |\n")
	}
	b.WriteString(edge)
	return b.String()
}

// rows draws the board row by row, the ant in the middle.
func (m *memory) rows() []string {
	rows := make([]string, width)
	for r := range rows {
		var letters [width]byte
		for c := range letters {
			letters[c] = m.letter(cellAt(int(m.at)/width+r-width/2, int(m.at)%width+c-width/2))
		}
		rows[r] = string(letters[:])
	}
	return rows
}

// letter draws one cell.
func (m *memory) letter(cell int) byte {
	inView := m.view.Has(cell)
	switch {
	case cell == int(m.at):
		return '@'
	case cell == m.enemy:
		return 'X'
	case m.food.Has(cell) && inView:
		return 'O'
	case m.food.Has(cell):
		return 'o'
	case m.visited.Has(cell):
		return ':'
	case inView:
		return '.'
	default:
		return ' '
	}
}

// farewell shows the end and the whole board. A killed ant is not asked for moves any more, so its
// death is told here.
func (h *person) farewell(b *board, ant int) {
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

// ending prints the last position without its count of moves.
func (s *scene) ending() string {
	_, board, _ := strings.Cut(s.Text(), "\n")
	return board
}

func (h *person) say(format string, args ...any) { fmt.Fprintf(h.out, format, args...) }
