package evolve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/gp"
	"clade/gp/suggest"
)

// Config says how a population is bred. Default returns BrilliANT's settings, and "default" below
// means those; the zero value is refused by Check. The toml names are those of a study file.
type Config struct {
	// Population is the number of individuals an island; 2 to 1,000,000; default 2250.
	Population int `toml:"population"`
	// Islands are populations that meet only by migration; 1 to 1,000; default 1.
	Islands int `toml:"islands"`
	// Generations is 1 to 10,000,000; default 1350. It decides nothing where Games or Seconds does.
	Generations int `toml:"generations"`
	// Games ends the run with the generation in which selection and migration reach so many games;
	// 0 (default) means that Generations ends it. Zeros here and below are left out of what is
	// hashed.
	Games int64 `toml:"games,omitempty" json:",omitempty"`
	// Seconds ends the run with the generation that reaches so many seconds of breeding by the
	// clock, whatever has been bred by then: such a run does not repeat. Of Games and Seconds the
	// first that is reached ends it. Default 0.
	Seconds float64 `toml:"seconds,omitempty" json:",omitempty"`
	// StopAt is, in a game for one, a fitness at which the run ends with the generation that
	// reached it; 0 (default) means none.
	StopAt float64 `toml:"stop-at"`
	// Selection is "tournament" (default), "fitness", "pairs" or "race", see the constants.
	Selection string `toml:"selection"`
	// Replacement is "generational" (default) or "steady".
	Replacement string `toml:"replacement"`
	// Tournament is the number of individuals a tournament; 2 up to the population; default 5.
	// Pairs has none.
	Tournament int `toml:"tournament"`
	// Seats is the number of individuals a game; 2 to engine.MaxSeats; default 2. More than two
	// only with pairs, which then are groups of that size: the better half stays.
	Seats int `toml:"seats"`
	// Boards a match, each played once in each seat; 1 to 1,000; default 6.
	Boards int `toml:"boards"`
	// Once plays each board of a match of two once only, board i with the first seat for player i
	// mod 2: for games that favour no seat. Only with pairs; default false. False is left out of
	// what is hashed, so that fingerprints from before it stand.
	Once bool `toml:"once,omitempty" json:",omitempty"`
	// Hall is the number of champions of earlier generations that join a tournament, or an
	// individual's opponents, as opponents only, drawn anew every generation; 0 to 1,000; default
	// 0. With pairs it is how many individuals of an island meet one of them, or one for each other
	// seat, instead of other individuals. The species that a run descends from belong to the past,
	// too.
	Hall int `toml:"hall"`
	// HallDraw says how the opponents from the archive are drawn: "uniform" (default), by "nash"
	// weights or by "hardness", or from the "panel" instead, see the constants. It is left out of
	// what is hashed where unset.
	HallDraw string `toml:"hall-draw,omitempty" json:",omitempty" unset:"uniform"`
	// Elites are individuals of an island that live on unchanged; 0 up to the population less 1;
	// default 0.
	Elites int `toml:"elites"`
	// Parsimony lets the smaller genome win what else is a tie (lexicographic parsimony, Luke and
	// Panait 2002); default false.
	Parsimony bool `toml:"parsimony"`
	// Weights are those with which the primitives of the game's vocabulary grow, by name, see
	// gp.Grammar.Weighed: 1 to 100, and 0 switches one off. Default: the game's. Unset, it is left
	// out of what is hashed.
	Weights map[string]int `toml:"weights,omitempty" json:",omitempty"`
	// Founders says how the first generation grows.
	Founders Founders `toml:"founders"`
	// Variation says how children are made; default gp.PaperVariation.
	Variation gp.Variation `toml:"variation"`
	// Filter says which children are bred again before they play; default none.
	Filter Filter `toml:"filter,omitempty" json:",omitzero"`
	// Fitness is only for the selection "fitness".
	Fitness Fitness `toml:"fitness"`
	// Race is only for the selection "race".
	Race Race `toml:"race,omitempty" json:",omitzero"`
	// Migration is only for two islands or more.
	Migration Migration `toml:"migration"`
	// Champion says how the best of a generation is chosen.
	Champion Champion `toml:"champion"`
	// Probes says how behavioural diversity is measured.
	Probes Probes `toml:"probes"`
	// Lineage notes "both" parents (default), the "first" parent, whose root the child has, or
	// "none".
	Lineage string `toml:"lineage"`
	// Checkpoint is the number of generations between checkpoints; 1 or more; default 10.
	Checkpoint int `toml:"checkpoint"`
}

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

