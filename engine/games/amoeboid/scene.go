package amoeboid

import (
	"fmt"
	"image"
	"strings"

	"clade/engine"
)

// show shows the position to a recorder.
func (m *match) show(rec engine.Recorder) {
	if rec != nil {
		rec.Step(&scene{m})
	}
}

// scene is a position of a match.
type scene struct{ m *match }

// Step returns the number of plies played.
func (s *scene) Step() int { return s.m.t.Ply }

// Scores returns the scores of a game that ends here: 1 for a win, 1/2 for a tie, 0 for a loss.
func (s *scene) Scores(dst []float64) []float64 {
	winner := s.m.winner()
	return append(dst, score(A, winner), score(B, winner))
}

// Events implements engine.Chronicler.
func (s *scene) Events() []string { return []string{"capture", "forfeit"} }

// Happened implements engine.Chronicler.
func (s *scene) Happened(dst []int, seat int) []int {
	forfeits := 0
	if s.m.forfeit == seat {
		forfeits = 1
	}
	return append(dst, s.m.eaten[seat], forfeits)
}

// tile is the side of a drawn cell in units of scale, border included.
const tile = 12

// Size returns the size of the picture: twelve pixels a cell and unit of scale, with the die's row.
func (s *scene) Size(scale int) image.Point {
	return s.m.game.graph.extent().Add(image.Pt(0, 1)).Mul(tile * scale)
}

// Tile returns the side of a cell.
func (s *scene) Tile(scale int) int { return tile * scale }

// Draw implements engine.Scene.
func (s *scene) Draw(img *image.Paletted, _ int) { engine.Paint(img, s.Plan(), s.Pieces(nil)) }

// Kinds of pieces.
const (
	kindUnits = iota
	kindDie
)

// planned is a position with the roll of the player to move, 0 for none.
type planned struct {
	graph    *Graph
	position *Position
	roll     int
}

// Plan implements engine.Planned: the graph, and a row below it for the die.
func (p planned) Plan() *engine.Plan {
	g := p.graph
	size := g.extent()
	plan := &engine.Plan{Columns: size.X, Rows: size.Y + 1, Kinds: []engine.Kind{
		kindUnits: {Name: "amoeba with its units", Form: engine.Units},
		kindDie:   {Name: "the roll of who moves", Form: engine.Pips}}}
	for c := range g.n {
		plan.Labels = append(plan.Labels, engine.Label{Name: g.labels[c], X: g.at[c].X, Y: g.at[c].Y})
		for e := range c {
			if g.adjacent(c, e) {
				plan.Edges = append(plan.Edges, [2]int{e, c})
			}
		}
	}
	return plan
}

// Pieces implements engine.Planned.
func (p planned) Pieces(dst []engine.Piece) []engine.Piece {
	for c, at := range p.graph.at {
		for seat, units := range p.position.cells[c] {
			if units > 0 {
				one := engine.Owned(kindUnits, seat, at.X, at.Y)
				one.Number = units
				dst = append(dst, one)
			}
		}
	}
	if p.roll > 0 {
		die := engine.Owned(kindDie, p.position.Turn(), 0, p.graph.extent().Y)
		die.Number = int32(p.roll)
		dst = append(dst, die)
	}
	return dst
}

// planned returns what the scene draws.
func (s *scene) planned() planned {
	p := planned{s.m.game.graph, &s.m.t.Position, s.m.t.Roll}
	if p.position.Verdict() != Open || s.m.forfeit >= 0 {
		p.roll = 0
	}
	return p
}

// Plan implements engine.Planned.
func (s *scene) Plan() *engine.Plan { return s.planned().Plan() }

// Pieces implements engine.Planned.
func (s *scene) Pieces(dst []engine.Piece) []engine.Piece { return s.planned().Pieces(dst) }

// View implements engine.Viewed.
func (d *decision) View(int) (engine.Planned, image.Point) {
	return planned{d.turn.Graph, &d.turn.Position, d.turn.Roll}, image.Pt(-1, -1)
}

// Inspect says what is on the cell at a pixel.
func (s *scene) Inspect(at image.Point, scale int) string {
	g, p := s.m.game.graph, &s.m.t.Position
	if scale < 1 || at.X < 0 || at.Y < 0 {
		return ""
	}
	at = image.Pt(at.X/(tile*scale), at.Y/(tile*scale))
	for c := range g.n {
		if g.at[c] != at {
			continue
		}
		piece := p.cells[c]
		owner := "neutral"
		switch {
		case piece == Piece{}:
			return g.labels[c] + ": empty"
		case piece[A] > piece[B]:
			owner = "A's"
		case piece[B] > piece[A]:
			owner = "B's"
		}
		return fmt.Sprintf("%s: %d of A and %d of B, %s", g.labels[c], piece[A], piece[B], owner)
	}
	return ""
}

// Export returns the position as ParsePosition reads it, with the roll of the player to move.
func (s *scene) Export() (text []byte, extension string) {
	p, roll := &s.m.t.Position, s.m.t.Roll
	if p.Verdict() != Open {
		roll = 0
	}
	return []byte(p.Text(s.m.game.graph, roll) + "\n"), ".position"
}

// Text returns the board as the document writes it, each piece as (a,b), with the player to roll.
func (s *scene) Text() string {
	p := &s.m.t.Position
	status := letters[p.Turn()] + " to roll"
	switch p.Verdict() {
	case WonByA:
		status = "A has won"
	case WonByB:
		status = "B has won"
	case Tied:
		status = "a tie: nobody owns a piece"
	}
	return fmt.Sprintf("ply %d, %s\n%s", s.m.t.Ply, status, p.board(s.m.game.graph))
}

// board draws the cells with the names of columns and rows on a square board, and with each cell's
// number on others.
func (p *Position) board(g *Graph) string {
	size := g.extent()
	grid := make([][]string, size.Y)
	for y := range grid {
		grid[y] = make([]string, size.X)
	}
	width := 1
	for c := range g.n {
		text := "0"
		if piece := p.cells[c]; piece != (Piece{}) {
			text = fmt.Sprintf("(%d,%d)", piece[A], piece[B])
		}
		if g.side == 0 {
			text = g.labels[c] + ":" + text
		}
		grid[g.at[c].Y][g.at[c].X] = text
		width = max(width, len(text))
	}
	var b strings.Builder
	if g.side > 0 {
		b.WriteString("   ")
		for x := range size.X {
			fmt.Fprintf(&b, " %s ", center(g.labels[x][:1], width))
		}
		b.WriteByte('\n')
	}
	for y, row := range grid {
		if g.side > 0 {
			fmt.Fprintf(&b, "%2d ", y+1)
		}
		for x, text := range row {
			if x > 0 {
				b.WriteByte('|')
			}
			fmt.Fprintf(&b, " %s", center(text, width))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// center pads a text with blanks on both sides.
func center(text string, width int) string {
	left := (width - len(text)) / 2
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", width-len(text)-left)
}
