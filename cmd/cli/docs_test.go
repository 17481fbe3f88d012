package cli

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/cmd/docs"
	"clade/engine/games/all"
	"clade/experiments/study"
	"clade/gp/proof"
)

func TestDocs(t *testing.T) {
	out := proof.Must(clade("docs", "--out", filepath.Join(t.TempDir(), "docs")))(t)
	for path := range strings.Lines(out) {
		page := proof.Must(os.ReadFile(strings.TrimSpace(path)))(t)
		proof.Holds(t, string(page[:min(60, len(page))]), "<!doctype html>")
	}
	proof.Is(t, strings.Count(out, "\n"), len(docs.New(nil, nil)), "the pages")
}

// shorter makes the commands of a page fit a test. What waits for a person, a worker or a cluster
// is only asked for its help, which refuses flags that there are not. Whatever is not here is
// carried out as it stands.
func shorter(words []string) []string {
	const few = ` --set figures.panels=["size"]` // all figures take most of a small run's time
	short := map[string]string{
		"bench":   "--game antwars --seconds 0.01",
		"breed":   "--games 60 --set measure.final=4 --set evolve.population=80" + few,
		"exploit": "--help", // TestCommands carries it out
		"fork":    "--set evolve.generations=8" + few,
		"league":  "--games 20",
		"match":   "--games 20",
		"monitor": "--games 2 --as svg",
		"play":    "--help",
		"plot":    "--as svg",
		"report":  "--games 2",
		"solve":   "--help", // TestSolveFindsOut carries it out
		"repro":   "--help",
		"run": "--quick --set evolve.islands=1 --set evolve.population=24 --set evolve.hall=8 " +
			"--set evolve.generations=7 --set evolve.champion.games=8 " +
			"--set evolve.champion.every=5 --set measure.final=0 --set measure.every=5" + few,
		"sweep": "--set evolve.boards=1 --set evolve.champion.games=8 --set measure.games=2 " +
			"--set measure.final=2 --set sweep.replicates=2" + few,
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
	proof.Costly(t)
	root := proof.Must(filepath.Abs("../.."))(t)
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
				must(t, shorter(words)...)
			}
		}
		carryOut(before[page.Name])
		for _, m := range block.FindAllStringSubmatch(string(page.Text), -1) {
			if name := file.FindStringSubmatch(m[1]); name != nil {
				content := regexp.MustCompile(`(population|generations) = \d+`).
					ReplaceAllString(m[3], "$1 = 12") // cells override what the command line says
				content = strings.Replace(content,
					"evolve.population = 12\nevolve.generations = 12",
					"evolve.population = 16\nevolve.generations = 12", 1)
				content = strings.Replace(content, "[500, 2250]", "[12, 16]", 1)
				proof.OK(t, os.WriteFile(name[1]+name[2], []byte(content), 0o666))
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
	proof.Must(study.Read(*scope, "question.toml"))(t)
}

// Every command that a page or a help shows has the flags that it is given there, and a fork of
// runs/quick, which is that of the README, settings that its study takes.
func TestCommandsOfPages(t *testing.T) {
	proof.Slow(t)
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
	proof.OK(t, err)
	seen := 0
	for place, text := range texts {
		for _, words := range commands(text) {
			seen++
			if out, err := clade(append(words, "--help")...); err != nil ||
				!strings.Contains(out, "clade "+words[0]) {
				t.Errorf("%s: clade %s: %v", place, strings.Join(words, " "), err)
			}
			if words[0] != "fork" {
				continue
			}
			var settings []string
			for i, word := range words[1:] {
				if words[i] == "--set" {
					settings = append(settings, word)
				}
			}
			if _, err := study.Read(*scope, "../../experiments/antwars/quick.toml",
				settings...); err != nil {
				t.Errorf("%s: clade %s: %v", place, strings.Join(words, " "), err)
			}
		}
	}
	if seen < 300 {
		t.Errorf("%d commands", seen)
	}
}

// TestReadingData carries out the snippets of the page on data, each by the interpreter of another
// project where it is installed: their means of a sweep that is bred here are those of compare.
func TestReadingData(t *testing.T) {
	proof.Costly(t)
	page := proof.Must(os.ReadFile("../docs/data.md"))(t)
	t.Chdir(t.TempDir())
	text := "game = \"antwars\"\n[measure]\nfinal = 20\n[evolve]\npopulation = 20\ngenerations = 3\n" +
		"tournament = 2\nboards = 1\n[sweep]\nreplicates = 3\n[[sweep.cells]]\nname = \"small steps\"\n" +
		"evolve.variation.mutation = 0.05\n[[sweep.cells]]\nname = \"none\"\n" +
		"evolve.variation.mutation = 0\n"
	proof.OK(t, os.WriteFile("my.toml", []byte(text), 0o666))
	for _, line := range []string{"sweep my.toml --out runs/my", "collect runs/my"} {
		must(t, strings.Fields(line)...)
	}
	out := proof.Must(clade("compare", "runs/my", "--measure", "final_wins", "--json"))(t)
	var compared struct {
		Groups []struct {
			Group string
			Mean  float64
		}
	}
	if err := json.Unmarshal([]byte(out[strings.IndexByte(out, '{'):]), &compared); err != nil ||
		len(compared.Groups) != 2 {
		t.Fatalf("%v in %s", err, out)
	}
	readers := map[string]struct {
		programs []string // of which one is tried after the other
		probe    []string
		run      func(code string) []string
	}{
		"pandas": {[]string{"python3", "/usr/bin/python3"}, []string{"-c", "import pandas"},
			func(code string) []string { return []string{"-c", code} }},
		"polars": {[]string{"python3", "/usr/bin/python3"}, []string{"-c", "import polars"},
			func(code string) []string { return []string{"-c", code} }},
		"r": {[]string{"Rscript"}, []string{"--version"},
			func(code string) []string { return []string{"-e", code} }},
		"sql": {[]string{"duckdb"}, []string{"-version"},
			func(code string) []string { return []string{"-csv", "-noheader", "-c", code} }},
	}
	did := 0
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		language := m[2]
		for _, library := range []string{"pandas", "polars"} {
			if strings.HasPrefix(m[3], "import "+library) {
				language = library
			}
		}
		reader, ok := readers[language]
		if !ok {
			t.Errorf("nobody reads %q", m[2])
		}
		did++
		t.Run(language, func(t *testing.T) {
			i := slices.IndexFunc(reader.programs, func(name string) bool {
				return exec.Command(name, reader.probe...).Run() == nil
			})
			if i < 0 {
				t.Skip("not installed here: nothing carries the snippet out")
			}
			out := proof.Ran(t, exec.Command(reader.programs[i], reader.run(m[3])...))
			for _, g := range compared.Groups {
				at := regexp.MustCompile(`(?m)^"?` + g.Group + `"?,(\S+)$`).FindStringSubmatch(out)
				if at == nil {
					t.Fatalf("no %s in\n%s", g.Group, out)
				}
				if mean, err := strconv.ParseFloat(at[1], 64); err != nil ||
					!(math.Abs(mean-g.Mean) <= 1e-9) {
					t.Errorf("%s: %s, want %g", g.Group, at[1], g.Mean)
				}
			}
		})
	}
	proof.Is(t, did, len(readers), "the snippets")
}
