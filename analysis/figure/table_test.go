package figure

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"clade/engine/system/terminal"
)

// What commands print as a table, here by hand, is read back from CSV by Go's own reader, and is a
// table in Markdown: rows that are short are filled up, and prose is none of CSV.
func TestWriter(t *testing.T) {
	write := func(form string) string {
		var b strings.Builder
		w := TableWriter(&b, form)
		fmt.Fprintln(w, "Prose.")
		terminal.Table(w, [][]string{{"a|b", "n"}, nil, {"one"}, {"two, three", "7"}})
		terminal.List(w, [][2]string{{"x", "y"}})
		return b.String()
	}
	first, second, _ := strings.Cut(write("csv"), "\n\n")
	for text, want := range map[string][][]string{
		first: {{"a|b", "n"}, {"one", ""}, {"two, three", "7"}}, second: {{"name", "text"}, {"x", "y"}},
	} {
		got, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Errorf("%q, want %q (%v)", got, want, err)
		}
	}
	const want = "Prose.\n| a\\|b | n |\n| --- | ---: |\n| one |  |\n| two, three | 7 |\n\n"
	if got := write("markdown"); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := write("text"); !strings.HasPrefix(got, "Prose.\na|b ") {
		t.Errorf("%q", got)
	}
}

// A hyphen before a number is a minus in LaTeX, as a typesetter would have it, and no other one.
func TestMinus(t *testing.T) {
	one := Table{Columns: []string{"a-b", "c"}, Rows: [][]string{{"x-1", "-0.42 [-1, 2 %]"}}}
	var b strings.Builder
	if one.LaTeX(&b, false); !strings.Contains(b.String(), `x-1 & $-$0.42 [$-$1, 2~\%] \\`) {
		t.Error(b.String())
	}
}

// A table of a paper with two columns stands in one of them where it has room, else in both: the
// numbers of characters are by hand.
func TestTwoColumns(t *testing.T) {
	for cells, want := range map[int]string{3: `\begin{table}`, 9: `\begin{table*}`} {
		one := Table{Name: "t", Caption: "A caption."}
		for i := range cells {
			one.Columns = append(one.Columns, fmt.Sprint("column ", i))
		}
		one.Rows = [][]string{one.Columns}
		var b, page strings.Builder
		if one.LaTeX(&b, true); !strings.Contains(b.String(), want) {
			t.Errorf("%d columns: no %s in%s", cells, want, b.String())
		}
		if one.LaTeX(&page, false); !strings.Contains(page.String(), `\begin{table}`) {
			t.Errorf("on a page of one column:%s", page.String())
		}
	}
	// thirty rows of three lines each are higher than a column, ten are not
	for rows, want := range map[int]string{30: `\begin{table*}`, 10: `\begin{table}`} {
		long := Table{Name: "t", Columns: []string{"a", "meaning"}}
		for range rows {
			long.Rows = append(long.Rows, []string{"x", strings.Repeat("long words ", 14)})
		}
		var b strings.Builder
		if long.LaTeX(&b, true); !strings.Contains(b.String(), want) {
			t.Errorf("%d rows: no %s in %.200s", rows, want, b.String())
		}
	}
}
