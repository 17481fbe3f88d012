package evolve

import (
	"math"
	"testing"

	"clade/engine"
	"clade/gp"
)

// numbers is a game for tests: a genome is a formula of constants, and the two players compare its
// values.
type numbers struct {
	grammar *gp.Grammar
	// beats returns the winner's seat or engine.Tie.
	beats func(a, b float64, random *engine.Random) int
	work  int // rounds of hashing a game
}

func numbersGrammar() *gp.Grammar {
	var ops []gp.Operator
	for _, op := range gp.Shared() {
		switch op.Form {
		case gp.Const, gp.ConstInt, gp.Add, gp.Sub, gp.Mul:
			ops = append(ops, op)
		}
	}
	return gp.MustGrammar(gp.Spec{Slots: []gp.Slot{{Name: "value", Type: gp.Float},
		{Name: "spare", Type: gp.Float}}, Operators: ops})
}

func newNumbers(beats func(a, b float64, random *engine.Random) int) *numbers {
	return &numbers{grammar: numbersGrammar(), beats: beats}
}

// greater is transitive: the greater number wins.
func greater(a, b float64, _ *engine.Random) int {
	switch {
	case a > b:
		return 0
	case b > a:
		return 1
	default:
		return engine.Tie
	}
}

// noisy is greater with noise as large as the numbers.
func noisy(a, b float64, random *engine.Random) int {
	return greater(a+float64(8*random.Float()), b+float64(8*random.Float()), nil)
}

// cyclic is rock, paper, scissors on the circle of numbers modulo 3: half the circle ahead of a
// number beats it.
func cyclic(a, b float64, _ *engine.Random) int {
	d := math.Mod(math.Mod(a-b, 3)+3, 3)
	switch {
	case d == 0 || d == 1.5:
		return engine.Tie
	case d < 1.5:
		return 0
	default:
		return 1
	}
}

func (n *numbers) Info() engine.Info {
	return engine.Info{Name: "numbers", Title: "Numbers", Version: 1, MinSeats: 2, MaxSeats: 2,
		Decisions: 1, Chance: true, Marks: []string{"ones"}}
}

func (n *numbers) Grammar() *gp.Grammar { return n.grammar }

func (n *numbers) Bind(ge gp.Genome) (engine.Player, error) {
	if err := n.grammar.Check(ge); err != nil {
		return nil, err
	}
	v := float64(n.grammar.Walk(ge[0], n.grammar.NewFrame(), 0))
	if v != v {
		v = 0
	}
	return max(-1e6, min(1e6, v)), nil
}

func (n *numbers) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	random := engine.NewRandom(seed)
	a, b := players[0].(float64), players[1].(float64)
	var r engine.Result
	r.Win(n.beats(a, b, &random))
	r.Scores[0], r.Scores[1] = a, b
	r.Marks[0][0], r.Marks[1][0] = 1, 1
	r.Fingerprint = engine.Hash(engine.Hash(seed, math.Float64bits(a)), math.Float64bits(b))
	for range n.work {
		r.Fingerprint = engine.Hash(r.Fingerprint, 1)
	}
	return r
}

// constant returns a genome of one number, for populations of known worth.
func (n *numbers) constant(v float32) gp.Genome {
	op, _ := n.grammar.Lookup("const")
	zero := gp.Tree{gp.ConstNode(op, 0)}
	return gp.Genome{gp.Tree{gp.ConstNode(op, v)}, zero}
}

// small returns settings for quick tests.
func small() Config {
	c := Default()
	c.Population, c.Generations, c.Tournament, c.Boards = 40, 12, 3, 2
	c.Champion = Champion{Against: inside, Candidates: 8, Games: 32, Every: 1}
	c.Probes = Probes{Games: 2, Every: 3}
	c.Checkpoint = 3
	return c
}

func setup(t testing.TB, c Config) Setup {
	t.Helper()
	g := newNumbers(noisy)
	s := Setup{Game: g, Config: c, Seed: 1, Study: []byte("test"),
		Panel: []engine.Player{0.5, 3.0}, Reference: []engine.Player{1.0, 4.0}}
	for i := range c.Founders.Species {
		s.Founders = append(s.Founders, g.constant(float32(i+1)/4))
	}
	return s
}
