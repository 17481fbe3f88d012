package life

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// small returns a game that is quick to play.
func small(t testing.TB) *game {
	o := defaults()
	o.Height, o.Width, o.Generations = 120, 130, 100
	return mustGame(t, o)
}

func TestSeedCurves(t *testing.T) {
	for _, s := range seeds {
		b := newBoard(1200, 1200, best())
		for _, c := range s.stamp.cells {
			b.place(600+int(c.y), 600+int(c.x), colourA)
		}
		var curve []int
		for range s.curve {
			curve = append(curve, b.population()[colourA])
			for range curveStep {
				b.step(1)
			}
		}
		proof.Are(t, curve, s.curve, "%s", s.stamp.name)
	}
}

func TestBirthsEqualTheBoard(t *testing.T) {
	b := newBoard(40, 90, best())
	fill(b, 25)
	after := newBoard(40, 90, best())
	after.put(b.pattern(), 0, 0)
	after.step(1)
	for c := range colour(2) {
		for y := range 40 {
			for x := -1; x < 89; x++ {
				want := b.contains(y, x+1) && b.at(y, x+1) == dead && after.at(y, x+1) == c
				if got := b.births(c, y, x)>>1&1 != 0; got != want {
					t.Fatalf("births of %d at (%d, %d): %v, want %v", c, y, x+1, got, want)
				}
			}
		}
	}
}

// TestBestStop compares the choice of a cell, by words of rows, with that by rules cell by cell, on
// made-up boards and at their edges.
func TestBestStop(t *testing.T) {
	o := defaults()
	for seed := range uint64(40) {
		b := newBoard(21, 70, best())
		random := rand.New(rand.NewPCG(seed, 0))
		for range 200 {
			b.place(random.IntN(21), random.IntN(70), colour(random.IntN(2)))
		}
		turn := turn{view: &view{board: b, own: colourB, settings: &o}}
		for range 20 {
			turn.chosen = append(turn.chosen, cell{random.Int32N(21), random.Int32N(70)})
		}
		for y := range 21 {
			for x := range 70 {
				by, bx, most := 0, 0, 0
				for cy := y - 1; cy <= y+1; cy++ {
					for cx := x - 1; cx <= x+1; cx++ {
						n := 0
						for row := cy - 1; row <= cy+1; row++ {
							n += bits.OnesCount64(b.births(colourA, row, cx-2) >> 1 & 7)
						}
						if n > most && turn.free(cy, cx) && !turn.taken(cy, cx, 1) {
							by, bx, most = cy, cx, n
						}
					}
				}
				gotY, gotX, got := turn.bestStop(y, x)
				if got != most || most > 0 && (gotY != by || gotX != bx) {
					t.Fatalf("seed %d, beside (%d, %d): (%d, %d) stops %d, want (%d, %d) and %d",
						seed, y, x, gotY, gotX, got, by, bx, most)
				}
			}
		}
	}
}

// TestGuardKillsGliders lets a lone enemy glider fly at a block, in every orientation and phase.
func TestGuardKillsGliders(t *testing.T) {
	o := defaults()
	o.Height, o.Width = 80, 80
	for way := range orientations {
		for phase := range 4 {
			b := newBoard(80, 80, best())
			for _, c := range glider.cells {
				y, x := turned(c, way)
				b.place(40+y, 40+x, colourB)
			}
			for range phase {
				b.step(1)
			}
			dy, dx := turned(cell{1, 1}, way)
			b.place(40+20*dy, 40+20*dx, colourA)
			b.place(40+20*dy, 41+20*dx, colourA)
			b.place(41+20*dy, 40+20*dx, colourA)
			b.place(41+20*dy, 41+20*dx, colourA)
			seat := builtIn(func(t *turn) {
				for y, x := range t.enemyCells(1, false) {
					f, ok := gliderKeys[t.board.around(y, x)[colourB]]
					if ok && t.threatened(y, x, f) {
						t.kill(y, x)
					}
				}
			}).sit(&o, 1)
			moves, _ := seat.choose(&view{board: b, own: colourA, settings: &o}, nil)
			if len(moves) == 0 {
				t.Fatalf("orientation %d, phase %d: the guard sees no threat", way, phase)
			}
			for _, c := range moves {
				b.place(int(c.y), int(c.x), colourA)
			}
			for range 60 {
				b.step(1)
			}
			live := b.population()
			if live[colourA] != 4 || live[colourB] > 4 {
				t.Errorf("orientation %d, phase %d: %v cells live, want the block and at most a "+
					"still life", way, phase, live)
			}
		}
	}
}

