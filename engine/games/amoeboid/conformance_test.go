package amoeboid

import (
	"encoding/json"
	"os"
	"testing"

	"clade/engine/enginetest"
	"clade/gp/proof"
)

// rows is a recorded board: rows of cells of units.
type rows [][]Piece

func (r rows) position(letter string) Position {
	var p Position
	for y, row := range r {
		for x, piece := range row {
			p.Set(y*len(r)+x, piece)
		}
	}
	if letter == "B" {
		p.SetTurn(B)
	}
	return p
}

// recordedMove is a move as recorded, its cells as rows and columns.
type recordedMove struct {
	Grow, From, To [2]int
	Subset         Piece
	Board          rows
	Result         *string
}

func (m recordedMove) move(n int) Move {
	cell := func(at [2]int) uint8 { return uint8(at[0]*n + at[1]) }
	return Move{cell(m.Grow), cell(m.From), cell(m.To), m.Subset}
}

// check makes the move and compares the board and the result.
func (m recordedMove) check(t *testing.T, g *Graph, p *Position, roll int) {
	t.Helper()
	move := m.move(len(m.Board))
	if !p.Legal(g, move, roll) {
		t.Fatalf("%s with %d: %s is not legal", p.Text(g, 0), roll, g.MoveText(move))
	}
	p.Apply(move, roll)
	want := m.Board.position(letters[p.Turn()])
	if p.Text(g, 0) != want.Text(g, 0) {
		t.Fatalf("after %s: %s, recorded %s", g.MoveText(move), p.Text(g, 0), want.Text(g, 0))
	}
	result := ""
	if m.Result != nil {
		result = *m.Result
	}
	if got := [...]string{"", "A", "B", "tie"}[p.Verdict()]; got != result {
		t.Fatalf("after %s: result %q, recorded %q", g.MoveText(move), got, result)
	}
}

// The games are those that the document prints ply by ply, with every roll.
func TestConformanceExampleGames(t *testing.T) {
	for _, file := range enginetest.Recorded(t, "amoeboid", "example*.json") {
		text := proof.Must(os.ReadFile(file))(t)
		var game struct {
			Board     [2]int
			Adjacency int
			Start     rows
			ToMove    string `json:"to_move"`
			Plies     []struct {
				recordedMove
				Player string
				Roll   int
			}
		}
		proof.OK(t, json.Unmarshal(text, &game))
		g := proof.Must(grid(game.Board[0], game.Adjacency))(t)
		p := game.Start.position(game.ToMove)
		proof.Is(t, p, g.opening(), "%s: the start", file)
		if len(game.Plies) == 0 {
			t.Errorf("%s: no plies", file)
		}
		for i, ply := range game.Plies {
			if letters[p.Turn()] != ply.Player {
				t.Fatalf("%s: ply %d is %s's", file, i+1, ply.Player)
			}
			ply.check(t, g, &p, ply.Roll)
		}
	}
}

// Positions, their numbers of moves and what moves lead to were computed by another program,
// written from the document in Python.
func TestConformancePositions(t *testing.T) {
	type record struct {
		N, Adjacency int
		Board        rows
		ToMove       string `json:"to_move"`
		Roll         int
		LegalMoves   int64 `json:"legal_moves"`
		Samples      []recordedMove
	}
	for _, file := range enginetest.Recorded(t, "amoeboid", "positions*.jsonl*") {
		enginetest.EachRecord(t, file, func(where string, r *record) {
			g := proof.Must(grid(r.N, r.Adjacency))(t)
			p := r.Board.position(r.ToMove)
			proof.Is(t, p.countMoves(g, r.Roll), r.LegalMoves, "%s: legal moves", where)
			for _, s := range r.Samples {
				q := p
				s.check(t, g, &q, r.Roll)
			}
		})
	}
}
