package evolve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/gp"
	"clade/gp/input"
)

// Config holds the settings of breeding. Default returns BrilliANT's, and "default" below means
// those; Check refuses the zero value. The toml names are those of a study file.
type Config struct {
	// Population is the number of individuals on an island; 2 to 1,000,000; default 2250.
	Population int `toml:"population"`
	// Islands are populations that meet only by migration; 1 to 1,000; default 1.
	Islands int `toml:"islands"`
	// Generations is 1 to 10,000,000; default 1350. It has no effect if Games or Seconds is set.
	Generations int `toml:"generations"`
	// Games ends the run with the generation in which selection and migration reach this number of
	// games; 0 (default) means that Generations ends it. Here and below, a setting with omitempty
	// is left out of the fingerprint where it is unset, so that studies without it keep theirs.
	Games int64 `toml:"games,omitempty" json:",omitempty"`
	// Seconds ends the run with the generation that reaches this many seconds of breeding by the
	// clock, so such a run is not reproducible. Where Games is set, too, the run ends with the
	// first that is reached. Default 0.
	Seconds float64 `toml:"seconds,omitempty" json:",omitempty"`
	// StopAt ends the run, in a game for one, with the generation that reaches this fitness; 0
	// (default) means none.
	StopAt float64 `toml:"stop-at"`
	// Selection is "tournament" (default), "fitness", "pairs" or "race", see the constants.
	Selection string `toml:"selection"`
	// Replacement is "generational" (default) or "steady".
	Replacement string `toml:"replacement"`
	// Tournament is the number of individuals in a tournament; 2 up to the population; default 5.
	// It has no effect with pairs.
	Tournament int `toml:"tournament"`
	// Seats is the number of individuals in a game; 2 to engine.MaxSeats; default 2. More than two
	// need the selection "pairs", whose pairs then are groups of that size, of which the better
	// half stays.
	Seats int `toml:"seats"`
	// Boards is the number of boards in a match, each played once in each seat; 1 to 1,000; default
	// 6.
	Boards int `toml:"boards"`
	// Once plays each board of a match of two once only, board i with the first seat for player i
	// mod 2: for games in which no seat is better. Only with pairs; default false.
	Once bool `toml:"once,omitempty" json:",omitempty"`
	// Hall is the number of champions of earlier generations that join a tournament, or an
	// individual's opponents, as opponents only, drawn anew every generation; 0 to 1,000; default
	// 0. With pairs it is the number of individuals of an island that meet such champions, one for
	// each other seat, instead of other individuals. Species that a run descends from count as
	// champions here.
	Hall int `toml:"hall"`
	// HallDraw says how the opponents from the archive are drawn: "uniform" (default), by "nash"
	// weights or by "hardness", or from the "panel" instead, see the constants.
	HallDraw string `toml:"hall-draw,omitempty" json:",omitempty" unset:"uniform"`
	// Elites is the number of individuals of an island that survive unchanged; 0 up to the
	// population less 1; default 0.
	Elites int `toml:"elites"`
	// Parsimony breaks ties: the smaller genome wins (lexicographic parsimony, Luke and
	// Panait 2002); default false.
	Parsimony bool `toml:"parsimony"`
	// Weights are the weights of operators when trees grow, by name, see gp.Grammar.Weighed: 1 to
	// 100, and 0 switches an operator off. Default: the game's.
	Weights map[string]int `toml:"weights,omitempty" json:",omitempty"`
	// Vary names the slots whose trees variation changes; the others stay what the founders have, as
	// in layered learning (Stone and Veloso, 2000). Default: all.
	Vary []string `toml:"vary,omitempty" json:",omitempty"`
	// Founders says how the first generation is made.
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
	// Lineage is which parents the lineage records: "both" (default), the "first", whose root the
	// child has, or "none".
	Lineage string `toml:"lineage"`
	// Checkpoint is the number of generations between checkpoints; 1 or more; default 10.
	Checkpoint int `toml:"checkpoint"`
}

// Kinds of replacement.
const (
	// replaceAll replaces all individuals but the elites at once.
	replaceAll = "generational"
	// replaceLosers puts each child in the place of an individual that lost in its parent's
	// tournament. A generation has as many births as there are individuals.
	replaceLosers = "steady"
)

// Kinds of lineage.
const (
	lineageBoth  = "both"
	lineageFirst = "first"
	lineageNone  = "none"
)

// Founders holds the settings of the first generation: some individuals descend from species, and
// the others are grown by ramped half-and-half.
type Founders struct {
	// MinDepth is 1 up to the depth limit of variation; default 2.
	MinDepth int `toml:"min-depth"`
	// MaxDepth is MinDepth up to the depth limit of variation, and at most
	// gp.Grammar.DeepestGrowth; default 6.
	MaxDepth int `toml:"max-depth"`
	// Retries is how often a founder that equals an earlier one of its island is grown anew at
	// most; 0 to 10,000; default 0.
	Retries int `toml:"retries"`
	// Sensors makes the first grown founders of an island trees of a single sensor, one founder for
	// each sensor, with that tree in every slot; default false.
	Sensors bool `toml:"sensors,omitempty" json:",omitempty"`
	// Species names the species that the first generation descends from. Setup.Founders has their
	// genomes. Default none.
	Species []string `toml:"species,omitempty" json:",omitempty"`
	// Share is the share of the population, 0..1, that descends from the species, from each in
	// turn; 0 (default) means one individual for each species.
	Share float64 `toml:"share,omitempty" json:",omitempty"`
	// Mutants is the chance, 0..1, that such an individual is a child of its species and not a
	// copy. Of each species the first individual is always a copy. Default 0.
	Mutants float64 `toml:"mutants,omitempty" json:",omitempty"`
}

