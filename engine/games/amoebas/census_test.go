package amoebas

import (
	"fmt"
	"math"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// counted plays a game and returns its result and the series of each seat by measure.
func counted(t *testing.T, rounds int, seed uint64, more func(engine.Scene),
	players ...engine.Player) (engine.Result, []map[string][]float64) {
	t.Helper()
	g := small(t, func(s *Settings) { s.WorldSize, s.Rounds = 16, rounds })
	measures, c := g.Count()
	r := g.Play(players, seed, engine.OnStep(func(s engine.Scene) {
		if c.Step(s); more != nil {
			more(s)
		}
	}))
	series := make([]map[string][]float64, len(players))
	for seat := range series {
		series[seat] = map[string][]float64{}
		for i, values := range c.Series(seat) {
			series[seat][measures[i].Name] = values
		}
	}
	return r, series
}

// The census agrees with what the game itself reports, and shares are shares.
func TestCensusAgreesWithTheGame(t *testing.T) {
	result, seats := counted(t, 40, 3, nil, caesar{}, mindless{})
	for seat, series := range seats {
		last := func(name string) float64 {
			if n := len(series[name]); n != result.Steps+1 {
				t.Fatalf("%s: %d values for %d rounds", name, n, result.Steps)
			}
			return series[name][result.Steps]
		}
		proof.Is(t, last("energy"), result.Scores[seat], "seat %d: energy", seat)
		proof.Is(t, last("amoebas"), float64(result.Marks[seat][markPopulation]), "seat %d: amoebas",
			seat)
		if held := last("territory"); held < 0 || held > 1 || held*256 < last("amoebas")-1e-9 {
			t.Errorf("seat %d: holds %v of the world with %v amoebas", seat, held, last("amoebas"))
		}
		if older := series["older"]; len(older) > 0 && older[0] != 1 {
			t.Errorf("seat %d: %v are at least 0 rounds old", seat, older[0])
		}
		proof.Is(t, series["mean-age"][0], 0, "seat %d: age at the start", seat)
	}
}

// A mindless species never divides: its one amoeba is of generation 0 and as old as the game while
// it lives.
func TestAgeOfTheMindless(t *testing.T) {
	_, seats := counted(t, 40, 1, nil, mindless{})
	for round, age := range seats[0]["mean-age"] {
		if !math.IsNaN(age) && age != float64(round) {
			t.Errorf("age %v in round %d", age, round)
		}
	}
	for round, g := range seats[0]["generations"] {
		if !math.IsNaN(g) && g != 0 {
			t.Errorf("generation %v in round %d", g, round)
		}
	}
}

// owners counts cells by the species that last stood there, by the definition of territory.
type owners struct {
	last  map[[2]int]int
	held  [][2]float64 // by round
	taken int          // cells that changed hands
}

func (o *owners) step(s engine.Scene) {
	w := s.(*scene).w
	var held [2]float64
	for x := range w.size() {
		for y := range w.size() {
			if who, ok := w.occupantAt(x, y); ok {
				if before, held := o.last[[2]int{x, y}]; held && before != who.Species {
					o.taken++
				}
				o.last[[2]int{x, y}] = who.Species
			}
			if owner, ok := o.last[[2]int{x, y}]; ok {
				held[owner] += 1 / float64(w.size()*w.size())
			}
		}
	}
	o.held = append(o.held, held)
}

func TestTerritory(t *testing.T) {
	o := owners{last: map[[2]int]int{}}
	_, seats := counted(t, 60, 3, o.step, caesar{}, theroots{})
	for seat, series := range seats {
		for round, held := range series["territory"] {
			if math.Abs(held-o.held[round][seat]) > 1e-9 {
				t.Fatalf("round %d: seat %d holds %v, by the definition %v", round, seat, held,
					o.held[round][seat])
			}
		}
	}
	if o.taken < 20 {
		t.Errorf("only %d cells changed hands", o.taken)
	}
}

func Example_count() {
	g := New()
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 8, 1
	one, _ := g.With(&s)
	measures, counter := g.Count()
	one.Play([]engine.Player{mindless{}}, 1, counter)
	fmt.Println(measures[0].Name, counter.Series(0)[0])
	// Output: amoebas [1 1]
}
