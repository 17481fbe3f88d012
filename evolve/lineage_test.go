package evolve

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"clade/gp/proof"
)

// The table holds exactly those who live or have living descendants, whatever the order of births
// and deaths: checked against a plain pedigree that forgets nobody.
func TestLineagePrunesExtinctLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, kind := range []string{lineageBoth, lineageFirst} {
		l := newLineage()
		parents := map[uint64][]uint64{}
		var living []*Individual
		next := uint64(0)
		for generation := range 200 {
			var births []*Individual
			for range 1 + random.IntN(6) {
				in := &Individual{ID: next, Size: int(next)}
				next++
				for i := range random.IntN(3) {
					if len(living) > 0 {
						p := living[random.IntN(len(living))]
						if i == 1 && in.parents[0] == nil {
							continue
						}
						in.parents[i] = p
						if i == 0 || kind == lineageBoth {
							parents[in.ID] = append(parents[in.ID], p.ID)
						}
					}
				}
				births = append(births, in)
			}
			l.add(births, kind)
			living = append(living, births...)
			for len(living) > 12 {
				i := random.IntN(len(living))
				l.die(living[i], generation)
				living = append(living[:i], living[i+1:]...)
			}
			want := map[uint64]bool{}
			var visit func(id uint64)
			visit = func(id uint64) {
				if !want[id] {
					want[id] = true
					for _, p := range parents[id] {
						visit(p)
					}
				}
			}
			for _, in := range living {
				visit(in.ID)
			}
			if l.known() != len(want) {
				t.Fatalf("%s: the table holds %d, and %d live or have living descendants", kind,
					l.known(), len(want))
			}
			for _, n := range l.lines {
				if n.uses > 0 && !want[n.id] {
					t.Fatalf("%s: %d is extinct", kind, n.id)
				}
			}
		}
	}
}

// checkLineage holds that the exported file fits the standard: unique ids, ancestors in the file
// and older, times in order, and the living ones are the population.
func checkLineage(t *testing.T, name string, r *Run) {
	t.Helper()
	var text bytes.Buffer
	proof.OK(t, r.state.lineage.write(&text, r.breeder))
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	born := map[string]int{}
	living := map[string]bool{}
	for _, row := range rows[1:] {
		id, ancestors, origin, destruction := row[0], strings.Trim(row[1], "[]"), row[2], row[3]
		if _, twice := born[id]; twice {
			t.Fatalf("%s: %s stands twice", name, id)
		}
		born[id], _ = strconv.Atoi(origin)
		if ancestors == "none" != (row[5] == "founder") {
			t.Fatalf("%s: %v", name, row)
		}
		if ancestors != "none" {
			for a := range strings.SplitSeq(ancestors, ",") {
				if b, ok := born[a]; !ok || b > born[id] {
					t.Fatalf("%s: the ancestor %s of %s is missing or younger", name, a, id)
				}
			}
		}
		if destruction == "inf" {
			living[id] = true
		} else if d, err := strconv.Atoi(destruction); err != nil || d < born[id] {
			t.Fatalf("%s: %v", name, row)
		}
	}
	n := 0
	for i := range r.Config.Islands {
		for _, in := range r.state.populations[i] {
			n++
			if !living[strconv.FormatUint(in.ID, 10)] {
				t.Fatalf("%s: %d lives and is not in the file", name, in.ID)
			}
		}
	}
	proof.Is(t, n, len(living), "%s: the living in the file", name)
}
