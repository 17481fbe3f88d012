package gp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
)

// wideSpec is the test vocabulary in a wide window.
func wideSpec(side int, wrap bool) gp.Spec {
	s := testSpec(wrap)
	s.Window.Side, s.Layers[1].Extent = side, gp.Bits{}
	s.Rects = gp.RectRange{Centre: 16, Side: 32, Exact: true}
	return s
}

// fillWide draws the layers of a random frame in which the situation holds.
func fillWide(r *rand.Rand, g *gp.Grammar, f *gp.Frame, situation int) {
	density := r.Float64()
	for l := range g.Layers {
		f.Wide(l).Empty()
	}
	for i := range g.Window.Side * g.Window.Side {
		if r.Float64() < density*density {
			f.Wide(0).Set(i)
			f.Wide(0).Weigh(i, int32(r.IntN(4097))-2048)
		}
		if r.Float64() < density {
			f.Wide(2).Set(i)
		}
	}
	if situation == 2 || situation == 0 && r.IntN(2) == 0 {
		f.Wide(1).Set(r.IntN(g.Window.Side * g.Window.Side))
	}
}

// Windows of any size are held to what those of kernels are.
func TestWideWindows(t *testing.T) {
	for _, side := range []int{2, 6, 13, 20, 31, 32} {
		for _, wrap := range []bool{false, true} {
			t.Run(fmt.Sprint(side, wrap), func(t *testing.T) {
				checkVocabulary(t, wideSpec(side, wrap), 60)
			})
		}
	}
	paper := wideSpec(20, true)
	paper.Rects = gp.PaperRects
	checkVocabulary(t, paper, 60)
}

// Covers and what is drawn of a board are what Cell says.
func TestWideCells(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, side := range []int{1, 4, 11, 12, 31, 32} {
		board, drawn := gp.NewWide(side, true), gp.NewWide(side, true)
		for i := range side * side {
			if r.IntN(3) == 0 {
				board.Set(i)
			}
			board.Weigh(i, int32(i))
		}
		w, at := gp.Window{Side: side, Wrap: true}, r.IntN(side*side)
		spec := wideSpec(side, true)
		spec.Layers = spec.Layers[:0]
		spec.Operators = gp.Shared()
		spec.Rects = gp.RectRange{Centre: 5, Side: 9, Exact: true}
		g := gp.MustGrammar(spec)
		drawn.Draw(board, at)
		got := []int{}
		for i := range side * side {
			x, y := i%side-at%side, i/side-at/side
			cell, _ := w.Cell(x, y)
			if drawn.Has(cell) != board.Has(i) {
				t.Fatalf("side %d: cell %d of the board seen from %d", side, i, at)
			}
			got = append(got, cell)
		}
		if slices.Sort(got); got[0] != 0 || got[len(got)-1] != side*side-1 {
			t.Fatalf("side %d: cells %v", side, got)
		}
		if board.Count() != drawn.Count() {
			t.Errorf("side %d: %d cells of %d", side, drawn.Count(), board.Count())
		}
		for k := range gp.Lanes {
			covers, want := g.Covers(gp.Rect{X: 1, Y: -2, W: 2, H: 3}, k), make([]bool, side*side)
			for x := 1; x <= 2; x++ {
				for y := -3; y <= -1; y++ {
					cell, _ := w.Cell(gp.Turn(x, y, k))
					want[cell] = true
				}
			}
			if !slices.Equal(covers, want) {
				t.Errorf("side %d, turn %d: %v, want %v", side, k, covers, want)
			}
		}
		for i := range 3 {
			board.Clear(i % (side * side))
		}
		if board.Has(0) {
			t.Error("a cell stays")
		}
	}
}

func TestWideWindowsAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*gp.Spec){
		"33 cells":    func(s *gp.Spec) { s.Window.Side = 33 },
		"no cell":     func(s *gp.Spec) { s.Window.Side = 0 },
		"an extent":   func(s *gp.Spec) { s.Layers[0].Extent = s.Window.Square(1) },
		"rows":        func(s *gp.Spec) { s.Layers[0].Rows = true },
		"a far area":  func(s *gp.Spec) { s.Rects.Centre = 17 },
		"a long area": func(s *gp.Spec) { s.Rects.Side = 33 },
	} {
		s := wideSpec(20, true)
		spoil(&s)
		if _, err := gp.NewGrammar(s); err == nil {
			t.Errorf("a vocabulary with %s passes", name)
		}
	}
	s := wideSpec(20, true)
	s.Operators = slices.DeleteFunc(s.Operators, func(op gp.Operator) bool {
		return op.Form == gp.Flag || op.Form == gp.Least || op.Form == gp.Greatest
	})
	for _, level := range kernels.Available()[1:] {
		if _, err := gp.MustGrammar(s).NewBatch(level); err == nil {
			t.Errorf("%v: a batch takes a wide window", level)
		}
	}
}

func TestWideEvalAllocatesNothing(t *testing.T) {
	g := gp.MustGrammar(wideSpec(32, true))
	r := rand.New(rand.NewPCG(3, 4))
	f := g.NewFrame()
	code, err := gp.NewCompiler(g).Compile(evolved(r, g, 60))
	if err != nil {
		t.Fatal(err)
	}
	code.Load(f)
	fillFrame(r, g, f, 0)
	if n := testing.AllocsPerRun(100,
		func() { code.Eval(0, 0, f); code.EvalLane(0, 0, 1, f) }); n != 0 {
		t.Errorf("Eval or EvalLane allocates %v times", n)
	}
	if c := f.Clone(); c.Wide(0) == f.Wide(0) || len(g.Cells(c, 0)) != f.Wide(0).Count() {
		t.Error("the clone shares a layer, or lacks cells")
	}
}
