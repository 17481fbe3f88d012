// Package multiplexer is the Boolean 11-multiplexer: from three address bits and eight data bits a
// tree is to find the data bit that the address names, in all 2,048 cases. It breeds nothing, and
// with one seat it compares no players.
//
// The problem is Koza's (Genetic Programming, MIT Press, 1992, chapter 7.4), with ECJ's function
// set (Luke and others, version 28, ec/app/multiplexer): and, or, not, if.
package multiplexer

import (
	_ "embed"
	"fmt"
	"math/bits"
	"sync"

	"clade/engine"
	"clade/gp"
	"clade/gp/export"
	"clade/gp/kernels"
)

// Numbers of the problem.
const (
	addressBits = 3
	dataBits    = 1 << addressBits
	inputs      = addressBits + dataBits // a0, a1, a2, d0, ..., d7; bit i of a case is input i
	cases       = 1 << inputs
	words       = cases / 64 // case n is bit n mod 64 of word n/64
)

// table is a Boolean function: its value in each case.
type table [words]uint64

// inputTables holds the values of each input, wanted those of the multiplexer.
var inputTables, wanted = makeTables()

func makeTables() (in [inputs]table, wanted table) {
	for n := range cases {
		for i := range in {
			in[i][n/64] |= uint64(n>>i&1) << (n % 64)
		}
		address := n & (dataBits - 1)
		wanted[n/64] |= uint64(n>>(addressBits+address)&1) << (n % 64)
	}
	return in, wanted
}

// game is the problem; it has no parameters.
type game struct {
	grammar *gp.Grammar
	kernel  func(t gp.Tree, r *registers) *table
	fault   error     // the environment names kernels that do not exist; Bind returns it
	scratch sync.Pool // of *registers
}

// New returns the game with the kernels that the environment names, else the best; see package
// kernels.
func New() engine.Game {
	level, err := kernels.Chosen()
	g := newGame(level)
	g.fault = err
	return g
}

// newGame returns the game with kernels of a level.
func newGame(level kernels.Level) *game {
	g := &game{grammar: gp.MustGrammar(vocabulary()), kernel: kernelOf(level)}
	g.scratch.New = func() any { return newRegisters(256) }
	return g
}

func (g *game) Info() engine.Info {
	return engine.Info{
		Name: "multiplexer", Title: "11-multiplexer",
		About: "three bits name one of eight others: a benchmark of genetic programming",
		Rules: "A program is asked 2,048 times for one of eight bits. Three further bits say " +
			"which one is wanted. Each square is such a case, the bits written as a number " +
			"from the upper left. The program is the better the more it answers rightly. " +
			"Nobody else plays.",
		Version: 1, MinSeats: 1, MaxSeats: 1, Decisions: words,
		Scores: engine.Bounds{Most: cases}, Halves: true,
	}
}

func (g *game) Grammar() *gp.Grammar { return g.grammar }

// Operators, by their place in the vocabulary. The conditional is foreign, because that of gp is on
// Floats.
const (
	opAnd gp.Op = iota
	opOr
	opNot
	opIf
	firstInput
)

func vocabulary() gp.Spec {
	two := []gp.Type{gp.Bool, gp.Bool}
	s := gp.Spec{
		Slots: []gp.Slot{{Name: "output", Type: gp.Bool}},
		Operators: []gp.Operator{
			opAnd: {Name: "and", Form: gp.And, Result: gp.Bool, Args: two, About: "both hold"},
			opOr: {Name: "or", Form: gp.Or, Result: gp.Bool, Args: two,
				About: "at least one of two holds"},
			opNot: {Name: "not", Form: gp.Not, Result: gp.Bool, Args: two[:1],
				About: "the argument does not hold"},
			opIf: {Name: "if", Form: gp.Foreign, Result: gp.Bool,
				Args:  []gp.Type{gp.Bool, gp.Bool, gp.Bool},
				About: "the second argument where the first holds, else the third"},
		},
		Flags: inputs,
	}
	for i := range inputs {
		name, about := fmt.Sprintf("a%d", i), fmt.Sprintf("bit %d of the address is set", i)
		if i >= addressBits {
			name = fmt.Sprintf("d%d", i-addressBits)
			about = fmt.Sprintf("data line %d is set", i-addressBits)
		}
		s.Operators = append(s.Operators, gp.FlagSensor(name, i).Saying(about))
	}
	return s
}

