// Package darwin is the Darwin Game, version 2.2, by Morgan McGuire: creatures with a clock of
// their own race through mazes, and convert each other on natural-selection maps. It breeds
// nothing, and it measures no time: every turn is charged what the rules say.
//
// The creature that has spent the least virtual time takes the next turn. An action costs time (see
// the costs), and so does deciding: at least decisionCost, or a price a unit of effort that a study
// sets. The game clock is the sum of what all creatures have spent.
//
// There are two rule sets. "original" is what the original program does, as its recorded games
// show. "handbook" is what the player's handbook says. They differ in:
//
//	                       original                                handbook
//	newborn faces          its maker (60 %) or a quarter turn off  its maker
//	newborn's time         its maker's before the attack, a delay  its maker's after the attack
//	ascensions to win      3                                       5
//	ascended creature      dies; elsewhere an enchanted apple      lives on without enchantment
//	end of a maze game     none; here mazeGuard                    8 s
//	longest decision       0.25 s                                  0.5 s
//	attack out of mud      costs nothing more                      costs 0.5 ms more
//	fog costs              a forward step, or try, that ends in it a step into it, either way
//	observing into fog     sees through                            ends at the first square in fog
//	letters F A T E        no fog                                  fog below
//	hazards on the border  stay                                    become walls
//	enchantment of others  cannot be seen                          can be seen
//	tie for a majority     lots are drawn                          all tied get the lower place
//	maze tournament        mean of the best five of six runs       mean of all six
//
// Rules that neither has, or that a program must add:
//
//   - A seat is a species, even if the same player takes two.
//   - Several players in a maze for one species run a race: each runs the same maze alone, in the
//     order of seats, with the same chances, and the fastest wins.
//   - A maze game of the original would never end; mazeGuard ends it.
//   - The texts that creatures leave have at most four bytes.
//   - A newborn is charged twice 100 ns under both sets, as in the original.
//   - One species alone on a natural-selection map survives at the time limit.
//
// The built-in maps have the names of the handbook's index and plans of this package's own. The
// original's maps are played from its files.
package darwin

