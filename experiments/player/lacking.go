package player

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/gp"
)

// lacking tells which settings a game lacks that a species with unknown names needs: "" where it
// does not come of settings, else the end of a sentence.
func lacking(g engine.Game, text string) string {
	a, ok := g.(engine.Adjustable)
	if !ok {
		return ""
	}
	missing := bringing(a, text)
	if missing == nil {
		missing = unlike(a, text)
	}
	if missing == nil {
		return ""
	}
	flags, lines := "", ""
	for _, s := range missing {
		flags += fmt.Sprintf(" --set %s=%v", s.Key, s.Value)
		lines += ", " + s.String()
	}
	return fmt.Sprintf("; the species is of a game with %s: set that in the study's table "+
		"[settings], or without a study by%s", lines[2:], flags)
}

// unlike returns the settings that a species says and the game has otherwise.
func unlike(a engine.Adjustable, text string) (missing []gp.Setting) {
	h, err := gp.ParseHeader(text)
	if err != nil {
		return nil
	}
	var have map[string]any
	if b, err := toml.Marshal(a.Settings()); err != nil || toml.Unmarshal(b, &have) != nil {
		return nil
	}
	for _, s := range h.Settings {
		var value any = have
		for key := range strings.SplitSeq(s.Key, ".") {
			table, _ := value.(map[string]any)
			value = table[key]
		}
		if fmt.Sprint(value) != fmt.Sprint(s.Value) {
			missing = append(missing, s)
		}
	}
	return missing
}

// bringing returns the switches of a game, off now, with which a species can be read, also one that
// does not say its settings, as those of earlier versions did not; nil where there are none.
func bringing(a engine.Adjustable, text string) (missing []gp.Setting) {
	settings := a.Settings()
	v := reflect.ValueOf(settings).Elem()
	words := func(g *gp.Grammar) int { return len(g.Operators) + len(g.Slots) }
	known := words(a.(engine.Game).Grammar())
	for _, f := range reflect.VisibleFields(v.Type()) {
		key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		at := v.FieldByIndex(f.Index)
		if f.Type.Kind() != reflect.Bool || key == "" || at.Bool() {
			continue
		}
		at.SetBool(true)
		with, err := a.With(settings)
		if err != nil || words(with.Grammar()) <= known {
			at.SetBool(false)
			continue
		}
		known = words(with.Grammar())
		missing = append(missing, gp.Setting{Key: key, Value: true})
		if _, err := gp.ParseSpecies(text, func(string, int) (*gp.Grammar, error) {
			return with.Grammar(), nil
		}); err == nil {
			return missing
		}
	}
	return nil
}
