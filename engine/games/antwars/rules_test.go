package antwars

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

func TestEngine(t *testing.T) {
	proof.Slow(t)
	enginetest.Run(t, New())
}

// TestDeal checks that food never lies on a start cell, that there are fifteen pieces, and that
// every other cell is equally likely.
func TestDeal(t *testing.T) {
	const boards = 20000
	var count [cells]int
	for seed := range uint64(boards) {
		b := deal(seed)
		if b.food.Count() != pieces || b.food.Has(int(starts[0])) || b.food.Has(int(starts[1])) {
			t.Fatalf("seed %d: %v", seed, b.food)
		}
		for i := range count {
			if b.food.Has(i) {
				count[i]++
			}
		}
	}
	want := boards * pieces / (cells - 2)
	for i, n := range count {
		// five standard deviations of 47
		if uint8(i) != starts[0] && uint8(i) != starts[1] && (n < want-250 || n > want+250) {
			t.Errorf("cell %d has food in %d of %d boards, about %d expected", i, n, boards, want)
		}
	}
}

// TestMoves plays single steps from the contest's rules: eating, killing, the torus, a dead ant's
// cell.
func TestMoves(t *testing.T) {
	at := func(row, col int) uint8 { return uint8(cellAt(row, col)) }
	for name, c := range map[string]struct {
		own, other uint8
		food       uint8
		dead       bool
		direction  int
		to         uint8
		did        event
	}{
		"an empty cell": {at(5, 2), at(5, 8), at(0, 0), false, 3, at(5, 3),
			nothing},
		"food": {at(5, 2), at(5, 8), at(4, 1), false, 0, at(4, 1),
			ate},
		"the opponent": {at(5, 2), at(6, 3), at(0, 0), false, 4, at(6, 3),
			killed},
		"a dead opponent's cell": {at(5, 2), at(6, 3), at(0, 0), true, 4, at(6, 3),
			nothing},
		"food where a dead opponent lies": {at(5, 2), at(6, 3), at(6, 3), true, 4, at(6, 3),
			ate},
		"over the north-west corner": {at(0, 0), at(5, 8), at(10, 10), false, 0,
			at(10, 10), ate},
		"over the east edge": {at(3, 10), at(5, 8), at(0, 0), false, 3, at(3, 0),
			nothing},
		"over the south edge": {at(10, 4), at(5, 8), at(0, 0), false, 5, at(0, 4),
			nothing},
		"a killed opponent on food: no point": {at(5, 2), at(5, 3), at(5, 3), false, 3, at(5, 3),
			killed},
		"south-west, west and north in a turn": {at(5, 2), at(5, 8), at(0, 0), false, 6, at(6, 1),
			nothing},
	} {
		b := board{at: [2]uint8{c.own, c.other}, dead: [2]bool{false, c.dead}}
		b.food.Set(int(c.food))
		did := b.move(0, c.direction)
		if did != c.did || b.at[0] != c.to || (did == ate) != (b.score[0] == 1) ||
			(did == ate) == b.food.Has(int(c.food)) || b.dead[1] != (c.dead || did == killed) {
			t.Errorf("%s: %v at %d, score %d", name, did, b.at[0], b.score[0])
		}
	}
}

// TestRecentre compares the rotated words with a cell-by-cell statement.
func TestRecentre(t *testing.T) {
	r := engine.NewRandom(7)
	for range 200 {
		b := gp.Bits{Low: r.Uint64(), High: r.Uint64() & everywhere.High}
		for on := range uint8(cells) {
			got, want := recentre(b, on), gp.Bits{}
			for i := range cells {
				if b.Has(i) {
					want.Set(onCentre(i, on))
				}
				if offCentre(onCentre(i, on), on) != i {
					t.Fatalf("cell %d on %d does not come back", i, on)
				}
			}
			if got != want {
				t.Fatalf("recentred on %d: %v, want %v", on, got, want)
			}
		}
	}
}

// TestMemory walks away from food and comes back: the belief in it fades by a tenth a move, and
// sight corrects it.
func TestMemory(t *testing.T) {
	b := board{at: starts}
	food := cellAt(5, 0)
	b.food.Set(food)
	var m memory
	m.begin(1)
	for time := range 8 {
		m.update(&b, 0, time)
		want := float32(0)
		switch {
		case time == 0:
			want = 1
		case time < 6:
			want = float32(certainty[time]) * certaintyUnit
		}
		proof.Is(t, m.certainty(food), want, "move %d: certainty", time)
		if time == 2 {
			b.food.Clear(food) // the other ant eats it unseen
		}
		direction := 3
		if time >= 3 {
			direction = 7
		}
		b.move(0, direction)
	}
	proof.Is(t, m.visited.Count(), 5, "cells visited")
}

// TestMarks counts a sacrifice apart from an early death.
func TestMarks(t *testing.T) {
	g := New().(*game)
	play := func(first, second []uint64, seed uint64) engine.Result {
		return g.Play([]engine.Player{g.Recording(first), g.Recording(second)}, seed, nil)
	}
	// Ant 1 walks straight east and is met on its way: ant 2 stays to and fro, then steps on it.
	early, sacrifice := 0, 0
	for seed := range uint64(200) {
		r := play([]uint64{3, 3, 3, 3, 3}, []uint64{1, 5, 1, 5, 7}, seed)
		if r.Marks[0][markEarly]+r.Marks[0][markSacrifice] != 1 {
			t.Fatalf("seed %d: marks %v", seed, r.Marks[0])
		}
		if b := deal(seed); b.food.Has(cellAt(5, 7)) != (r.Marks[0][markSacrifice] == 1) {
			t.Fatalf("seed %d: the last cell held food: %v, marks %v", seed,
				b.food.Has(cellAt(5, 7)), r.Marks[0])
		}
		early += int(r.Marks[0][markEarly])
		sacrifice += int(r.Marks[0][markSacrifice])
	}
	if early == 0 || sacrifice == 0 {
		t.Errorf("%d early deaths, %d sacrifices", early, sacrifice)
	}
}

