package chase

import (
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

func TestSuite(t *testing.T) {
	proof.Slow(t)
	enginetest.Run(t, New())
}

// Directions.
const (
	north = iota
	east
	south
	west
)

// start returns a game without grains but those given, with the creatures on cells.
func start(at [seats]int, grain ...int) *round {
	r := &round{torus: gp.NewTorus(side)}
	r.Begin(seats, 1)
	r.grain, r.wood = gp.Bits{}, gp.Bits{}
	for _, cell := range grain {
		r.grain.Set(cell)
	}
	for seat := range r.each {
		r.each[seat] = creature{at: at[seat]}
		r.look(&r.each[seat])
	}
	return r
}

func (r *round) move(directions ...int) {
	var chosen [engine.MaxSeats]int
	copy(chosen[:], directions)
	r.Step(&chosen)
}

// cell numbers a cell by row and column.
func cell(row, column int) int { return row*side + column }

// TestCatches holds who catches whom, and that the caught do not eat.
func TestCatches(t *testing.T) {
	far := cell(9, 9)
	for _, c := range []struct {
		name    string
		at      [seats]int
		moves   [seats]int
		grain   int
		catches [seats]int
		eaten   [seats]int
	}{
		{"one cell", [seats]int{cell(3, 1), cell(3, 3), far}, [seats]int{east, west, north},
			cell(3, 2), [seats]int{1, 0, 0}, [seats]int{1, 0, 0}},
		{"changed places", [seats]int{cell(3, 1), cell(3, 2), far}, [seats]int{east, west, north},
			cell(3, 1), [seats]int{1, 0, 0}, [seats]int{}},
		{"behind the prey", [seats]int{cell(3, 1), cell(3, 2), far}, [seats]int{east, east, north},
			cell(3, 3), [seats]int{}, [seats]int{0, 1, 0}},
		{"viper and fox", [seats]int{cell(3, 1), far, cell(3, 3)}, [seats]int{east, north, west},
			cell(3, 2), [seats]int{0, 0, 1}, [seats]int{0, 0, 1}},
		{"hen and viper", [seats]int{far, cell(0, 0), cell(10, 0)}, [seats]int{north, north, south},
			cell(10, 0), [seats]int{0, 1, 0}, [seats]int{0, 1, 0}},
		{"three on one", [seats]int{cell(3, 1), cell(3, 3), cell(4, 2)},
			[seats]int{east, west, north}, cell(3, 2), [seats]int{1, 1, 1}, [seats]int{}},
		{"across the edge", [seats]int{cell(0, 0), cell(0, 10), far},
			[seats]int{west, east, north}, far, [seats]int{1, 0, 0}, [seats]int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(c.at, c.grain)
			r.move(c.moves[:]...)
			result := r.Result()
			for seat := range r.each {
				got := &r.each[seat]
				if got.catches != c.catches[seat] || got.eaten != c.eaten[seat] {
					t.Errorf("the %s catches %d and eats %d, not %d and %d", names[seat],
						got.catches, got.eaten, c.catches[seat], c.eaten[seat])
				}
				proof.Is(t, got.caught, c.catches[hunterOf(seat)], "how often the %s is caught",
					names[seat])
				proof.Is(t, result.Scores[seat], float64(3*c.catches[seat]+c.eaten[seat]), "points")
				where := r.torus.Towards(c.at[seat], c.moves[seat])
				proof.Is(t, got.at != where, got.caught > 0,
					"the %s on cell %d after cell %d has moved", names[seat], got.at, where)
				if got.caught > 0 && !got.tracks.Empty() {
					t.Errorf("the %s leaves tracks when it is caught", names[seat])
				}
			}
		})
	}
}

