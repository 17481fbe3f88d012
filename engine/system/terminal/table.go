package terminal

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Width is the greatest number of columns of lists and sentences, and the width of a terminal that
// does not tell its own.
const Width = 80

// Sized returns a writer with the given number of columns.
func Sized(w io.Writer, columns int) io.Writer { return sized{w, columns} }

type sized struct {
	io.Writer
	columns int
}

// Columns returns the number of columns of the terminal that a writer writes to, and a number
// without effect for anything else, such as a pipe.
func Columns(w io.Writer) int {
	switch w := w.(type) {
	case plain:
		return Columns(w.to)
	case sized:
		return w.columns
	case interface{ Fd() uintptr }: // a file
		columns, _, err := term.GetSize(int(w.Fd()))
		if err == nil && columns > 0 {
			return columns
		}
		if err == nil {
			return Width
		}
	}
	return math.MaxInt
}

// Room returns the number of columns for a sentence: Width, or those of a smaller terminal.
func Room(w io.Writer) int { return min(Width, Columns(w)) }

// tabular is a writer with its own form of tables, whose first row names the columns.
type tabular interface{ Table(rows [][]string) }

// widest is the width of the first column of a table that is too wide for its terminal: longer
// cells get a line of their own.
const widest = 32

// Table prints rows of cells, the first column aligned to the left and the others to the right,
// each as narrow as possible. Columns that do not fit follow below, after a repeated first column.
// A row without cells is an empty line. A writer with a method Table([][]string) gets the rows
// instead.
func Table(w io.Writer, rows [][]string) {
	if t, ok := w.(tabular); ok {
		t.Table(rows)
		return
	}
	columns := Columns(w)
	widths := measure(rows, columns)
	if n := total(widths); n > columns && widths[0] > widest {
		widths = measure(rows, widest)
	}
	for first := 1; first == 1 || first < len(widths); {
		end, used := first, 0
		if len(widths) > 0 {
			used = widths[0]
		}
		for end < len(widths) && (end == first || used+2+widths[end] <= columns) {
			used += 2 + widths[end]
			end++
		}
		if first > 1 {
			fmt.Fprintln(w)
		}
		for _, row := range rows {
			if len(row) > first || first == 1 {
				printRow(w, row, widths, first, min(end, len(row)))
			}
		}
		first = max(end, 2)
	}
}

// printRow prints the first cell of a row and those of a range of columns.
func printRow(w io.Writer, row []string, widths []int, first, end int) {
	var line strings.Builder
	if len(row) > 0 {
		n := utf8.RuneCountInString(row[0])
		if line.WriteString(row[0]); n > widths[0] && first < end {
			line.WriteByte('\n')
			n = 0
		}
		line.WriteString(strings.Repeat(" ", max(0, widths[0]-n)))
	}
	for i := first; i < end; i++ {
		line.WriteString(strings.Repeat(" ", 2+widths[i]-utf8.RuneCountInString(row[i])) + row[i])
	}
	fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
}

// measure returns the widths of columns; first cells beyond a limit do not count.
func measure(rows [][]string, limit int) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := utf8.RuneCountInString(cell); i > 0 || n <= limit {
				widths[i] = max(widths[i], n)
			}
		}
	}
	return widths
}

func total(widths []int) int {
	sum := -2
	for _, n := range widths {
		sum += 2 + n
	}
	return sum
}

// List prints names, each with a text beside it that wraps below itself. A writer with a method
// Table gets a table.
func List(w io.Writer, rows [][2]string) {
	if t, ok := w.(tabular); ok {
		all := [][]string{{"name", "text"}}
		for _, row := range rows {
			all = append(all, row[:])
		}
		t.Table(all)
		return
	}
	name := 0
	for _, row := range rows {
		name = max(name, utf8.RuneCountInString(row[0]))
	}
	indent := "\n" + strings.Repeat(" ", name+2)
	for _, row := range rows {
		text := strings.ReplaceAll(Wrap(row[1], Room(w)-name-2), "\n", indent)
		fmt.Fprintf(w, "%-*s  %s\n", name, row[0], text)
	}
}

// Wrap breaks lines between words so that they have at most the given columns, unless a word is
// longer. Text between backquotes is one word, since a broken command cannot be pasted.
func Wrap(text string, columns int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		wrap(&b, line, columns)
	}
	return b.String()
}

func wrap(b *strings.Builder, line string, columns int) {
	used := 0
	for i, word := range unbroken(line) {
		switch n := utf8.RuneCountInString(word); {
		case i == 0:
			used = n
		case used+1+n > columns:
			b.WriteByte('\n')
			used = n
		default:
			b.WriteByte(' ')
			used += 1 + n
		}
		b.WriteString(word)
	}
}

// unbroken splits a line into words, with text between backquotes as one.
func unbroken(line string) (words []string) {
	all := strings.Split(line, " ")
	opens := func(word string) bool { return strings.Count(word, "`")%2 == 1 }
	for i := 0; i < len(all); i++ {
		end := i
		if opens(all[i]) {
			if n := slices.IndexFunc(all[i+1:], opens); n >= 0 {
				end = i + 1 + n
			}
		}
		words = append(words, strings.Join(all[i:end+1], " "))
		i = end
	}
	return words
}
