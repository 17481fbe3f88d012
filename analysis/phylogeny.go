package analysis

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Taxon is one individual of a phylogeny.
type Taxon struct {
	ID int
	// indices into Phylogeny.Taxa, the first the one that gave most of the genome; empty for a
	// founder
	Parents     []int
	Origin      float64 // generation of birth
	Destruction float64 // generation of death, +Inf if alive at the end
}

// Phylogeny is a record of descent. Its taxa are in order of their origin, and of the record where
// that is the same, so that parents stand before children.
type Phylogeny struct {
	Taxa []Taxon
}

// ReadPhylogeny reads the ALife data standard for phylogenies (Lalejini et al., 2019, "Data
// standards for artificial life software"): CSV with the columns id, ancestor_list and origin_time,
// destruction_time where it is known, and others, which are passed over. A founder's ancestor list
// is [NONE] or []; several ancestors stand as "[3,5]". Ancestors must be in the file and older than
// their children, or of the same time and before them in it, as copies that migrate and have
// children at once. Name is the file's, for errors.
func ReadPhylogeny(r io.Reader, name string) (*Phylogeny, error) {
	in := csv.NewReader(r)
	header, err := in.Read()
	if err == io.EOF {
		return nil, fmt.Errorf(
			"analysis: %s is empty; a phylogeny starts with a line that names its columns", name)
	}
	if err != nil {
		return nil, fmt.Errorf("analysis: %s: %w", name, err)
	}
	columns, err := phylogenyColumns(header)
	if err != nil {
		return nil, fmt.Errorf("analysis: %s:1: %w", name, err)
	}
	var rows []phylogenyRow
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("analysis: %s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		row, err := columns.parse(record)
		if err != nil {
			return nil, fmt.Errorf("analysis: %s:%d: %w", name, line, err)
		}
		row.line = line
		rows = append(rows, row)
	}
	p, line, err := link(rows)
	if err != nil {
		return nil, fmt.Errorf("analysis: %s:%d: %w", name, line, err)
	}
	return p, nil
}

// phylogenyRow is a line of the file, its ancestors still by id.
type phylogenyRow struct {
	Taxon
	ancestors []int
	line      int
}

// phylogenyColumn holds where each column stands; destruction is -1 where the file has none.
type phylogenyColumn struct{ id, ancestors, origin, destruction int }

func phylogenyColumns(header []string) (phylogenyColumn, error) {
	at := func(column string) int {
		return slices.IndexFunc(header,
			func(h string) bool {
				return strings.TrimSpace(strings.TrimPrefix(h,
					"\ufeff")) == column
			})
	}
	c := phylogenyColumn{at("id"), at("ancestor_list"), at("origin_time"), at("destruction_time")}
	if c.id < 0 || c.ancestors < 0 || c.origin < 0 {
		return c, fmt.Errorf("columns id, ancestor_list and origin_time are needed; there are %s",
			strings.Join(header, ", "))
	}
	return c, nil
}

