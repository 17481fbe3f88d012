package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// A species is exported with the settings that it was bred under, also from a file anywhere, and
// --set changes them. A file of an earlier version, which does not say them, has those of the run
// that it lies in. The species is bred here.
func TestExportHasTheSettingsOfTheRun(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	run, study := filepath.Join(dir, "run"), filepath.Join(dir, "s.toml")
	proof.OK(t, os.WriteFile(study, []byte(`
game = "amoeboid"
players.reference = ["random"]
[settings]
board = "path"
size = 4
limit = 10
[measure]
final = 0
[evolve]
population = 4
generations = 1
tournament = 2
boards = 1
[evolve.champion]
games = 8
`), 0o666))
	proof.Must(clade("run", study, "--out", run))(t)
	text := proof.Must(os.ReadFile(filepath.Join(run, "champion.species")))(t)
	proof.Holds(t, string(text), "(setting board \"path\")\n  (setting size 4)\n"+
		"  (setting limit 10)\n")
	elsewhere, oldElsewhere := filepath.Join(dir, "new.species"), filepath.Join(dir, "old.species")
	old := filepath.Join(run, "champions", "0000009.species")
	for path, content := range map[string][]byte{elsewhere: text,
		oldElsewhere: gp.WithoutSettings(text), old: gp.WithoutSettings(text)} {
		proof.OK(t, os.WriteFile(path, content, 0o666))
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run:" + run}, "The board is a path of 4;"},
		{[]string{"run:" + run + "@0"}, "The board is a path of 4;"},
		{[]string{"run:" + run, "--set", "size=5"}, "The board is a path of 5;"},
		{[]string{filepath.Join(run, "champion.species")}, "The board is a path of 4;"},
		{[]string{filepath.Join(run, "champion.species"), "--set", "size=5", "--set", "limit=9"},
			"The board is a path of 5;"},
		{[]string{elsewhere}, "The board is a path of 4;"},
		{[]string{old}, "The board is a path of 4;"},
		{[]string{oldElsewhere}, "The board is a 3 x 3, 8 neighbours;"},
	} {
		proof.Holds(t, proof.Must(clade(append([]string{"export", "--to", "python"}, c.args...)...))(t),
			c.want)
	}
}

// The page on exports tells how long BrilliANT's programs are, and how large two species without
// what never mattered.
func TestExportPage(t *testing.T) {
	proof.Slow(t)
	page := proof.Must(os.ReadFile("../../results/exports/README.md"))(t)
	text := strings.Join(strings.Fields(string(page)), " ")
	for language, form := range map[string]string{"c": "%s bytes of C that", "go": "%s of Go,",
		"java": "%s of Java,", "javascript": "%s of JavaScript,", "python": "%s of Python,",
		"contest": "and %s of the 5,000"} {
		file := filepath.Join(t.TempDir(), "whole-run") // in its first line
		proof.Must(clade("export", "../../results/antwars/whole-run.species", "--to", language,
			"--as-bred", "--out", file))(t)
		program := proof.Must(os.ReadFile(file))(t)
		n := fmt.Sprintf("%d,%03d", len(program)/1000, len(program)%1000)
		if want := fmt.Sprintf(form, n); !strings.Contains(text, want) {
			t.Errorf("results/exports/README.md does not say %q", want)
		}
	}
	sizes := regexp.MustCompile(`(\d+) nodes, (\d+) after exact rewriting\n(\d+) nodes without .*; ` +
		`(\d+) of 10000 other games .*interval ([\d.]+) to ([\d.]+) %`)
	for _, name := range []string{"whole-run", "generation-200"} {
		said, err := clade("export", "../../results/antwars/"+name+".species", "--to", "contest",
			"--introns", "--out", filepath.Join(t.TempDir(), "ant.c"))
		var n [4]int
		var low, high float64
		if m := sizes.FindStringSubmatch(said); m != nil {
			for i := range n {
				n[i], _ = strconv.Atoi(m[1+i])
			}
			low, _ = strconv.ParseFloat(m[5], 64)
			high, _ = strconv.ParseFloat(m[6], 64)
		}
		want := fmt.Sprintf("| antwars/%s | %d | %d | %d | %d,%03d of 10,000, %.1f to %.1f %% |", name,
			n[0], n[1], n[2], n[3]/1000, n[3]%1000, low, high)
		proof.OK(t, err)
		proof.Holds(t, text, want)
	}
}
