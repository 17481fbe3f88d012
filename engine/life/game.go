package life

import (
	"fmt"
	"sync"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
)

// Options are the parameters of a game.
type Options struct {
	Height      int `toml:"height"`      // of the board, cells, 1..MaxSide
	Width       int `toml:"width"`       // of the board, cells, 1..MaxSide
	Generations int `toml:"generations"` // of a whole game, 1..1000000
	// entries of a reply that count, each generation, 1..10000
	Cells int `toml:"cells"`
	// end after a generation in which one side has no cell and the other has some
	EndOnElimination bool `toml:"end_on_elimination"`
	// pattern in the middle of the board at the beginning, run length encoded (see ParseRLE); ""
	// for none. The first colour is the first side's
	Start string `toml:"start"`
	// choices of an evolved program in one turn at most, 1..100
	Rounds int `toml:"rounds"`
	// that a foreign program has for a turn, 0.001..3600
	TurnSeconds float64 `toml:"turn_seconds"`
	// goroutines that share a large board, 1..64; changes speed only
	Bands int `toml:"bands"`
}

// Default returns the parameters of the original controller's last version.
func Default() Options {
	return Options{Height: 1000, Width: 1000, Generations: 1000, Cells: 30, Rounds: 8,
		TurnSeconds: 1, Bands: 1}
}

// check names a parameter out of range.
func (o Options) check() error {
	for _, f := range []struct {
		name       string
		value, max int
	}{{"height", o.Height, MaxSide}, {"width", o.Width, MaxSide},
		{"generations", o.Generations, 1_000_000},
		{"cells", o.Cells, 10_000}, {"rounds", o.Rounds, 100}, {"bands", o.Bands, 64}} {
		if f.value < 1 || f.value > f.max {
			return fmt.Errorf("life: %s must lie in 1..%d, not %d", f.name, f.max, f.value)
		}
	}
	if !(o.TurnSeconds >= 0.001 && o.TurnSeconds <= 3600) {
		return fmt.Errorf("life: turn_seconds must lie in 0.001..3600, not %v", o.TurnSeconds)
	}
	return nil
}

// pattern reads Start.
func (o *Options) pattern() (*Pattern, error) {
	if o.Start == "" {
		return nil, nil
	}
	p, err := ParseRLE("start", []byte(o.Start))
	if err != nil {
		return nil, err
	}
	if p.Height > o.Height || p.Width > o.Width {
		return nil, fmt.Errorf("life: start has %d rows and %d columns, the board %d and %d: "+
			"make height and width greater", p.Height, p.Width, o.Height, o.Width)
	}
	return p, nil
}

// Version is the version of the rules as played. It rises whenever any outcome can change.
const Version = 1

// Game is Life, King of the Hill, with its parameters.
type Game struct {
	options Options
	start   *Pattern // Options.Start, nil without
	shared  *shared
	level   kernels.Level // of the boards' kernels; it changes speed only
	fault   error         // the environment names kernels that do not exist: no player can be made
}

// shared is what games with different parameters have in common.
type shared struct {
	grammar   *gp.Grammar
	compilers sync.Pool // of *gp.Compiler
}

// New returns the game with the parameters of Default.
func New() engine.Game {
	s := &shared{grammar: gp.MustGrammar(vocabulary())}
	s.compilers.New = func() any { return gp.NewCompiler(s.grammar, situations[:]...) }
	level, err := kernels.Chosen()
	return &Game{options: Default(), shared: s, level: level, fault: err}
}

// Info describes the game.
func (g *Game) Info() engine.Info {
	return engine.Info{
		Name:  "life",
		Title: "Life, King of the Hill",
		About: "Conway's Life with two colours: each side wakes some cells a generation, and " +
			"more live cells at the end win.",
		Version:   Version,
		MinSeats:  2,
		MaxSeats:  2,
		Decisions: g.options.Generations * (g.options.Cells + 1),
		Chance:    true,
		Marks:     []string{"placed", "forfeits"},
	}
}

// Settings returns a pointer to a copy of the Options.
func (g *Game) Settings() any {
	o := g.options
	return &o
}

// With returns the game with other Options.
func (g *Game) With(settings any) (engine.Game, error) {
	o, ok := settings.(*Options)
	if !ok {
		return nil, fmt.Errorf("life: the settings must be *life.Options, not %T", settings)
	}
	if g.fault != nil {
		return nil, g.fault
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	start, err := o.pattern()
	if err != nil {
		return nil, err
	}
	c := *g
	c.options, c.start = *o, start
	return &c, nil
}

// View is what a side sees when it decides. It must not change the board.
type View struct {
	Board      *Board
	Own        Colour
	Generation int // from 0
	Options    *Options
}

// Left returns the generations that are still to run, this one included.
func (v *View) Left() int { return v.Options.Generations - v.Generation }

// Free tells whether a cell is on the board and dead.
func (v *View) Free(y, x int) bool { return v.Board.Holds(y, x) && v.Board.At(y, x) == None }

// Player can take a seat in any number of games.
type Player interface {
	// Sit returns the seat for one game. All that is random in it comes from the seed.
	Sit(o *Options, seed engine.Seed) Seat
}

// Seat decides for one side of one game. It may be an io.Closer, which is closed after the game.
type Seat interface {
	// Turn appends the cells that should come alive, in order: the first Options.Cells entries
	// count, and those that are not free are without effect. It returns false to forfeit the turn.
	Turn(v *View, dst []Cell) ([]Cell, bool)
}

// turnEnd is the decision that ends a turn; a placed cell is the decision 1 + y*width + x.
const turnEnd = 0

// match is a game under way.
type match struct {
	options     *Options
	board       *Board
	seats       [2]Seat
	first       int // the seat that is the first side
	generation  int
	moves       []Cell
	rec         engine.Recorder
	fingerprint uint64
	placed      [2]int // by seat
	forfeits    [2]int // by seat
}

// Play plays one game. It panics unless the players are two of this game's.
func (g *Game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) != 2 {
		panic(fmt.Sprintf("life: the game has 2 seats, not %d", len(players)))
	}
	return g.play(players, seed, int(engine.Seed(seed).Name("order").Num(0)&1), rec)
}

