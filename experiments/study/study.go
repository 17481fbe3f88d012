// Package study reads studies: TOML files that name a game, how its population is bred, what is
// measured, and which settings a sweep tries. It runs nothing.
package study

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/analysis/figure"
	"clade/engine"
	"clade/evolve"
	"clade/experiments/player"
	"clade/gp/input"
)

// Study is one experiment as a file describes it: which game, which players measure it, and how the
// population is bred. Parse documents the file.
type Study struct {
	// of the run directory: letters, digits, hyphens and underscores; default the file's name
	Name     string `toml:"name"`
	Question string `toml:"question"` // what the study asks, for reports
	Game     string `toml:"game"`     // its name in commands
	// of everything random; default 1. At most 2^63-1, the largest whole number of TOML
	Seed    uint64        `toml:"seed"`
	Players Players       `toml:"players"`
	Measure Measure       `toml:"measure"`
	Evolve  evolve.Config `toml:"evolve"`
	// pointer to the game's own settings, nil for a game without
	Settings any `toml:"settings,omitempty"`
	// what is drawn of the settings, by key; the values in Settings are those of the game
	draws []draw
	// what a sweep tries; nil for a study of one run
	Sweep *Sweep `toml:"sweep,omitempty"`
	// how the curves of the runs are drawn; nil for the theme
	Figures *figure.Look `toml:"figures,omitempty"`
	// tables [[stage]], see Stage; none for a study of one stage
	Stages []map[string]any `toml:"stage,omitempty"`

	scope player.Scope // what the study may name
	found *found       // what the cells of a grid have found already; nil for none
	laid  *laid        // the sweep as it was laid out when the study was read; nil for none
}

// laid is a grid with the text of its study.
type laid struct {
	grid *Grid
	text []byte
}

// found caches what many cells of a grid share: games by their settings, and the names of players
// that exist. It keeps no players, which may be large.
type found struct {
	games   map[string]engine.Game
	players map[[2]string]bool // by settings and name
}

// game is NewGame with a cache of the games of a grid. It returns the settings as a text.
func (s *Study) game() (g engine.Game, settings string, err error) {
	if s.found == nil || fileOf(s.Settings) != "" {
		g, err = s.NewGame()
		return g, "", err
	}
	if s.Settings != nil {
		settings = fmt.Sprintf("%+v", reflect.ValueOf(s.Settings).Elem())
	}
	if g = s.found.games[settings]; g == nil {
		if g, err = s.NewGame(); err == nil {
			s.found.games[settings] = g
		}
	}
	return g, settings, err
}

// findAll returns an error for a player that cannot be found. Those of a grid are looked up once.
func (s *Study) findAll(g engine.Game, settings string, names []string) error {
	for _, name := range names {
		key := [2]string{settings, name}
		if s.found != nil && s.found.players[key] {
			continue
		}
		if _, err := s.scope.Find(g, name); err != nil {
			return err
		}
		if s.found != nil {
			s.found.players[key] = true
		}
	}
	return nil
}

// Scope returns what the study may name.
func (s *Study) Scope() player.Scope { return s.scope }

// Trusting returns a copy of the study, which was checked with less trust, that may name more.
func (s *Study) Trusting(trust player.Trust) *Study {
	c := s.clone()
	c.scope.Trust = max(c.scope.Trust, trust)
	return c
}

// Players names the players that a study needs besides those it breeds. Each is written as on the
// command line.
type Players struct {
	// opponents of explicit fitness, for evolve.fitness.opponents = "panel"
	Panel []string `toml:"panel"`
	// who the champions of a generation are chosen against, for evolve.champion.against = "panel";
	// never part of selection
	Reference []string `toml:"reference"`
}

// Measure defines the measurements of champions after the run, on boards that no selection has
// seen.
type Measure struct {
	Against []string `toml:"against"` // players; default none, which measures nothing
	// games of each measured champion against each player; even, 2 to 10,000,000; default 1000
	Games int `toml:"games"`
	// generations from one measured champion to the next; the last is always measured; a multiple
	// of evolve.champion.every; default 10
	Every int `toml:"every"`
	// games of the last champion against each built-in player; even, 0 to 10,000,000; default 2000
	Final int `toml:"final"`
	// games of each pair of a league of the last champion and the kept species of the game, or in a
	// game for more of each combination of players; even, 0 to 10,000,000; default 0: no league
	League int `toml:"league,omitempty"`
	// tables of the game's settings under which the last champion is measured as well; default none
	Settings []map[string]any `toml:"settings,omitempty"`
}

