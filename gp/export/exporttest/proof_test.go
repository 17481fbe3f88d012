package exporttest

import (
	"os"
	"strings"
	"testing"
)

// TestPage holds the table of the page of exports to the proofs. With CLADE_UPDATE=1 it writes the
// page.
func TestPage(t *testing.T) {
	const exports = "../../../results/exports/"
	table, err := Table(exports + "proofs.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(exports + "README.md")
	if err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(exports+"README.md", []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
}
