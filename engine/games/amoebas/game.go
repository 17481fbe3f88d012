package amoebas

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// Settings are the parameters of a game.
type Settings struct {
	constants `toml:",inline"`

	Sizes     []int  `toml:"sizes"`
	Rounds    int    `toml:"rounds"`
	Beyond    int    `toml:"rounds-beyond-size,omitempty"`
	Order     string `toml:"order"`
	Placement string `toml:"placement"`
	TieBreak  string `toml:"tie-break"`
	Memory    bool   `toml:"memory"`

	// The mercy stop ends a game when, at the end of a round, one seat has at least so many times
	// the energy and so many times the population of each other seat.
	MercyRound      int     `toml:"mercy-round"`
	MercyEnergy     float64 `toml:"mercy-energy"`
	MercyPopulation float64 `toml:"mercy-population"`
}

// Table implements engine.Settings.
func (s *Settings) Table() []engine.Setting {
	return append(s.constants.Table(),
		engine.Setting{Key: "sizes", Value: &s.Sizes, Low: minWorldSize, High: maxWorldSize,
			Unit: "cells", About: "sides of the torus of which each game has one, by its seed; " +
				"[] for world-size alone"},
		engine.Whole("rounds", &s.Rounds, 1, maxRounds, "rounds", "length of a game"),
		engine.Whole("rounds-beyond-size", &s.Beyond, 0, maxRounds-maxWorldSize, "rounds",
			"length of a game beyond one round for each cell of the world's side, in the place of "+
				"rounds: the land fills at a round that grows with the side, and what follows "+
				"decides; 0 for rounds"),
		engine.Word("order", &s.Order, "acting order: from the seed, or the original's",
			"shuffled", "classic"),
		engine.Word("placement", &s.Placement, "of the first amoebas: random cells, or a square "+
			"lattice that starts at a random cell", "random", "spaced"),
		engine.Word("tie-break", &s.TieBreak, "what decides between seats of equal energy",
			"population", "none"),
		engine.Switch("memory", &s.Memory, "genomes have a slot whose value becomes the amoeba's "+
			"data, and sensors of data"),
		engine.Whole("mercy-round", &s.MercyRound, 0, maxRounds, "rounds", "played before the "+
			"mercy stop can end a game, in which one seat is far ahead of all others; 0 for never"),
		engine.Real("mercy-energy", &s.MercyEnergy, 1, math.Inf(1), "times",
			"the energy of each other seat that the mercy stop needs"),
		engine.Real("mercy-population", &s.MercyPopulation, 1, math.Inf(1), "times",
			"the population of each other seat that the mercy stop needs"))
}

// DefaultSettings returns a game of the original's constants over 300 rounds in shuffled order,
// without a mercy stop.
func DefaultSettings() Settings {
	return Settings{
		constants: defaultConstants(), Rounds: 300, Order: "shuffled", Placement: "random",
		TieBreak:    "population",
		MercyEnergy: 8, MercyPopulation: 10,
	}
}

const maxRounds = 1<<16 - 1

// rounds returns how many a game on a world of a size may last.
func (s *Settings) rounds(size int) int {
	if s.Beyond > 0 {
		return size + s.Beyond
	}
	return s.Rounds
}

// game is AMOEBAS with its parameters: an engine.Game. It is immutable and safe for concurrent use.
type game struct {
	settings  Settings
	grammar   *gp.Grammar
	words     *vocabulary
	sizes     []*size
	compilers sync.Pool // of *gp.Compiler
	level     kernels.Level
	lockstep  func() bool // evolved species are evaluated in lockstep; asked when one is bound
	fault     error       // the environment names kernels that do not exist: nothing can be bound
}

// size is what games of one world size share. It takes milliseconds, and waits for the first game.
type size struct {
	size     int
	geometry func() *geometry
	worlds   sync.Pool // of *arena; reset before every game, so that reuse cannot be seen
}

