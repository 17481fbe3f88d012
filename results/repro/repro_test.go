package repro

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clade/gp/proof"
)

// published returns the folders of results that have a manifest.
func published(t *testing.T) (folders []string) {
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == ManifestFile {
			folders = append(folders, filepath.Dir(path))
		}
		return err
	})
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d manifests, %v", len(folders), err)
	}
	return folders
}

// TestPublished holds every folder of results that has a manifest: each step has its numbers, each
// file is made by a step or says by what else, and the page is what the template and the numbers
// make.
func TestPublished(t *testing.T) {
	proof.Slow(t)
	for _, dir := range published(t) {
		m, err := Read(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		numbers := proof.Must(ReadNumbers(dir))(t)
		proof.Is(t, len(numbers), len(m.Steps), "%s: steps with numbers", dir)
		made := map[string]bool{ManifestFile: true, numbersFile: true, templateFile: true, pageFile: true}
		for _, s := range m.Steps {
			if numbers[s.Name] == nil {
				t.Errorf("%s: step %s has no numbers", dir, s.Name)
			}
			for name := range s.Keep {
				made[name] = true
			}
		}
		for name := range m.Others {
			made[name] = true
		}
		for name := range made {
			proof.Must(os.Stat(filepath.Join(dir, name)))(t)
		}
		for _, f := range proof.Must(os.ReadDir(dir))(t) {
			if !f.IsDir() && !made[f.Name()] {
				t.Errorf("%s: no step makes %s, and [others] does not tell what does", dir, f.Name())
			}
		}
		if page := proof.Must(pageOf(dir))(t); page != nil {
			proof.Golden(t, filepath.Join(dir, pageFile), string(page))
		}
	}
}

// TestReadme holds the table of the project's page to the numbers of the pages.
func TestReadme(t *testing.T) {
	shares := map[string]bool{} // as the table writes them
	for _, dir := range published(t) {
		numbers := proof.Must(ReadNumbers(dir))(t)
		for step, said := range numbers {
			players, _ := said.([]any)
			for i := range players {
				if said, _ := players[i].(map[string]any); said["low"] != nil {
					share := percent(numbers.value(step, i, "share"))
					shares[share+" % | "+numbers.interval(step, i)] = true
				}
			}
		}
	}
	page := proof.Must(os.ReadFile("../../README.md"))(t)
	rows := regexp.MustCompile(`(?m)([0-9.]+ % \| [0-9.]+-[0-9.]+) \|$`).FindAllStringSubmatch(
		string(page), -1)
	for _, row := range rows {
		if !shares[row[1]] {
			t.Errorf("no step of a page says %s", row[1])
		}
	}
	if len(rows) < 5 {
		t.Errorf("the page has %d rows", len(rows))
	}
}

// folderOf makes a folder of results.
func folderOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		proof.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	return dir
}

func step(lines string) string { return "[[step]]\nname = \"a\"\n" + lines }

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"step = 1":                 "line 1",
		step("comand = \"match\""): `line 3: unknown key "step.comand", did you mean`,
		step(""):                   "no command",
		step("command = \"play darwin a\""): "unknown command of a " +
			"manifest",
		step("command = \"worker --nats x\""): "unknown command of a " +
			"manifest",
		step("command = \"match antwars a exec:rm\""):                              "starts none",
		step("command = \"match amoebas a=exec:rm b=caesar\""):                     "starts none",
		step("command = \"match antwars a b --record x\""):                         "--record must stand last",
		step("command = \"replay {a} --gif=x\""):                                   "--gif must stand last",
		step("command = \"match life a b --curves /etc\""):                         "--curves must stand last",
		step("command = \"match amoebas a=b c=d --directory=/etc\""):               "--directory is not for a",
		step("command = \"run a.toml --out=/etc\""):                                "--out is not for a manifest",
		step("command = \"run a.toml --allow-programs\""):                          "--allow-programs",
		step("command = \"monitor {b}\""):                                          "step before this one",
		step("command = \"match a b c\"\nkeep = {x = \"y\"}"):                      "writes no files",
		step("command = \"run a.toml\"\nkeep = {\"../../experiments/x\" = \"y\"}"): "leads out",
		step("command = \"run a.toml\"\nkeep = {x = \"/etc/y\"}"):                  "leads out",
		step("command = \"run a.toml\"\nseconds = -1"):                             "seconds",
		strings.Repeat(step("command = \"run a.toml\"\n"), 2):                      "two steps",
		"[[step]]\nname = \"A b\"\ncommand = \"run a.toml\"":                       "lower case",

		step("command = \"match g run:{b-*} x\""): "step before this one",
		step("command = \"run a.toml\"\neach = \"seed\"\n") + "[lists]\nseeds = [\"1\"]": `list ` +
			`"seed", did you mean "seeds"`,
		step("command = \"run a.toml\"\neach = \"n\"\n") + "[lists]\nn = [\"1\", \"2\"]": "two steps",
	} {
		dir := folderOf(t, map[string]string{ManifestFile: text})
		proof.Fails(Read(dir))(t, want, ManifestFile)
	}
	proof.Fails(Read(t.TempDir()))(t, ManifestFile)
}