// Fitness holds the settings of explicit fitness.
type Fitness struct {
	// Measure is "wins" (default), the share of games won with ties as halves, or "score", the mean
	// score of a game.
	Measure string `toml:"measure"`
	// Opponents are "random" (default) individuals, "all" individuals of the island (round robin;
	// population at most 10,000), the "panel" of Setup.Panel, or, in a game for one, "none".
	Opponents string `toml:"opponents"`
	// Count is the number of random opponents of an individual; 1 up to the population less 1;
	// default 5.
	Count int `toml:"count"`
}

// Kinds of fitness measures and of opponents.
const (
	measureWins     = "wins"
	measureScore    = "score"
	randomOpponents = "random"
	allOpponents    = "all"
	panel           = "panel"
)

// Migration holds the settings of migration. On a ring, copies of selected individuals of each
// island take random places on the next; with age layers all individuals move up.
type Migration struct {
	// Every is the number of generations between migrations; 1 or more; default 10.
	Every int `toml:"every"`
	// Migrants is how many copies an island sends; 0 up to the population; default 10. It has no
	// effect with age layers.
	Migrants int `toml:"migrants"`
	// Layers makes the islands age layers, the first the youngest, see layers.go; two islands or
	// more; default false.
	Layers bool `toml:"layers,omitempty" json:",omitempty"`
}

// Champion holds the settings by which the best individual of a generation is chosen: the
// individuals with the greatest selection counts race, and after each stage the better half stays.
// The race has no effect on selection, unless Config.Hall makes champions opponents.
type Champion struct {
	// Against is the opponents of the candidates: "population" (default), drawn from all islands,
	// or "panel", those of Setup.Reference. With "fitness", in a game for one, there is no race and
	// the fittest is the champion; with "none" there is no champion.
	Against string `toml:"against"`
	// Candidates is 1 or more; 0 means all individuals; default 64.
	Candidates int `toml:"candidates"`
	// Games is how many games each of the last two candidates has played; 8 or more; default 256.
	Games int `toml:"games"`
	// Every is the number of generations between champions; the last generation always has one; 1
	// or more; default 1.
	Every int `toml:"every"`
	// Archive is the share of racing rounds, 0..1, whose opponent is from the archive, so that a
	// candidate that only beats the present population is not chosen. Only against "population";
	// default 0.
	Archive float64 `toml:"archive,omitempty" json:",omitempty"`
	// Former makes the run's earlier champions candidates in the race of the last generation, since
	// populations forget: the last champion is then the best of all. Only with Archive; default
	// false.
	Former bool `toml:"former,omitempty" json:",omitempty"`
	// Tune is the number of games that tune the constants of the last generation's champion, see
	// tune.go: 10,000 to 10,000,000; 0 (default) means no tuning. Not with more than two seats.
	Tune int `toml:"tune,omitempty" json:",omitempty"`
}

// Values of Champion.Against besides panel. nobody is also a value of Fitness.Opponents, in a game
// for one.
const (
	inside  = "population"
	nobody  = "none"
	fittest = "fitness" // no race: the fittest is the champion
)

// Probes holds the settings by which behavioural diversity is measured: each individual plays the
// same few games against one opponent grown from the run's seed, and the distinct fingerprints of
// all decisions are counted.
type Probes struct {
	// Games is 0 to 1,000; 0 means no measurement; default 2.
	Games int `toml:"games"`
	// Every is the number of generations between measurements; 1 or more; default 10.
	Every int `toml:"every"`
}

// Migrates tells whether migrants move at the beginning of a generation.
func (c *Config) Migrates(generation int) bool {
	return c.immigrants() > 0 && generation < c.horizon() && (generation+1)%c.Migration.Every == 0
}

// immigrants is the greatest number of individuals that an island takes in at a migration.
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

// HasChampion tells whether a generation has a champion by Champion.Every. The last generation
// always has one.
func (c *Config) HasChampion(generation int) bool {
	return c.Champion.Against != nobody && generation%c.Champion.Every == 0
}

// maxGenerations bounds every run.
const maxGenerations = 10_000_000

// Budgeted tells whether the run ends by Games or Seconds, and not by Generations.
func (c *Config) Budgeted() bool { return c.Games > 0 || c.Seconds > 0 }

// horizon is the greatest number of generations of a run.
func (c *Config) horizon() int {
	if c.Budgeted() {
		return maxGenerations
	}
	return c.Generations
}

// Spent is the cost of a run so far.
type Spent struct {
	Generations int
	Games       int64   // of selection and migration
	Seconds     float64 // of breeding
}

// Share returns the share of a run that is done, 0..1.
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

// Expected estimates how many generations a run will have from its cost so far; 0 for a run with a
// budget that has not begun.
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

// draw returns HallDraw with its default.
func (c *Config) draw() string { return cmp.Or(c.HallDraw, uniform) }

// weighted tells whether opponents are drawn by payoffs.
func (c *Config) weighted() bool { return c.draw() == nash || c.draw() == hardness }

// UsesHall tells whether selection plays champions of earlier generations.
func (c *Config) UsesHall() bool { return c.Hall > 0 && c.draw() != panel }

// faults collects what is wrong, each an input.Fault whose text begins with the key, if it has one.
type faults []error

func (f *faults) add(key, format string, args ...any) {
	*f = append(*f, input.Faultf(key, "%s", strings.TrimSpace(key+" "+fmt.Sprintf(format, args...))))
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
		one, ok := err.(*input.Fault)
		again := ok && one.Key != "" && seen[one.Key]
		if ok {
			seen[one.Key] = true
		}
		return again
	})...)
}

func (f *faults) among(name, v string, known ...string) {
	if !slices.Contains(known, v) {
		*f = append(*f, input.Faultf(name, "%s: %s", name, input.Unknown("setting", v, known)))
	}
}
