package experiments

import (
	"fmt"
	"strings"
)

// LaTeX returns the report's tables for the package booktabs, each in an environment table of its own with a label tab:NAME, to be taken in by \input.
func (r *Report) LaTeX() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n%% Tables for LaTeX; \\usepackage{booktabs} in the preamble. Made by: clade report\n", strings.ReplaceAll(r.Title, "\n", " "))
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			t.latex(&b)
		}
	}
	return []byte(b.String())
}

// latexWord is the length of a cell beyond which its column breaks lines.
const latexWord = 32

func (t *ReportTable) latex(b *strings.Builder) {
	align := make([]string, len(t.Columns))
	for i := range align {
		align[i] = "r"
		if i == 0 || t.Text() {
			align[i] = "l"
		}
		for _, row := range t.Rows {
			if len(row[i]) > latexWord {
				align[i] = fmt.Sprintf(`p{%.2f\linewidth}`, 0.8/float64(len(t.Columns)))
			}
		}
	}
	fmt.Fprintf(b, "\n\\begin{table}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n\\begin{tabular}{@{}%s@{}}\n\\toprule\n", texEscape(t.Caption), t.Name, strings.Join(align, ""))
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
			pieces, word = append(pieces, texCharacters(word[:cut])), word[cut:]
		}
		words[i] = strings.Join(append(pieces, texCharacters(word)), `\allowbreak{}`)
	}
	return strings.Join(words, " ")
}

func texCharacters(s string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, `%`, `\%`, `_`, `\_`, `&`, `\&`, `#`, `\#`, `$`, `\$`, `{`, `\{`, `}`, `\}`,
		`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, "–", "--", "−", "$-$", "<", `$<$`, ">", `$>$`, "|", `$|$`, "\"", "''").Replace(s)
}
