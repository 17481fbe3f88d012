package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
	"clade/gp"
)

// Program is one tree of a genome, to be drawn.
type Program struct {
	Slot string
	Tree gp.Tree
	Dead []int // indices of nodes whose subtrees never changed a decision
}

// Programs returns the trees of a genome with their dead nodes, which are given by slot and node;
// nil for none.
func Programs(g *gp.Grammar, ge gp.Genome, dead [][]bool) []Program {
	all := make([]Program, len(ge))
	for slot, tree := range ge {
		all[slot] = Program{Slot: g.Slots[slot].Name, Tree: tree}
		for i := range tree {
			if dead != nil && dead[slot][i] {
				all[slot].Dead = append(all[slot].Dead, i)
			}
		}
	}
	return all
}

// Sizes of drawn trees.
const (
	rowHeight vg.Length = 10.5
	boxHeight vg.Length = 9
	boxMargin vg.Length = 3
	columnGap vg.Length = 14
)

// treeNode is a node of a drawn tree. A rectangle is in the box of its sensor.
type treeNode struct {
	index    int // in the prefix order
	label    string
	kind     gp.Type
	dead     bool
	depth    int
	children []*treeNode
	y        float64 // in rows; relative to the parent until settled
	width    vg.Length
}

// build returns the drawn tree of the subtree that starts at i.
func build(g *gp.Grammar, p *Program, i, depth int, dead bool) *treeNode {
	n := p.Tree[i]
	op := &g.Operators[n.Op]
	dead = dead || slices.Contains(p.Dead, i)
	t := &treeNode{index: i, label: nodeLabel(g, n), kind: op.Result, dead: dead, depth: depth}
	at := i + 1
	for range op.Args {
		if c := p.Tree[at]; g.Operators[c.Op].Form == gp.RectC {
			t.label += " " + nodeLabel(g, c)
		} else {
			t.children = append(t.children, build(g, p, at, depth+1, dead))
		}
		at = g.End(p.Tree, at)
	}
	t.width = textStyle(tickSize, ink).Width(t.label) + 2*boxMargin
	return t
}

// nodeLabel formats one node as in a species file, except that constants have four digits.
func nodeLabel(g *gp.Grammar, n gp.Node) string {
	op := &g.Operators[n.Op]
	switch op.Form {
	case gp.Const, gp.ConstInt:
		return strings.Replace(strconv.FormatFloat(float64(n.Float()), 'g', 4, 32), "-", "−", 1)
	case gp.RectC:
		r := n.Rect()
		return strings.ReplaceAll(fmt.Sprintf("(%d %d %d %d)", r.X, r.Y, r.W, r.H), "-", "−")
	}
	return op.Name
}

// contour is the first and last row of a subtree in each column, from that of its root on.
type contour struct{ first, last []float64 }

// settle sets the rows of the children relative to their parent, as close as boxes of one column do
// not touch, with the parent in the middle of its first and last child (Reingold and Tilford,
// 1981). It returns the contour of the subtree relative to its root.
func (t *treeNode) settle() contour {
	var all contour
	for _, c := range t.children {
		below := c.settle()
		shift := 0.0
		for d := range min(len(below.first), len(all.last)) {
			shift = math.Max(shift, all.last[d]+1-below.first[d])
		}
		c.y = shift
		for d := range below.first {
			if d < len(all.last) {
				all.last[d] = shift + below.last[d]
			} else {
				all.first, all.last = append(all.first, shift+below.first[d]),
					append(all.last, shift+below.last[d])
			}
		}
	}
	if n := len(t.children); n > 0 {
		middle := (t.children[0].y + t.children[n-1].y) / 2
		for _, c := range t.children {
			c.y -= middle
		}
		for d := range all.first {
			all.first[d] -= middle
			all.last[d] -= middle
		}
	}
	return contour{append([]float64{0}, all.first...), append([]float64{0}, all.last...)}
}

// walk visits the nodes in prefix order.
func (t *treeNode) walk(visit func(*treeNode)) {
	visit(t)
	for _, c := range t.children {
		c.walk(visit)
	}
}

// anchor turns rows relative to the parent into rows from the top.
func (t *treeNode) anchor(y float64) {
	t.y += y
	for _, c := range t.children {
		c.anchor(t.y)
	}
}

// laid is a program with its layout.
type laid struct {
	slot    string
	root    *treeNode
	rows    float64
	columns []vg.Length // left border of each column
	width   vg.Length
}

func lay(g *gp.Grammar, p *Program) *laid {
	l := &laid{slot: p.Slot, root: build(g, p, 0, 0, false)}
	c := l.root.settle()
	top := slices.Min(c.first)
	l.rows = slices.Max(c.last) - top + 1
	l.root.anchor(-top)
	var widest []vg.Length
	l.root.walk(func(t *treeNode) {
		for t.depth >= len(widest) {
			widest = append(widest, 0)
		}
		widest[t.depth] = max(widest[t.depth], t.width)
	})
	for _, w := range widest {
		l.columns = append(l.columns, l.width)
		l.width += w + columnGap
	}
	l.width -= columnGap
	return l
}

