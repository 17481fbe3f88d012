// Package study says what a study is: a TOML file that names a game, how its population is bred,
// what is measured, and which settings a sweep tries. It runs nothing.
package study

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/engine/all"
	"clade/evolve"
	"clade/experiments/player"
	"clade/gp/suggest"
)

// Study is one experiment as a file describes it: which game, which players measure it, and how the
// population is bred. ParseStudy documents the file.
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
	// games of the last champion against each player of the house; even, 0 to 10,000,000; default
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

// ReadStudy reads a study file. Settings of the form key=value override it, keys written with dots,
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

// ParseStudy reads the text of a study. The name stands in errors, and the study is called after it
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
	add := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !isStudyName(s.Name) {
		add("name: %q is not made of letters, digits, hyphens and underscores", s.Name)
	}
	m := &s.Measure
	if len(m.Against) > 0 && (m.Games < 2 || m.Games > 10_000_000 || m.Games%2 != 0) {
		add("measure.games must be even and in 2..10000000, not %d", m.Games)
	}
	if m.Every < 1 {
		add("measure.every must be at least 1, not %d", m.Every)
	}
	if m.Final < 0 || m.Final > 10_000_000 || m.Final%2 != 0 {
		add("measure.final must be even and in 0..10000000, not %d", m.Final)
	}
	if err := s.Evolve.Check(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			add("evolve.%s", strings.TrimPrefix(line, "evolve: "))
		}
	}
	g, err := s.NewGame()
	if err != nil {
		add("settings: %w", err)
		return errors.Join(faults...)
	}
	if info := g.Info(); info.MaxSeats == 1 && len(m.Against) > 0 {
		add("measure.against must be empty: %s is for one player", info.Name)
	}
	for _, list := range []struct {
		key   string
		names []string
	}{{"players.panel", s.Players.Panel}, {"players.reference", s.Players.Reference},
		{"measure.against", m.Against}} {
		if _, err := player.FindAll(g, list.names); err != nil {
			add("%s: %w", list.key, err)
		}
	}
	return errors.Join(faults...)
}

func isStudyName(s string) bool {
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' ||
			c == '_') {
			return false
		}
	}
	return s != ""
}

// NewGame returns the study's game with the study's settings.
func (s *Study) NewGame() (engine.Game, error) {
	g, err := all.Find(s.Game)
	if err != nil || s.Settings == nil {
		return g, err
	}
	return g.(engine.Adjustable).With(s.Settings)
}

// Text returns the study as a file that ParseStudy reads back, every default written out.
func (s *Study) Text() ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// document is a TOML text with a name for errors.
type document struct {
	name string
	text []byte
}

