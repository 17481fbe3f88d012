package study

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"clade/engine"
	"clade/experiments/player"
	"clade/gp/bom"
	"clade/gp/suggest"
)

// Read reads a study file. What it may name is within the scope. Settings of the form key=value
// override it, keys written with dots, such as evolve.population=500.
func Read(scope player.Scope, path string, overrides ...string) (*Study, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; name the file of a study, such as "+
			"experiments/antwars/quick.toml", err)
	}
	d, err := newDocument(path, text)
	if err != nil {
		return nil, err
	}
	s, err := d.study(scope, overrides)
	if err == nil {
		err = d.locate(s.checkSpacing())
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Parse reads the text of a study. The name stands in errors, and the study is called after it
// unless it says otherwise. Every unknown key is reported at once, with line, column and the
// nearest right key, and so is every value out of range. experiments/reference.toml documents every
// key with its default.
func Parse(scope player.Scope, name string, text []byte, overrides ...string) (*Study, error) {
	d, err := newDocument(name, text)
	if err != nil {
		return nil, err
	}
	return d.study(scope, overrides)
}

// study reads the study and checks it.
func (d *document) study(scope player.Scope, overrides []string) (*Study, error) {
	s := defaults(scope)
	s.Name = strings.TrimSuffix(baseName(d.name), ".toml")
	if err := d.decode(&s); err != nil {
		return nil, err
	}
	for _, o := range overrides {
		key, err := apply(s.assignTree, o)
		if err != nil {
			return nil, err
		}
		if key == "game" {
			return nil, fmt.Errorf(
				"the game of a study cannot be overridden; write a study for %s", s.Game)
		}
		d.overrides = append(d.overrides, override{key, "the setting " + o})
	}
	if err := s.check(); err != nil {
		return nil, d.locate(err)
	}
	if s.Sweep != nil {
		g, err := s.Grid()
		if err != nil {
			return nil, d.locate(err)
		}
		s.Sweep = g.held.sweep(s.Sweep)
	}
	return &s, nil
}

// baseName is the part of a path behind the last slash of either kind.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// apply assigns a setting key=value and returns its key. The value is TOML; what is no
// TOML value is taken as a text.
func apply(assign func(map[string]any) []error, setting string) (key string, err error) {
	key, value, ok := strings.Cut(setting, "=")
	if !ok {
		return "", fmt.Errorf("the setting %q is not of the form key=value, such as "+
			"evolve.population=500", setting)
	}
	key = strings.TrimSpace(key)
	var probe struct{ V any }
	line := key + " = " + value
	if toml.Unmarshal([]byte("V = "+value), &probe) != nil {
		line = fmt.Sprintf("%s = %q", key, value)
	}
	tree := map[string]any{}
	faults := []error{toml.Unmarshal([]byte(line), &tree)}
	if faults[0] == nil {
		faults = assign(tree)
	}
	for i := range faults {
		faults[i] = fmt.Errorf("the setting %s: %w", setting, faults[i])
	}
	if err := errors.Join(faults...); err != nil || strings.TrimSpace(value) != "" {
		return key, err
	}
	return "", fmt.Errorf(`the setting %s has no value, as $(cat FILE) without the file; for an `+
		`empty text write %s=""`, setting, key)
}

// document is a TOML text with a name for errors.
type document struct {
	name      string
	text      []byte
	overrides []override
}

func newDocument(name string, text []byte) (*document, error) {
	text, err := bom.Skip(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &document{name: name, text: text}, nil
}

// override is a setting that stands over what the document sets.
type override struct{ key, name string }

// decode reads the document over what stands in a study.
func (d *document) decode(s *Study) error {
	tree := map[string]any{}
	if err := toml.Unmarshal(d.text, &tree); err != nil {
		where := d.name
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			line, column := at.Position()
			where = fmt.Sprintf("%s:%d:%d", d.name, line, column)
		}
		return fmt.Errorf("%s: %w", where, err)
	}
	// The game's name comes first: it says which settings there are.
	name := s.Game
	if given, ok := tree["game"]; ok {
		if name, ok = given.(string); !ok {
			return d.locate(mismatch("game", "a text in double quotes", given))
		}
	}
	if name == "" {
		return d.locate(wrong("game", ": the study names no game; add game = \"…\" (%s)",
			strings.Join(gameNames(s.scope), ", ")))
	}
	game, err := s.scope.Game(name)
	if err != nil {
		return d.locate(wrong("game", ": %w", err))
	}
	if a, ok := game.(engine.Adjustable); ok && s.Settings == nil {
		s.Settings = a.Settings()
	}
	return d.locate(assign(s, tree))
}

// locate gives each fault the document's name, and the line and column of its key where the
// document sets it, or else of the nearest key or table around it. Faults come in the order of the
// document.
func (d *document) locate(err error) error {
	places := d.places()
	type located struct {
		at  unstable.Position
		err error
	}
	var all []located
	suggest.Each(err, func(err error) {
		l := located{err: fmt.Errorf("%s: %w", d.name, err)}
		if f := (*suggest.Fault)(nil); errors.As(err, &f) {
			if name := d.overriding(f.Key); name != "" {
				l = located{err: fmt.Errorf("%s: %w", name, err)}
			} else if at, ok := places.find(f.Key); ok {
				l = located{at, fmt.Errorf("%s:%d:%d: %w", d.name, at.Line, at.Column, err)}
			}
		}
		all = append(all, l)
	})
	slices.SortStableFunc(all, func(a, b located) int {
		return cmp.Or(cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
	var faults []error
	for _, l := range all {
		faults = append(faults, l.err)
	}
	return errors.Join(faults...)
}

// overriding returns the name of the last override of a key, or of something below it.
func (d *document) overriding(key string) string {
	for _, o := range slices.Backward(d.overrides) {
		if o.key == key || strings.HasPrefix(o.key, key+".") || strings.HasPrefix(key, o.key+".") {
			return o.name
		}
	}
	return ""
}

// places are the positions of keys and tables, in the order of the document.
type places []place

type place struct {
	key string
	at  unstable.Position
}

// find returns where a key is set, or something below it, or else the same for the table that it
// belongs to.
func (ps places) find(key string) (at unstable.Position, ok bool) {
	for ; ; key = key[:strings.LastIndexByte(key, '.')] {
		for _, match := range []func(place) bool{
			func(p place) bool { return p.key == key },
			func(p place) bool { return strings.HasPrefix(p.key, key+".") },
		} {
			if i := slices.IndexFunc(ps, match); i >= 0 {
				return ps[i].at, true
			}
		}
		if !strings.Contains(key, ".") {
			return at, false
		}
	}
}

// places finds every key and table of the document.
func (d *document) places() places {
	var all places
	var p unstable.Parser
	p.Reset(d.text)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table &&
			e.Kind != unstable.ArrayTable {
			continue
		}
		var parts []string
		var at unstable.Position
		for it := e.Key(); it.Next(); {
			if len(parts) == 0 {
				at = p.Shape(it.Node().Raw).Start
			}
			parts = append(parts, string(it.Node().Data))
		}
		key := strings.Join(parts, ".")
		if e.Kind != unstable.KeyValue {
			table = key + "."
		} else {
			key = table + key
		}
		all = append(all, place{key, at})
	}
	return all
}

func gameNames(scope player.Scope) []string {
	var names []string
	for _, g := range scope.Games {
		names = append(names, g.Info().Name)
	}
	return names
}
