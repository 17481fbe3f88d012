// Package claims examines what the authors of Amoeboid say about their game, each claim by a small
// study with a verdict. In case IV, how much larger a piece of A must be to win for certain,
// policies of A are played against every roll and reply of B. It plays no part in any game.
package claims

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"

	"clade/engine/games/amoeboid"
	"clade/engine/system/parallel"
)

// quick runs the studies that take well under a second each.
func quick() []claim {
	return []claim{ahead(), symmetry(), caseTwo(), extremeCase(), neutralPieces(), misprints()}
}

// all runs every study, for some minutes, and returns them in the order of the document. The same
// numbers come out on every machine.
func all() []claim {
	studies := []func() claim{
		advantages, ahead, symmetry, unboundedness, caseOne, caseTwo, extremeCase, caseThree,
		neutralPieces, policy, centre, posts, few,
		misprints,
	}
	claims := make([]claim, len(studies))
	_ = parallel.Each(context.Background(), len(studies), 0, func(_, i int) error {
		claims[i] = studies[i]() // a study that fails is a mistake of this package and panics
		return nil
	})
	return claims
}

// report returns the page of the claims; command is how a reader repeats it.
func report(claims []claim, command string) string {
	var b strings.Builder
	b.WriteString("# What the document claims, and what was found\n\n")
	b.WriteString("The document is S. Dabdoub and S. Cuellar, *Amoeboid: A Partisan " +
		"Combinatorial Game of Chance* (MIT SP.268, 2010). ")
	b.WriteString("The board is 3 x 3 with eight neighbours and the die has six sides, unless said " +
		"otherwise. ")
	fmt.Fprintf(&b, "This page and the data beside it are made by\n\n```\n%s\n```\n\n", command)
	b.WriteString("| claim | verdict |\n|---|---|\n")
	for _, c := range claims {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Verdict)
	}
	b.WriteByte('\n')
	for _, c := range claims {
		fmt.Fprintf(&b, "## %s\n\n**Claim.** %s\n\n**Verdict: %s.**\n\n", c.Name, c.Says, c.Verdict)
		for _, paragraph := range c.Evidence {
			b.WriteString(paragraph + "\n\n")
		}
		if len(c.Table.Rows) > 0 {
			c.Table.Markdown(&b)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// claim is a statement of the document, with the verdict.
type claim struct {
	Name     string
	Says     string // the statement, in our words
	Verdict  string
	Evidence []string // paragraphs
	Table    table    // numbers behind it; may be empty
}

// table is tidy data: a row an observation.
type table struct {
	Name    string // of the file, without ending
	Columns []string
	Rows    [][]string
	Apart   bool // the page names the file only: a figure or the text says what it shows
}

// Add appends a row.
func (t *table) Add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		if f, ok := v.(float64); ok {
			row[i] = fmt.Sprintf("%.6f", f)
		} else {
			row[i] = fmt.Sprint(v)
		}
	}
	t.Rows = append(t.Rows, row)
}

// CSV writes the table as comma separated values with a line of names.
func (t table) CSV() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{t.Columns}, t.Rows...)); err != nil {
		panic("claims: " + err.Error())
	}
	return b.String()
}

// Markdown writes the table, or names its file.
func (t table) Markdown(b *strings.Builder) {
	if t.Apart {
		fmt.Fprintf(b, "The %d rows of data are in [%s.csv](%[2]s.csv).\n\n", len(t.Rows), t.Name)
		return
	}
	b.WriteString("| " + strings.Join(t.Columns, " | ") + " |\n|" + strings.Repeat("---|",
		len(t.Columns)) + "\n")
	for _, row := range t.Rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	fmt.Fprintf(b, "\n(`%s.csv`)\n\n", t.Name)
}

// board is the document's 3 x 3 board.
func board() *amoeboid.Graph { return amoeboid.New().Graph() }

// at parses a position. It panics for a wrong text, of which this package has none.
func at(text string) amoeboid.Position {
	p, _, err := amoeboid.ParsePosition(board(), text)
	if err != nil {
		panic("claims: " + err.Error())
	}
	return p
}

// die is the number of sides of the document's Die.
const die = 6