// Founders says how the first generation comes to be: descended from species, and, for the rest,
// grown by ramped half-and-half.
type Founders struct {
	// MinDepth is 1 up to the depth limit of variation; default 2.
	MinDepth int `toml:"min-depth"`
	// MaxDepth is MinDepth up to the depth limit of variation, and at most
	// gp.Grammar.DeepestGrowth; default 6.
	MaxDepth int `toml:"max-depth"`
	// Retries is how many times a founder is grown anew while it equals an earlier one of its
	// island; 0 to 10,000; default 0.
	Retries int `toml:"retries"`
	// Sensors lets the first founders of an island that grow be trees of one sensor, each sensor
	// once, in every slot; default false. What is unset of this and what follows is left out of
	// what is hashed, so that studies without keep their fingerprints.
	Sensors bool `toml:"sensors,omitempty" json:",omitempty"`
	// Species names the species that the first generation descends from, of which Setup.Founders
	// has the genomes; default none.
	Species []string `toml:"species,omitempty" json:",omitempty"`
	// Share is the part of the population, 0..1, that descends from the species, from each in turn;
	// 0 (default) is one individual of each.
	Share float64 `toml:"share,omitempty" json:",omitempty"`
	// Mutants is the chance, 0..1, that such an individual is a child of its species and not a
	// copy. Of each species the first individual is always a copy. Default 0.
	Mutants float64 `toml:"mutants,omitempty" json:",omitempty"`
}

