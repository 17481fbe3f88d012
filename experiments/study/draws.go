package study

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/gp/input"
)

// draw is a setting of the game that every board draws by its seed, for all seats: in a study
// settings.KEY = { draw = [LEAST, MOST], scale = "log" }, with the scale "linear" where it is left
// out, or { draw = [VALUES…], scale = "list" }.
type draw struct {
	key    string // within the game's settings, with dots
	values []any  // in order, as TOML; each is drawn as often as another
	table  map[string]any
}

const (
	// rangeValues are the values that are drawn of a range, evenly on its scale, with both ends; of
	// whole numbers fewer where they are the same.
	rangeValues = 17
	// maxVariants bounds the combinations of drawn settings, each of which is a game.
	maxVariants = 1000
)

// takeDraws records the draws of a tree of settings, and returns the tree without them. A value
// that is not drawn replaces the draw of its key.
func (s *Study) takeDraws(prefix string, settings reflect.Value, tree map[string]any) (
	rest map[string]any, faults []error) {
	rest = maps.Clone(tree)
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key := prefix + hyphened(name)
		f := field(settings, name)
		if !f.IsValid() {
			continue // assigning it reports the fault
		}
		table, isTable := tree[name].(map[string]any)
		if f = settled(f); isTable && f.Kind() == reflect.Struct {
			below, more := s.takeDraws(key+".", f, table)
			rest[name], faults = below, append(faults, more...)
			continue
		}
		s.draws = slices.DeleteFunc(slices.Clone(s.draws), func(d draw) bool { return d.key == key })
		if _, draws := table["draw"]; !draws {
			continue
		}
		delete(rest, name)
		d, err := newDraw(key, f, table)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		s.draws = append(s.draws, d)
		slices.SortFunc(s.draws, func(a, b draw) int { return strings.Compare(a.key, b.key) })
	}
	return rest, faults
}

// newDraw reads the draw of a setting. It only inspects the setting's variable.
func newDraw(key string, f reflect.Value, table map[string]any) (draw, error) {
	d := draw{key: key, table: table}
	full := "settings." + key
	for name := range table {
		if name != "draw" && name != "scale" {
			return d, wrong(full, ": %s", input.Unknown("key", name, []string{"draw", "scale"}))
		}
	}
	list, isList := table["draw"].([]any)
	if !isList || len(list) < 2 {
		return d, wrong(full+".draw", `: a list is needed here, [LEAST, MOST], or with scale = "list" `+
			"the values to draw from")
	}
	scale, given := table["scale"]
	if !given {
		scale = "linear"
	}
	probe := reflect.New(f.Type()).Elem()
	for _, v := range list {
		if err := convert(probe, full+".draw", v); err != nil {
			return d, err
		}
	}
	switch scale {
	case "list":
		d.values = list
		return d, nil
	case "linear", "log":
	default:
		return d, wrong(full+".scale", `: must be "linear", "log" or "list", not %v`, scale)
	}
	least, isNumber := number(list[0])
	most, _ := number(list[1])
	switch {
	case len(list) != 2 || !isNumber:
		return d, wrong(full+".draw", `: a range has two numbers, the least and the most; for values `+
			`to draw from add scale = "list"`)
	case !(least < most):
		return d, wrong(full+".draw", ": the least, %v, must be below the most, %v", list[0], list[1])
	case scale == "log" && least <= 0:
		return d, wrong(full+".draw", `: with scale = "log" the least must be above 0, not %v`, list[0])
	}
	for i := range rangeValues {
		at := float64(i) / (rangeValues - 1)
		v := least + float64(at*(most-least))
		if scale == "log" {
			v = least * math.Pow(most/least, at)
		}
		value := any(v)
		if f.CanInt() || f.CanUint() {
			value = int64(math.Round(v))
		}
		if n := len(d.values); n == 0 || d.values[n-1] != value {
			d.values = append(d.values, value)
		}
	}
	return d, nil
}

// assignSettings writes a tree of settings over those of the study's game.
func (s *Study) assignSettings(tree map[string]any) []error {
	v := settled(reflect.ValueOf(&s.Settings))
	tree, faults := s.takeDraws("", v, tree)
	return append(faults, assignTable(v, "", tree)...)
}

