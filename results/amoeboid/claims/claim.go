package claims

import (
	"encoding/csv"
	"fmt"
	"strings"

	"clade/engine/games/amoeboid"
)

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

// Markdown writes the table, or names its file if it is long.
func (t table) Markdown(b *strings.Builder) {
	if len(t.Rows) > 40 {
		fmt.Fprintf(b, "The %d rows of data are in `%s.csv`.\n\n", len(t.Rows), t.Name)
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