// New returns the game with default settings.
func New() *game {
	g, err := newGame(DefaultSettings())
	if err != nil {
		panic(err.Error())
	}
	return g
}

// newGame returns the game with the kernels that the environment names.
func newGame(s Settings) (*game, error) {
	level, fault := kernels.Chosen()
	g, err := newGameAt(s, level)
	if err == nil {
		g.fault = fault
	}
	return g, err
}

// newGameAt returns the game with kernels of a level.
func newGameAt(s Settings, level kernels.Level) (*game, error) {
	return gameOf(senses, layerRows, s, level)
}

// gameOf returns the game with tables of senses and layers.
func gameOf(senses []sense, layers []layerRow, s Settings, level kernels.Level) (*game, error) {
	if err := engine.CheckSettings("amoebas", &s); err != nil {
		return nil, err
	}
	s.Sizes = slices.Clone(s.Sizes)
	words, err := newVocabulary(senses, layers, &s)
	if err != nil {
		return nil, err
	}
	g := &game{settings: s, grammar: words.Grammar, words: words, level: level}
	g.lockstep = sync.OnceValue(func() bool {
		_, err := words.NewSolo(level)
		return err == nil && words.bytes && len(words.layers) >= kernelLayers
	})
	g.compilers.New = func() any { return gp.NewCompiler(words.Grammar, words.situations()...) }
	sizes := s.Sizes
	if len(sizes) == 0 {
		sizes = []int{s.WorldSize}
	}
	for _, n := range sizes {
		g.sizes = append(g.sizes, &size{size: n,
			geometry: sync.OnceValue(func() *geometry { return newGeometry(n) })})
	}
	return g, nil
}

// Short implements engine.ShortForm: at most 50 rounds on worlds of at most 32 cells a side.
func (g *game) Short() engine.Game {
	s := g.settings
	s.Sizes = slices.Clone(s.Sizes)
	for i := range s.Sizes {
		s.Sizes[i] = min(s.Sizes[i], 32)
	}
	s.WorldSize, s.Rounds, s.Beyond = min(s.WorldSize, 32), min(s.Rounds, 50), min(s.Beyond, 18)
	short, err := newGame(s)
	if err != nil {
		panic(err.Error())
	}
	return short
}

// Version of the rules, see engine.Info.
const version = 2

// Marks, see engine.Result.
const (
	markPopulation = iota
	markBirths
	markDeaths
	markKills
)

// Info implements engine.Game.
func (g *game) Info() engine.Info {
	largest := 0
	for _, s := range g.sizes {
		largest = max(largest, s.size)
	}
	return engine.Info{
		Name: "amoebas", Title: "AMOEBAS",
		About: "species of clones rest, move, hit and divide on a torus; the one that binds " +
			"most energy wins",
		Rules: "Each species begins with an amoeba on a board of fuel whose edges meet. In every " +
			"round each amoeba rests and feeds, moves, hits a neighbour, or divides into two; " +
			"all but resting costs energy. It sees only what is near it, and all of a species " +
			"think alike. Fuel grows again by the sun. The species whose amoebas hold most " +
			"energy at the end wins.",
		Version: version, MinSeats: 1, MaxSeats: engine.MaxSeats,
		Decisions: largest * largest * g.settings.rounds(largest), Chance: true, Hidden: true,
		Marks: []string{"population", "births", "deaths", "kills"}, Scores: engine.Counts(),
		Halves: true,
	}
}

// Settings implements engine.Adjustable with a *Settings.
func (g *game) Settings() engine.Settings {
	s := g.settings
	s.Sizes = slices.Clone(s.Sizes)
	return &s
}

// With implements engine.Adjustable. It takes a *Settings.
func (g *game) With(settings any) (engine.Game, error) {
	s, ok := settings.(*Settings)
	if !ok {
		return nil, fmt.Errorf("amoebas: the settings are a %T, not a %T", settings, s)
	}
	with, err := newGameAt(*s, g.level)
	if err == nil {
		with.fault = g.fault
	}
	return with, err
}

