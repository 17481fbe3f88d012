// Package antwars is the game of the GECCO 2007 Ant Wars contest. Two ants that see 5 x 5 cells
// collect food on a torus of 11 x 11 cells, and may kill each other. It breeds nothing.
//
// The rules are the contest's (Jaśkowski, Krawiec and Wieloch, "BrilliANT: the winner entry of the
// GECCO'2007 Ant Wars contest", RA-05/07, 2007): 15 pieces of food, 35 moves each, ant 1 moves
// first, a step onto the opponent kills it, the higher score wins and ant 1 wins a tie.
package antwars

import (
	"fmt"
	"strconv"
	"sync"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// Marks of a result.
const (
	markEarly     = iota // killed, and not right after eating
	markSacrifice        // killed right after a move that ate
)

// decider decides moves. It must be safe for concurrent use: all it may write to is the memory.
type decider interface {
	// Move returns a direction: 0..7 for NW, N, NE, E, SE, S, SW, W. Anything else is played as 0.
	Move(*memory) int
}

// game is the Ant Wars contest.
type game struct {
	settings settings
	grammar  *gp.Grammar
	sensors  []sensor // in the grammar
	level    kernels.Level
	lockstep bool      // there are kernels for the grammar, which make lockstep faster
	arenas   sync.Pool // of *arena
	scratch  sync.Pool // of *scratch
	compile  sync.Pool // of *gp.Compiler
	fault    error     // the environment names unknown kernels: no species can be bound
}

// New returns the game. Games in lockstep use the kernels that the environment names, else the best
// ones; see package kernels.
func New() engine.Game {
	level, err := kernels.Chosen()
	g := newGame(level)
	g.fault = err
	return g
}

// newGame returns the game with kernels of a level.
func newGame(level kernels.Level) *game { return makeGame(level, settings{}) }

func makeGame(level kernels.Level, s settings) *game {
	g, err := gameOf(sensors, level, s)
	if err != nil {
		panic(err.Error())
	}
	return g
}

// gameOf returns the game with a table of sensors.
func gameOf(sensors []sensor, level kernels.Level, s settings) (*game, error) {
	grammar, rows, err := vocabulary(sensors, s.ants(), s.Sight)
	if err != nil {
		return nil, err
	}
	g := &game{settings: s, grammar: grammar, sensors: rows, level: level,
		lockstep: level > kernels.Scalar && s.Sight == "" && s.Search == 0}
	g.arenas.New = func() any { return newArena(g) }
	g.scratch.New = func() any { return newScratch(g, level) }
	g.compile.New = func() any { return gp.NewCompiler(g.grammar, situations[:]...) }
	return g, nil
}

func (g *game) Info() engine.Info {
	moves := strconv.Itoa(rounds + g.settings.beyond())
	return engine.Info{
		Name: "antwars", Title: "Ant Wars",
		About: "two short-sighted ants collect food on a torus and may kill each other",
		Rules: "Two ants look for food on a board whose edges meet: who leaves it on one side " +
			"comes back on the other. In turn each goes to one of the eight cells beside it, " +
			moves + " times. It sees only the 5 x 5 cells around it, and eats what lies where it " +
			"comes to. An ant that steps onto the other kills it, and goes on alone. Who has " +
			"eaten more wins; if both have as much, ant 1 does.",
		Version: 1, MinSeats: 2, MaxSeats: 2, Decisions: rounds + g.settings.beyond(),
		Chance: true, Hidden: true,
		Marks:     []string{markEarly: "early-deaths", markSacrifice: "sacrifices"},
		MostMarks: []float64{markEarly: 1, markSacrifice: 1}, Scores: engine.Bounds{Most: pieces},
		Halves: true,
	}
}

func (g *game) Grammar() *gp.Grammar { return g.grammar }

func (g *game) Bind(ge gp.Genome) (engine.Player, error) {
	if g.fault != nil {
		return nil, fmt.Errorf("antwars: %w", g.fault)
	}
	c := g.compile.Get().(*gp.Compiler)
	defer g.compile.Put(c)
	code, err := c.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("antwars: %w", err)
	}
	return &species{code}, nil
}

// arena is the scratch memory of one running game.
type arena struct {
	board  board
	memory [2]memory
	sense  [2]*sense
}

func newArena(g *game) *arena {
	m := memory{beyond: g.settings.beyond(), level: g.level}
	return &arena{sense: [2]*sense{newSense(g), newSense(g)}, memory: [2]memory{m, m}}
}

// Play plays one game. It panics if there are not two players of this package.
func (g *game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) != 2 {
		panic(fmt.Sprintf("antwars: a game needs 2 players, not %d", len(players)))
	}
	if engine.AnyExternal(players) {
		return engine.PlayExternal(g, players, seed, func(seated []engine.Player) engine.Result {
			return g.Play(seated, seed, rec)
		})
	}
	a := g.arenas.Get().(*arena)
	defer g.arenas.Put(a)
	b := &a.board
	*b = deal(seed)
	result := engine.Result{Fingerprint: seed}
	for i, p := range players {
		a.memory[i].begin(uint64(engine.Seed(seed).Num(uint64(i))))
		a.memory[i].sight = ""
		switch p := p.(type) {
		case *species:
			p.code.Load(a.sense[i].frame)
			a.sense[i].frame.For(p.code)
			a.memory[i].sight = g.settings.Sight
		case *weigher:
			a.memory[i].sight = g.settings.Sight
		}
	}
	var s *scene
	if rec != nil {
		s = &scene{board: *b}
		rec.Step(s)
	}
	for time := range rounds + g.settings.beyond() {
		for ant, p := range players {
			if b.dead[ant] {
				continue
			}
			m := &a.memory[ant]
			m.update(b, ant, time)
			var direction int
			switch p := p.(type) {
			case *species:
				direction = p.move(m, a.sense[ant])
			case decider:
				if direction = p.Move(m); direction < 0 || direction > 7 {
					direction = 0
				}
			default:
				panic(fmt.Sprintf("antwars: a %T is not a player of this game", p))
			}
			result.Fingerprint = engine.Hash(result.Fingerprint, uint64(direction))
			other := 1 - ant
			if b.move(ant, direction) == killed {
				mark := markEarly
				if b.fed[other] {
					mark = markSacrifice
				}
				result.Marks[other][mark] = 1
			}
			result.Steps++
			if rec != nil {
				rec.Decide(ant, uint64(direction))
				s.show(b, ant, result.Steps)
				rec.Step(s)
			}
		}
	}
	result.Scores[0], result.Scores[1] = float64(b.score[0]), float64(b.score[1])
	result.Win(b.winner())
	return result
}

// Recording returns an ant that repeats recorded moves. After the last it goes north-west.
func (g *game) Recording(decisions []uint64) engine.Player { return &recording{decisions} }

// recording is for one game at a time.
type recording struct{ left []uint64 }

func (r *recording) Move(*memory) int {
	if len(r.left) == 0 {
		return 0
	}
	d := r.left[0]
	r.left = r.left[1:]
	return int(d & 7)
}
