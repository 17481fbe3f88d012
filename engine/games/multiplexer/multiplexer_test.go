package multiplexer

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

func TestSuite(t *testing.T) { enginetest.Run(t, New()) }

// eval is the oracle: the value in one case of the subtree at the front of t, and the rest.
func eval(g *gp.Grammar, t gp.Tree, n int) (bool, gp.Tree) {
	op := &g.Operators[t[0].Op]
	t = t[1:]
	if op.Form == gp.Flag {
		return n>>op.Index&1 != 0, t
	}
	var v [3]bool
	for i := range op.Args {
		v[i], t = eval(g, t, n)
	}
	switch op.Form {
	case gp.And:
		return v[0] && v[1], t
	case gp.Or:
		return v[0] || v[1], t
	case gp.Not:
		return !v[0], t
	}
	if v[0] {
		return v[1], t
	}
	return v[2], t
}

// TestProgramsAgreeWithTrees holds programs against the tree, in every case, and the kernels
// against each other.
func TestProgramsAgreeWithTrees(t *testing.T) {
	g := New().(*game)
	for i, ge := range enginetest.Bred(g, 300) {
		p := proof.Must(g.Bind(ge))(t)
		answers := p.(*program).run(newRegisters(0), runPlain)
		for _, level := range kernels.Available() {
			if other := p.(*program).run(newRegisters(0), kernelOf(level)); *other != *answers {
				t.Fatalf("tree %d, %s: %s answers otherwise", i, g.grammar.PrintTree(ge[0]), level)
			}
		}
		for n := range cases {
			want, rest := eval(g.grammar, ge[0], n)
			if got := answers[n/64]>>(n%64)&1 != 0; got != want || len(rest) > 0 {
				t.Fatalf("tree %d, %s, case %d: %v, want %v", i, g.grammar.PrintTree(ge[0]), n, got, want)
			}
		}
	}
}

func TestScores(t *testing.T) {
	g := New().(*game)
	for _, tt := range []struct {
		tree string
		want float64
	}{
		{perfectText, cases},
		{"(not " + perfectText + ")", 0},
		{"a0", cases / 2},
		{"d3", cases/2 + cases/16}, // right whenever it is the one named, else by half
		{"(if a0 (if a0 d1 d2) (if a0 d3 d0))", 0.625 * cases},
		{"(and a0 (not a0))", cases / 2},
		{"(or a0 (not a0))", cases / 2},
		{"(if d0 d0 d0)", cases/2 + cases/16},
	} {
		ge := proof.Must(g.grammar.Parse(tt.tree))(t)
		p := proof.Must(g.Bind(ge))(t)
		r := g.Play([]engine.Player{p}, 1, nil)
		proof.Is(t, r.Scores[0], tt.want, "cases that %s has right", tt.tree)
	}
}

// TestDeepTrees holds chains whose stacks are as high as they can be, and as low.
func TestDeepTrees(t *testing.T) {
	g := New().(*game)
	const n = 5000
	negations, first, last := gp.Tree{}, gp.Tree{}, gp.Tree{}
	for range n {
		negations = append(negations, gp.Leaf(opNot))
		first = append(first, gp.Leaf(opIf))
		last = append(last, gp.Leaf(opIf), gp.Leaf(firstInput), gp.Leaf(firstInput+1))
	}
	for range 2*n + 1 {
		first = append(first, gp.Leaf(firstInput))
	}
	negations, last = append(negations, gp.Leaf(firstInput)), append(last, gp.Leaf(firstInput+2))
	for _, level := range kernels.Available() {
		g := newGame(level)
		for _, tt := range []struct {
			tree gp.Tree
			want table
		}{{negations, inputTables[0]}, {first, inputTables[0]},
			{last, chosen(inputTables[0], inputTables[1], inputTables[2])}} {
			p := proof.Must(g.Bind(gp.Genome{tt.tree}))(t)
			proof.Is(t, *p.(*program).run(newRegisters(0), g.kernel), tt.want,
				"%s: a chain of %d nodes", level, len(tt.tree))
		}
	}
	if p, err := g.Bind(gp.Genome{negations[1:n]}); err == nil || p != nil {
		t.Errorf("half a chain makes %v", p)
	}
}

func chosen(a, b, c table) (d table) {
	for i := range d {
		d[i] = a[i]&b[i] | c[i]&^a[i]
	}
	return d
}

// lookout keeps what scenes show after one word.
type lookout struct {
	text      []string
	inspected string
	score     float64
	img       *image.Paletted
}

func (l *lookout) look(s engine.Scene) {
	if s.Step() != 1 {
		return
	}
	l.text = strings.Split(s.(engine.Speaker).Text(), "\n")
	l.inspected = s.(engine.Inspector).Inspect(image.Pt(13*cellSize+1, 1), 1)
	l.score = s.Scores(nil)[0]
	l.img = engine.Picture(s, 1)
}

// TestScene looks at the first 64 answers of a player that is right in them but for case 13:
// address 5, where only d0 is true.
func TestScene(t *testing.T) {
	g := New().(*game)
	var l lookout
	g.Play([]engine.Player{g.Recording([]uint64{wanted[0] ^ 1<<13})}, 1, engine.OnStep(l.look))
	if want := strings.Repeat("+", 13) + "-" + strings.Repeat("+", 50); l.text[0] != want ||
		l.text[1] != strings.Repeat(" ", 64) || l.score != 63 {
		t.Errorf("score %v, text\n%s\n%s", l.score, l.text[0], l.text[1])
	}
	proof.Is(t, l.inspected, "data 00000001, address 5: the answer is 0", "inspected")
	for at, want := range map[image.Point]uint8{{12, 0}: engine.Goods, {13, 0}: engine.Hazard,
		{14, 0}: engine.Goods, {13, 1}: engine.Veil} {
		proof.Is(t, l.img.ColorIndexAt(at.X*cellSize+1, at.Y*cellSize+1), want,
			"case %v has the colour", at)
	}
}

func TestGamesDoNotAllocate(t *testing.T) {
	g := New().(*game)
	p, _ := g.perfect()
	players := []engine.Player{p}
	proof.Is(t, testing.AllocsPerRun(100, func() { g.Play(players, 1, nil) }), 0,
		"allocations a game")
}

// BenchmarkGame evaluates bred trees in all cases; nodes are those of the whole trees.
func BenchmarkGame(b *testing.B) {
	for _, level := range kernels.Available() {
		g := newGame(level)
		b.Run(level.String(),
			func(b *testing.B) { enginetest.BenchAlone(b, g, enginetest.Bred(g, 1024)) })
	}
}

func BenchmarkBind(b *testing.B) { enginetest.BenchBind(b, New()) }

// A tree that is right in all cases wins.
func Example() {
	g := New()
	perfect, err := g.(engine.Roster).Players()[0].New("")
	if err != nil {
		panic(err)
	}
	r := g.Play([]engine.Player{perfect}, 1, nil)
	fmt.Println(r.Scores[0], "of 2048 cases")
	// Output: 2048 of 2048 cases
}
