package evolve

import (
	"context"
	"slices"
	"testing"

	"clade/gp/proof"
)

// oldest returns the generation of the first founder that each line of the lineage descends from.
func oldest(b *breeder, l *lineage) []int {
	first := make([]int, len(l.lines))
	var find func(i uint32) int
	find = func(i uint32) int {
		if first[i] == 0 {
			n := &l.lines[i]
			born, _ := b.birth(n.id)
			for _, p := range n.parents {
				if p != 0 {
					born = min(born, find(p)-1)
				}
			}
			first[i] = born + 1
		}
		return first[i]
	}
	for i := 1; i < len(first); i++ {
		first[i] = find(uint32(i))
	}
	for i := range first {
		first[i]--
	}
	return first
}

// Nobody of island i but the last descends from a founder of (i+1)*every generations ago or more,
// and all of it from founders of one generation; somebody of the last island is older.
func TestNobodyIsOlderThanItsLayer(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	for _, selection := range []string{ByTournament, ByPairs, ByFitness} {
		c := small()
		c.Selection, c.Islands, c.Generations, c.Checkpoint = selection, 4, 30, 1
		c.Migration = Migration{Every: 4, Layers: true}
		s := setup(t, c)
		var r *Run
		s.Progress = func(Progress) {
			first, now := oldest(r.breeder, r.state.lineage), r.state.generation
			for i, population := range r.state.populations {
				if i == c.Islands-1 {
					continue
				}
				cohort := max(0, (now/c.Migration.Every-i)*c.Migration.Every)
				for _, in := range population {
					if f := first[in.line]; f != cohort || now-f >= (i+1)*c.Migration.Every {
						t.Fatalf("%s: before generation %d somebody of island %d descends from a "+
							"founder of generation %d, not %d", selection, now, i, f, cohort)
					}
				}
			}
		}
		r = proof.Must(Create(t.TempDir(), s))(t)
		proof.Must(r.Evolve(context.Background()))(t)
		first := oldest(r.breeder, r.state.lineage)
		if top := r.state.populations[c.Islands-1]; !slices.ContainsFunc(top,
			func(in *Individual) bool {
				return c.Generations-first[in.line] >= c.Islands*c.Migration.Every
			}) {
			t.Errorf("%s: nobody of the last layer is old", selection)
		}
		r.Close()
	}
}

// In a transitive game each place of the last layer has the better of two afterwards, and nobody
// takes two places; the layer between is the one below as it was.
func TestNewcomersChallengeIncumbents(t *testing.T) {
	c := small()
	c.Islands, c.Migration.Layers = 3, true
	const n = 60
	top := islandOf(t, n, c, greater)
	below := slices.Clone(top.population)
	for index := 1; index < 3; index++ {
		is := top.newIsland(0, index, top.population, nil, local{})
		proof.OK(t, is.admit(below))
		taken, stayed := 0, 0
		came := map[*Individual]bool{}
		for i, in := range is.population {
			was := top.population[i]
			if in == was {
				stayed++
				continue
			}
			taken++
			m := in.parents[0]
			if in.origin != migrated || came[m] || in.ID <= m.ID {
				t.Errorf("island %d, place %d: %+v", index, i, in)
			}
			came[m] = true
			if index == 2 && m.Player.(float64) < was.Player.(float64) {
				t.Errorf("%v has beaten %v", m.Player, was.Player)
			}
		}
		if index == 1 && taken != n || index == 2 && (taken < n/4 || stayed < n/4) {
			t.Errorf("island %d: %d came and %d stayed", index, taken, stayed)
		}
		proof.Is(t, len(is.offspring), taken, "island %d: births", index)
	}
}