// decode reads the document over what stands in a study.
func (d *document) decode(s *Study) error {
	// The game's name comes first: it says which settings there are.
	var head struct {
		Game *string `toml:"game"`
	}
	if err := toml.Unmarshal(d.text, &head); err != nil {
		return d.syntax(err)
	}
	if head.Game != nil {
		s.Game = *head.Game
	}
	game, err := all.Find(s.Game)
	if err != nil {
		if s.Game == "" {
			err = fmt.Errorf("the study names no game; add game = \"…\" (%s)",
				strings.Join(gameNames(), ", "))
		}
		return d.locate(fmt.Errorf("game: %w", err))
	}
	// The settings' type is known only now, so the document is read into a struct that is made for
	// it.
	settings := s.Settings
	if a, ok := game.(engine.Adjustable); ok && settings == nil {
		settings = a.Settings()
	}
	if settings == nil {
		settings = &struct{}{}
	}
	study := reflect.TypeFor[Study]()
	fields := make([]reflect.StructField, study.NumField())
	for i := range fields {
		fields[i] = study.Field(i)
		if fields[i].Name == "Settings" {
			fields[i].Type = reflect.TypeOf(settings)
		}
	}
	made := reflect.New(reflect.StructOf(fields))
	for i, f := range fields {
		if f.Name == "Settings" {
			made.Elem().Field(i).Set(reflect.ValueOf(settings))
		} else {
			made.Elem().Field(i).Set(reflect.ValueOf(s).Elem().Field(i))
		}
	}
	decoder := toml.NewDecoder(bytes.NewReader(d.text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(made.Interface()); err != nil {
		return d.unknown(err, made.Type().Elem())
	}
	for i, f := range fields {
		if f.Name != "Settings" {
			reflect.ValueOf(s).Elem().Field(i).Set(made.Elem().Field(i))
		}
	}
	if _, ok := game.(engine.Adjustable); ok {
		s.Settings = settings
	}
	return nil
}

// syntax words an error of the TOML reader.
func (d *document) syntax(err error) error {
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, column := wrong.Position()
		message := strings.TrimPrefix(wrong.Error(), "toml: ")
		if m := mismatch.FindStringSubmatch(message); m != nil {
			message = fmt.Sprintf("%s is needed here, not a TOML %s", kindName(m[2]), m[1])
		}
		if key := strings.Join(wrong.Key(), "."); key != "" {
			message = key + ": " + message
		}
		return fmt.Errorf("%s:%d:%d: %s", d.name, line, column, message)
	}
	return fmt.Errorf("%s: %s", d.name, strings.TrimPrefix(err.Error(), "toml: "))
}

// mismatch is how the TOML reader words a value of the wrong type.
var mismatch = regexp.MustCompile(`^cannot decode TOML (.+) into struct field .+ of type (\S+)$`)

// kindName says in a user's words what a Go type wants.
func kindName(t string) string {
	switch {
	case strings.HasPrefix(t, "int"), strings.HasPrefix(t, "uint"):
		return "a whole number"
	case strings.HasPrefix(t, "float"):
		return "a number"
	case t == "bool":
		return "true or false"
	case strings.HasPrefix(t, "[]"):
		return "a list in square brackets"
	case t == "string":
		return "a text in double quotes"
	default:
		return "a table"
	}
}

// unknown lists unknown keys, a line each, with the nearest key that exists in the same table.
func (d *document) unknown(err error, t reflect.Type) error {
	var missing *toml.StrictMissingError
	if !errors.As(err, &missing) {
		return d.syntax(err)
	}
	var faults []error
	for _, e := range missing.Errors {
		line, column := e.Position()
		key := e.Key()
		known := keysOf(t, key[:len(key)-1])
		for n := len(key) - 1; known == nil && n > 0; n-- { // the table itself is unknown
			key = key[:n]
			known = keysOf(t, key[:n-1])
		}
		message := suggest.Unknown("key", strings.Join(key, "."), known)
		if n := suggest.Nearest(key[len(key)-1], known); n != "" {
			message = fmt.Sprintf("unknown key %q, did you mean %q?", strings.Join(key, "."),
				strings.Join(append(slices.Clone(key[:len(key)-1]), n), "."))
		}
		if len(known) == 0 {
			message = fmt.Sprintf("unknown key %q: this table has no keys; leave it out",
				strings.Join(key, "."))
		}
		faults = append(faults, fmt.Errorf("%s:%d:%d: %s", d.name, line, column,
			message))
	}
	return errors.Join(faults...)
}

// keysOf lists the keys of the table at a path of a struct, nil where there is no such table.
func keysOf(t reflect.Type, path []string) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	keys := []string{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous { // its fields are visible too
			continue
		}
		key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if len(path) > 0 && key == path[0] {
			return keysOf(f.Type, path[1:])
		}
		keys = append(keys, key)
	}
	if len(path) > 0 {
		return nil
	}
	return keys
}

func gameNames() []string {
	var names []string
	for _, g := range all.Games() {
		names = append(names, g.Info().Name)
	}
	return names
}

// Values returns what decides the evolution of a study but its seed, by key with dots, values as
// in TOML.
func (s *Study) Values() (map[string]string, error) {
	text, err := s.Text()
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	for _, key := range []string{"name", "question", "seed", "measure"} {
		delete(tree, key)
	}
	flat := map[string]string{}
	var walk func(prefix string, table map[string]any)
	walk = func(prefix string, table map[string]any) {
		for key, v := range table {
			if inner, ok := v.(map[string]any); ok {
				walk(prefix+key+".", inner)
			} else {
				flat[prefix+key] = fmt.Sprint(v)
			}
		}
	}
	walk("", tree)
	return flat, nil
}

// fileName keeps of a player's name what every file system takes.
func FileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' ||
			c == '_' {
			return c
		}
		return '-'
	}, name)
}
