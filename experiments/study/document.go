package study

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"clade/engine"
	"clade/engine/system/packed"
	"clade/experiments/player"
	"clade/gp/input"
)

// Read reads a study file, whose names must be within the scope. Settings of the form key=value
// override it, with keys written with dots, such as evolve.population=500.
func Read(scope player.Scope, path string, overrides ...string) (*Study, error) {
	text, err := packed.ReadFile(path) // that of a staged run may be in a pack
	if err != nil {
		return nil, fmt.Errorf("%w; name the file of a study, such as "+
			"experiments/antwars/quick.toml", err)
	}
	s, _, err := read(scope, path, text, nil, overrides)
	return s, err
}

// ReadShare reads a study file for one of several tasks, and returns its sweep with the task's
// cells alone: those of index task, task+tasks, …. It resolves the others only where it must.
func ReadShare(scope player.Scope, path string, task, tasks int,
	overrides ...string) (*Study, *Grid, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	s, g, err := read(scope, path, text, func(i int) bool { return i%tasks == task }, overrides)
	if err == nil && g == nil {
		g, err = s.grid(func(i int) bool { return i%tasks == task })
	}
	return s, g, err
}

func read(scope player.Scope, path string, text []byte, mine func(int) bool,
	overrides []string) (*Study, *Grid, error) {
	d, err := newDocument(path, text)
	if err != nil {
		return nil, nil, err
	}
	s, g, err := d.study(scope, mine, overrides)
	if err == nil {
		err = d.locate(s.checkRun())
	}
	if err != nil {
		return nil, nil, err
	}
	return s, g, nil
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
	s, _, err := d.study(scope, nil, overrides)
	return s, err
}

// study reads and checks the study, and returns its sweep, if it has one, with the cells that mine
// selects.
func (d *document) study(scope player.Scope, mine func(int) bool, overrides []string) (*Study,
	*Grid, error) {
	s := defaults(scope)
	s.Name = strings.TrimSuffix(baseName(d.name), ".toml")
	if err := d.decode(&s); err != nil {
		return nil, nil, err
	}
	for _, o := range overrides {
		key, err := apply(s.assignTree, s.long(o))
		if err != nil {
			return nil, nil, err
		}
		if key == "game" {
			return nil, nil, fmt.Errorf(
				"the game of a study cannot be overridden; write a study for %s", s.Game)
		}
		d.overrides = append(d.overrides, override{key, "the setting " + o})
	}
	if err := s.check(); err != nil {
		return nil, nil, d.locate(err)
	}
	if s.Sweep == nil {
		return &s, nil, nil
	}
	g, err := s.grid(mine)
	if err != nil {
		return nil, nil, d.locate(err)
	}
	s.Sweep = g.held.sweep(s.Sweep)
	if text, err := s.Text(); err == nil && mine == nil && len(g.held) == 0 {
		s.laid = &laid{g, text}
	}
	return &s, g, nil
}

// settingsTable is the table of a study that holds the settings of its game.
const settingsTable = "settings."

// long returns a setting key=value with the prefix of the game's settings, if the key is one of
// them and none of the study.
func (s *Study) long(setting string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(setting), "=")
	first, _, _ = strings.Cut(strings.TrimSpace(first), ".")
	if s.Settings != nil && !field(reflect.ValueOf(s).Elem(), first).IsValid() &&
		field(settled(reflect.ValueOf(s.Settings)), first).IsValid() {
		return settingsTable + strings.TrimSpace(setting)
	}
	return setting
}

// bare returns a setting key=value without the name of the table of the game's settings.
func bare(setting string) string {
	return strings.TrimPrefix(strings.TrimSpace(setting), settingsTable)
}

// baseName is the part of a path behind the last slash of either kind.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// apply assigns a setting key=value and returns its key. A value that is not TOML is taken as a
// text.
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
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &document{name: name, text: text}, nil
}

// override is a setting that takes precedence over the document.
type override struct{ key, name string }

