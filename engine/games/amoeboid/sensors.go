package amoeboid

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"clade/engine"
	"clade/gp"
)

// The layers of a frame: cells around the moved piece, in the position after the move. Each but the
// empty one weighs a cell by its piece's size.
const (
	layerOwn     = iota // the mover's pieces
	layerEnemy          // the other player's
	layerNeutral        // nobody's
	layerEmpty          // cells of the board without a piece
	// enemy pieces that could eat the moved piece after their best roll, if they stood next to it
	layerHunters
	layerEndangered // the mover's pieces that stand next to such an enemy of their own
	numLayers
)

// The scalars of a frame, all of the position after the move and seen by the mover. Sizes are in
// units.
const (
	scalarRoll     = iota
	scalarSize     // the piece where the move ended
	scalarUnits    // the mover's units in it
	scalarForeign  // the other player's units in it
	scalarLeft     // size of what stayed behind
	scalarEaten    // size of what stood there before, growth not counted
	scalarLead     // first advantage: own units less the other's
	scalarControl  // second advantage: sizes of own pieces less sizes of the other's
	scalarMine     // sum of the sizes of own pieces
	scalarTheirs   // sum of the sizes of the other's pieces
	scalarMyCount  // own pieces
	scalarTheirCnt // the other's pieces
	scalarNeutral  // neutral pieces
	scalarRoom     // empty cells
	// size of the largest enemy piece next to the moved piece that could eat it after its best
	// roll, 0 without and where the piece is not the mover's
	scalarThreat
	// size of the largest own piece that an enemy next to it could eat after its best roll, 0
	// without
	scalarExposed
	// size of the largest enemy piece next to an own piece of at least its size, 0 without
	scalarPrey
	scalarTheirMost // size of the largest enemy piece
	// size of the largest own piece that an enemy next to it could eat at once, 0 without: the mean
	// over its rolls
	scalarRisk
	scalarHope // the same of the enemy's pieces, if the mover rolled next
	numScalars
)

// The flags of a frame.
const (
	flagWins     = iota // the move ends the game and the mover has won
	flagLoses           // the move ends the game and the mover has lost
	flagWhole           // nothing stayed behind
	flagDiagonal        // the move was diagonal
	flagEats            // the move ate an enemy piece
	flagMerges          // the move joined an own piece
	flagMineNow         // the piece where the move ended is the mover's
	numFlags
)

// slots of a genome: one, the worth of a candidate.
const slotMove = 0

// vocabulary is the grammar of all boards, so that a species bred on one can play on another.
var vocabulary = sync.OnceValue(func() *gp.Grammar {
	names := [numLayers]string{"own", "enemy", "neutral", "empty", "hunter", "endangered"}
	spec := gp.Spec{
		Slots:     []gp.Slot{{Name: "move", Type: gp.Float}},
		Operators: gp.Shared(),
		Scalars:   numScalars,
		Flags:     numFlags,
		Window:    gp.Window{Side: 11},
		Rects:     gp.RectRange{Centre: 3, Side: 7, SideSum: 14},
	}
	add := func(op gp.Operator) { spec.Operators = append(spec.Operators, op) }
	for i, name := range [numScalars]string{
		"roll", "size", "units", "foreign", "left", "eaten", "lead", "control", "mine", "theirs",
		"myPieces", "theirPieces", "neutrals", "room", "threat", "exposed", "prey", "theirLargest",
		"risk", "hope",
	} {
		add(gp.ScalarSensor(name, i))
	}
	for i, name := range [numFlags]string{"wins?", "loses?", "whole?", "diagonal?", "eats?",
		"merges?", "mineNow?"} {
		add(gp.FlagSensor(name, i))
	}
	for i, name := range names {
		layer := gp.Layer{Name: name, Unit: 1}
		if i == layerEmpty {
			layer.Unit = 0
		}
		spec.Layers = append(spec.Layers, layer)
		add(gp.AreaSensor(name+"?", gp.Any, i))
		add(gp.AreaSensor(name+"-count", gp.Count, i))
		if i == layerOwn || i == layerEnemy || i == layerNeutral {
			add(gp.AreaSensor(name+"-mass", gp.Sum, i))
		}
		if i == layerHunters || i == layerEnemy || i == layerEndangered {
			add(gp.AreaSensor(name+"-largest", gp.Greatest, i))
		}
	}
	return gp.MustGrammar(spec)
})

// Grammar returns the vocabulary: sensors of the position after a candidate move, around the piece
// where it ended, turned so that it came from below.
func (g *Game) Grammar() *gp.Grammar { return vocabulary() }

