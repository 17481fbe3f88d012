package docs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every page becomes HTML, each link between pages leads to one, and no link leads to a file that
// the documentation does not have.
func TestHTML(t *testing.T) {
	names, err := filepath.Glob("*.md")
	if err != nil || len(names) != len(order) {
		t.Errorf("the files %q, %v; the order names %d", names, err, len(order))
	}
	link := regexp.MustCompile(`href="([^"#]*)`)
	for _, p := range Pages() {
		page, err := p.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(page, []byte("<h1 id=")) || !bytes.Contains(page, []byte("<code")) ||
			!bytes.Contains(page, []byte(`aria-current="page">`+p.Title)) {
			t.Errorf("page %s is\n%s", p.Name, page)
		}
		for _, m := range link.FindAllSubmatch(page, -1) {
			name, ok := strings.CutSuffix(string(m[1]), ".html")
			if _, err := files.Open(name + ".md"); !ok && !strings.Contains(name, "://") ||
				ok && err != nil {
				t.Errorf("page %s leads to %s", p.Name, m[1])
			}
		}
	}
}

// Links of the Markdown lead to files of the project.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, p := range Pages() {
		for _, m := range link.FindAllSubmatch(p.Text, -1) {
			if _, err := os.Stat(string(m[1])); err != nil {
				t.Errorf("page %s: %v", p.Name, err)
			}
		}
	}
}

func Example() {
	for _, p := range Pages() {
		fmt.Println(p.Name+":", p.Title)
	}
	// Output:
	// tutorial: An evening with clade
	// cluster: From a laptop to a run overnight
	// selection: Selection without fitness
	// repeating: Why runs repeat
}
