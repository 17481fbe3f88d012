package claims

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"

	"clade/engine/amoeboid"
	"clade/engine/parallel"
)

// Claim is a statement of the document with what was found.
type Claim struct {
	Name     string
	Says     string // the statement, in our words
	Verdict  string
	Evidence []string // paragraphs
	Table    Table    // numbers behind it; may be empty
}

// Table is tidy data: a row an observation.
type Table struct {
	Name    string // of the file, without ending
	Columns []string
	Rows    [][]string
}

// add appends a row.
func (t *Table) add(values ...any) {
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
func (t Table) CSV() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{t.Columns}, t.Rows...)); err != nil {
		panic("claims: " + err.Error())
	}
	return b.String()
}

// markdown writes the table, or names its file if it is long.
func (t Table) markdown(b *strings.Builder) {
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

// Quick runs the studies that take well under a second each.
func Quick() []Claim {
	return []Claim{Symmetry(), CaseTwo(), ExtremeCase(), NeutralPieces(), Misprints()}
}

// All runs every study, for some minutes, and returns them in the order of the document. The same
// numbers come out on every machine.
func All() []Claim {
	studies := []func() Claim{
		Advantages, Symmetry, Unboundedness, CaseOne, CaseTwo, ExtremeCase, CaseThree,
		NeutralPieces, CaseFourPolicy, CaseFourCentre, CaseFourPosts, CaseFourFew,
		Misprints,
	}
	claims := make([]Claim, len(studies))
	_ = parallel.Each(context.Background(), len(studies), 0, func(_, i int) error {
		claims[i] = studies[i]() // a study that fails is a mistake of this package and panics
		return nil
	})
	return claims
}

// Report writes the claims as a page; command is how a reader makes it again.
func Report(claims []Claim, command string) string {
	var b strings.Builder
	b.WriteString("# What the document claims, and what was found\n\n")
	b.WriteString("The document is S. Dabdoub and S. Cuellar, *Amoeboid: A Partisan " +
		"Combinatorial Game of Chance* (MIT SP.268, 2010). ")
	b.WriteString("The board is 3 x 3 with eight neighbours and the die has six sides unless a " +
		"study says otherwise. ")
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
			c.Table.markdown(&b)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// board is the document's 3 x 3 board.
func board() *amoeboid.Graph { return amoeboid.New().Graph() }

// at is a position written as text; the texts of this package are right.
func at(text string) amoeboid.Position {
	p, _, err := amoeboid.ParsePosition(board(), text)
	if err != nil {
		panic("claims: " + err.Error())
	}
	return p
}

// die is the number of sides of the document's die.
const die = 6

// after returns the position after a move.
func after(p amoeboid.Position, m amoeboid.Move, roll int) amoeboid.Position {
	p.Apply(m, roll)
	return p
}

// won is the verdict in which a seat has won.
func won(seat int) amoeboid.Verdict {
	if seat == amoeboid.A {
		return amoeboid.WonByA
	}
	return amoeboid.WonByB
}
