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

// pageTable returns the table of a file of proofs for a page: a line a world, and for each form the
// situations and the games that were alike.
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
		first := rows[i]
		names, low, high := map[string]bool{}, first.Nodes, first.Nodes
		sums := make([]row, len(forms)+1)
		for ; i < len(rows) && rows[i].World == first.World; i++ {
			r, at := rows[i], slices.Index(forms, rows[i].form)
			if at < 0 {
				at = len(forms)
			}
			sums[at].situations += r.situations
			sums[at].games += r.games
			names[r.Name], low, high = true, min(low, r.Nodes), max(high, r.Nodes)
		}
		fmt.Fprintf(&b, "| %s | %d | %d to %d |", first.World, len(names), low, high)
		for _, s := range sums {
			var counts []string
			if s.situations > 0 {
				counts = append(counts, thousands(s.situations))
			}
			if s.games > 0 {
				counts = append(counts, thousands(s.games)+" games")
			}
			b.WriteString(" " + strings.Join(counts, " · ") + " |")
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
