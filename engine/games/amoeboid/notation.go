package amoeboid

import (
	"fmt"
	"strconv"
	"strings"
)

// ParsePosition reads a position on a board: the letter of the player who rolls next, followed by
// the roll if it has been made, then the cells in order. A cell is "." or "a,b", units of A and
// units of B; "/" ends a row of a square board and may stand anywhere on others. "A 1,0 . . / . . .
// / . . 0,1" is the start of the document's game, "A5 ..." the same after a roll of 5. The roll is
// 0 if none is given.
func ParsePosition(g *Graph, text string) (p Position, roll int, err error) {
	words := strings.Fields(strings.ReplaceAll(text, "/", " / "))
	if len(words) == 0 || words[0][0] != 'A' && words[0][0] != 'B' {
		return p, 0, fmt.Errorf("amoeboid: position: start with A or B, who rolls next, then the cells")
	}
	p.SetTurn(int(words[0][0] - 'A'))
	if digits := words[0][1:]; digits != "" {
		if roll, err = strconv.Atoi(digits); err != nil || roll < 1 || roll > 20 {
			return p, 0, fmt.Errorf("amoeboid: position: the roll in %q must be a number in 1..20", words[0])
		}
	}
	cell, units := 0, int64(0)
	for _, word := range words[1:] {
		if word == "/" {
			if g.side > 0 && (cell == 0 || cell%g.side != 0 || cell == g.n) {
				return p, 0,
					fmt.Errorf("amoeboid: position: a row of this board has %d cells, and \"/\" "+
						"stands after cell %d", g.side, cell)
			}
			continue
		}
		if cell == g.n {
			return p, 0, fmt.Errorf("amoeboid: position: more than the %d cells of the board (%s)",
				g.n, g.name)
		}
		piece, err := parsePiece(word)
		if err != nil {
			return p, 0, err
		}
		if units += int64(piece[A]) + int64(piece[B]); units > maxUnits/2 {
			return p, 0, fmt.Errorf("amoeboid: position: more than %d units", maxUnits/2)
		}
		p.Set(cell, piece)
		cell++
	}
	if cell != g.n {
		return p, 0,
			fmt.Errorf("amoeboid: position: %d of the %d cells of the board (%s) are given", cell,
				g.n, g.name)
	}
	return p, roll, nil
}

// parsePiece reads one cell: "." or "a,b".
func parsePiece(word string) (Piece, error) {
	if word == "." {
		return Piece{}, nil
	}
	var piece Piece
	first, second, two := strings.Cut(word, ",")
	for i, digits := range []string{first, second} {
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n < 0 || !two {
			return piece,
				fmt.Errorf("amoeboid: position: cell %q is neither \".\" nor \"a,b\" with the "+
					"units of A and of B", word)
		}
		piece[i] = int32(n)
	}
	return piece, nil
}

// Text writes the position on a board as ParsePosition reads it; the roll is left out where it is
// 0.
func (p *Position) Text(g *Graph, roll int) string {
	var b strings.Builder
	b.WriteString(letters[p.Turn()])
	if roll > 0 {
		b.WriteString(strconv.Itoa(roll))
	}
	for c := range g.n {
		if g.side > 0 && c > 0 && c%g.side == 0 {
			b.WriteString(" /")
		}
		if piece := p.cells[c]; piece == (Piece{}) {
			b.WriteString(" .")
		} else {
			fmt.Fprintf(&b, " %d,%d", piece[A], piece[B])
		}
	}
	return b.String()
}

// MoveText writes a move as ParseMove reads it: "b2 c3 4,0" takes 4 units of A and none of B from
// b2 to c3 and grows b2; "+a1 b2 c3 4,0" grows a1. A growth without a move is "+a1".
func (g *Graph) MoveText(m Move) string {
	if m.Pass() {
		return "+" + g.labels[m.Grow]
	}
	text := fmt.Sprintf("%s %s %d,%d", g.labels[m.From], g.labels[m.To], m.Take[A], m.Take[B])
	if m.Grow != m.From {
		text = "+" + g.labels[m.Grow] + " " + text
	}
	return text
}

