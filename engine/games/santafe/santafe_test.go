package santafe

import (
	"fmt"
	"image"
	"math"
	"math/bits"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/proof"
)

func TestSuite(t *testing.T) {
	proof.Slow(t)
	enginetest.Run(t, New())
}

// walker is the oracle: it walks the tree node by node, and counts the nodes it visits.
type walker struct {
	w       world
	endless bool // without a limit of time
	time    int  // actions
	nodes   int
}

func (w *walker) live(g *gp.Grammar, t gp.Tree) {
	for w.w.begin(); !w.w.over(); {
		w.eval(g, t)
	}
}

// eval walks the subtree at the front of t and returns the rest. What is done after the end changes
// nothing.
func (w *walker) eval(g *gp.Grammar, t gp.Tree) gp.Tree {
	w.nodes++
	op, t := t[0].Op, t[1:]
	switch op {
	case opLeft, opRight, opMove:
		if w.w.over() {
			break
		}
		w.time++
		w.w.log.put(w.w.time, uint64(op))
		if w.w.do(action(op)); w.endless {
			w.w.time = 0
		}
	case opIfFoodAhead:
		if row, col := w.w.ahead(); w.w.food[row]>>col&1 != 0 {
			t = w.eval(g, t)
			return t[g.End(t, 0):]
		}
		return w.eval(g, t[g.End(t, 0):])
	case opProgn3:
		t = w.eval(g, t)
		fallthrough
	case opProgn2:
		t = w.eval(g, w.eval(g, t))
	}
	return t
}

// TestProgramsAgreeWithTrees holds the flat program against the tree walk: score, time and every
// action.
func TestProgramsAgreeWithTrees(t *testing.T) {
	g := New().(*game)
	best := 0
	for i, ge := range enginetest.Bred(g, 3000) {
		var want walker
		want.live(g.grammar, ge[0])
		p := proof.Must(g.Bind(ge))(t)
		var got world
		got.begin()
		p.(*program).run(&got)
		if got.eaten != want.w.eaten || got.time != want.w.time ||
			[words]uint64(got.log[:words]) != [words]uint64(want.w.log[:words]) {
			t.Fatalf("tree %d, %s:\neaten %d in %d actions %x\nwant  %d in %d actions %x", i,
				g.grammar.PrintTree(ge[0]),
				got.eaten, got.time, got.log[:words], want.w.eaten, want.w.time, want.w.log[:words])
		}
		best = max(best, got.eaten)
	}
	if best < 20 {
		t.Errorf("the best tree eats only %d pieces, so little was tested", best)
	}
}

func TestTrail(t *testing.T) {
	n, bridges := 0, 0
	for row := range side {
		n += bits.OnesCount32(food[row])
		bridges += bits.OnesCount32(gaps[row])
	}
	if n != pieces || bridges != 55 {
		t.Errorf("%d pieces of food and %d gaps, want %d and 55", n, bridges, pieces)
	}
}

// TestKoza holds the trail and the rules to what Koza's book says of its ant: it eats all food in
// 545 actions.
func TestKoza(t *testing.T) {
	g := New().(*game)
	ge := proof.Must(g.grammar.Parse(kozaText))(t)
	w := walker{endless: true}
	for w.w.begin(); w.w.eaten < pieces && w.time < 1000; {
		w.eval(g.grammar, ge[0])
	}
	if w.w.eaten != pieces || w.time != 545 {
		t.Errorf("%d pieces in %d actions, want %d in 545", w.w.eaten, w.time, pieces)
	}
}

func TestLastAction(t *testing.T) {
	for _, tt := range []struct{ time, eaten int }{{0, 1}, {actions - 2, 1}, {actions - 1, 0}} {
		var w world
		w.begin()
		w.time = tt.time
		w.do(move)
		proof.Is(t, w.eaten, tt.eaten, "what a move at time %d eats", tt.time)
	}
}

// TestNoAction holds that a number which is not an action is played, and recorded, as a turn to the
// left.
func TestNoAction(t *testing.T) {
	g := New().(*game)
	play := func(decisions ...uint64) engine.Result {
		return g.Play([]engine.Player{g.Recording(decisions)}, 1, nil)
	}
	if got, want := play(math.MaxUint64, 0b11_10), play(0, 0b00_10); got != want ||
		got.Scores[0] != 1 {
		t.Errorf("no actions give %+v, turns to the left %+v", got, want)
	}
}