// Decode reads a TOML text into a struct whose fields have toml names, and reports every fault as
// Parse does.
func Decode(name string, text []byte, into any) error {
	d, err := newDocument(name, text)
	if err != nil {
		return err
	}
	tree, beyond, err := d.tree()
	if err != nil {
		return err
	}
	faults := assignTable(reflect.ValueOf(into).Elem(), "", tree)
	return errors.Join(d.locate(errors.Join(faults...)), beyond)
}

// tree reads the document, and returns an error for the part beyond what it reads.
func (d *document) tree() (tree map[string]any, beyond, err error) {
	read, beyond := d.readable()
	if err := toml.Unmarshal(read, &tree); err != nil {
		where := d.name
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			line, column := at.Position()
			where = fmt.Sprintf("%s:%d:%d", d.name, line, column)
		}
		if said, _, float := strings.Cut(err.Error(), "unable to parse float"); float {
			err = errors.New(said + "float is too large to fit in 64 bits")
		}
		return nil, nil, fmt.Errorf("%s: %w", where, err)
	}
	return tree, beyond, nil
}

// decode reads the document into a study, over its defaults.
func (d *document) decode(s *Study) error {
	tree, beyond, err := d.tree()
	if err != nil {
		return err
	}
	// The game's name comes first: it says which settings there are.
	name := s.Game
	if given, ok := tree["game"]; ok {
		if name, ok = given.(string); !ok {
			return d.locate(mismatch("game", "a text in double quotes", given))
		}
	}
	if name == "" {
		return errors.Join(d.locate(wrong("game", ": the study names no game; add game = \"…\" (%s)",
			strings.Join(gameNames(s.scope), ", "))), beyond)
	}
	game, err := s.scope.Game(name)
	if err != nil {
		return d.locate(wrong("game", ": %w", err))
	}
	if a, ok := game.(engine.Adjustable); ok && s.Settings == nil {
		s.Settings = a.Settings()
	}
	return errors.Join(d.locate(assign(s, tree)), beyond)
}

// mostFaults is how many faults of a document are reported at once.
const mostFaults = 100

// locate puts before each fault the document's name, and the line and column of its key or, if the
// document does not set it, of the nearest key or table around it. Faults come in the order of the
// document; of very many only the first are kept.
func (d *document) locate(err error) error {
	if err == nil {
		return nil
	}
	places := d.places()
	type located struct {
		override string
		at       unstable.Range // nothing where the document does not set it
		err      error
	}
	var all []located
	input.Each(err, func(err error) {
		l := located{err: err}
		if f := (*input.Fault)(nil); errors.As(err, &f) {
			if l.override = d.overriding(f.Key); l.override == "" {
				l.at = places.find(f.Key)
			}
		}
		all = append(all, l)
	})
	slices.SortStableFunc(all, func(a, b located) int { return cmp.Compare(a.at.Offset, b.at.Offset) })
	var faults []error
	for _, l := range all[:min(len(all), mostFaults)] {
		where := cmp.Or(l.override, d.name)
		if l.at.Length > 0 {
			at := places.parser.Shape(l.at).Start
			where = fmt.Sprintf("%s:%d:%d", d.name, at.Line, at.Column)
		}
		faults = append(faults, fmt.Errorf("%s: %w", where, l.err))
	}
	if more := len(all) - len(faults); more > 0 {
		faults = append(faults, fmt.Errorf("%s: and %d faults more", d.name, more))
	}
	return errors.Join(faults...)
}

// overriding returns the name of the last override that sets a key, or something above or below it.
func (d *document) overriding(key string) string {
	for _, o := range slices.Backward(d.overrides) {
		if o.key == key || strings.HasPrefix(o.key, key+".") || strings.HasPrefix(key, o.key+".") {
			return o.name
		}
	}
	return ""
}

// places holds the positions of keys and tables in a document, each where it first appears: exact
// for the keys and tables themselves, below for tables that only a longer key implies.
type places struct {
	parser       unstable.Parser
	exact, below map[string]unstable.Range
}

