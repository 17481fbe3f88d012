package view

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"clade/analysis"
	"clade/cmd/view/site"
	"clade/evolve/rundir"
	"clade/experiments/collect"
	"clade/experiments/report"
	"clade/experiments/runner"
)

// descents caches the descent that was shown last: half a million individuals take 100 MB.
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
	return bredKey{run.Dir, collect.Stamp(run.Dir, rundir.ManifestFile), id}
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

// descent returns the layout of the lineage of a link's run.
func (s *descents) descent(r *http.Request) (*laidOut, error) {
	dir, err := s.Path(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := fmt.Sprint(dir, " ", collect.Stamp(dir, rundir.LineageFile), rundir.Saved(dir))
	if s.of == of {
		return s.value, nil
	}
	p, err := report.ReadLineage(filepath.Join(dir, rundir.LineageFile))
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

// measure sets the values of individuals that come from the lineage, and those of champions that
// come from the log. A measure with one value for all is dropped.
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

// shades is the number of colours for values.
const shades = 8

// shade returns the colour of a taxon, from 1 for the least value to shades; 0 where it is unknown.
func (m *measure) shade(i int) int {
	if math.IsNaN(m.values[i]) {
		return 0
	}
	return 1 + min(shades-1, int(shades*(m.values[i]-m.least)/(m.most-m.least)))
}

// islandsNow names, for links, the representatives of a run's islands in the newest checkpoint: the
// first individual with the most frequent genome of its island.
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

// maxAlive bounds the listed survivors.
const maxAlive = 100

// listKept lists the individuals whose genomes a run has kept: champions, the newest first, and
// then some of the survivors at its end.
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

// Bounds of a picture of descent, in pixels a side.
const maxPixels = 4096

// frame is the visible part of a layout, and its size in pixels.
type frame struct {
	from, to, low, high float64
	width, height       int
}

func (f frame) x(t float64) float64 { return (t - f.from) / (f.to - f.from) * float64(f.width) }
func (f frame) y(y float64) float64 { return (y - f.low) / (f.high - f.low) * float64(f.height) }

// far returns the distance, in pixels, of a place from the line between a taxon and its parent.
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

// frameOf reads the frame of a link; by default it is the whole layout.
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

// survival returns the shades that tell survivors from others.
func survival(d *analysis.Descent) func(taxon int) int {
	return func(i int) int {
		if d.Survives[i] {
			return 1
		}
		return 0
	}
}

// collapse draws a frame of a layout, with a shade for each taxon.
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

// fill sets the pixels between two places of a line, as far as they are in the picture.
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