// TestSetDownApart holds that nobody is set down on somebody, and that a grain there is not eaten.
func TestSetDownApart(t *testing.T) {
	var everywhere []int
	for at := range cells {
		everywhere = append(everywhere, at)
	}
	for seed := range uint64(500) {
		r := start([seats]int{cell(3, 1), cell(3, 3), cell(4, 2)}, everywhere...)
		r.random = engine.NewRandom(seed)
		r.move(east, west, north)
		a, b, c := r.each[0].at, r.each[1].at, r.each[2].at
		if crossing := cell(3, 2); a == b || b == c || c == a || a == crossing || b == crossing ||
			c == crossing || r.grain.Count() != cells {
			t.Fatalf("seed %d: set down on %d, %d, %d with %d grains", seed, a, b, c, r.grain.Count())
		}
	}
}

// TestDeal holds that all begin apart, with all grains on the board.
func TestDeal(t *testing.T) {
	r := &round{torus: gp.NewTorus(side)}
	for seed := range uint64(500) {
		r.Begin(seats, seed)
		for seat := range r.each {
			if c := &r.each[seat]; r.grain.Has(c.at) || r.wood.Has(c.at) || r.whoseAt(c.at) != seat {
				t.Fatalf("seed %d: the %s begins on a grain, a thicket or on somebody", seed, names[seat])
			}
		}
		if r.grain.Count() != grains || r.wood.Count() != thickets {
			t.Fatalf("seed %d: %d grains, %d thickets", seed, r.grain.Count(), r.wood.Count())
		}
	}
}

// TestMemory: a grain out of view is remembered when another eats it, until its cell is seen.
func TestMemory(t *testing.T) {
	r := start([seats]int{cell(5, 2), cell(5, 5), cell(0, 8)}, cell(5, 4))
	if !r.each[0].known.Has(cell(5, 4)) {
		t.Fatal("the fox does not see a grain two cells off")
	}
	r.move(west, west, north) // the hen eats, three cells from the fox
	if r.each[1].eaten != 1 || !r.each[0].known.Has(cell(5, 4)) || r.each[1].known.Has(cell(5, 4)) {
		t.Fatal("the fox must remember what the hen has eaten out of its view")
	}
	r.move(east, north, north)
	if r.each[0].known.Has(cell(5, 4)) {
		t.Error("the fox sees the grain gone and remembers it")
	}
	if !r.each[0].been.Has(cell(5, 1)) || r.each[0].been.Has(cell(5, 3)) {
		t.Error("the fox does not remember where it has been")
	}
}

// TestTracks: they are seen for six moves, and only in view.
func TestTracks(t *testing.T) {
	r := start([seats]int{cell(2, 0), cell(5, 3), cell(0, 8)})
	for step := range steps {
		if c := &r.each[1]; c.tracks.Count() != min(step, trail) {
			t.Fatalf("%d tracks after %d moves", c.tracks.Count(), step)
		}
		r.move([]int{north, south}[step%2], east, []int{north, south}[step%2])
		if step == 0 && !r.each[1].tracks.Has(cell(5, 3)) {
			t.Fatal("no track where the hen stood")
		}
		if step == 8 {
			break
		}
	}
	f := vocabulary().NewFrame()
	r = start([seats]int{cell(5, 0), cell(5, 2), cell(0, 8)})
	r.move(north, east, north)
	r.Sense(0, f)
	if !f.Layers[layerPrey].Empty() || f.Layers[layerPreyTracks].Count() != 1 {
		t.Error("the fox must see the track of the hen, and no longer the hen")
	}
}

// TestThicket: nobody sees into one, neither creature nor tracks, and all remember where it is.
func TestThicket(t *testing.T) {
	r := start([seats]int{cell(5, 5), cell(5, 6), cell(5, 3)})
	r.wood.Set(cell(5, 7))
	r.look(&r.each[0])
	f := vocabulary().NewFrame()
	if r.Sense(0, f); f.Layers[layerPrey].Empty() || f.Layers[layerThicket].Count() != 1 {
		t.Fatal("the fox must see the hen before its thicket")
	}
	r.move(east, east, north)
	r.Sense(0, f)
	if !f.Layers[layerPrey].Empty() || r.sees(0, 1) || strings.Contains(board(r, 0), " h ") {
		t.Error("the fox sees the hen in a thicket")
	}
	proof.Is(t, f.Layers[layerPreyTracks].Count(), 1, "the tracks before the thicket")
	r.move(west, north, west)
	if r.Sense(0, f); f.Layers[layerPreyTracks].Count() != 1 || f.Layers[layerPrey].Count() != 1 {
		t.Error("the fox must see the hen outside, and no tracks in the thicket")
	}
	r.move(west, east, west)
	r.move(west, east, west)
	r.Sense(0, f)
	proof.Is(t, f.Layers[layerThicket].Count(), 1, "thickets that the fox remembers")
}