// play is Play with a given seat as first side.
func (g *Game) play(players []engine.Player, seed uint64, first int,
	rec engine.Recorder) engine.Result {
	board, err := newBoard(g.options.Height, g.options.Width, g.level)
	if err != nil {
		panic("life: a checked game has no board: " + err.Error())
	}
	if p := g.start; p != nil {
		board.Put(p, (g.options.Height-p.Height)/2, (g.options.Width-p.Width)/2)
	}
	m := &match{options: &g.options, board: board, first: first, rec: rec, fingerprint: seed,
		moves: make([]Cell, 0, g.options.Cells)}
	for i, p := range players {
		player, ok := p.(Player)
		if !ok {
			panic(fmt.Sprintf("life: seat %d is taken by a %T, which plays another game", i, p))
		}
		m.seats[i] = player.Sit(m.options, engine.Seed(seed).Name("seat").Num(uint64(i)))
	}
	defer m.close()
	if rec != nil {
		rec.Step(m.scene())
	}
	for m.generation < m.options.Generations && !m.eliminated() {
		m.turn(m.first, First)
		m.turn(1-m.first, Second)
		m.board.Step(m.options.Bands)
		m.generation++
		if rec != nil {
			rec.Step(m.scene())
		}
	}
	return m.result()
}

// close ends what the seats hold, such as processes.
func (m *match) close() {
	for _, s := range m.seats {
		if c, ok := s.(interface{ Close() error }); ok {
			_ = c.Close() // the game is decided
		}
	}
}

// turn lets a seat place.
func (m *match) turn(seat int, c Colour) {
	v := View{Board: m.board, Own: c, Generation: m.generation, Options: m.options}
	moves, ok := m.seats[seat].Turn(&v, m.moves[:0])
	if !ok {
		m.forfeits[seat]++
		moves = moves[:0]
	}
	for _, cell := range moves[:min(len(moves), m.options.Cells)] {
		if m.board.Place(int(cell.Y), int(cell.X), c) {
			m.placed[seat]++
			m.decide(seat, 1+uint64(cell.Y)*uint64(m.options.Width)+uint64(cell.X))
		}
	}
	m.decide(seat, turnEnd)
	if cap(moves) >= cap(m.moves) {
		m.moves = moves
	}
}

// decide notes a decision.
func (m *match) decide(seat int, decision uint64) {
	m.fingerprint = engine.Hash(m.fingerprint, decision)
	if m.rec != nil {
		m.rec.Decide(seat, decision)
	}
}

// eliminated tells whether the game ends early.
func (m *match) eliminated() bool {
	if !m.options.EndOnElimination || m.generation == 0 {
		return false
	}
	n := m.board.Population()
	return (n[0] == 0) != (n[1] == 0)
}

// live returns the live cells of each seat.
func (m *match) live() [2]int {
	n := m.board.Population()
	return [2]int{n[m.first], n[1-m.first]}
}

func (m *match) result() engine.Result {
	r := engine.Result{Winner: engine.Tie, Steps: m.generation, Fingerprint: m.fingerprint}
	live := m.live()
	for i, n := range live {
		r.Scores[i] = float64(n)
		r.Marks[i][0], r.Marks[i][1] = float32(m.placed[i]), float32(m.forfeits[i])
	}
	switch {
	case live[0] > live[1]:
		r.Winner = 0
	case live[1] > live[0]:
		r.Winner = 1
	}
	return r
}

// Recording returns a player, for one game, that makes recorded decisions. Where they run out or
// name a cell off the board, it forfeits its turns.
func (g *Game) Recording(decisions []uint64) engine.Player { return &recording{decisions} }

type recording struct{ rest []uint64 }

// Sit returns the recording itself: it is for one game.
func (r *recording) Sit(*Options, engine.Seed) Seat { return r }

// Turn reads the decisions up to the end of the turn.
func (r *recording) Turn(v *View, dst []Cell) ([]Cell, bool) {
	width := uint64(v.Options.Width)
	for i, d := range r.rest {
		switch {
		case d == turnEnd:
			r.rest = r.rest[i+1:]
			return dst, true
		case (d-1)/width >= uint64(v.Options.Height):
			r.rest = nil
			return dst, false
		}
		dst = append(dst, Cell{int32((d - 1) / width), int32((d - 1) % width)})
	}
	r.rest = nil
	return dst, false
}
