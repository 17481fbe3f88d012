package figure

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/analysis"
	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// antGrammar is a little vocabulary in the manner of Ant Wars.
func antGrammar() *gp.Grammar {
	ops := append(gp.Shared(), gp.ScalarSensor("points", 0), gp.ScalarSensor("timeLeft", 1),
		gp.ScalarSensor("foodHope", 2),
		gp.AreaSensor("isFood", gp.Any, 0), gp.AreaSensor("isEnemy", gp.Any, 1),
		gp.AreaSensor("noFood", gp.Count, 0))
	return gp.MustGrammar(gp.Spec{Slots: []gp.Slot{{Name: "straight"}, {Name: "diagonal"}},
		Operators: ops, Scalars: 3,
		Layers: []gp.Layer{{Name: "food"}, {Name: "enemy"}},
		Window: gp.Window{Side: 11, Wrap: true}, Rects: gp.PaperRects})
}

// grow makes a random tree of a type. It stands in for the growing of package gp, so that these
// tests need only trees.
func grow(g *gp.Grammar, want gp.Type, depth int, r *engine.Random) gp.Tree {
	var fit []gp.Op
	for i, op := range g.Operators {
		if op.Result == want && (depth > g.TypeDepth(want) && len(op.Args) > 0 ||
			depth <= g.TypeDepth(want) &&
				(len(op.Args) == 0 || want == gp.Bool && op.Form == gp.Any)) {
			fit = append(fit, gp.Op(i))
		}
	}
	if want == gp.Area {
		rect, _ := g.Lookup("rect")
		fit = []gp.Op{rect}
	}
	op := fit[r.Below(len(fit))]
	var t gp.Tree
	switch g.Operators[op].Form {
	case gp.Const:
		t = gp.Tree{gp.ConstNode(op, float32(r.Below(200))/100-1)}
	case gp.ConstInt:
		t = gp.Tree{gp.ConstNode(op, float32(r.Below(6)))}
	case gp.RectC:
		t = gp.Tree{gp.RectNode(op, gp.Rect{X: int8(r.Below(5)) - 2, Y: int8(r.Below(5)) - 4,
			W: int8(1 + r.Below(3)), H: int8(1 + r.Below(3))})}
	default:
		t = gp.Tree{gp.Leaf(op)}
	}
	for _, a := range g.Operators[op].Args {
		t = append(t, grow(g, a, depth-1, r)...)
	}
	return t
}

func TestGenomeFigures(t *testing.T) {
	proof.Slow(t)
	g := antGrammar()
	r := engine.NewRandom(11)
	var genomes []gp.Genome
	for range 40 {
		genomes = append(genomes, gp.Genome{grow(g, gp.Float, 5, &r), grow(g, gp.Float, 4, &r)})
	}
	programs := []Program{{"straight", genomes[2][0], []int{g.End(genomes[2][0], 1)}},
		{"diagonal", genomes[3][1], nil}}
	for _, ge := range genomes {
		proof.OK(t, g.Check(ge))
	}
	checkFigure(t, Genome("genome", g, programs, "never changed a decision"))

	share, _ := analysis.Coverage(g, genomes, -1)
	view := FieldOfView(share, g.Window.Side)
	checkFigure(t, view)
	// as the axes have it
	if first, last := view.Data.Rows[0], view.Data.Rows[len(view.Data.Rows)-1]; first[0] != "-5" ||
		first[1] != "5" || last[0] != "5" || last[1] != "-5" {
		t.Errorf("the data's corners are %v and %v", first, last)
	}
	var usage []Usage
	for i := 4; i <= 40; i++ {
		usage = append(usage, Usage{10 * (i - 4), analysis.Primitives(g, genomes[:i])})
	}
	checkFigure(t, Primitives(g, usage))
}

// No two boxes of a drawn tree touch, and a parent stands in the middle of its children.
func TestTidy(t *testing.T) {
	g := antGrammar()
	for seed := range uint64(200) {
		r := engine.NewRandom(seed)
		l := lay(g, &Program{Tree: grow(g, gp.Float, 7, &r)})
		last := map[int]float64{}
		l.root.walk(func(n *treeNode) { // prefix order visits each column from the top
			if y, ok := last[n.depth]; ok && n.y < y+1-1e-9 {
				t.Errorf("seed %d: column %d has rows %v and %v", seed, n.depth, y, n.y)
			}
			last[n.depth] = n.y
			if k := len(n.children); k > 0 && !(math.Abs(n.children[0].y+n.children[k-1].y-2*n.y) <= 1e-9) {
				t.Errorf("seed %d: a parent at %v has children from %v to %v", seed, n.y,
					n.children[0].y, n.children[k-1].y)
			}
			if n.y < -1e-9 || n.y > l.rows-1+1e-9 {
				t.Errorf("seed %d: row %v of %v", seed, n.y, l.rows)
			}
		})
	}
}

