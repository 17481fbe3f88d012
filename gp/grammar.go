package gp

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// Layer is a set of cells that the game draws anew into every frame.
type Layer struct {
	Name   string
	Extent Bits    // where it can hold cells, the same under a quarter turn; 0 means everywhere
	Single bool    // holds at most one cell
	Walls  bool    // Frame.Draw and DrawField add what lies beyond the walls
	Unit   float32 // what a weight of 1 is worth; 0 means the layer has no weights
	// Rows says that weights are bytes, read from Frame.Rows, which makes Sum quick. The window has
	// at most 7 cells a side, and there is no Least or Greatest.
	Rows bool
	Near int32 // for a Batch: the weight of each cell at most two away from the actor
}

// Slot is the part of a genome that one kind of candidate action is scored by.
type Slot struct {
	Name string
	Type Type
	// Family is the same for slots that score one kind of action in different directions, so that
	// code of one makes sense in another. A slot with "" is in no family.
	Family string
	// Heading is where the action points in the frame, in eighths of a turn clockwise.
	Heading int
	// From names a slot before this one whose tree is copied here where a species lacks this one's:
	// gene duplication (Ohno, Evolution by Gene Duplication, 1970), by which species of a narrower
	// vocabulary play, and found, in a wider one. The default "" makes such a species an error.
	From string
	// Kept tells that variation leaves the tree as it is, see Grammar.Varying.
	Kept bool
}

// Spec describes a game's vocabulary; NewGrammar makes a Grammar of it.
type Spec struct {
	Slots     []Slot
	Operators []Operator
	// Each entry of Kin lists, by slot, operators of one signature that say the same about what
	// that slot scores. Growing and variation replace each of them by that of the tree's slot.
	Kin     [][]string
	Scalars int // scalars in a frame
	Flags   int // flags in a frame
	Layers  []Layer
	Window  Window
	Rects   RectRange
}

// Limits of a frame.
const (
	MaxLayers    = 16
	maxSlots     = 64
	maxScalars   = 64
	MaxFlags     = 32
	maxOperators = 128
	// infinite is the depth of a type of which no finite tree exists.
	infinite = math.MaxInt32
)

// Grammar is a checked vocabulary. It is immutable and safe for concurrent use.
type Grammar struct {
	Spec
	byName    map[string]Op
	shapes    [1 << 8]shape // by operator; zero where there is no such operator
	tallies   [numTypes + 1]tally
	untyped   bool           // all values are of one type, and there are no constants
	kin       [][]Op         // by slot and operator: its replacement in that slot; nil without kin
	leaves    [numTypes][]Op // operators without arguments, by result, as often as they weigh
	inner     [numTypes][]Op // operators with arguments, by result, likewise
	opDepth   []int          // least depth of a tree with this operator as root
	typeDepth [numTypes]int  // least depth of a tree of this type
	rectOp    int            // -1 where areas do not exist
	// The tables that follow are made when the first compiler asks for them: it takes milliseconds,
	// and most processes compile for one game or none.
	made   sync.Once
	masks  [][4]Bits     // by rectangle: its cells under the four turns
	planes []planes      // the same for a Batch
	bands  [][Lanes]band // the same for layers with Rows; nil without any
	// canon holds, by layer and rectangle, the first rectangle that covers the same cells of the
	// layer's extent, -1 for none.
	canon    [][]int32
	maxNodes int        // see MaxNodes
	near     Bits       // cells at most nearRadius away from the actor
	planeBit [128]uint8 // by cell; see PlaneBit
	segments []segment  // how the planes are cut out of a set of cells
}

// NewGrammar checks a vocabulary and completes it. It returns an error for a name that is used
// twice, for a sensor of a scalar, flag or layer that does not exist, and for a slot or an argument
// whose type no finite tree can have.
func NewGrammar(spec Spec) (*Grammar, error) {
	g := &Grammar{Spec: spec, byName: map[string]Op{}, rectOp: -1}
	if err := g.checkParts(); err != nil {
		return nil, err
	}
	for i, op := range spec.Operators {
		if err := g.checkOperator(op); err != nil {
			return nil, err
		}
		g.byName[op.Name] = Op(i)
		g.shapes[i] = shapeOf(op)
		if op.Form == RectC {
			g.rectOp = i
		}
		weight := op.Weight
		if weight == 0 {
			weight = 1
		}
		for range max(0, weight) {
			if len(op.Args) == 0 {
				g.leaves[op.Result] = append(g.leaves[op.Result], Op(i))
			} else {
				g.inner[op.Result] = append(g.inner[op.Result], Op(i))
			}
		}
	}
	if err := g.makeKin(); err != nil {
		return nil, err
	}
	g.untyped = g.isUntyped()
	g.maxNodes = maxNodes
	if slices.ContainsFunc(spec.Operators, func(op Operator) bool { return op.Form == Foreign }) {
		g.maxNodes = maxTextNodes
	}
	g.makeTallies()
	g.computeDepths()
	for i, op := range spec.Operators {
		if g.opDepth[i] == infinite && op.Weight != Unused {
			for _, a := range op.Args {
				if g.typeDepth[a] == infinite {
					return nil, fmt.Errorf("gp: operator %q needs an argument of type %s, of "+
						"which no finite tree exists; add a terminal of that type", op.Name,
						a)
				}
			}
		}
	}
	for _, s := range spec.Slots {
		if g.typeDepth[s.Type] == infinite {
			return nil, fmt.Errorf("gp: slot %q is of type %s, of which no finite tree exists; "+
				"add a terminal of that type", s.Name, s.Type)
		}
	}
	if g.rectOp >= 0 {
		g.orderCells()
	}
	return g, nil
}