// after returns the position after a move.
func after(p amoeboid.Position, m amoeboid.Move, roll int) amoeboid.Position {
	p.Apply(m, roll)
	return p
}

// wonBy is the verdict in which a seat has won.
func wonBy(seat int) amoeboid.Verdict {
	if seat == amoeboid.A {
		return amoeboid.WonByA
	}
	return amoeboid.WonByB
}

// corners returns the opening position: A's piece on a1, B's on c3, the seat to roll.
func corners(a, b int32, seat int) amoeboid.Position {
	var p amoeboid.Position
	p.Set(0, amoeboid.Piece{a, 0})
	p.Set(8, amoeboid.Piece{0, b})
	p.SetTurn(seat)
	return p
}

// boolInt returns 1 for true.
func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func verdictAfter(p amoeboid.Position, m amoeboid.Move, roll int) amoeboid.Verdict {
	p.Apply(m, roll)
	return p.Verdict()
}

// misprints replays the document's line of case IV and compares the boards it prints.
func misprints() claim {
	g := board()
	table := table{Name: "misprints", Columns: []string{"ply", "printed", "by the rules"}}
	p := at("B . . . / . 60,0 . / . . 0,16")
	wrong := 0
	for i, step := range documentLine {
		roll := rollOfB
		if p.Turn() == amoeboid.A {
			roll = rollOfA
		}
		if step.move != "" {
			m, err := p.ParseMove(g, step.move, roll)
			if err != nil {
				panic(fmt.Sprintf("claims: case IV, step %d: %v", i, err))
			}
			p = after(p, m, roll)
		}
		if text := p.Text(g, 0)[2:]; text != step.printed {
			wrong++
			table.Add(i+1, step.printed, text)
		}
	}
	return claim{
		Name:    "Case IV: the printed boards",
		Says:    "The line of case IV as printed, A rolling ones and B sixes.",
		Verdict: fmt.Sprintf("%d boards are misprinted", wrong),
		Evidence: []string{
			"In the first B's second piece is shown as it is after his reply. In " +
				"the second the piece just eaten is not changed. In the last the upper left " +
				"corner has B's units of another cell, and the centre has not paid for the meal.",
		},
		Table: table,
	}
}

// documentLine is the line of case IV: the move that the text or the next board implies, and the
// board as printed; a piece of one player alone is printed with one number.
var documentLine = []struct{ move, printed string }{
	{"c3 c2 half", ". . . / . 60,0 0,11 / . . 0,11"},
	{"b2 c3 11,0", ". . . / . 50,0 0,9 / . . 11,11"},
	{"c2 c1 0,8", ". . 0,8 / . 50,0 0,9 / . . 11,11"},
	{"b2 c2 9,0", ". . 0,8 / . 42,0 9,9 / . . 11,11"},
	{"c1 b1 0,7", ". 0,7 0,7 / . 42,0 9,9 / . . 11,11"},
	{"b2 c1 7,0", ". 0,7 7,7 / . 36,0 9,9 / . . 11,11"},
	{"b1 a1 0,6", "0,6 0,7 7,7 / . 36,0 9,9 / . . 11,11"},
	{"b2 b1 7,0", "0,6 7,7 7,7 / . 30,0 9,9 / . . 11,11"},
	{"a1 a2 half", "0,6 7,7 7,7 / 0,6 30,0 9,9 / . . 11,11"},
	{"b2 a1 6,0", "0,6 7,7 7,7 / 0,6 25,0 9,9 / . . 11,11"},
	{"a2 a3 half", "6,6 7,7 7,7 / 0,6 25,0 9,9 / 0,6 . 11,11"},
	{"b2 a2 7,0", "6,6 7,7 7,7 / 7,6 19,0 9,9 / 0,6 . 11,11"},
	{"a3 b3 half", "6,6 7,7 7,7 / 7,6 19,0 9,9 / 0,6 0,6 11,11"},
	{"b2 a3 7,0", "6,6 7,7 7,7 / 7,6 13,0 9,9 / 7,6 0,6 11,11"},
	{"+b3", "6,6 7,7 7,7 / 7,6 13,0 9,9 / 7,6 0,12 11,11"},
	{"b2 b3 12,0", "6,12 7,7 7,7 / 7,6 13,0 9,9 / 7,6 12,12 11,11"},
}
