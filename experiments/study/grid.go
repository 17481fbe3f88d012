package study

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/gp/input"
)

// maxCells bounds a sweep, so that a typing error does not cost a week of computing.
const maxCells = 100_000

// Cell is one run of a sweep: a resolved study.
type Cell struct {
	Study *Study
	// names its directory: 16 hexadecimal digits of a hash over all that decides the run and its
	// measurements, and the version of the game's rules
	Key string
	// the values that replicates share, such as "population 500, tournament 2"; empty where nothing
	// but the seed differs
	Group string
	Named bool // Group is the name that the study gives the cell
	// of the sweep's keys, in their order: int64, float64, string, bool or []any; a default that is
	// written "" or [] is a string, its name
	Values []any
}

// Directory returns the cell's directory in a sweep's.
func (c *Cell) Directory(sweep string) string { return filepath.Join(sweep, c.Key) }

// Grid is a sweep laid out.
type Grid struct {
	Name  string
	Keys  []string // settings that differ by cell, sorted, without the seed
	Cells []Cell   // every one different; replicates side by side
	Merge *Study   // the run that descends from all others; nil for none
	held  held
	found *found
}

// combination is a choice of values by dotted key.
type combination map[string]any

func (c combination) String() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, k+"="+valueText(c[k]))
	}
	return strings.Join(parts, " ")
}

// Grid lays the study's sweep out. A study without one is a grid of one cell.
func (s *Study) Grid() (*Grid, error) {
	if s.laid != nil {
		if text, err := s.Text(); err == nil && bytes.Equal(text, s.laid.text) {
			g := *s.laid.grid
			g.Cells = slices.Clone(g.Cells)
			return &g, nil
		}
	}
	return s.grid(nil)
}

// grid lays the cells out whose index is asked for; nil asks for all.
func (s *Study) grid(mine func(index int) bool) (*Grid, error) {
	sweep := s.Sweep
	if sweep == nil {
		sweep = &Sweep{}
	}
	combinations, err := sweep.combinations()
	if err != nil {
		return nil, err
	}
	seeds, err := sweep.seeds(s.Seed)
	if err != nil {
		return nil, err
	}
	if sweep.Quick {
		seeds = seeds[:min(2, len(seeds))]
	}
	if len(combinations)*len(seeds) > maxCells {
		return nil, wrong("sweep", ": it has %d cells, and %d are the most",
			len(combinations)*len(seeds), maxCells)
	}
	g := &Grid{Name: s.Name, Keys: varied(combinations), held: held{},
		found: &found{map[string]engine.Game{}, map[[2]string]bool{}}}
	exclusions := sweep.exclusions()
	index, distinct := -1, mine != nil && sweep.distinct()
	seen, names := map[string]string{}, map[string]bool{} // groups by key
	for _, c := range combinations {
		name, err := c.takeName()
		if err != nil {
			return nil, err
		}
		if name != "" && names[name] {
			return nil, wrong("sweep.cells.name", ": two cells are called %q", name)
		}
		names[name] = true
		for _, seed := range seeds {
			if _, own := c["seed"]; own && seed != seeds[0] {
				continue
			}
			if index++; distinct && !mine(index) {
				continue
			}
			cell, err := g.cell(s, c, name, seed)
			if err != nil {
				return nil, err
			}
			g.held.note(c, cell.Study)
			if exclusions.match(cell.Study, c) {
				continue
			}
			if group, twice := seen[cell.Key]; !twice {
				seen[cell.Key] = cell.Group
				g.Cells = append(g.Cells, cell)
			} else if cell.Named && group != name && !sweep.Quick { // which may make cells alike
				return nil, wrong("sweep.cells.name", ": the settings of %q are those of %q; leave "+
					"one of the two out", name, group)
			}
		}
	}
	if err := exclusions.unused(); err != nil {
		return nil, err
	}
	if len(g.Cells) == 0 && !distinct {
		return nil, wrong("sweep.exclude", ": no run is left")
	}
	if mine != nil && !distinct {
		all := g.Cells
		g.Cells = nil
		for i := range all {
			if mine(i) {
				g.Cells = append(g.Cells, all[i])
			}
		}
	}
	if g.Merge, err = s.merge(); g.Merge != nil {
		g.held.note(flattened(s.Sweep.Merge), g.Merge)
	}
	return g, err
}

// merge resolves the study of the run that descends from all others, if the sweep has one.
func (s *Study) merge() (*Study, error) {
	if s.Sweep == nil || s.Sweep.Merge == nil {
		return nil, nil
	}
	m := s.clone()
	m.Sweep, m.Name = nil, s.Name+"-merge"
	m.Evolve.Founders.Species = []string{"sweep:"}
	err := assign(m, s.Sweep.Merge)
	if err == nil && s.Sweep.Quick {
		m.Quick()
	}
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, wrong("sweep.merge", ": %w", err)
	}
	return m, nil
}