// lookout keeps what a scene shows after some actions.
type lookout struct {
	after     int
	text      []string
	inspected [3]string
	img       *image.Paletted
}

func (l *lookout) look(s engine.Scene) {
	if s.Step() != l.after {
		return
	}
	l.text = strings.Split(s.(engine.Speaker).Text(), "\n")
	for i := range l.inspected {
		l.inspected[i] = s.(engine.Inspector).Inspect(image.Pt((i+1)*cellSize+1, 1), 1)
	}
	l.img = engine.Picture(s, 1)
}

// TestScene lets the ant eat one piece and turn: it is broad behind and narrow where it heads to.
func TestScene(t *testing.T) {
	g := New().(*game)
	for after, want := range map[int]struct {
		ant    string
		behind image.Point // from the cell's corner
	}{
		1: {">", image.Pt(1, 6)}, 2: {"v", image.Pt(6, 1)}, 3: {"<", image.Pt(10, 6)},
		4: {"^", image.Pt(6, 10)},
	} {
		l := lookout{after: after}
		g.Play([]engine.Player{g.Recording([]uint64{0b01_01_01_10})}, 1, engine.OnStep(l.look))
		if l.text[0] != fmt.Sprintf("action %d of 400, eaten 1 of 89", after) ||
			!strings.HasPrefix(l.text[1], ":"+want.ant+"## ") {
			t.Errorf("after %d actions:\n%s\n%s", after, l.text[0], l.text[1])
		}
		proof.Is(t, l.inspected, [3]string{"row 0, column 1, the ant", "row 0, column 2, food",
			"row 0, column 3, food"}, "what is there after %d actions", after)
		behind := want.behind.Add(image.Pt(cellSize, 0))
		ahead := image.Pt(3*cellSize-1, cellSize-1).Sub(behind)
		if l.img.ColorIndexAt(behind.X, behind.Y) != engine.Seats ||
			l.img.ColorIndexAt(ahead.X, ahead.Y) == engine.Seats {
			t.Errorf("after %d actions the ant is not broad at %v", after, want.behind)
		}
	}
}

func TestGamesDoNotAllocate(t *testing.T) {
	g := New().(*game)
	p, _ := g.koza()
	players := []engine.Player{p}
	proof.Is(t, testing.AllocsPerRun(100, func() { g.Play(players, 1, nil) }), 0,
		"allocations a game")
}

// BenchmarkGame plays whole games with bred trees; nodes are those that a tree walk would visit.
func BenchmarkGame(b *testing.B) {
	g := New().(*game)
	population := enginetest.Bred(g, 1024)
	nodes := 0
	for _, ge := range population {
		w := walker{}
		w.live(g.grammar, ge[0])
		nodes += w.nodes
	}
	rate := enginetest.Rate(b)
	enginetest.BenchAlone(b, g, population)
	rate(float64(b.N)*float64(nodes)/float64(len(population)), "nodes")
}

// BenchmarkWalk is the oracle's speed, for comparison.
func BenchmarkWalk(b *testing.B) {
	g := New().(*game)
	population := enginetest.Bred(g, 1024)
	nodes, i := 0, 0
	rate := enginetest.Rate(b)
	for b.Loop() {
		w := walker{}
		w.live(g.grammar, population[i%len(population)][0])
		nodes += w.nodes
		i++
	}
	rate(float64(b.N), "games")
	rate(float64(nodes), "nodes")
}

func BenchmarkBind(b *testing.B) { enginetest.BenchBind(b, New()) }

// The ant of Koza's book has too little time here.
func Example() {
	g := New()
	koza, err := g.(engine.Roster).Players()[0].New("")
	if err != nil {
		panic(err)
	}
	r := g.Play([]engine.Player{koza}, 1, nil)
	fmt.Println(r.Scores[0], "of 89 pieces in", r.Steps, "actions")
	// Output: 79 of 89 pieces in 400 actions
}
