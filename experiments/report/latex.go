package report

import (
	"fmt"
	"strings"
)

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
