package amoebas_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"clade/analysis"
	"clade/engine"
	world "clade/engine/amoebas"
	"clade/experiments/amoebas"
	"clade/experiments/player"
	"clade/experiments/study"
)

func follow(t testing.TB, pairs bool, boards int, names ...string) []analysis.Run {
	t.Helper()
	g, err := study.NewGame("amoebas", "world-size=16", "rounds=40")
	if err != nil {
		t.Fatal(err)
	}
	players, err := player.FindAll(g, names)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := amoebas.Follow(context.Background(), g, names, players, pairs, boards, 1)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// The census agrees with what the game itself reports, and shares are shares.
func TestCensusAgreesWithTheGame(t *testing.T) {
	g, err := study.NewGame("amoebas", "world-size=16", "rounds=40")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"caesar", "mindless"}
	players, err := player.FindAll(g, names)
	if err != nil {
		t.Fatal(err)
	}
	var c amoebas.Census
	result := g.Play(players, 3, &c)
	for seat, run := range c.Runs(names) {
		if run.Group != names[seat] {
			t.Errorf("seat %d is called %s", seat, run.Group)
		}
		last := func(m analysis.Measure) float64 {
			s := run.Find(m)
			if len(s.Value) != result.Steps+1 {
				t.Fatalf("%s: %d values for %d rounds", m, len(s.Value), result.Steps)
			}
			return s.Value[result.Steps]
		}
		if e := last(amoebas.Energy); e != result.Scores[seat] {
			t.Errorf("%s: energy %v, and the game says %v", run.Name, e, result.Scores[seat])
		}
		if n := last(amoebas.Size); n != float64(result.Marks[seat][0]) {
			t.Errorf("%s: %v amoebas, and the game says %v", run.Name, n, result.Marks[seat][0])
		}
		if held := last(amoebas.Territory); held < 0 || held > 1 ||
			held*256 < last(amoebas.Size)-1e-9 {
			t.Errorf("%s: holds %v of the world with %v amoebas", run.Name, held,
				last(amoebas.Size))
		}
		if older := run.Find(amoebas.Older); older != nil && len(older.Value) > 0 &&
			older.Value[0] != 1 {
			t.Errorf("%s: %v are at least 0 rounds old", run.Name, older.Value[0])
		}
		if first := run.Find(amoebas.Age).Value[0]; first != 0 {
			t.Errorf("%s: age %v at the start", run.Name, first)
		}
	}
}

// A mindless species never divides: its one amoeba is of generation 0 and as old as the game while
// it lives.
func TestAgeOfTheMindless(t *testing.T) {
	for _, run := range follow(t, false, 1, "mindless") {
		for round, age := range run.Find(amoebas.Age).Value {
			if !math.IsNaN(age) && age != float64(round) {
				t.Errorf("age %v in round %d", age, round)
			}
		}
		for round, g := range run.Find(amoebas.Generation).Value {
			if !math.IsNaN(g) && g != 0 {
				t.Errorf("generation %v in round %d", g, round)
			}
		}
	}
}

func TestFollowPlaysEveryPairInEverySeat(t *testing.T) {
	games := map[string]int{}
	for _, run := range follow(t, true, 2, "mindless", "theroots", "caesar") {
		games[run.Group]++
	}
	for _, name := range []string{"mindless", "theroots", "caesar"} {
		if games[name] != 8 {
			t.Errorf("%s played %d games, not 8", name, games[name])
		}
	}
}

func TestCurves(t *testing.T) {
	populations, structure, err := amoebas.Curves(follow(t, false, 2, "caesar", "theroots"))
	if err != nil {
		t.Fatal(err)
	}
	if len(populations.Data.Rows) != 3*2*41 {
		t.Errorf("%d points of populations", len(populations.Data.Rows))
	}
	if len(structure.Data.Rows) == 0 {
		t.Error("no structure")
	}
}

func ExampleCensus() {
	g := world.New()
	s := g.Settings().(*world.Settings)
	s.WorldSize, s.Rounds = 8, 1
	game, _ := g.With(s)
	players, _ := player.FindAll(game, []string{"mindless"})
	var c amoebas.Census
	game.Play(players, 1, &c)
	for _, run := range c.Runs([]string{"mindless"}) {
		fmt.Println(run.Name, run.Find(amoebas.Size).Value)
	}
	// Output: mindless [1 1]
}

var _ engine.Recorder = (*amoebas.Census)(nil)

// owners counts cells by the species that last stood there, by the definition of Territory.
type owners struct {
	census amoebas.Census
	last   map[[2]int]int
	held   [][2]float64 // by round
	taken  int          // cells that changed hands
}

func (o *owners) Decide(int, uint64) {}

func (o *owners) Step(s engine.Scene) {
	o.census.Step(s)
	w := s.(*world.Scene).World()
	var held [2]float64
	for x := range w.Size() {
		for y := range w.Size() {
			if who, ok := w.Occupant(x, y); ok {
				if before, held := o.last[[2]int{x, y}]; held && before != who.Species {
					o.taken++
				}
				o.last[[2]int{x, y}] = who.Species
			}
			if owner, ok := o.last[[2]int{x, y}]; ok {
				held[owner] += 1 / float64(w.Size()*w.Size())
			}
		}
	}
	o.held = append(o.held, held)
}

func TestTerritory(t *testing.T) {
	g, err := study.NewGame("amoebas", "world-size=16", "rounds=60")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"caesar", "theroots"}
	players, err := player.FindAll(g, names)
	if err != nil {
		t.Fatal(err)
	}
	o := owners{last: map[[2]int]int{}}
	g.Play(players, 3, &o)
	for seat, run := range o.census.Runs(names) {
		for round, held := range run.Find(amoebas.Territory).Value {
			if math.Abs(held-o.held[round][seat]) > 1e-9 {
				t.Fatalf("round %d: %s holds %v, by the definition %v", round, run.Name, held,
					o.held[round][seat])
			}
		}
	}
	if o.taken < 20 {
		t.Errorf("only %d cells changed hands", o.taken)
	}
}

// TestStructureIsPooledOverAllAges holds that a game in which nobody grew so old counts as none
// that old, not as no game.
func TestStructureIsPooledOverAllAges(t *testing.T) {
	runs := follow(t, false, 3, "caesar", "theroots")
	lengths := func(m analysis.Measure) map[int]bool {
		n := map[int]bool{}
		for i := range runs {
			if values := runs[i].Find(m).Value; len(values) > 0 {
				n[len(values)] = true
			}
		}
		return n
	}
	measures := []analysis.Measure{amoebas.Older, amoebas.Later}
	for _, m := range measures {
		if len(lengths(m)) < 2 {
			t.Fatalf("%s: all games are alike", m)
		}
	}
	if _, _, err := amoebas.Curves(runs); err != nil {
		t.Fatal(err)
	}
	for _, m := range measures {
		if n := lengths(m); len(n) != 1 {
			t.Errorf("%s: series of %v values are pooled", m, n)
		}
	}
}
