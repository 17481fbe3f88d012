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
	"sync"

	"clade/analysis"
	"clade/cmd/view/site"
	"clade/evolve/rundir"
	"clade/experiments/catalogue"
	"clade/experiments/coevolution"
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

// descent returns the layout of the lineage of a link's run.
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
