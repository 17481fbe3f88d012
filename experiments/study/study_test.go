package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp/proof"
)

func TestReferenceDocumentsEveryDefault(t *testing.T) {
	documented := proof.Must(study.Read(scope, "../reference.toml"))(t)
	bare := proof.Must(study.Parse(scope, "reference.toml", []byte(`game = "antwars"`)))(t)
	want, got := text(t, bare), text(t, documented)
	proof.Is(t, want, got, "reference.toml, by the defaults")
	content := proof.Must(os.ReadFile("../reference.toml"))(t)
	for _, line := range strings.Split(want, "\n") {
		if key, _, ok := strings.Cut(line, " = "); ok && !strings.Contains(string(content),
			"\n"+strings.Trim(key, `'"`)+" = ") {
			t.Errorf("reference.toml does not mention the key %s", key)
		}
	}
}

// TestReferenceNamesEveryChoice: what an error lists as the values of a setting stands in quotes
// behind its key, or in the lines below it.
func TestReferenceNamesEveryChoice(t *testing.T) {
	content := string(proof.Must(os.ReadFile("../reference.toml"))(t))
	for setting, more := range map[string]string{"selection": "", "replacement": "", "lineage": "",
		"hall-draw": "hall = 1", "champion.against": "", "fitness.measure": `selection = "fitness"`,
		"fitness.opponents": `selection = "fitness"`} {
		_, err := study.Parse(scope, "s.toml", []byte("game = \"antwars\"\n[evolve]\n"+more+"\n"+
			setting+" = \"?\""))
		_, names, ok := strings.Cut(fmt.Sprint(err), "known: ")
		if !ok {
			t.Errorf("%s: %v", setting, err)
		}
		table, key, within := strings.Cut(setting, ".")
		if !within {
			table, key = "", table
		}
		_, from, _ := strings.Cut(content, "\n[evolve"+strings.TrimSuffix("."+table, ".")+"]")
		_, said, _ := strings.Cut(from, "\n"+key+" = ")
		said, _, _ = strings.Cut(strings.ReplaceAll(said, "\n                             #", ""), "\n")
		for _, name := range strings.Split(names, ", ") {
			if !strings.Contains(said, strconv.Quote(name)) {
				t.Errorf("reference.toml does not name %q beside %s:\n%s", name, setting, said)
			}
		}
	}
}

func text(t *testing.T, s *study.Study) string {
	t.Helper()
	return string(proof.Must(s.Text())(t))
}

// TestBuiltInStudies reads every study that comes with the program, in full and in small, and
// back from its own text.
func TestBuiltInStudies(t *testing.T) {
	proof.Slow(t)
	t.Chdir("../..") // species that studies name lie in the project
	paths, _ := filepath.Glob("experiments/*/*.toml")
	if len(paths) == 0 {
		t.Fatal("no studies")
	}
	for _, path := range paths {
		s, err := study.Read(scope, path)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Question == "" {
			t.Errorf("%s asks no question", path)
		}
		for range 2 {
			again := proof.Must(study.Parse(scope, "again.toml", []byte(text(t, s))))(t)
			proof.Is(t, text(t, again), text(t, s), "the text of %s, parsed", path)
			s.Quick()
		}
	}
}

func TestStudyErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `s.toml: game: the study names no game; add game = "…"`},
		{`game = "antwrs"`, `s.toml:1:1: game: unknown game "antwrs", did you mean "antwars"?`},
		{"game = \"antwars\"\nsed = 1\n[evolve]\npopulaton = 5",
			`s.toml:2:1: unknown key "sed", did you mean "seed"?`},
		{"game = \"antwars\"\nsed = 1\n[evolve]\npopulaton = 5",
			`s.toml:4:1: unknown key "evolve.populaton", did you mean "evolve.population"?`},
		{"game = \"antwars\"\n[figures]\npanels = [\"dept\"]",
			`s.toml:3:1: figures.panels: unknown panel "dept", did you mean "depth"?`},
		{"game = \"antwars\"\n[evolv]\npopulation = 5", `unknown key "evolv", did you mean "evolve"?`},
		{"game = \"santafe\"\n[settings]\nsize = 5",
			`unknown key "settings.size": this table has no keys`},
		{"game = \"antwars\"\n[evolve]\npopulation = \"5\"",
			`s.toml:3:1: evolve.population: a whole number is needed here, not a TOML string`},
		{"game = \"antwars\"\n[evolve]\nparsimony = 1",
			`s.toml:3:1: evolve.parsimony: true or false is needed here`},
		{"game = \"antwars\"\n[evolve]\npopulation = 1",
			`s.toml:3:1: evolve.population must be in 2..1000000, not 1`},
		{"game = \"antwars\"\nevolve.variation.crossover = 3",
			`s.toml:2:1: evolve.variation: the chance crossover must be in 0..1, not 3`},
		{"game = \"antwars\"\n[evolve.variation]\nmutation = 0.1\ncrossover = 3",
			`s.toml:4:1: evolve.variation: the chance crossover must be in 0..1, not 3`},
		{"game = \"amoebas\"\n[settings]\nrounds = 9\nworld-size = 3",
			`s.toml:4:1: settings: amoebas: world-size must be in`},
		{"game = \"amoebas\"\n[settings]\nworld-siz = 30", `did you mean "settings.world-size"?`},
		{"game = \"antwars\"\n[measure]\nagainst = [\"hypr\"]",
			`s.toml:3:1: measure.against: player "hypr": unknown player of antwars "hypr", did you mean "hyper"?`},
		{"game = \"antwars\"\n[measure]\ngames = 3\nagainst=[\"hyper\"]",
			`s.toml:3:1: measure.games must be even`},
		{"game = \"antwars\"\nname = \"a/b\"", `write name = "a-b"`},
		{"game = \"antwars\"\n[evolve", `s.toml:2:7`},
		{"game = \"antwars\"\nseed = -1", `s.toml:2:1: seed`},
		{"game = \"antwars\"\nseed = 1\nseed = 2", `s.toml`},
		{"game = \"antwars\"\nevolve.seconds = 1e400",
			`s.toml:2:18: toml: float is too large to fit in 64 bits`},
		{"game = \"antwars\"\nseed = \"one\"",
			`s.toml:2:1: seed: a whole number is needed here, not a TOML string`},
		{"game = \"antwars\"\nevolve = 3",
			`s.toml:2:1: evolve: a table is needed here, not a TOML integer`},
		{"game = 3", `s.toml:1:1: game: a text in double quotes is needed here, not a TOML integer`},
		{"game = \"santafe\"\n[measure]\nagainst = [\"koza\"]",
			`s.toml:3:1: measure.against must be empty: santafe is for one player`},
	} {
		proof.Fails(study.Parse(scope, "s.toml", []byte(c.text)))(t, c.want)
	}
}

func TestOverrides(t *testing.T) {
	text := []byte(`game = "antwars"`)
	s := proof.Must(study.Parse(scope, "s.toml", text, "evolve.population=70", "name=other",
		"evolve.selection=pairs", `measure.against=["hyper"]`, "evolve.tournament=3"))(t)
	if s.Evolve.Population != 70 || s.Name != "other" || s.Evolve.Selection != "pairs" ||
		len(s.Measure.Against) != 1 || s.Evolve.Generations != 1350 {
		t.Errorf("%+v", s)
	}
	for set, want := range map[string]string{
		"evolve.populaton=3":  `unknown key "evolve.populaton"`,
		"population":          "is not of the form key=value",
		"evolve.population=x": "a whole number is needed",
		"=":                   "the setting =",
		"evolve.population=0": "evolve.population must be in",
	} {
		proof.Fails(study.Parse(scope, "s.toml", text, set))(t, want)
	}
}

// TestOverridesKeepTheRest: a key below a table of the sweep overrides that key alone.
func TestOverridesKeepTheRest(t *testing.T) {
	text := []byte(`game = "antwars"
[sweep]
replicates = 2
[sweep.settings]
evolve.generations = [3, 4]
[sweep.merge]
measure = { final = 20 }
[sweep.merge.evolve]
population = 80
selection = "race"
elites = 8
hall = 6
race = { archive = 1.0 }
`)
	s := proof.Must(study.Parse(scope, "s.toml", text, "sweep.merge.evolve.population=90",
		"sweep.merge.evolve.race.archive=0.5", "sweep.settings.evolve.boards=[1]"))(t)
	g := proof.Must(s.Grid())(t)
	e := g.Merge.Evolve
	if e.Population != 90 || e.Selection != "race" || e.Elites != 8 || e.Race.Archive != 0.5 ||
		g.Merge.Measure.Final != 20 {
		t.Errorf("the merge is %+v, and measures %d games", e, g.Merge.Measure.Final)
	}
	proof.Is(t, len(g.Cells), 4, "cells of two settings with two seeds each")
}