// species is an evolved player: it makes the move of the menu that its tree values most.
type species struct {
	code *gp.Code
	use  use
}

// use is what a genome's sensors read of what costs time to find: most genomes read little.
type use struct {
	layers [numLayers]bool
	hunted bool // which own pieces may be eaten
	hunts  bool // which pieces of the enemy may be eaten
}

// useOf finds what a genome uses.
func useOf(ge gp.Genome) use {
	var u use
	for _, tree := range ge {
		for _, node := range tree {
			switch op := vocabulary().Operators[node.Op]; op.Form {
			case gp.Any, gp.Count, gp.Sum, gp.Greatest:
				u.layers[op.Index] = true
			case gp.Scalar:
				u.hunted = u.hunted || op.Index == scalarThreat || op.Index == scalarExposed ||
					op.Index == scalarRisk
				u.hunts = u.hunts || op.Index == scalarPrey || op.Index == scalarHope
			}
		}
	}
	u.hunted = u.hunted || u.layers[layerEndangered]
	return u
}

// Bind compiles a genome into a player.
func (g *Game) Bind(ge gp.Genome) (engine.Player, error) {
	compiler := g.compile.Get().(*gp.Compiler)
	defer g.compile.Put(compiler)
	code, err := compiler.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("amoeboid: genome does not fit: %w", err)
	}
	return &species{code, useOf(ge)}, nil
}

// Choose evaluates the menu from a random place in it, so that ties favour no direction. A value
// that is not a number counts as the least.
func (s *species) Choose(t *Turn) Move {
	p := &t.Position
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	if len(t.moves) == 1 {
		return t.moves[0]
	}
	s.code.Load(t.frame)
	first := t.Random.Below(len(t.moves))
	best, choice := float32(math.Inf(-1)), first
	for i := range t.moves {
		k := first + i
		if k >= len(t.moves) {
			k -= len(t.moves)
		}
		lane := t.sense(t.moves[k], &s.use)
		if v := s.code.EvalLane(slotMove, 0, lane, t.frame); v > best {
			best, choice = v, k
		}
	}
	return t.moves[choice]
}

// compass tells by how many quarter turns clockwise a move away from straight up (or up and to the
// right) points, and whether it is diagonal.
func compass(dx, dy int) (turns int, diagonal bool) {
	diagonal = dx != 0 && dy != 0
	switch {
	case dx >= 0 && dy < 0:
		return 0, diagonal
	case dx > 0:
		return 1, diagonal
	case dy > 0:
		return 2, diagonal
	default:
		return 3, diagonal
	}
}

// sense fills the frame with the position after a move, as far as it is used, and returns the lane
// in which it is turned as the move went.
func (t *Turn) sense(m Move, u *use) (lane int) {
	p, f := &t.Position, t.frame
	seat := p.Turn()
	eats := p.owned[1-seat] >> m.To & 1
	merges := p.owned[seat] >> m.To & 1
	// on a line of its own: the order of a read and a call in one is not defined
	before := p.cells[m.To]
	moved := p.try(m, t.Roll)
	lane, diagonal := compass(t.Graph.at[m.To].X-t.Graph.at[m.From].X,
		t.Graph.at[m.To].Y-t.Graph.at[m.From].Y)
	piece, left := p.cells[m.To], p.cells[m.From].Size()

	f.SetScalar(scalarRoll, float32(t.Roll))
	f.SetScalar(scalarSize, float32(piece.Size()))
	f.SetScalar(scalarUnits, float32(piece[seat]))
	f.SetScalar(scalarForeign, float32(piece[1-seat]))
	f.SetScalar(scalarLeft, float32(left))
	f.SetScalar(scalarEaten, float32(before.Size()))
	over, won := p.owned[A] == 0 || p.owned[B] == 0, p.owned[seat] != 0
	setFlag(f, flagWins, over && won)
	setFlag(f, flagLoses, over && !won && p.owned[1-seat] != 0)
	setFlag(f, flagWhole, left == 0)
	setFlag(f, flagDiagonal, diagonal)
	setFlag(f, flagEats, eats != 0)
	setFlag(f, flagMerges, merges != 0)
	setFlag(f, flagMineNow, p.owned[seat]>>m.To&1 != 0)
	t.look(seat, int(m.To), u)
	p.back(m, moved)
	return lane
}

func setFlag(f *gp.Frame, flag int, on bool) {
	f.Flags[flag] = 0
	if on {
		f.Flags[flag] = 1<<gp.Lanes - 1
	}
}

