package engine

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"clade/gp"
	"clade/gp/input"
)

// Setting describes one of a game's settings. Both its check and its documentation are made from
// this.
type Setting struct {
	Key   string // with dots between a table and its key
	About string // what it is, a clause without a full stop
	Unit  string // of a number; "" where it counts what About names
	// Value points to the field of the struct: an *int, *float64, *bool, *string or *[]int.
	Value any
	// Low and High are the range of a number, or of each number of a list. High is infinite where
	// there is no upper end.
	Low, High float64
	Words     []string // what a text can be; nil for any text
	// Neutral marks a setting that changes nothing for evolved players, such as how a game is drawn
	// or how fast it is played. A species does not record it.
	Neutral bool
}

// Settings is a struct of settings that describes each of them.
type Settings interface {
	// Table returns the settings in the order of their documentation.
	Table() []Setting
}

// Switches looks for settings that are off and would add operators or slots to a game's vocabulary.
// For each of them it calls use with that setting alone, and then with it and all before it, where
// they can be combined, and with the game in which they are on. It stops when use returns false.
func Switches(g Adjustable, use func(on []string, with Game) bool) {
	known := map[string]bool{}
	news := func(g *gp.Grammar) (found bool) {
		note := func(name string) {
			found = found || !known[name]
			known[name] = true
		}
		for _, op := range g.Operators {
			note(op.Name)
		}
		for _, s := range g.Slots {
			note(s.Name)
		}
		return found
	}
	news(g.(Game).Grammar())
	var on []string
	for i, row := range g.Settings().Table() {
		if value, ok := row.Value.(*bool); !ok || *value {
			continue
		}
		found := false
		for _, before := range [][]string{nil, on}[:1+min(1, len(on))] {
			settings := g.Settings()
			for k, row := range settings.Table() {
				if value, ok := row.Value.(*bool); ok && (k == i || slices.Contains(before, row.Key)) {
					*value = true
				}
			}
			with, err := g.With(settings)
			if err != nil {
				continue
			}
			if found = news(with.Grammar()) || found; found {
				on = append(before[:len(before):len(before)], row.Key)
				if !use(on, with) {
					return
				}
			}
		}
	}
}

// Whole returns the description of a whole number in low..high.
func Whole(key string, value *int, low, high int, unit, about string) Setting {
	return Setting{Key: key, Value: value, Low: float64(low), High: float64(high), Unit: unit,
		About: about}
}

// Real returns the description of a number in low..high.
func Real(key string, value *float64, low, high float64, unit, about string) Setting {
	return Setting{Key: key, Value: value, Low: low, High: high, Unit: unit, About: about}
}

// Switch returns the description of a setting that is on or off.
func Switch(key string, value *bool, about string) Setting {
	return Setting{Key: key, Value: value, About: about}
}

// Word returns the description of a text: one of words, or any text where there are none.
func Word(key string, value *string, about string, words ...string) Setting {
	return Setting{Key: key, Value: value, About: about, Words: words}
}

// Neutral returns the description of a setting, marked as Neutral.
func Neutral(s Setting) Setting {
	s.Neutral = true
	return s
}

// IsNeutral tells whether the setting with a key is marked as Neutral.
func IsNeutral(settings any, key string) bool {
	d, ok := settings.(Settings)
	return ok && slices.ContainsFunc(d.Table(),
		func(s Setting) bool { return s.Neutral && s.Key == key })
}

// CheckSettings returns an error, with the game's name, for the first setting out of its range.
func CheckSettings(game string, settings Settings) error {
	for _, s := range settings.Table() {
		if err := s.check(); err != nil {
			return input.Faultf(s.Key, "%s: %w", game, err)
		}
	}
	return nil
}

func (s *Setting) check() error {
	var numbers []float64
	switch v := s.Value.(type) {
	case *int:
		numbers = append(numbers, float64(*v))
	case *float64:
		numbers = append(numbers, *v)
	case *[]int:
		for _, n := range *v {
			numbers = append(numbers, float64(n))
		}
	case *string:
		if s.Words != nil && !slices.Contains(s.Words, *v) {
			return fmt.Errorf("%s: %s", s.Key, input.Unknown(s.Key, *v,
				slices.DeleteFunc(slices.Clone(s.Words), func(w string) bool { return w == "" })))
		}
	}
	for _, n := range numbers {
		switch {
		case n >= s.Low && n <= s.High:
		case math.IsInf(s.High, 1) && !math.IsInf(n, 1):
			return fmt.Errorf("%s must be at least %s, not %s", s.Key, decimal(s.Low), decimal(n))
		default:
			return fmt.Errorf("%s must be in %s..%s, not %s", s.Key, decimal(s.Low),
				decimal(s.High), decimal(n))
		}
	}
	return nil
}

// decimal writes a number without an exponent.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Range describes the values that the setting can have.
func (s *Setting) Range() string {
	switch s.Value.(type) {
	case *bool:
		return "true, false"
	case *string:
		if s.Words == nil {
			return "text"
		}
		quoted := ""
		for i, w := range s.Words {
			if i > 0 {
				quoted += ", "
			}
			quoted += strconv.Quote(w)
		}
		return quoted
	}
	if math.IsInf(s.High, 1) {
		return "at least " + decimal(s.Low)
	}
	return decimal(s.Low) + ".." + decimal(s.High)
}

// Now returns the present value of the setting.
func (s *Setting) Now() any { return reflect.ValueOf(s.Value).Elem().Interface() }
