package amoeboid

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"clade/engine"
)

// person is a human player at a terminal: an engine.Person who sees the board, the roll and what
// may move where, writes moves as ParseMove reads them, and can take moves back. A person plays one
// game at a time.
type person struct {
	in       *bufio.Scanner
	out      io.Writer
	resigned bool
	undone   int
}

// newPerson returns a player who reads moves from in, a line each, and sees the game on out. Where
// in ends, the person resigns.
func newPerson(in io.Reader, out io.Writer) *person {
	return &person{in: bufio.NewScanner(in), out: out}
}

// Person implements engine.Human.
func (g *Game) Person(in io.Reader, out io.Writer) engine.Person { return newPerson(in, out) }

// Resigned tells whether the person gave up the last game.
func (h *person) Resigned() bool { return h.resigned }

// Undone returns how many moves the person took back in the last game.
func (h *person) Undone() int { return h.undone }

// help is what a person is told on request.
const help = `moves:   a1 b2          grow a1 by the roll and move all of it to b2
         a1 b2 half     move half of your units
         a1 b2 3,1      move 3 units of A and 1 of B
         +c3 a1 b2 3,1  grow c3, move from a1
         +c3            grow c3 where no move is possible
also:    list (every piece and where it may go), undo, resign, help
`

// Choose asks until the move is legal. Undo is not offered: only Game.Play can take moves back.
func (h *person) Choose(t *Turn) Move {
	for {
		if m, undo := h.ask(t); !undo {
			return m
		}
		h.say("nothing to take back\n")
	}
}

// ask shows the turn and reads one answer: a legal move, resign, or undo.
func (h *person) ask(t *Turn) (m Move, undo bool) {
	p, g := &t.Position, t.Graph
	h.say("\nply %d\n%s%s rolls a %d.\n", t.Ply, p.board(g), letters[p.Turn()], t.Roll)
	h.list(t)
	for {
		h.say("%s> ", letters[p.Turn()])
		if !h.in.Scan() {
			h.say("\nno more input: the game is left\n")
			h.resigned = true
			return resign, false
		}
		switch text := strings.TrimSpace(strings.ToLower(h.in.Text())); text {
		case "":
		case "help", "?":
			h.say("%s", help)
		case "list":
			h.list(t)
		case "undo":
			return Move{}, true
		case "resign", "quit":
			h.resigned = true
			return resign, false
		default:
			m, err := p.parseMove(g, text, t.Roll)
			if err == nil {
				return m, false
			}
			h.say("%s; \"help\" tells more\n", err)
		}
	}
}

func (h *person) say(format string, args ...any) { fmt.Fprintf(h.out, format, args...) }

// list shows the legal moves, a line for each piece that may move, ungrown and grown: where to, and
// how many units it takes to get in.
func (h *person) list(t *Turn) {
	p, g := &t.Position, t.Graph
	h.say("%d legal moves; a piece, its units after the growth if it grows, and how many units "+
		"may go where:\n", p.countMoves(g, t.Roll))
	own := p.owned[p.Turn()]
	several := bits.OnesCount64(own) > 1
	each(own, func(c int) {
		if several {
			h.reach(t, c, p.cells[c], false)
		}
		h.reach(t, c, p.grown(c, t.Roll), true)
	})
}

// reach shows where one piece may go.
func (h *person) reach(t *Turn, cell int, piece Piece, grown bool) {
	p, g := &t.Position, t.Graph
	name := "  "
	if grown {
		name = " +"
	}
	var targets []string
	each(g.near[cell], func(to int) {
		need := max(1, p.cells[to].Size())
		if own := p.owned[p.Turn()]; !grown && own>>to&1 != 0 && bits.OnesCount64(own) == 2 {
			need += int32(t.Roll) // if this piece does not grow, that one does
		}
		if need <= piece.Size() {
			targets = append(targets, fmt.Sprintf("%s %d..%d", g.labels[to], need, piece.Size()))
		}
	})
	if targets == nil {
		targets = []string{"nowhere"}
	}
	h.say("%s%s (%d,%d): %s\n", name, g.labels[cell], piece[A], piece[B],
		strings.Join(targets, ", "))
}

// live plays a game with a person and returns recordings of it. A move taken back, with all that
// followed it, is not in them; the rolls stay the same.
func (g *Game) live(seats [2]Mind, seed uint64) []engine.Player {
	for seat, mind := range seats {
		if person, ok := mind.(*person); ok {
			person.resigned, person.undone = false, 0
			person.say("You are %s.\n%s", letters[seat], help)
		}
	}
	m := g.open(seed)
	type ply struct {
		before Position
		move   Move
	}
	var played []ply
	for !m.over() {
		seat := m.t.Position.Turn()
		person, ok := seats[seat].(*person)
		if !ok {
			move := seats[seat].Choose(m.t)
			g.tell(seats, seat, m.t, move)
			played = append(played, ply{m.t.Position, move})
			m.make(move)
			continue
		}
		move, undo := person.ask(m.t)
		if !undo {
			played = append(played, ply{m.t.Position, move})
			m.make(move)
			continue
		}
		last := len(played) - 1
		for last >= 0 && played[last].before.Turn() != seat {
			last--
		}
		if last < 0 {
			person.say("nothing to take back\n")
			continue
		}
		person.undone++
		m.t.Position = played[last].before
		played = played[:last]
		m.roll(last)
	}
	g.farewell(seats, m)
	m.close()
	var decisions [2][]uint64
	for _, d := range played {
		seat := d.before.Turn()
		decisions[seat] = append(decisions[seat], d.move.code())
	}
	return []engine.Player{g.Recording(decisions[A]), g.Recording(decisions[B])}
}

// tell tells a person what the other player does.
func (g *Game) tell(seats [2]Mind, seat int, t *Turn, m Move) {
	if person, ok := seats[1-seat].(*person); ok {
		person.say("\n%s rolls a %d and plays %s.\n", letters[seat], t.Roll, g.graph.MoveText(m))
	}
}

// farewell shows every person the end.
func (g *Game) farewell(seats [2]Mind, m *match) {
	for seat, mind := range seats {
		if person, ok := mind.(*person); ok && (seat == A || seats[A] != mind) {
			person.say("\n%s", (&scene{m}).Text())
			if m.forfeit >= 0 {
				person.say("%s has resigned\n", letters[m.forfeit])
			}
		}
	}
}