// FuzzParse reads manifests of any kind.
func FuzzParse(f *testing.F) {
	f.Add(step("command = \"run a.toml\"\nkeep = {x = \"y\"}\nquick = true\nseconds = 3"))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parse([]byte(text))
		if err != nil {
			return
		}
		steps, err := m.Select(nil, false)
		if err != nil || len(steps) != len(m.Steps) {
			t.Fatalf("%d of %d steps, %v", len(steps), len(m.Steps), err)
		}
		for _, s := range steps {
			if words := s.words("w"); len(words) < 2 {
				t.Errorf("%q: %q", s.Command, words)
			}
		}
	})
}

const two = `
[[step]]
name = "bred"
command = "run a.toml --seed 3"
keep = { "a.species" = "champion.species" }
[[step]]
name = "played"
command = "match g run:{bred} x"
quick = true
[[step]]
name = "other"
command = "match g x y"
`

// pretend says and writes what clade would.
func pretend(wins int, calls *[]string) Command {
	return func(_ context.Context, words []string, out io.Writer) error {
		*calls = append(*calls, strings.Join(words, " "))
		switch words[0] {
		case "run":
			dir := words[len(words)-2]
			fmt.Fprintf(out, `{"run": %q, "fingerprint": "f"}`, filepath.ToSlash(dir))
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "champion.species"), []byte("s"), 0o666)
		default:
			fmt.Fprintf(out, `[{"wins": %d, "share": 0.625, "low": 0.5, "high": 0.75}]`, wins)
			return nil
		}
	}
}

// What is published and made again is the same, and a change of number, file or page is told.
func TestMake(t *testing.T) {
	dir := folderOf(t, map[string]string{ManifestFile: two, templateFile: `{{command "bred"}}
{{command "played"}}: {{value "played" 0 "wins"}} wins, {{share "played" 0}} ` +
		`({{interval "played" 0}}){{range seq 1 2}} {{fixed 1 (mul . (sub (value "played" 0 ` +
		`"wins") 1))}}{{end}}`})
	m := proof.Must(Read(dir))(t)
	var calls []string
	again := func(wins int, publish bool) (all []string) {
		steps, err := m.Select([]string{"played"}, false)
		if err != nil || len(steps) != 2 {
			t.Fatalf("%d steps, %v", len(steps), err)
		}
		published := proof.Must(ReadNumbers(dir))(t)
		work := t.TempDir()
		for _, s := range steps {
			one := proof.Must(s.Make(t.Context(), pretend(wins, &calls), work))(t)
			differ := proof.Must(m.Differences(s, one, published))(t)
			all = append(all, differ...)
			if publish {
				proof.OK(t, m.Publish(s, one))
			}
		}
		if publish {
			proof.OK(t, m.WritePage())
		}
		return all
	}
	proof.Is(t, len(again(5, true)), 3, "what differs of nothing published")
	proof.Is(t, len(again(5, false)), 0, "what differs of what was published")
	if d := again(6, false); len(d) != 1 || d[0] != "played.0.wins: 6 now, 5 published" {
		t.Errorf("%q", d)
	}
	page := proof.Must(os.ReadFile(filepath.Join(dir, pageFile)))(t)
	proof.Is(t, string(page), "clade run a.toml --seed 3 --out runs/bred "+
		"clade match g run:runs/bred x: 5 wins, 62.5 (50.0-75.0)\n4.0 8.0\n", "the page")
	proof.OK(t, os.WriteFile(filepath.Join(dir, "a.species"), []byte("t"), 0o666))
	if d := again(5, false); len(d) != 1 || !strings.Contains(d[0], "other bytes") {
		t.Errorf("%q", d)
	}
	if !strings.HasPrefix(calls[0], "run a.toml --seed 3 --out ") ||
		!strings.HasSuffix(calls[1], "/bred x --json") {
		t.Errorf("calls %q", calls[:2])
	}
}

