package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine/games/all"
	"clade/experiments"
	"clade/gp/proof"
)

// Every plan that the program carries is a study, and no player written by hand has a part in it.
func TestBreedPlans(t *testing.T) {
	proof.Slow(t)
	o := flags{scope: scope, seed: 1}
	planned := 0
	for _, g := range all.Games() {
		name := g.Info().Name
		if _, err := experiments.BreedPlan(name); err != nil {
			continue
		}
		planned++
		s, err := o.breedStudy(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		plan, err := s.Plan()
		if err != nil || len(plan) < 2 {
			t.Errorf("%s has %d stages: %v", name, len(plan), err)
		}
		for i := range plan {
			c, err := s.StageStudy(plan, i, 0, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if len(c.Players.Reference)+len(c.Evolve.Founders.Species) > 0 ||
				slices.ContainsFunc(c.Players.Panel, func(p string) bool {
					return !strings.HasPrefix(p, "kept:"+name+"/")
				}) {
				t.Errorf("%s: stage %d names founders, or players that are not bred: %v", name, i+1, c.Players)
			}
		}
		if s.Measure.Final == 0 {
			t.Errorf("%s does not measure its champion", name)
		}
	}
	if planned < 7 {
		t.Errorf("there are %d plans", planned)
	}
}

// The numbers are worked out by hand from the plan's shares of 2, 1 and 1 in 4 and its least 150,000
// games: a budget that is too small for six populations has fewer.
func TestFewerPopulations(t *testing.T) {
	o := flags{scope: scope, seed: 1}
	s := proof.Must(o.breedStudy("antwars"))(t)
	for _, c := range []struct {
		games       int64
		populations [3]int
	}{{0, [3]int{6, 3, 1}}, {1, [3]int{1, 1, 1}}, {299_000, [3]int{1, 1, 1}},
		{900_000, [3]int{3, 1, 1}}, {1_200_000, [3]int{4, 2, 1}}, {1_800_000, [3]int{6, 3, 1}},
		{100_000_000, [3]int{6, 3, 1}}} {
		s.Evolve.Games = c.games
		plan := proof.Must(s.Plan())(t)
		var populations, best [3]int
		total := int64(0)
		for i := range plan {
			populations[i], best[i] = plan[i].Populations, plan[i].Best
			one := proof.Must(s.StageStudy(plan, i, 0, nil))(t)
			total += one.Evolve.Games * int64(plan[i].Populations)
		}
		proof.Is(t, populations, c.populations, "populations of %d games", c.games)
		proof.Is(t, best, [3]int{0, populations[1], 1}, "best runs of %d games", c.games)
		if c.games > 1 && (total > c.games || total < c.games-10) {
			t.Errorf("the stages of %d games play %d", c.games, total)
		}
	}
}

// The arguments are written here. What a number of games breeds, its study breeds again, and so
// does a run that goes on.
func TestBreed(t *testing.T) {
	proof.Long(t)
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	done := func(args ...string) string {
		t.Helper()
		out, err := clade(args...)
		if err != nil {
			t.Fatalf("clade %s: %v", strings.Join(args, " "), err)
		}
		return out
	}
	out := done("breed", "antwars", "--games", "3000", "--set", "measure.final=4", "--set",
		"keen-senses=false", "--set", "foresight=false", "--set", "evolve.population=20", "--set",
		"evolve.hall=2", "--set", "measure.league=2", "--set", `figures.panels=["size"]`, "--out", first)
	proof.Holds(t, out, "hyper", "clade run "+first+"/study.toml", "kept:antwars/whole-run")
	if strings.Contains(out, "keen-seed613") {
		t.Error("an ant with keen senses is rated in a game without them:\n" + out)
	}
	done("run", filepath.Join(first, "study.toml"), "--out", second)
	done("resume", first)
	// The plan has weights of primitives that only keen ants have.
	text := string(proof.Must(os.ReadFile(filepath.Join(first, "study.toml")))(t))
	if strings.Contains(text, "foodRoute") || !strings.Contains(text, "isEnemy = 3") {
		t.Errorf("its weights are not those of the ants asked for:\n%s", text)
	}
	for _, file := range []string{"champion.species", "generations.jsonl", "done.json",
		"stages/1/race.json", "summary.json", "figures/ratings.csv"} {
		a, err := os.ReadFile(filepath.Join(first, file))
		b, other := os.ReadFile(filepath.Join(second, file))
		if err != nil || other != nil || string(a) != string(b) {
			t.Errorf("%s differs: %v, %v", file, err, other)
		}
	}
	proof.OK(t, os.Remove(filepath.Join(second, "study.toml")))
	for _, args := range [][]string{{"verify", second}, {"verify", second, "--mend"}} {
		if out, err := clade(args...); err == nil || !strings.Contains(out, "study.toml cannot be read") {
			t.Errorf("clade %v of a run that lost its study: %v\n%s", args, err, out)
		}
	}
	for _, wrong := range [][]string{{"antwars"}, {"antwars", "--games", "0"},
		{"antwars", "--for", "1ms"}, {"antwars", "--games", "5", "--for", "1m"},
		{"santafe", "--games", "5"}, {"antwar", "--games", "5"},
		{"antwars", "--games", "5", "--set", "keen=true"}, {"antwars", "--games", "5", "--out", first},
		{"antwars", "--games", "5", "--set", "stage=[]"},
		{"antwars", "--for", "1s", "--set", "stage=[]"},
		{"antwars", "--games", "5", "--set", "evolve.games=7"}} {
		_, err := clade(append([]string{"breed"}, wrong...)...)
		proof.Is(t, status(t.Context(), err), 2, "clade breed %v: %v", wrong, err)
	}
}
