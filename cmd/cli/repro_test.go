package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

// Results are published, made again, and told where they differ.
func TestRepro(t *testing.T) {
	proof.Long(t)
	top := t.TempDir()
	dir := filepath.Join(top, "results", "ants")
	proof.OK(t, os.MkdirAll(dir, 0o777))
	write := func(path, text string) {
		t.Helper()
		proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
	}
	write(filepath.Join(top, "s.toml"), "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\n"+
		"population = 8\ngenerations = 3\ntournament = 2\nboards = 1\n")
	write(filepath.Join(dir, "repro.toml"), `
[[step]]
name = "bred"
command = "run s.toml --seed 3"
keep = { "a.species" = "champion.species" }
[[step]]
name = "duel"
command = "match antwars run:{bred} random --games 20"
quick = true
[[step]]
name = "original"
command = "match antwars run:{bred} random --games 20"
needs = "original/maps"
`)
	write(filepath.Join(dir, "README.tmpl"), `{{value "duel" 0 "games"}} games`)
	t.Chdir(top)
	if out, err := clade("repro", "all", "--quick"); err == nil ||
		!strings.Contains(out, "duel: nothing is published") {
		t.Errorf("%v\n%s", err, out)
	}
	work := filepath.Join(top, "work")
	proof.Holds(t, proof.Must(clade("repro", "results/ants", "--update", "--out", work))(t),
		"left out: needs original/maps")
	page := proof.Must(os.ReadFile(filepath.Join(dir, "README.md")))(t)
	proof.Is(t, string(page), "20 games\n", "the page")
	// once anew, and once with the run that is there
	for _, args := range [][]string{{}, {"--out", work}, {"--only", "duel", "--json"}} {
		must(t, append([]string{"repro", "results/ants"}, args...)...)
	}
	// a log keeps what came out as published, and nothing else, until something else is published
	log := []string{"repro", "all", "--log", filepath.Join(top, "log.jsonl")}
	proof.Holds(t, proof.Must(clade(log...))(t), "2 of 2 steps")
	proof.Holds(t, proof.Must(clade(log...))(t), "2 steps stand in the log")
	write(filepath.Join(dir, "a.species"), "another")
	for range 2 { // a step that differs is done again, and what it does not concern is not
		if out, err := clade(log...); err == nil || !strings.Contains(out, "1 steps stand in") ||
			!strings.Contains(err.Error(), "1 of 1 steps differ") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	out, err := clade("repro", "all")
	if err == nil || !strings.Contains(err.Error(), "1 of 2 steps differ") ||
		!strings.Contains(out, "a.species: other bytes") {
		t.Errorf("%v\n%s", err, out)
	}
	for want, args := range map[string][]string{
		"no repro.toml":                 {"work"},
		`unknown step "duell"`:          {"results/ants", "--only", "duell"},
		"none of the others can":        {"all", "--quick", "--only", "duel"},
		"s.toml:1: the line is damaged": {"all", "--log", "s.toml"},
	} {
		proof.Fails(clade(append([]string{"repro"}, args...)...))(t, want)
	}
	// where what a step needs is there, it is carried out
	proof.OK(t, os.MkdirAll(filepath.Join("original", "maps"), 0o777))
	if out, err := clade("repro", "all", "--only", "original"); err == nil ||
		!strings.Contains(out, "original: nothing is published") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Chdir(dir)
	proof.Fails(clade("repro", "all"))(t, "work in the project's folder")
}

// What a step made is published when a later one fails, as it would be when somebody stops the command.
func TestReproKeepsWhatIsDone(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "results", "ants")
	proof.OK(t, os.MkdirAll(dir, 0o777))
	proof.OK(t, os.WriteFile(filepath.Join(dir, "repro.toml"), []byte(`
[[step]]
name = "duel"
command = "match antwars random random --games 2"
[[step]]
name = "wrong"
command = "match antwars nobody random --games 2"
`), 0o666))
	t.Chdir(top)
	if _, err := clade("repro", "results/ants", "--update"); err == nil {
		t.Error("an unknown player has played")
	}
	proof.Holds(t, string(proof.Must(os.ReadFile(filepath.Join(dir, "numbers.json")))(t)), `"duel"`)
}