// takeName removes the name of a cell from its settings, and returns it.
func (c combination) takeName() (string, error) {
	v, given := c["name"]
	delete(c, "name")
	name, isText := v.(string)
	if given && (!isText || strings.TrimSpace(name) == "") {
		return "", wrong("sweep.cells.name", ": must be a text that is not empty")
	}
	return name, nil
}

// cell resolves the study of one combination and seed. A cell without a name is called by its
// values.
func (g *Grid) cell(base *Study, c combination, name string, seed uint64) (Cell, error) {
	s := base.clone()
	s.Sweep, s.Seed, s.found, s.laid = nil, seed, g.found, nil
	defer func() { s.found = nil }()
	tree := map[string]any{}
	for k, v := range c {
		tree = over(tree, nested(k, v))
	}
	if err := assign(s, tree); err != nil {
		return Cell{}, cellFault(c, err)
	}
	if base.Sweep != nil && base.Sweep.Quick {
		s.Quick()
	}
	err := s.check()
	if err == nil {
		err = s.checkRun()
	}
	if err != nil {
		return Cell{}, cellFault(c, err)
	}
	cell := Cell{Study: s}
	var label, texts []string
	for _, k := range g.Keys {
		v, ok := s.value(k)
		if !ok {
			return Cell{}, wrong("sweep.settings."+k,
				": the setting has no value of its own; sweep over the keys below it")
		}
		shown := s.shown(k, v)
		cell.Values = append(cell.Values, shown)
		texts = append(texts, plainText(shown))
		label = append(label, short(g.Keys, k)+"="+plainText(v))
	}
	if cell.Group, cell.Named = Label(g.Keys, texts), name != ""; cell.Named {
		cell.Group, label = name, []string{name}
	}
	if len(label) > 0 { // part of what decides the run
		s.Name += "-" + FileName(strings.NewReplacer("=", "-", " ", "-", ".", "_").Replace(
			strings.Join(label, " ")))
	}
	cell.Key, err = s.key()
	return cell, err
}

// Label names a group of replicates by the settings in which it differs from others, such as
// "population 100, tournament 5".
func Label(keys, values []string) string {
	var parts []string
	for i, key := range keys {
		parts = append(parts, short(keys, key)+" "+values[i])
	}
	return strings.Join(parts, ", ")
}

// short returns the last part of a key, or the whole key where another ends alike.
func short(keys []string, key string) string {
	last := key[strings.LastIndexByte(key, '.')+1:]
	for _, other := range keys {
		if other != key && (other == last || strings.HasSuffix(other, "."+last)) {
			return key
		}
	}
	return last
}

// cellFault attributes the faults of a combination to the keys of the sweep.
func cellFault(c combination, err error) error {
	var faults []error
	input.Each(err, func(err error) {
		setting := "sweep"
		if f := (*input.Fault)(nil); errors.As(err, &f) {
			for k := range c {
				if strings.HasPrefix(f.Key+".", k+".") {
					setting = "sweep.settings." + k
				}
			}
		}
		faults = append(faults, wrong(setting, ": in the cell %s: %w", c, err))
	})
	return errors.Join(faults...)
}

// key returns the hash of everything that decides a run and its measurements.
func (s *Study) key() (string, error) {
	bare := *s
	bare.Name, bare.Question, bare.Sweep, bare.Figures = "", "", nil, nil
	text, err := bare.Text()
	if err != nil {
		return "", err
	}
	g, _, err := s.game()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n%s", g.Info().Name, g.Info().Version, text)
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// seeds lists the seeds of a cell.
func (w *Sweep) seeds(first uint64) ([]uint64, error) {
	if len(w.Seeds) > 0 {
		if w.Replicates != 0 {
			return nil, wrong("sweep.replicates", ": seeds are listed too; leave one of the two out")
		}
		sorted := slices.Clone(w.Seeds)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) < len(w.Seeds) {
			return nil, wrong("sweep.seeds",
				": a seed stands twice, which would be no new replicate; leave it out")
		}
		return w.Seeds, nil
	}
	if w.Replicates < 0 || w.Replicates > maxCells {
		return nil, wrong("sweep.replicates", ": must be in 1..%d, not %d", maxCells, w.Replicates)
	}
	seeds := make([]uint64, max(1, w.Replicates))
	if first > math.MaxInt64-uint64(len(seeds)-1) {
		return nil, wrong("sweep.replicates", ": from seed %d on there are no %d seeds: the "+
			"last is %d; take a smaller seed", first, len(seeds), math.MaxInt64)
	}
	for i := range seeds {
		seeds[i] = first + uint64(i)
	}
	return seeds, nil
}

