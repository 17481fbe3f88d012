package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"

	"clade/analysis/figure"
)

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
