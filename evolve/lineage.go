package evolve

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strconv"
)

// lineage holds the individuals that live or have living descendants, in a table without pointers,
// which the garbage collector need not scan: extinct lines are pruned as soon as their last member
// dies. With crossover most parents keep descendants, so that the table grows by roughly half a
// population a generation (32 bytes each); with first parents only, or without crossover, lines
// coalesce and it stays as small as a few populations.
type lineage struct {
	lines []line   // entry 0 stays empty
	free  []uint32 // indices of pruned lines
}

// line is an individual in the lineage.
type line struct {
	id      uint64
	parents [2]uint32 // 0 is none
	died    uint32    // the first generation without it, 0 while it lives
	uses    uint32    // children in the table, and 1 while it lives
	size    uint32
	origin  origin
}

func newLineage() *lineage { return &lineage{lines: make([]line, 1)} }

// add records births and gives the individuals their lines. Parents must be added before their
// children. kind is one of the kinds of lineage.
func (l *lineage) add(births []*Individual, kind string) {
	for _, in := range births {
		if kind == lineageNone {
			in.parents = [2]*Individual{}
			continue
		}
		n := line{id: in.ID, uses: 1, size: uint32(in.Size), origin: in.origin}
		for i, p := range in.parents {
			if p == nil || i == 1 && (kind == lineageFirst || p == in.parents[0]) {
				continue
			}
			n.parents[i] = p.line
			l.lines[p.line].uses++
		}
		in.line = l.insert(n)
		in.parents = [2]*Individual{} // else all ancestors would stay in memory
	}
}

func (l *lineage) insert(n line) uint32 {
	if k := len(l.free); k > 0 {
		i := l.free[k-1]
		l.free = l.free[:k-1]
		l.lines[i] = n
		return i
	}
	l.lines = append(l.lines, n)
	return uint32(len(l.lines) - 1)
}

// die records that an individual has left the population.
func (l *lineage) die(in *Individual, generation int) {
	if in.line != 0 {
		l.lines[in.line].died = uint32(generation)
		l.release(in.line)
	}
}

// release takes one use from a line. After the last use it prunes the line, and ancestors that only
// this line used.
func (l *lineage) release(i uint32) {
	for pending := []uint32{i}; len(pending) > 0; {
		i := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		n := &l.lines[i]
		if n.uses--; n.uses > 0 {
			continue
		}
		for _, p := range n.parents {
			if p != 0 {
				pending = append(pending, p)
			}
		}
		*n = line{}
		l.free = append(l.free, i)
	}
}

// known returns the number of individuals in the table.
func (l *lineage) known() int { return len(l.lines) - 1 - len(l.free) }

// write exports the table in the ALife community's phylogeny standard
// (https://alife-data-standards.github.io/alife-data-standards/phylogeny), in order of birth. Times
// are generations; destruction_time is the first generation without the individual, inf for a
// living one. The columns island, operator and size are ours.
func (l *lineage) write(out io.Writer, b *breeder) error {
	w := bufio.NewWriterSize(out, 1<<16)
	w.WriteString("id,ancestor_list,origin_time,destruction_time,island,operator,size\n")
	order := make([]uint32, 0, l.known())
	for i := range l.lines {
		if l.lines[i].uses > 0 {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Compare(l.lines[x].id, l.lines[y].id)
	})
	var row []byte
	for _, i := range order {
		row = l.appendRow(row[:0], &l.lines[i], b)
		w.Write(row)
	}
	return w.Flush()
}

func (l *lineage) appendRow(row []byte, n *line, b *breeder) []byte {
	row = strconv.AppendUint(row, n.id, 10)
	row = append(row, `,"[`...)
	if n.parents[0] == 0 {
		row = append(row, "none"...)
	} else {
		row = strconv.AppendUint(row, l.lines[n.parents[0]].id, 10)
	}
	if n.parents[1] != 0 {
		row = append(row, ',')
		row = strconv.AppendUint(row, l.lines[n.parents[1]].id, 10)
	}
	row = append(row, `]",`...)
	generation, island := b.birth(n.id)
	row = strconv.AppendInt(row, int64(generation), 10)
	row = append(row, ',')
	if n.died == 0 {
		row = append(row, "inf"...)
	} else {
		row = strconv.AppendUint(row, uint64(n.died), 10)
	}
	row = append(row, ',')
	row = strconv.AppendInt(row, int64(island), 10)
	row = append(row, ',')
	row = append(row, n.origin.String()...)
	row = append(row, ',')
	row = strconv.AppendUint(row, uint64(n.size), 10)
	return append(row, '\n')
}
