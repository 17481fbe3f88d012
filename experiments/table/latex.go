package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"clade/analysis/figure"
)

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
			words[i] = figure.TeXText(word)
			continue
		}
		var pieces []string
		for piece := range slices.Chunk(letters, latexCut) {
			pieces = append(pieces, figure.TeXText(string(piece)))
		}
		words[i] = strings.Join(pieces, `\allowbreak{}`)
	}
	return strings.Join(words, " ")
}
