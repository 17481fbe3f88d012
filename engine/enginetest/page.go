package enginetest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"clade/gp/proof"
)

// Words compares the table of words on a game's page with the game's table of senses: a row has the
// words and their meaning. With CLADE_UPDATE=1 it writes the page.
func Words(t *testing.T, page string, rows [][2]string) {
	t.Helper()
	const head = "| word | what it says |\n|---|---|\n"
	text := proof.Must(os.ReadFile(page))(t)
	before, rest, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("%s has no table that begins with\n%s", page, head)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	var table strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&table, "| `%s` | %s |\n", r[0], r[1])
	}
	want := before + head + table.String() + "\n" + after
	if want == string(text) {
		return
	}
	if os.Getenv("CLADE_UPDATE") == "" {
		t.Fatalf("the words on %s are not those of the table of senses; write them with "+
			"CLADE_UPDATE=1", page)
	}
	proof.OK(t, os.WriteFile(page, []byte(want), 0o666))
}