func (c phylogenyColumn) parse(record []string) (phylogenyRow, error) {
	row := phylogenyRow{}
	row.Destruction = math.Inf(1)
	var err error
	if row.ID, err = strconv.Atoi(strings.TrimSpace(record[c.id])); err != nil {
		return row, fmt.Errorf("id %q is not a whole number", record[c.id])
	}
	list := strings.TrimSpace(record[c.ancestors])
	inner, opened := strings.CutPrefix(list, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed {
		return row, fmt.Errorf("ancestor_list %q is not a list such as [NONE], [3] or [3,5]", list)
	}
	if inner = strings.TrimSpace(inner); inner != "" && !strings.EqualFold(inner, "none") {
		for _, word := range strings.Split(inner, ",") {
			id, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil {
				return row, fmt.Errorf("ancestor %q is not a whole number", word)
			}
			row.ancestors = append(row.ancestors, id)
		}
	}
	if row.Origin, err = strconv.ParseFloat(strings.TrimSpace(record[c.origin]), 64); err != nil ||
		math.IsNaN(row.Origin) || math.IsInf(row.Origin, 0) {
		return row, fmt.Errorf("origin_time %q is not a number", record[c.origin])
	}
	if c.destruction >= 0 && strings.TrimSpace(record[c.destruction]) != "" {
		if row.Destruction, err = strconv.ParseFloat(strings.TrimSpace(record[c.destruction]),
			64); err != nil || !(row.Destruction >= row.Origin) {
			return row, fmt.Errorf("destruction_time %q is not a number at or after the origin",
				record[c.destruction])
		}
	}
	return row, nil
}

// link turns ids into indices; on an error it says in which line.
func link(rows []phylogenyRow) (*Phylogeny, int, error) {
	slices.SortStableFunc(rows,
		func(a, b phylogenyRow) int { return cmp.Compare(a.Origin, b.Origin) })
	index := make(map[int]int, len(rows))
	for i, r := range rows {
		if j, twice := index[r.ID]; twice {
			return nil, max(r.line, rows[j].line), fmt.Errorf("id %d stands twice", r.ID)
		}
		index[r.ID] = i
	}
	p := &Phylogeny{Taxa: make([]Taxon, len(rows))}
	for i, r := range rows {
		for _, id := range r.ancestors {
			at, ok := index[id]
			if !ok {
				return nil, r.line, fmt.Errorf("ancestor %d of %d is not in the file", id, r.ID)
			}
			if at >= i {
				return nil, r.line,
					fmt.Errorf("ancestor %d is not older than %d, nor of the same time and "+
						"before it in the file", id, r.ID)
			}
			r.Parents = append(r.Parents, at)
		}
		p.Taxa[i] = r.Taxon
	}
	return p, 0, nil
}

// End returns the last time at which a taxon of the phylogeny is born or dies.
func (p *Phylogeny) End() float64 {
	end := math.Inf(-1)
	for _, t := range p.Taxa {
		end = math.Max(end, t.Origin)
		if !math.IsInf(t.Destruction, 1) {
			end = math.Max(end, t.Destruction)
		}
	}
	return end
}

// Alive tells whether taxon i lives at a time: born then or before, and not yet dead. At the
// phylogeny's end, as End returns it, those that die there still count, so that a record that
// closes all lives with the run has survivors.
func (p *Phylogeny) Alive(i int, at, end float64) bool {
	t := &p.Taxa[i]
	return t.Origin <= at && (t.Destruction > at || t.Destruction == at && at == end)
}

// Prune returns those alive at the end and taxa with some ids, as far as they are on record, with
// their ancestors by first parents, and how many of those alive these are: of more than at most so
// many taxa, as many as fit, evenly chosen.
func (p *Phylogeny) Prune(limit int, ids []int) (pruned *Phylogeny, alive int) {
	end := p.End()
	var survivors []int
	for i := range p.Taxa {
		if p.Alive(i, end, end) {
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
	pruned = &Phylogeny{}
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

// CommonAncestor returns the index of the most recent common ancestor, along first parents, of
// those alive at a time, or an error where nobody is alive or they descend from several founders.
// One that is alive and alone is its own.
func (p *Phylogeny) CommonAncestor(at float64) (int, error) {
	counts := make([]int, len(p.Taxa))
	alive, end := 0, p.End()
	for i := range p.Taxa {
		if p.Alive(i, at, end) {
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

// AncestorAge is how far back the population's common ancestor lies.
type AncestorAge struct {
	Time float64
	// generations since the origin of the most recent common ancestor; NaN where there is none on
	// record
	Age float64
}

// AncestorAges returns the time to the most recent common ancestor at up to a number of times,
// evenly chosen among those at which somebody is born, the last included. In a record without
// extinct lines, as runs keep it, only the last is that of the whole population; the earlier ones
// are that of the lines that survived.
func (p *Phylogeny) AncestorAges(times int) []AncestorAge {
	var births []float64
	for _, t := range p.Taxa {
		if len(births) == 0 || births[len(births)-1] != t.Origin {
			births = append(births, t.Origin)
		}
	}
	n := min(max(times, 1), len(births))
	ages := make([]AncestorAge, n)
	for i := range ages {
		at := births[len(births)-1]
		if n > 1 {
			at = births[i*(len(births)-1)/(n-1)]
		}
		ages[i] = AncestorAge{at, math.NaN()}
		if mrca, err := p.CommonAncestor(at); err == nil {
			ages[i].Age = at - p.Taxa[mrca].Origin
		}
	}
	return ages
}
