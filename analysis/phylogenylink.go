package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// linker makes a phylogeny of rows, whose ancestors it finds by their ids.
type linker struct {
	rows    []phylogenyRow
	index   map[int]int // of rows, by id
	also    bool        // rows have an ancestor_id
	taxa    []Taxon     // of the rows, with parents by row
	numbers map[string]*numberColumn
}

// numberColumn is a column that held nothing but numbers so far.
type numberColumn struct {
	at     int       // its place in a row
	values []float64 // by row
}

// add takes a row.
func (l *linker) add(row phylogenyRow, fields []string) error {
	for name, c := range l.numbers {
		v, err := strconv.ParseFloat(bare(fields[c.at]), 64)
		if isNone(fields[c.at]) {
			v, err = math.NaN(), nil
		}
		if c.values = append(c.values, v); err != nil {
			delete(l.numbers, name)
		}
	}
	if i, twice := l.index[row.id]; twice {
		return fmt.Errorf("id: %d stands twice, first in line %d; give each taxon an id of its own",
			row.id, l.rows[i].line)
	}
	l.index[row.id] = len(l.rows)
	l.rows = append(l.rows, row)
	return nil
}

// link returns the phylogeny of all rows; on an error it says in which line.
func (l *linker) link() (p *Phylogeny, line int, err error) {
	if line, err := l.findAncestors(); err != nil {
		return nil, line, err
	}
	p = &Phylogeny{}
	order := make([]int, len(l.rows))
	for i := range order {
		order[i] = i
	}
	if p.Untimed = l.untimed(); p.Untimed == "" {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(l.taxa[a].Origin, l.taxa[b].Origin)
		})
	}
	if order, line, err = l.parentsFirst(order); err != nil {
		return nil, line, err
	}
	if p.Untimed != "" {
		l.setDepths(order)
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(l.taxa[a].Origin, l.taxa[b].Origin)
		})
	} else if line, err = l.checkTimes(); err != nil {
		return nil, line, err
	}
	at := make([]int, len(order)) // by row
	for i, row := range order {
		at[row] = i
	}
	for _, row := range order {
		t := l.taxa[row]
		for k := range t.Parents {
			t.Parents[k] = at[t.Parents[k]]
		}
		p.Taxa = append(p.Taxa, t)
	}
	p.Numbers = map[string][]float64{}
	for name, c := range l.numbers {
		for _, row := range order {
			p.Numbers[name] = append(p.Numbers[name], c.values[row])
		}
	}
	return p, 0, nil
}

// findAncestors makes the taxa.
func (l *linker) findAncestors() (line int, err error) {
	l.taxa = make([]Taxon, len(l.rows))
	for i, r := range l.rows {
		l.taxa[i] = Taxon{ID: r.id, Origin: r.origin, Destruction: r.destruction}
		for _, id := range r.ancestors {
			at, ok := l.index[id]
			if !ok {
				return r.line, fmt.Errorf("ancestor_list: ancestor %d of %d is not in the file; "+
					"add its row, or write [none] for a founder", id, r.id)
			}
			l.taxa[i].Parents = append(l.taxa[i].Parents, at)
		}
		if _, ok := l.index[r.also]; !ok && r.also != unknownID {
			return r.line, fmt.Errorf("ancestor_id: ancestor %d of %d is not in the file; add "+
				"its row, or leave the column out", r.also, r.id)
		}
	}
	for _, r := range l.rows {
		if l.also && !r.agrees() {
			return r.line, fmt.Errorf("ancestor_id: it is not what ancestor_list tells of %d; "+
				"correct one of the two, or leave ancestor_id out, which several ancestors have "+
				"no room in", r.id)
		}
	}
	return 0, nil
}

// agrees tells whether the ancestor_id says what the ancestor_list does.
func (r *phylogenyRow) agrees() bool {
	switch len(r.ancestors) {
	case 0:
		return r.also == r.id || r.also == unknownID
	case 1:
		return r.also == r.ancestors[0]
	}
	return false
}

// untimed says why the phylogeny has no times, "" where every row has one.
func (l *linker) untimed() string {
	lacks := func(r phylogenyRow) bool { return math.IsNaN(r.origin) }
	switch i := slices.IndexFunc(l.rows, lacks); {
	case i < 0:
		return ""
	case !slices.ContainsFunc(l.rows, func(r phylogenyRow) bool { return !lacks(r) }):
		return "no taxon has an origin_time"
	default:
		return fmt.Sprintf("taxon %d, in line %d, has no origin_time", l.rows[i].id, l.rows[i].line)
	}
}

// parentsFirst returns an order, changed only where a child stands before a parent. A taxon that
// descends from itself is an error, told with its line.
func (l *linker) parentsFirst(order []int) (sorted []int, line int, err error) {
	const (
		untouched = iota
		open      // its parents are being placed
		placed
	)
	state := make([]byte, len(order))
	looked := make([]int, len(order)) // how many parents have been looked at
	sorted = make([]int, 0, len(order))
	var stack []int
	for _, first := range order {
		if state[first] == untouched {
			state[first], stack = open, append(stack, first)
		}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			if looked[i] == len(l.taxa[i].Parents) {
				state[i], sorted, stack = placed, append(sorted, i), stack[:len(stack)-1]
				continue
			}
			up := l.taxa[i].Parents[looked[i]]
			looked[i]++
			switch state[up] {
			case untouched:
				state[up], stack = open, append(stack, up)
			case open:
				return nil, l.rows[i].line, l.cycle(stack[slices.Index(stack, up):])
			}
		}
	}
	return sorted, 0, nil
}

// cycle returns the fault of a taxon that descends from itself, by way of the rows in the list.
func (l *linker) cycle(rows []int) error {
	const most = 8 // ids that are told
	var ids []string
	for _, i := range rows[:min(len(rows), most)] {
		ids = append(ids, fmt.Sprint(l.rows[i].id))
	}
	if len(rows) > most {
		ids = append(ids, "…")
	}
	return fmt.Errorf("ancestor_list: %s descends from itself, a cycle by way of the ancestors %s; "+
		"correct one of their lists", ids[0], strings.Join(append(ids[1:], ids[0]), ", "))
}

// setDepths makes depths the times.
func (l *linker) setDepths(order []int) {
	for _, i := range order {
		t := &l.taxa[i]
		t.Origin = 0
		for _, up := range t.Parents {
			t.Origin = max(t.Origin, l.taxa[up].Origin+1)
		}
		if !math.IsInf(t.Destruction, 1) {
			t.Destruction = t.Origin
		}
	}
}

// checkTimes finds taxa that are older than a parent.
func (l *linker) checkTimes() (line int, err error) {
	for i := range l.taxa {
		t := &l.taxa[i]
		for _, up := range t.Parents {
			if parent := &l.taxa[up]; parent.Origin > t.Origin {
				return l.rows[i].line, fmt.Errorf("ancestor_list: ancestor %d of %d is the "+
					"younger: its origin_time is %g, and that of %d is %g; correct one of them",
					parent.ID, t.ID, parent.Origin, t.ID, t.Origin)
			}
		}
	}
	return 0, nil
}
