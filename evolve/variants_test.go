package evolve

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/proof"
)

// variants are settings that together exercise every option.
func variants() map[string]Config {
	v := map[string]Config{}
	add := func(name string, change func(c *Config)) {
		c := small()
		change(&c)
		v[name] = c
	}
	add("paper", func(c *Config) {})
	add("small steps", func(c *Config) {
		v := &c.Variation
		v.Crossover, v.Mutation, v.Constants, v.MaxNodes = 0.1, 0.1, 0.1, 60
		v.Perturbation, v.Hoist, v.Insertion, v.PairedInsertion, v.Transfer = 0.2, 0.1, 0.1, 0.1, 0.1
	})
	add("size-fair crossover", func(c *Config) {
		c.Variation.CrossoverKind, c.Variation.Exchange = gp.SizeFairCrossover, 0.1
	})
	add("homologous crossover, small steps", func(c *Config) {
		c.Variation.CrossoverKind, c.Variation.Crossover = gp.HomologousCrossover, 0.5
		c.Variation.Insertion = 0.3
	})
	add("filter", func(c *Config) {
		c.Variation.Crossover, c.Filter = 0.3, Filter{Games: 2, Tries: 3}
	})
	add("filter, pairs on islands", func(c *Config) {
		c.Selection, c.Islands, c.Population = ByPairs, 2, 41
		c.Migration, c.Filter = Migration{Every: 3, Migrants: 3}, Filter{Games: 1, Tries: 5}
		c.Variation.Insertion, c.Variation.Crossover = 0.3, 0.4
	})
	add("odd", func(c *Config) { c.Population = 41; c.Tournament = 5 })
	add("islands", func(c *Config) { c.Islands = 3; c.Migration = Migration{Every: 2, Migrants: 4} })
	add("islands apart", func(c *Config) { c.Islands = 2; c.Migration.Migrants = 0 })
	add("pairs", func(c *Config) { c.Selection = ByPairs; c.Population = 41 })
	add("pairs, once", func(c *Config) { c.Selection = ByPairs; c.Once = true })
	add("pairs on islands",
		func(c *Config) {
			c.Selection = ByPairs
			c.Islands = 2
			c.Migration = Migration{Every: 3, Migrants: 3}
		})
	add("age layers", func(c *Config) {
		c.Islands, c.Migration, c.Founders.Retries = 3, Migration{Every: 2, Layers: true}, 5
		c.Founders.Species = []string{"a", "b"}
	})
	add("age layers, pairs", func(c *Config) {
		c.Selection, c.Islands, c.Population, c.Hall = ByPairs, 2, 41, 5
		c.Migration = Migration{Every: 3, Layers: true}
	})
	add("age layers, race", func(c *Config) {
		c.Selection, c.Elites, c.Population = ByRace, 5, 41
		c.Race, c.Islands = Race{Games: []int{8}}, 3
		c.Migration = Migration{Every: 3, Layers: true}
	})
	add("steady",
		func(c *Config) {
			c.Replacement = replaceLosers
			c.Islands = 2
			c.Migration = Migration{Every: 3, Migrants: 3}
		})
	add("steady, odd", func(c *Config) { c.Replacement = replaceLosers; c.Population = 41 })
	add("steady, no lineage",
		func(c *Config) { c.Replacement = replaceLosers; c.Lineage = lineageNone; c.Population = 200 })
	add("hall", func(c *Config) { c.Hall = 3; c.Lineage = lineageFirst })
	add("elites", func(c *Config) { c.Elites = 5 })
	add("elites, long", func(c *Config) { c.Elites = 1; c.Population = 150; c.Parsimony = true })
	add("wins", func(c *Config) { c.Selection = ByFitness; c.Elites = 3; c.Parsimony = true })
	add("score", func(c *Config) {
		c.Selection, c.Fitness.Measure, c.Hall = ByFitness, measureScore, 2
	})
	add("round robin", func(c *Config) {
		c.Selection, c.Fitness.Opponents, c.Islands, c.Hall = ByFitness, allOpponents, 2, 2
		c.Migration = Migration{Every: 2, Migrants: 5}
	})
	add("panel",
		func(c *Config) {
			c.Selection, c.Fitness.Opponents, c.Replacement = ByFitness, panel, replaceLosers
		})
	add("steady round robin",
		func(c *Config) {
			c.Selection = ByFitness
			c.Fitness.Opponents = allOpponents
			c.Replacement = replaceLosers
		})
	add("reference", func(c *Config) { c.Champion = Champion{Against: panel, Games: 100, Every: 5} })
	add("no champion", func(c *Config) { c.Champion.Against = nobody; c.Probes.Games = 0 })
	add("copies", func(c *Config) { c.Variation.Crossover = 0.5 })
	add("archive", func(c *Config) { c.Champion.Archive = 0.5 })
	add("former champions", func(c *Config) {
		c.Islands, c.Champion = 2, Champion{Against: inside, Games: 64, Every: 3, Archive: 0.5,
			Former: true}
	})
	add("tuned", func(c *Config) {
		c.Weights, c.Champion.Tune = map[string]int{"constint": 0, "mul": 0}, 10_000
	})
	add("tuned, islands", func(c *Config) {
		c.Selection, c.Islands, c.Champion = ByPairs, 2, Champion{Against: panel, Games: 64,
			Every: 5, Tune: 15_000}
	})
	add("pairs, hall", func(c *Config) {
		c.Selection, c.Hall, c.Population, c.Champion.Every = ByPairs, 15, 41, 2
		c.Islands, c.Migration = 2, Migration{Every: 3, Migrants: 3}
	})
	add("nash, founders", func(c *Config) {
		c.Hall, c.HallDraw, c.Founders.Species = 3, nash, []string{"a", "b"}
	})
	add("pairs, panel", func(c *Config) {
		c.Selection, c.Hall, c.HallDraw, c.Champion.Against = ByPairs, 38, panel, nobody
	})
	add("hall on islands", func(c *Config) {
		c.Hall, c.HallDraw, c.Islands, c.Champion.Every = 3, nash, 3, 3
		c.Migration, c.Founders.Species = Migration{Every: 2, Migrants: 4}, []string{"a", "b"}
	})
	add("hardness", func(c *Config) {
		c.Selection, c.Hall, c.HallDraw = ByFitness, 3, hardness
		c.Champion.Archive = 1
	})
	add("race", func(c *Config) {
		c.Selection, c.Elites, c.Hall = ByRace, 8, 4
		c.Race.Games = []int{8, 16, 40}
		c.Parsimony = true
	})
	add("race on islands", func(c *Config) {
		c.Selection, c.Elites, c.Population = ByRace, 5, 41
		c.Race = Race{Games: []int{8}}
		c.Islands, c.Migration = 2, Migration{Every: 3, Migrants: 3}
	})
	add("founders", func(c *Config) {
		c.Founders.Species = []string{"a", "b"}
		c.Founders.Share, c.Founders.Mutants = 0.5, 0.5
	})
	add("games", func(c *Config) {
		c.Games, c.Champion.Every, c.Islands, c.Migration.Every = 5900, 5, 2, 5
	})
	add("weights", func(c *Config) { c.Weights = map[string]int{"sub": 0, "mul": 3} })
	add("vary", func(c *Config) { c.Vary = []string{"value"} })
	return v
}