func (g *game) Bind(ge gp.Genome) (engine.Player, error) {
	if g.fault != nil {
		return nil, fmt.Errorf("multiplexer: %w", g.fault)
	}
	if err := g.grammar.Check(ge); err != nil {
		return nil, fmt.Errorf("multiplexer: %w", err)
	}
	return &program{ge[0]}, nil
}

// Play asks the player for all cases. A decision holds the answers to 64 of them. It panics unless
// there is one player, of this game.
func (g *game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) != 1 {
		panic(fmt.Sprintf("multiplexer: a game needs 1 player, not %d", len(players)))
	}
	var answers *table
	switch p := players[0].(type) {
	case *program:
		r := g.scratch.Get().(*registers)
		defer g.scratch.Put(r)
		answers = p.run(r, g.kernel)
	case *table:
		answers = p
	default:
		panic(fmt.Sprintf("multiplexer: a %T is not a player of this game", p))
	}
	if rec != nil {
		show(answers, rec)
	}
	right := 0
	result := engine.Result{Steps: words, Fingerprint: seed}
	for i, a := range answers {
		right += bits.OnesCount64(^(a ^ wanted[i]))
		result.Fingerprint = engine.Hash(result.Fingerprint, a)
	}
	result.Scores[0] = float64(right)
	if right == cases {
		result.Win(0)
	}
	return result
}

// Recording returns a player that gives recorded answers, and false after their end.
func (g *game) Recording(decisions []uint64) engine.Player {
	var t table
	copy(t[:], decisions)
	return &t
}

// Players lists the one built-in player.
func (g *game) Players() []engine.Entry {
	return []engine.Entry{engine.PlainEntry("multiplexer", "perfect",
		"a tree that is right in all cases", g.perfect)}
}

const perfectText = `(if a2
  (if a1 (if a0 d7 d6) (if a0 d5 d4))
  (if a1 (if a0 d3 d2) (if a0 d1 d0)))`

func (g *game) perfect() (engine.Player, error) {
	ge, err := g.grammar.Parse(perfectText)
	if err != nil {
		return nil, fmt.Errorf("multiplexer: %w", err)
	}
	return g.Bind(ge)
}

//go:embed export/player.go
var playerText string

// Targets lists the languages of every game.
func (g *game) Targets() []export.Target { return export.Languages() }

// Export writes a tree as a program.
func (g *game) Export(ge gp.Genome, by export.Origin, target string) (string, error) {
	return export.Write(export.World{Grammar: g.grammar, Runtime: playerText, If: "if"}, ge, by,
		target)
}

// rule is what an operator does: where the stack's top value a is true the result is b, else c. A
// leaf's b and c are its input. So all operators are the same instructions, a stays in processor
// registers, and a kernel's only branch is its loop. The kernels know the layout.
type rule struct {
	b, c operand
	grow int64 // of the stack, in bytes
	_    [3]int64
}

// operand is the table at the byte top&mask + offset, where top is the byte of the stack's top
// value.
type operand struct{ mask, offset int64 }

const tableBytes = 8 * words

func fixed(table int) operand { return operand{0, tableBytes * int64(table)} }

func below(slots int64) operand { return operand{-1, -tableBytes * slots} }

// rules are those of the operators, by their place in the vocabulary.
var rules = makeRules()

func makeRules() (r [int(firstInput) + inputs]rule) {
	r[opAnd] = rule{b: below(1), c: fixed(never), grow: -tableBytes}
	r[opOr] = rule{b: fixed(always), c: below(1), grow: -tableBytes}
	r[opNot] = rule{b: fixed(never), c: fixed(always)}
	r[opIf] = rule{b: below(1), c: below(2), grow: -2 * tableBytes}
	for i := range inputs {
		r[int(firstInput)+i] = rule{b: fixed(i), c: fixed(i), grow: tableBytes}
	}
	return r
}