// setDrawn returns the study with each draw replaced by one of its values, chosen by index.
func (s *Study) setDrawn(index func(i int) int) (made *Study, label string, err error) {
	c := s.clone()
	c.draws = nil
	var parts []string
	for i, d := range s.draws {
		v := d.values[index(i)]
		parts = append(parts, d.key+"="+plainText(v))
		if faults := assignTable(settled(reflect.ValueOf(c.Settings)), "", nested(d.key, v)); len(
			faults) > 0 {
			return nil, "", faults[0]
		}
	}
	return c, strings.Join(parts, " "), nil
}

// nested returns a tree of tables with one value at a key with dots.
func nested(key string, value any) map[string]any {
	parts := strings.Split(key, ".")
	for _, name := range slices.Backward(parts[1:]) {
		value = map[string]any{name: value}
	}
	return map[string]any{parts[0]: value}
}

// drawn returns a game in which every board draws the study's draws.
func (s *Study) drawn(g engine.Game) (engine.Game, error) {
	if len(s.draws) == 0 {
		return g, nil
	}
	n := 1
	for _, d := range s.draws {
		if n *= len(d.values); n > maxVariants {
			return nil, input.Faultf(s.draws[0].key, "%d combinations of settings are the most that "+
				"can be drawn, and a range has up to %d values; draw fewer settings, or from lists",
				maxVariants, rangeValues)
		}
	}
	var games []engine.Game
	var labels []string
	for i := range n {
		c, label, err := s.setDrawn(func(k int) int {
			at := i
			for _, d := range s.draws[:k] {
				at /= len(d.values)
			}
			return at % len(s.draws[k].values)
		})
		if err != nil {
			return nil, err
		}
		v, err := g.(engine.Adjustable).With(c.Settings)
		if err != nil {
			return nil, input.Faultf(s.draws[0].key, "with the drawn %s: %w", label, err)
		}
		games, labels = append(games, v), append(labels, label)
	}
	var says []string
	for _, d := range s.draws {
		says = append(says, d.key+" = "+plainText(d.text()))
	}
	made, err := engine.NewDrawn(g, strings.Join(says, ", "), games, labels)
	if err != nil {
		return nil, input.Faultf(s.draws[0].key, "%w", err)
	}
	return made, nil
}

// text returns the draw as a study writes it.
func (d *draw) text() string { return strings.ReplaceAll(valueText(d.table), "\n", "; ") }

// Worlds returns the study under the other settings at which its last champion is measured, each
// with a label and without draws: those of measure.settings, and the two ends of what is drawn, the
// least of all and the most of all, or the first and the last of lists.
func (s *Study) Worlds() (worlds []*Study, labels []string, err error) {
	for _, table := range s.Measure.Settings {
		c := s.clone()
		if faults := c.assignSettings(table); len(faults) > 0 {
			return nil, nil, wrong("measure.settings", ": %w", errors.Join(faults...))
		}
		if _, err := c.NewGame(); err != nil {
			return nil, nil, wrong("measure.settings", ": %w", err)
		}
		worlds, labels = append(worlds, c), append(labels, flattened(table).String())
	}
	for _, last := range []bool{false, true} {
		if len(s.draws) == 0 {
			break
		}
		end, label, err := s.setDrawn(func(i int) int {
			if last {
				return len(s.draws[i].values) - 1
			}
			return 0
		})
		if err != nil {
			return nil, nil, err
		}
		worlds, labels = append(worlds, end), append(labels, label)
	}
	return worlds, labels, nil
}

// spelled returns tables whose keys are written with hyphens, so that none appears twice.
func spelled(tables map[string]any) map[string]any {
	made := map[string]any{}
	for key, v := range tables {
		if below, ok := v.(map[string]any); ok {
			v = spelled(below)
		}
		made[hyphened(key)] = v
	}
	return made
}

// settingsTable returns the settings as TOML has them, with the draws.
func (s *Study) settingsTable() (map[string]any, error) {
	table := map[string]any{}
	text, err := toml.Marshal(s.Settings)
	if err == nil {
		err = toml.Unmarshal(text, &table)
	}
	if err != nil {
		return nil, fmt.Errorf("study: settings: %w", err)
	}
	table = spelled(table)
	for _, d := range s.draws {
		table = over(table, nested(d.key, d.table))
	}
	return table, nil
}