import (
	"fmt"
	"math"
	"sync"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// mazeGuard ends a maze game under rules that set no end, in nanoseconds of the game clock.
const mazeGuard = 60 * second

// game is the Darwin Game with its parameters.
type game struct {
	settings settings
	rules    ruleSet
	fixed    *rawMap               // nil where every game draws a map of its own
	grounds  [maxSeats + 1]*ground // of the fixed map, by number of players
	seats    int                   // that the map has room for
	maze     bool
	plain    []sense // without those of keen creatures
	senses   []sense
	grammar  *gp.Grammar
	level    kernels.Level
	fault    error // the environment names kernels that do not exist: no species can be bound
	asks     [len(candidates)]gp.Ask
	compile  *sync.Pool // of *gp.Compiler
	colonies *sync.Pool // of *evolvedColony: scratch of one species in a running game
}

// Names of the marks of a result.
const (
	markPopulation = iota // creatures at the end
	markAscensions
	markSquares // squares that the species' creatures have stood on, each counted once
	markSeconds // game clock at the end
)

// New returns the game on the map "ns_faceoff" under the original rules.
func New() engine.Game { return must(sensing(senses)) }

// sensing returns the game of New with a table of senses.
func sensing(senses []sense) (engine.Game, error) {
	g := &game{plain: senses}
	g.level, g.fault = kernels.Chosen()
	return g.as(defaults())
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Info describes the game with its settings. A natural-selection map takes as many species as it
// has digits; in a maze for one, any number race.
func (g *game) Info() engine.Info {
	info := engine.Info{
		Name: "darwin", Title: "The Darwin Game",
		About: "creatures with a clock of their own race through mazes and convert each other, " +
			"on maps with the original's names and plans of our own",
		Rules: "Creatures of several species turn, walk, look and attack, and each of that takes " +
			"time; who has spent the least is next. Who attacks turns the creature in the " +
			"square ahead into one of its own species. Mud makes steps slow, and fog hides " +
			"what stands in it. On most maps the species wins that alone is left, or whose " +
			"enchanted creatures came to its own shrines often enough. In a maze the first at " +
			"the treasure wins.",
		Version: 5, MinSeats: 2, MaxSeats: max(2, g.seats), Chance: true, Hidden: true,
		Marks:  []string{"population", "ascensions", "squares", "seconds"},
		Scores: engine.Bounds{Most: float64(ascension.points())}, Halves: !g.maze,
	}
	if g.maze {
		info.MinSeats, info.Scores = 1, engine.Bounds{Least: math.Inf(-1)} // less seconds
	}
	if g.maze && g.seats == 1 { // a race
		info.MaxSeats = maxSeats
	}
	// Each decision of a creature but its last costs delayCost or more, and each creature that is
	// not on the map at the start was made by one such decision. The last decision in the game may
	// begin just before the limit.
	info.Decisions = int(2*(g.limit()/delayCost+1)) + g.crowd()
	return info
}

// crowd returns a bound on the creatures of one seat at the start.
func (g *game) crowd() int {
	switch {
	case g.fixed != nil:
		return len(g.grounds[maxSeats].starts)
	case g.maze:
		return 1
	}
	return g.settings.Arena.Creatures
}

// limit returns the game clock at which the game ends at the latest.
func (g *game) limit() int64 {
	if g.maze {
		return g.rules.mazeLimit
	}
	return g.rules.timeLimit
}

// Play plays one game. On a natural-selection map a score is the points of a tournament. In a maze
// it is minus the seconds that the species needed. A species that fails is charged twice the time
// limit, like PAR2 in contests of solvers, less the limit times the share of the squares that it
// has been to. So exploring more is better, and arriving is better still. It panics for a player of
// another game and for a wrong number of players.
func (g *game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	result, _ := g.play(players, seed, rec)
	return result
}

// play is Play, and also returns how the game ended for every seat.
func (g *game) play(players []engine.Player, seed uint64, rec engine.Recorder) (engine.Result,
	[maxSeats]ending) {
	if info := g.Info(); len(players) < 1 || len(players) > info.MaxSeats {
		panic(fmt.Sprintf("darwin: a game needs %d to %d players, not %d", info.MinSeats,
			info.MaxSeats, len(players)))
	}
	if engine.AnyExternal(players) {
		var endings [maxSeats]ending
		return engine.PlayExternal(g, players, seed,
			func(seated []engine.Player) (result engine.Result) {
				result, endings = g.play(seated, seed, rec)
				return result
			}), endings
	}
	if g.maze && g.seats == 1 && len(players) > 1 {
		return g.race(players, seed, rec)
	}
	m := match{game: g, of: len(players), result: engine.Result{Fingerprint: seed}}
	m.run(players, seed, rec)
	return m.result, m.endings
}

// race lets every player run the maze alone.
func (g *game) race(players []engine.Player, seed uint64, rec engine.Recorder) (engine.Result,
	[maxSeats]ending) {
	total := engine.Result{Fingerprint: seed}
	var endings [maxSeats]ending
	best := math.Inf(-1)
	for seat := range players {
		m := match{game: g, lane: seat, of: len(players), turns: total.Steps,
			result: engine.Result{Fingerprint: total.Fingerprint}}
		m.run(players[seat:seat+1], seed, rec)
		r := &m.result
		endings[seat] = m.endings[0]
		total.Scores[seat], total.Marks[seat] = r.Scores[0], r.Marks[0]
		total.Steps, total.Fingerprint = total.Steps+r.Steps, r.Fingerprint
		switch score := r.Scores[0]; {
		case endings[seat] != domination: // did not arrive
		case score > best:
			best = score
			total.Win(seat)
		case score == best:
			total.Win(engine.Tie)
		}
	}
	return total, endings
}

// match is one game being played, or one lane of a race.
type match struct {
	game     *game
	lane     int // the seat that runs, in a race
	turns    int // taken in the lanes before
	of       int // seats, of all lanes
	seats    int
	colonies [maxSeats]colony
	reports  [maxSeats]func(*engine.Choice) // gets built-in creatures' choices, if not nil
	world    *world
	result   engine.Result
	endings  [maxSeats]ending
}

// run plays from the founding of the colonies to the result.
func (m *match) run(players []engine.Player, seed uint64, rec engine.Recorder) {
	g, root := m.game, engine.Seed(seed)
	m.seats = len(players)
	ground := g.grounds[m.seats]
	if g.fixed == nil {
		ground = newGround(g.settings.generate(root.Name("map")), &g.rules, m.seats)
	}
	defer m.dismiss()
	m.found(players, ground)
	chances := &dice{engine.NewRandom(uint64(root.Name("chance")))}
	m.world = &world{}
	m.world.begin(ground, &g.rules, root, chances, m.birth, m.death)
	m.world.unit = int64(g.settings.EffortCost)
	m.world.isometric = g.settings.View == "isometric"
	m.play(rec)
}

// found asks every player for its colony.
func (m *match) found(players []engine.Player, g *ground) {
	for i, p := range players {
		s, ok := p.(species)
		if !ok {
			panic(fmt.Sprintf("darwin: a %T is not a player of this game", p))
		}
		if t, ok := p.(*tracer); ok {
			m.reports[i] = t.report
		}
		m.colonies[i] = s.found(briefing{width: g.width, height: g.height})
	}
}

func (m *match) birth(b *body) {
	b.trace = nil
	if b.mind = neutralMind(b.breed); b.mind == nil {
		seat := b.breed.seat()
		if report := m.reports[seat]; report != nil {
			b.trace = &reasons{report: report}
		}
		b.mind = m.colonies[seat].spawn(b)
	}
}

func (m *match) death(b *body) {
	if e, ok := b.mind.(ender); ok {
		e.end()
	}
	b.mind = nil
}

// dismiss ends all creatures that are left and the colonies.
func (m *match) dismiss() {
	if m.world != nil {
		for i := range m.world.bodies {
			if b := &m.world.bodies[i]; b.alive {
				b.alive = false
				m.death(b)
			}
		}
	}
	for _, c := range m.colonies {
		if e, ok := c.(ender); ok {
			e.end()
		}
	}
}

// play plays the game from the first turn to the last.
func (m *match) play(rec engine.Recorder) {
	w := m.world
	var s *scene
	if rec != nil {
		s = newScene(m)
		rec.Step(s)
	}
	for !w.over() {
		b := w.next()
		if s != nil {
			s.learn(b)
		}
		a := b.mind.decide(b)
		if b.trace != nil {
			b.trace.explain(b, a.verb())
		}
		if seat := b.breed.seat(); seat >= 0 {
			d := a.decision(b.effort)
			m.result.Fingerprint = engine.Hash(m.result.Fingerprint, d)
			if rec != nil {
				rec.Decide(m.lane+seat, d)
			}
		}
		w.act(b, a)
		if rec != nil {
			rec.Step(s)
		}
	}
	m.score()
}

// score writes the result.
func (m *match) score() {
	w, r := m.world, &m.result
	r.Steps = w.turns
	m.endings = w.endings()
	best := survival
	for seat := range m.seats {
		r.Scores[seat] = float64(m.endings[seat].points())
		if w.ground.maze {
			r.Scores[seat] = -m.mazeTime(seat)
		}
		r.Marks[seat] = [engine.MaxMarks]float32{
			markPopulation: float32(w.population[seatBreed(seat)]),
			markAscensions: float32(w.ascensions[seat]),
			markSquares:    float32(w.steps[seat]),
			markSeconds:    float32(float64(w.clock) / float64(second)),
		}
		switch e := m.endings[seat]; {
		case e > best:
			best = e
			r.Win(seat)
		case e == best:
			r.Win(engine.Tie)
		}
	}
}

// mazeTime returns the seconds that a seat is charged for a maze.
func (m *match) mazeTime(seat int) float64 {
	if m.endings[seat] == domination {
		return float64(m.world.clock) / float64(second)
	}
	limit := float64(m.game.rules.mazeLimit) / float64(second)
	return limit * (2 - float64(m.world.steps[seat])/float64(m.world.ground.room))
}

// Executors implements engine.Accelerated: the interpreter for scalar, machine code for every other
// level.
func (g *game) Executors() []string { return kernels.Names() }

// Using implements engine.Accelerated.
func (g *game) Using(executor string) (engine.Game, error) {
	level, err := kernels.Executor("darwin", executor)
	if err != nil {
		return nil, err
	}
	return (&game{settings: g.settings, plain: g.plain, senses: g.senses, grammar: g.grammar,
		level: level}).as(g.settings)
}

// Grammar returns the vocabulary of evolved creatures.
func (g *game) Grammar() *gp.Grammar { return g.grammar }

// Recording returns a species, for one game, whose creatures make the recorded decisions. Once they
// have run out, creatures never act again.
func (g *game) Recording(decisions []uint64) engine.Player { return &recording{decisions} }

// recording is a species, its colony, and the mind of all its creatures.
type recording struct{ left []uint64 }

func (r *recording) found(briefing) colony { return r }

func (r *recording) spawn(*body) mind { return r }

func (r *recording) decide(b *body) action {
	if len(r.left) == 0 {
		return action(end)
	}
	a, effort := undecide(r.left[0])
	r.left = r.left[1:]
	b.effort = effort
	return a
}