// combinations returns the product of the lists, the last key fastest, and then the explicit cells.
func (w *Sweep) combinations() ([]combination, error) {
	axes := flattened(w.Settings)
	var all []combination
	if len(axes) > 0 || len(w.Cells) == 0 {
		all = []combination{{}}
	}
	for _, k := range slices.Sorted(maps.Keys(axes)) {
		if k == "seed" {
			return nil, wrong("sweep.settings.seed",
				": seeds have a key of their own; write seeds = […] in [sweep]")
		}
		values, ok := axes[k].([]any)
		if !ok || len(values) == 0 {
			return nil, wrong("sweep.settings."+k, ": a list of values is needed here, such as [2, 5]")
		}
		if len(all)*len(values) > maxCells {
			return nil, wrong("sweep.settings."+k, ": the sweep has more than %d cells", maxCells)
		}
		var longer []combination
		for _, c := range all {
			for _, v := range values {
				next := maps.Clone(c)
				next[k] = v
				longer = append(longer, next)
			}
		}
		all = longer
	}
	for _, c := range w.Cells {
		all = append(all, flattened(c))
	}
	for i, c := range all {
		for k := range c {
			if own := i >= len(all)-len(w.Cells); own && k == "name" {
				continue
			}
			if err := sweepable(k); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// sweepable refuses keys of a study that cannot differ by cell.
func sweepable(key string) error {
	head, _, _ := strings.Cut(key, ".")
	switch head {
	case "name", "question", "game", "sweep", "figures":
		return wrong("sweep.settings."+key, ": %q cannot differ by cell; write a study for each", head)
	}
	if known := keys(reflect.ValueOf(Study{})); !slices.Contains(known, head) {
		return wrong("sweep.settings."+key, ": %s", input.Unknown("key", head, known))
	}
	return nil
}

// distinct reports whether all cells are known to be different before they are resolved. Values
// that may name files, or be written in two ways, are not.
func (w *Sweep) distinct() bool {
	for key, v := range flattened(w.Settings) {
		values, _ := v.([]any)
		seen := map[any]bool{}
		for _, v := range values {
			n, isNumber := number(v)
			_, isText := v.(string)
			if isNumber {
				v = n
			} else if _, isTruth := v.(bool); !isTruth && !isText ||
				isText && strings.HasPrefix(key, "settings") {
				return false
			}
			if seen[v] {
				return false
			}
			seen[v] = true
		}
	}
	return len(w.Cells)+len(w.Exclude) == 0 && !w.Quick
}

// varied lists the keys that some combination sets.
func varied(combinations []combination) []string {
	keys := map[string]bool{}
	for _, c := range combinations {
		for k := range c {
			keys[k] = true
		}
	}
	delete(keys, "seed")
	delete(keys, "name")
	return slices.Sorted(maps.Keys(keys))
}

// flattened returns the leaves of nested tables by dotted keys.
func flattened(tables map[string]any) combination {
	flat := combination{}
	for k, v := range tables {
		below, ok := v.(map[string]any)
		if !ok {
			flat[k] = v
		}
		for inner, v := range flattened(below) {
			flat[k+"."+inner] = v
		}
	}
	return flat
}

// valueText writes a value as TOML.
func valueText(v any) string {
	b, err := toml.Marshal(map[string]any{"v": v})
	if err != nil {
		panic("study: a value that was read from TOML cannot be written: " + err.Error())
	}
	return strings.TrimSpace(strings.TrimPrefix(string(b), "v = "))
}

// plainText writes a value for people: texts without quotes, lists with commas.
func plainText(v any) string {
	switch v := v.(type) {
	case string:
		if first, _, more := strings.Cut(v, "\n"); more { // a board, say
			return fmt.Sprintf("%.40s %.3x", first, sha256.Sum256([]byte(v)))
		}
		return v
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = plainText(v[i])
		}
		return strings.Join(parts, ",")
	default:
		return valueText(v)
	}
}

// exclusions holds the excluded combinations, and which of them have left out a cell.
type exclusions struct {
	of   []combination
	used []bool
}

func (w *Sweep) exclusions() *exclusions {
	e := &exclusions{used: make([]bool, len(w.Exclude))}
	for _, c := range w.Exclude {
		e.of = append(e.of, flattened(c))
	}
	return e
}

// match reports whether a resolved study, or the combination that it comes from, has all values of
// an exclusion.
func (e *exclusions) match(s *Study, of combination) bool {
	matched := false
	for i, c := range e.of {
		all := len(c) > 0
		for k, want := range c {
			have, ok := s.value(k)
			all = all && ok && (same(have, want) || same(of[k], want)) // it may name a file
		}
		if all {
			e.used[i], matched = true, true
		}
	}
	return matched
}

// unused returns an error for an exclusion that leaves out no cell, which must be a mistake.
func (e *exclusions) unused() error {
	for i, used := range e.used {
		if !used {
			return wrong("sweep.exclude", ": no run has %s; leave the exclusion out or correct it", e.of[i])
		}
	}
	return nil
}

// same compares values; 1 and 1.0 are the same.
func same(a, b any) bool {
	x, isNumber := number(a)
	if y, ok := number(b); ok && isNumber {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}