func FuzzParseStudy(f *testing.F) {
	proof.Slow(f)
	paths, _ := filepath.Glob("../*/*.toml")
	for _, path := range append(paths, "../reference.toml") {
		content := proof.Must(os.ReadFile(path))(f)
		f.Add(content, "evolve.population=9")
	}
	f.Add([]byte("game='antwars'\n[evolve.variation]\nslots=[[[{a={b=1}}]]]"), `evolve={population=3}`)
	f.Fuzz(func(t *testing.T, content []byte, set string) {
		s, err := study.Parse(scope, "s.toml", content, set)
		if err != nil {
			return
		}
		again := proof.Must(study.Parse(scope, "s.toml", []byte(text(t, s))))(t)
		proof.Is(t, text(t, again), text(t, s), "what is read back")
	})
}

func ExampleParse() {
	_, err := study.Parse(scope, "my.toml", []byte("game = \"antwars\"\n[evolve]\ngeneration = 10"))
	fmt.Println(err)
	// Output: my.toml:3:1: unknown key "evolve.generation", did you mean "evolve.generations"?
}

// TestOneFault sets each number of each game's study far out of range: that is one fault, which
// names the setting that was given, and nothing that only follows from it.
func TestOneFault(t *testing.T) {
	for _, g := range scope.Games {
		text := []byte(fmt.Sprintf("game = %q\n[evolve]\nislands = 2\n", g.Info().Name))
		if g.Info().MaxSeats == 1 {
			text = append(text, "selection = \"fitness\"\nchampion.against = \"fitness\"\n"+
				"fitness.measure = \"score\"\nfitness.opponents = \"none\"\n"...)
		}
		s := proof.Must(study.Parse(scope, "s.toml", text))(t)
		for key, value := range s.Keys() {
			if _, err := strconv.ParseFloat(value, 64); err != nil {
				continue
			}
			for _, set := range []string{key + "=-1234567", key + "=1234567890123"} {
				_, err := study.Parse(scope, "s.toml", text, set)
				if err == nil {
					continue // it has no such end
				}
				said := err.Error()
				last := key[strings.LastIndexByte(key, '.')+1:]
				if strings.Count(said, "\n") > 0 ||
					!strings.HasPrefix(said, "the setting "+set+":") ||
					strings.HasPrefix(key, "evolve.") &&
						!strings.Contains(said[len("the setting "+set):], last) {
					t.Errorf("%s, %s: %v", g.Info().Name, set, err)
				}
			}
		}
	}
}

