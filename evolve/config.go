package evolve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/engine"
	"clade/gp"
	"clade/gp/suggest"
)

// Config says how a population is bred. Default returns BrilliANT's settings, and "default" below
// means those; the zero value is refused by Check. The toml names are those of a study file.
type Config struct {
	// individuals an island; 2 to 1,000,000; default 2250
	Population int `toml:"population"`
	// populations that meet only by migration; 1 to 1,000; default 1
	Islands int `toml:"islands"`
	// 1 to 10,000,000; default 1350
	Generations int `toml:"generations"`
	// in a game for one: a fitness at which the run ends with the generation that reached it; 0
	// (default) means none
	StopAt float64 `toml:"stop-at"`
	// "tournament" (default), "fitness" or "pairs", see the constants
	Selection string `toml:"selection"`
	// "generational" (default) or "steady"
	Replacement string `toml:"replacement"`
	// individuals a tournament; 2 up to the population; default 5. Pairs has none
	Tournament int `toml:"tournament"`
	// individuals a game; 2 to engine.MaxSeats; default 2. More than two only with pairs, which
	// then are groups of that size: the better half stays
	Seats int `toml:"seats"`
	// boards a match, each played once in each seat; 1 to 1,000; default 6
	Boards int `toml:"boards"`
	// in a match of two, each board is played once only, board i with the first seat for player i
	// mod 2: for games that favour no seat; only with pairs; default false, and then left out of
	// what is hashed, so that fingerprints from before it stand
	Once bool `toml:"once,omitempty" json:",omitempty"`
	// champions of earlier generations that join a tournament, or an individual's opponents, as
	// opponents only, drawn anew every generation; 0 to 1,000; default 0
	Hall int `toml:"hall"`
	// individuals of an island that live on unchanged; 0 up to the population less 1; default 0
	Elites int `toml:"elites"`
	// what else is a tie is won by the smaller genome (lexicographic parsimony, Luke and Panait
	// 2002); default false
	Parsimony bool `toml:"parsimony"`
	// how the first generation grows
	Founders Founders `toml:"founders"`
	// how children are made; default gp.PaperVariation
	Variation gp.Variation `toml:"variation"`
	// only for the selection "fitness"
	Fitness Fitness `toml:"fitness"`
	// only for two islands or more
	Migration Migration `toml:"migration"`
	// how the best of a generation is chosen
	Champion Champion `toml:"champion"`
	// how behavioural diversity is measured
	Probes Probes `toml:"probes"`
	// "both" parents (default), "first" parent, whose root the child has, or "none"
	Lineage string `toml:"lineage"`
	// generations between checkpoints; 1 or more; default 10
	Checkpoint int `toml:"checkpoint"`
}

// Kinds of selection.
const (
	// ByTournament makes the winner of a single-elimination tournament among Config.Tournament
	// random individuals a parent: BrilliANT's way.
	ByTournament = "tournament"
	// ByFitness gives every individual a fitness by games, and makes the fittest of
	// Config.Tournament random individuals a parent.
	ByFitness = "fitness"
	// ByPairs shuffles the population and plays one match a pair: winners stay, and children of
	// random winners take the losers' places. With more than two seats it plays one melee a group.
	ByPairs = "pairs"
)

// Kinds of replacement.
const (
	// Generational replaces all individuals but the elites at once.
	Generational = "generational"
	// Steady lets each child take the place of an individual that lost in its parent's tournament.
	// A generation is as many births as there are individuals.
	Steady = "steady"
)

// Kinds of lineage.
const (
	LineageBoth  = "both"
	LineageFirst = "first"
	LineageNone  = "none"
)

// Founders says how the first generation grows: ramped half-and-half.
type Founders struct {
	MinDepth int `toml:"min-depth"` // 1 up to the depth limit of variation; default 2
	// MinDepth up to the depth limit of variation, and at most gp.Grammar.DeepestGrowth; default 6
	MaxDepth int `toml:"max-depth"`
	// times that a founder is grown anew while it equals an earlier one of its island; 0 to 10,000;
	// default 0
	Retries int `toml:"retries"`
}

// Fitness says what explicit fitness is.
type Fitness struct {
	// "wins" (default): the share of games won, ties half; or "score": the mean score a game
	Measure string `toml:"measure"`
	// "random" (default) individuals, "all" individuals of the island (round robin; population at
	// most 10,000), the "panel" of Setup.Panel, or, in a game for one, "none"
	Opponents string `toml:"opponents"`
	// random opponents an individual; 1 up to the population less 1; default 5
	Count int `toml:"count"`
}

