package terminal

import (
	"strings"
	"testing"

	"clade/gp/proof"
)

func TestTable(t *testing.T) {
	for _, c := range []struct {
		name string
		rows [][]string
		want string
	}{
		{"nothing", nil, ""},
		{"narrow", [][]string{{"a", "b"}, {}, {"long", "1"}}, "a     b\n\nlong  1\n"},
		{"one column", [][]string{{strings.Repeat("x", 90)}}, strings.Repeat("x", 90) + "\n"},
		{"columns that find no room", [][]string{
			{"player", strings.Repeat("1", 40), strings.Repeat("2", 31), strings.Repeat("3", 6)},
			{"ant", "a", "b", "c"}, {"bee", "d"}},
			"player  " + strings.Repeat("1", 40) + "\n" +
				"ant     " + strings.Repeat(" ", 39) + "a\n" +
				"bee     " + strings.Repeat(" ", 39) + "d\n" +
				"\nplayer  " + strings.Repeat("2", 31) + "  333333\n" +
				"ant     " + strings.Repeat(" ", 30) + "b       c\n"},
		{"a long name", [][]string{{"player", strings.Repeat("1", 40)},
			{strings.Repeat("x", 60), "2"}},
			"player  " + strings.Repeat("1", 40) + "\n" +
				strings.Repeat("x", 60) + "\n" + strings.Repeat(" ", 47) + "2\n"},
	} {
		var b strings.Builder
		Table(Sized(&b, 80), c.rows)
		proof.Is(t, b.String(), c.want, "%s", c.name)
	}
}

func TestListWraps(t *testing.T) {
	var b strings.Builder
	List(&b, [][2]string{{"one", strings.Repeat("words ", 20) + "end"}, {"three", "short"}})
	want := "one    " + strings.Repeat("words ", 11) + "words\n" +
		"       " + strings.Repeat("words ", 8) + "end\nthree  short\n"
	proof.Is(t, b.String(), want, "the table")
}

// A command, here one of a user's folder with blanks, stays on one line.
func TestWrapKeepsCommands(t *testing.T) {
	const text = "it is stopped; `clade resume 'my runs/a'` goes on from a `b, then"
	const want = "it is\nstopped;\n`clade resume 'my runs/a'`\ngoes on\nfrom a\n`b, then"
	proof.Is(t, Wrap(text, 9), want, "wrapped")
}

// A line that is short enough stays, and the next one is counted anew.
func TestWrapKeepsLines(t *testing.T) {
	for text, want := range map[string]string{
		"one\ntwo three\n\nfour five six": "one\ntwo three\n\nfour five\nsix",
		"a\n":                             "a\n", "": ""} {
		proof.Is(t, Wrap(text, 9), want, "%q", text)
	}
}
