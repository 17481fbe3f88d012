package study

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"clade/analysis/figure"
	"clade/gp/input"
)

// assign writes a tree of TOML tables over the values of a study. The error joins a fault for every
// unknown key and every value of a wrong type.
func assign(s *Study, tree map[string]any) error { return errors.Join(s.assignTree(tree)...) }

func (s *Study) assignTree(tree map[string]any) []error {
	var faults []error
	if settings, ok := tree["settings"].(map[string]any); ok && s.Settings != nil {
		tree = maps.Clone(tree)
		tree["settings"], faults = s.takeDraws("", settled(reflect.ValueOf(&s.Settings)), settings)
	}
	return append(faults, assignTable(reflect.ValueOf(s).Elem(), "", tree)...)
}

func assignTable(v reflect.Value, prefix string, table map[string]any) (faults []error) {
	known := map[string]reflect.Value{}
	fields(v, func(key string, f reflect.Value, _ string) { known[key] = f })
	for _, name := range slices.Sorted(maps.Keys(table)) {
		key := prefix + name
		f := known[hyphened(name)]
		if !f.IsValid() {
			faults = append(faults, &input.Fault{Key: key, Err: &unknownKey{v, prefix, name}})
			continue
		}
		if f.Kind() == reflect.Pointer && f.IsNil() {
			f.Set(reflect.New(f.Type().Elem()))
		}
		if f = settled(f); f.Kind() != reflect.Struct {
			if err := convert(f, key, table[name]); err != nil {
				faults = append(faults, err)
			}
		} else if below, ok := table[name].(map[string]any); ok {
			faults = append(faults, assignTable(f, key+".", below)...)
		} else {
			faults = append(faults, mismatch(key, "a table", table[name]))
		}
	}
	return faults
}

// settled returns the value behind pointers, and behind the interface of the game's settings.
func settled(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface && !v.IsNil() &&
		v.Elem().Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() == reflect.Interface && v.IsNil() {
		return reflect.ValueOf(&struct{}{}).Elem() // of a game without settings
	}
	return v
}

// fields calls use with each key of a struct, its field, and the name of an empty value (its tag
// unset); keys of an embedded struct count as its own. Words of a key have hyphens between them,
// also where the tag has underscores.
func fields(v reflect.Value, use func(key string, f reflect.Value, unset string)) {
	for f, value := range v.Fields() { // reflect.VisibleFields takes longer
		if key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); f.Anonymous {
			fields(value, use)
		} else if key != "" {
			use(hyphened(key), value, cmp.Or(f.Tag.Get("unset"), none))
		}
	}
}

func hyphened(key string) string { return strings.ReplaceAll(key, "_", "-") }

// none is the default name of an empty value.
const none = "none"

// field returns the field of a struct with a key, written with hyphens or with underscores.
func field(v reflect.Value, name string) (found reflect.Value) {
	fields(v, func(key string, f reflect.Value, _ string) {
		if key == hyphened(name) {
			found = f
		}
	})
	return found
}

// keys lists the keys of a struct.
func keys(v reflect.Value) (all []string) {
	fields(v, func(key string, _ reflect.Value, _ string) { all = append(all, key) })
	return all
}

// unknownKey is the error of a key that a table does not have. Its message is made only when it is
// read, since a document may have very many.
type unknownKey struct {
	table        reflect.Value
	prefix, name string
}

func (u *unknownKey) Error() string {
	known, key := keys(u.table), fmt.Sprintf("%.200q", u.prefix+u.name)
	if len(known) == 0 {
		return fmt.Sprintf("unknown key %s: this table has no keys; leave it out", key)
	}
	if n := input.Nearest(u.name, known); n != "" {
		return fmt.Sprintf("unknown key %s, did you mean %q?", key, u.prefix+n)
	}
	var below, names []string // in tables within, and their last parts
	walk(u.table, u.prefix, func(key string, _ reflect.Value, _ string) {
		below = append(below, fmt.Sprintf("%q", key))
		names = append(names, key[strings.LastIndexByte(key, '.')+1:])
	})
	if n := input.Nearest(u.name, names); n != "" {
		below = slices.DeleteFunc(below, func(key string) bool {
			return !strings.HasSuffix(key, "."+n+`"`)
		})
		return fmt.Sprintf("unknown key %s, did you mean %s?", key, strings.Join(below, " or "))
	}
	return input.Unknown("key", fmt.Sprintf("%.200s", u.prefix+u.name), known)
}

