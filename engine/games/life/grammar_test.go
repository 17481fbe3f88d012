package life

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/life/internal/kernel"
	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

func TestGame(t *testing.T) {
	proof.Slow(t)
	o := defaults()
	o.Height, o.Width, o.Generations = 60, 70, 40
	enginetest.Run(t, mustGame(t, o))
	if proof.Quick() {
		return // the other vocabularies are played by the same code
	}
	o.Methuselahs = true
	t.Run("methuselahs", func(t *testing.T) { enginetest.Run(t, mustGame(t, o)) })
	o.Methuselahs, o.StillLifes = false, true
	t.Run("still lifes", func(t *testing.T) { enginetest.Run(t, mustGame(t, o)) })
	o.Methuselahs = true
	t.Run("both", func(t *testing.T) { enginetest.Run(t, mustGame(t, o)) })
}

// TestDistances holds how far the nearest cells are to a count of all cells, at the edges too.
func TestDistances(t *testing.T) {
	o := defaults()
	for _, every := range []int{3, 100, 4000, 1 << 30} { // one cell in so many lives
		b := newBoard(70, 200, best())
		r := engine.NewRandom(uint64(every))
		for y := range b.height {
			for x := range b.width {
				if r.Below(every) == 0 {
					b.place(y, x, colour(r.Below(2)))
				}
			}
		}
		t1 := turn{view: &view{board: b, own: colourB, settings: &o}, chosen: []cell{{40, 100}}}
		for range 200 {
			y, x := r.Below(b.height), r.Below(b.width)
			want := [3]int{sight, sight, sight}
			see := func(what, cy, cx int) {
				want[what] = min(want[what], max(cy-y, y-cy, cx-x, x-cx))
			}
			b.each(func(cy, cx int, c colour) { see(1-int(c), cy, cx) })
			see(0, 40, 100)
			for _, edge := range [4]int{y, x, b.height - 1 - y, b.width - 1 - x} {
				want[2] = min(want[2], edge)
			}
			if own, enemy, edge := t1.distances(y, x); [3]int{own, enemy, edge} != want {
				t.Fatalf("one in %d, at %d, %d: %d, %d, %d, want %v", every, y, x, own, enemy, edge, want)
			}
		}
	}
}

// look returns a seat that has drawn its frame around a cell of a board, and which stamps fit
// there.
func look(v *vocabulary, b *board, own colour, y, x int, mirrored bool, chosen []cell) (
	s *speciesSeat, fits uint32) {
	o := defaults()
	s = &speciesSeat{vocabulary: v, frame: v.grammar.NewFrame(), reads: 1<<len(v.layers) - 1}
	s.turn.view = &view{board: b, own: own, settings: &o}
	s.spots = []spot{{y: y, x: x, mirrored: mirrored}}
	s.foresee()
	s.turn.chosen = chosen // after that, as what a round places
	for _, c := range chosen {
		s.placed = append(s.placed, placed{int(c.y), int(c.x), rim})
	}
	return s, s.draw(0, 1<<kernel.Covers-1)
}

// TestFrameEqualsTheBoard holds every layer, and which stamps fit, to what the board says cell by
// cell, at its edges too, plain and mirrored, for each level.
func TestFrameEqualsTheBoard(t *testing.T) {
	for _, l := range kernels.Available() {
		t.Run(l.String(), func(t *testing.T) { frameEqualsTheBoard(t, l) })
	}
}

