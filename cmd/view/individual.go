package view

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clade/analysis"
	"clade/cmd/view/site"
	"clade/engine/system/durable"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/runner"
)

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

// showIndividual returns the individual whose line is nearest to a pixel of a frame, or the one
// with an id.
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

// named returns the individual of the id in a link.
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

// genomes returns the names, for links, of those individuals that were bred again or are in the
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

// breedAgain breeds a run again up to the birth of an individual, to get its genome and those of
// all its ancestors: a run keeps only those of champions.
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
	told := progress(send)
	var differs error
	err = run.Replay(ctx, dir, 0, func(generation int, all []evolve.Member,
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