// convert writes a TOML value into a variable.
func convert(v reflect.Value, key string, x any) error {
	switch n, whole := x.(int64); {
	case v.CanInt() || v.CanUint():
		if !whole {
			return mismatch(key, "a whole number", x)
		}
		if v.CanInt() {
			v.SetInt(n)
		} else if n < 0 {
			return wrong(key, " must be 0 or more, not %d", n)
		} else {
			v.SetUint(uint64(n))
		}
		return nil
	case v.CanFloat():
		if f, ok := number(x); ok {
			v.SetFloat(f)
			return nil
		}
		return mismatch(key, "a number", x)
	}
	switch v.Kind() {
	case reflect.Bool:
		if b, ok := x.(bool); ok {
			v.SetBool(b)
			return nil
		}
		return mismatch(key, "true or false", x)
	case reflect.String:
		if _, ok := number(x); ok && v.Type() == reflect.TypeFor[figure.Width]() {
			x = fmt.Sprint(x)
		}
		if s, ok := x.(string); ok {
			v.SetString(s)
			return nil
		}
		return mismatch(key, "a text in double quotes", x)
	case reflect.Slice:
		list, ok := x.([]any)
		if !ok {
			return mismatch(key, "a list in square brackets", x)
		}
		made := reflect.MakeSlice(v.Type(), len(list), len(list))
		for i := range list {
			if err := convert(made.Index(i), key, list[i]); err != nil {
				return err
			}
		}
		v.Set(made)
		return nil
	case reflect.Map:
		table, ok := x.(map[string]any)
		if !ok {
			return mismatch(key, "a table", x)
		}
		if v.Type().Elem().Kind() == reflect.Interface {
			v.Set(reflect.ValueOf(over(v.Interface().(map[string]any), table)))
			return nil
		}
		made := reflect.MakeMap(v.Type()) // other keys keep their values
		for name, value := range v.Seq2() {
			made.SetMapIndex(name, value)
		}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			value := reflect.New(v.Type().Elem()).Elem()
			if err := convert(value, key+"."+name, table[name]); err != nil {
				return err
			}
			made.SetMapIndex(reflect.ValueOf(name), value)
		}
		v.Set(made)
		return nil
	default:
		panic(fmt.Sprintf("study: no TOML value becomes a %s", v.Type()))
	}
}

// over returns a table with another merged over it, recursively.
func over(below, above map[string]any) map[string]any {
	all := maps.Clone(below)
	if all == nil {
		all = map[string]any{}
	}
	for key, x := range above {
		table, isTable := x.(map[string]any)
		if old, ok := all[key].(map[string]any); ok && isTable {
			x = over(old, table)
		}
		all[key] = x
	}
	return all
}

// mismatch returns the fault of a value of a wrong type.
func mismatch(key, needed string, x any) error {
	name := "date or time"
	switch x.(type) {
	case string:
		name = "string"
	case int64:
		name = "integer"
	case float64:
		name = "float"
	case bool:
		name = "boolean"
	case []any:
		name = "array"
	case map[string]any:
		name = "table"
	}
	return wrong(key, ": %s is needed here, not a TOML %s", needed, name)
}

// value returns the value at a key with dots as TOML has it: int64, float64, string, bool or []any.
// It returns false for a table and for a key that does not exist.
func (s *Study) value(key string) (any, bool) {
	for _, d := range s.draws {
		if below, is := strings.CutPrefix(key, "settings."+d.key); is {
			v, ok := d.table[strings.TrimPrefix(below, ".")]
			if below == "" {
				v, ok = d.text(), true
			}
			return v, ok
		}
	}
	v := reflect.ValueOf(s).Elem()
	for name := range strings.SplitSeq(key, ".") {
		switch v.Kind() {
		case reflect.Struct:
			v = field(v, name)
		case reflect.Map:
			v = v.MapIndex(reflect.ValueOf(name))
		default:
			return nil, false
		}
		if !v.IsValid() {
			return nil, false
		}
		v = settled(v)
	}
	return plain(v), v.IsValid() && v.Kind() != reflect.Struct && v.Kind() != reflect.Map
}