// Sweep is a study's table [sweep]: which settings are tried, with which seeds. Every combination
// of one value of each list in Settings is tried, and every combination in Cells besides, all with
// every seed; combinations in Exclude are left out. Keys are written as in the study, with dots or
// as tables.
type Sweep struct {
	Seeds []uint64 `toml:"seeds,omitempty"` // of the replicates
	// instead of seeds: this many from the study's seed on; 1 to 100,000; default 1
	Replicates int            `toml:"replicates,omitempty"`
	Settings   map[string]any `toml:"settings,omitempty"` // lists of values
	// explicit combinations; one that names its seed is tried with that seed only, and name says
	// what tables and figures call it
	Cells []map[string]any `toml:"cells,omitempty"`
	// runs with all these values are left out
	Exclude []map[string]any `toml:"exclude,omitempty"`
	// every run is a small version of itself, see Study.Quick, with the first two seeds; what is alike
	// then is one run
	Quick bool `toml:"quick,omitempty"`
	// settings of one more run, which begins when all others are over and descends from their last
	// champions, or as its evolve.founders.species says, where "sweep:" and "sweep:@all" are this
	// sweep's; none if there is no such table
	Merge map[string]any `toml:"merge,omitempty"`
}

// Quick makes the study small enough to see in seconds whether it works: at most 100 individuals,
// 20 generations and 200 games a measurement.
func (s *Study) Quick() {
	s.Name += "-quick"
	s.Shrink(100, 20)
	s.Evolve.Champion.Tune = min(s.Evolve.Champion.Tune, 10_000)
	m := &s.Measure
	m.Games, m.Final, m.League = min(m.Games, 200), min(m.Final, 200), min(m.League, 20)
	s.Stages = slices.Clone(s.Stages)
	for i, stage := range s.Stages {
		own, _ := stage["evolve"].(map[string]any)
		c := s.clone()
		if own == nil || assign(c, map[string]any{"evolve": own}) != nil {
			continue
		}
		c.Stages = nil
		c.Quick()
		s.Stages[i] = maps.Clone(stage)
		s.Stages[i]["evolve"] = c.valuesOf("evolve.", own)
	}
}

// valuesOf returns a table, whose keys follow a prefix, with the study's values.
func (s *Study) valuesOf(prefix string, table map[string]any) map[string]any {
	table = maps.Clone(table)
	for key, v := range table {
		if below, ok := v.(map[string]any); ok {
			table[key] = s.valuesOf(prefix+key+".", below)
		} else if v, ok := s.value(prefix + key); ok {
			table[key] = v
		}
	}
	return table
}

// Shrink bounds the population and the generations, without a budget, and all numbers that may not
// exceed them.
func (s *Study) Shrink(population, generations int) {
	c := &s.Evolve
	c.Population, c.Generations = min(c.Population, population), min(c.Generations, generations)
	c.Games, c.Seconds = 0, 0
	c.Tournament, c.Elites = min(c.Tournament, c.Population), min(c.Elites, c.Population-1)
	c.Migration.Migrants = min(c.Migration.Migrants, c.Population)
	c.Fitness.Count = min(c.Fitness.Count, c.Population-1)
	if c.Selection == evolve.ByPairs {
		if c.Hall = min(c.Hall, max(0, c.Population-c.Seats)); c.Hall == 0 {
			c.HallDraw = ""
		}
	}
}

func defaults(scope player.Scope) Study {
	return Study{scope: scope, Seed: 1, Measure: Measure{Games: 1000, Every: 10, Final: 2000},
		Evolve: evolve.Default()}
}

// check returns every fault of the values.
func (s *Study) check() error {
	var faults []error
	add := func(key, format string, args ...any) {
		faults = append(faults, wrong(key, format, args...))
	}
	if s.Name == "" || FileName(s.Name) != s.Name {
		add("name", "%s", misnamed(s.Name))
	}
	m := &s.Measure
	if len(m.Against) > 0 && (m.Games < 2 || m.Games > 10_000_000 || m.Games%2 != 0) {
		add("measure.games", " must be even and in 2..10000000, not %d", m.Games)
	}
	if m.Every < 1 {
		add("measure.every", " must be at least 1, not %d", m.Every)
	}
	if m.Final < 0 || m.Final > 10_000_000 || m.Final%2 != 0 {
		add("measure.final", " must be even and in 0..10000000, not %d", m.Final)
	}
	if m.League < 0 || m.League > 10_000_000 || m.League%2 != 0 {
		add("measure.league", " must be even and in 0..10000000, not %d", m.League)
	}
	faults = append(faults, breeding(s.Evolve.Check()))
	g, settings, err := s.game()
	if err != nil {
		return errors.Join(append(faults, input.Below("settings", fmt.Errorf("settings: %w", err)))...)
	}
	faults = append(faults, breeding((&evolve.Setup{Game: g, Config: s.Evolve}).CheckWeights()))
	if _, _, err := s.Worlds(); err != nil {
		faults = append(faults, err)
	}
	if err := s.checkStages(); err != nil {
		faults = append(faults, err)
	}
	if info := g.Info(); info.MaxSeats == 1 && len(m.Against) > 0 {
		add("measure.against", " must be empty: %s is for one player", info.Name)
	}
	if f := s.Figures; f != nil {
		if err := f.Check(g.Info().Marks); err != nil {
			faults = append(faults, input.Below("figures", fmt.Errorf("figures.%w", err)))
		}
		if len(m.Against) == 0 && len(f.Panels) > 0 && !slices.ContainsFunc(f.Panels, figure.Logged) {
			add("figures.panels", ": measure.against names no player, so none of these panels has "+
				"anything to show")
		}
	}
	for _, list := range []struct {
		key   string
		names []string
	}{{"players.panel", s.Players.Panel}, {"players.reference", s.Players.Reference},
		{"measure.against", m.Against}} {
		if err := s.findAll(g, settings, list.names); err != nil {
			add(list.key, ": %w", err)
		}
	}
	return errors.Join(faults...)
}