// A step for each word of a list stands for so many, and a later one uses one or all of them. By
// hand.
func TestEach(t *testing.T) {
	m := proof.Must(parse([]byte(`
[lists]
seed = ["301", "7"]
[[step]]
name = "bred-#"
each = "seed"
command = "run a.toml --seed {each}"
keep = { "a-{each}.species" = "champion.species" }
[[step]]
name = "played-{each}"
each = "seed"
command = "match g run:{bred-#} x"
[[step]]
name = "league"
command = "league g run:{bred-*}@1 x"
`)))(t)
	want := `bred-1: run a.toml --seed 301 map[a-301.species:champion.species]
bred-2: run a.toml --seed 7 map[a-7.species:champion.species]
played-301: match g run:{bred-1} x map[]
played-7: match g run:{bred-2} x map[]
league: league g run:{bred-1}@1 run:{bred-2}@1 x map[]
`
	got := ""
	for _, s := range m.Steps {
		got += fmt.Sprintf("%s: %s %v\n", s.Name, s.Command, s.Keep)
	}
	proof.Is(t, got, want, "the steps")
}

func TestSelect(t *testing.T) {
	m := proof.Must(parse([]byte(two)))(t)
	names := func(only []string, quick bool) string {
		steps, err := m.Select(only, quick)
		if err != nil {
			return err.Error()
		}
		var all []string
		for _, s := range steps {
			all = append(all, s.Name)
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		only  []string
		quick bool
		want  string
	}{{nil, false, "bred played other"}, {nil, true, "bred played"},
		{[]string{"other"}, false, "other"},
		{[]string{"playd"}, false, `repro.toml: unknown step "playd", did you mean "played"?`}} {
		proof.Is(t, names(c.only, c.quick), c.want, "%v, %v", c.only, c.quick)
	}
}

// A template that asks for what there is not is an error, and no empty place on a page.
func TestPageRefuses(t *testing.T) {
	for source, want := range map[string]string{
		`{{value "played" 0}}`:                        "nothing of step",
		`{{value "other" 3}}`:                         "no 3",
		`{{value "other" 0 7}}`:                       "no 7",
		`{{share "other" 0}}`:                         "no share",
		`{{command "none"}}`:                          "no step",
		`{{minutes "none"}}`:                          "no step",
		`{{wilson 3 2}}`:                              "no interval",
		`{{percent "x"}}`:                             "not a number",
		`{{elo (index (value "one" "standings") 0)}}`: "not a number",
		`{{`:                              "unclosed",
		`{{at "a.csv" "y" "x" "3"}}`:      "no y",
		`{{at "a.csv" "z" "x" "1"}}`:      "no z",
		`{{at "a.csv" "y"}}`:              "no y",
		`{{at "a.csv" "y" "x" "2"}}`:      "no y",
		`{{column "a.csv" "y" "x" ">2"}}`: "no y",
		`{{at "a.csv" "x"}}`:              "several rows",
		`{{ahead "x-%d" "y-%d" 1 2 0}}`:   "nothing of step",
		`{{unlike "x-%d" "y-%d" 1 2 0}}`:  "nothing of step",
		// of leagues
		`{{correlation "other" "other"}}`: "no standings",
		`{{correlation "two" "one"}}`:     "differ",
	} {
		dir := folderOf(t, map[string]string{ManifestFile: two, templateFile: source,
			numbersFile: `{"other": [{"wins": 1}],
				"one": {"standings": [{"player": "a", "points": 1}]},
				"two": {"standings": [{"player": "a", "points": 1}, {"player": "b", "points": 1}]}}`,
			"a.csv": "x,y\n1,5\n2,\n"})
		proof.Fails(pageOf(dir))(t, want)
	}
	dir := folderOf(t, map[string]string{numbersFile: "{"})
	proof.Fails(ReadNumbers(dir))(t, numbersFile)
}

func TestPageOf(t *testing.T) {
	long := strings.Repeat("word ", 18) + "word"
	for _, c := range []struct{ manifest, numbers, table, source, want string }{
		{two, "{}", "1,5\n2,\n", `{{fixed 1 (mul 2 (at "a.csv" "y" "x" "1"))}}`, "10.0\n"},
		{two, "{}", "0,1\n1,5\n2,2\n9,1\n", `{{with column "a.csv" "y" "x" "<=y" "x" ">0"}}` +
			`{{least .}} {{most .}} {{mean .}} {{len .}}{{end}}`, "2 5 3.5 2\n"},
		{step("command = \"run a.toml\"\nseconds = 150\n"), "{}", "", `{{minutes "a" "a"}}, ` +
			`{{wilson 40 100}}, {{add 1 2}}, {{fixed 1 -0.04}}, {{fixed 1 -0.06}}`,
			"5, 30.9-49.8, 3, 0.0, -0.1\n"},
		{step("command = 'run a.toml --set s=[\"b\",\"c\"]'\n") +
			"[[step]]\nname = \"b\"\ncommand = \"match g run:{a} x --record\"\n", "{}", "",
			"```\n{{command \"a\"}}\n{{command \"b\"}}\n```\n",
			"```\nclade run a.toml --set 's=[\"b\",\"c\"]' --out runs/a\n" +
				"clade match g run:runs/a x --record runs/b/game.record\n```\n"},
		{two, `{"a-1": [{"wins": 3}], "a-2": [{"wins": 2}], "b-1": [{"wins": 2}], "b-2": [{"wins": 1}]}`,
			"", `{{ahead "a-%d" "b-%d" 1 2 0}} {{unlike "a-%d" "b-%d" 1 2 0 | fixed 1}}`, "0.875 0.7\n"},
		// by scipy 1: stats.t.interval(.95, 2, a.mean(), stats.sem(a)), and of the differences
		{two, `{"a-1": [{"s": 0.3}], "a-2": [{"s": 0.5}], "a-3": [{"s": 0.4}], "b-1": 0.6, "b-2": 0.4,
			"b-3": 0.2}`, "", `{{$a := numbered "a-%d" 1 3 0 "s"}}{{$b := numbered "b-%d" 1 3 -}}
{{band $a}}, {{minus $a $b | band}}, {{deviation $a | fixed 2}}, {{above $a 0.4}}`,
			"15.2-64.8, -65.7 to 65.7, 0.10, 1\n"},
		{two, `{"full": {"standings":
			[{"player": "a", "points": 3}, {"player": "b", "points": 1}, {"player": "c", "points": 2}]},
			"small": {"standings":
			[{"player": "b", "points": 1}, {"player": "a", "points": 2}, {"player": "c", "points": 3}]}}`,
			"", `{{fixed 2 (correlation "full" "small")}} {{fixed 2 (ranks "full" "small")}} ` +
				`{{points "full" "b"}}`, "0.50 0.50 [1]\n"},
		{two, "{}", "", "# " + long + " " + long + " \n\n" + long + " four 5. six\n* " + long +
			" \nlast\n| " + long + " " + long + " |\n```\na\nb\n```\n",
			"# " + long + " " + long + " \n\n" + long + " four 5.\nsix\n* " + long + "\n  last\n| " +
				long + " " + long + " |\n```\na\nb\n```\n"},
	} {
		page, err := pageOf(folderOf(t, map[string]string{ManifestFile: c.manifest,
			numbersFile: c.numbers, templateFile: c.source, "a.csv": "x,y\n" + c.table}))
		if string(page) != c.want || err != nil {
			t.Errorf("%q, not %q, %v", page, c.want, err)
		}
	}
	if page, err := pageOf(t.TempDir()); page != nil || err != nil {
		t.Errorf("%q, %v", page, err)
	}
}

// A manifest of one match, published and made again.
func Example() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, ManifestFile), []byte(
		"[[step]]\nname = \"duel\"\ncommand = \"match antwars smart greedy\"\n"),
		0o666); err != nil {
		panic(err)
	}
	m, err := Read(dir)
	if err != nil {
		panic(err)
	}
	// in place of the command line of clade
	clade := func(_ context.Context, words []string, out io.Writer) error {
		fmt.Println("clade", strings.Join(words, " "))
		_, err := io.WriteString(out, `[{"player": "smart", "wins": 124}]`)
		return err
	}
	made, err := m.Steps[0].Make(context.Background(), clade, dir)
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Differences(&m.Steps[0], made, Numbers{"duel": made.Numbers}))
	// Output:
	// clade match antwars smart greedy --json
	// [] <nil>
}

