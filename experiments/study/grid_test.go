package study_test

import (
	"fmt"
	"strings"
	"testing"

	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

func TestGrid(t *testing.T) {
	for _, c := range []struct {
		name, sweep string
		want        []string // group and seed
	}{
		{"none", "", []string{"/1"}},
		{"seeds", "[sweep]\nseeds = [4, 2]", []string{"/4", "/2"}},
		{"replicates", "[sweep]\nreplicates = 2", []string{"/1", "/2"}},
		{"quick", "[sweep]\nreplicates = 9\nquick = true\n[sweep.settings]\n" +
			"evolve.generations = [10, 20, 500]", []string{"generations 10/1", "generations 10/2",
			"generations 20/1", "generations 20/2"}},
		{"product", "[sweep.settings]\nevolve.tournament = [2, 3]\n\"evolve.boards\" = [1, 2]",
			[]string{"boards 1, tournament 2/1", "boards 1, tournament 3/1",
				"boards 2, tournament 2/1", "boards 2, tournament 3/1"}},
		{"replicates side by side",
			"[sweep]\nseeds = [1, 2]\n[sweep.settings]\nevolve.boards = [1, 2]",
			[]string{"boards 1/1", "boards 1/2", "boards 2/1", "boards 2/2"}},
		{"named cells", "[[sweep.cells]]\nname = \"as it is\"\n" +
			"[[sweep.cells]]\nevolve.boards = 4\n[[sweep.cells]]\nname = \"few\"\nevolve.boards = 3",
			[]string{"as it is/1", "boards 4/1", "few/1"}},
		{"cells alone",
			"[[sweep.cells]]\nevolve.boards = 3\n[[sweep.cells]]\nevolve.boards = 4\nseed = 9",
			[]string{"boards 3/1", "boards 4/9"}},
		{"cells besides",
			"[sweep.settings]\nevolve.boards = [1, 2]\n[[sweep.cells]]\nevolve.elites = 1",
			[]string{"boards 1, elites 0/1", "boards 2, elites 0/1", "boards 1, elites 1/1"}},
		{"no run twice",
			"[sweep.settings]\nevolve.boards = [1, 2]\n[[sweep.cells]]\nevolve.boards = 2",
			[]string{"boards 1/1", "boards 2/1"}},
		{"exclusions",
			"[sweep]\nseeds = [1, 2]\n[sweep.settings]\nevolve.boards = [1, " +
				"2]\n[[sweep.exclude]]\nevolve.boards = 2\nseed = 1",
			[]string{"boards 1/1", "boards 1/2", "boards 2/2"}},
		{"exclusion by another key",
			"[sweep.settings]\nevolve.boards = [1, 2]\n[[sweep.exclude]]\nevolve.boards = " +
				"1.0\nevolve.tournament = 2", []string{"boards 2/1"}},
		{"texts and lists",
			"[sweep.settings]\nevolve.selection = [\"pairs\"]\nplayers.panel = [[\"greedy\"], " +
				"[\"greedy\", \"smart\"]]", []string{"selection pairs, panel greedy/1",
				"selection pairs, panel greedy,smart/1"}},
		{"exclusion of a text",
			"[sweep.settings]\nevolve.selection = [\"pairs\", " +
				"\"tournament\"]\n[[sweep.exclude]]\nevolve.selection = \"pairs\"",
			[]string{"selection tournament/1"}},
		{"names that end alike",
			"[sweep.settings]\nevolve.migration.every = [3]\nevolve.champion.every = [2]",
			[]string{"evolve.champion.every 2, evolve.migration.every 3/1"}},
	} {
		_, g := runnertest.Grid(t, c.sweep)
		var got []string
		for _, cell := range g.Cells {
			got = append(got, fmt.Sprintf("%s/%d", cell.Group, cell.Study.Seed))
			if cell.Study.Sweep != nil {
				t.Errorf("%s: a cell has a sweep itself", c.name)
			}
		}
		proof.Is(t, fmt.Sprint(got), fmt.Sprint(c.want), "%s", c.name)
	}
}

func TestSweepErrors(t *testing.T) {
	first := strings.Count(runnertest.Tiny, "\n") + 1
	for _, c := range []struct{ sweep, want string }{
		{"[sweep]\nsedes = [1]",
			fmt.Sprintf(`tiny.toml:%d:1: unknown key "sweep.sedes", did you mean "sweep.seeds"?`,
				first+1)},
		{"[sweep.settings]\nevolve.populaton = [5]",
			fmt.Sprintf(
				`tiny.toml:%d:1: sweep.settings.evolve.populaton: in the cell evolve.populaton=5: unknown key "evolve.populaton", did you mean "evolve.population"?`, first+1)},
		{"[sweep.settings]\nevolv.population = [5]", `did you mean "evolve"?`},
		{"[sweep.settings]\nevolve.boards = [0]",
			fmt.Sprintf(
				`tiny.toml:%d:1: sweep.settings.evolve.boards: in the cell evolve.boards=0: evolve.boards must be in 1..1000`, first+1)},
		{"[sweep.settings]\nevolve.boards = 3", "a list of values is needed here"},
		{"[sweep.settings]\nevolve.boards = []", "a list of values is needed here"},
		{"[sweep.settings]\nevolve.boards = [\"a\"]", "a whole number is needed here"},
		{"[sweep.settings]\ngame = [\"life\"]", "write a study for each"},
		{"[sweep.settings]\nseed = [1]", "write seeds = "},
		{"[sweep.settings]\nfigures.width = [\"page\"]", "write a study for each"},
		{"width = 39.5", `figures.width must be "column", "page" or millimetres`},
		{"[figures.range]\nscore = [3]", "range: score needs two numbers"},
		{"[sweep.settings]\nname = [\"a\"]", "write a study for each"},
		{"[[sweep.cells]]\nname = \"\"", "must be a text that is not empty"},
		{"[[sweep.cells]]\nname = 3", "must be a text that is not empty"},
		{"[[sweep.cells]]\nname = \"a\"\n[[sweep.cells]]\nname = \"a\"", `two cells are called "a"`},
		{"[[sweep.cells]]\nname = \"a\"\nevolve.hall = 9\n[[sweep.cells]]\nname = \"b\"\n" +
			"evolve.hall = 9", `the settings of "b" are those of "a"`},
		{"[sweep]\nseeds = [1]\nreplicates = 2", "leave one of the two out"},
		{"[sweep]\nseeds = [1, 1]", "a seed stands twice"},
		{"[sweep]\nreplicates = -1", "must be in 1.."},
		{"[sweep]\nreplicates = 100000\n[sweep.settings]\nevolve.boards = [1, 2]", "100000 are the most"},
		{"[sweep]\n[[sweep.exclude]]\nevolve.boards = 5", "no run has evolve.boards=5"},
		{"[sweep]\n[[sweep.exclude]]\nseed = 1", "no run is left"},
	} {
		proof.Fails(study.Parse(scope, "tiny.toml", []byte(runnertest.Tiny+c.sweep)))(t, c.want)
	}
}

// The last seed is the greatest whole number of TOML.
func TestLastSeeds(t *testing.T) {
	const last = "game = \"antwars\"\nseed = 9223372036854775806\n[sweep]\nreplicates = "
	proof.Must(study.Parse(scope, "s.toml", []byte(last+"2")))(t)
	proof.Fails(study.Parse(scope, "s.toml", []byte(last+"3")))(t,
		"s.toml:4:1: sweep.replicates: from seed 9223372036854775806 on there are no 3 seeds")
}

// A key does not depend on names and questions, and does on everything else.
func TestKeys(t *testing.T) {
	key := func(name, text string) string {
		s := proof.Must(study.Parse(scope, name, []byte(text)))(t)
		return proof.Must(s.Grid())(t).Cells[0].Key
	}
	base := key("a.toml", runnertest.Tiny)
	proof.Is(t, key("b.toml", "question = \"why?\"\n"+runnertest.Tiny), base,
		"the key with another name and question")
	wide := strings.Replace(runnertest.Tiny, `panels = ["size"]`, "width = 120", 1)
	proof.Is(t, key("a.toml", wide), base, "the key with other figures")
	for _, other := range []string{"seed = 2\n" + runnertest.Tiny,
		strings.Replace(runnertest.Tiny, "games = 4", "games = 6", 1),
		strings.Replace(runnertest.Tiny, "boards = 1", "boards = 2", 1)} {
		if key("a.toml", other) == base {
			t.Errorf("two studies have the same key:\n%s", other)
		}
	}
}

// FuzzGrid lays out tables [sweep] of all kinds. What is accepted has runs that all differ, and
// each of them, written out as a study and read again as a worker does, is the same run.
func FuzzGrid(f *testing.F) {
	for _, s := range []string{
		"", "[sweep]\nseeds = [4, 2]", "[sweep]\nreplicates = 2", "[sweep]\nseeds = [1, 1]",
		"[sweep]\nreplicates = -1", "[sweep]\nreplicates = 100001",
		"[sweep.settings]\nevolve.tournament = [2, 3]\n\"evolve.boards\" = [1, 2]",
		"[[sweep.cells]]\nevolve.boards = 3\n[[sweep.cells]]\nevolve.boards = 4\nseed = 9",
		"[sweep.settings]\nevolve.boards = [1, 2]\n[[sweep.exclude]]\nevolve.boards = " +
			"1.0\nevolve.tournament = 2", "[sweep.settings]\nplayers.panel = [[\"greedy\"], []]",
		"[sweep.settings]\nevolve = [1]", "[sweep.settings]\nevolve.boards = 3",
		"[sweep.settings]\nevolve.boards = []", "[sweep.settings]\nname = [\"x\"]",
		"[sweep.settings]\nevolve.boards = [\"1\"]",
		"[sweep.settings]\nevolve.variation.inner = [0.5, 1, nan]",
		"[sweep.settings]\nevolve.parsimony = [true, false]", "[[sweep.exclude]]",
		"[sweep]\nsettings = 3", "[[sweep.cells]]\nseed = -1",
		"[sweep.settings]\nmeasure.games = [4]\n[sweep.settings.evolve]\nboards = [2]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sweep string) {
		s, err := study.Parse(scope, "tiny.toml", []byte(runnertest.Tiny+sweep))
		if err != nil {
			return
		}
		if s.Sweep != nil && s.Sweep.Replicates > 100 {
			s.Sweep.Replicates = 100 // for the sake of time
		}
		g, err := s.Grid()
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for i := range g.Cells {
			c := &g.Cells[i]
			if seen[c.Key] {
				t.Fatalf("run %s stands twice", c.Key)
			}
			seen[c.Key] = true
			if len(c.Values) != len(g.Keys) {
				t.Fatalf("run %s has %d values of %d keys", c.Key, len(c.Values), len(g.Keys))
			}
			if i >= 3 {
				continue // for the sake of time
			}
			text := proof.Must(c.Study.Text())(t)
			again, err := study.Parse(scope, c.Study.Name+".toml", text)
			if err != nil {
				t.Fatalf("run %s cannot be read again: %v\n%s", c.Key, err, text)
			}
			if one, err := again.Grid(); err != nil || len(one.Cells) != 1 || one.Cells[0].Key != c.Key {
				t.Fatalf("run %s is another one when it is read again: %v", c.Key, err)
			}
		}
	})
}