func frameEqualsTheBoard(t *testing.T, l kernels.Level) {
	b := newBoard(31, 90, l)
	fill(b, 20)
	before := newBoard(31, 90, best())
	before.put(b.pattern(), 0, 0)
	b.step(1)
	for y := range 31 { // what the first side places in this turn, also where the other's cells died
		for x := range 90 {
			if was := before.at(y, x); was != dead && (x+y)%5 == 0 {
				b.place(y, x, was.enemy())
			}
		}
	}
	r, vocabularies := engine.NewRandom(3), New().(*game).shared
	for n := range 120 {
		y, x, own, mirrored := r.Below(31), r.Below(90), colour(n&1), n&2 != 0
		if n < 8 {
			y, x = (n>>2)*30, (n>>1&1)*89
		}
		var chosen []cell
		with := newBoard(31, 90, best())
		with.put(b.pattern(), 0, 0)
		if cy, cx := min(y+2, 30), max(x-3, 0); with.place(cy, cx, own) {
			chosen = append(chosen, cell{int32(cy), int32(cx)})
		}
		next := newBoard(31, 90, best())
		next.put(with.pattern(), 0, 0)
		next.step(1)
		v := vocabularies[[3]words{plainWords, stillWords, openingWords}[n/4%3]]
		s, fits := look(v, b, own, y, x, mirrored, chosen)
		f := s.frame
		for slot := range s.stamps {
			for k := range s.stamps[slot].turns {
				want := true
				lane := slices.Index(v.lanes[:], struct{ slot, turn int }{slot, k})
				c := s.candidate(0, lane)
				for _, of := range c.stamp.cells {
					cy, cx := c.cell(of)
					want = want && with.contains(cy, cx) && with.at(cy, cx) == dead
				}
				if got := fits>>lane&1 == 1; got != want {
					t.Fatalf("at %d, %d: %s fits in turn %d: %t, want %t", y, x, c.stamp.name, k, got, want)
				}
			}
		}
		for i := range side * side {
			cy, cx := y+i/side-reach, x+i%side-reach
			if mirrored {
				cx = x - (i%side - reach)
			}
			on := b.contains(cy, cx)
			free := on && with.at(cy, cx) == dead
			want := [...]bool{
				layerOwn: with.at(cy, cx) == own, layerEnemy: with.at(cy, cx) == own.enemy(),
				layerEmpty:     free,
				layerOwnBirths: free && next.at(cy, cx) == own, layerEnemyBirths: free &&
					next.at(cy, cx) == own.enemy(),
				layerChanged: with.at(cy, cx) != before.at(cy, cx), layerOff: !on,
				layerAsh: with.at(cy, cx) != dead && with.at(cy, cx) == before.at(cy, cx),
			}
			for l := range s.layers {
				if f.Layers[l].Has(i) != want[l] {
					t.Fatalf("site (%d, %d), mirrored %v, layer %d: cell (%d, %d) is %v, want %v",
						y, x, mirrored, l, cy, cx, f.Layers[l].Has(i), want[l])
				}
			}
		}
	}
}

// bind returns a player with one text for each stamp.
func bind(t testing.TB, g *game, trees ...string) engine.Player {
	t.Helper()
	text := ""
	for _, tree := range trees {
		text += tree + "\n"
	}
	ge := proof.Must(g.Grammar().Parse(text))(t)
	return proof.Must(g.Bind(ge))(t)
}

// TestStampsTurnWithTheWorld lets programs place a stamp only where an enemy lies in an area, and
// looks whether it was turned and mirrored as the area was.
func TestStampsTurnWithTheWorld(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Cells, o.Rounds = 40, 40, 5, 100
	g := mustGame(t, o)
	// A glider where an enemy lies four cells down and to the right: the way it flies.
	p := bind(t, g, "(if (enemy? (rect 4 4 1 1)) (const 1) (const -1))", "(const -1)", "(const -1)",
		"(const -1)")
	seen := map[flight]bool{}
	for seed := range engine.Seed(60) {
		b := newBoard(40, 40, best())
		b.place(20, 20, colourB)
		moves, _ := p.(player).sit(&o, seed).choose(&view{board: b, own: colourA, settings: &o}, nil)
		if len(moves) == 0 {
			continue
		}
		for _, c := range moves {
			if !b.place(int(c.y), int(c.x), colourA) {
				t.Fatalf("seed %d: cell %v is not free", seed, c)
			}
		}
		var f flight
		found := false
		for _, c := range moves {
			if f, found = gliderKeys[b.around(int(c.y), int(c.x))[colourA]]; found {
				break
			}
		}
		if !found {
			t.Fatalf("seed %d: %v is not a glider", seed, moves)
		}
		for _, c := range moves {
			if (20-int(c.y))*int(f.dy) <= 0 || (20-int(c.x))*int(f.dx) <= 0 {
				t.Fatalf("seed %d: the glider %v flies %v, away from (20, 20)", seed, moves, f)
			}
		}
		seen[f] = true
	}
	proof.Is(t, len(seen), 4, "the ways that gliders flew, %v", seen)
}

func TestNothingIsPlacedWithoutUtility(t *testing.T) {
	g := small(t)
	p := bind(t, g, "(const 0)", "(const -1)", "(constint 0)", "(sub (const 0.5) (const 0.5))")
	if r := g.Play([]engine.Player{p, p}, 1, nil); r.Marks[0][0] != 0 || r.Scores[0] != 0 {
		t.Errorf("placed %v cells", r.Marks[0][0])
	}
}