// TestMarks puts the mark of an editor on Windows before the texts of a published folder, which
// stay what they are.
func TestMarks(t *testing.T) {
	proof.Long(t)
	for _, dir := range published(t) {
		want, err := pageOf(dir)
		if err != nil || want == nil {
			continue
		}
		marked := t.TempDir()
		proof.OK(t, os.CopyFS(marked, os.DirFS(dir)))
		texts := proof.Must(filepath.Glob(filepath.Join(marked, "*.csv")))(t)
		for _, name := range append(texts, filepath.Join(marked, ManifestFile),
			filepath.Join(marked, numbersFile), filepath.Join(marked, templateFile)) {
			text, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(name, append([]byte("\xef\xbb\xbf"), text...), 0o666)
			}
			proof.OK(t, err)
		}
		proof.Is(t, string(proof.Must(pageOf(marked))(t)), string(want), "%s: the page with marks", dir)
	}
}

// A rating is written with its interval or as a bound. The rows are those of leagues of the pages.
func TestElo(t *testing.T) {
	for want, row := range map[string]map[string]any{
		"516 (467..616)": {"elo": 515.92, "elo_low": 467.07, "elo_high": 615.93, "bound": ""},
		"at least 574":   {"elo": nil, "elo_low": 574.08, "elo_high": nil, "bound": "at least"},
		"at most -94":    {"elo": nil, "elo_low": nil, "elo_high": -94.04, "bound": "at most"},
	} {
		proof.Is(t, elo(row), want, "elo")
	}
}