// Positions are known by so many parts of a key, and so many bytes of each part: no key of a study
// has more.
const (
	deepest = 8
	longest = 200
)

// find returns the position of a key, or of something below it, or else of the nearest table above
// it; nothing if no part of it is set.
func (ps *places) find(key string) unstable.Range {
	parts := strings.SplitN(key, ".", deepest+1)
	for i, part := range parts {
		parts[i] = part[:min(len(part), longest)]
	}
	for n := min(len(parts), deepest); n > 0; n-- {
		key := strings.Join(parts[:n], ".")
		for _, of := range []map[string]unstable.Range{ps.exact, ps.below} {
			if at, ok := of[key]; ok {
				return at
			}
		}
	}
	return unstable.Range{}
}

// places returns the positions of every key and table of the document.
func (d *document) places() *places {
	all := &places{exact: map[string]unstable.Range{}, below: map[string]unstable.Range{}}
	note := func(of map[string]unstable.Range, key string, at unstable.Range) {
		if _, known := of[key]; !known {
			of[key] = at
		}
	}
	p := &all.parser
	p.Reset(d.text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		var key []string
		if e.Kind == unstable.KeyValue {
			key = slices.Clone(table)
		}
		var at unstable.Range
		for it, first := e.Key(), true; it.Next(); first = false {
			if first {
				at = it.Node().Raw
			}
			if len(key) < deepest {
				data := it.Node().Data
				key = append(key, string(data[:min(len(data), longest)]))
			}
		}
		if e.Kind != unstable.KeyValue {
			table = key
		}
		note(all.exact, strings.Join(key, "."), at)
		for n := 1; n < len(key); n++ {
			note(all.below, strings.Join(key[:n], "."), at)
		}
	}
	return all
}

// Bounds of a document. The TOML library's time for one grows with the square of the keys of a
// table and of the parts of a key, and no study has as many.
const (
	mostKeys  = 1000
	mostParts = 100
)

// readable returns the document up to the first key beyond these bounds, and an error for the rest.
func (d *document) readable() (text []byte, beyond error) {
	type child struct {
		of   int
		name string
	}
	var p unstable.Parser
	p.Reset(d.text)
	number, table := map[child]int{}, 0 // of keys and tables; 0 is the document
	many := map[int]int{}               // keys, by table
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		at, key, parts, full := unstable.Range{}, 0, 0, false
		if e.Kind == unstable.KeyValue {
			key, full = table, manyWithin(e.Value())
		}
		for it := e.Key(); it.Next() && parts <= mostParts; {
			if parts++; parts == 1 {
				at = it.Node().Raw
			}
			this := child{key, string(it.Node().Data)}
			if number[this] == 0 {
				number[this] = len(number) + 1
				many[key]++
				full = full || many[key] > mostKeys
			}
			key = number[this]
		}
		if full || parts > mostParts {
			start := p.Shape(at).Start
			return d.text[:bytes.LastIndexByte(d.text[:at.Offset], '\n')+1], fmt.Errorf("%s:%d:%d: "+
				"from here on nothing is read: no study has more than %d keys in a table, or keys of "+
				"more than %d parts", d.name, start.Line, start.Column, mostKeys, mostParts)
		}
		switch e.Kind {
		case unstable.ArrayTable: // each has keys of its own
			table = -int(at.Offset)
		case unstable.Table:
			table = key
		}
	}
	return d.text, nil
}

// manyWithin reports whether a value has a table within that exceeds the bounds.
func manyWithin(v *unstable.Node) bool {
	n := 0
	for it := v.Children(); it.Next(); {
		switch child := it.Node(); child.Kind {
		case unstable.KeyValue:
			if n++; n > mostKeys || manyWithin(child.Value()) {
				return true
			}
		case unstable.InlineTable, unstable.Array:
			if manyWithin(child) {
				return true
			}
		}
	}
	return false
}

func gameNames(scope player.Scope) []string {
	var names []string
	for _, g := range scope.Games {
		names = append(names, g.Info().Name)
	}
	return names
}
