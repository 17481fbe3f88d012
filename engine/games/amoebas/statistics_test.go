package amoebas

import (
	"encoding/json"
	"math"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// totals are what the whole world holds after some round, summed over games.
type totals struct{ games, size, energy, fuel float64 }

// TestConformanceStatistics compares games of the stock species in the full world with ones
// recorded in the original engine, which cannot be replayed: the totals of the world after 100,
// 200 and 300 rounds, on average. Which species has them depends on where it started.
func TestConformanceStatistics(t *testing.T) {
	proof.Slow(t)
	want, got := map[int]*totals{}, map[int]*totals{}
	for _, rounds := range []int{100, 200, 300} {
		want[rounds], got[rounds] = &totals{}, &totals{}
	}
	eachFile(t, "stats-*.jsonl*", func(t *testing.T, file string) {
		enginetest.EachRecord(t, file, func(_ string, l *recordedLine) {
			at, ok := want[l.R+1]
			if !ok || l.T != "r" {
				return
			}
			at.games++
			for name := range l.Size {
				at.size += float64(l.Size[name])
				at.energy += float64(l.Energy[name])
			}
			var fuel float64
			proof.OK(t, json.Unmarshal(l.Fuel, &fuel))
			at.fuel += fuel
		})
	})
	s := DefaultSettings()
	s.Order = "classic"
	g := proof.Must(newGame(s))(t)
	var players []engine.Player
	for _, name := range []string{"md(0.3)", "nasty(0.3,most-energy)", "sb(10,70,most-energy)",
		"msb(10,70,most-energy,0.3,1)"} {
		players = append(players, stock(t, name))
	}
	for seed := range uint64(4) {
		g.Play(players, seed, engine.OnStep(totalling(got).step))
	}
	for rounds, w := range want {
		o := got[rounds]
		for _, c := range []struct {
			what      string
			got, want float64
			within    float64
		}{
			{"amoebas", o.size / o.games, w.size / w.games, 0.15},
			{"energy", o.energy / o.games, w.energy / w.games, 0.15},
			{"fuel", o.fuel / o.games, w.fuel / w.games, 0.05},
		} {
			if t.Logf("round %d: %s %.0f, recorded %.0f", rounds, c.what, c.got,
				c.want); !(math.Abs(c.got/c.want-1) < c.within) {
				t.Errorf("round %d: %s %.0f, recorded %.0f", rounds, c.what, c.got, c.want)
			}
		}
	}
}

// totalling adds up the totals after some rounds.
type totalling map[int]*totals

func (r totalling) step(s engine.Scene) {
	at, ok := r[s.Step()]
	if !ok {
		return
	}
	at.games++
	w := s.(*scene).w
	for i := range w.seats {
		at.size += float64(w.sizes[i])
		at.energy += float64(w.energies[i])
	}
	for x := range w.Size() {
		for y := range w.Size() {
			at.fuel += float64(w.Fuel(x, y))
		}
	}
}