// shape is the part of an operator that loops over all nodes read, packed in eight bytes.
type shape struct {
	result   Type
	arity    uint8
	args     [4]Type
	inner    uint8 // 1 with arguments, else 0
	constant bool  // its nodes carry one
}

func (g *Grammar) isUntyped() bool {
	one := g.Operators[0].Result
	for i, op := range g.Operators {
		if g.shapes[i].constant || op.Result != one ||
			slices.ContainsFunc(op.Args, func(a Type) bool { return a != one }) {
			return false
		}
	}
	return true
}

// isTree tells whether t is one whole tree of an untyped grammar. It is the quick part of
// checkTree.
func (g *Grammar) isTree(t Tree) bool {
	open, bits, last := 1, uint32(0), uint8(0)
	for i := range t {
		if open == 0 {
			return false
		}
		n := &t[i]
		bits |= n.bits
		last = max(last, uint8(n.Op))
		open += int(g.shapes[n.Op].arity) - 1
	}
	return open == 0 && bits == 0 && int(last) < len(g.Operators)
}

func shapeOf(op Operator) shape {
	s := shape{result: op.Result, arity: uint8(len(op.Args)), inner: uint8(min(1, len(op.Args)))}
	copy(s.args[:], op.Args)
	s.constant = op.Form == Const || op.Form == ConstInt || op.Form == RectC
	return s
}

// MustGrammar is NewGrammar for vocabularies written in a program: it panics where NewGrammar
// returns an error.
func MustGrammar(spec Spec) *Grammar {
	g, err := NewGrammar(spec)
	if err != nil {
		panic(err.Error())
	}
	return g
}

// Signature returns everything on which the meaning of a genome saved as numbers depends: slots and
// operators in their order, with names and types, and the ranges of areas. Two grammars of the same
// signature read the same genome as the same text.
func (g *Grammar) Signature() string {
	var b strings.Builder
	for _, s := range g.Slots {
		fmt.Fprintf(&b, "slot %s %s\n", s.Name, s.Type)
	}
	for _, op := range g.Operators {
		fmt.Fprintf(&b, "operator %s %s\n", op.Name, signatureOf(op))
	}
	if r := g.Rects; g.rectOp >= 0 {
		fmt.Fprintf(&b, "rect %d %d %d %t\n", r.Centre, r.Side, r.SideSum, r.Exact)
	}
	return b.String()
}

// signatureOf writes an operator's types as Result(Arg, ...).
func signatureOf(op Operator) string {
	args := make([]string, len(op.Args))
	for i, a := range op.Args {
		args[i] = a.String()
	}
	return op.Result.String() + "(" + strings.Join(args, ", ") + ")"
}

// makeMasks makes the masks of all rectangles, once.
func (g *Grammar) makeMasks() {
	if g.rectOp >= 0 {
		g.made.Do(g.buildMasks)
	}
}

func (g *Grammar) buildMasks() {
	n := g.Rects.count()
	g.masks, g.planes = make([][4]Bits, n), make([]planes, n)
	if slices.ContainsFunc(g.Layers, func(l Layer) bool { return l.Rows }) {
		g.bands = make([][Lanes]band, n)
	}
	for i := range g.masks {
		for k := range 4 {
			g.masks[i][k] = g.Window.mask(g.Rects, g.Rects.at(i), k)
			if g.bands != nil {
				g.bands[i][k] = g.Window.band(g.masks[i][k])
			}
			for p, word := range g.spread(&g.masks[i][k]) {
				g.planes[i][p][k] = word
			}
		}
	}
	g.canon = make([][]int32, len(g.Layers))
	for l := range g.Layers {
		alike := func(k Layer) bool { return k.Extent == g.Layers[l].Extent }
		if k := slices.IndexFunc(g.Layers, alike); k < l {
			g.canon[l] = g.canon[k]
			continue
		}
		first := map[Bits]int32{{}: -1}
		g.canon[l] = make([]int32, n)
		for i := range n {
			seen := g.masks[i][0].And(g.Layers[l].Extent)
			if _, ok := first[seen]; !ok {
				first[seen] = int32(i)
			}
			g.canon[l][i] = first[seen]
		}
	}
}

