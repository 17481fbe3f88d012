// Package santafe is the artificial ant on the Santa Fe trail: one ant eats food along a broken
// trail on a torus of 32 x 32 cells. It breeds nothing, and with one seat it compares no players.
//
// The problem is Koza's (Genetic Programming, MIT Press, 1992, chapter 7.2) on Langton's trail; the
// details are those of ECJ (Luke and others, version 28, ec/app/ant), so that runs can be compared:
// 400 actions, turns count as actions, and food on which the last action ends is not eaten.
package santafe

import (
	"fmt"
	"sync"

	"clade/engine"
	"clade/gp"
)

// game is the ant's task; it has no parameters.
type game struct {
	grammar *gp.Grammar
	worlds  sync.Pool // of *world: scratch for one running game
	compile sync.Pool // of *compiler
}

// New returns the game.
func New() engine.Game {
	g := &game{grammar: gp.MustGrammar(vocabulary())}
	g.worlds.New = func() any { return new(world) }
	g.compile.New = func() any { return &compiler{g: g.grammar} }
	return g
}

func (g *game) Info() engine.Info {
	return engine.Info{
		Name: "santafe", Title: "Santa Fe trail",
		About: "one ant eats food along a broken trail: a benchmark of genetic programming",
		Rules: "An ant follows a trail of food over a board whose edges meet. It can turn left, " +
			"turn right or go ahead, 400 times in all. It senses only whether food lies in " +
			"the square before it. The trail has gaps, and they grow wider. The ant is the " +
			"better the more it has eaten.",
		Version: 1, MinSeats: 1, MaxSeats: 1, Decisions: words, Hidden: true,
		Scores: engine.Bounds{Most: pieces}, Halves: true,
	}
}

func (g *game) Grammar() *gp.Grammar { return g.grammar }

// Operators, by their place in the vocabulary.
const (
	opLeft gp.Op = iota
	opRight
	opMove
	opIfFoodAhead
	opProgn2
	opProgn3
)

// vocabulary returns Koza's function set. Its functions have no values; Float is a stand-in for
// their one type.
func vocabulary() gp.Spec {
	two, three := []gp.Type{gp.Float, gp.Float}, []gp.Type{gp.Float, gp.Float, gp.Float}
	operator := func(name string, args []gp.Type, about string) gp.Operator {
		return gp.Operator{Name: name, Form: gp.Foreign, Result: gp.Float, Args: args, About: about}
	}
	return gp.Spec{
		Slots: []gp.Slot{{Name: "ant", Type: gp.Float}},
		Operators: []gp.Operator{
			opLeft:  operator("left", nil, "the ant turns to the left"),
			opRight: operator("right", nil, "the ant turns to the right"),
			opMove:  operator("move", nil, "the ant goes one cell ahead and eats what is there"),
			opIfFoodAhead: operator("if-food-ahead", two,
				"does the first where food is ahead, else the second"),
			opProgn2: operator("progn2", two, "does two things in turn"),
			opProgn3: operator("progn3", three, "does three things in turn"),
		},
	}
}

func (g *game) Bind(ge gp.Genome) (engine.Player, error) {
	if err := g.grammar.Check(ge); err != nil {
		return nil, fmt.Errorf("santafe: %w", err)
	}
	c := g.compile.Get().(*compiler)
	defer g.compile.Put(c)
	return c.compile(ge[0]), nil
}

// PlaysAs tells whether a child differs from its parent, which p has played, only in branches that
// p never took. In the study's runs that was so for three in five offspring that were not copies
// (seeds 3 to 6: 103,135 of 179,339).
func (g *game) PlaysAs(p engine.Player, old, child gp.Genome) bool {
	program, ok := p.(*program)
	return ok && program.playsAs(g.grammar, old[0], child[0])
}

// A decision is a word of up to 32 actions, two bits each, the first one lowest; a game has 13 of
// them. Hashing single actions took as long as a whole game takes now.
const (
	perWord = 32
	words   = (actions + perWord - 1) / perWord
)

// Play plays one game: the ant's whole life. It panics unless there is one player, of this game.
func (g *game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) != 1 {
		panic(fmt.Sprintf("santafe: a game needs 1 player, not %d", len(players)))
	}
	w := g.worlds.Get().(*world)
	defer g.worlds.Put(w)
	w.begin()
	switch p := players[0].(type) {
	case *program:
		p.run(w)
		p.remember(w.asked)
		if rec != nil {
			w.repeat(rec)
		}
	case recording:
		copy(w.log[:], p)
		w.repeat(rec)
	default:
		panic(fmt.Sprintf("santafe: a %T is not a player of this game", p))
	}
	result := engine.Result{Steps: w.time, Fingerprint: seed}
	for _, decision := range w.log[:(w.time+perWord-1)/perWord] {
		result.Fingerprint = engine.Hash(result.Fingerprint, decision)
	}
	result.Scores[0] = float64(w.eaten)
	if w.eaten == pieces {
		result.Win(0)
	}
	return result
}

// Recording returns an ant that repeats recorded actions. It turns left after their end, and for an
// action that does not exist.
func (g *game) Recording(decisions []uint64) engine.Player { return recording(decisions) }

type recording []uint64

// Players lists the one built-in ant.
func (g *game) Players() []engine.Entry {
	return []engine.Entry{engine.PlainEntry("santafe", "koza",
		"the ant that Koza's book shows (1992, chapter 7.2); it needs 545 actions for all food, "+
			"and has 400 here", g.koza)}
}

const kozaText = `(if-food-ahead move
  (progn3 left
    (progn2 (if-food-ahead move right)
      (progn2 right (progn2 left right)))
    (progn2 (if-food-ahead move left) move)))`

func (g *game) koza() (engine.Player, error) {
	ge, err := g.grammar.Parse(kozaText)
	if err != nil {
		return nil, fmt.Errorf("santafe: %w", err)
	}
	return g.Bind(ge)
}
