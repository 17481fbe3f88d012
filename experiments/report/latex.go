package report

import (
	"fmt"
	"strings"
)

// LaTeX returns the report's tables for the packages booktabs and array, each in an environment
// table of its own with a label tab:NAME, to be taken in by \input.
func (r *Report) LaTeX() []byte {
	var b strings.Builder
	fmt.Fprintf(&b,
		"%% %s\n%% Tables for LaTeX; \\usepackage{booktabs,array} in the preamble. Made by: "+
			"clade report\n", strings.ReplaceAll(r.Title, "\n", " "))
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			t.LaTeX(&b)
		}
	}
	return []byte(b.String())
}
