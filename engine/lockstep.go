package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"clade/gp"
	"clade/gp/kernels"
)

// Lockstep turns a Stepper into the playing part of a Game. A game embeds it and adds Info. It is
// an Interactive, Recordable, Batcher, Weigher and SpeciesExporter, and makes a game that adds
// Using Accelerated.
//
// In a step the live seats decide in rising order. A decision is the number of the candidate, and
// goes to the fingerprint and to the recorder in that order. Where a recorded number is not a
// possible candidate, or the record has run out, the first possible candidate is taken.
//
// Games between the same genomes, in any number of seats, go side by side where there are kernels
// for the grammar: Steppers fill in up to sixteen decisions of a genome, then the views of all of
// them are drawn at once, and their trees evaluated at once (gp.Views, gp.Batch). Games are played
// one by one where a layer has weights, and where the vocabulary has a Least, a Greatest or a
// CallOperator; for such a vocabulary Executors lists no kernels.
//
// BenchmarkGather, on a Zen 5 with two processors, quiet: in matches of twelve games between
// genomes of some 100 nodes, which fold to small programs, the median of nine runs is 2.8 times the
// scalar games with AVX2 (2.7 to 2.9) and 3.1 times with AVX-512 (3.0 to 3.2); with 300 nodes, 3.4
// and 3.6 times. A third of what is left is the Stepper. On a busy machine games of three gain as
// much, less a tenth. What did not help: boards handed over by pointer; a Draw that is inlined and
// worked out later, which made single games a tenth slower; an argmax in plain Go without branches;
// decisions that are parted by their situations.
type Lockstep struct {
	name       string
	grammar    *gp.Grammar
	offers     []Offer
	situations []gp.Situation
	begin      func() Stepper
	runtime    string // the game's own part of exported programs
	level      kernels.Level
	together   bool      // there are kernels for the grammar
	compasses  []compass // the offers as compasses, if compassesOf finds any
	turned     []bool    // by slot: some offer of the slot has a turn other than 0
	fault      error     // the environment names unknown kernels: no genome can be bound
	tables     sync.Pool // of *table
	batches    sync.Pool // of *stepperBatch
	compilers  sync.Pool // of *gp.Compiler
}

// NewLockstep returns the playing part of the game of the given name. begin makes a Stepper.
// situations make programs shorter, see gp.NewCompiler: the first that holds in a frame is used.
// NewLockstep panics for offers of slots or turns that do not exist, and unless there are 1 to 64
// offers, since those are mistakes of the programmer.
func NewLockstep(name string, g *gp.Grammar, offers []Offer, begin func() Stepper,
	situations ...gp.Situation) *Lockstep {
	if len(offers) == 0 || len(offers) > 64 {
		panic(fmt.Sprintf("engine: %s has %d offers, not 1 to 64", name, len(offers)))
	}
	for i, c := range offers {
		if c.Slot < 0 || c.Slot >= len(g.Slots) || g.Slots[c.Slot].Type != gp.Float ||
			c.Turn < 0 || c.Turn >= gp.Lanes {
			panic(fmt.Sprintf("engine: %s: candidate %d is of slot %d, turn %d", name, i, c.Slot, c.Turn))
		}
	}
	// The last one states nothing, so that some situation always holds.
	situations = append(slices.Clip(situations), gp.Situation{})
	level, fault := kernels.Chosen()
	l := &Lockstep{name: name, grammar: g, offers: offers, situations: situations,
		begin: begin, fault: fault}
	return l.at(level)
}

// at returns the Lockstep with the kernels of a level.
func (l *Lockstep) at(level kernels.Level) *Lockstep {
	at := &Lockstep{name: l.name, grammar: l.grammar, offers: l.offers,
		situations: l.situations, begin: l.begin, runtime: l.runtime, level: level, fault: l.fault}
	_, err := l.grammar.NewViews(level)
	at.together = err == nil
	at.compasses = compassesOf(l.offers)
	at.turned = make([]bool, len(l.grammar.Slots))
	for _, o := range l.offers {
		at.turned[o.Slot] = at.turned[o.Slot] || o.Turn != 0
	}
	at.tables.New = func() any { return at.newTable() }
	at.batches.New = func() any { return at.newBatch() }
	at.compilers.New = func() any { return gp.NewCompiler(at.grammar, at.situations...) }
	return at
}

// At returns the Lockstep with another executor, for the game's Using.
func (l *Lockstep) At(executor string) (*Lockstep, error) {
	level, err := kernels.Choose(executor)
	if err != nil || !slices.Contains(l.Executors(), executor) {
		return nil, fmt.Errorf("%s: no executor %q; there are %s", l.name, executor,
			strings.Join(l.Executors(), ", "))
	}
	at := l.at(level)
	at.fault = nil
	return at, nil
}

// Executors lists "scalar" and the levels of kernels that this machine runs, where there are some
// for the grammar; see gp.Grammar.NewViews for what they lack.
func (l *Lockstep) Executors() []string {
	var names []string
	for _, level := range kernels.Available() {
		if _, err := l.grammar.NewViews(level); level == kernels.Scalar || err == nil {
			names = append(names, level.String())
		}
	}
	return names
}

