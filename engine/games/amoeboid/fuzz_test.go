package amoeboid

import (
	"testing"

	"clade/gp/proof"
)

var badGraphs = []struct{ text, want string }{
	{"", "has no \"cells N\" line"},
	{"cells 3\nedge 0 1\nedge 1 2\n", "has no \"start C D\" line"},
	{"edge 0 1\n", "x:1: the number of cells must stand once"},
	{"cells 3\ncells 3\n", "x:2: the number of cells must stand once"},
	{"cells 65\n", "2 to 64 cells"},
	{"cells 3\nedge 0\n", `x:2: "edge" takes 2 numbers, not 1`},
	{"cells 3\negde 0 1\n", `did you mean "edge"`},
	{"cells 3\nedge 0 x\n", `"x" is not a whole number`},
	{"cells 3\nedge 1 1\n", "its own neighbour"},
	{"cells 3\nedge 0 3\n", "numbered 0 to 2"},
	{"cells 3\nedge 0 -1\n", "numbered 0 to 2"},
	{"cells 3\nstart 1 1\n", "two different cells"},
	{"cells 3\nat 0 0 64\n", "rows 0 to 63"},
	{"cells 2\nedge 0 1\nstart 0 1\nat 0 0 0\n", "place all or none"},
	{"cells 2\nedge 0 1\nstart 0 1\nat 0 0 0\nat 1 0 0\n", "two cells are placed"},
	{"cells 3\nedge 0 1\nstart 0 1\n", "cell 2 cannot be reached"},
}

func TestBadGraphsAreRefused(t *testing.T) {
	for _, c := range badGraphs {
		proof.Fails(parseGraph("x", c.text))(t, c.want)
	}
}

func FuzzParseGraph(f *testing.F) {
	for _, c := range badGraphs {
		f.Add(c.text)
	}
	for _, g := range boards(f) {
		f.Add(g.text())
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseGraph("fuzz", text)
		if err != nil {
			return
		}
		proof.Is(t, proof.Must(parseGraph("fuzz", g.text()))(t).text(), g.text(), "%q", text)
	})
}

var badPositions = []struct{ text, want string }{
	{"", "start with A or B"},
	{"C . . .", "start with A or B"},
	{"A0 1,0 . . / . . . / . . 0,1", "a number in 1..20"},
	{"Ax 1,0 . . / . . . / . . 0,1", "a number in 1..20"},
	{"A 1,0 . . / . . . / . . ", "8 of the 9 cells"},
	{"A 1,0 . . / . . . / . . 0,1 .", "more than the 9 cells"},
	{"A 1,0 . / . . . . / . . 0,1", "after cell 2"},
	{"A 1 . . / . . . / . . 0,1", `cell "1"`},
	{"A 1,-1 . . / . . . / . . 0,1", `cell "1,-1"`},
	{"A 1,0 . . / . . . / . . 0,2000000000", "more than"},
}

func TestBadPositionsAreRefused(t *testing.T) {
	for _, c := range badPositions {
		_, _, err := ParsePosition(New().Graph(), c.text)
		proof.Says(t, err, c.want)
	}
}

func FuzzParsePosition(f *testing.F) {
	g := New().Graph()
	for _, c := range badPositions {
		f.Add(c.text, "a1 b1")
	}
	f.Add("A3 5,2 . 0,7 / . 3,3 . / 1,0 . 0,4", "+a3 a1 b1 2,1")
	f.Add("B6 5,2 . 0,7 / . 3,3 . / 1,0 . 0,4", "c3 b2 half")
	f.Fuzz(func(t *testing.T, text, move string) {
		p, roll, err := ParsePosition(g, text)
		if err != nil {
			return
		}
		again, r, err := ParsePosition(g, p.Text(g, roll))
		if err != nil || again != p || r != roll {
			t.Fatalf("%q became %q, %v", text, p.Text(g, roll), err)
		}
		if p.Verdict() != Open {
			return
		}
		roll = max(roll, 1)
		m, err := p.ParseMove(g, move, roll)
		if err != nil {
			return
		}
		if back, err := p.ParseMove(g, g.MoveText(m), roll); err != nil || back != m ||
			moveOf(m.code()) != m {
			t.Fatalf("%q became %q, %v", move, g.MoveText(m), err)
		}
		p.Apply(m, roll)
	})
}

func FuzzTableLayer(f *testing.F) {
	g := proof.Must(New().With(&Settings{Board: "path", Size: 2, Neighbours: 8, Die: 2, Limit: 10}))(f)
	table := proof.Must(newTable(g.(*Game), 3, ""))(f)
	f.Add([]byte(layerMagic), 1)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		if layer, err := table.parse("fuzz", text, max(0, size%100)); err == nil &&
			len(layer) != max(0, size%100) {
			t.Fatal("a layer of another size")
		}
	})
}
