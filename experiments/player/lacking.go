package player

import (
	"fmt"

	"clade/engine"
	"clade/gp"
)

// lacking returns the end of a sentence that names the settings which a game lacks for a species
// with unknown names; "" if settings are not the cause.
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

// unlike returns the settings of a species file that differ from the game's.
func unlike(a engine.Adjustable, text string) (missing []gp.Setting) {
	h, err := gp.ParseHeader(text)
	if err != nil {
		return nil
	}
	have := map[string]any{}
	for _, row := range a.Settings().Table() {
		have[row.Key] = row.Now()
	}
	for _, s := range h.Settings {
		if fmt.Sprint(have[s.Key]) != fmt.Sprint(s.Value) {
			missing = append(missing, s)
		}
	}
	return missing
}

// bringing returns the switches of a game, off now, with which a species can be read, even one that
// does not name its settings, as in earlier versions; nil if there are none.
func bringing(a engine.Adjustable, text string) (found []gp.Setting) {
	engine.Switches(a, func(on []string, with engine.Game) bool {
		if _, err := gp.ParseSpecies(text, func(string, int) (*gp.Grammar, error) {
			return with.Grammar(), nil
		}); err == nil {
			for _, key := range on {
				found = append(found, gp.Setting{Key: key, Value: true})
			}
		}
		return found == nil
	})
	return found
}