// TestGrowerPlantsBlocksWhereItIsCrowded: with room for nothing else it still uses its cells.
func TestGrowerPlantsBlocksWhereItIsCrowded(t *testing.T) {
	o := defaults()
	o.Height, o.Width = 9, 9 // a seed wants 13 x 13, a block 7 x 7
	moves, _ := builtIn((*turn).grow).sit(&o, 3).choose(&view{board: newBoard(9, 9, best()),
		own: colourA, settings: &o}, nil)
	proof.Is(t, len(moves), len(block.cells), "cells of a block")
}

func TestPlayersPlaceWithinTheRules(t *testing.T) {
	g := small(t)
	for i, e := range g.Players() {
		for _, seats := range [2][2]string{{e.Name, "patterns"}, {"training", e.Name}} {
			result := g.Play([]engine.Player{enginetest.Player(t, g, seats[0]),
				enginetest.Player(t, g, seats[1])},
				uint64(i), nil)
			for seat, name := range seats {
				if result.Marks[seat][0] == 0 || result.Marks[seat][1] != 0 {
					t.Errorf("%s placed %v cells and forfeited %v turns", name,
						result.Marks[seat][0], result.Marks[seat][1])
				}
			}
		}
		proof.Fails(e.New("x"))(t, e.Name)
	}
}

// TestRecordingPlaysTheSameGame replays every player's game from its decisions.
func TestRecordingPlaysTheSameGame(t *testing.T) {
	g := small(t)
	for i, e := range g.Players() {
		var w, again watcher
		result := g.Play([]engine.Player{enginetest.Player(t, g, e.Name),
			enginetest.Player(t, g, "interrupting")},
			uint64(i), &w)
		replay := g.Play([]engine.Player{g.Recording(w.decisions[0]), g.Recording(w.decisions[1])},
			uint64(i), &again)
		if result != replay || fmt.Sprint(w) != fmt.Sprint(again) {
			t.Errorf("%s: the replay differs: %+v, want %+v", e.Name, replay, result)
		}
		if n := len(w.decisions[0]); n > g.Info().Decisions {
			t.Errorf("%s: %d decisions, more than the bound %d", e.Name, n, g.Info().Decisions)
		}
	}
}

func TestBrokenRecordingForfeits(t *testing.T) {
	g := small(t)
	last := uint64(120 * 130)
	for name, c := range map[string]struct {
		decisions        []uint64
		placed, forfeits float32
	}{
		"none": {nil, 0, 100}, "torn": {[]uint64{5, 6}, 0, 100},
		"off the board": {[]uint64{last + 1, 0, 5, 0}, 0, 100},
		"far off":       {[]uint64{1 << 40, 0}, 0, 100},
		"the last cell": {[]uint64{last, 0}, 1, 99}, "ends early": {[]uint64{1, 0}, 1, 99},
	} {
		result := g.Play([]engine.Player{g.Recording(c.decisions), g.Recording(nil)}, 1, nil)
		if got := result.Marks[0]; got[0] != c.placed || got[1] != c.forfeits ||
			result.Marks[1][1] != 100 {
			t.Errorf("%s: placed %v, forfeited %v; want %v and %v", name, got[0], got[1], c.placed,
				c.forfeits)
		}
	}
}