// breeding returns the faults of evolve as those of the study.
func breeding(err error) error {
	var faults []error
	input.Each(err, func(err error) {
		faults = append(faults, input.Below("evolve", fmt.Errorf("evolve.%w", err)))
	})
	return errors.Join(faults...)
}

// checkRun refuses what a run could not begin or end with: settings that do not suit the game, what
// is measured twice, and measurements of generations that have no champion. It is not part of
// check, so that runs older than these rules can be read.
func (s *Study) checkRun() error {
	g, _, err := s.game()
	if err != nil {
		return err
	}
	faults := []error{breeding((&evolve.Setup{Game: g, Config: s.Evolve,
		Panel:     make([]engine.Player, len(s.Players.Panel)),
		Reference: make([]engine.Player, len(s.Players.Reference))}).CheckGame())}
	m, champions := &s.Measure, s.Evolve.Champion.Every
	for i, name := range m.Against {
		if slices.Contains(m.Against[:i], name) {
			faults = append(faults, wrong("measure.against", ` names %q twice`, name))
		}
	}
	_, labels, err := s.Worlds()
	for i, label := range labels {
		if label == "" || slices.Contains(labels[:i], label) {
			err = wrong("measure.settings", " has nothing new in its table %q", label)
		}
	}
	faults = append(faults, err)
	if len(m.Against) > 0 && m.Every%champions != 0 {
		below := m.Every - m.Every%champions
		faults = append(faults, wrong("measure.every",
			" must be a multiple of evolve.champion.every, %d, so that there "+
				"is a champion to measure; the nearest to %d are %s", champions, m.Every,
			strings.TrimPrefix(fmt.Sprintf("%d and %d", below, below+champions), "0 and ")))
	}
	return errors.Join(faults...)
}

// wrong returns the fault of a setting. The message is the key, and behind it what the format says.
func wrong(key, format string, args ...any) error {
	return input.Faultf(key, "%s%w", key, fmt.Errorf(format, args...))
}

// NewGame returns the study's game with the study's settings. If the game reads a file into its
// settings, the study takes them over, and does not need the file from then on.
func (s *Study) NewGame() (engine.Game, error) {
	g, err := s.scope.Game(s.Game)
	if err != nil || s.Settings == nil {
		return g, err
	}
	file := fileOf(s.Settings)
	if file == "" {
		if g, err = g.(engine.Adjustable).With(s.Settings); err != nil {
			return nil, err
		}
		return s.drawn(g)
	}
	if err := s.scope.Allow(file, player.Files); err != nil {
		return nil, err
	}
	if g, err = g.(engine.Adjustable).With(s.Settings); err != nil {
		return nil, err
	}
	if read := g.(engine.Adjustable).Settings(); fileOf(read) != file {
		s.Settings = read
	}
	return s.drawn(g)
}

// Text returns the study as a file that Parse reads back, with every default written out but some
// that are zero.
func (s *Study) Text() ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	written := *s
	if settings, err := toml.Marshal(s.Settings); err == nil && len(settings) == 0 {
		written.Settings = nil // so that a game that gets its first one changes no old study
	}
	if len(s.draws) > 0 {
		var err error
		if written.Settings, err = s.settingsTable(); err != nil {
			return nil, err
		}
	}
	if err := e.Encode(&written); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Replicated returns the text that replicates share: everything that decides a run except the seed.
func (s *Study) Replicated() ([]byte, error) {
	decisive := *s
	decisive.Seed, decisive.Question, decisive.Measure = 0, "", Measure{}
	decisive.Figures = nil
	return decisive.Text()
}

// misnamed says what is wrong with a name, often that of a file, and which would do.
func misnamed(name string) string {
	return fmt.Sprintf(": %q is not made of a to z, A to Z, digits, hyphens and underscores; write "+
		"name = %q", name, cmp.Or(FileName(name), "first"))
}

// FileName replaces the characters of a name that not every file system takes by hyphens.
func FileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '-'
	}, name)
}