// Kinds of fitness measures and of opponents.
const (
	Wins   = "wins"
	Score  = "score"
	Random = "random"
	All    = "all"
	Panel  = "panel"
)

// Migration says how islands exchange individuals: on a ring, copies of selected individuals of
// each island take random places on the next.
type Migration struct {
	Every    int `toml:"every"`    // generations between migrations; 1 or more; default 10
	Migrants int `toml:"migrants"` // copies an island sends; 0 up to the population; default 10
}

// Champion says how the best individual of a generation is chosen: candidates race, and in each
// round of games the better half stays. The candidates are those that selection favoured most; what
// the race finds never feeds selection, unless Config.Hall lets champions return as opponents.
type Champion struct {
	// "population" (default): individuals drawn from all islands, as in a round robin; "panel":
	// Setup.Reference; "fitness": nobody, the fittest is the champion, in a game for one; or
	// "none": no champion
	Against    string `toml:"against"`
	Candidates int    `toml:"candidates"` // 1 or more; 0 means all individuals; default 64
	// games that each of the last two candidates has played; 8 or more; default 256
	Games int `toml:"games"`
	// generations from choice to choice; the last generation always has one; 1 or more; default 1
	Every int `toml:"every"`
}

// Opponents of the candidates, besides Panel. Nobody also stands for the opponents of explicit
// fitness in a game for one.
const (
	Inside  = "population"
	Nobody  = "none"
	Fittest = "fitness" // no race: the fittest is the champion
)

// Probes says how behavioural diversity is measured: each individual plays the same few games
// against one opponent grown from the run's seed, and the distinct fingerprints of all decisions
// are counted.
type Probes struct {
	Games int `toml:"games"` // 0 to 1,000; 0 means no measurement; default 2
	Every int `toml:"every"` // generations from measurement to measurement; 1 or more; default 10
}

// Default returns the settings of BrilliANT's run (RA-05/07, Table 1); where the paper is silent,
// ECJ's defaults.
func Default() Config {
	return Config{
		Population: 2250, Islands: 1, Generations: 1350,
		Selection: ByTournament, Replacement: Generational, Tournament: 5, Seats: 2, Boards: 6,
		Founders:  Founders{MinDepth: 2, MaxDepth: 6},
		Variation: gp.PaperVariation,
		Fitness:   Fitness{Measure: Wins, Opponents: Random, Count: 5},
		Migration: Migration{Every: 10, Migrants: 10},
		Champion:  Champion{Against: Inside, Candidates: 64, Games: 256, Every: 1},
		Probes:    Probes{Games: 2, Every: 10},
		Lineage:   LineageBoth, Checkpoint: 10,
	}
}

// migrates tells whether migrants move at the beginning of a generation.
func (c *Config) migrates(generation int) bool {
	return c.Islands > 1 && c.Migration.Migrants > 0 && generation < c.Generations &&
		(generation+1)%c.Migration.Every == 0
}

// Check tells everything that is wrong with the settings, joined into one error, a fault a line;
// nil if nothing is.
func (c *Config) Check() error {
	f := faults{}
	f.within("population", c.Population, 2, 1_000_000)
	f.within("islands", c.Islands, 1, 1000)
	f.within("generations", c.Generations, 1, 10_000_000)
	f.among("selection", c.Selection, ByTournament, ByFitness, ByPairs)
	f.among("replacement", c.Replacement, Generational, Steady)
	f.within("seats", c.Seats, 2, min(engine.MaxSeats, max(2, c.Population)))
	f.within("boards", c.Boards, 1, 1000)
	f.within("hall", c.Hall, 0, 1000)
	f.within("elites", c.Elites, 0, max(0, c.Population-1))
	c.checkFounders(&f)
	// gp.Grammar.Depth keeps 64 levels without allocation
	f.within("variation.max-depth", c.Variation.MaxDepth, 1, 60)
	if err := c.Variation.Check(); err != nil {
		key := "variation"
		var wrong *suggest.Fault
		if errors.As(err, &wrong) {
			key += "." + wrong.Key
		}
		f = append(f, &Fault{key, "variation: " + err.Error()})
	}
	if c.Selection != ByPairs {
		f.within("tournament", c.Tournament, 2, max(2, c.Population))
	}
	if c.Selection == ByFitness {
		f.among("fitness.measure", c.Fitness.Measure, Wins, Score)
		f.among("fitness.opponents", c.Fitness.Opponents, Random, All, Panel, Nobody)
		if c.Fitness.Opponents == All && c.Population > 10_000 {
			// for its table's sake
			f.add("population", "must be at most 10000 for a round robin, not %d", c.Population)
		}
		if c.Fitness.Opponents == Random {
			f.within("fitness.count", c.Fitness.Count, 1, max(1, c.Population-1))
		}
	}
	if c.Islands > 1 {
		f.within("migration.every", c.Migration.Every, 1, 10_000_000)
		f.within("migration.migrants", c.Migration.Migrants, 0, max(0, c.Population))
	}
	f.among("champion.against", c.Champion.Against, Inside, Panel, Fittest, Nobody)
	if c.Champion.Against != Nobody {
		if c.Champion.Against != Fittest {
			f.within("champion.candidates", c.Champion.Candidates, 0, 1_000_000_000)
			f.within("champion.games", c.Champion.Games, 8, 1_000_000)
		}
		f.within("champion.every", c.Champion.Every, 1, 10_000_000)
	}
	f.within("probes.games", c.Probes.Games, 0, 1000)
	if c.Probes.Games > 0 {
		f.within("probes.every", c.Probes.Every, 1, 10_000_000)
	}
	f.among("lineage", c.Lineage, LineageBoth, LineageFirst, LineageNone)
	f.within("checkpoint", c.Checkpoint, 1, 10_000_000)
	c.checkTogether(&f)
	c.checkSolitary(&f)
	return errors.Join(f...)
}

