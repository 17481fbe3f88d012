// Package table prints tables of text in a terminal, in Markdown, CSV and LaTeX and on a page. It
// computes nothing.
package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"clade/engine/system/terminal"
)

// Table is a table as it is printed. The first column names the row.
type Table struct {
	Name    string     `json:"name"` // of its label
	Caption string     `json:"caption"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Narrow returns the table, or its transpose if that has fewer columns, with first as the first
// cell of its head.
func (t Table) Narrow(first string) Table {
	if len(t.Columns) <= len(t.Rows)+1 {
		return t
	}
	turned := Table{Name: t.Name, Caption: t.Caption, Columns: []string{first}}
	for _, row := range t.Rows {
		turned.Columns = append(turned.Columns, row[0])
	}
	for i, name := range t.Columns[1:] {
		row := []string{name}
		for _, r := range t.Rows {
			row = append(row, r[i+1])
		}
		turned.Rows = append(turned.Rows, row)
	}
	return turned
}

// Words reports whether the cells of a column are words rather than numbers.
func (t Table) Words(column int) bool {
	return slices.ContainsFunc(t.Rows, func(row []string) bool {
		return strings.ContainsFunc(row[column], func(c rune) bool { return c >= 'a' && c <= 'z' })
	})
}

// minus finds hyphens that are minus signs: before a digit, at the start of a cell or after a space
// or bracket.
var minus = regexp.MustCompile(`(^|[ \[(])-(\d)`)

// unit finds the space between a number and its unit, where a line must not break.
var unit = regexp.MustCompile(`(\d) %`)

// Typeset returns a cell with typographic signs and spaces, for pages and LaTeX.
func Typeset(cell string) string {
	return unit.ReplaceAllString(minus.ReplaceAllString(cell, "$1−$2"), "$1\u00a0%")
}

// OrDash prints a number; a dash where it is not known, and "never" for infinity.
func OrDash(format string, x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 1):
		return "never"
	}
	return fmt.Sprintf(format, x)
}

// Forms are the names of the forms of Write. Writer takes the first three.
func Forms() []string { return []string{"text", "markdown", "csv", "latex", "latex-two-columns"} }

// Writer returns a writer that prints tables, see terminal.Table, in a form: "text"; "markdown"; or
// "csv", which leaves out everything else and puts an empty line between two tables.
func Writer(w io.Writer, form string) io.Writer {
	if form == "text" || form == "" {
		return w
	}
	return &writer{to: w, form: form}
}

type writer struct {
	to      io.Writer
	form    string
	written bool
}

// Write implements io.Writer.
func (w *writer) Write(text []byte) (int, error) {
	if w.form == "csv" {
		return len(text), nil
	}
	return w.to.Write(text)
}

// Table writes rows, the first of which names the columns. It fills up rows that have too few
// cells, and leaves out empty ones.
func (w *writer) Table(rows [][]string) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(row []string) bool { return len(row) == 0 })
	if len(rows) == 0 {
		return
	}
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	for i, row := range rows {
		rows[i] = append(slices.Clone(row), make([]string, columns-len(row))...)
	}
	if w.written && w.form == "csv" {
		fmt.Fprintln(w.to)
	}
	w.written = true
	t := Table{Columns: rows[0], Rows: rows[1:]}
	_ = t.Write(w.to, w.form) // what is wrong with the stream, the next write meets, too
}

// Write writes the table in a form, one of Forms.
func (t *Table) Write(w io.Writer, form string) error {
	switch form {
	case "markdown":
		if t.Caption != "" {
			fmt.Fprintf(w, "%s\n\n", t.Caption)
		}
		t.markdownRow(w, t.Columns)
		rule := make([]string, len(t.Columns))
		for i := range rule {
			if rule[i] = "---:"; i == 0 || t.Words(i) {
				rule[i] = "---"
			}
		}
		t.markdownRow(w, rule)
		for _, row := range t.Rows {
			t.markdownRow(w, row)
		}
		_, err := fmt.Fprintln(w)
		return err
	case "csv":
		c := csv.NewWriter(w)
		return c.WriteAll(append([][]string{t.Columns}, t.Rows...))
	case "latex", "latex-two-columns":
		var b strings.Builder
		t.LaTeX(&b, form == "latex-two-columns")
		_, err := io.WriteString(w, b.String())
		return err
	default:
		fmt.Fprintf(w, "%s\n\n", terminal.Wrap(t.Caption, terminal.Room(w)))
		terminal.Table(w, append([][]string{t.Columns}, t.Rows...))
		_, err := fmt.Fprintln(w)
		return err
	}
}

func (t *Table) markdownRow(w io.Writer, cells []string) {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
	}
	fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
}
