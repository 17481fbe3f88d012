package life

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
)

func TestGame(t *testing.T) {
	o := Default()
	o.Height, o.Width, o.Generations = 60, 70, 40
	enginetest.Run(t, mustGame(t, o))
}

// look returns a frame drawn around a cell of a board.
func look(t *testing.T, b *Board, own Colour, y, x int, mirrored bool, chosen []Cell) *gp.Frame {
	t.Helper()
	g := gp.MustGrammar(vocabulary())
	o := Default()
	s := &speciesSeat{frame: g.NewFrame()}
	s.turn.View, s.turn.chosen = &View{Board: b, Own: own, Options: &o}, chosen
	s.draw(y, x, mirrored)
	return s.frame
}

// TestFrameEqualsTheBoard holds every layer to what the board says cell by cell, at its edges too,
// plain and mirrored.
func TestFrameEqualsTheBoard(t *testing.T) {
	b := mustBoard(t, 31, 90, best())
	fill(b, 20)
	before := mustBoard(t, 31, 90, best())
	before.Put(b.Pattern(), 0, 0)
	b.Step(1)
	r := engine.NewRandom(3)
	for n := range 120 {
		y, x, own, mirrored := r.Below(31), r.Below(90), Colour(n&1), n&2 != 0
		if n < 8 {
			y, x = (n>>2)*30, (n>>1&1)*89
		}
		var chosen []Cell
		with := mustBoard(t, 31, 90, best())
		with.Put(b.Pattern(), 0, 0)
		if cy, cx := min(y+2, 30), max(x-3, 0); with.Place(cy, cx, own) {
			chosen = append(chosen, Cell{int32(cy), int32(cx)})
		}
		next := mustBoard(t, 31, 90, best())
		next.Put(with.Pattern(), 0, 0)
		next.Step(1)
		f := look(t, b, own, y, x, mirrored, chosen)
		for i := range side * side {
			cy, cx := y+i/side-reach, x+i%side-reach
			if mirrored {
				cx = x - (i%side - reach)
			}
			on := b.Holds(cy, cx)
			free := on && with.At(cy, cx) == None
			want := [layers]bool{
				layerOwn: with.At(cy, cx) == own, layerEnemy: with.At(cy, cx) == own.Enemy(),
				layerEmpty:     free,
				layerOwnBirths: free && next.At(cy, cx) == own, layerEnemyBirths: free &&
					next.At(cy, cx) == own.Enemy(),
				layerChanged: with.At(cy, cx) != before.At(cy, cx), layerOff: !on,
			}
			for l := range layers {
				if f.Layers[l].Has(i) != want[l] {
					t.Fatalf("site (%d, %d), mirrored %v, layer %d: cell (%d, %d) is %v, want %v",
						y, x, mirrored, l, cy, cx, f.Layers[l].Has(i), want[l])
				}
			}
		}
	}
}

// bind returns a player with one text for each stamp.
func bind(t testing.TB, g *Game, trees ...string) engine.Player {
	t.Helper()
	text := ""
	for _, tree := range trees {
		text += tree + "\n"
	}
	ge, err := g.Grammar().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Bind(ge)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestStampsTurnWithTheWorld lets programs place a stamp only where an enemy lies in an area, and
// looks whether it was turned and mirrored as the area was.
func TestStampsTurnWithTheWorld(t *testing.T) {
	o := Default()
	o.Height, o.Width, o.Cells, o.Rounds = 40, 40, 5, 100
	g := mustGame(t, o)
	// A glider where an enemy lies four cells down and to the right: the way it flies.
	p := bind(t, g, "(if (enemy? (rect 4 4 1 1)) (const 1) (const -1))", "(const -1)", "(const -1)",
		"(const -1)")
	seen := map[flight]bool{}
	for seed := range engine.Seed(60) {
		b := mustBoard(t, 40, 40, best())
		b.Place(20, 20, Second)
		moves, _ := p.(Player).Sit(&o, seed).Turn(&View{Board: b, Own: First, Options: &o}, nil)
		if len(moves) == 0 {
			continue
		}
		for _, c := range moves {
			if !b.Place(int(c.Y), int(c.X), First) {
				t.Fatalf("seed %d: cell %v is not free", seed, c)
			}
		}
		var f flight
		found := false
		for _, c := range moves {
			if f, found = gliderKeys[b.around(First, int(c.Y), int(c.X))]; found {
				break
			}
		}
		if !found {
			t.Fatalf("seed %d: %v is no glider", seed, moves)
		}
		for _, c := range moves {
			if (20-int(c.Y))*int(f.dy) <= 0 || (20-int(c.X))*int(f.dx) <= 0 {
				t.Fatalf("seed %d: the glider %v flies %v, away from (20, 20)", seed, moves, f)
			}
		}
		seen[f] = true
	}
	if len(seen) != 4 {
		t.Errorf("gliders flew %v, want all four ways", seen)
	}
}

func TestNothingIsPlacedWithoutUtility(t *testing.T) {
	g := small(t)
	p := bind(t, g, "(const 0)", "(const -1)", "(constint 0)", "(sub (const 0.5) (const 0.5))")
	if r := g.Play([]engine.Player{p, p}, 1, nil); r.Marks[0][0] != 0 || r.Scores[0] != 0 {
		t.Errorf("placed %v cells", r.Marks[0][0])
	}
}

// TestKeptSpecies holds that all species that are kept are of the rules as played, and that the one
// that is said to beat grower on the small hill does.
func TestKeptSpecies(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "results", "life", "*.species"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no species are kept (%v)", err)
	}
	o := Default()
	o.Height, o.Width, o.Generations = 128, 128, 500
	g := mustGame(t, o)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := gp.ParseSpecies(string(text), func(game string, version int) (*gp.Grammar,
			error) {
			if game != g.Info().Name || version != Version {
				t.Errorf("%s is of %s, version %d", file, game, version)
			}
			return g.Grammar(), nil
		})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		p, err := g.Bind(s.Genome)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if filepath.Base(file) != "explore.species" {
			continue
		}
		for seed := range uint64(3) {
			if r := g.Play([]engine.Player{p, player(t, g, "grower")}, 3000+seed,
				nil); r.Winner != 0 {
				t.Errorf("explore.species lost to grower with %v cells to %v", r.Scores[0],
					r.Scores[1])
			}
		}
	}
}

