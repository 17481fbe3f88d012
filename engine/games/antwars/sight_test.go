package antwars

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

func TestSightEngine(t *testing.T) {
	proof.Costly(t)
	for _, s := range []settings{
		{KeenSenses: true, Sight: sightBoard, Search: 9, Moves: 12},
		{KeenSenses: true, Foresight: true, Sight: sightOpponent, Rings: true, Moves: 16},
	} {
		enginetest.Run(t, gameWith(t, s))
	}
}

func TestSightNeedsKeenSenses(t *testing.T) {
	for _, s := range []settings{{Rings: true}, {Sight: sightBoard}} {
		proof.Fails(New().(engine.Adjustable).With(&s))(t, "need keen-senses")
	}
}

// boards keeps the board of the last step of a game.
type boards struct{ last board }

func (b *boards) Step(s engine.Scene)       { b.last = s.(*scene).board }
func (b *boards) Decide(seat int, d uint64) {}

// TestSightAndRings holds what ants perceive in games against hyper to the boards that are recorded
// beside: food, the opponent, and the rings around each move counted cell by cell.
func TestSightAndRings(t *testing.T) {
	for _, s := range []settings{
		{KeenSenses: true, Rings: true},
		{KeenSenses: true, Sight: sightOpponent, Rings: true},
		{KeenSenses: true, Sight: sightBoard, Rings: true},
	} {
		g, seen := gameWith(t, s), &boards{}
		ant := speciesOf(t, g, "foodRoute foodRoute")
		asked := 0
		var w *weigher
		w = g.Weigh(ant, func(*engine.Choice) {
			asked++
			f, b := w.sense.frame, &seen.last
			at, other := b.at[0], b.at[1]
			food, all := recentre(b.food, at), f.Layers[layerFood]
			if s.Sight != sightBoard {
				food, all = food.And(inView), all.And(inView)
			}
			if all != food {
				t.Fatalf("%+v: the ant sees food on %v, and it lies on %v", s, all, food)
			}
			var enemy gp.Bits
			if cell := onCentre(int(other), at); !b.dead[1] && (s.Sight != "" || inView.Has(cell)) {
				enemy.Set(cell)
			}
			if have := f.Layers[layerEnemy]; have != enemy {
				t.Fatalf("%+v: the ant sees the opponent on %v, and it is on %v", s, have, enemy)
			}
			unseen := f.Layers[layerUnseen]
			hidden := float64(f.Scalar(4)[0]) / float64(max(1, unseen.Count()))
			for d, to := range places[at].next {
				worth := 0.0
				for cell := range cells {
					value := 0.0
					if f.Layers[layerFood].Has(cell) {
						value++
					}
					if unseen.Has(cell) {
						value += hidden
					}
					for range distances[to][offCentre(cell, at)] {
						value *= 0.6
					}
					worth += value
				}
				have := float64(w.sense.ahead[routeAhead][slotOf(d)][d/2])
				if have-worth > 1e-4 || worth-have > 1e-4 {
					t.Fatalf("%+v, move %d: rings worth %v, and cell by cell %v", s, asked, have, worth)
				}
			}
		}).(*weigher)
		for seed := range uint64(10) {
			r := g.Play([]engine.Player{w, hyper{}}, seed, seen)
			proof.Is(t, g.Play([]engine.Player{ant, hyper{}}, seed, nil), r, "%+v: the ant itself", s)
		}
		if asked < 100 {
			t.Errorf("%+v: %d moves", s, asked)
		}
	}
}

// TestWhoSearches holds that an evolved ant searches if it is to play out one move or more, and on
// the board as it is only where it sees all of that.
func TestWhoSearches(t *testing.T) {
	for _, s := range []settings{{}, {Search: 1}, {KeenSenses: true, Sight: sightOpponent, Search: 1},
		{KeenSenses: true, Sight: sightBoard, Search: 1}} {
		g := gameWith(t, s)
		proof.Is(t, newSense(g).search, search{s.Search, s.Sight == sightBoard}, "%+v", s)
		s.Search = 0
		without := gameWith(t, s)
		alike := true
		for seed := range uint64(5) {
			var r [2]engine.Result
			for i, g := range []*game{g, without} {
				r[i] = g.Play([]engine.Player{speciesOf(t, g, "foodHope foodHope"), hyper{}}, seed, nil)
			}
			alike = alike && r[0] == r[1]
		}
		proof.Is(t, alike, g.settings.Search == 0, "%+v: plays as without a search", g.settings)
	}
}

// TestSightIsOfEvolvedAnts plays hand-written ants under all that evolved ants may see.
func TestSightIsOfEvolvedAnts(t *testing.T) {
	g, all := New(), gameWith(t, settings{KeenSenses: true, Sight: sightBoard, Rings: true, Search: 9})
	ant := speciesOf(t, all, "foodRoute foodRoute")
	for seed := range uint64(50) {
		all.Play([]engine.Player{ant, ant}, seed, nil) // leaves an arena
		players := []engine.Player{hyper{}, super{}}
		if a, b := g.Play(players, seed, nil), all.Play(players, seed, nil); a != b {
			t.Fatalf("seed %d: %+v and %+v", seed, a, b)
		}
	}
}

// TestSearchOfEvolvedAnts: BrilliANT, from the contest's report, wins more often against hyper when
// it plays out its moves, on the same boards from both seats.
func TestSearchOfEvolvedAnts(t *testing.T) {
	proof.Long(t)
	var won [2]int
	for i, plies := range []int{0, 1000} {
		g := gameWith(t, settings{Search: plies})
		p := proof.Must(g.brilliant())(t)
		for seed := range uint64(100) {
			players := [2]engine.Player{p, hyper{}}
			r := g.Play([]engine.Player{players[seed%2], players[1-seed%2]}, seed/2, nil)
			if r.Winner() == int(seed%2) {
				won[i]++
			}
		}
	}
	if won[1] < won[0]+5 {
		t.Errorf("of 100 games BrilliANT wins %d, and with a search %d", won[0], won[1])
	}
}