// Grammar returns the vocabulary.
func (l *Lockstep) Grammar() *gp.Grammar { return l.grammar }

// bred is a player of a Lockstep that Bind made from a genome.
type bred struct{ code *gp.Code }

// Bind compiles a genome.
func (l *Lockstep) Bind(ge gp.Genome) (Player, error) {
	if l.fault != nil {
		return nil, fmt.Errorf("%s: %w", l.name, l.fault)
	}
	c := l.compilers.Get().(*gp.Compiler)
	defer l.compilers.Put(c)
	code, err := c.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.name, err)
	}
	return &bred{code}, nil
}

// GenomeEntry returns the entry of a built-in player that is a genome, in the text form of
// gp.Grammar.Parse; it explains its decisions and has trees to show, as evolved players do. It
// panics for a text that is not a genome.
func (l *Lockstep) GenomeEntry(name, about, text string) Entry {
	ge, err := l.grammar.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("%s: %s: %v", l.name, name, err))
	}
	e := PlainEntry(l.name, name, about, func() (Player, error) { return l.Bind(ge) })
	e.Genome = func() (gp.Genome, error) { return ge, nil }
	return e
}

// Recording returns a player that makes recorded decisions in order.
func (l *Lockstep) Recording(decisions []uint64) Player { return &recorded{decisions} }

type recorded struct{ left []uint64 }

func (r *recorded) Choose(Stepper, int) int {
	if len(r.left) == 0 {
		return -1
	}
	d := r.left[0]
	r.left = r.left[1:]
	return int(min(d, 64)) // no candidate has the number 64
}

// table is the memory of one game under way.
type table struct {
	game   Stepper
	frames [MaxSeats]*gp.Frame
	chosen [MaxSeats]int
	values []gp.Quad // by slot
}

func (l *Lockstep) newTable() *table {
	return &table{game: l.begin(), values: make([]gp.Quad, len(l.grammar.Slots))}
}

// Play plays one game. It panics for players of another game.
func (l *Lockstep) Play(players []Player, seed uint64, rec Recorder) Result {
	if AnyExternal(players) {
		return PlayExternal(named{l}, players, seed, func(seated []Player) Result {
			return l.Play(seated, seed, rec)
		})
	}
	t := l.tables.Get().(*table)
	defer l.tables.Put(t)
	for seat, p := range players {
		if t.frames[seat] == nil {
			t.frames[seat] = l.grammar.NewFrame()
		}
		t.frames[seat].For(nil)
		switch p := p.(type) {
		case *bred:
			p.code.Load(t.frames[seat])
			t.frames[seat].For(p.code)
		case *stepperWeigher:
			p.code.Load(t.frames[seat])
		}
	}
	g, print, drawn := t.game, seed, looks(rec)
	g.Begin(len(players), seed)
	if drawn {
		rec.Step(g.Scene())
	}
	for live := g.Live(); live != 0; live = g.Live() {
		for left := live; left != 0; left &= left - 1 {
			seat := bits.TrailingZeros32(left)
			t.chosen[seat] = l.decide(t, players[seat], seat)
		}
		for left := live; left != 0; left &= left - 1 {
			seat := bits.TrailingZeros32(left)
			print = Hash(print, uint64(t.chosen[seat]))
			if rec != nil {
				rec.Decide(seat, uint64(t.chosen[seat]))
			}
		}
		g.Step(&t.chosen)
		if drawn {
			rec.Step(g.Scene())
		}
	}
	r := g.Result()
	r.Fingerprint = print
	return r
}

// decide returns the candidate that a player chooses.
func (l *Lockstep) decide(t *table, p Player, seat int) int {
	f := t.frames[seat]
	possible := t.game.Sense(seat, f)
	switch p := p.(type) {
	case *bred:
		l.evaluate(p.code, f, t.values)
		return Greatest(l.offers, possible, t.values)
	case *stepperWeigher:
		l.evaluate(p.code, f, t.values)
		return p.told(l, t, seat, possible)
	case *stepperAgent:
		return p.choose(t.game, seat, f, possible)
	case Chooser:
		chosen := p.Choose(t.game, seat)
		if chosen < 0 || chosen >= len(l.offers) || possible>>chosen&1 == 0 {
			chosen = bits.TrailingZeros64(possible)
		}
		if k, ok := p.(*stepperThinker); ok {
			k.told(l, t, seat, possible, chosen)
		}
		return chosen
	default:
		panic(fmt.Sprintf("%s: a %T is not a player of this game", l.name, p))
	}
}

// evaluate computes the values of all slots in a frame.
func (l *Lockstep) evaluate(code *gp.Code, f *gp.Frame, values []gp.Quad) {
	situation := 0
	for !l.situations[situation].Holds(f) {
		situation++
	}
	for slot := range values {
		if l.turned[slot] {
			code.Eval(slot, situation, f, &values[slot])
		} else {
			values[slot][0] = code.EvalLane(slot, situation, 0, f)
		}
	}
}
