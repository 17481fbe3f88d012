package cli

import (
	"encoding/csv"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/experiments"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// section is a part of the page on files: which files it is of, and the names in its table.
type section struct{ patterns, names []string }

var quoted = regexp.MustCompile("`([^`]*)`")

// sections reads the page.
func sections(t *testing.T) (all []section, rest string) {
	t.Helper()
	text, rest, _ := strings.Cut(string(experiments.Files), "## Files without columns")
	for _, part := range strings.Split(text, "\n## ")[1:] {
		var s section
		head, body, _ := strings.Cut(part, "\n")
		for _, m := range quoted.FindAllStringSubmatch(head, -1) {
			s.patterns = append(s.patterns, m[1])
		}
		for line := range strings.Lines(body) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
					s.names = append(s.names, m[1])
				}
			}
		}
		all = append(all, s)
	}
	return all, rest
}

// keysOf lists the keys of a type as JSON has them, with dots; those of a measurement or of a
// champion's line stand where they are told first.
func keysOf(v reflect.Type, prefix string) (keys []string) {
	for i := range v.NumField() {
		f := v.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && key == "" {
			keys = append(keys, keysOf(f.Type, prefix)...)
		}
		if key == "-" || key == "" {
			continue
		}
		below := f.Type
		for below.Kind() == reflect.Pointer {
			below = below.Elem()
		}
		told := below == reflect.TypeFor[rundir.ChampionLine]() && v != reflect.TypeFor[rundir.Line]()
		if below.Kind() == reflect.Struct && !told {
			keys = append(keys, keysOf(below, prefix+key+".")...)
		} else {
			keys = append(keys, prefix+key)
		}
	}
	return keys
}

// TestFilesPage holds experiments/FILES.md to a run: every file and every column of it stand there,
// and nothing else.
func TestFilesPage(t *testing.T) {
	proof.Costly(t)
	all, rest := sections(t)
	types := map[string]reflect.Type{
		"manifest.json":     reflect.TypeFor[runner.Manifest](),
		"generations.jsonl": reflect.TypeFor[rundir.Line](),
		"times.jsonl":       reflect.TypeFor[rundir.Times](),
		"measures.jsonl":    reflect.TypeFor[runner.Measurement](),
		"done.json":         reflect.TypeFor[rundir.Done](),
		"summary.json":      reflect.TypeFor[runner.Summary](),
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "game = \"antwars\"\n[measure]\nagainst = [\"greedy\"]\ngames = 4\nfinal = 4\nleague = 2\n"+
		"[evolve]\npopulation = 40\ngenerations = 8\ntournament = 2\nboards = 1\n"+
		"[evolve.champion]\ngames = 8\n")
	for _, line := range []string{"run s.toml --out first",
		"run s.toml --out r --set evolve.founders.species=[\"run:first\"]",
		"phylogeny r --as svg", "monitor r --games 40 --as svg", "report r --games 4"} {
		must(t, strings.Fields(line)...)
	}
	seen := map[string]bool{} // patterns with a file
	err := filepath.WalkDir("r", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(file), "r/")
		for _, s := range all {
			for _, pattern := range s.patterns {
				if ok, err := path.Match(pattern, name); err != nil || !ok {
					continue
				}
				seen[pattern] = true
				want := columnNames(t, file, types[name])
				proof.Are(t, slices.Sorted(slices.Values(s.names)), want, "names of %s", name)
				return nil
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(rest, -1) {
			if ok, _ := path.Match(m[1], name); ok {
				if strings.HasSuffix(name, ".csv") || strings.Contains(path.Ext(name), "json") {
					break // its columns are to be told
				}
				return nil
			}
		}
		t.Errorf("the page does not tell of %s", name)
		return nil
	})
	proof.OK(t, err)
	for _, s := range all {
		for _, pattern := range s.patterns {
			if !seen[pattern] {
				t.Errorf("the page tells of %s, which a run does not have", pattern)
			}
		}
	}
	proof.Holds(t, string(proof.Must(os.ReadFile(filepath.Join(dir, "r", "summary.json")))(t)),
		`"generation": 7`)
	// What the page says of values, held to those of the run that it is compared with above.
	page := strings.Join(strings.Fields(string(experiments.Files)), " ")
	for name, c := range map[string]struct{ has, told string }{
		"lineage.csv":               {`,8,inf,`, "the latter is `inf` for the living"},
		"monitor/dominance.csv":     {"\ngeneration,dominant\n0,1\n", "dominant champions so far"},
		"monitor/forgetting.csv":    {`forgetting,`, "of forgetting by resamples of the boards"},
		"monitor/disengagement.csv": {`disengagement,`, "of disengagement by the players of the panel"},
	} {
		text := "\n" + string(proof.Must(os.ReadFile(filepath.Join(dir, "r", name)))(t))
		proof.Holds(t, text, c.has)
		proof.Holds(t, page, c.told)
		if strings.Contains(text, ",,") {
			t.Errorf("%s has empty cells:\n%s", name, text)
		}
	}
}

// columnNames returns the columns of a file, or the keys of its type, sorted.
func columnNames(t *testing.T, file string, of reflect.Type) []string {
	t.Helper()
	set := map[string]bool{}
	if of != nil {
		for _, key := range keysOf(of, "") {
			set[key] = true
		}
		return slices.Sorted(maps.Keys(set))
	}
	f := proof.Must(os.Open(file))(t)
	defer f.Close()
	head, err := csv.NewReader(f).Read()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	slices.Sort(head)
	return head
}
