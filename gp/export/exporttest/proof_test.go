package exporttest

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/gp/proof"
)

// TestPage holds the table of the page of exports to the proofs. With CLADE_UPDATE=1 it writes the
// page.
func TestPage(t *testing.T) {
	const exports = "../../../results/exports/"
	table := proof.Must(pageTable(exports + "proofs.csv"))(t)
	text := proof.Must(os.ReadFile(exports + "README.md"))(t)
	before, rest, ok := strings.Cut(string(text), "| world |")
	_, after, more := strings.Cut(rest, "\n\n")
	if !ok || !more {
		t.Fatal("the page has no table")
	}
	proof.Golden(t, exports+"README.md", before+table+"\n"+after)
}

// pageTable returns the table of a file of proofs for a page: a line a species, and for each form
// the situations and the games that were alike.
func pageTable(path string) (string, error) {
	rows, err := readProofs(path)
	if err != nil {
		return "", err
	}
	forms := []string{"c", "go", "java", "javascript", "python"}
	var b strings.Builder
	b.WriteString("| world | species | nodes | C | Go | Java | JavaScript | Python | " +
		"original's form |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := 0; i < len(rows); {
		s, cells := rows[i].Species, make([]string, len(forms)+1)
		for ; i < len(rows) && rows[i].Species == s; i++ {
			r := rows[i]
			var counts []string
			if r.situations > 0 {
				counts = append(counts, thousands(r.situations))
			}
			if r.games == 1 {
				counts = append(counts, "1 game")
			} else if r.games > 0 {
				counts = append(counts, thousands(r.games)+" games")
			}
			text := strings.Join(counts, " · ")
			at := slices.Index(forms, r.form)
			if at < 0 {
				at, text = len(forms), "`"+r.form+"` "+text
			}
			cells[at] = text
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", s.World, s.Name, s.Nodes, strings.Join(cells, " | "))
	}
	return b.String(), nil
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
