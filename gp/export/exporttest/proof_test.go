package exporttest

import (
	"os"
	"strings"
	"testing"

	"clade/gp/proof"
)

// TestPage holds the table of the page of exports to the proofs. With CLADE_UPDATE=1 it writes the
// page.
func TestPage(t *testing.T) {
	const exports = "../../../results/exports/"
	table := proof.Must(Table(exports + "proofs.csv"))(t)
	text := proof.Must(os.ReadFile(exports + "README.md"))(t)
	before, rest, ok := strings.Cut(string(text), "| world |")
	_, after, more := strings.Cut(rest, "\n\n")
	if !ok || !more {
		t.Fatal("the page has no table")
	}
	page := before + table + "\n" + after
	if page == string(text) {
		return
	}
	if os.Getenv("CLADE_UPDATE") == "" {
		t.Fatal("the page's table is not that of proofs.csv; write it with CLADE_UPDATE=1")
	}
	proof.OK(t, os.WriteFile(exports+"README.md", []byte(page), 0o666))
}