// TestSpeciesEqualsTheWalk plays random programs and holds every choice to a walk over the trees.
func TestSpeciesEqualsTheWalk(t *testing.T) {
	g := small(t)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		ge := g.Grammar().Ramped(r, 2, 6)
		p, err := g.Bind(ge)
		if err != nil {
			t.Fatal(err)
		}
		seat := p.(Player).Sit(&g.options, engine.Seed(n)).(*speciesSeat)
		b := mustBoard(t, 60, 60, best())
		fill(b, 10)
		b.Step(1)
		seat.turn.View = &View{Board: b, Own: First, Options: &g.options}
		for i := range scalars {
			seat.frame.SetScalar(i, float32(n)/7)
		}
		for i := range 30 {
			seat.draw(2*i, 59-2*i, i&1 != 0)
			for slot, tree := range ge {
				got := seat.code.Eval(slot, 0, seat.frame)
				for k := range gp.Lanes {
					if want := g.Grammar().Walk(tree, seat.frame, k); got[k] != want &&
						(got[k] == got[k] || want == want) {
						t.Fatalf("genome %d, slot %d, turn %d: %v, want %v", n, slot, k, got[k],
							want)
					}
				}
			}
		}
	}
}

// TestBirthsWithoutEnemies: births due at the edge of the frame from enemies beyond it count,
// though no enemy is in the frame.
func TestBirthsWithoutEnemies(t *testing.T) {
	g := small(t)
	b := mustBoard(t, 60, 60, best())
	for y := range 3 { // a blinker: it comes alive to its left and right
		b.Place(29+y, 30+reach+1, Second)
	}
	seat := bind(t, g, "(const -1)", "(const -1)", "(const -1)",
		"(enemyBirths (rect 4 0 3 3))").(Player).Sit(&g.options, 1).(*speciesSeat)
	seat.turn.View = &View{Board: b, Own: First, Options: &g.options}
	var best candidate
	seat.offer(&best, 30, 30, false)
	if !seat.frame.Layers[layerEnemy].Empty() || best.utility != 1 {
		t.Errorf("utility %v, want 1", best.utility)
	}
}

// TestScalars holds what a program knows of the whole game, seen from the second side, in the last
// of two rounds.
func TestScalars(t *testing.T) {
	o := Default()
	o.Height, o.Width, o.Generations, o.Cells, o.Rounds = 60, 60, 10, 8, 2
	g := mustGame(t, o)
	b := mustBoard(t, 60, 60, best())
	for i := range 10 {
		b.Place(1+2*i, 3, Colour(min(1, i/7)))
	}
	seat := bind(t, g, "(const -1)", "(const -1)", "(const -1)", "(const 1)").(Player).Sit(&o,
		1).(*speciesSeat)
	moves, _ := seat.Turn(&View{Board: b, Own: Second, Generation: 3, Options: &o}, nil)
	if len(moves) != 2 {
		t.Fatalf("moves %v, want two cells", moves)
	}
	for scalar, want := range [scalars]float32{scalarOwn: 0.003, scalarEnemy: 0.007,
		scalarGenerations: 0.7, scalarCells: 7. / 8} {
		for lane, got := range seat.frame.Scalar(scalar)[:gp.Lanes] {
			if got != want {
				t.Errorf("scalar %d, lane %d: %v, want %v", scalar, lane, got, want)
			}
		}
	}
}

func TestSpeciesTurnDoesNotAllocate(t *testing.T) {
	g := small(t)
	ge := g.Grammar().Ramped(rand.New(rand.NewPCG(3, 4)), 5, 6)
	p, err := g.Bind(ge)
	if err != nil {
		t.Fatal(err)
	}
	b := mustBoard(t, 120, 130, best())
	fill(b, 20)
	seat := p.(Player).Sit(&g.options, 1)
	v := &View{Board: b, Own: First, Options: &g.options}
	moves := make([]Cell, 0, 30)
	if n := testing.AllocsPerRun(50,
		func() { moves, _ = seat.Turn(v, moves[:0]); b.Step(1) }); n != 0 {
		t.Errorf("%v allocations a turn, want 0", n)
	}
}

// BenchmarkHill plays evolved-size programs on the board of the study.
func BenchmarkHill(bench *testing.B) {
	o := Default()
	o.Height, o.Width, o.Generations = 128, 128, 500
	g := mustGame(bench, o)
	r := rand.New(rand.NewPCG(1, 2))
	var players []engine.Player
	for range 16 {
		p, err := g.Bind(g.Grammar().Ramped(r, 4, 7))
		if err != nil {
			bench.Fatal(err)
		}
		players = append(players, p)
	}
	for i := 0; bench.Loop(); i++ {
		g.Play([]engine.Player{players[i%16], players[(i/16+i+1)%16]}, uint64(i), nil)
	}
	bench.ReportMetric(float64(bench.N)/bench.Elapsed().Seconds(), "games/s")
}
