package study

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"clade/engine"
	"clade/gp/input"
)

// Stage is a table [[stage]] of a study: some populations that are bred apart. Each stage but the
// first may be founded by the one before, and the last has one population, whose run is the
// study's.
type Stage struct {
	Name        string `toml:"name"`        // default the stage's number, from 1
	Populations int    `toml:"populations"` // runs of their own; default 1
	// Founders are "" (none: all grow), "champions" (the last ones of the best runs of the stage
	// before), "all" (those of all their generations), or "own" and "population": the champions of
	// all generations, or the last populations, of the runs that fall to a population where the
	// best are dealt in order of rank. Populations that get none begin anew.
	Founders string `toml:"founders"`
	// Best is how many runs of the stage before found this one, by their race; 0 (default) is all.
	Best int `toml:"best"`
	// Share of the study's evolve.games, in parts; default 1. Populations share it alike.
	Share float64 `toml:"share"`
	// Least is the fewest games of a population, 0 to 10^15. Where the budget gives less, there are
	// fewer populations, and no more best runs than those; default 0.
	Least int64 `toml:"least"`
	// Race is the games of each pair of the stage's champions, on fresh boards, by which its runs
	// are ranked; even; default 400.
	Race int `toml:"race"`
	// Pace is how many games a second the stage plays for one of the first generations of the
	// study. A plan for a given time needs it; default 1.
	Pace float64 `toml:"pace"`
	// what differs from the study
	Evolve   map[string]any `toml:"evolve"`
	Settings map[string]any `toml:"settings"`
}

// Kinds of founders of a stage.
const (
	Champions  = "champions"
	Every      = "all"
	Own        = "own"
	Population = "population"
)

// Plan returns the study's stages, none for a study without.
func (s *Study) Plan() ([]Stage, error) {
	var plan []Stage
	for i, table := range s.Stages {
		stage := Stage{Name: fmt.Sprint(i + 1), Populations: 1, Share: 1, Race: 400, Pace: 1}
		faults := assignTable(reflect.ValueOf(&stage).Elem(), "stage.", table)
		add := func(key, format string, args ...any) {
			faults = append(faults, wrong("stage."+key, format, args...))
		}
		if stage.Name == "" || FileName(stage.Name) != stage.Name {
			add("name", "%s", misnamed(stage.Name))
		}
		if n := stage.Populations; n < 1 || n > 1000 {
			add("populations", " must be in 1..1000, not %d", n)
		} else if i == len(s.Stages)-1 && n > 1 {
			add("populations", " must be 1 in the last stage, not %d: add a stage that merges them", n)
		}
		known := []string{"", Champions, Every, Own, Population}
		if !slices.Contains(known, stage.Founders) {
			add("founders", ": %s", input.Unknown("kind", stage.Founders, known[1:]))
		} else if i == 0 && stage.Founders != "" {
			add("founders", " must be left out of the first stage, which has none before it")
		}
		if stage.Best < 0 || i > 0 && stage.Best > plan[i-1].Populations {
			add("best", " must be 0, or up to the populations of the stage before, not %d", stage.Best)
		}
		if !(stage.Share > 0 && stage.Share < 1e9) {
			add("share", " must be above 0, not %v", stage.Share)
		}
		if stage.Least < 0 || stage.Least > 1e15 {
			add("least", " must be in 0..10^15, not %d", stage.Least)
		}
		if stage.Race < 2 || stage.Race%2 != 0 || stage.Race > 10_000_000 {
			add("race", " must be even and in 2..10000000, not %d", stage.Race)
		}
		if !(stage.Pace > 0 && stage.Pace < 1e9) {
			add("pace", " must be above 0, not %v", stage.Pace)
		}
		if err := errors.Join(faults...); err != nil {
			return nil, wrong("stage", " %d: %w", i+1, err)
		}
		plan = append(plan, stage)
	}
	for i := range plan {
		st := &plan[i]
		if s.Evolve.Games > 0 && st.Least > 0 {
			st.Populations = max(1, min(st.Populations, int(s.stageGames(plan, i)/st.Least)))
			st.Best = min(st.Best, st.Populations)
		}
		if i > 0 {
			st.Best = min(st.Best, plan[i-1].Populations)
		}
	}
	return plan, nil
}

// stageGames returns a stage's part of the study's budget; 0 for a study without.
func (s *Study) stageGames(plan []Stage, stage int) int64 {
	all := 0.0
	for i := range plan {
		all += plan[i].Share
	}
	return int64(float64(s.Evolve.Games) * (plan[stage].Share / all))
}

// StageStudy returns the study of a population of a stage, which descends from founders.
func (s *Study) StageStudy(plan []Stage, stage, population int, founders []string) (*Study, error) {
	st, last := &plan[stage], stage == len(plan)-1
	c := s.clone()
	c.Stages = nil
	if !last {
		c.Name += "-" + st.Name
		c.Measure.Against, c.Measure.Final, c.Measure.League = nil, 0, 0
	}
	seed := engine.Seed(s.Seed).Name("stage").Num(uint64(stage)).Num(uint64(population))
	c.Seed = uint64(seed) >> 1
	if len(founders) > 0 {
		c.Evolve.Founders.Species, c.Evolve.Founders.Share = founders, 1
		if st.Founders != Population {
			c.Evolve.Founders.Mutants = 0.5
		}
	}
	tree := map[string]any{}
	for key, table := range map[string]map[string]any{"evolve": st.Evolve, "settings": st.Settings} {
		if table != nil {
			tree[key] = table
		}
	}
	if err := assign(c, tree); err != nil {
		return nil, wrong("stage", " %d: %w", stage+1, err)
	}
	if s.Evolve.Games > 0 {
		c.Evolve.Games = max(1, s.stageGames(plan, stage)/int64(st.Populations))
	}
	return c, nil
}

// checkStages returns the first fault of the stages.
func (s *Study) checkStages() error {
	plan, err := s.Plan()
	if err != nil {
		return err
	}
	if len(plan) > 0 && s.Evolve.Seconds > 0 {
		return wrong("evolve.seconds", " must be 0 where there are stages, not %v: set evolve.games",
			s.Evolve.Seconds)
	}
	for i := range plan {
		var founders []string
		if plan[i].Founders != "" {
			founders = []string{"stage"} // there are none before the stage runs; check opens no file
		}
		c, err := s.StageStudy(plan, i, 0, founders)
		_, own := plan[i].Evolve["games"]
		switch {
		case err != nil:
		case c.Evolve.Seconds > 0:
			err = wrong("evolve.seconds", " must be 0 in a stage, not %v", c.Evolve.Seconds)
		case own && s.Evolve.Games > 0:
			err = wrong("evolve.games", " cannot be set in a stage where the study sets it, of "+
				"which each stage has its share")
		default:
			err = c.check()
		}
		if err != nil && !strings.HasPrefix(err.Error(), "stage") {
			err = wrong("stage", " %d: %w", i+1, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
