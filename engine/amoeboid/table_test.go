package amoeboid

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plainBounds is the value of a position for A with a mass cap, straight from the definition.
func plainBounds(g *Graph, p Position, die, mass int, beyond float64) float64 {
	switch p.Verdict() {
	case WonByA:
		return 1
	case WonByB:
		return -1
	case Tied:
		return 0
	}
	if u := p.Units(); int(u.Size()) > mass {
		return beyond
	}
	sign := float64(1 - 2*p.Turn())
	sum := 0.0
	for roll := 1; roll <= die; roll++ {
		best := -1.0
		for _, m := range p.Moves(nil, g, roll) {
			q := p
			q.Apply(m, roll)
			best = max(best, sign*plainBounds(g, q, die, mass, beyond))
		}
		sum += sign * best
	}
	return sum / float64(die)
}

func game(t testing.TB, graph *Graph, die int) *Game {
	t.Helper()
	s := Default()
	s.Board, s.Graph, s.Die = "file", graph.Text(), die
	g, err := FromSettings(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTableHoldsThePlainBounds(t *testing.T) {
	for _, c := range []struct {
		graph     *Graph
		die, mass int
	}{{path(t, 2), 3, 9}, {path(t, 3), 2, 7}, {boards(t)[2], 2, 5}, {boards(t)[7], 2, 5}} {
		g := game(t, c.graph, c.die)
		for _, dir := range []string{"", t.TempDir()} {
			table, err := NewTable(g, c.mass, dir)
			if err != nil {
				t.Fatal(err)
			}
			for turn := range 2 {
				p := c.graph.Start()
				p.SetTurn(turn)
				got, err := table.Value(p)
				if err != nil {
					t.Fatal(err)
				}
				low, high := plainBounds(c.graph, p, c.die, c.mass, -1), plainBounds(c.graph, p, c.die, c.mass, 1)
				if turn == B {
					low, high = -high, -low
				}
				if math.Abs(got.Low-low) > 1e-6 || math.Abs(got.High-high) > 1e-6 {
					t.Errorf("%s, die %d, mass %d, %s to move: %v, plain %v..%v", c.graph.Name(), c.die, c.mass, letters[turn], got, low, high)
				}
			}
		}
	}
}

func TestTableIsResumed(t *testing.T) {
	dir := t.TempDir()
	g := game(t, path(t, 3), 2)
	if _, err := NewTable(g, 8, dir); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.layer"))
	before := map[string]string{}
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = string(text)
		if i%3 == 0 {
			os.Remove(name)
		}
	}
	if _, err := NewTable(g, 8, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range before {
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s differs after resuming: %v", name, err)
		}
	}
	damaged := files[len(files)/2]
	text := []byte(before[damaged])
	text[len(text)-6] ^= 1
	os.WriteFile(damaged, text, 0o666)
	if _, err := NewTable(g, 8, dir); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged layer: %v", err)
	}
	if _, err := NewTable(g, 7, dir); err == nil {
		t.Error("layers of another mass were taken")
	}
}

func BenchmarkTable(b *testing.B) {
	g := game(b, path(b, 3), 6)
	for range b.N {
		if _, err := NewTable(g, 24, ""); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*Positions(path(b, 3), 24)/b.Elapsed().Seconds(), "positions/s")
}
