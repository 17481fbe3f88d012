package experiments

import (
	"fmt"
	"strings"

	"clade/analysis/figure"
)

// LaTeX returns the report's tables for the packages booktabs and array, each in an environment table of its own with a label tab:NAME, to be taken in by \input.
func (r *Report) LaTeX() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n%% Tables for LaTeX; \\usepackage{booktabs,array} in the preamble. Made by: clade report\n", strings.ReplaceAll(r.Title, "\n", " "))
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			t.latex(&b)
		}
	}
	return []byte(b.String())
}

const (
	latexWord = 32 // length of a cell beyond which its column breaks lines
	latexLine = 84 // characters of a table that fill a line
)

// align returns the columns' kinds: words to the left, numbers to the right, and what is long in lines of a width that leaves the others their room.
func (t *ReportTable) align() string {
	longest, short, long := make([]int, len(t.Columns)), 0, 0
	for i, c := range t.Columns {
		longest[i] = len(c)
		for _, row := range t.Rows {
			longest[i] = max(longest[i], len(row[i]))
		}
		if longest[i] > latexWord {
			long += min(longest[i], latexLine)
		} else {
			short += longest[i] + 2
		}
	}
	room := float64(max(latexLine-short, latexLine/4)) / latexLine
	var b strings.Builder
	for i, n := range longest {
		switch {
		case n > latexWord:
			fmt.Fprintf(&b, `>{\raggedright\arraybackslash}p{%.2f\linewidth}`, room*float64(min(n, latexLine))/float64(long))
		case i == 0 || t.Words(i):
			b.WriteByte('l')
		default:
			b.WriteByte('r')
		}
	}
	return b.String()
}

func (t *ReportTable) latex(b *strings.Builder) {
	fmt.Fprintf(b, "\n\\begin{table}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n\\begin{tabular}{@{}%s@{}}\n\\toprule\n", texEscape(t.Caption), t.Name, t.align())
	t.latexRow(b, t.Columns)
	b.WriteString("\\midrule\n")
	for _, row := range t.Rows {
		t.latexRow(b, row)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
}

func (t *ReportTable) latexRow(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteString(" & ")
		}
		c = texEscape(c)
		if strings.HasPrefix(c, "[") {
			c = "{}" + c // a bracket behind \\ would be its argument
		}
		b.WriteString(c)
	}
	b.WriteString(" \\\\\n")
}

// texEscape writes text so that LaTeX prints it. A long word, such as a fingerprint, may break after every eighth character.
func texEscape(s string) string {
	words := strings.Split(s, " ")
	for i, word := range words {
		var pieces []string
		for len(word) > latexWord {
			cut := 8
			for cut < len(word) && word[cut]&0xc0 == 0x80 { // inside a character
				cut++
			}
			pieces, word = append(pieces, figure.TeXText(word[:cut])), word[cut:]
		}
		words[i] = strings.Join(append(pieces, figure.TeXText(word)), `\allowbreak{}`)
	}
	return strings.Join(words, " ")
}