// checkFounders finds founders that cannot grow, or deeper than their children may be.
func (c *Config) checkFounders(f *faults) {
	limit, least := max(1, c.Variation.MaxDepth), c.Founders.MinDepth
	f.within("founders.min-depth", least, 1, limit)
	if least < 1 || least > limit {
		least = 1 // one fault is said once
	}
	f.within("founders.max-depth", c.Founders.MaxDepth, least, limit)
	f.within("founders.retries", c.Founders.Retries, 0, 10_000)
}

// checkTogether finds settings that are sound alone and contradict each other.
func (c *Config) checkTogether(f *faults) {
	if c.Selection == ByPairs {
		if c.Replacement == Steady {
			f.add("replacement",
				"must be %q with the selection %q, which has its own: winners stay",
				Generational, ByPairs)
		}
		if c.Hall > 0 {
			f.add("hall", "must be 0 with the selection %q, where individuals meet in pairs only",
				ByPairs)
		}
	}
	if c.Once && (c.Selection != ByPairs || c.Seats > 2) {
		f.add("once", "must be false without pairs, that is with the selection %q and %d seats",
			c.Selection, c.Seats)
	}
	if c.Seats > 2 && c.Selection != ByPairs {
		f.add("seats", "must be 2 with the selection %q; only %q has groups of more", c.Selection,
			ByPairs)
	}
	if c.Elites > 0 && (c.Selection == ByPairs || c.Replacement == Steady) {
		f.add("elites", "must be 0 where winners stay anyway, with the selection %q and the "+
			"replacement %q", ByPairs, Steady)
	}
	if c.Hall > 0 && c.Champion.Against == Nobody {
		f.add("hall", "needs champions; set champion.against to %q or %q, or hall to 0", Inside,
			Panel)
	}
	if c.Population*max(1, c.Islands) > 10_000_000 {
		f.add("population", "times islands must be at most 10,000,000, not %d",
			c.Population*c.Islands)
	}
}

// solitary tells whether individuals play alone: nobody meets anybody, and fitness is the score of
// an own game.
func (c *Config) solitary() bool {
	return c.Selection == ByFitness && c.Fitness.Opponents == Nobody
}

// checkSolitary finds what contradicts playing alone, or needs it.
func (c *Config) checkSolitary(f *faults) {
	if !c.solitary() {
		if c.Champion.Against == Fittest {
			f.add("champion.against",
				"is %q, which needs fitness without opponents; set it to %q, "+
					"%q or %q", Fittest, Inside, Panel, Nobody)
		}
		if c.StopAt != 0 {
			f.add("stop-at", "must be 0 where individuals have opponents, not %v: no score is the "+
				"best for ever", c.StopAt)
		}
		return
	}
	if c.Fitness.Measure != Score {
		f.add("fitness.measure", "must be %q where individuals play alone, not %q", Score,
			c.Fitness.Measure)
	}
	if c.Hall > 0 {
		f.add("hall", "must be 0 where individuals play alone, not %d", c.Hall)
	}
	if a := c.Champion.Against; a != Fittest && a != Nobody {
		f.add("champion.against", "must be %q or %q where individuals play alone, not %q", Fittest,
			Nobody, a)
	}
	if math.IsNaN(c.StopAt) || math.IsInf(c.StopAt, 0) {
		f.add("stop-at", "must be a finite number, not %v", c.StopAt)
	} else if c.StopAt != 0 && c.Champion.Against != Fittest {
		f.add("stop-at", "needs champion.against to be %q, not %q", Fittest, c.Champion.Against)
	}
}

