package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"clade/engine/system/terminal"
)

// Table is a table as it is printed: in a terminal, in Markdown, CSV and LaTeX and on a page. The
// first column names the row.
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

// TableForms are the names of the forms of Write. TableWriter takes the first three.
func TableForms() []string {
	return []string{"text", "markdown", "csv", "latex", "latex-two-columns"}
}

// TableWriter returns a writer that prints tables, see terminal.Table, in a form: "text";
// "markdown"; or "csv", which leaves out everything else and puts an empty line between two tables.
func TableWriter(w io.Writer, form string) io.Writer {
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

// Write writes the table in a form, one of TableForms.
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

const (
	latexWord = 32 // length of a cell beyond which its column breaks lines
	latexGap  = 2  // characters between two columns
	latexCut  = 8  // characters of a long word between places where it may break
	latexRows = 50 // lines of a table, below a caption, for which a page has the height
)

// latexSizes are the sizes of type that tables are set in, the first that fits, with the digits
// that fill a line of a usual page of one column.
var latexSizes = []struct {
	name string
	line int
}{{"small", 74}, {"footnotesize", 80}, {"scriptsize", 86}}

// Widths of type in points: of a page of one column, and, of a page of two, of a column and of the
// page. The narrowest of the usual templates count (LaTeX's article, ACM, IEEE).
const (
	latexPage      = 345
	latexColumn    = 229
	latexTwoColumn = 468
)

// layout returns the size of type and the kinds of columns for a line of so many points: words are
// left-aligned, numbers right-aligned, and long texts broken to a width that leaves room for the
// others. It also reports whether the table fits, in height too.
func (t *Table) layout(points int) (size, columns string, fits bool) {
	longest, short, long := make([]int, len(t.Columns)), 0, 0
	for i, c := range t.Columns {
		longest[i] = utf8.RuneCountInString(c)
		for _, row := range t.Rows {
			longest[i] = max(longest[i], utf8.RuneCountInString(row[i]))
		}
		if longest[i] > latexWord {
			long += longest[i]
		} else {
			short += longest[i]
		}
		if i > 0 {
			short += latexGap
		}
	}
	room := 0
	for _, s := range latexSizes {
		full := s.line * points / latexPage
		if size, room = s.name, full-short; room >= min(long, full/3) {
			fits = true
			break
		}
	}
	line := room + short
	room = max(room, line/4)
	lines := 0
	for _, row := range t.Rows {
		most := 1
		for i, n := range longest {
			if n > latexWord {
				width := max(1, min(room, long)*n/long)
				most = max(most, (utf8.RuneCountInString(row[i])+width-1)/width)
			}
		}
		lines += most
	}
	fits = fits && (lines <= latexRows || long == 0)
	var b strings.Builder
	for i, n := range longest {
		switch {
		case n > latexWord:
			fmt.Fprintf(&b, `>{\raggedright\arraybackslash}p{%.2f\linewidth}`,
				float64(min(room, long))*float64(n)/float64(long)/float64(line))
		case i == 0 || t.Words(i):
			b.WriteByte('l')
		default:
			b.WriteByte('r')
		}
	}
	return size, b.String(), fits
}

// LaTeX writes the table for the packages booktabs and array, in an environment table with a label
// tab:NAME. On a page of two columns it takes one, or table* if it does not fit.
func (t *Table) LaTeX(b *strings.Builder, twoColumns bool) {
	environment := "table"
	points := latexPage
	if twoColumns {
		points = latexColumn
	}
	size, columns, fits := t.layout(points)
	if twoColumns && !fits {
		environment = "table*"
		size, columns, _ = t.layout(latexTwoColumn)
	}
	fmt.Fprintf(b, "\n\\begin{%s}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n"+
		"\\%s\\setlength{\\tabcolsep}{4pt}\n\\begin{tabular}{@{}%s@{}}\n\\toprule\n",
		environment, texEscape(t.Caption), t.Name, size, columns)
	t.latexRow(b, t.Columns)
	b.WriteString("\\midrule\n")
	for _, row := range t.Rows {
		cells := slices.Clone(row)
		for i, c := range cells {
			cells[i] = Typeset(c)
		}
		t.latexRow(b, cells)
	}
	fmt.Fprintf(b, "\\bottomrule\n\\end{tabular}\n\\end{%s}\n", environment)
}

func (t *Table) latexRow(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteString(" & ")
		}
		c = texEscape(Typeset(c))
		if strings.HasPrefix(c, "[") {
			c = "{}" + c // a bracket behind \\ would be its argument
		}
		b.WriteString(c)
	}
	b.WriteString(" \\\\\n")
}

// texEscape escapes text for LaTeX. A long word, such as a fingerprint or a path, may break after
// every few characters; a number never does.
func texEscape(s string) string {
	words := strings.Split(s, " ")
	for i, word := range words {
		letters := []rune(word)
		if len(letters) <= latexWord/2 || !strings.ContainsFunc(word, unicode.IsLetter) {
			words[i] = TeXText(word)
			continue
		}
		var pieces []string
		for piece := range slices.Chunk(letters, latexCut) {
			pieces = append(pieces, TeXText(string(piece)))
		}
		words[i] = strings.Join(pieces, `\allowbreak{}`)
	}
	return strings.Join(words, " ")
}