// Genome draws the trees of a genome one below the other, growing to the right, in the size that
// they need: each node is a box in the colour of its type, and a sensor has its rectangle in its
// box. Dead subtrees are grey and dashed; grey is the text that says what that means. The programs
// must be valid by the grammar, and not empty.
func Genome(name string, g *gp.Grammar, programs []Program, grey string) *Figure {
	data := analysis.NewTable("slot", "node", "parent", "label", "type", "depth", "dead")
	var trees []*laid
	width, height := ColumnWidth, vg.Length(0)
	for i := range programs {
		l := lay(g, &programs[i])
		trees = append(trees, l)
		width = max(width, l.width+8)
		height += vg.Length(vg.Length(l.rows)*rowHeight) + textSize + 14
		tabulate(data, l)
	}
	used := kindsOf(trees, grey)
	paint := func(c draw.Canvas) {
		y := c.Max.Y - 2
		for _, l := range trees {
			y -= textSize + 2
			c.FillText(textStyle(textSize, ink), vg.Point{X: c.Min.X + 4, Y: y}, l.slot)
			y -= 6
			l.draw(c, c.Min.X+4, y)
			y -= vg.Length(vg.Length(l.rows)*rowHeight) + 6
		}
		drawKinds(c, used)
	}
	return &Figure{Name: name, Caption: "The trees of a genome; what " + grey +
		" is grey and dashed.", Width: width, Height: height + textSize + 10, Draw: paint, Data: data}
}

func tabulate(data *analysis.Table, l *laid) {
	var note func(t *treeNode, parent string)
	note = func(t *treeNode, parent string) {
		data.Add(l.slot, t.index, parent, strings.ReplaceAll(t.label, "−", "-"), t.kind.String(),
			t.depth, t.dead)
		for _, c := range t.children {
			note(c, strconv.Itoa(t.index))
		}
	}
	note(l.root, "")
}

// draw draws the tree with the upper left corner of its first row at x, y.
func (l *laid) draw(c draw.Canvas, x, y vg.Length) {
	row := func(t *treeNode) vg.Length { return y - vg.Length(vg.Length(t.y+0.5)*rowHeight) }
	alive, dead := draw.LineStyle{Color: muted, Width: thinWidth},
		draw.LineStyle{Color: behindColour, Width: thinWidth, Dashes: []vg.Length{2, 1.5}}
	edges := func(dying bool, style draw.LineStyle) {
		l.root.walk(func(t *treeNode) {
			from := vg.Point{X: x + l.columns[t.depth] + t.width, Y: row(t)}
			for _, child := range t.children {
				if child.dead == dying {
					to := vg.Point{X: x + l.columns[child.depth], Y: row(child)}
					bend := to.X - columnGap*0.7
					c.StrokeLines(style,
						[]vg.Point{from, {X: bend, Y: from.Y}, {X: bend + columnGap*0.35, Y: to.Y}, to})
				}
			}
		})
	}
	edges(true, dead)
	edges(false, alive) // over the others, because they start with the same stretch
	l.root.walk(func(t *treeNode) {
		drawBox(c, vg.Point{X: x + l.columns[t.depth], Y: row(t)}, t.width, t.label, t.kind, t.dead)
	})
}

// kindLook returns the fill and the edge of boxes of a type: dark on light, and distinct in grey
// print.
func kindLook(kind gp.Type) (fill, edge color.NRGBA) {
	switch kind {
	case gp.Bool:
		return color.NRGBA{0xfa, 0xd9, 0xae, 0xff}, inks[1]
	case gp.Area:
		return color.NRGBA{0xb0, 0xd8, 0xc6, 0xff}, inks[2]
	}
	return color.NRGBA{0xe8, 0xf3, 0xfb, 0xff}, inks[0]
}

// drawBox draws a labelled box; left is the middle of its left edge.
func drawBox(c draw.Canvas, left vg.Point, width vg.Length, label string, kind gp.Type, dead bool) {
	fill, edge := kindLook(kind)
	ground := ink
	style := draw.LineStyle{Color: edge, Width: thinWidth}
	if dead {
		fill, ground = paper, muted
		style = draw.LineStyle{Color: muted, Width: thinWidth, Dashes: []vg.Length{2, 1.5}}
	}
	box := corners(vg.Rectangle{Min: vg.Point{X: left.X, Y: left.Y - boxHeight/2},
		Max: vg.Point{X: left.X + width, Y: left.Y + boxHeight/2}})
	c.FillPolygon(fill, box)
	c.StrokeLines(style, append(box, box[0]))
	c.FillText(aligned(textStyle(tickSize, ground), 0, -0.36),
		vg.Point{X: left.X + boxMargin, Y: left.Y}, label)
}

// boxKind is a kind of box that occurs in a drawing.
type boxKind struct {
	label string
	kind  gp.Type
	dead  bool
}

func kindsOf(trees []*laid, grey string) []boxKind {
	all := []boxKind{{"Float", gp.Float, false}, {"Bool", gp.Bool, false}, {"Area", gp.Area, false},
		{grey, gp.Float, true}}
	return slices.DeleteFunc(all, func(k boxKind) bool {
		found := false
		for _, l := range trees {
			l.root.walk(func(t *treeNode) {
				found = found || t.dead == k.dead && (k.dead || t.kind == k.kind)
			})
		}
		return !found
	})
}

// drawKinds draws the legend of boxes at the foot.
func drawKinds(c draw.Canvas, kinds []boxKind) {
	x := c.Min.X + 4
	for _, k := range kinds {
		width := textStyle(tickSize, ink).Width(k.label) + 2*boxMargin
		drawBox(c, vg.Point{X: x, Y: c.Min.Y + 3 + boxHeight/2}, width, k.label, k.kind, k.dead)
		x += width + 6
	}
}
