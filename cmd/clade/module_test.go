package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A module outside of the tree has a game of its own, a main of one line, and the whole workbench;
// and another breeds ants with the packages in some thirty lines, to a run that the command opens.
func TestModulesOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command in other modules")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(where, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = where
		said, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, args, err, said)
		}
		return string(said)
	}
	for _, module := range []string{"outside", "breed"} {
		at := filepath.Join(dir, module)
		if err := os.CopyFS(at, os.DirFS(filepath.Join("testdata", module))); err != nil {
			t.Fatal(err)
		}
		// The requirements are those of this module, so that nothing need be fetched.
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		mod := strings.Replace(string(text), "module clade\n", "module example.org/"+module+
			"\n\nrequire clade v0.0.0\n\nreplace clade => "+root+"\n", 1)
		sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sum} {
			if err := os.WriteFile(filepath.Join(at, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run(at, "go", "build", "-mod=mod", "-o", filepath.Join(dir, module+"-program"), ".")
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const three = "population = 21\nselection = \"pairs\"\nseats = 3\n"
	write("bids.toml", "game = \"bids\"\n[measure]\nagainst = [\"honest\"]\n[evolve]\n"+three+
		"generations = 4\n")
	write("sweep.toml", "game = \"bids\"\n[evolve]\n"+three+"generations = 2\n"+
		"[sweep]\nreplicates = 2\n")
	clade := filepath.Join(dir, "outside-program")
	for _, line := range []string{
		"games", "players bids",
		"run bids.toml --out run", "resume run", "plot run --out figures",
		"match bids run:run miser saver --games 30 --record bids.record",
		"replay bids.record --gif bids.gif",
		"league bids miser honest run:run --games 30 --seats 3",
		"sweep sweep.toml --out swept", "show run:run", "worker --help",
		"monitor run --games 10", "report run --games 10 --out report",
		"report swept --games 10 --out swept-report",
		"why bids.record --step 3 --seat 1", "export run:run --to python --out bids.py",
		"population run",
	} {
		run(dir, clade, strings.Fields(line)...)
	}
	run(dir, filepath.Join(dir, "breed-program"), "ants")
	for _, line := range []string{"resume ants", "plot ants --out more", "population ants",
		"verify ants",
		"match antwars run:ants greedy --games 4"} {
		run(dir, clade, strings.Fields(line)...)
	}
}