// ParseMove reads a move of the player to move in a position with a roll, as MoveText writes it.
// The part may also be left out (the whole piece) or be "half" (half of the own units, rounded
// down, and none of the other's). If the move is not legal, the error says why.
func (p *Position) ParseMove(g *Graph, text string, roll int) (Move, error) {
	m, err := p.parseMove(g, text, roll)
	if err != nil {
		err = fmt.Errorf("amoeboid: %w", err)
	}
	return m, err
}

// parseMove is ParseMove for a person, without the package's name in the error.
func (p *Position) parseMove(g *Graph, text string, roll int) (Move, error) {
	var m Move
	words := strings.Fields(text)
	grows := len(words) > 0 && strings.HasPrefix(words[0], "+")
	var cells []uint8
	for len(words) > 0 && len(cells) < 3 {
		c, ok := g.cell(strings.TrimPrefix(words[0], "+"))
		if !ok {
			break
		}
		cells, words = append(cells, uint8(c)), words[1:]
	}
	switch {
	case grows && len(cells) == 1 && len(words) == 0:
		m.Grow = cells[0]
		if !p.Legal(g, m, roll) {
			return m, fmt.Errorf("%q takes nothing; that is possible only with an own "+
				"piece and where no move is legal", text)
		}
		return m, nil
	case grows && len(cells) == 3:
		m.Grow, m.From, m.To = cells[0], cells[1], cells[2]
	case !grows && len(cells) == 2:
		m.Grow, m.From, m.To = cells[0], cells[0], cells[1]
	case len(words) > 0 && len(cells) < 2 && strings.ContainsAny(words[0], "0123456789"):
		return m, fmt.Errorf("there is no cell %s; the cells are %s to %s",
			strings.TrimPrefix(words[0], "+"), g.labels[0], g.labels[g.n-1])
	default:
		return m, fmt.Errorf("%q is not a move; write \"FROM TO\", \"FROM TO a,b\" or "+
			"\"+GROW FROM TO a,b\" with cells such as %s", text, g.labels[0])
	}
	return m, p.readPart(g, &m, words, roll)
}

// readPart reads the part that a move takes and checks the move.
func (p *Position) readPart(g *Graph, m *Move, words []string, roll int) error {
	seat := p.Turn()
	piece := p.cells[m.From]
	if m.From == m.Grow {
		piece = p.grown(int(m.From), roll)
	}
	switch {
	case len(words) == 0:
		m.Take = piece
	case len(words) == 1 && words[0] == "half":
		m.Take[seat] = piece[seat] / 2
	case len(words) == 1:
		take, err := parsePiece(words[0])
		if err != nil {
			return fmt.Errorf("the part %q must be \"half\" or \"a,b\", the units of A "+
				"and of B", words[0])
		}
		m.Take = take
	default:
		return fmt.Errorf("%q stands behind the move", strings.Join(words[1:], " "))
	}
	if p.Legal(g, *m, roll) {
		return nil
	}
	size := p.size(int(m.To))
	if m.To == m.Grow {
		size += int32(roll)
	}
	switch {
	case p.owned[seat]>>m.Grow&1 == 0:
		return fmt.Errorf("%s is not yours, it cannot grow", g.labels[m.Grow])
	case p.owned[seat]>>m.From&1 == 0:
		return fmt.Errorf("%s is not yours, it cannot move", g.labels[m.From])
	case !g.adjacent(int(m.From), int(m.To)):
		return fmt.Errorf("%s and %s are not neighbours", g.labels[m.From], g.labels[m.To])
	case m.Take[A] > piece[A] || m.Take[B] > piece[B]:
		return fmt.Errorf("%s has only %d,%d", g.labels[m.From], piece[A], piece[B])
	case m.Pass():
		return fmt.Errorf("take at least one unit")
	default:
		return fmt.Errorf("%d units cannot eat the %d on %s", m.Take.Size(), size, g.labels[m.To])
	}
}