// Fitness says what explicit fitness is.
type Fitness struct {
	// Measure is "wins" (default), the share of games won, ties half, or "score", the mean score a
	// game.
	Measure string `toml:"measure"`
	// Opponents are "random" (default) individuals, "all" individuals of the island (round robin;
	// population at most 10,000), the "panel" of Setup.Panel, or, in a game for one, "none".
	Opponents string `toml:"opponents"`
	// Count is the number of random opponents an individual; 1 up to the population less 1; default
	// 5.
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
// each island take random places on the next; or, with age layers, everybody moves up.
type Migration struct {
	// Every is the number of generations between migrations; 1 or more; default 10.
	Every int `toml:"every"`
	// Migrants is how many copies an island sends; 0 up to the population; default 10. Age layers
	// have none.
	Migrants int `toml:"migrants"`
	// Layers makes the islands age layers, the first the youngest, see layers.go; two islands or
	// more; default false, which is left out of what is hashed.
	Layers bool `toml:"layers,omitempty" json:",omitempty"`
}

// Champion says how the best individual of a generation is chosen: candidates race, and in each
// round of games the better half stays. The candidates are those with the greatest selection count.
// What the race finds never feeds selection, unless Config.Hall lets champions return as opponents.
type Champion struct {
	// Against is "population" (default) for individuals drawn from all islands, as in a round
	// robin; "panel" for Setup.Reference; "fitness" for no opponents, where the fittest is the
	// champion, in a game for one; or "none" for no champion.
	Against string `toml:"against"`
	// Candidates is 1 or more; 0 means all individuals; default 64.
	Candidates int `toml:"candidates"`
	// Games is how many each of the last two candidates has played; 8 or more; default 256.
	Games int `toml:"games"`
	// Every is the number of generations from choice to choice; the last generation always has one;
	// 1 or more; default 1.
	Every int `toml:"every"`
	// Archive is the share of racing rounds, 0..1, whose opponent is a champion of an earlier
	// generation, or a species that the run descends from: who beats the present population only
	// does not pass. Only against "population"; default 0, which is left out of what is hashed.
	Archive float64 `toml:"archive,omitempty" json:",omitempty"`
	// Tune is how many games the constants of the last generation's champion are tuned with, see
	// tune.go: 10,000 to 10,000,000; 0 (default) is not tuned, and left out of what is hashed. Not
	// with more than two seats.
	Tune int `toml:"tune,omitempty" json:",omitempty"`
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
	// Games is 0 to 1,000; 0 means no measurement; default 2.
	Games int `toml:"games"`
	// Every is the number of generations from measurement to measurement; 1 or more; default 10.
	Every int `toml:"every"`
}

// Migrates tells whether migrants move at the beginning of a generation.
func (c *Config) Migrates(generation int) bool {
	return c.immigrants() > 0 && generation < c.horizon() && (generation+1)%c.Migration.Every == 0
}

// immigrants is how many individuals an island takes in at a migration, at most.
func (c *Config) immigrants() int {
	switch {
	case c.Islands < 2:
		return 0
	case c.Migration.Layers:
		return c.Population
	default:
		return c.Migration.Migrants
	}
}

// HasChampion tells whether a generation has a champion whether or not it ends the run: the last
// one has one, too.
func (c *Config) HasChampion(generation int) bool {
	return c.Champion.Against != Nobody && generation%c.Champion.Every == 0
}

// maxGenerations bounds every run.
const maxGenerations = 10_000_000

// Budgeted tells whether a budget ends the run, and not a number of generations.
func (c *Config) Budgeted() bool { return c.Games > 0 || c.Seconds > 0 }

// horizon is the number of generations that a run has at most.
func (c *Config) horizon() int {
	if c.Budgeted() {
		return maxGenerations
	}
	return c.Generations
}

// Spent is what a run has taken so far.
type Spent struct {
	Generations int
	Games       int64   // of selection and migration
	Seconds     float64 // of breeding
}

// Share returns the part of a run that is done, 0..1.
func (c *Config) Share(s Spent) float64 {
	share := 0.0
	if !c.Budgeted() {
		share = float64(s.Generations) / float64(c.Generations)
	}
	if c.Games > 0 {
		share = float64(s.Games) / float64(c.Games)
	}
	if c.Seconds > 0 {
		share = max(share, s.Seconds/c.Seconds)
	}
	return min(share, 1)
}

// Expected returns how many generations a run will have, as far as can be told from what it has
// taken; 0 where a budget ends it and it has not begun.
func (c *Config) Expected(s Spent) int {
	share := c.Share(s)
	switch {
	case !c.Budgeted():
		return c.Generations
	case share == 0:
		return 0
	default:
		return max(s.Generations, int(math.Ceil(float64(s.Generations)/share)))
	}
}

// draw returns how opponents are drawn from the archive.
func (c *Config) draw() string { return cmp.Or(c.HallDraw, Uniform) }

// weighted tells whether they are drawn by payoffs.
func (c *Config) weighted() bool { return c.draw() == Nash || c.draw() == Hardness }

// UsesHall tells whether selection plays champions of earlier generations.
func (c *Config) UsesHall() bool { return c.Hall > 0 && c.draw() != Panel }

// Fault is a setting that is wrong.
type Fault struct {
	Key     string // of the setting, as in a study file; empty where there is none
	Problem string // a sentence that begins with the key, if there is one
}

func (f *Fault) Error() string { return f.Problem }

// faults collects what is wrong.
type faults []error

func (f *faults) add(key, format string, args ...any) {
	*f = append(*f, &Fault{key, strings.TrimSpace(key + " " + fmt.Sprintf(format, args...))})
}

func (f *faults) within(name string, v, low, high int) bool {
	if v < low || v > high {
		f.add(name, "must be in %d..%d, not %d", low, high, v)
		return false
	}
	return true
}

// join joins the faults into one error, of several of one setting the first.
func (f faults) join() error {
	seen := map[string]bool{}
	return errors.Join(slices.DeleteFunc(f, func(err error) bool {
		one, ok := err.(*Fault)
		again := ok && one.Key != "" && seen[one.Key]
		if ok {
			seen[one.Key] = true
		}
		return again
	})...)
}

func (f *faults) among(name, v string, known ...string) {
	if !slices.Contains(known, v) {
		*f = append(*f, &Fault{name, name + ": " + suggest.Unknown("setting", v, known)})
	}
}
