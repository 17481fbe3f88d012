package antwars2

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

// Offers.
const (
	north = iota
	east
	south
	west
	northWest
	northEast
	southEast
	southWest
)

// cell numbers a cell by row and column.
func cell(row, column int) int { return row*side + column }

// start returns a game with the ants of both sides on cells and with food on others.
func start(at [2][2]int, food ...int) *round {
	r := &round{settings: settings{Turns: 100, Food: 60, Rescue: 3}}
	r.Begin(2, 1)
	r.food = board{}
	for _, f := range food {
		r.food.set(f)
	}
	for s := range r.each {
		c := &r.each[s]
		c.food, c.unseen, c.blocks = board{}, full(side), full(side/2)
		c.ants[0].at, c.ants[1].at = at[s][0], at[s][1]
	}
	r.lookAll()
	return r
}

// play lets the side that is asked choose each of the offers.
func (r *round) play(chosen ...int) {
	for _, offer := range chosen {
		var all [engine.MaxSeats]int
		all[r.mover()] = offer
		r.Step(&all)
	}
}

// ants returns what is known of all ants, side 0 first: x is dead, s stuck, f fights, . is free.
func (r *round) ants() (text string) {
	for s := range r.each {
		for _, a := range r.each[s].ants {
			switch {
			case a.dead:
				text += "x"
			case a.stuck:
				text += "s"
			case a.foe > 0:
				text += "f"
			default:
				text += "."
			}
		}
	}
	return text
}

// apart is a start in which nobody meets.
var apart = [2][2]int{{cell(5, 5), cell(16, 5)}, {cell(5, 16), cell(16, 16)}}

// TestTurns holds who is asked, who may yield, and what steps do.
func TestTurns(t *testing.T) {
	r := start(apart, cell(4, 6), cell(6, 15))
	for i, asked := range []int{0, 0, 1, 1, 0, 0} {
		if r.mover() != i%2 || r.asked != asked || !r.may(yield) {
			t.Fatalf("turn %d: ant %d of side %d is asked", i, r.asked, r.mover())
		}
		r.play([]int{northEast, southWest, north, south, west, east}[i])
	}
	a, b := &r.each[0], &r.each[1]
	if a.points != 1 || b.points != 1 || a.ants[0].at != cell(4, 5) || b.ants[1].at != cell(17, 16) {
		t.Errorf("%d and %d points, ants %v and %v", a.points, b.points, a.ants, b.ants)
	}
	if r.play(yield); r.mover() != 0 || r.asked != 0 || r.may(yield) {
		t.Error("the mate is asked for who yields, and may not yield")
	}
	r = start([2][2]int{{cell(0, 0), cell(0, 1)}, apart[1]})
	if r.may(east) || !r.may(south) || !r.may(north) {
		t.Error("an ant may go over the edge, and not to its mate")
	}
	r.play(northWest, north)
	if r.ants() != "s..." || r.asked != 1 || r.may(yield) {
		t.Errorf("%s; ant %d is asked after the other is stuck", r.ants(), r.asked)
	}
	if r.play(north, north); r.ants() != "ss.." || r.turn != 5 {
		t.Errorf("%s; turn %d comes after an ant cannot move", r.ants(), r.turn)
	}
	for turn := 5; turn < 200; turn += 2 {
		if r.turn != turn || r.Live() != 2 {
			t.Fatalf("turn %d is number %d", turn, r.turn)
		}
		r.play([]int{north, south}[turn/4%2])
	}
	if r.Live() != 0 || r.Result().Marks[0][2] != 2 {
		t.Error("the game goes on after the last turn")
	}
}

// TestFights holds what comes of attacks. The ants stand in row 10.
func TestFights(t *testing.T) {
	for _, c := range []struct {
		name    string
		columns [4]int
		chosen  []int
		want    string
		kills   [2]int
		rescues [2]int
	}{
		{"begun", [4]int{5, 0, 6, 20}, []int{east}, "f.f.", [2]int{}, [2]int{}},
		{"two turns later", [4]int{5, 0, 6, 20}, []int{east, north, north, south, south}, "f.f.",
			[2]int{}, [2]int{}},
		{"lost", [4]int{5, 0, 6, 20}, []int{east, north, north, south, south, north}, "..x.",
			[2]int{1}, [2]int{}},
		{"saved", [4]int{5, 0, 6, 9}, []int{east, west, north, west, south, west}, "x...",
			[2]int{}, [2]int{0, 1}},
		{"too far", [4]int{5, 0, 6, 10}, []int{east, west, north, west, south, west}, "..x.",
			[2]int{1}, [2]int{}},
		{"one meets two", [4]int{5, 7, 6, 8}, []int{yield, west, west, north, west, southEast},
			"xx..", [2]int{0, 1}, [2]int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := c.columns
			r := start([2][2]int{{cell(10, at[0]), cell(10, at[1])}, {cell(10, at[2]), cell(10, at[3])}})
			r.play(c.chosen...)
			got := r.Result()
			for s, marks := range got.Marks[:2] {
				if int(marks[0]) != c.kills[s] || int(marks[1]) != c.rescues[s] {
					t.Errorf("side %d kills %v and saves %v", s, marks[0], marks[1])
				}
			}
			proof.Is(t, r.ants(), c.want, "the ants")
		})
	}
}