// tally sums over the board what the scalars tell.
type tally struct {
	mine, theirs, units     int32
	threat, exposed, prey   int32
	largest                 int32
	myCount, theirCnt, rest int
	risk, hope              prospect
}

// prospect is the size of the largest piece that may be eaten from each roll on, by roll.
type prospect [21]int32

// offer tells that a piece may be eaten by a hunter of a size next to it, if the roll makes up what
// the hunter lacks. The die has at most 20 sides.
func (p *prospect) offer(prey, hunter int32) {
	if need := max(1, prey-hunter); need < int32(len(p)) {
		p[need] = max(p[need], prey)
	}
}

// mean averages over the rolls of a die.
func (p *prospect) mean(die int) float32 {
	var largest, sum int32
	for _, prey := range p[1 : die+1] {
		largest = max(largest, prey)
		sum += largest
	}
	return float32(sum) / float32(die)
}

// look draws the layers around a cell and sets the scalars that sum over the board, as far as
// they are used.
func (t *Turn) look(seat, center int, u *use) {
	p, f, g := &t.Position, t.frame, t.Graph
	for l, used := range u.layers {
		if used {
			f.Layers[l] = gp.Bits{}
		}
	}
	var n tally
	size := p.cells[center].Size()
	for c := range g.n {
		window := t.window[center*g.n+c]
		piece := p.cells[c]
		s := piece.Size()
		n.units += piece[seat] - piece[1-seat]
		switch {
		case s == 0:
			t.mark(u, layerEmpty, window, 0)
		case p.owned[seat]>>c&1 != 0:
			n.mine += s
			n.myCount++
			t.mark(u, layerOwn, window, s)
			if !u.hunted {
				continue
			}
			enemy := p.danger(g, c, seat)
			if enemy > 0 && enemy+int32(t.Die) >= s {
				n.exposed = max(n.exposed, s)
				n.risk.offer(s, enemy)
				t.mark(u, layerEndangered, window, s)
				if c == center {
					n.threat = enemy
				}
			}
		case p.owned[1-seat]>>c&1 != 0:
			n.theirs += s
			n.theirCnt++
			n.largest = max(n.largest, s)
			t.mark(u, layerEnemy, window, s)
			if s+int32(t.Die) >= size {
				t.mark(u, layerHunters, window, s)
			}
			if !u.hunts {
				continue
			}
			if hunter := p.danger(g, c, 1-seat); hunter > 0 {
				n.hope.offer(s, hunter)
				if hunter >= s {
					n.prey = max(n.prey, s)
				}
			}
		default:
			n.rest++
			t.mark(u, layerNeutral, window, s)
		}
	}
	f.SetScalar(scalarLead, float32(n.units))
	f.SetScalar(scalarControl, float32(n.mine-n.theirs))
	f.SetScalar(scalarMine, float32(n.mine))
	f.SetScalar(scalarTheirs, float32(n.theirs))
	f.SetScalar(scalarMyCount, float32(n.myCount))
	f.SetScalar(scalarTheirCnt, float32(n.theirCnt))
	f.SetScalar(scalarNeutral, float32(n.rest))
	f.SetScalar(scalarRoom, float32(g.n-bits.OnesCount64(p.filled)))
	f.SetScalar(scalarThreat, float32(n.threat))
	f.SetScalar(scalarExposed, float32(n.exposed))
	f.SetScalar(scalarPrey, float32(n.prey))
	f.SetScalar(scalarTheirMost, float32(n.largest))
	f.SetScalar(scalarRisk, n.risk.mean(t.Die))
	f.SetScalar(scalarHope, n.hope.mean(t.Die))
}

// mark puts a cell of the window on a layer with its weight; outside the window, or where nobody
// looks at the layer, it does nothing.
func (t *Turn) mark(u *use, layer int, window int8, weight int32) {
	if window < 0 || !u.layers[layer] {
		return
	}
	t.frame.Layers[layer].Set(int(window))
	if w := t.frame.Weights[layer]; w != nil {
		w[window] = weight
	}
}

// windows numbers, for each cell as the middle, the window's cell of every cell of the board, -1
// outside.
func windows(g *Graph) []int8 {
	w := vocabulary().Window
	table := make([]int8, g.n*g.n)
	for center := range g.n {
		for c := range g.n {
			d := g.at[c].Sub(g.at[center])
			i, ok := w.Cell(d.X, d.Y)
			if !ok {
				i = -1
			}
			table[center*g.n+c] = int8(i)
		}
	}
	return table
}
