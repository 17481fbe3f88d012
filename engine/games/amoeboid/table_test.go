package amoeboid

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

func game(t testing.TB, graph *Graph, die int) *Game {
	t.Helper()
	s := Default()
	s.Board, s.Graph, s.Die = "file", graph.text(), die
	return proof.Must(FromSettings(s))(t)
}

func TestTableHoldsThePlainBounds(t *testing.T) {
	proof.Slow(t)
	for _, c := range []struct {
		graph     *Graph
		die, mass int
	}{{pathOf(t, 2), 3, 9}, {pathOf(t, 3), 2, 7}, {boards(t)[2], 2, 5}, {boards(t)[7], 2, 5}} {
		g := game(t, c.graph, c.die)
		for _, dir := range []string{"", t.TempDir()} {
			table := proof.Must(newTable(g, c.mass, dir))(t)
			for turn := range 2 {
				p := c.graph.opening()
				p.SetTurn(turn)
				got := proof.Must(table.value(p))(t)
				sign := float64(1 - 2*turn)
				low := plainValue(c.graph, p, c.die, -1, c.mass, -sign)
				high := plainValue(c.graph, p, c.die, -1, c.mass, sign)
				if math.Abs(got.Low-low) > 1e-6 || math.Abs(got.High-high) > 1e-6 {
					t.Errorf("%s, die %d, mass %d, %s to move: %v, plain %v..%v", c.graph.name,
						c.die, c.mass, letters[turn], got, low, high)
				}
			}
		}
	}
}

// TestSolveGoesOnInTheTable compares a search that ends in a table with the table itself and with a
// heavier one.
func TestSolveGoesOnInTheTable(t *testing.T) {
	proof.Long(t)
	for _, c := range []struct {
		graph *Graph
		die   int
		mass  int
		text  string
	}{{pathOf(t, 2), 3, 9, "A 1,0 0,2"}, {pathOf(t, 3), 2, 9, "A 1,0 . 0,1"},
		{pathOf(t, 3), 2, 9, "B 2,0 . 0,1"}, {boards(t)[2], 2, 6, "B 1,0 . / . 0,1"}} {
		g := game(t, c.graph, c.die)
		light := proof.Must(newTable(g, c.mass, t.TempDir()))(t)
		heavy := proof.Must(newTable(g, c.mass+3, ""))(t)
		p, _ := position(t, c.graph, c.text)
		s := proof.Must(g.solveWith(light, p, 0, 3000))(t)
		least := proof.Must(light.value(p))(t)
		truth := proof.Must(heavy.value(p))(t)
		if s.value.Low < least.Low-rounding || s.value.High > least.High+rounding {
			t.Errorf("%s on %s: %v, the table alone says %v", c.text, c.graph.name, s.value, least)
		}
		if s.value.Low > truth.High+rounding || s.value.High < truth.Low-rounding {
			t.Errorf("%s on %s: %v, a heavier table says %v", c.text, c.graph.name, s.value, truth)
		}
		if least.Low == lowest && least.High == highest || s.mass != c.mass {
			t.Errorf("%s on %s: the table of mass %d says nothing: %v", c.text, c.graph.name, s.mass, least)
		}
	}
}

func TestSolveTellsOfADamagedTable(t *testing.T) {
	dir, g := t.TempDir(), game(t, pathOf(t, 3), 2)
	table := proof.Must(newTable(g, 8, dir))(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.layer"))
	for _, name := range files {
		proof.OK(t, os.WriteFile(name, []byte("damaged"), 0o666))
	}
	proof.Fails(g.solveWith(table, g.graph.opening(), 0, 100000))(t, "is not a layer of this table")
}

func TestTableIsResumed(t *testing.T) {
	dir := t.TempDir()
	g := game(t, pathOf(t, 3), 2)
	proof.Must(newTable(g, 8, dir))(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.layer"))
	before := map[string]string{}
	for i, name := range files {
		text := proof.Must(os.ReadFile(name))(t)
		before[name] = string(text)
		if i%3 == 0 {
			os.Remove(name)
		}
	}
	proof.Must(newTable(g, 8, dir))(t)
	for name, want := range before {
		proof.Is(t, string(proof.Must(os.ReadFile(name))(t)), want, "%s after resuming", name)
	}
	damaged := files[len(files)/2]
	text := []byte(before[damaged])
	text[len(text)-6] ^= 1
	os.WriteFile(damaged, text, 0o666)
	proof.Fails(newTable(g, 8, dir))(t, "damaged")
	os.WriteFile(damaged, []byte(before[damaged]), 0o666)
	for what, other := range map[string]struct {
		game *Game
		mass int
	}{"mass": {g, 7}, "die": {game(t, pathOf(t, 3), 3), 8},
		"board": {game(t, cycleOf(t, 3), 2), 8}} {
		if _, err := newTable(other.game, other.mass, dir); err == nil ||
			!strings.Contains(err.Error(), "another") &&
				!strings.Contains(err.Error(), "no layer of this table") {
			t.Errorf("layers of another %s: %v", what, err)
		}
	}
}

// TestOutward holds that what is kept in single precision still bounds, and no wider than it must.
func TestOutward(t *testing.T) {
	r := engine.NewRandom(4)
	for range 1000 {
		low := 2*r.Float() - 1
		high := low + float64(r.Float()*(1-low))
		v := outward(low, high)
		if float64(v.low) > low || float64(v.high) < high ||
			float64(math.Nextafter32(v.low, 2)) <= low ||
			float64(math.Nextafter32(v.high, -2)) >= high {
			t.Fatalf("%v..%v became %v..%v", low, high, v.low, v.high)
		}
	}
	for _, v := range []float64{-1, 0, 0.5, 1} {
		proof.Is(t, outward(v, v), pair{float32(v), float32(v)}, "%v", v)
	}
}

// value bounds the expected result of a position before the roll for the player to move, up to
// rounding of 1e-7. Beyond the table's mass it knows nothing: -1..1. It may read from disk. It is
// not safe for concurrent use.
func (t *table) value(p Position) (interval, error) {
	v, err := t.at(&p)
	if p.Turn() == B {
		v.low, v.high = -v.high, -v.low
	}
	return interval{float64(v.low), float64(v.high)}, err
}

func TestCompositionsAreNumbered(t *testing.T) {
	for _, g := range boards(t)[:4] {
		for m := range 5 {
			if g.Cells() > 9 && m > 3 {
				continue
			}
			c := newCompositions(g, m)
			var units, back, image [maxCells]int32
			units[g.n-1] = int32(m)
			for k := range c.len() {
				if got := c.number(&units); got != k {
					t.Fatalf("%s: %v is number %d, not %d", g.name, units[:g.n], got, k)
				}
				if c.at(k, &back); back != units {
					t.Fatalf("%s: number %d is %v, not %v", g.name, k, back[:g.n], units[:g.n])
				}
				for cell, to := range g.group[c.turn[k]] {
					image[to] = units[cell]
				}
				if c.number(&image) != int(c.reps[c.class[k]]) {
					t.Fatalf("%s: the symmetry does not lead %v to its class", g.name, units[:g.n])
				}
				next(units[:g.n])
			}
		}
	}
}
