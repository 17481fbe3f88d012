package repro

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// mark matches a word that would begin an item, a heading or a row, and so must not begin a line of
// a paragraph.
var mark = regexp.MustCompile(`^([*+-]|\d+[.)]|[#>|].*)$`)

// wrapped fills the paragraphs and items of a page to lines of 100 columns, since a number has
// another length than the template's action that prints it. Headings, tables, pictures and code stay
// as they are.
func wrapped(page string) string {
	var out strings.Builder
	var words []string // of the paragraph that is read
	indent := ""
	end := func() {
		line := 0
		for i, w := range words {
			switch n := utf8.RuneCountInString(w); {
			case i > 0 && line+1+n > 100 && !mark.MatchString(w):
				out.WriteString("\n" + indent + w)
				line = len(indent) + n
			case i > 0:
				out.WriteString(" " + w)
				line += 1 + n
			default:
				out.WriteString(w)
				line = n
			}
		}
		if words != nil {
			out.WriteByte('\n')
		}
		words, indent = nil, ""
	}
	code := false
	for line := range strings.Lines(page) {
		text := strings.TrimSpace(line)
		fence := strings.HasPrefix(text, "```")
		code = code != fence
		switch {
		case code || fence || text == "" || strings.ContainsAny(text[:1], "|#!<>"):
			end()
			out.WriteString(line)
			continue
		case strings.HasPrefix(text, "* "):
			end()
			indent = "  "
		}
		words = append(words, strings.Fields(text)...)
	}
	end()
	return out.String()
}