// shown returns the value of a setting as tables show it. An empty default, "" or [], is shown by
// its name, since other programs take an empty cell for a missing value.
func (s *Study) shown(key string, v any) any {
	if list, ok := v.([]any); ok && len(list) > 0 {
		return Together(list)
	} else if v != "" && !ok {
		return v
	}
	name := none
	walk(reflect.ValueOf(s).Elem(), "", func(known string, _ reflect.Value, unset string) {
		if known == key {
			name = unset
		}
	})
	return name
}

// Individual is the prefix of the names of all individuals of a checkpoint,
// population:RUN@GENERATION, and of one of them, with /ID behind it.
const Individual = "population:"

// Together returns a list as tables show it. Consecutive individuals of one population become that
// population and their number, since a fork has thousands.
func Together(list []any) []any {
	var short []any
	for i, n := 0, 0; i < len(list); i += n {
		of := population(list[i])
		for n = 1; of != "" && i+n < len(list) && population(list[i+n]) == of; n++ {
		}
		if n == 1 {
			short = append(short, list[i])
		} else {
			short = append(short, fmt.Sprintf("%s (%d)", of, n))
		}
	}
	return short
}

// population returns the population of the name of an individual, "" of another name.
func population(v any) string {
	name, _ := v.(string)
	if cut := strings.LastIndexByte(name, '/'); cut > 0 && strings.HasPrefix(name, Individual) {
		return name[:cut]
	}
	return ""
}

// plain returns a variable as the TOML value that it is written as.
func plain(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.Kind() == reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	default:
		return v.Interface()
	}
}

// Values returns the settings that decide the evolution of a study, except the seed, by key with
// dots, with values as tables show them.
func (s *Study) Values() map[string]string {
	flat := map[string]string{}
	bare := Study{Evolve: s.Evolve, Players: s.Players, Game: s.Game, Settings: s.Settings}
	walk(reflect.ValueOf(&bare).Elem(), "", func(key string, v reflect.Value, _ string) {
		flat[key] = fmt.Sprint(s.shown(key, plain(v)))
	})
	for _, d := range s.draws {
		flat["settings."+d.key] = d.text()
	}
	maps.DeleteFunc(flat, func(key, _ string) bool {
		return key == "name" || key == "question" || key == "seed" || strings.HasPrefix(key, "measure.")
	})
	return flat
}

// Keys returns every setting of the study that can be overridden, by key with dots, with its value
// in TOML.
func (s *Study) Keys() map[string]string {
	flat := map[string]string{}
	walk(reflect.ValueOf(s).Elem(), "", func(key string, v reflect.Value, _ string) {
		if key != "game" && !strings.HasPrefix(key, "sweep") {
			flat[key] = valueText(plain(v))
		}
	})
	return flat
}

// walk calls use with every value below a struct, and the name of its empty value.
func walk(v reflect.Value, prefix string, use func(key string, v reflect.Value, unset string)) {
	fields(v, func(key string, f reflect.Value, unset string) {
		if f.Kind() == reflect.Pointer && f.IsNil() {
			f = reflect.New(f.Type().Elem())
		}
		if f = settled(f); f.Kind() == reflect.Struct {
			walk(f, prefix+key+".", use)
		} else if f.Kind() == reflect.Map {
			for name, value := range f.Seq2() {
				use(prefix+key+"."+name.String(), value, none)
			}
		} else {
			use(prefix+key, f, unset)
		}
	})
}

// clone returns a copy of a study whose values can be assigned without changing the study.
func (s *Study) clone() *Study {
	c := *s
	if s.Settings != nil {
		settings := reflect.New(reflect.TypeOf(s.Settings).Elem())
		settings.Elem().Set(reflect.ValueOf(s.Settings).Elem())
		c.Settings = settings.Interface()
	}
	return &c
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
