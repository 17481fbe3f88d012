package amoeboid

import "testing"

// TestCautiousFollowsTheDocument holds what the cautious player does against the advice of cases I
// to III, on the document's board.
func TestCautiousFollowsTheDocument(t *testing.T) {
	const centre = 4
	waits := func(p *Position,
		m Move) bool {
		return m.To != centre && p.Piece(int(m.From)) == Piece{}
	}
	attacks := func(p *Position,
		m Move) bool {
		return m.To == centre && p.Piece(int(m.From)) == Piece{}
	}
	neutral := func(p *Position,
		m Move) bool {
		piece := p.Piece(int(m.To))
		return piece[A] == 5 && piece[B] == 5
	}
	eats := func(p *Position,
		m Move) bool {
		piece := p.Piece(int(m.To))
		return piece[A] > 5 && piece[B] == 5
	}
	wins := func(p *Position, _ Move) bool { return p.Verdict() == WonByA }
	turn := NewTurn(New().Graph(), 6)
	for _, c := range []struct {
		name, text string
		does       func(after *Position, m Move) bool
	}{
		{"case I", "A3 10,0 . . / . . . / . . 0,10", waits},
		{"case II, 4", "A4 10,0 . . / . . . / . . 0,10", waits},
		{"case II, 5, early", "A5 10,0 . . / . . . / . . 0,10", waits},
		{"case II, 5, advanced", "A5 60,0 . . / . . . / . . 0,60", attacks},
		{"case II, 6", "A6 10,0 . . / . . . / . . 0,10", attacks},
		{"case III", "A1 16,0 . . / . . . / . . 0,10", attacks},
		{"advantage 2 above 6", "A1 . . . / . 17,0 0,5 / . . 0,5", neutral},
		{"advantage 2 of 6", "A1 . . . / . 16,0 0,5 / . . 0,5", eats},
		{"a win", "A1 . . . / . 16,0 . / . . 0,5", wins},
	} {
		p, roll := position(t, turn.Graph, c.text)
		turn.Position, turn.Roll = p, roll
		m := Cautious{}.Choose(turn)
		if p.Apply(m, roll); !c.does(&p, m) {
			t.Errorf("%s: %s plays %s", c.name, c.text, turn.Graph.MoveText(m))
		}
	}
}
