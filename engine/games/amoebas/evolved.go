package amoebas

import (
	"fmt"
	"math"
	"math/bits"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// Bind implements engine.Game: the player is an evolved decider.
//
// Its candidates come in this order: rest; then, clockwise from a random direction, the legal move,
// hit and division in each direction. Hitting friends is no candidate, because species to which it
// was offered lost all hitting by selection. The candidate of the greatest utility is taken, the
// first among equals; a utility that is not a number loses to all others.
func (g *game) Bind(genome gp.Genome) (engine.Player, error) {
	if g.fault != nil {
		return nil, fmt.Errorf("amoebas: %w", g.fault)
	}
	c := g.compilers.Get().(*gp.Compiler)
	defer g.compilers.Put(c)
	code, err := c.Compile(genome)
	if err != nil {
		return nil, fmt.Errorf("amoebas: %w", err)
	}
	e := &evolved{words: g.words, code: code, memory: g.settings.Memory, level: kernels.Scalar}
	if g.lockstep() {
		e.level = g.level
	}
	for _, tree := range genome {
		for _, n := range tree {
			if op := &g.grammar.Operators[n.Op]; op.Form == gp.Scalar &&
				op.Index >= numCounts {
				e.reads |= 1 << op.Index
			}
		}
	}
	for i := range g.words.layers {
		if g.words.weighted>>i&1 != 0 && code.Weighs(i) {
			e.weighs |= 1 << i
		}
	}
	return e, nil
}

// evolved decides by a genome.
type evolved struct {
	words  *vocabulary
	code   *gp.Code
	memory bool
	// of kernels that this genome and these settings allow
	level kernels.Level
	// what the code reads: the set of scalars after View.counts, and that of layers with weights
	reads  uint64
	weighs uint32
	report func(*engine.Choice) // called with each choice, if not nil
}

// Bits of a situation. The compiler makes code for each combination.
const (
	noHostile = 1 << iota
	noFriend
	numSituations
)

// scratch is memory for the decisions of one seat's evolved function.
type scratch struct {
	words     *vocabulary
	level     kernels.Level
	loaded    *gp.Code // whose constants are in the frame
	situation int
	utilities [numSlots]gp.Quad
	frame     *gp.Frame
	*single   // in the frame's place where there are kernels
}

func newScratch(e *evolved, w *world, seat int) *scratch {
	m := &scratch{words: e.words, level: e.level}
	if solo, err := e.words.NewSolo(e.level); err == nil {
		m.single = newSingle(solo, e.words, w, seat)
	} else {
		m.frame = e.words.NewFrame()
	}
	return m
}

func (e *evolved) Act(v *view) action {
	m := v.minds[v.Species]
	if m == nil || m.words != e.words || m.level != e.level {
		m = newScratch(e, v.w, v.Species)
		v.minds[v.Species] = m
	}
	if m.level == kernels.AVX512 {
		return e.decide(v, m)
	}
	occupied, friends := v.amoebas()
	may := v.w.constants.legal(v.Energy, occupied, friends)
	if may == 0 && !e.memory {
		return action{}
	}
	if m.single != nil {
		e.sketch(v, m, occupied, friends)
		m.solo.Eval(may.slots(), m.situation, m.utilities[:])
		return chosen(pickOne(m.level, &m.utilities, may), v.Random.Below(8))
	}
	e.fill(v, m, occupied, friends)
	e.evaluate(m, may)
	start := v.Random.Below(8)
	a := choose(&m.utilities, may, start)
	if e.report != nil {
		e.report(e.choice(v, m, may, start, a))
	}
	if e.memory {
		a.Data = toData(m.utilities[slotMemory][0])
		a.ChildData = a.Data
	}
	return a
}

// options is a set of actions: bit d is a move, 8+d a hit, 16+d a division in direction d. Moves
// and divisions lead to free cells and hits to occupied ones, so a direction has either a hit, or a
// move, a division or both.
type options uint32

const (
	hitsAt      = 8 // the first bit of the hits
	divisionsAt = 16
)

// all returns the directions in which there is an action.
func (o options) all() directions { return directions(o | o>>hitsAt | o>>divisionsAt) }

// command returns what the set has in a direction: the move where it has a move and a division.
func (o options) command(d direction) command {
	switch o >> d & (1 | 1<<hitsAt) {
	case 0:
		return doDivide
	case 1:
		return doMove
	}
	return doHit
}

// legal returns what an amoeba may do, other than rest.
func (c *constants) legal(energy int, occupied, friends cellSet) (may options) {
	open := options(^occupied.ring())
	if energy >= c.MoveEnergy {
		may = open
	}
	if energy >= c.AttackEnergy {
		may |= options((occupied &^ friends).ring()) << hitsAt
	}
	if energy >= c.MinDivideEnergy {
		may |= open << divisionsAt
	}
	return may
}

// evaluate computes the utilities of the slots that have a legal candidate.
func (e *evolved) evaluate(m *scratch, may options) {
	m.utilities[slotRest][0] = e.code.EvalLane(slotRest, m.situation, 0, m.frame)
	for slot := slotMove; may != 0; may, slot = may>>8, slot+2 {
		if directions(may)&^diagonals != 0 {
			e.code.Eval(slot, m.situation, m.frame, &m.utilities[slot])
		}
		if directions(may)&diagonals != 0 {
			e.code.Eval(slot+1, m.situation, m.frame, &m.utilities[slot+1])
		}
	}
	if e.memory {
		m.utilities[slotMemory][0] = e.code.EvalLane(slotMemory, m.situation, 0, m.frame)
	}
}

// choose returns the legal candidate of the greatest utility. The tree of a direction sees the
// world turned so that the direction points to north or northwest.
func choose(utilities *[numSlots]gp.Quad, may options, start int) action {
	best, most := action{}, utilities[slotRest][0]
	if most != most {
		most = float32(math.Inf(-1))
	}
	moves, hits, divisions := directions(may) != 0, directions(may>>hitsAt),
		directions(may>>divisionsAt) != 0
	some := bits.RotateLeft8(uint8(may.all()), -start)
	for ; some != 0; some &= some - 1 {
		d := direction(bits.TrailingZeros8(some)+start) & 7
		slot, turns := slotMove+1-int(d&1), d>>1
		if hits.has(d) {
			if u := utilities[slot+slotHit-slotMove][turns]; u > most {
				best, most = action{Command: doHit, Direction: d}, u
			}
			continue
		}
		if moves {
			if u := utilities[slot][turns]; u > most { // never where u is not a number
				best, most = action{Command: doMove, Direction: d}, u
			}
		}
		if divisions {
			if u := utilities[slot+slotDivide-slotMove][turns]; u > most {
				best, most = action{Command: doDivide, Direction: d}, u
			}
		}
	}
	return best
}

// maxMemory bounds the data of an evolved function, so that their sum over a view stays exact in an
// int32.
const maxMemory = 1 << 24

// toData turns the value of the memory slot into data, which trees read back in the same unit.
func toData(u float32) datum {
	return datum(math.Round(min(max(float64(orZero(u))/unitData, -maxMemory), maxMemory)))
}

func orZero(u float32) float32 {
	if u != u {
		return 0
	}
	return u
}

// fill draws into the frame as much of the view as the code reads.
func (e *evolved) fill(v *view, m *scratch, occupied, friends cellSet) {
	w, f := v.w, m.frame
	if m.loaded != e.code {
		e.code.Load(f)
		m.loaded = e.code
	}
	for i, n := range v.counts() {
		f.SetScalar(i, float32(n)*e.words.scalars[i].unit)
	}
	for reads := e.reads; reads != 0; reads &= reads - 1 {
		i := bits.TrailingZeros64(reads)
		f.SetScalar(i, e.words.scalars[i].value(v))
	}
	sets := grouped(w.sight, occupied, friends)
	m.situation = situation(sets[groupHostiles], friends)
	for i := range e.words.layers {
		r := &e.words.layers[i]
		cells := sets[r.among]
		f.Layers[i] = cells.bits()
		if cells != 0 && e.weighs>>i&1 != 0 {
			v.weigh(f, i, r.weight, cells)
		}
	}
}

// situation returns the situation of a view.
func situation(hostiles, friends cellSet) (s int) {
	if hostiles == 0 {
		s |= noHostile
	}
	if friends == own {
		s |= noFriend
	}
	return s
}

// weigh sets the weights of a layer's cells.
func (v *view) weigh(f *gp.Frame, layer, by int, cells cellSet) {
	w := v.w
	if rows := f.Rows[layer]; rows != nil {
		plane, at, seen := w.weights(by), v.cell+int(w.g.view[0]), w.sightRows
		if cells != w.sight {
			seen = cells.rows()
		}
		for y := range seen {
			seen[y] &= word(plane, at)
			at += w.g.pitch
		}
		rows.Set(&seen)
		return
	}
	weights, of := f.Weights[layer], weightings[by].of
	for rest := uint64(cells); rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		weights[i] = of(w, w.g.home(v.cell+int(w.g.view[i])))
	}
}

// weights returns the plane of a weight that is a byte.
func (w *world) weights(by int) []uint8 {
	if by == weightFuel {
		return w.fuel
	}
	return w.plane(by - weightEnergy + planeEnergy)
}

// bits returns the set as cells of the grammar's window, which are numbered alike.
func (c cellSet) bits() gp.Bits { return gp.Bits{Low: uint64(c)} }

// fromData returns data as trees read it, in units of unitData.
func fromData(d datum) int32 { return int32(min(max(d, -maxMemory), maxMemory)) }
