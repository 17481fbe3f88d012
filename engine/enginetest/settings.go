package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"clade/engine"
)

func checkSettings(s *subject) error {
	a, ok := s.game.(engine.Adjustable)
	if !ok {
		return nil
	}
	settings := a.Settings()
	if v := reflect.ValueOf(settings); v.Kind() != reflect.Pointer ||
		v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("Settings returned %T, not a pointer to a struct", settings)
	}
	if err := checkTable(settings); err != nil {
		return err
	}
	if settings == a.Settings() {
		return errors.New("two calls of Settings returned one pointer")
	}
	twin, err := a.With(settings)
	if err != nil {
		return fmt.Errorf("With refuses the game's own settings: %w", err)
	}
	if !reflect.DeepEqual(settings, a.Settings()) {
		return errors.New("With changed the settings")
	}
	if !reflect.DeepEqual(twin.Info(), s.info) {
		return errors.New("with its own settings the game has another Info")
	}
	for _, senseless := range []any{nil, 3, &struct{}{}} {
		if _, err := a.With(senseless); err == nil {
			return fmt.Errorf("With takes the senseless settings %v", senseless)
		}
	}
	players, err := bindAll(s.game, randomGenomes(s.game, s.info.MinSeats))
	if err != nil {
		return err
	}
	twins, err := bindAll(twin, randomGenomes(twin, s.info.MinSeats))
	if err != nil {
		return err
	}
	if err := same("the game, and the game with its own settings", s.game.Play(players, 1, nil),
		twin.Play(twins, 1, nil)); err != nil {
		return err
	}
	if err := refuses(a); err != nil {
		return err
	}
	return s.untouched(a, players)
}

// checkTable checks that a table has every setting once, with its value in range.
func checkTable(settings engine.Settings) error {
	keys := map[string]bool{}
	if err := keysOf(reflect.TypeOf(settings).Elem(), "", keys); err != nil {
		return err
	}
	for _, s := range settings.Table() {
		switch {
		case !keys[s.Key]:
			return fmt.Errorf("Table tells of %q, which is no setting, or twice", s.Key)
		case s.About == "" || strings.Contains(s.About, "\n") || strings.HasSuffix(s.About, "."):
			return fmt.Errorf("what Table says of %q is no clause on one line: %q", s.Key, s.About)
		}
		delete(keys, s.Key)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		return fmt.Errorf("Table does not tell of the setting %q", key)
	}
	return engine.CheckSettings("defaults", settings)
}

// refuses checks that With refuses each setting beyond either end of its range, and names it.
func refuses(a engine.Adjustable) error {
	for i, s := range a.Settings().Table() {
		for _, beyond := range []float64{s.Low - 1, s.High + 1} {
			given := a.Settings()
			switch v := given.Table()[i].Value.(type) {
			case *int:
				*v = int(beyond)
			case *float64:
				*v = beyond
			case *[]int:
				*v = []int{int(beyond)}
			case *string:
				*v += "?"
			}
			if engine.CheckSettings("", given) == nil {
				continue // a switch, any text, or a range without an end
			}
			if _, err := a.With(given); err == nil || !strings.Contains(err.Error(), s.Key) {
				return fmt.Errorf("With takes %s out of its range, or says %v", s.Key, err)
			}
		}
	}
	return nil
}

// keysOf collects the keys of a struct, with hyphens between their words.
func keysOf(t reflect.Type, prefix string, keys map[string]bool) error {
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		key = prefix + strings.ReplaceAll(key, "_", "-")
		switch {
		case f.IsExported() && !f.Anonymous && key == prefix:
			return fmt.Errorf("field %s of the settings has no toml name", f.Name)
		case f.Type.Kind() == reflect.Struct && !f.Anonymous:
			if err := keysOf(f.Type, key+".", keys); err != nil {
				return err
			}
		case !f.Anonymous:
			keys[key] = true
		}
	}
	return nil
}

// untouched adjusts a game in each of its settings and checks that the game itself does not change,
// and that the other game has the given settings.
func (s *subject) untouched(a engine.Adjustable, players []engine.Player) error {
	own, want := a.Settings(), s.game.Play(players, 1, nil)
	adjusted := 0
	for i := range reflect.TypeOf(own).Elem().NumField() {
		for step := range 3 {
			given := a.Settings()
			if !nudge(reflect.ValueOf(given).Elem().Field(i), step) {
				continue
			}
			name := reflect.TypeOf(own).Elem().Field(i).Name
			other, err := a.With(given)
			if err != nil {
				continue
			}
			adjusted++
			if got := other.(engine.Adjustable).Settings(); !reflect.DeepEqual(got, given) {
				return fmt.Errorf("With was given %+v, and its game has %+v", given, got)
			}
			if !reflect.DeepEqual(own, a.Settings()) || !reflect.DeepEqual(s.info, s.game.Info()) {
				return fmt.Errorf("With another %s changed the game that it was called on", name)
			}
			if err := same("before and after With another "+name, want,
				s.game.Play(players, 1, nil)); err != nil {
				return err
			}
		}
	}
	if adjusted == 0 {
		return errors.New("With takes no other value of any setting")
	}
	return nil
}

// nudge gives a setting another value of its kind, the more different the higher the step. It
// returns false if it knows none.
func nudge(v reflect.Value, step int) bool {
	if !v.CanSet() {
		return false
	}
	switch {
	case v.Kind() == reflect.Bool && step == 0:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt([]int64{v.Int() + 1, v.Int() - 1, 2*v.Int() + 2}[step])
	case v.CanUint():
		v.SetUint(v.Uint() + uint64(step) + 1)
	case v.CanFloat():
		v.SetFloat([]float64{v.Float() / 2, v.Float() + 1, v.Float() - 1}[step])
	default:
		return false
	}
	return true
}
