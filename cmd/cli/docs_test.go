package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/cmd/docs"
	"clade/experiments/study"
)

func TestDocs(t *testing.T) {
	out, err := clade("docs", "--out", filepath.Join(t.TempDir(), "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(out) {
		page, err := os.ReadFile(strings.TrimSpace(path))
		if err != nil || !strings.HasPrefix(string(page), "<!doctype html>") {
			t.Errorf("%s: %.60s, %v", path, page, err)
		}
	}
	if n := strings.Count(out, "\n"); n != len(docs.New(nil)) {
		t.Errorf("%d pages of %d", n, len(docs.New(nil)))
	}
}

// shorter makes the commands of the tutorial fit a test. Whatever is not here is carried out as it
// stands.
func shorter(words []string) []string {
	switch words[0] {
	case "run":
		words = append(slices.Clone(words), "--set", "evolve.islands=1", "--set",
			"measure.final=0", "--set", "evolve.champion.every=5", "--set", "measure.every=5")
		if !slices.Contains(words, "--quick") {
			words = append(words, "--quick")
		}
	case "sweep":
		words = append(words, "--set", "evolve.boards=1", "--set", "measure.games=2", "--set",
			"measure.final=2", "--set", "sweep.replicates=2", "--set", "evolve.champion.games=8")
	case "match":
		words = slices.Clone(words)
		for i, w := range words {
			if w == "2000" {
				words[i] = "20"
			}
		}
	case "monitor":
		words = append(words, "--games", "2")
	}
	return words
}

// TestTutorial carries out every command of the tutorial, in its order, with the files that it says
// to save. What waits for a person is only asked for its help.
func TestTutorial(t *testing.T) {
	experiments, err := filepath.Abs("../../experiments")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(experiments, "experiments"); err != nil {
		t.Skip(err)
	}
	text := string(docs.New(nil)[0].Text)
	block := regexp.MustCompile("(?s)([^\n]*)\n\n```(\\w*)\n(.*?)```")
	file := regexp.MustCompile("Save this as `([^`]+)`|as `([^`]+)`:")
	commands := 0
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		if m[2] != "" {
			name := file.FindStringSubmatch(m[1])
			if name == nil {
				t.Fatalf("no name for the file after %q", m[1])
			}
			content := m[3]
			if m[2] == "toml" { // a sweep's cells override what the command line says
				content = regexp.MustCompile(`(population|generations) = \d+`).
					ReplaceAllString(content, "$1 = 20")
				content = strings.Replace(content,
					"evolve.population = 20\nevolve.generations = 20",
					"evolve.population = 24\nevolve.generations = 20", 1)
			}
			if err := os.WriteFile(name[1]+name[2], []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for line := range strings.Lines(m[3]) {
			words := strings.Fields(line)
			if words[0] != "clade" {
				t.Fatalf("%q is not a command of clade", line)
			}
			commands++
			if words = words[1:]; words[0] == "view" || words[0] == "play" {
				words = append(words, "--help")
			}
			if out, err := clade(shorter(words)...); err != nil {
				t.Fatalf("%s%v\n%s", line, err, out)
			}
		}
	}
	if commands < 20 {
		t.Errorf("%d commands", commands)
	}
	if _, err := study.Read(*scope, "question.toml"); err != nil {
		t.Error(err)
	}
}
