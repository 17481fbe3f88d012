package analysis

import (
	"errors"
	"math"
	"slices"
)

// Taxon is one individual of a phylogeny.
type Taxon struct {
	ID int
	// indices into Phylogeny.Taxa, the first the one that gave most of the genome; empty for a
	// founder
	Parents     []int
	Origin      float64 // generation of birth, or other time
	Destruction float64 // generation of death, +Inf if alive at the end
}

// Phylogeny is a record of descent. Its taxa are ordered by origin, then as in the record, so that
// parents come before children.
type Phylogeny struct {
	Taxa []Taxon
	// Numbers are the values of other columns by name, and by taxon, as far as each field of a column
	// is a number; NaN where it is unknown
	Numbers map[string][]float64
	// Untimed says why the record has no times, and is "" if it has. Without times Origin, and
	// Destruction of a dead taxon, is the depth: the number of steps on the longest path to a
	// founder.
	Untimed string
}

// end returns the last time at which a taxon of the phylogeny is born or dies.
func (p *Phylogeny) end() float64 {
	end := math.Inf(-1)
	for _, t := range p.Taxa {
		end = math.Max(end, t.Origin)
		if !math.IsInf(t.Destruction, 1) {
			end = math.Max(end, t.Destruction)
		}
	}
	return end
}

// alive tells which taxa live at a time: those born then or before, and not yet dead. Where nobody
// outlives the phylogeny's end, those that die there count at it, so that a record that closes all
// lives with the run has survivors.
func (p *Phylogeny) alive(at float64) []bool {
	end := p.end()
	closed := !slices.ContainsFunc(p.Taxa, func(t Taxon) bool { return t.Destruction > end })
	lives := make([]bool, len(p.Taxa))
	for i := range p.Taxa {
		t := &p.Taxa[i]
		lives[i] = t.Origin <= at && (t.Destruction > at || closed && t.Destruction == at && at == end)
	}
	return lives
}

// Prune returns the phylogeny of the taxa alive at the end, those with the given ids, and their
// ancestors by first parents. If that is more than limit taxa it keeps only as many of those alive
// as fit, evenly chosen, and it returns how many of them it kept.
func (p *Phylogeny) Prune(limit int, ids []int) (pruned *Phylogeny, alive int) {
	var survivors []int
	for i, lives := range p.alive(p.end()) {
		if lives {
			survivors = append(survivors, i)
		}
	}
	var others []int
	for i := range p.Taxa {
		if slices.Contains(ids, p.Taxa[i].ID) {
			others = append(others, i)
		}
	}
	keep := make([]bool, len(p.Taxa))
	for step := 1; ; step *= 2 {
		clear(keep)
		kept := 0
		add := func(i int) {
			for ; !keep[i]; i = p.Taxa[i].Parents[0] {
				keep[i] = true
				if kept++; len(p.Taxa[i].Parents) == 0 {
					return
				}
			}
		}
		for _, i := range others {
			add(i)
		}
		alive = 0
		for n := 0; n < len(survivors); n += step {
			alive++
			add(survivors[n])
		}
		if kept <= limit || alive <= 1 {
			break
		}
	}
	pruned = &Phylogeny{Untimed: p.Untimed}
	at := make([]int, len(p.Taxa))
	for i, t := range p.Taxa {
		if !keep[i] {
			continue
		}
		at[i] = len(pruned.Taxa)
		if len(t.Parents) > 0 {
			t.Parents = []int{at[t.Parents[0]]}
		}
		pruned.Taxa = append(pruned.Taxa, t)
	}
	return pruned, alive
}

// errNoCommon is the reason that a population has no common ancestor on record.
var errNoCommon = errors.New("analysis: no common ancestor on record")

// commonAncestor returns the index of the most recent common ancestor, along first parents, of
// those alive at a time, or an error where nobody is alive or they descend from several founders.
// One that is alive and alone is its own.
func (p *Phylogeny) commonAncestor(at float64) (int, error) {
	counts := make([]int, len(p.Taxa))
	alive := 0
	for i, lives := range p.alive(at) {
		if lives {
			counts[i] = 1
			alive++
		}
	}
	if alive == 0 {
		return 0, errNoCommon
	}
	for i := len(p.Taxa) - 1; i >= 0; i-- {
		if counts[i] == alive {
			return i, nil
		}
		if parents := p.Taxa[i].Parents; len(parents) > 0 {
			counts[parents[0]] += counts[i]
		}
	}
	return 0, errNoCommon
}

// ancestorAge is the age of the population's common ancestor.
type ancestorAge struct {
	Time float64
	// generations since the origin of the most recent common ancestor; NaN where there is none on
	// record
	Age float64
}

// AncestorAges returns the time to the most recent common ancestor at up to a number of times,
// evenly chosen among those at which somebody is born or dies, the end included. In a record
// without extinct lines, as runs keep it, only the last is that of the whole population; the
// earlier ones are that of the lines that survived.
func (p *Phylogeny) AncestorAges(times int) []ancestorAge {
	var events []float64
	for _, t := range p.Taxa {
		events = append(events, t.Origin)
		if !math.IsInf(t.Destruction, 1) {
			events = append(events, t.Destruction)
		}
	}
	slices.Sort(events)
	events = slices.Compact(events)
	n := min(max(times, 1), len(events))
	ages := make([]ancestorAge, n)
	for i := range ages {
		at := events[len(events)-1]
		if n > 1 {
			at = events[i*(len(events)-1)/(n-1)]
		}
		ages[i] = ancestorAge{at, math.NaN()}
		if mrca, err := p.commonAncestor(at); err == nil {
			ages[i].Age = at - p.Taxa[mrca].Origin
		}
	}
	return ages
}
