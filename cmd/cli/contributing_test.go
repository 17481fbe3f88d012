package cli

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/gp/proof"
)

// change is a change of the project: the new text of files, by their path from its root.
type change map[string]string

// inserted returns the text of a file with lines before the first line that holds a mark.
func inserted(t *testing.T, root, file, mark string, lines ...string) string {
	t.Helper()
	text := proof.Must(os.ReadFile(filepath.Join(root, file)))(t)
	at := strings.Index(string(text), mark)
	if at < 0 {
		t.Fatalf("%s has no %q any more", file, mark)
	}
	at = strings.LastIndexByte(string(text[:at]), '\n') + 1
	return string(text[:at]) + strings.Join(lines, "\n") + "\n" + string(text[at:])
}

// overlay writes the change for the go command, and returns the flag.
func (c change) overlay(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for file, text := range c {
		beside := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		proof.OK(t, os.WriteFile(beside, []byte(text), 0o666))
		replace[filepath.Join(root, file)] = beside
	}
	content := proof.Must(json.Marshal(map[string]any{"Replace": replace}))(t)
	path := filepath.Join(dir, "overlay.json")
	proof.OK(t, os.WriteFile(path, content, 0o666))
	return "-overlay=" + path
}

// listed returns the files of a change's table in CONTRIBUTING.md.
func listed(t *testing.T, root, title string) []string {
	t.Helper()
	page := proof.Must(os.ReadFile(filepath.Join(root, "CONTRIBUTING.md")))(t)
	_, section, ok := strings.Cut(string(page), "\n### "+title)
	if !ok {
		t.Fatalf("CONTRIBUTING.md has no section %q", title)
	}
	section, _, _ = strings.Cut(section, "\n### ")
	var files []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		files = append(files, m[1])
	}
	return files
}

// The files that CONTRIBUTING.md lists are all that a new game and a new figure take.
func TestContributing(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	root := proof.Must(filepath.Abs("../.."))(t)
	toy := proof.Must(os.ReadFile(filepath.Join(root, "engine/enginetest/toy.go")))(t)
	const games, league, kept, read = "engine/games/all/all.go", "experiments/league/league.go",
		"results/gallery/repro.toml", "results/gallery/README.tmpl"
	withImport := inserted(t, root, games, `"clade/engine/games/santafe"`,
		"\t\"clade/engine/games/number\"")
	tests := []struct {
		title string
		change
		try []string // commands; OVERLAY is the flag that makes the changes, DIR a folder
	}{
		{"A game", change{
			"engine/games/number/number.go": strings.Replace(string(toy), "package enginetest",
				"package number", 1) + "\nfunc New() engine.Game { return Number(0.5) }\n",
			"engine/games/number/number_test.go": "package number\n\nimport (\n\t\"testing\"\n\n" +
				"\t\"clade/engine/enginetest\"\n)\n\n" +
				"func TestSuite(t *testing.T) { enginetest.Run(t, New()) }\n",
			games: strings.Replace(withImport, "\t\tsantafe.New(),", "\t\tsantafe.New(),\n"+
				"\t\tnumber.New(),", 1),
		}, []string{
			"go test OVERLAY -vet=off -ldflags=-w -c -o DIR/number.test ./engine/games/number",
			"DIR/number.test",
			"clade match number zero always(3) --games 4",
			"clade run number.toml --quick --out run",
			"clade match number run:run zero --games 4 --record game.record",
			"clade replay game.record",
		}},
		{"A figure", change{
			"analysis/figure/worst.go": "package figure\n\n" +
				"// Worst draws each player's worst result.\n" +
				"func Worst(names []string, points [][]float64) *Figure {\n" +
				"\tf := RoundRobin(names, points)\n\tf.Name = \"worst\"\n\treturn f\n}\n",
			league: inserted(t, root, league, "if l.Curl != nil {\n\t\tfigures",
				"\tfigures = append(figures, figure.Worst(names, points))"),
			kept: inserted(t, root, kept, `"league-curl.svg"`,
				`"league-worst.svg" = "worst.svg"`),
			read: inserted(t, root, read, "![Curl]", "\n*How to read it.* Low is bad.\n\n"+
				`![Worst](league-worst.svg "figure.Worst")`),
		}, []string{
			"clade league antwars random greedy smart --games 4 --as svg --out league",
		}},
	}
	made := change{} // all of them in one build
	for _, test := range tests {
		changed := slices.Sorted(maps.Keys(test.change))
		want := listed(t, root, test.title)
		for i, f := range want {
			want[i] = strings.Replace(f, "NAME", "worst", 1)
		}
		if slices.Sort(want); !slices.Equal(changed, want) {
			t.Fatalf("CONTRIBUTING.md lists\n%v\nand %s takes\n%v", want, test.title, changed)
		}
		maps.Copy(made, test.change)
	}
	flag, dir := made.overlay(t, root), t.TempDir()
	program := filepath.Join(dir, "clade")
	run := func(t *testing.T, where, name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = where
		proof.Ran(t, c)
	}
	run(t, root, "go", "build", "-tags=light", "-ldflags=-s -w", flag, "-o", program, "./cmd/clade")
	t.Run("light", func(t *testing.T) { light(t, program, root) })
	proof.OK(t, os.WriteFile(filepath.Join(dir, "number.toml"),
		[]byte("game = \"number\"\n[evolve]\ngenerations = 3\n"), 0o666))
	for _, test := range tests {
		t.Run(test.title, func(t *testing.T) {
			for _, line := range test.try {
				line = strings.NewReplacer("OVERLAY", flag, "DIR", dir).Replace(line)
				switch words := strings.Fields(line); words[0] {
				case "go":
					run(t, root, words[0], words[1:]...)
				case "clade":
					run(t, dir, program, words[1:]...)
				default:
					run(t, dir, words[0], words[1:]...)
				}
			}
			if test.title == "A figure" {
				for _, file := range []string{"worst.svg", "worst.csv"} {
					proof.Must(os.Stat(filepath.Join(dir, "league", file)))(t)
				}
			}
		})
	}
}

// A program built with the tag light refuses what only the whole one can, and says how to get that.
// The command lines are those of the cluster's page.
func light(t *testing.T, program, root string) {
	for _, line := range []string{"worker --nats runs/my/nats.json", "sweep STUDY --out s --nats here",
		"run STUDY --out r --nats here", "match antwars wasm:bot.wasm brilliant"} {
		study := filepath.Join(root, "experiments/antwars/quick.toml")
		c := exec.Command(program, strings.Fields(strings.Replace(line, "STUDY", study, 1))...)
		c.Dir = t.TempDir()
		said, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(said), "go install ./cmd/clade builds it whole") {
			t.Errorf("clade %s: %v\n%s", line, err, said)
		}
	}
}
