package amoebas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// executors returns the game in plain Go and with kernels.
func executors(t testing.TB, s Settings) (games []*game) {
	t.Helper()
	for _, level := range kernels.Available() {
		games = append(games, proof.Must(newGameAt(s, level))(t))
	}
	return games
}

// checkExecutors plays one game with each executor, and compares every decision.
func checkExecutors(t *testing.T, s Settings, seed uint64, players func(g *game) []engine.Player) {
	t.Helper()
	var want []uint64
	var first engine.Result
	for i, g := range executors(t, s) {
		p := players(g)
		var got []uint64
		r := g.Play(p, seed, engine.OnDecide(func(seat int, decision uint64) {
			got = append(got, decision<<4|uint64(seat))
		}))
		if i == 0 {
			want, first = got, r
		}
		for k := range min(len(got), len(want)) {
			if got[k] != want[k] {
				t.Fatalf("executor %d: decision %d of %d is %x, in plain Go %x", i, k, len(want),
					got[k], want[k])
			}
		}
		if r != first || g.Play(p, seed, nil) != first {
			t.Fatalf("executor %d: %+v, in plain Go %+v", i, r, first)
		}
	}
}

// TestExecutorsAgree holds that kernels change no decision: on small worlds, where amoebas are in
// each other's way, and on large ones, in both orders, between the bred, the grown and the
// hand-written, with strange constants and with memory.
func TestExecutorsAgree(t *testing.T) {
	proof.Long(t)
	bred := []string{"../../../results/amoebas/duel32-seed1.species",
		"../../../results/amoebas/mixed-seed31.species", "testdata/soldiers.species"}
	r := rand.New(rand.NewPCG(7, 8))
	for i, size := range []int{5, 7, 8, 9, 11, 16, 24, 33} {
		for _, order := range []string{"classic", "shuffled"} {
			for kind := range 4 {
				s := DefaultSettings()
				s.WorldSize, s.Order, s.Rounds = size, order, max(25, 60-2*size)
				switch kind {
				case 1:
					s.ViewDistance, s.MaxAmoebaHealth, s.HitLoss, s.AttackEnergy,
						s.MinDivideEnergy = 1+i%2, 1+r.IntN(300), r.IntN(100), r.IntN(9), 25
				case 2:
					s.MaxAmoebaEnergy, s.SunEnergy = 60+r.IntN(196), r.IntN(6)
				case 3:
					s.Memory = i%2 == 0
				}
				t.Run(fmt.Sprintf("%d-%s-%d", size, order, kind), func(t *testing.T) {
					seed := r.Uint64()
					pick := r.IntN(6)
					checkExecutors(t, s, seed, func(g *game) []engine.Player {
						grown := rand.New(rand.NewPCG(seed, 9))
						var players []engine.Player
						for p := range 3 {
							genome := g.grammar.Ramped(grown, 2, 6)
							if kind < 3 && (pick+p)%4 != 0 && s.ViewDistance == maxView {
								genome = enginetest.Genome(t, g, bred[(pick+p)%len(bred)])
								if p == 1 {
									genome = settler(t, g, 4)
								}
							}
							players = append(players, proof.Must(g.Bind(genome))(t))
						}
						switch pick {
						case 4:
							players[1] = players[0] // one genome in two seats
						case 5:
							players[2] = mutating{brainy{10, 40, weakest}, 0.5, 9}
						}
						return players[:1+pick%3]
					})
				})
			}
		}
	}
}