// plantedLineage lets a population of constant size breed for some generations and keeps every
// individual.
func plantedLineage(size, generations int) string {
	r := engine.NewRandom(6)
	var b strings.Builder
	b.WriteString("id,ancestor_list,origin_time,destruction_time\n")
	for g := range generations {
		for i := range size {
			parents := "[NONE]"
			if g > 0 {
				a, c := r.Below(size), r.Below(size)
				parents = fmt.Sprintf(`"[%d,%d]"`, (g-1)*size+min(a, c), (g-1)*size+max(a, c))
			}
			death := ""
			if g < generations-1 {
				death = fmt.Sprint(g + 1)
			}
			fmt.Fprintf(&b, "%d,%s,%d,%s\n", g*size+i, parents, g, death)
		}
	}
	return b.String()
}

func TestPhylogenyFigure(t *testing.T) {
	proof.Slow(t)
	p := proof.Must(analysis.ReadPhylogeny(strings.NewReader(plantedLineage(24, 60)), "planted"))(t)
	checkFigure(t, Phylogeny(p, []int{p.Taxa[len(p.Taxa)/2].ID}, false))
	apart := proof.Must(analysis.ReadPhylogeny(strings.NewReader("id,ancestor_list,origin_time,"+
		"destruction_time\n1,[NONE],0,inf\n2,[NONE],0,1\n3,[2],1,inf\n"), "apart"))(t)
	f := Phylogeny(apart, nil, false)
	checkFigure(t, f)
	for _, text := range texts(t, f) {
		if strings.Contains(text, "common ancestor") {
			t.Errorf("a record without a common ancestor speaks of one: %s", text)
		}
		if strings.Contains(text, ".") {
			t.Errorf("there is a generation %s", text)
		}
	}
	if _, err := Phylogeny(&analysis.Phylogeny{}, nil, false).Encode(SVG); err != nil {
		t.Errorf("an empty phylogeny: %v", err)
	}
}

// strokes returns the ends of the straight lines of a figure in one colour, x and y of each.
func strokes(t *testing.T, f *Figure, colour string) (list [][4]float64) {
	t.Helper()
	for _, path := range regexp.MustCompile(`<path d="([^"]*)" style="[^"]*stroke:`+
		colour).FindAllStringSubmatch(string(encode(t, f, SVG)), -1) {
		var at [2]float64
		for _, m := range regexp.MustCompile(`([ML])([-0-9.]+),([-0-9.]+)`).FindAllStringSubmatch(
			path[1], -1) {
			x, errX := strconv.ParseFloat(m[2], 64)
			y, errY := strconv.ParseFloat(m[3], 64)
			proof.OK(t, errors.Join(errX, errY))
			if m[1] == "L" {
				list = append(list, [4]float64{at[0], at[1], x, y})
			}
			at = [2]float64{x, y}
		}
	}
	return list
}

// A record from elsewhere may have times that are not whole, and close the lives of the last with
// its end: they are drawn up to it, and ages at their time.
func TestPhylogenyFromElsewhere(t *testing.T) {
	p := proof.Must(analysis.ReadPhylogeny(strings.NewReader("id,ancestor_list,origin_time,"+
		"destruction_time\n1,[NONE],0,1\n2,[1],0.25,1\n3,[1],0.5,0.75\n"), "elsewhere"))(t)
	f := Phylogeny(p, nil, false)
	look(t, f)
	var level [][4]float64 // lives, and ages, which are steps
	left, right := math.Inf(1), math.Inf(-1)
	for _, s := range strokes(t, f, "#0072B2")[1:] { // the first is the legend's
		left, right = math.Min(left, s[0]), math.Max(right, s[2])
		if s[1] == s[3] {
			level = append(level, s)
		}
	}
	x := func(time float64) float64 { return left + time*(right-left) }
	check := func(what string, got [][4]float64, want ...[2]float64) {
		t.Helper()
		for _, w := range want {
			if !slices.ContainsFunc(got,
				func(s [4]float64) bool {
					return math.Abs(s[0]-x(w[0])) < 0.01 && math.Abs(s[2]-x(w[1])) < 0.01
				}) {
				t.Errorf("no %s from %v to %v among %v", what, w[0], w[1], got)
			}
		}
	}
	check("life", level, [2]float64{0, 1}, [2]float64{0.25, 1})
	check("age", level, [2]float64{0, 0.25}, [2]float64{0.25, 0.5})
}
