package view

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"clade/analysis"
	"clade/cmd/view/site"
	"clade/engine/system/durable"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/catalogue"
	"clade/experiments/coevolution"
	"clade/experiments/runner"
)

// Bounds of a picture of descent, in pixels a side.
const maxPixels = 4096

// descents keeps the descent that was looked at last: half a million individuals take 100 MB.
type descents struct {
	*site.Site
	mu    sync.Mutex
	of    string // the file's stamp
	value *laidOut
	bred  map[bredKey]string // names for links of species that were bred again
}

// bredKey names an individual of a run.
type bredKey struct {
	dir, manifest string
	id            int
}

func keyOf(run *runner.Run, id int) bredKey {
	return bredKey{run.Dir, catalogue.Stamp(run.Dir, rundir.ManifestFile), id}
}

// laidOut is the descent of a run, laid out.
type laidOut struct {
	*analysis.Descent
	champion []int // the last champion on record and its first parents, back to a founder
	measures []measure
}

// measure is a number that lines, or champions alone, can be coloured by.
type measure struct {
	name        string
	ofChampions bool
	values      []float64 // by taxon; NaN where it is unknown
	least, most float64
}

// descent reads and lays out the lineage of a link's run.
func (s *descents) descent(r *http.Request) (*laidOut, error) {
	dir, err := s.Path(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := fmt.Sprint(dir, " ", catalogue.Stamp(dir, rundir.LineageFile), rundir.Saved(dir))
	if s.of == of {
		return s.value, nil
	}
	p, err := coevolution.ReadLineage(filepath.Join(dir, rundir.LineageFile))
	if errors.Is(err, fs.ErrNotExist) { // a run writes it when it ends
		p, err = s.saved(r.FormValue("run"))
	}
	if err != nil {
		return nil, site.Wrong(err)
	}
	all, err := champions(dir)
	if err != nil {
		return nil, site.Wrong(err)
	}
	d := &laidOut{Descent: analysis.LayOut(p)}
	at := -1
	for i := 0; at < 0 && i < len(all); i++ {
		at = slices.IndexFunc(d.Taxa, func(t analysis.Taxon) bool { return t.ID == int(all[i].ID) })
	}
	for at >= 0 {
		d.champion = append(d.champion, at)
		parents := d.Taxa[at].Parents
		if at = -1; len(parents) > 0 {
			at = parents[0]
		}
	}
	d.measure(all)
	s.of, s.value = of, d
	return d, nil
}

// saved reads the lineage in the newest checkpoint of a run.
func (s *descents) saved(name string) (*analysis.Phylogeny, error) {
	run, err := s.Run(name)
	if err != nil {
		return nil, err
	}
	setup, err := run.Setup()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := setup.WriteLineage(&text, run.Dir); err != nil {
		return nil, err
	}
	return analysis.ReadPhylogeny(&text, "the lineage in the newest checkpoint of "+run.Dir)
}

// measure finds what the lineage says of each individual and the log of champions. What is the same
// for all tells nothing.
func (d *laidOut) measure(all []championNow) {
	by := map[string][]float64{}
	at := func(name string) []float64 {
		if by[name] == nil {
			by[name] = slices.Repeat([]float64{math.NaN()}, len(d.Taxa))
		}
		return by[name]
	}
	index := map[int]int{}
	for i := range d.Taxa {
		index[d.Taxa[i].ID] = i
	}
	for _, c := range all {
		i, ok := index[int(c.ID)]
		if !ok {
			continue
		}
		at("depth")[i], at("score")[i] = float64(c.Depth), c.Score
		at("wins in its race")[i] = float64(c.Wins) / float64(c.Games)
		for mark, v := range c.Marks {
			at(mark)[i] = v
		}
	}
	d.add(by, true)
	children, life := make([]float64, len(d.Taxa)), make([]float64, len(d.Taxa))
	for i, t := range d.Taxa {
		life[i] = math.Min(t.Destruction, d.End) - t.Origin
		for _, p := range t.Parents {
			children[p]++
		}
	}
	d.add(map[string][]float64{"children": children, "generations alive": life,
		"nodes": d.Numbers["size"], "island": d.Numbers["island"]}, false)
}

func (d *laidOut) add(by map[string][]float64, ofChampions bool) {
	for _, name := range slices.Sorted(maps.Keys(by)) {
		m := measure{name, ofChampions, by[name], math.Inf(1), math.Inf(-1)}
		for _, v := range m.values {
			if !math.IsNaN(v) {
				m.least, m.most = math.Min(m.least, v), math.Max(m.most, v)
			}
		}
		if m.least < m.most {
			d.measures = append(d.measures, m)
		}
	}
}

// shades is how many colours tell values apart.
const shades = 8

// shade returns the colour of a taxon, from 1 for the least value to shades; 0 where it is unknown.
func (m *measure) shade(i int) int {
	if math.IsNaN(m.values[i]) {
		return 0
	}
	return 1 + min(shades-1, int(shades*(m.values[i]-m.least)/(m.most-m.least)))
}

// frame is the part of a layout that is looked at, and the pixels that show it.
type frame struct {
	from, to, low, high float64
	width, height       int
}

func (f frame) x(t float64) float64 { return (t - f.from) / (f.to - f.from) * float64(f.width) }
func (f frame) y(y float64) float64 { return (y - f.low) / (f.high - f.low) * float64(f.height) }

// far returns how many pixels a place is from the line that leads to a taxon from its parent.
func (f frame) far(d *analysis.Descent, i int, x, y float64) float64 {
	toX, toY := f.x(d.Taxa[i].Origin), f.y(d.Y[i])
	fromX, fromY := toX, toY
	if p := d.Taxa[i].Parents; len(p) > 0 {
		fromX, fromY = f.x(d.Taxa[p[0]].Origin), f.y(d.Y[p[0]])
	}
	if d.Lives[i] {
		toX = f.x(d.End)
	}
	within := func(v, a, b float64) float64 { return v - max(min(a, b), min(v, max(a, b))) }
	return min(math.Hypot(x-fromX, within(y, fromY, toY)), math.Hypot(within(x, fromX, toX), y-toY))
}

// frameOf reads the frame of a link; what it leaves out is the whole.
func frameOf(r *http.Request, d *analysis.Descent) (frame, error) {
	f := frame{from: d.Start, to: math.Max(d.End, d.Start+1), low: -1,
		high: math.Max(1, float64(d.Leaves))}
	var err error
	if f.width, err = site.Number(r, "width", 1000, 16, maxPixels); err != nil {
		return f, err
	}
	if f.height, err = site.Number(r, "height", 500, 16, maxPixels); err != nil {
		return f, err
	}
	for name, v := range map[string]*float64{"from": &f.from, "to": &f.to, "low": &f.low,
		"high": &f.high} {
		if text := r.FormValue(name); text != "" {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(n) || math.Abs(n) > 1e12 {
				return f, site.Refuse("%s %q is not a number", name, text)
			}
			*v = n
		}
	}
	if f.to-f.from < 1e-6 || f.high-f.low < 1e-6 {
		return f, site.Refuse("the part to be shown is empty: from %g to %g, rows %g to %g", f.from,
			f.to, f.low, f.high)
	}
	return f, nil
}

// descentNow is a picture of descent: every line of every individual, collapsed to the pixels that
// it covers, so that its size depends on the picture and not on the individuals.
type descentNow struct {
	Individuals int     `json:"individuals"`
	Leaves      int     `json:"leaves"`
	From        float64 `json:"from"`
	To          float64 `json:"to"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Width       int     `json:"width"`
	Height      int     `json:"height"`
	// runs of pixels, three numbers each: the row, the first column, and how many; then the same of
	// columns: the column, the first row, and how many. First the extinct, then those that survive;
	// with a measure those of which it is unknown, then from the least to the most
	Across [][]int `json:"across"`
	Down   [][]int `json:"down"`
	// champions, in pixels, and which of the colours each has, of a measure that only they have
	Dots [][3]float64 `json:"dots,omitempty"`
	// what lines, and then champions, can be coloured by, and between which values By does so
	Measures [2][]string `json:"measures"`
	By       string      `json:"by,omitempty"`
	Least    float64     `json:"least"`
	Most     float64     `json:"most"`
	// the survivors' most recent common ancestor, in pixels; nil where it is not in the picture
	Ancestor *[2]float64 `json:"ancestor,omitempty"`
	// the last champion that is on record and its first parents, back to a founder, in pixels, and
	// which of the colours each has
	Champion [][3]float64 `json:"champion,omitempty"`
}

func (s *descents) showDescent(r *http.Request) (any, error) {
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	d, err := s.descent(r)
	if err != nil {
		return nil, err
	}
	f, err := frameOf(r, d.Descent)
	if err != nil {
		return nil, err
	}
	shade := survival(d.Descent)
	by := r.FormValue("by")
	chosen := slices.IndexFunc(d.measures, func(m measure) bool { return m.name == by })
	if chosen < 0 && by != "" {
		return nil, site.Refuse("individuals of this run do not differ in %q", by)
	}
	if chosen >= 0 && d.measures[chosen].ofChampions {
		shade = func(int) int { return 0 }
	} else if chosen >= 0 {
		shade = d.measures[chosen].shade
	}
	now := collapse(d.Descent, f, shade)
	for i, m := range d.measures {
		k := 0
		if m.ofChampions {
			k = 1
		}
		now.Measures[k] = append(now.Measures[k], m.name)
		if i != chosen {
			continue
		}
		now.By, now.Least, now.Most = by, m.least, m.most
		for i := range d.Taxa {
			if n := m.shade(i); m.ofChampions && n > 0 {
				now.Dots = append(now.Dots, [3]float64{f.x(d.Taxa[i].Origin), f.y(d.Y[i]), float64(n)})
			}
		}
	}
	for _, i := range d.champion {
		now.Champion = append(now.Champion, [3]float64{f.x(d.Taxa[i].Origin), f.y(d.Y[i]),
			float64(shade(i))})
	}
	return now, nil
}

// survival shades by who survives.
func survival(d *analysis.Descent) func(taxon int) int {
	return func(i int) int {
		if d.Survives[i] {
			return 1
		}
		return 0
	}
}

// collapse draws a frame of a layout, each taxon in its shade.
func collapse(d *analysis.Descent, f frame, shade func(taxon int) int) *descentNow {
	now := &descentNow{Individuals: len(d.Taxa), Leaves: d.Leaves, From: f.from, To: f.to,
		Low: f.low, High: f.high, Width: f.width, Height: f.height}
	var across, down [shades + 1]bitmap
	for i := range across {
		across[i], down[i] = newBitmap(f.height, f.width), newBitmap(f.width, f.height)
	}
	for i := range d.Taxa {
		t := &d.Taxa[i]
		kind := shade(i)
		y := f.y(d.Y[i])
		if len(t.Parents) > 0 {
			up := t.Parents[0]
			x := f.x(d.Taxa[up].Origin)
			down[kind].fill(x, f.y(d.Y[up]), y)
			across[kind].fill(y, x, f.x(t.Origin))
		} else {
			across[kind].fill(y, f.x(t.Origin), f.x(t.Origin))
		}
		if d.Lives[i] {
			across[kind].fill(y, f.x(t.Origin), f.x(d.End))
		}
	}
	for i := range across {
		now.Across = append(now.Across, across[i].runs(1))
		now.Down = append(now.Down, down[i].runs(2))
	}
	if m := d.MRCA; m >= 0 {
		at := [2]float64{f.x(d.Taxa[m].Origin), f.y(d.Y[m])}
		if at[0] >= 0 && at[0] <= float64(f.width) && at[1] >= 0 && at[1] <= float64(f.height) {
			now.Ancestor = &at
		}
	}
	return now
}

// bitmap is lines of pixels.
type bitmap struct {
	length int
	lines  [][]bool
}

func newBitmap(lines, length int) bitmap {
	b := bitmap{length, make([][]bool, lines)}
	for i := range b.lines {
		b.lines[i] = make([]bool, length)
	}
	return b
}

// fill sets the pixels of a line between two places on it, as far as they are in the picture.
func (b *bitmap) fill(line, from, to float64) {
	if !(line >= 0 && line < float64(len(b.lines))) {
		return
	}
	if from > to {
		from, to = to, from
	}
	if to < 0 || from >= float64(b.length) {
		return
	}
	row := b.lines[int(line)]
	for i := int(math.Max(0, from)); i <= int(math.Min(float64(b.length-1), to)); i++ {
		row[i] = true
	}
}

// runs lists the runs of pixels of at least some length.
func (b *bitmap) runs(least int) []int {
	all := []int{}
	for line, row := range b.lines {
		for i := 0; i < b.length; i++ {
			if !row[i] {
				continue
			}
			first := i
			for i < b.length && row[i] {
				i++
			}
			if i-first >= least {
				all = append(all, line, first, i-first)
			}
		}
	}
	return all
}

// individualNow is one individual of a lineage.
type individualNow struct {
	ID        int      `json:"id"`
	Born      float64  `json:"born"`
	Died      *float64 `json:"died"` // nil while it lives
	Parents   []int    `json:"parents"`
	Children  int      `json:"children"` // by first parents
	Survives  bool     `json:"survives"`
	Ancestors []int    `json:"ancestors"` // along first parents, the nearest first
	// Player names its species for links, Parent that of its first parent; "" where the genome is
	// neither kept nor was bred again
	Player string `json:"player"`
	Parent string `json:"parent"`
	// Seconds is how long it takes to breed both again
	Seconds float64 `json:"seconds"`
	// Champion is the generation whose champion it was; nil for none
	Champion *int    `json:"champion"`
	X        float64 `json:"x"` // pixel in the frame
	Y        float64 `json:"y"`
	// Nearest champion of its line before it, by generation
	Nearest *int `json:"nearest"`
}

// showIndividual returns the individual to which the line leads that is nearest to a pixel of a
// frame, or the one with an id.
func (s *descents) showIndividual(r *http.Request) (any, error) {
	d, err := s.descent(r)
	if err != nil {
		return nil, err
	}
	f, err := frameOf(r, d.Descent)
	if err != nil {
		return nil, err
	}
	if r.FormValue("id") != "" {
		at, err := d.named(r)
		if err != nil {
			return nil, err
		}
		return s.individual(r.FormValue("run"), d.Descent, at, f)
	}
	x, err := site.Number(r, "x", 0, 0, maxPixels)
	if err != nil {
		return nil, err
	}
	y, err := site.Number(r, "y", 0, 0, maxPixels)
	if err != nil {
		return nil, err
	}
	at, nearest := -1, math.Inf(1)
	for i := range d.Taxa {
		if g := f.far(d.Descent, i, float64(x), float64(y)); g < nearest {
			at, nearest = i, g
		}
	}
	if at < 0 {
		return nil, site.Refuse("the run keeps no lineage")
	}
	return s.individual(r.FormValue("run"), d.Descent, at, f)
}

// named returns the individual that a link names by its id.
func (d *laidOut) named(r *http.Request) (at int, err error) {
	id, err := site.Number(r, "id", 0, 0, math.MaxInt)
	if err != nil {
		return 0, err
	}
	at = slices.IndexFunc(d.Taxa, func(t analysis.Taxon) bool { return t.ID == id })
	if at < 0 {
		return 0, site.Refuse(
			"there is no such individual in the lineage; extinct lines are left out")
	}
	return at, nil
}

func (s *descents) individual(name string, d *analysis.Descent, at int, f frame) (any, error) {
	run, err := s.Run(name)
	if err != nil {
		return nil, err
	}
	t := &d.Taxa[at]
	now := individualNow{ID: t.ID, Born: t.Origin, Survives: d.Survives[at], X: f.x(t.Origin),
		Y: f.y(d.Y[at]), Parents: []int{}, Ancestors: []int{}}
	if !math.IsInf(t.Destruction, 1) {
		now.Died = &t.Destruction
	}
	for _, p := range t.Parents {
		now.Parents = append(now.Parents, d.Taxa[p].ID)
	}
	line := map[uint64]bool{} // of its ancestors
	for i := at; len(d.Taxa[i].Parents) > 0; {
		i = d.Taxa[i].Parents[0]
		line[uint64(d.Taxa[i].ID)] = true
		if len(now.Ancestors) < 20 {
			now.Ancestors = append(now.Ancestors, d.Taxa[i].ID)
		}
	}
	for i := at + 1; i < len(d.Taxa); i++ {
		if p := d.Taxa[i].Parents; len(p) > 0 && p[0] == at {
			now.Children++
		}
	}
	all, err := champions(run.Dir)
	if err != nil {
		return nil, site.Wrong(err)
	}
	ids := append([]int{t.ID}, now.Parents...)
	names, err := s.genomes(run, ids)
	if err != nil {
		return nil, err
	}
	for _, c := range all { // newest first
		if id := int(c.ID); slices.Contains(ids, id) && names[id] == "" {
			names[id] = fmt.Sprint(site.ChampionPrefix, c.Generation)
		}
		if c.ID == uint64(t.ID) {
			now.Champion = &c.Generation
		} else if now.Nearest == nil && line[c.ID] {
			now.Nearest = &c.Generation
		}
	}
	if now.Player = names[t.ID]; len(ids) > 1 {
		now.Parent = names[ids[1]]
	}
	_, err = durable.EachLine(filepath.Join(run.Dir, rundir.TimesFile), func(l *rundir.Times) bool {
		now.Seconds += l.Seconds
		return float64(l.Generation) < t.Origin
	})
	return now, err
}

// genomes returns the names for links of those individuals that were bred again or are in the
// newest checkpoint.
func (s *descents) genomes(run *runner.Run, ids []int) (map[int]string, error) {
	names := map[int]string{}
	s.mu.Lock()
	for _, id := range ids {
		if name := s.bred[keyOf(run, id)]; name != "" {
			names[id] = name
		}
	}
	s.mu.Unlock()
	setup, err := run.Setup()
	if err != nil {
		return nil, site.Wrong(err)
	}
	members, at, err := setup.Members(run.Dir, -1)
	if err != nil {
		if strings.Contains(err.Error(), "checkpoint") {
			return names, nil // none is kept
		}
		return nil, site.Wrong(err)
	}
	for i := range members {
		if id := int(members[i].ID); slices.Contains(ids, id) {
			names[id] = s.Drop(string(setup.Species(&members[i], at)))
		}
	}
	return names, nil
}

// breedAgain breeds a run once more up to the birth of an individual, so that pages have its genome
// and those of its parents, and of all on its line: a run keeps those of champions alone.
func (s *descents) breedAgain(ctx context.Context, r *http.Request, send site.Sender) (err error) {
	d, err := s.descent(r)
	if err != nil {
		return err
	}
	at, err := d.named(r)
	if err != nil {
		return err
	}
	run, err := s.Run(r.FormValue("run"))
	if err != nil {
		return err
	}
	target, born := d.Taxa[at].ID, int(d.Taxa[at].Origin)
	wanted := map[int]int{} // by id
	for wanted[d.Taxa[at].ID] = at; len(d.Taxa[at].Parents) > 0; at = d.Taxa[at].Parents[0] {
		for _, p := range d.Taxa[at].Parents {
			wanted[d.Taxa[p].ID] = p
		}
	}
	done, err := s.Compete(ctx)
	if err != nil {
		return err
	}
	defer done()
	dir, err := os.MkdirTemp("", "clade-descent-")
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(dir)) }()
	told := report(send)
	var differs error
	err = run.Replay(ctx, dir, s.Workers, func(generation int, all []evolve.Member,
		of *evolve.Setup) bool {
		told(runner.Stage{Name: "generations bred again", Done: generation, Total: born})
		s.mu.Lock()
		defer s.mu.Unlock()
		for i := range all {
			id := int(all[i].ID)
			at, ok := wanted[id]
			if !ok {
				continue
			}
			if was := d.Numbers["size"][at]; was != float64(all[i].Size) {
				differs = site.Refuse("individual %d has %d nodes here and %g on record: another "+
					"version of the program bred %s, or other players", id, all[i].Size, was, run.Dir)
				return false
			}
			s.bred[keyOf(run, id)] = s.Drop(string(of.Species(&all[i], generation)))
			delete(wanted, id)
		}
		return generation < born
	})
	if err = cmp.Or(differs, err); err != nil {
		return err
	}
	if _, missing := wanted[target]; missing {
		return site.Refuse("individual %d lives in no population between two generations", target)
	}
	return send("bred", born)
}

// islandsNow is who plays for each island of a run in the newest checkpoint, by name for links: the
// first that has the genome which most individuals of the island have.
type islandsNow struct {
	Generation int      `json:"generation"`
	Players    []string `json:"players"`
}

func (s *descents) listIslands(r *http.Request) (any, error) {
	run, err := s.Run(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	setup, err := run.Setup()
	if err != nil {
		return nil, site.Wrong(err)
	}
	members, at, err := setup.Members(run.Dir, -1)
	if err != nil {
		return nil, site.Wrong(err)
	}
	now := islandsNow{Generation: at}
	alike, most, best := map[string]int{}, 0, 0
	for i := range members {
		m := &members[i]
		genome := fmt.Sprint(m.Genome)
		if alike[genome]++; alike[genome] > most {
			most, best = alike[genome], i
		}
		if i+1 == len(members) || members[i+1].Island != m.Island {
			now.Players = append(now.Players, s.Drop(string(setup.Species(&members[best], at))))
			alike, most = map[string]int{}, 0
		}
	}
	return now, nil
}

// maxAlive is how many of those alive are listed.
const maxAlive = 100

// listKept lists the individuals whose genomes a run has kept: champions, the newest first, and
// then some of those that were alive at its end.
func (s *descents) listKept(r *http.Request) (any, error) {
	d, err := s.descent(r)
	if err != nil {
		return nil, err
	}
	run, err := s.Run(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	all, err := champions(run.Dir)
	if err != nil {
		return nil, site.Wrong(err)
	}
	v := struct {
		IDs []int `json:"ids"`
	}{[]int{}}
	onRecord := map[int]bool{} // the lines of others died out, and are left out
	for i := range d.Taxa {
		onRecord[d.Taxa[i].ID] = true
	}
	for _, c := range all {
		if id := int(c.ID); onRecord[id] {
			v.IDs = append(v.IDs, id)
			onRecord[id] = false
		}
	}
	alive := 0
	for i := range d.Taxa {
		if t := &d.Taxa[i]; alive < maxAlive && onRecord[t.ID] && d.Lives[i] {
			v.IDs = append(v.IDs, t.ID)
			alive++
		}
	}
	return v, nil
}