// Executors implements engine.Accelerated: all levels, of which only AVX-512 has kernels here.
func (g *game) Executors() []string { return kernels.Names() }

// Using implements engine.Accelerated.
func (g *game) Using(executor string) (engine.Game, error) {
	level, err := kernels.Executor("amoebas", executor)
	if err != nil {
		return nil, err
	}
	return newGameAt(g.settings, level)
}

// Grammar implements engine.Game.
func (g *game) Grammar() *gp.Grammar { return g.grammar }

// Recording implements engine.Recordable. Where the decisions run out, the amoebas of the seat make
// invalid ones: they rest and keep their data.
func (g *game) Recording(decisions []uint64) engine.Player { return &recording{rest: decisions} }

// recording is the player of one game that makes recorded decisions.
type recording struct{ rest []uint64 }

func (r *recording) Act(*view) action {
	if len(r.rest) == 0 {
		return invalid
	}
	n := r.rest[0]
	r.rest = r.rest[1:]
	return decode(n)
}

// Play implements engine.Game. The players are Functions; one to sixteen take part.
func (g *game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) < 1 || len(players) > engine.MaxSeats {
		panic(fmt.Sprintf("amoebas: a game has 1 to %d players, not %d", engine.MaxSeats,
			len(players)))
	}
	if engine.AnyExternal(players) {
		return engine.PlayExternal(g, players, seed, func(seated []engine.Player) engine.Result {
			return g.Play(seated, seed, rec)
		})
	}
	root := engine.Seed(seed)
	at := g.sizes[0]
	if n := len(g.sizes); n > 1 {
		sizes := engine.NewRandom(uint64(root.Name("size")))
		at = g.sizes[sizes.Below(n)]
	}
	a, ok := at.worlds.Get().(*arena)
	if !ok {
		a = newArena(at.geometry())
	}
	defer at.worlds.Put(a)
	g.seat(a, players, rec)
	return a.play(seed)
}

// seat prepares an arena for a game.
func (g *game) seat(a *arena, players []engine.Player, rec engine.Recorder) {
	for s, p := range players {
		f, ok := p.(decider)
		if !ok {
			panic(fmt.Sprintf("amoebas: player %d is a %T, which decides for no amoeba", s, p))
		}
		a.functions[s] = f
	}
	c := g.settings.constants
	c.WorldSize = a.g.size
	a.reset(&c, a.functions[:len(players)])
	a.game, a.settings, a.rec, a.lives = g, &g.settings, rec, nil
	if rec != nil {
		a.lives = make([]life, len(a.who))
	}
}

// arena is the memory of one game in play.
type arena struct {
	world
	game      *game
	settings  *Settings
	view      view
	random    engine.Random // of the functions
	order     engine.Random
	rec       engine.Recorder
	hash      uint64
	next      int  // place in the queue
	asking    bool // a function is deciding
	functions [engine.MaxSeats]decider
}

func newArena(g *geometry) *arena {
	a := &arena{world: *newWorld(g)}
	a.view = view{w: &a.world, Random: &a.random}
	return a
}

func (a *arena) play(seed uint64) engine.Result {
	root := engine.Seed(seed)
	a.hash = seed
	a.random, a.order = engine.NewRandom(uint64(root.Name("functions"))),
		engine.NewRandom(uint64(root.Name("order")))
	placement := engine.NewRandom(uint64(root.Name("placement")))
	a.place(&placement)
	var shown *scene
	if a.rec != nil {
		shown = &scene{&a.world, sharedLook().palette(a.constants.MaxCellEnergy)}
		a.rec.Step(shown)
	}
	for !a.over() {
		a.schedule()
		if a.settings.Order != "classic" {
			a.shuffle()
		}
		for a.next = 0; a.next < len(a.queue); {
			a.turns()
		}
		a.shine()
		a.round++
		if a.rec != nil {
			a.rec.Step(shown)
		}
	}
	return a.result()
}

