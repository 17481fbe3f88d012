package report

import (
	"html/template"

	"clade/analysis/figure"
	"clade/experiments/table"
)

// Report is a report on some runs, ready to be written as HTML or LaTeX.
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

// Table is a table of a report.
type Table = table.Table

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
