package evolve

import (
	"context"
	"strings"
	"testing"
)

// TestIslandsDiffer holds that every island breeds with its own settings and grows with its own
// weights.
func TestIslandsDiffer(t *testing.T) {
	c := small()
	c.Islands, c.Migration.Migrants = 3, 0
	c.Weights = map[string]int{"sub": 0}
	c.Island = []map[string]any{{"weights": map[string]any{"mul": 0}},
		{"elites": 7, "variation": map[string]any{"crossover": 0, "mutation": 0.9}}}
	s := setup(t, c)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	b := s.breeder(context.Background())
	for island, off := range [][]string{{"sub", "mul"}, {"sub"}, {"sub", "mul"}} {
		population, err := b.found(0, island)
		if err != nil {
			t.Fatal(err)
		}
		is := b.newIsland(0, island, population, nil, local{})
		if err := is.step(); err != nil {
			t.Fatal(err)
		}
		if kept := len(is.population) - len(is.offspring); kept != is.Config.Elites ||
			kept != 7*(island%2) {
			t.Errorf("island %d keeps %d elites", island, kept)
		}
		used := map[string]int{}
		for _, in := range is.population {
			for _, tree := range in.Genome {
				for _, n := range tree {
					used[s.Game.Grammar().Operators[n.Op].Name]++
				}
			}
		}
		for _, name := range off {
			if used[name] > 0 {
				t.Errorf("island %d uses %s %d times", island, name, used[name])
			}
		}
		if island == 1 && used["mul"] == 0 || used["add"] == 0 {
			t.Errorf("island %d uses %v", island, used)
		}
		for _, in := range is.offspring {
			if crossed := in.origin == crossed; island == 1 && crossed {
				t.Fatal("the second island crosses")
			}
		}
	}
}

func TestIslandSettingsErrors(t *testing.T) {
	for _, test := range []struct {
		change func(c *Config)
		want   string
	}{
		{func(c *Config) { c.Island = []map[string]any{{}, {}} },
			"island has 2 tables, and there are islands for 1; raise islands"},
		{func(c *Config) { c.Island = []map[string]any{{"population": 5}} },
			`table 1: unknown setting of an island "population"`},
		{func(c *Config) { c.Island = []map[string]any{{"tournment": 5}} },
			`did you mean "tournament"?`},
		{func(c *Config) { c.Island = []map[string]any{{"tournament": 1}} },
			"table 1: tournament must be in 2..40, not 1"},
		{func(c *Config) { c.Island = []map[string]any{{"tournament": "x"}} }, "table 1: toml: "},
		{func(c *Config) {
			c.Island = []map[string]any{{"variation": map[string]any{"crossing": 1}}}
		}, `table 1: unknown key "variation.crossing"`},
		{func(c *Config) {
			c.Island = []map[string]any{{"weights": map[string]any{"const": 0, "constint": 0}}}
		}, "of type Float, of which no finite tree exists"},
		{func(c *Config) { c.Weights = map[string]int{"plus": 1} }, `unknown primitive "plus"`},
		{func(c *Config) {
			c.Weights, c.Founders.Species = map[string]int{"const": 0}, []string{"a"}
		}, "founders.species: a uses const, which weights switches off"},
	} {
		c := small()
		test.change(&c)
		s := setup(t, c)
		_, err := Create(t.TempDir(), s)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// A game's own weights are those of a study that gives none.
func TestNoWeights(t *testing.T) {
	s := setup(t, small())
	if g, err := s.grammar(&s.Config); err != nil || g != s.Game.Grammar() {
		t.Error("a study without weights has a grammar of its own", err)
	}
}
