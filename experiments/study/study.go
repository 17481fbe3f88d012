// Package study says what a study is: a TOML file that names a game, how its population is bred,
// what is measured, and which settings a sweep tries. It runs nothing.
package study

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/engine/all"
	"clade/evolve"
	"clade/experiments/player"
	"clade/gp/suggest"
)

// Study is one experiment as a file describes it: which game, which players measure it, and how the
// population is bred. Parse documents the file.
type Study struct {
	// of the run directory: letters, digits, hyphens and underscores; default the file's name
	Name     string `toml:"name"`
	Question string `toml:"question"` // what the study asks, for reports
	Game     string `toml:"game"`     // as `clade games` lists it
	// of everything random; default 1. At most 2^63-1, the largest whole number of TOML
	Seed    uint64        `toml:"seed"`
	Players Players       `toml:"players"`
	Measure Measure       `toml:"measure"`
	Evolve  evolve.Config `toml:"evolve"`
	// pointer to the game's own settings, nil for a game without
	Settings any `toml:"settings,omitempty"`
	// what `clade sweep` tries; nil for a study of one run
	Sweep *Sweep `toml:"sweep,omitempty"`
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

// Measure says how champions are measured when the run is over, on boards that no selection has
// seen.
type Measure struct {
	Against []string `toml:"against"` // players; default none, which measures nothing
	// games of each measured champion against each player; even, 2 to 10,000,000; default 1000
	Games int `toml:"games"`
	// generations from one measured champion to the next; the last is always measured; 1 or more;
	// default 10
	Every int `toml:"every"`
	// games of the last champion against each built-in player; even, 0 to 10,000,000; default
	// 2000
	Final int `toml:"final"`
}

// Quick makes the study small enough to see in seconds whether it works: at most 100 individuals,
// 20 generations and 200 games a measurement.
func (s *Study) Quick() {
	s.Name += "-quick"
	c := &s.Evolve
	c.Population, c.Generations = min(c.Population, 100), min(c.Generations, 20)
	c.Tournament, c.Elites = min(c.Tournament, c.Population), min(c.Elites, c.Population-1)
	c.Migration.Migrants = min(c.Migration.Migrants, c.Population)
	c.Fitness.Count = min(c.Fitness.Count, c.Population-1)
	s.Measure.Games, s.Measure.Final = min(s.Measure.Games, 200), min(s.Measure.Final, 200)
}

func defaults() Study {
	return Study{Seed: 1, Measure: Measure{Games: 1000, Every: 10, Final: 2000},
		Evolve: evolve.Default()}
}

// Read reads a study file. Settings of the form key=value override it, keys written with dots,
// such as evolve.population=500.
func Read(path string, overrides ...string) (*Study, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; name the file of a study, such as "+
			"experiments/antwars/quick.toml", err)
	}
	s, err := Parse(path, text, overrides...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Parse reads the text of a study. The name stands in errors, and the study is called after it
// unless it says otherwise. Every unknown key is reported at once, with line, column and the
// nearest right key, and so is every value out of range. experiments/reference.toml documents every
// key with its default.
func Parse(name string, text []byte, overrides ...string) (*Study, error) {
	d := &document{name: name, text: text}
	s := defaults()
	s.Name = strings.TrimSuffix(baseName(name), ".toml")
	if err := d.decode(&s); err != nil {
		return nil, err
	}
	for _, o := range overrides {
		if err := s.override(o); err != nil {
			return nil, err
		}
	}
	if err := s.check(); err != nil {
		return nil, d.locate(err)
	}
	if s.Sweep != nil {
		if _, err := s.Grid(); err != nil {
			return nil, d.locate(err)
		}
	}
	return &s, nil
}

// baseName is the part of a path behind the last slash of either kind.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// override applies one key=value. The value is TOML; what is no TOML value is taken as a text.
func (s *Study) override(setting string) error {
	key, value, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("the setting %q is not of the form key=value, such as "+
			"evolve.population=500", setting)
	}
	var probe struct{ V any }
	line := key + " = " + value
	if toml.Unmarshal([]byte("V = "+value), &probe) != nil {
		line = fmt.Sprintf("%s = %q", key, value)
	}
	game := s.Game
	d := &document{name: "the setting " + setting, text: []byte(line)}
	if err := d.decode(s); err != nil {
		return err
	}
	if s.Game != game {
		return fmt.Errorf(
			"the game of a study cannot be overridden; write a study for %s", s.Game)
	}
	return nil
}

// check finds everything that is wrong with the values.
func (s *Study) check() error {
	var faults []error
	add := func(key, format string, args ...any) {
		faults = append(faults, wrong(key, format, args...))
	}
	if s.Name == "" || FileName(s.Name) != s.Name {
		add("name", ": %q is not made of letters, digits, hyphens and underscores", s.Name)
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
	suggest.Each(s.Evolve.Check(), func(err error) {
		if f := (*evolve.Fault)(nil); errors.As(err, &f) {
			faults = append(faults, suggest.Faultf("evolve."+f.Key, "evolve.%s", f.Problem))
		} else {
			add("evolve", ": %w", err)
		}
	})
	g, err := s.NewGame()
	if err != nil {
		key := "settings"
		if f := (*suggest.Fault)(nil); errors.As(err, &f) {
			key += "." + f.Key
		}
		return errors.Join(append(faults, suggest.Faultf(key, "settings: %w", err))...)
	}
	if info := g.Info(); info.MaxSeats == 1 && len(m.Against) > 0 {
		add("measure.against", " must be empty: %s is for one player", info.Name)
	}
	for _, list := range []struct {
		key   string
		names []string
	}{{"players.panel", s.Players.Panel}, {"players.reference", s.Players.Reference},
		{"measure.against", m.Against}} {
		if _, err := player.FindAll(g, list.names); err != nil {
			add(list.key, ": %w", err)
		}
	}
	return errors.Join(faults...)
}

// wrong returns the fault of a setting. The message is the key, and behind it what the format says.
func wrong(key, format string, args ...any) error {
	return suggest.Faultf(key, "%s%w", key, fmt.Errorf(format, args...))
}

// NewGame returns the study's game with the study's settings.
func (s *Study) NewGame() (engine.Game, error) {
	g, err := all.Find(s.Game)
	if err != nil || s.Settings == nil {
		return g, err
	}
	return g.(engine.Adjustable).With(s.Settings)
}

// Text returns the study as a file that Parse reads back, every default written out.
func (s *Study) Text() ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// FileName keeps of a player's name what every file system takes.
func FileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' ||
			c == '_' {
			return c
		}
		return '-'
	}, name)
}
