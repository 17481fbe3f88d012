package report

import (
	"html/template"

	"clade/analysis/figure"
)

// Report is what there is to say of some runs, ready to be written as HTML or LaTeX.
type Report struct {
	Title    string
	Lead     []string // the questions that the studies ask
	Sections []Section
}

// Section is a part of a report.
type Section struct {
	Name    string // as a link's target
	Title   string
	Text    []string // paragraphs
	Tables  []Table
	Figures []Figure
	Strips  []Strip
	Code    []Listing
}

// Table is a table as it is printed. The first column names the row.
type Table struct {
	Name    string // of its label
	Caption string
	Columns []string
	Rows    [][]string
}

// narrow returns the table, or, where that has fewer columns, its transpose, with the first cell of
// its head.
func (t Table) narrow(first string) Table {
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

// Figure is a figure to be put into a page.
type Figure struct{ *figure.Figure }

// Listing is text to be shown as it is.
type Listing struct{ Title, Text string }

// Strip is a game as a few pictures side by side.
type Strip struct {
	Caption string
	Frames  []Frame
}

// Frame is one picture of a strip.
type Frame struct {
	Caption string
	Image   template.URL // a PNG as a data URL
}