// TestSenses holds what lies where in a frame.
func TestSenses(t *testing.T) {
	f := vocabulary().NewFrame()
	r := start([2][2]int{{cell(1, 5), cell(4, 6)}, {cell(3, 5), cell(16, 16)}}, cell(0, 7), cell(6, 4))
	r.Sense(0, f)
	for _, c := range []struct {
		layer int
		want  [][2]int // x, y
	}{
		{layerFood, [][2]int{{2, -1}, {-1, 5}}}, {layerEnemy, [][2]int{{0, 2}}},
		{layerMate, [][2]int{{1, 3}}},
	} {
		var want gp.Bits
		for _, at := range c.want {
			i, _ := view.Cell(at[0], at[1])
			want.Set(i)
		}
		proof.Is(t, f.Layers[c.layer], want, "layer %d", c.layer)
	}
	proof.Is(t, f.Layers[layerUnseen].Count(), 7*11-37, "cells that were never seen")
	for scalar, want := range map[int]float32{scalarLeft: 100, scalarPoints: 0, scalarMateAway: 3,
		scalarThreats: 0, scalarMateThreats: 1} {
		proof.Is(t, *f.Scalar(scalar), gp.Quad{want, want, want, want}, "scalar %d", scalar)
	}
}

// sensed returns a sense of the eight steps and, last, of the mate.
func sensed(f *gp.Frame, sense int) (all [9]float32) {
	copy(all[:4], f.Scalar(scalarSteps + 3*sense)[:])
	copy(all[4:8], f.Scalar(scalarSteps + 3*sense + 1)[:])
	all[8] = f.Scalar(scalarSteps + 3*sense + 2)[0]
	return all
}

// TestSteps holds what an ant in row 10, column 10, or else at the edge, senses of its steps.
func TestSteps(t *testing.T) {
	const ofMate = 8
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	far := cell(2, 20)
	for _, c := range []struct {
		name    string
		me      int
		mate    ant
		enemies [2]ant
		sense   int
		want    []int // steps that have it; of the others it is 0
	}{
		{"nobody near", cell(10, 10), ant{at: cell(20, 2)}, [2]ant{{at: far}, {at: far}}, stepSafe, all},
		{"the edge", cell(0, 10), ant{at: cell(20, 2)}, [2]ant{{at: far}, {at: far}}, stepSafe,
			[]int{east, south, west, southEast, southWest, ofMate}},
		{"two away", cell(10, 10), ant{at: cell(20, 2)}, [2]ant{{at: cell(10, 12)}, {at: far}},
			stepSafe, []int{north, south, west, northWest, southWest, ofMate}},
		{"who fights", cell(10, 10), ant{at: cell(20, 2)}, [2]ant{{at: cell(10, 11), foe: 2},
			{at: far}}, stepSafe, all},
		{"beside it", cell(10, 10), ant{at: cell(20, 2)}, [2]ant{{at: cell(10, 11)}, {at: far}},
			stepSafe, []int{east, west, northWest, southWest, ofMate}},
		{"prey", cell(10, 10), ant{at: cell(11, 12)}, [2]ant{{at: cell(10, 11)}, {at: far}},
			stepPrey, []int{east, ofMate}},
		{"dead", cell(10, 10), ant{at: cell(11, 12)}, [2]ant{{at: cell(10, 11), dead: true},
			{at: far}}, stepPrey, nil},
		{"no guard", cell(10, 10), ant{at: cell(20, 2)}, [2]ant{{at: cell(10, 11)},
			{at: cell(10, 7)}}, stepGuards, nil},
		{"a guard", cell(10, 10), ant{at: cell(20, 2)}, [2]ant{{at: cell(10, 11)},
			{at: cell(10, 8)}}, stepGuards, []int{east}},
		{"no aid", cell(10, 10), ant{at: cell(10, 12)}, [2]ant{{at: far}, {at: far}}, stepAid, nil},
		{"aid", cell(10, 10), ant{at: cell(10, 12), foe: 1, left: 2}, [2]ant{{at: cell(10, 12),
			foe: 2}, {at: far}}, stepAid, []int{east, northEast, southEast}},
		{"too late", cell(10, 10), ant{at: cell(10, 12), foe: 1, left: 1}, [2]ant{
			{at: cell(10, 12), foe: 2}, {at: far}}, stepAid, nil},
		{"cover", cell(10, 10), ant{at: cell(10, 14)}, [2]ant{{at: far}, {at: far}}, stepCover,
			[]int{east, northEast, southEast, ofMate}},
		{"no cover", cell(10, 10), ant{at: cell(10, 14), foe: 1}, [2]ant{{at: far}, {at: far}},
			stepCover, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := vocabulary().NewFrame()
			r := start([2][2]int{{c.me, c.mate.at}, {c.enemies[0].at, c.enemies[1].at}})
			r.each[0].ants[1], r.each[1].ants = c.mate, c.enemies
			r.spot()
			r.Sense(0, f)
			var want [9]float32
			for _, step := range c.want {
				want[step] = units[c.sense]
			}
			proof.Is(t, sensed(f, c.sense), want, "what is sensed")
		})
	}
}