// TestStandsLooksAhead holds where still lifes stand, among random cells that the first generations
// have thinned out, to the rules, cell by cell.
func TestStandsLooksAhead(t *testing.T) {
	o := defaults()
	const margin = 8 // what is born beyond the edges counts
	stood := 0
	for n := range 24 {
		b := newBoard(24, 40, best())
		fill(b, 12+n)
		for range n % 7 {
			b.step(1)
		}
		r := engine.NewRandom(uint64(n))
		for range 50 {
			y, x, own := r.Below(b.height), r.Below(b.width), colour(n&1)
			s := []*stamp{&tromino, &square, &twins}[r.Below(3)]
			t1 := turn{view: &view{board: b, own: own, settings: &o}}
			t1.add(y+2-r.Below(5), x+2-r.Below(5))
			want := true
			for enemies := range 2 {
				a := newNaive(b.height+2*margin, b.width+2*margin)
				b.each(func(y, x int, c colour) {
					if c == own || enemies == 1 {
						a.place(y+margin, x+margin, c)
					}
				})
				for _, c := range t1.chosen {
					a.place(int(c.y)+margin, int(c.x)+margin, own)
				}
				for _, c := range s.cells {
					cy, cx := y+int(c.y), x+int(c.x)
					want = a.place(cy+margin, cx+margin, own) && t1.free(cy, cx) && want
				}
				want = staysStill(a, own, y+int(s.cells[0].y)+margin, x+int(s.cells[0].x)+margin) && want
			}
			if got := t1.stands(s.cells, y, x); got != want {
				t.Fatalf("board %d, %s of %d at %d, %d beside %v: %t, want %t", n, s.name, own, y, x,
					t1.chosen, got, want)
			}
			if want {
				stood++
			}
		}
	}
	if stood < 50 {
		t.Errorf("stamps stand in %d places", stood)
	}
}

// staysStill tells whether no own cell beside or in a stamp with its upper left corner at (y, x)
// dies in three generations, and nothing is born there in the third.
func staysStill(a *naive, own colour, y, x int) bool {
	type area [4][13]bool
	live := func() (l area) {
		for i := range l {
			for j := range l[i] {
				l[i][j] = a.at(y-1+i, x-1+j) == own
			}
		}
		return l
	}
	first, before := live(), area{}
	for range ahead {
		before = live()
		a.step(1)
		for i, row := range live() {
			for j, lives := range row {
				if first[i][j] && !lives {
					return false
				}
			}
		}
	}
	return live() == before
}

// TestGardenersKeepWhatTheyPlant lets each gardener have a board to itself: everything that it has
// planted is still there, and still, when it stops. The counts are those of the stamps' still
// lifes.
func TestGardenersKeepWhatTheyPlant(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 96, 100, 1000
	for name, c := range map[string]struct {
		play             builtIn
		placed, becoming int
	}{"tiles": {playTiles, 3, 4}, "bricks": {playBricks, 3, 4},
		"garden": {playGarden, 7, 28}} {
		b := newBoard(o.Height, o.Width, best())
		seat := c.play.sit(&o, 9)
		placed := 0
		for range 4 {
			moves, ok := seat.choose(&view{board: b, own: colourA, settings: &o}, nil)
			for _, m := range moves {
				if !ok || !b.place(int(m.y), int(m.x), colourA) {
					t.Fatalf("%s places at %v, which is not free", name, m)
				}
				placed++
			}
			b.step(1)
		}
		for range 12 {
			b.step(1)
		}
		before := b.population()[colourA]
		b.step(1)
		if live := b.population()[colourA]; placed < 4*c.placed || live != before ||
			live != placed/c.placed*c.becoming {
			t.Errorf("%s: %d cells of %d placed, want %d", name, live, placed, placed/c.placed*c.becoming)
		}
	}
}

// TestGardenersWinLongGames plays as many cells a cell of board as the 10,000 generations that the
// rules name, in which a player that keeps still lifes beats one that stirs.
func TestGardenersWinLongGames(t *testing.T) {
	proof.Long(t)
	o := defaults()
	o.Height, o.Width, o.Generations = 256, 256, 655
	g := mustGame(t, o)
	for _, pair := range [][2]string{{"tiles", "grower"}, {"bricks", "grower"}, {"garden", "guard"},
		{"garden", "tiles"}} {
		m := engine.Match{Boards: 2, Whole: true}
		r := m.Play(g, enginetest.Player(t, g, pair[0]), enginetest.Player(t, g, pair[1]), 3)
		proof.Is(t, r.Wins[0], r.Games, "games that %s wins against %s", pair[0], pair[1])
	}
}