// stands holds a run to the fingerprint that it had before. What changes one changes the runs that
// were published with the same options, and must mean to.
func stands(t *testing.T, name string, done *rundir.Done) {
	t.Helper()
	const golden = "testdata/fingerprints.json"
	known := map[string]string{}
	if text, err := os.ReadFile(golden); err != nil || json.Unmarshal(text, &known) != nil {
		t.Fatalf("%s is missing or damaged: %v", golden, err)
	}
	if before := known[name]; before == done.Fingerprint {
		return
	} else if !proof.Update() {
		t.Errorf("%s: the fingerprint of %q was %q and is %q; CLADE_UPDATE=1 writes it anew",
			golden, name, before, done.Fingerprint)
		return
	}
	known[name] = done.Fingerprint
	text, err := json.MarshalIndent(known, "", "\t")
	if err == nil {
		err = os.WriteFile(golden, append(text, '\n'), 0o644)
	}
	proof.OK(t, err)
}

// bredAlone are the files of variants that one goroutine has bred, once for all tests.
var bredAlone = map[string]map[string]string{}

// alone returns the files of a variant that one goroutine breeds. Their fingerprint is that of
// former versions, nobody has the id of somebody who has lived before, the lineage fits its
// standard, and the numbers grow.
func alone(t *testing.T, name string, s Setup) map[string]string {
	t.Helper()
	if bredAlone[name] != nil {
		return bredAlone[name]
	}
	path := t.TempDir()
	var r *Run
	known := map[uint64]*Individual{}
	s.Workers = 1
	s.Progress = func(Progress) {
		for i := range s.Config.Islands {
			for _, in := range r.state.populations[i] {
				if before, ok := known[in.ID]; ok && before != in {
					t.Fatalf("before generation %d another individual has the id %d", generationOf(r), in.ID)
				}
				known[in.ID] = in
			}
		}
	}
	r = proof.Must(Create(path, s))(t)
	defer r.Close()
	done := proof.Must(r.Evolve(context.Background()))(t)
	stands(t, name, done)
	for _, in := range r.state.populations[0] {
		if in.parents != [2]*Individual{} {
			t.Fatalf("%d holds its whole pedigree in memory", in.ID)
		}
	}
	if s.Config.Lineage != lineageNone {
		checkLineage(t, name, r)
	}
	checkGrowth(t, r)
	bredAlone[name] = contents(t, path)
	return bredAlone[name]
}

// A new scheme is missing until variants has it.
func TestEverySchemeHasAVariant(t *testing.T) {
	bred := map[string]bool{}
	for _, c := range variants() {
		bred[c.Selection] = true
	}
	for _, s := range schemes() {
		if !bred[s.name()] {
			t.Errorf("variants of run_test.go breeds nothing with selection = %q; add one", s.name())
		}
	}
}

func TestEveryOptionRepeatsForAnyNumberOfWorkers(t *testing.T) {
	proof.Long(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, c := range variants() {
		t.Run(name, func(t *testing.T) {
			s := setup(t, c)
			want := alone(t, name, s)
			if n := strings.Count(want[rundir.LogFile], "\n"); n != c.Generations {
				t.Fatalf("the log has %d lines instead of %d", n, c.Generations)
			}
			for _, processors := range []int{1, 2, 3, 8} {
				if processors != 3 && name != "islands" {
					continue // all four for one of them only, for the sake of time
				}
				runtime.GOMAXPROCS(processors)
				path, _ := evolved(t, s)
				compare(t, want, contents(t, path))
			}
			if name != "islands" {
				return
			}
			s.Seed++
			if path, _ := evolved(t, s); contents(t, path)[rundir.LogFile] == want[rundir.LogFile] {
				t.Error("another seed has the same log")
			}
		})
	}
}