// TestScent holds what food and unseen cells smell of.
func TestScent(t *testing.T) {
	f := vocabulary().NewFrame()
	r := start([2][2]int{{cell(10, 10), cell(10, 16)}, apart[1]}, cell(9, 10), cell(10, 12),
		cell(11, 18))
	of := func(away int) float32 { return float32(10240/(10*away*away+3)) / 1024 }
	r.Sense(0, f)
	if got := sensed(f, stepScent); got[north] != of(0)+of(2) || got[east] != of(1)+of(1) ||
		got[southEast] != of(2)+of(1) || got[southWest] != of(2)+of(3) || got[8] != of(1) {
		t.Errorf("food smells of %v", got)
	}
	if got := sensed(f, stepSpare); got[east] != of(7) || got[8] != of(3)+of(5) {
		t.Errorf("food of the mate smells of %v", got)
	}
	side := &r.each[0]
	side.unseen, side.blocks = board{}, board{}
	side.unseen.set(cell(8, 13)) // in the block of rows 8 and 9, columns 12 and 13
	side.look(0, &r.food)
	r.Sense(0, f)
	if got := sensed(f, stepNews); got[east] != of(1) || got[north] != of(2) ||
		got[southEast] != of(2) || got[west] != of(3) {
		t.Errorf("what is unseen smells of %v", got)
	}
}

// TestHidden holds that what a side senses does not follow what lies out of its view, and that food
// is remembered until it is seen gone.
func TestHidden(t *testing.T) {
	a, b := vocabulary().NewFrame(), vocabulary().NewFrame()
	one := start(apart, cell(5, 9))
	other := start([2][2]int{apart[0], {cell(5, 8), cell(20, 5)}}, cell(21, 0))
	one.Sense(0, a)
	other.Sense(0, b)
	for layer := range a.Layers {
		proof.Is(t, a.Layers[layer], b.Layers[layer],
			"layer %d with another thing out of view", layer)
	}
	for scalar := range scalarSteps + 3*stepSenses {
		proof.Is(t, *a.Scalar(scalar), *b.Scalar(scalar),
			"scalar %d with another thing out of view", scalar)
	}
	if board, _, _ := strings.Cut(one.Tell(0), "\n\n"); strings.ContainsAny(board, "obB") {
		t.Errorf("a person sees what is out of view:\n%s", board)
	}
	r := start([2][2]int{{cell(5, 5), cell(20, 0)}, {cell(5, 9), cell(20, 20)}}, cell(5, 7))
	r.play(west, west, east, yield, west)
	if c := &r.each[0]; r.each[1].points != 1 || !c.food.has(cell(5, 7)) {
		t.Error("food that was eaten out of view must be remembered")
	}
	if r.play(east); r.each[0].food.has(cell(5, 7)) {
		t.Error("food is remembered that is seen gone")
	}
}

// TestRoster holds the order of the built-in sides.
func TestRoster(t *testing.T) {
	proof.Long(t)
	g := New()
	entries := g.(engine.Roster).Players()
	for i := range entries[1:] {
		weaker, _ := entries[i].New("")
		stronger, _ := entries[i+1].New("")
		wins := (engine.Match{Boards: 200, Whole: true}).Play(g, weaker, stronger, 0).Wins
		t.Logf("%s loses %d, %s %d", entries[i].Name, wins[1], entries[i+1].Name, wins[0])
		if wins[1] <= wins[0] {
			t.Errorf("%s is no better than %s", entries[i+1].Name, entries[i].Name)
		}
	}
}

// TestExports holds that a bred side decides in every language as it does here, in games played
// here; whole games over the pipe are in engine/games/all.
func TestExports(t *testing.T) {
	g := New()
	enginetest.Exports(t, g, offers, exporttest.Species{World: "2-AntWars", Name: "quick-seed1"},
		enginetest.Kept(t, g, "quick-seed1"))
}

// BenchmarkGame plays games of random trees.
func BenchmarkGame(b *testing.B) { enginetest.Bench(b, New()) }
