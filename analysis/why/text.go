package why

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns the explanation as lines for a terminal of a width in columns: the candidates, the
// best first and the chosen one marked, then the tree. A branch that was not taken is folded into
// one line, and ~ marks what never mattered.
func (e *Explanation) Text(columns int) string {
	var b strings.Builder
	line := func(text string) {
		if utf8.RuneCountInString(text) > columns {
			text = string([]rune(text)[:columns-1]) + "…"
		}
		b.WriteString(text + "\n")
	}
	for _, text := range e.ranking(columns) {
		line(text)
	}
	if e.Note != "" {
		line(e.Note)
	}
	if e.Slot == "" {
		return b.String()
	}
	line(fmt.Sprintf("tree %s for %s: value, node", e.Slot, e.Candidates[e.Shown].Name))
	for i := 0; i < len(e.Tree); {
		n := &e.Tree[i]
		end := i + 1
		for end < len(e.Tree) && e.Tree[end].Depth > n.Depth {
			end++
		}
		mark := " "
		if n.Idle {
			mark = "~"
		}
		indent := mark + strings.Repeat("  ", n.Depth)
		if !n.Taken {
			more := ""
			if end > i+1 {
				more = fmt.Sprintf(" … %d nodes", end-i)
			}
			line(fmt.Sprintf("%9s %s%s%s", "-", indent, n.Text, more))
			i = end
			continue
		}
		line(fmt.Sprintf("%9s %s%s", n.worth(), indent, n.Text))
		i++
	}
	return b.String()
}

// worth writes a node's value.
func (n *Node) worth() string {
	if n.Type == "Bool" {
		return [2]string{"false", "true"}[int(n.Value)&1]
	}
	return n.Value.String()
}

// String writes a number in at most nine characters.
func (n Number) String() string { return fmt.Sprintf("%.5g", float32(n)) }

// ranking lists the candidates by utility, as many a line as fit.
func (e *Explanation) ranking(columns int) []string {
	order := e.Order()
	words := make([]string, len(order))
	width := 0
	for i, k := range order {
		mark := " "
		if k == e.Chosen {
			mark = "*"
		}
		words[i] = fmt.Sprintf("%s%9s %s", mark, e.Candidates[k].Utility, e.Candidates[k].Name)
		width = max(width, utf8.RuneCountInString(words[i])+2)
	}
	a := max(1, columns/max(width, 1))
	rows := (len(words) + a - 1) / a
	lines := make([]string, rows)
	for i, w := range words {
		lines[i%rows] += w + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(w)))
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	title := "one candidate:"
	if len(words) > 1 {
		title = fmt.Sprintf("%d candidates by utility, * was taken:", len(words))
	}
	return append([]string{title}, lines...)
}
