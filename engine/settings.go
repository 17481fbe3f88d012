package engine

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"clade/gp"
	"clade/gp/suggest"
)

// Setting is what a game says of one of its settings: what is checked, and what people are told, is
// both read from here.
type Setting struct {
	Key   string // with dots for tables within
	About string // what it is, a clause without a full stop
	Unit  string // of a number; "" where it counts what About names
	// Value points to the field of the struct: an *int, *float64, *bool, *string or *[]int.
	Value any
	// Low and High are the range of a number, or of each number of a list. High is infinite where
	// there is no upper end.
	Low, High float64
	Words     []string // what a text can be; nil for any text
	// Neutral is a setting that changes nothing for evolved players, such as how a game is drawn or
	// how fast it is played. A species does not say that it was bred under it.
	Neutral bool
}

// Settings is a struct of settings that tells of each.
type Settings interface {
	// Table returns the settings in the order in which people are told of them.
	Table() []Setting
}

// Switches calls use with the settings that bring words into a game's vocabulary when they are on,
// now off, and with the game that has them: with each and all before it, or with it alone where it
// does not go with those before, until use returns false.
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
		for _, before := range [][]string{on, nil} {
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
			if news(with.Grammar()) {
				if on = append(before[:len(before):len(before)], row.Key); !use(on, with) {
					return
				}
			}
			break
		}
	}
}

// Whole is the row of a whole number in low..high.
func Whole(key string, value *int, low, high int, unit, about string) Setting {
	return Setting{Key: key, Value: value, Low: float64(low), High: float64(high), Unit: unit,
		About: about}
}

// Real is the row of a number in low..high.
func Real(key string, value *float64, low, high float64, unit, about string) Setting {
	return Setting{Key: key, Value: value, Low: low, High: high, Unit: unit, About: about}
}

// Switch is the row of a setting that is on or off.
func Switch(key string, value *bool, about string) Setting {
	return Setting{Key: key, Value: value, About: about}
}

// Word is the row of a text: one of some words, or any where there are none.
func Word(key string, value *string, about string, words ...string) Setting {
	return Setting{Key: key, Value: value, About: about, Words: words}
}

// Neutral marks the row of a setting that evolved players do not notice.
func Neutral(s Setting) Setting {
	s.Neutral = true
	return s
}

// IsNeutral tells whether evolved players do not notice the setting with a key.
func IsNeutral(settings any, key string) bool {
	d, ok := settings.(Settings)
	return ok && slices.ContainsFunc(d.Table(),
		func(s Setting) bool { return s.Neutral && s.Key == key })
}

// CheckSettings returns the fault of the first setting out of its range, with the game's name.
func CheckSettings(game string, settings Settings) error {
	for _, s := range settings.Table() {
		if err := s.check(); err != nil {
			return suggest.Faultf(s.Key, "%s: %w", game, err)
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
			return fmt.Errorf("%s: %s", s.Key, suggest.Unknown(s.Key, *v,
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

// Range says what values the setting can have.
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

// Now returns the value that the setting has.
func (s *Setting) Now() any { return reflect.ValueOf(s.Value).Elem().Interface() }