// TestDanger: it is where a hunter that is seen can be next, and nowhere for one in a thicket.
func TestDanger(t *testing.T) {
	r, f := start([seats]int{cell(5, 5), cell(0, 0), cell(5, 7)}), vocabulary().NewFrame()
	if r.Sense(0, f); f.Layers[layerDanger].Count() != 5 || !f.Layers[layerDanger].Has(cell(5, 6)) {
		t.Errorf("the fox sees danger on %v", f.Layers[layerDanger])
	}
	r.wood.Set(cell(5, 7))
	if r.Sense(0, f); !f.Layers[layerDanger].Empty() {
		t.Error("the fox sees danger from a hunter in a thicket")
	}
}

// TestHidden holds that what a seat senses does not follow what lies out of its view.
func TestHidden(t *testing.T) {
	g := vocabulary()
	a, b := g.NewFrame(), g.NewFrame()
	start([seats]int{cell(5, 5), cell(0, 0), cell(5, 8)}, cell(1, 1)).Sense(0, a)
	start([seats]int{cell(5, 5), cell(0, 9), cell(9, 9)}, cell(8, 10)).Sense(0, b)
	for layer := range a.Layers {
		proof.Is(t, a.Layers[layer], b.Layers[layer], "layer %d with another thing out of view", layer)
	}
	for seat := range names {
		r := start([seats]int{cell(5, 5), cell(0, 9), cell(2, 2)}, cell(8, 5))
		if seen := board(r, seat); strings.Contains(seen, "o") || strings.Count(seen, ".") != 24 {
			t.Errorf("a person sees what is out of view:\n%s", seen)
		}
	}
}

// board is what a person sees, without the words.
func board(r *round, seat int) string {
	board, _, _ := strings.Cut(r.Tell(seat), "\n\n")
	return board
}

// TestExports holds that bred and random creatures decide in every language as they do here, in
// games played here; whole games over the pipe are in engine/games/all.
func TestExports(t *testing.T) {
	g := New()
	species := map[string]gp.Genome{"random": enginetest.Bred(g, 50)[7],
		"quick-seed1": enginetest.Kept(t, g, "quick-seed1")}
	for name, ge := range species {
		t.Run(name, func(t *testing.T) {
			enginetest.Exports(t, g, engine.Compass(0),
				exporttest.Species{World: "Fox, hen and viper", Name: name}, ge)
		})
	}
}

// TestRoster holds the order of the built-in players, each against two of the one before.
func TestRoster(t *testing.T) {
	g := New()
	entries := g.(engine.Roster).Players()
	for i := range entries[1:] {
		weaker := proof.Must(entries[i].New(""))(t)
		stronger := proof.Must(entries[i+1].New(""))(t)
		wins, lost := 0, 0
		for n := range uint64(600) {
			p := []engine.Player{weaker, weaker, weaker}
			p[n%seats] = stronger
			switch g.Play(p, n, nil).Winner() {
			case int(n % seats):
				wins++
			case engine.Tie:
			default:
				lost++
			}
		}
		t.Logf("%s wins %d, loses %d against two of %s", entries[i+1].Name, wins, lost, entries[i].Name)
		if wins*2 <= lost {
			t.Errorf("%s is no better than %s", entries[i+1].Name, entries[i].Name)
		}
	}
}

// BenchmarkGame is what breeding plays: deals in every rotation of the seats.
func BenchmarkGame(b *testing.B) { enginetest.Bench(b, New()) }
