package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"clade/analysis/figure"
)

// Report is a report on some runs, ready to be written as HTML or LaTeX.
type Report struct {
	Title    string
	Lead     []string // the questions that the studies ask
	Sections []section
}

// section is a part of a report.
type section struct {
	Name    string // as a link's target
	Title   string
	Text    []string // paragraphs
	Tables  []figure.Table
	Figures []Figure
	Strips  []strip
	Code    []listing
}

// Figure is a figure to be put into a page.
type Figure struct{ *figure.Figure }

// listing is text to be shown as it is.
type listing struct{ Title, Text string }

// strip is a game as a few pictures side by side.
type strip struct {
	Caption string
	Frames  []frame
}

// frame is one picture of a strip.
type frame struct {
	Caption string
	Image   template.URL // a PNG as a data URL
}

//go:embed report.html
var reportPage string

// HTML returns the report as one page that needs nothing else: figures inline, pictures and the
// data of figures as data URLs, no script. A policy in its head forbids the browser to fetch
// anything.
func (r *Report) HTML() ([]byte, error) {
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		panic("report: " + err.Error())
	}
	var b bytes.Buffer
	if err := page.Execute(&b, r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Picture returns the figure as SVG to be put into a page.
func (f Figure) Picture() (template.HTML, error) {
	svg, err := f.Encode(figure.SVG)
	if err != nil {
		return "", err
	}
	start := bytes.Index(svg, []byte("<svg"))
	label := template.HTMLEscapeString(f.Caption)
	return template.HTML(`<svg role="img" aria-label="` + label + `"` + " " +
		strings.TrimSpace(string(svg[start+len("<svg"):]))), nil
}

// Tree reports whether the figure shows a genome, which may be wider than a page.
func (f Figure) Tree() bool { return strings.HasPrefix(f.Name, "champion-") }

// Wide reports whether the figure takes the width of a page rather than that of a column.
func (f Figure) Wide() bool { return f.Width > figure.ColumnWidth }

// Table returns the figure's data as a data URL.
func (f Figure) Table() (template.URL, error) {
	var b bytes.Buffer
	if err := f.Data.WriteCSV(&b); err != nil {
		return "", err
	}
	return template.URL("data:text/csv;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// Tables returns the report's tables for LaTeX, each as a file of its own by its name.
func (r *Report) Tables(twoColumns bool) map[string][]byte {
	files := map[string][]byte{}
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			var b strings.Builder
			t.LaTeX(&b, twoColumns)
			files[t.Name+".tex"] = []byte(r.preamble() + b.String())
		}
	}
	return files
}

// LaTeX returns all of the report's tables for the packages booktabs and array, each in an
// environment table of its own with a label tab:NAME, to be taken in by \input. For a page of two
// columns, those that a column has no room for are in table*.
func (r *Report) LaTeX(twoColumns bool) []byte {
	var b strings.Builder
	b.WriteString(r.preamble())
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			t.LaTeX(&b, twoColumns)
		}
	}
	return []byte(b.String())
}

// preamble names the packages that the tables need.
func (r *Report) preamble() string {
	return fmt.Sprintf("%% %s\n%% Tables for LaTeX; \\usepackage{booktabs,array} in the preamble. "+
		"Made by: clade report\n", strings.ReplaceAll(r.Title, "\n", " "))
}
