package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/cmd/docs"
	"clade/engine/games/all"
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
	if n := strings.Count(out, "\n"); n != len(docs.New(nil, nil)) {
		t.Errorf("%d pages of %d", n, len(docs.New(nil, nil)))
	}
}

// shorter makes the commands of a page fit a test. What waits for a person, a worker or a cluster
// is only asked for its help, which refuses flags that there are not. Whatever is not here is
// carried out as it stands.
func shorter(words []string) []string {
	short := map[string]string{
		"bench":   "--game antwars --seconds 0.01",
		"exploit": "--games 240000 --seeds 1",
		"league":  "--games 20",
		"match":   "--games 20",
		"monitor": "--games 2",
		"play":    "--help",
		"report":  "--games 2",
		"repro":   "--help",
		"run": "--quick --set evolve.islands=1 --set measure.final=0 --set measure.every=5 " +
			"--set evolve.champion.every=5",
		"sweep": "--set evolve.boards=1 --set evolve.champion.games=8 --set measure.games=2 " +
			"--set measure.final=2 --set sweep.replicates=2",
		"view":   "--help",
		"worker": "--help",
	}
	if words[0] == "run" && !slices.Contains(words, "--out") && !slices.Contains(words, "--quick") {
		// --quick would be a part of its name
		words = append(words, "--out", "runs/"+strings.TrimSuffix(filepath.Base(words[1]), ".toml"))
	}
	for i, w := range words {
		switch {
		case w == "--nats", w == "--slurm", w == "--step" && words[0] == "replay":
			return append(words, "--help")
		case w == "run:runs/quick@100":
			words[i] = "run:runs/quick@5"
		}
	}
	return append(words, strings.Fields(short[words[0]])...)
}

var (
	block   = regexp.MustCompile("(?s)([^\n]*)\n\n```(\\w*)\n(.*?)```")
	command = regexp.MustCompile(`(?m)^ *(?:[A-Z]+=\S+ )?(?:clade|go run \./cmd/clade) (.*)`)
	beside  = regexp.MustCompile(`(?:   | #| >| \|| &&).*`) // what is said, and a shell's
	word    = regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`)
	quotes  = strings.NewReplacer(`"`, "", "'", "")
)

// commands returns those of clade in a text, without what else a line says.
func commands(text string) [][]string {
	var all [][]string
	for _, m := range command.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
		words := word.FindAllString(beside.ReplaceAllString(m[1], ""), -1)
		for i := range words {
			words[i] = quotes.Replace(words[i])
		}
		all = append(all, words)
	}
	return all
}

// TestPages carries out every command of the pages that a user works along, in their order, with
// the files that they say to save.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(filepath.Join(root, "experiments"), "experiments"); err != nil {
		t.Skip(err)
	}
	file := regexp.MustCompile("Save this as `([^`]+)`|[aA]s `([^`]+)`:")
	before := map[string]string{"workbench": `
clade run experiments/antwars/quick.toml --seed 1 --out runs/a
clade run experiments/antwars/quick.toml --seed 2 --out runs/b
clade run experiments/antwars/quick.toml --seed 3 --out runs/c
`}
	did := 0
	for _, page := range docs.New(nil, nil) {
		if !slices.Contains([]string{"tutorial", "cluster", "workbench"}, page.Name) {
			continue
		}
		carryOut := func(text string) {
			for _, words := range commands(text) {
				did++
				if out, err := clade(shorter(words)...); err != nil {
					t.Fatalf("%s: clade %s: %v\n%s", page.Name, strings.Join(words, " "), err, out)
				}
			}
		}
		carryOut(before[page.Name])
		for _, m := range block.FindAllStringSubmatch(string(page.Text), -1) {
			if name := file.FindStringSubmatch(m[1]); name != nil {
				content := regexp.MustCompile(`(population|generations) = \d+`).
					ReplaceAllString(m[3], "$1 = 20") // cells override what the command line says
				content = strings.Replace(content,
					"evolve.population = 20\nevolve.generations = 20",
					"evolve.population = 24\nevolve.generations = 20", 1)
				content = strings.Replace(content, "[500, 2250]", "[20, 24]", 1)
				if err := os.WriteFile(name[1]+name[2], []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			lines := strings.Count(m[3], "\n")
			if m[2] == "" && strings.HasPrefix(m[3], "clade ") && len(commands(m[3])) != lines {
				t.Errorf("%s: not only commands of clade in\n%s", page.Name, m[3])
			}
			if m[2] == "" {
				carryOut(m[3])
			}
		}
	}
	if did < 60 {
		t.Errorf("%d commands", did)
	}
	if _, err := study.Read(*scope, "question.toml"); err != nil {
		t.Error(err)
	}
}

// Every command that a page or a help shows has the flags that it is given there.
func TestCommandsOfPages(t *testing.T) {
	texts := map[string]string{}
	for _, c := range newRoot(all.Games()).Commands() {
		texts["clade "+c.Name()+" --help"] = c.Example
	}
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		content, err := os.ReadFile(path)
		for _, m := range block.FindAllStringSubmatch(string(content), -1) {
			texts[path] += m[3]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for place, text := range texts {
		for _, words := range commands(text) {
			seen++
			if out, err := clade(append(words, "--help")...); err != nil ||
				!strings.Contains(out, "clade "+words[0]) {
				t.Errorf("%s: clade %s: %v", place, strings.Join(words, " "), err)
			}
		}
	}
	if seen < 300 {
		t.Errorf("%d commands", seen)
	}
}
