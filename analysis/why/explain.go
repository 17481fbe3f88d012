package why

import (
	"cmp"
	"encoding/json"
	"image"
	"math"
	"slices"

	"clade/engine"
	"clade/gp"
)

// Explanation is one choice with all details, to be printed or as JSON. Points are pixels of the
// picture of scale 1.
type Explanation struct {
	Moment
	Actor      point       `json:"actor"`
	Candidates []candidate `json:"candidates"` // in the order of comparison
	Chosen     int         `json:"chosen"`
	Note       string      `json:"note,omitempty"` // what else the player tells
	Shown      int         `json:"shown"`          // the candidate whose tree follows
	Slot       string      `json:"slot"`           // of the tree; "" for a candidate without one
	Tree       []node      `json:"tree"`           // in prefix order
	Rects      *rects      `json:"rects,omitempty"`
	Contrast   *contrast   `json:"contrast,omitempty"`
}

// rects tell where rectangles of a tree lie on the board, and which there are, see gp.RectRange.
type rects struct {
	X       point `json:"x"` // from a cell to the next one along x, as the tree turns it
	Y       point `json:"y"` // and along y
	Centre  int8  `json:"centre"`
	Side    int8  `json:"side"`
	SideSum int8  `json:"side_sum"`
	Exact   bool  `json:"exact"`
}

// candidate is an action that the player might have chosen.
type candidate struct {
	Name    string `json:"name"`
	At      point  `json:"at"`
	Slot    int    `json:"slot"` // negative where no tree scores it
	Utility Number `json:"utility"`
}

// node is a node of a tree with its value. A rectangle stands in the text of the sensor that reads
// it.
type node struct {
	Index int     `json:"index"` // in the genome's tree
	Depth int     `json:"depth"`
	Text  string  `json:"text"`
	Code  string  `json:"code"` // of the whole subtree, as in a species file
	Type  string  `json:"type"` // "Float" or "Bool"
	Value Number  `json:"value"`
	Taken bool    `json:"taken"`           // no conditional above chose its other branch
	Idle  bool    `json:"idle,omitempty"`  // it never mattered, see Explain
	Cells []point `json:"cells,omitempty"` // of a sensor's rectangle, those on the board
}

// point is a pixel as JSON.
type point [2]int

func pointOf(p image.Point) point { return point{p.X, p.Y} }

// Number is a binary32 whose JSON is a text where it is infinite or undefined.
type Number float32

// MarshalJSON writes a number, or "NaN", "+Inf" or "-Inf".
func (n Number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"+Inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Inf"`), nil
	}
	return json.Marshal(float32(n))
}

// Explain returns the explanation of a choice, with the tree of one candidate if a genome made it.
// idle is what Choices.Idle returned; nil where that is not known.
func Explain(g *gp.Grammar, ge gp.Genome, at Moment, c *engine.Choice, shown int,
	idle [][]bool) *Explanation {
	e := &Explanation{Moment: at, Actor: pointOf(c.Actor), Chosen: c.Chosen, Shown: shown,
		Note: c.Note, Contrast: Against(g, ge, c)}
	for _, k := range c.Candidates {
		e.Candidates = append(e.Candidates, candidate{k.Name, pointOf(k.At), k.Slot, Number(k.Utility)})
	}
	k := &c.Candidates[shown]
	if k.Slot < 0 || ge == nil { // a built-in player's trees are not always known
		return e
	}
	e.Slot = g.Slots[k.Slot].Name
	t := telling{g: g, tree: ge[k.Slot], view: &c.Views[k.View], turn: k.Turn}
	t.values = g.Trace(t.tree, t.view.Frame, k.Turn)
	if idle != nil {
		t.idle = idle[k.Slot]
	}
	t.subtree(0, 0)
	e.Tree = t.nodes
	if axes := t.axes(); axes != nil {
		r := &g.Rects
		e.Rects = &rects{axes[0], axes[1], r.Centre, r.Side, r.SideSum, r.Exact}
	}
	return e
}

// telling builds the tree of an Explanation.
type telling struct {
	g      *gp.Grammar
	tree   gp.Tree
	values []gp.Value
	idle   []bool
	view   *engine.View
	turn   int
	nodes  []node
}

// subtree appends the subtree at a place, and returns the place behind it.
func (t *telling) subtree(i, depth int) int {
	op := &t.g.Operators[t.tree[i].Op]
	n := node{Index: i, Depth: depth, Text: op.Name, Type: op.Result.String(),
		Code:  t.g.PrintTree(t.tree[i:t.g.End(t.tree, i)]),
		Value: Number(t.values[i].Number), Taken: t.values[i].Taken,
		Idle: t.idle != nil && t.idle[i]}
	area := len(op.Args) == 1 && op.Args[0] == gp.Area
	if area {
		n.Text = t.g.PrintTree(t.tree[i : i+2])
		n.Cells = t.cells(t.tree[i+1].Rect())
	} else if len(op.Args) == 0 {
		n.Text = t.g.PrintTree(t.tree[i : i+1])
	}
	t.nodes = append(t.nodes, n)
	i++
	if area {
		return i + 1
	}
	for range op.Args {
		i = t.subtree(i, depth+1)
	}
	return i
}

// cells returns where the cells of a rectangle are drawn.
func (t *telling) cells(r gp.Rect) []point {
	var points []point
	for i, covered := range t.g.Covers(r, t.turn) {
		if at, ok := t.view.Place(i); ok && covered {
			points = append(points, pointOf(at))
		}
	}
	return points
}

// axes returns where x and y of rectangles lead; where a torus or an edge is in the way, from the
// other side.
func (t *telling) axes() []point {
	place := func(x, y int) (image.Point, bool) {
		if i, ok := t.g.Window.Cell(gp.Turn(x, y, t.turn)); ok {
			return t.view.Place(i)
		}
		return image.Point{}, false
	}
	middle, ok := place(0, 0)
	if !ok {
		return nil
	}
	var axes []point
	for _, way := range [2]image.Point{{1, 0}, {0, 1}} {
		on, ahead := place(way.X, way.Y)
		back, behind := place(-way.X, -way.Y)
		on, back = on.Sub(middle), middle.Sub(back)
		switch {
		case !ahead && !behind:
			return nil
		case !ahead || behind && back.X*back.X+back.Y*back.Y < on.X*on.X+on.Y*on.Y:
			on = back
		}
		axes = append(axes, pointOf(on))
	}
	return axes
}

// Order returns the indices of the candidates, the greatest utility first; equals stay in the order
// of comparison, and what is not a number comes last.
func (e *Explanation) Order() []int {
	order := make([]int, len(e.Candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(e.Candidates[b].Utility, e.Candidates[a].Utility)
	})
	return order
}