// Lookup returns the operator of a name.
func (g *Grammar) Lookup(name string) (Op, bool) {
	op, ok := g.byName[name]
	return op, ok
}

// slot returns which slot has a name, or -1.
func (g *Grammar) slot(name string) int {
	return slices.IndexFunc(g.Slots, func(s Slot) bool { return s.Name == name })
}

// Covers returns whether a rectangle covers each cell of the window under k quarter turns.
func (g *Grammar) Covers(r Rect, k int) []bool {
	covers := make([]bool, g.Window.Side*g.Window.Side)
	mask := g.Window.mask(g.Rects, r, k)
	for i := range covers {
		covers[i] = mask.Has(i)
	}
	return covers
}

// Type returns the type of a node's value.
func (g *Grammar) Type(n Node) Type { return g.shapes[n.Op].result }

// End returns the index just after the subtree that starts at index i.
func (g *Grammar) End(t Tree, i int) int {
	for open := 1; open > 0; i++ {
		open += int(g.shapes[t[i].Op].arity) - 1
	}
	return i
}

// Check returns an error for a genome with a missing or additional tree, a wrong type, a constant
// out of range or a broken prefix order.
func (g *Grammar) Check(ge Genome) error {
	if len(ge) != len(g.Slots) {
		return fmt.Errorf("gp: the genome has %d trees, and the grammar %d slots", len(ge), len(g.Slots))
	}
	for i, t := range ge {
		if err := g.checkTree(t, g.Slots[i].Type); err != nil {
			return fmt.Errorf("%w (slot %q)", err, g.Slots[i].Name)
		}
	}
	return nil
}

// checkTree returns an error for a tree that is not a whole tree of the given type.
func (g *Grammar) checkTree(t Tree, want Type) error {
	if g.untyped && want == g.shapes[0].result && g.isTree(t) {
		return nil
	}
	var room [64]Type
	wanted := append(room[:0], want)
	for i, n := range t {
		if len(wanted) == 0 {
			return fmt.Errorf("gp: %d nodes follow the end of the tree", len(t)-i)
		}
		if int(n.Op) >= len(g.Operators) {
			return fmt.Errorf("gp: node %d has operator number %d of %d", i, n.Op, len(g.Operators))
		}
		s := &g.shapes[n.Op]
		if w := wanted[len(wanted)-1]; s.result != w {
			return fmt.Errorf("gp: node %d, %q, is of type %s where %s is needed", i,
				g.Operators[n.Op].Name, s.result, w)
		}
		if s.constant || n.bits != 0 {
			if err := g.checkConstant(n); err != nil {
				return fmt.Errorf("gp: node %d: %w", i, err)
			}
		}
		wanted = wanted[:len(wanted)-1]
		for a := int(s.arity) - 1; a >= 0; a-- {
			wanted = append(wanted, s.args[a&3])
		}
	}
	if len(wanted) > 0 {
		return fmt.Errorf("gp: the tree ends where a %s is needed", wanted[len(wanted)-1])
	}
	return nil
}

// checkConstant returns an error for an ephemeral constant outside of its range, and for a constant
// in a node of another operator.
func (g *Grammar) checkConstant(n Node) error {
	switch g.Operators[n.Op].Form {
	case Const:
		if v := n.Float(); !(v >= -1 && v <= 1) {
			return fmt.Errorf("const %v is not in -1..1", v)
		}
	case ConstInt:
		if v := n.Float(); !(v >= 0 && v <= 5) || v != float32(int(v)) {
			return fmt.Errorf("constint %v is not a whole number in 0..5", v)
		}
	case RectC:
		if r := n.Rect(); !g.Rects.holds(r) {
			return fmt.Errorf(
				"rect %d %d %d %d: the centre must lie in %d..%d and the sides in 1..%d",
				r.X, r.Y, r.W, r.H, -g.Rects.Centre, g.Rects.Centre, g.Rects.Side)
		}
	default:
		if n.bits != 0 {
			return fmt.Errorf("%q carries a constant", g.Operators[n.Op].Name)
		}
	}
	return nil
}