// turns lets amoebas act until the round is over or a function panics; the amoeba whose function
// panics rests.
func (a *arena) turns() {
	defer func() {
		if a.asking {
			a.asking = false
			if recover() == nil {
				return // the goroutine is exiting
			}
			a.finish(invalid)
		}
	}()
	a.view.round = a.round
	for a.next < len(a.queue) {
		cell := int(a.queue[a.next])
		if a.who[cell].species == free {
			a.next++
			continue
		}
		f := &a.world.functions[a.who[cell].function]
		a.view.look(cell)
		a.asking = true
		action := f.Act(&a.view)
		a.asking = false
		a.finish(action)
	}
}

// finish carries out what the present amoeba decided and goes on to the next.
func (a *arena) finish(action action) {
	cell := int(a.queue[a.next])
	n := action.encode()
	a.hash = engine.Hash(a.hash, n)
	if a.rec != nil {
		a.rec.Decide(int(a.who[cell].species), n)
	}
	a.act(cell, action)
	a.next++
}

// shuffle puts the queue into a fair random order (Fisher and Yates).
func (a *arena) shuffle() {
	q := a.queue
	for i := len(q) - 1; i > 0; i-- {
		j := a.order.Below(i + 1)
		q[i], q[j] = q[j], q[i]
	}
}

// place sets the first amoeba of every seat. All cells are drawn anew until they are distinct, as
// the original does.
func (a *arena) place(r *engine.Random) {
	var cells [engine.MaxSeats]int
	n, side := a.g.size, 1 // side of the lattice
	for side*side < a.seats {
		side++
	}
	for distinct := false; !distinct; {
		x0, y0 := r.Below(n), r.Below(n)
		distinct = true
		for s := range a.seats {
			if a.settings.Placement == "spaced" {
				cells[s] = a.g.cell((x0+s%side*n/side)%n, (y0+s/side*n/side)%n)
			} else {
				cells[s] = a.g.cell(x0, y0)
				x0, y0 = r.Below(n), r.Below(n)
			}
			distinct = distinct && !slices.Contains(cells[:s], cells[s])
		}
	}
	for s := range a.seats {
		a.births[s]++
		a.put(cells[s], occupant{int16(a.constants.MaxAmoebaEnergy),
			int16(a.constants.MaxAmoebaHealth), uint16(s), uint8(s)}, 0)
	}
}

// over tells whether the game has ended: all rounds played, or the mercy stop.
func (a *arena) over() bool {
	s := a.settings
	if a.round >= s.rounds(a.g.size) {
		return true
	}
	if s.MercyRound == 0 || a.round < s.MercyRound || a.seats < 2 {
		return false
	}
	leader := 0
	for i := range a.seats {
		if a.energies[i] > a.energies[leader] {
			leader = i
		}
	}
	for i := range a.seats {
		if i != leader && (float64(a.energies[leader]) < s.MercyEnergy*float64(a.energies[i]) ||
			float64(a.sizes[leader]) < s.MercyPopulation*float64(a.sizes[i])) {
			return false
		}
	}
	return true
}

func (a *arena) result() engine.Result {
	r := engine.Result{Steps: a.round, Fingerprint: a.hash}
	best, second := math.Inf(-1), math.Inf(-1)
	for s := range a.seats {
		r.Scores[s] = float64(a.energies[s])
		r.Marks[s] = [engine.MaxMarks]float32{
			markPopulation: float32(a.sizes[s]), markBirths: float32(a.births[s]),
			markDeaths: float32(a.deaths[s]), markKills: float32(a.kills[s]),
		}
		rank := r.Scores[s]
		if a.settings.TieBreak == "population" {
			rank += float64(a.sizes[s]) / (1 << 17) // more than any population
		}
		if rank > best {
			best, second = rank, best
			r.Win(s)
		} else if rank > second {
			second = rank
		}
	}
	if best == second {
		r.Win(engine.Tie)
	}
	return r
}