// TestInfo holds what the game says of itself to the contest's report, to the file of its winner's
// trees, and to a game of another length.
func TestInfo(t *testing.T) {
	info := New().Info()
	proof.Is(t, info.Scores, engine.Bounds{Most: 15}, "pieces to eat")
	proof.Is(t, [2]float64(info.MostMarks), [2]float64{1, 1}, "deaths of an ant")
	_, err := gp.ParseSpecies(brilliantText, func(_ string, version int) (*gp.Grammar, error) {
		proof.Is(t, version, info.Version, "the version of BrilliANT's rules")
		return New().Grammar(), nil
	})
	proof.OK(t, err)
	const moves = 40
	g, asked := gameWith(t, settings{Moves: moves}), 0
	g.Play([]engine.Player{imaginer(func(m *memory) {
		proof.Is(t, m.left(), moves-asked, "moves left")
		asked++
	}), straight(0)}, 1, nil)
	proof.Is(t, asked, moves, "moves")
	proof.Is(t, g.Info().Decisions, moves, "decisions in Info")
	proof.Holds(t, g.Info().Rules, " 40 times.")
}

// TestNoDirection holds that anything but a direction is played as the first one, and so is the end
// of a record.
func TestNoDirection(t *testing.T) {
	g := New()
	want := g.Play([]engine.Player{straight(0), random{}}, 3, nil)
	for _, d := range []engine.Player{straight(-1), straight(8), straight(math.MinInt),
		straight(math.MaxInt), g.(engine.Recordable).Recording(nil)} {
		proof.Is(t, g.Play([]engine.Player{d, random{}}, 3, nil), want, "direction %v", d)
	}
}

func TestTiesGoToAntOne(t *testing.T) {
	for want, score := range map[int][2]uint8{0: {7, 7}, 1: {7, 8}} {
		proof.Is(t, (&board{score: score}).winner(), want, "scores %v: the winner", score)
	}
}

// lastScene keeps the last scene's text and picture.
type lastScene struct {
	text, inspected string
	img             *image.Paletted
}

func (l *lastScene) look(s engine.Scene) {
	l.text = s.(engine.Speaker).Text()
	l.img = engine.Picture(s, 1)
	l.inspected = s.(engine.Inspector).Inspect(image.Pt(2*cellSize+3, 5*cellSize+3), 1)
}

func TestScene(t *testing.T) {
	g := New().(*game)
	var l lastScene
	g.Play([]engine.Player{g.Recording(nil), g.Recording(nil)}, 3, engine.OnStep(l.look))
	if !strings.HasPrefix(l.text, "move 70  ant 1:") || strings.Count(l.text, "\n") != width+1 ||
		!strings.Contains(l.text, "1") {
		t.Errorf("text:\n%s", l.text)
	}
	proof.Holds(t, l.inspected, "row 5, column 2")
	inks := map[uint8]bool{}
	for _, p := range l.img.Pix {
		inks[p] = true
	}
	if !inks[engine.Seats] || !inks[engine.Seats+1] || !inks[engine.Grid] {
		t.Errorf("the picture lacks an ant or the grid: %v", inks)
	}
}

// TestSceneShowsTheDead lets either ant be killed and its killer go on: the dead one lies on the
// killer's trail.
func TestSceneShowsTheDead(t *testing.T) {
	for killer := range 2 {
		var s scene
		b := board{at: [2]uint8{60, 60}}
		b.at[killer] = 59
		s.show(&b, 1-killer, 1)
		for _, east := range []int{3, 3} {
			b.move(killer, east)
			s.show(&b, killer, s.step+1)
		}
		if !b.dead[1-killer] || s.letter(60) != 'x' || s.letter(61) != byte('1'+killer) {
			t.Errorf("ant %d has killed the other:\n%s", killer+1, s.Text())
		}
		if s.letter(59) != ':' || s.trails[killer] != set([]int{59, 60}) {
			t.Errorf("the trail of ant %d is %v:\n%s", killer+1, s.trails[killer], s.Text())
		}
		img := engine.Picture(&s, 1)
		middle := func(cell int) image.Point {
			return image.Pt(cell%width*cellSize+cellSize/2, cell/width*cellSize+cellSize/2)
		}
		beside := middle(60).Add(image.Pt(3, 0)) // within a disc, between the bars of a cross
		if img.Pix[img.PixOffset(middle(60).X, middle(60).Y)] != s.Ink(1-killer) ||
			img.Pix[img.PixOffset(beside.X, beside.Y)] == s.Ink(1-killer) {
			t.Errorf("ant %d is not drawn as a cross", 2-killer)
		}
		for cell, want := range map[int]string{60: fmt.Sprintf("dead ant %d with 0 points",
			2-killer), 61: fmt.Sprintf(", ant %d with 0 points", killer+1),
			59: fmt.Sprintf("trail of ant %d", killer+1)} {
			if says := s.Inspect(middle(cell), 1); !strings.Contains(says, want) {
				t.Errorf("cell %d is said to be %q, want %q", cell, says, want)
			}
		}
	}
}

// straight is an ant that always goes in one direction.
type straight int

func (w straight) Move(*memory) int { return int(w) }