// TestKeptSpecies holds that all species that are kept are of the rules as played, and that those
// that are said to beat grower do, on small hills and on the original's board. Those of still lifes
// play the same in the wider vocabulary, where an R-pentomino has a bloom's tree.
func TestKeptSpecies(t *testing.T) {
	proof.Slow(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "results", "life", "*.species"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no species are kept (%v)", err)
	}
	hill, original, full := defaults(), defaults(), defaults()
	hill.Height, hill.Width, hill.Generations = 128, 128, 500
	full.Height, full.Width, full.Generations, full.Rounds = 128, 128, 164, 24
	full.StillLifes = true
	original.Methuselahs = true
	for _, file := range files {
		name, text := filepath.Base(file), string(proof.Must(os.ReadFile(file))(t))
		o, games := hill, 0
		switch {
		case name == "explore.species":
			games = 3
		case name == "methuselahs.species":
			o, games = original, 2
		case strings.Contains(text, "(setting still-lifes true)"):
			o, games = full, 3
		}
		vocabularies := []settings{o}
		if o.StillLifes {
			o.Methuselahs = true
			vocabularies = append(vocabularies, o)
			if strings.Contains(text, "(setting methuselahs true)") {
				vocabularies = vocabularies[1:] // its own
			}
		}
		first := make([]engine.Result, games)
		for v, o := range vocabularies {
			g := mustGame(t, o)
			p := proof.Must(g.Bind(enginetest.Kept(t, g, strings.TrimSuffix(name, ".species"))))(t)
			for seed := range uint64(games) {
				r := g.Play([]engine.Player{p, enginetest.Player(t, g, "grower")}, 3000+seed, nil)
				if v == 0 {
					first[seed] = r
				}
				proof.Is(t, r.Scores, first[seed].Scores, "%s in each vocabulary", name)
				if r.Winner() != 0 {
					t.Errorf("%s lost to grower with %v cells to %v", name, r.Scores[0], r.Scores[1])
				}
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
		p := proof.Must(g.Bind(ge))(t)
		seat := p.(player).sit(&g.settings, engine.Seed(n)).(*speciesSeat)
		b := newBoard(60, 60, best())
		fill(b, 10)
		b.step(1)
		seat.turn.view = &view{board: b, own: colourA, settings: &g.settings}
		for i := range g.Grammar().Scalars {
			seat.frame.SetScalar(i, float32(n)/7)
		}
		for i := range 30 {
			seat.spots = []spot{{y: 2 * i, x: 59 - 2*i, mirrored: i&1 != 0}}
			seat.foresee()
			seat.draw(0, 0)
			for slot, tree := range ge {
				for k := range gp.Lanes {
					got := seat.worth[:1]
					seat.code.EvalAsks([]gp.Ask{g.Grammar().Ask(slot, k)}, 0, 0, seat.frame, got)
					if want := g.Grammar().Walk(tree, seat.frame, k); got[0] != want &&
						(got[0] == got[0] || want == want) {
						t.Fatalf("genome %d, slot %d, turn %d: %v, want %v", n, slot, k, got[0], want)
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
	b := newBoard(60, 60, best())
	for y := range 3 { // a blinker: it comes alive to its left and right
		b.place(29+y, 30+reach+1, colourB)
	}
	seat := bind(t, g, "(const -1)", "(const -1)", "(const -1)",
		"(enemyBirths (rect 4 0 3 3))").(player).sit(&g.settings, 1).(*speciesSeat)
	seat.turn.view = &view{board: b, own: colourA, settings: &g.settings}
	seat.spots = []spot{{y: 30, x: 30}}
	seat.foresee()
	best := seat.best(0, 1)
	if !seat.frame.Layers[layerEnemy].Empty() || best.utility != 1 {
		t.Errorf("utility %v, want 1", best.utility)
	}
}

// TestScalars holds what a program knows of the whole game, seen from the second side, in the last
// of two rounds.
func TestScalars(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Cells, o.Rounds = 60, 60, 10, 8, 2
	g := mustGame(t, o)
	b := newBoard(60, 60, best())
	for i := range 10 {
		b.place(1+2*i, 3, colour(min(1, i/7)))
	}
	seat := bind(t, g, "(const -1)", "(const -1)", "(const -1)", "(const 1)").(player).sit(&o,
		1).(*speciesSeat)
	moves, _ := seat.choose(&view{board: b, own: colourB, generation: 3, settings: &o}, nil)
	if len(moves) != 2 {
		t.Fatalf("moves %v, want two cells", moves)
	}
	for scalar, want := range [...]float32{0.003, 0.007, 0.7, 7. / 8} { // in the order of senses
		for lane, got := range seat.frame.Scalar(scalar)[:gp.Lanes] {
			proof.Is(t, got, want, "scalar %d, lane %d", scalar, lane)
		}
	}
}

func TestSpeciesTurnDoesNotAllocate(t *testing.T) {
	g := small(t)
	ge := g.Grammar().Ramped(rand.New(rand.NewPCG(3, 4)), 5, 6)
	p := proof.Must(g.Bind(ge))(t)
	b := newBoard(120, 130, best())
	fill(b, 20)
	seat := p.(player).sit(&g.settings, 1)
	v := &view{board: b, own: colourA, settings: &g.settings}
	moves := make([]cell, 0, 30)
	proof.Is(t, testing.AllocsPerRun(50,
		func() { moves, _ = seat.choose(v, moves[:0]); b.step(1) }), 0, "allocations a turn")
}