// Fault is a setting that is wrong.
type Fault struct {
	Key     string // of the setting, as in a study file; empty where there is none
	Problem string // a sentence that begins with the key, if there is one
}

func (f *Fault) Error() string { return "evolve: " + f.Problem }

// faults collects what is wrong.
type faults []error

func (f *faults) add(key, format string, args ...any) {
	*f = append(*f, &Fault{key, strings.TrimSpace(key + " " + fmt.Sprintf(format, args...))})
}

func (f *faults) within(name string, v, low, high int) {
	if v < low || v > high {
		f.add(name, "must be in %d..%d, not %d", low, high, v)
	}
}

func (f *faults) among(name, v string, known ...string) {
	if !slices.Contains(known, v) {
		*f = append(*f, &Fault{name, name + ": " + suggest.Unknown("setting", v, known)})
	}
}

// Check tells everything that is wrong with the settings, and what they need and the rest of the
// setup lacks; nil if nothing is. Create and Resume check, too.
func (s *Setup) Check() error {
	if s.Game == nil {
		return errors.New("evolve: the setup has no game")
	}
	f := faults{}
	if err := s.Config.Check(); err != nil {
		f = append(f, err)
	}
	if info := s.Game.Info(); s.Config.solitary() != (info.MaxSeats == 1) {
		if info.MaxSeats == 1 {
			f.add("", "%s is for one player, and nobody can meet anybody; set selection to %q, "+
				"fitness.measure to %q, fitness.opponents to %q and champion.against to %q",
				info.Name, ByFitness, Score, Nobody, Fittest)
		} else {
			f.add("fitness.opponents",
				"is %q, and %s is not for one player; set it to %q, %q or %q",
				Nobody, info.Name, Random, All, Panel)
		}
	} else if !s.Config.solitary() && s.Contest == nil && (info.MinSeats > 2 || info.MaxSeats < 2) {
		f.add("", "%s has %d to %d seats, and a match is for two; the setup needs a contest of "+
			"its own",
			info.Name, info.MinSeats, info.MaxSeats)
	}
	if info := s.Game.Info(); s.Config.Seats > max(2, info.MaxSeats) {
		f.add("seats", "must be at most %d, which %s has, not %d", info.MaxSeats, info.Name,
			s.Config.Seats)
	}
	if s.Config.Selection == ByFitness && s.Config.Fitness.Opponents == Panel && len(s.Panel) == 0 {
		f.add("fitness.opponents", "is %q, and the panel is empty; name its players", Panel)
	}
	if s.Config.Champion.Against == Panel && len(s.Reference) == 0 {
		f.add("champion.against", "is %q, and the reference panel is empty; name its players",
			Panel)
	}
	if s.Elsewhere != nil && s.Config.Islands < 2 {
		f.add("islands",
			"must be 2 or more to be bred elsewhere, not %d; a sweep spreads whole runs",
			s.Config.Islands)
	}
	if s.Elsewhere != nil && s.Config.Hall > 0 {
		f.add("hall",
			"must be 0 where islands are bred elsewhere, not %d: champions of all islands "+
				"would be needed on each in every generation", s.Config.Hall)
	}
	if s.Together != nil && (s.Config.Islands > 1 || s.Config.Hall > 0 || s.Config.solitary()) {
		f.add("", "games are shared with other machines only where islands is 1, hall is 0, and "+
			"individuals meet others")
	}
	g := s.Game.Grammar()
	for _, slot := range g.Slots {
		if d := g.TypeDepth(slot.Type); d > s.Config.Variation.MaxDepth {
			f.add("variation.max-depth",
				"is %d, and the smallest tree for slot %q of %s has depth %d",
				s.Config.Variation.MaxDepth, slot.Name, s.Game.Info().Name, d)
		}
	}
	for _, depth := range []struct {
		key string
		v   int
	}{{"founders.max-depth", s.Config.Founders.MaxDepth},
		{"variation.grow-depth", s.Config.Variation.GrowDepth}} {
		if most := g.DeepestGrowth(); depth.v > most {
			f.add(depth.key, "is %d, and a tree of %s that grows so deep can fill the memory; the "+
				"most is %d", depth.v, s.Game.Info().Name, most)
		}
	}
	if s.Workers < 0 || s.Workers > maxWorkers {
		f.add("workers", "must be in 0..%d, not %d", maxWorkers, s.Workers)
	}
	for _, p := range [][]engine.Player{s.Panel, s.Reference} {
		if slices.Contains(p, nil) {
			f.add("", "a panel holds a player that is nil")
		}
	}
	return errors.Join(f...)
}
