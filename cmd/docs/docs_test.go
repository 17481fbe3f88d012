package docs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
)

// site is the documentation with a small page of commands.
var site = New([]byte("# Commands\n\n`clade` alone.\n"), []byte("# Games\n\n`g`\n"))

// Every page becomes HTML, and each link leads to another page or to a heading.
func TestHTML(t *testing.T) {
	names, err := filepath.Glob("*.md")
	for _, name := range names {
		if !slices.ContainsFunc(site, func(p Page) bool { return p.Name+".md" == name }) {
			t.Errorf("%s is on no page", name)
		}
	}
	if len(names) == 0 || err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`href="([^"#]*)(?:#([^"]*))?"`)
	for _, p := range site {
		page := proof.Must(site.HTML(p))(t)
		if !bytes.Contains(page, []byte("<h1 id=")) || !bytes.Contains(page, []byte("<code")) ||
			!bytes.Contains(page, []byte(`aria-current="page">`+p.Title)) {
			t.Errorf("page %s is\n%s", p.Name, page)
		}
		for _, m := range link.FindAllSubmatch(page, -1) {
			to, anchor := string(m[1]), string(m[2])
			if !strings.Contains(to, "://") && to != "" && !slices.ContainsFunc(site,
				func(o Page) bool { return o.Name+".html" == to }) {
				t.Errorf("page %s leads to %s", p.Name, to)
			}
			if to == "" && !bytes.Contains(page, []byte(`id="`+anchor+`"`)) {
				t.Errorf("page %s has no heading %s", p.Name, anchor)
			}
		}
	}
}

// A link leads to another page wherever in the project that stands, and to no other file.
func TestPageLinks(t *testing.T) {
	for _, p := range site {
		page := proof.Must(site.HTML(p))(t)
		_, body, _ := bytes.Cut(page, []byte("<main>"))
		has := func(to string) bool { return bytes.Contains(body, []byte(`href="`+to+`"`)) }
		if p.Name == "tutorial" && (!has("study.html") || !has("cluster.html")) {
			t.Error("the tutorial leads to no study or cluster")
		}
		if bytes.Contains(body, []byte(`href="../`)) {
			t.Errorf("page %s leads elsewhere", p.Name)
		}
	}
}

// Links of the Markdown lead to files of the project.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, p := range site {
		for _, m := range link.FindAllSubmatch(p.Text, -1) {
			name := filepath.Join("../..", filepath.Dir(p.path), string(m[1]))
			if _, err := os.Stat(name); err != nil {
				t.Errorf("page %s: %v", p.Name, err)
			}
		}
	}
}

func Example() {
	for _, p := range New([]byte("# Commands\n"), []byte("# Games\n\n`g`\n")) {
		fmt.Printf("%s: %s (%s)\n", p.Name, p.Title, p.Kind)
	}
	// Output:
	// tutorial: An evening with clade (Tutorial)
	// breed: Breeding without a study (How to)
	// cluster: From a laptop to a run overnight (How to)
	// data: Read runs with pandas, polars, R and DuckDB (How to)
	// game: A game in an evening (How to)
	// selection: Selection without fitness (Background)
	// repeating: Why runs repeat (Background)
	// workbench: The workbench in a page (Reference)
	// commands: Commands (Reference)
	// games: Games (Reference)
	// study: Every key of a study (Reference)
	// files: The files of a run (Reference)
	// protocol: Programs as players (Reference)
}
