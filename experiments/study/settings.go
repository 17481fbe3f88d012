package study

import (
	"reflect"
	"slices"
	"strings"

	"clade/engine"
	"clade/experiments/player"
	"clade/gp"
	"clade/gp/input"
)

// Said returns the settings of a game that differ from its defaults, as species files name them:
// without those that do not matter to species.
func Said(scope player.Scope, g engine.Game) ([]gp.Setting, error) {
	a, ok := g.(engine.Adjustable)
	if !ok {
		return nil, nil
	}
	return said(scope, g.Info().Name, a.Settings())
}

// SaidBy is Said for the game of a study's text. It works even if a file that the settings name is
// gone.
func SaidBy(scope player.Scope, name string, text []byte) ([]gp.Setting, error) {
	s := defaults(scope)
	if err := (&document{name: name, text: text}).decode(&s); err != nil || s.Settings == nil {
		return nil, err
	}
	return said(scope, s.Game, s.Settings)
}

func said(scope player.Scope, game string, settings any) (all []gp.Setting, err error) {
	g, err := scope.Game(game)
	if err != nil {
		return nil, err
	}
	standard := map[string]any{}
	walk(settled(reflect.ValueOf(g.(engine.Adjustable).Settings())), "",
		func(key string, v reflect.Value, _ string) { standard[key] = plain(v) })
	walk(settled(reflect.ValueOf(settings)), "", func(key string, v reflect.Value, _ string) {
		if value := plain(v); !same(value, standard[key]) && !engine.IsNeutral(settings, key) {
			all = append(all, gp.Setting{Key: key, Value: value})
		}
	})
	return all, nil
}

// Settings parses settings of a game of the form key=value, as NewGame takes them.
func Settings(scope player.Scope, game string, settings ...string) ([]gp.Setting, error) {
	if len(settings) == 0 {
		return nil, nil
	}
	s := defaults(scope)
	s.Game = game
	keys := map[string]bool{}
	if err := s.begin(); err != nil {
		return nil, err
	}
	for _, set := range settings {
		if err := s.adjust([]string{set}); err != nil {
			return nil, err
		}
		key, _, _ := strings.Cut(bare(set), "=")
		keys[hyphened(strings.TrimSpace(key))] = true
	}
	var all []gp.Setting
	set := settled(reflect.ValueOf(s.Settings))
	walk(set, "", func(key string, v reflect.Value, _ string) {
		for above := range keys {
			if key == above || strings.HasPrefix(key, above+".") {
				all = append(all, gp.Setting{Key: key, Value: plain(v)})
				return
			}
		}
	})
	for _, d := range s.draws {
		all = slices.DeleteFunc(all, func(s gp.Setting) bool { return s.Key == d.key })
		all = append(all, gp.Setting{Key: d.key, Value: d.table})
	}
	return all, nil
}

// GameWith returns a game with settings from species files or from Settings; of several with one
// key the last holds. A fault in an error has the setting's key.
func GameWith(scope player.Scope, game string, settings []gp.Setting) (engine.Game, error) {
	s := defaults(scope)
	s.Game = game
	if err := s.begin(); err != nil {
		return nil, err
	}
	for _, setting := range settings {
		if s.Settings == nil {
			return nil, input.Faultf(setting.Key, "%s has no settings, so %s cannot be set", game,
				setting.Key)
		}
		if faults := s.assignSettings(nested(setting.Key, setting.Value)); len(faults) > 0 {
			return nil, faults[0]
		}
	}
	return s.NewGame()
}

// begin sets the study's settings to the defaults of its game.
func (s *Study) begin() error {
	g, err := s.NewGame()
	if err != nil {
		return err
	}
	if a, ok := g.(engine.Adjustable); ok {
		s.Settings = a.Settings()
	}
	return nil
}

// held maps names of files, as values of a sweep, to what the files hold, so that the sweep can be
// read again without them.
type held map[namedFile]string

// namedFile is the value of a key that names a file.
type namedFile struct{ key, name string }

// note records the values of a combination that changed when its study was resolved, as names of
// files do.
func (h held) note(of combination, resolved *Study) {
	for key, v := range of {
		name, isText := v.(string)
		if !isText {
			continue
		}
		if text, ok := resolved.value(key); ok && text != v {
			h[namedFile{key, name}] = text.(string)
		}
	}
}

// sweep returns a sweep with names of files replaced by what the files hold.
func (h held) sweep(w *Sweep) *Sweep {
	if len(h) == 0 {
		return w
	}
	made := *w
	made.Settings, made.Merge = h.table("", w.Settings), h.table("", w.Merge)
	made.Cells, made.Exclude = h.tables(w.Cells), h.tables(w.Exclude)
	return &made
}

func (h held) tables(tables []map[string]any) (made []map[string]any) {
	for _, table := range tables {
		made = append(made, h.table("", table))
	}
	return made
}

// table returns a table whose keys follow a prefix.
func (h held) table(prefix string, table map[string]any) map[string]any {
	if table == nil {
		return nil
	}
	made := map[string]any{}
	for key, v := range table {
		made[key] = h.value(prefix+key, v)
	}
	return made
}

func (h held) value(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		return h.table(key+".", v)
	case []any:
		made := make([]any, len(v))
		for i := range v {
			made[i] = h.value(key, v[i])
		}
		return made
	case string:
		if text, ok := h[namedFile{key, v}]; ok {
			return text
		}
	}
	return v
}