// TestNearestKey holds that keys are known by their last part, in files and in settings.
func TestNearestKey(t *testing.T) {
	for set, want := range map[string]string{
		"population=5":        `did you mean "evolve.population"?`,
		"populaton=5":         `did you mean "evolve.population"?`,
		"evolve.populaton=5":  `did you mean "evolve.population"?`,
		"evolve.against=none": `did you mean "evolve.champion.against"?`,
		"widht=3":             `did you mean "settings.width" or "figures.width"?`,
	} {
		key, value, _ := strings.Cut(set, "=")
		_, err := study.Parse(scope, "s.toml", []byte(`game = "life"`), set)
		_, inFile := study.Parse(scope, "s.toml", fmt.Appendf(nil, "%s = %q\ngame = \"life\"", key,
			value))
		for _, err := range []error{err, inFile} {
			proof.Says(t, err, want)
		}
	}
	_, err := study.NewGame(scope, "life", "widht=3")
	const want = `the setting widht=3: unknown key "widht", did you mean "width"?`
	if err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestSettingsReadNoFile: a study that came over the network names a file in the game's settings,
// whose first line would go back in the error.
func TestSettingsReadNoFile(t *testing.T) {
	board := filepath.Join(t.TempDir(), "secret.map")
	proof.OK(t, os.WriteFile(board, []byte("secret\n"), 0o666))
	for _, text := range []string{
		"game = \"amoeboid\"\n[settings]\nboard = \"file\"\ngraph = \"" + board + "\"\n",
		"game = \"darwin\"\n[settings]\nmap = \"" + board + "\"\n",
	} {
		for trust, want := range map[player.Trust]string{player.BuiltIns: "over the network",
			player.Files: "secret\""} {
			_, err := study.Parse(player.Scope{Games: scope.Games, Trust: trust}, "s.toml", []byte(text))
			proof.Says(t, err, want)
		}
	}
	record := engine.Record{Game: "darwin", Settings: "map = '" + board + "'"}
	from := player.Scope{Games: scope.Games}
	if err := study.Adjust(from, &record, "view=isometric"); err != nil {
		t.Error("a record's own file:", err)
	}
	proof.Says(t, study.Adjust(from, &record, "map=other.map"), "over the network")
}

// A study written here whose stages have sizes of their own: its small version is small in each.
func TestQuickStages(t *testing.T) {
	s := proof.Must(study.Parse(scope, "s.toml", []byte(`game = "antwars"
[[stage]]
evolve = { population = 500, generations = 1000, migration = { every = 7, migrants = 400 } }
[[stage]]
evolve = { tournament = 200 }
`)))(t)
	whole := text(t, s)
	q := *s
	q.Quick()
	proof.Is(t, text(t, s), whole, "the study")
	q = *proof.Must(study.Parse(scope, "q.toml", []byte(text(t, &q))))(t)
	plan := proof.Must(q.Plan())(t)
	for i := range plan {
		e := proof.Must(q.StageStudy(plan, i, 0, nil))(t).Evolve
		proof.Is(t, fmt.Sprint(e.Population, e.Generations, e.Tournament <= 100,
			e.Migration.Migrants <= 100), "100 20 true true", "a stage")
		proof.Is(t, e.Migration.Every == 7, i == 0, "what stays as it is")
	}
}

// A study written here whose few individuals leave no room for a past: it is still a study.
func TestShrink(t *testing.T) {
	s := proof.Must(study.Parse(scope, "s.toml", []byte(`game = "darwin"
settings.arena.species = 4
settings.map = "arena"
players.panel = ["kept:darwin/fighter"]
evolve = { selection = "pairs", seats = 4, hall = 40, hall-draw = "panel" }
`)))(t)
	s.Shrink(4, 1)
	s = proof.Must(study.Parse(scope, "shrunk.toml", []byte(text(t, s))))(t)
	proof.Is(t, s.Evolve.Hall, 0, "the individuals that meet the past")
}

// The games are all that there are. The text of a study, as manifests hold it, can be read again.
func TestTextsAreRead(t *testing.T) {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	for _, g := range all.Games() {
		if g.Info().MaxSeats == 1 {
			continue // its default is no study
		}
		s, err := study.Parse(scope, "s", []byte(`game = "`+g.Info().Name+`"`))
		if err != nil {
			if g.Info().MinSeats > 2 {
				continue // likewise
			}
			t.Fatal(err)
		}
		text := proof.Must(s.Text())(t)
		if _, err := study.Parse(scope, "again", text); err != nil {
			t.Errorf("%v\nin\n%s", err, text)
		}
	}
}

// By hand: of 1,000 games a quarter is the first stage's, which is enough for two populations of 100
// or more; the champions of one of those found the last. Each has its own seed.
func TestStagesShareTheBudget(t *testing.T) {
	s := proof.Must(study.Parse(scope, "s", []byte("game = \"antwars\"\nname = \"s\"\n"+
		"[measure]\nagainst = [\"greedy\"]\n[evolve]\ngames = 1000\n[[stage]]\nname = \"many\"\n"+
		"populations = 4\nleast = 100\n[[stage]]\nshare = 3.0\nfounders = \"champions\"\nbest = 4\n")))(t)
	plan := proof.Must(s.Plan())(t)
	if plan[0].Populations != 2 || plan[1].Populations != 1 || plan[1].Best != 2 {
		t.Errorf("plan %+v", plan)
	}
	seeds := map[uint64]bool{s.Seed: true}
	for i, want := range []struct {
		stage, population int
		name              string
		games             int64
		against           int
		mutants           float64
	}{{0, 0, "s-many", 125, 0, 0}, {0, 1, "s-many", 125, 0, 0}, {1, 0, "s", 750, 1, 0.5}} {
		var founders []string
		if want.stage > 0 {
			founders = []string{"greedy"}
		}
		c := proof.Must(s.StageStudy(plan, want.stage, want.population, founders))(t)
		seeds[c.Seed] = true
		if c.Name != want.name || c.Evolve.Games != want.games || len(seeds) != i+2 ||
			len(c.Measure.Against) != want.against || c.Evolve.Founders.Mutants != want.mutants {
			t.Errorf("stage study %d: %s, %d games, %d seeds, %+v", i, c.Name, c.Evolve.Games, len(seeds),
				c.Evolve.Founders)
		}
	}
}
