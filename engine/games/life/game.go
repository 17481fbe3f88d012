package life

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/gp/input"
	"clade/gp/kernels"
)

// settings are the parameters of a game. Methuselahs and StillLifes are left out of files if they
// are false, so that files from before there were any keep their hashes. Some keys have underscores
// because files from before do.
type settings struct {
	Height           int     `toml:"height"`
	Width            int     `toml:"width"`
	Generations      int     `toml:"generations"`
	Cells            int     `toml:"cells"`
	EndOnElimination bool    `toml:"end_on_elimination"`
	Start            string  `toml:"start" unset:"empty"` // With puts in what a file holds
	Rounds           int     `toml:"rounds"`
	Methuselahs      bool    `toml:"methuselahs,omitempty"`
	StillLifes       bool    `toml:"still-lifes,omitempty"`
	TurnSeconds      float64 `toml:"turn_seconds"`
	Bands            int     `toml:"bands"`
}

// Table implements engine.Settings.
func (s *settings) Table() []engine.Setting {
	return []engine.Setting{
		engine.Whole("height", &s.Height, 1, maxSide, "cells", "height of the board"),
		engine.Whole("width", &s.Width, 1, maxSide, "cells", "width of the board"),
		engine.Whole("generations", &s.Generations, 1, 1_000_000, "generations",
			"length of a whole game"),
		engine.Whole("cells", &s.Cells, 1, 10_000, "cells",
			"entries of a reply that count, each generation"),
		engine.Switch("end-on-elimination", &s.EndOnElimination,
			"the game ends after a generation in which only one side has live cells"),
		engine.Word("start", &s.Start, "pattern in the middle of the board, run length encoded or "+
			"in another format of Life, or @ and the name of a file that holds one; its first "+
			"colour is that of the first side; \"\" for an empty board"),
		engine.Whole("rounds", &s.Rounds, 1, 100, "rounds", "of an evolved program's turn, which "+
			"may place one stamp in each"),
		engine.Switch("methuselahs", &s.Methuselahs, "evolved programs may place R-pentominoes and "+
			"acorns, too, and see how far away the nearest cells are; with still-lifes, "+
			"only R-pentominoes, on clear plots"),
		engine.Switch("still-lifes", &s.StillLifes, "evolved programs place blocks, pre-blocks and "+
			"blooms instead, also on lattices, and have a tree for nothing"),
		engine.Neutral(engine.Real("turn-seconds", &s.TurnSeconds, 0.001, 3600, "seconds",
			"time for a turn of a player that is a program")),
		engine.Neutral(engine.Whole("bands", &s.Bands, 1, 64, "goroutines",
			"for a board; changes speed only")),
	}
}

// defaults returns the parameters of the original controller's last version.
func defaults() settings {
	return settings{Height: 1000, Width: 1000, Generations: 1000, Cells: 30, Rounds: 8,
		TurnSeconds: 1, Bands: 1}
}

// File returns the name of the file that Start is read from, "" if Start is the pattern itself.
func (s *settings) File() string {
	if file, ok := strings.CutPrefix(s.Start, "@"); ok {
		return cmp.Or(file, ".") // "@" alone must fail, too, as a file that cannot be read
	}
	return ""
}

// pattern reads Start, and replaces the name of a file in it by its contents. It returns nil
// without a start.
func (s *settings) pattern() (*pattern, error) {
	if s.Start == "" {
		return nil, nil
	}
	p, err := s.readStart()
	if err != nil {
		return nil, input.Faultf("start", "%w", err)
	}
	if p.height > s.Height || p.width > s.Width {
		return nil, input.Faultf("start",
			"life: start has %d rows and %d columns, the board %d and %d: "+
				"make height and width greater", p.height, p.width, s.Height, s.Width)
	}
	return p, nil
}

func (s *settings) readStart() (*pattern, error) {
	file := s.File()
	if file == "" {
		return parsePattern("start", []byte(s.Start))
	}
	text, err := durable.ReadFile(file, durable.MaxText)
	if err != nil {
		return nil, fmt.Errorf("life: start: %w; write start=@FILE with a file that holds a pattern",
			err)
	}
	p, err := parsePattern(file, text)
	if err == nil {
		s.Start = fmt.Sprintf("#N %s\n%s", printable(filepath.Base(file)), p.rle())
	}
	return p, err
}

// printable replaces characters of a name that are not printable, such as line ends.
func printable(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, name)
}

// game is Life, King of the Hill, with its parameters.
type game struct {
	settings settings
	start    *pattern // settings.Start, nil without
	shared   *shared
	level    kernels.Level // of the boards' kernels; it changes speed only
	fault    error         // the environment names kernels that do not exist: no player can be made
}

// shared is what games with different parameters have in common: the vocabularies.
type shared [numWords]*vocabulary

// New returns the game with the parameters of defaults.
func New() engine.Game {
	g, err := sensing(senses)
	if err != nil {
		panic(err)
	}
	return g
}

// sensing returns the game of New with a table of senses.
func sensing(senses []sense) (*game, error) {
	g := &game{settings: defaults(), shared: new(shared)}
	for of := range g.shared {
		var err error
		if g.shared[of], err = newVocabulary(senses, words(of)); err != nil {
			return nil, err
		}
	}
	g.level, g.fault = kernels.Chosen()
	return g, nil
}

// Info describes the game.
func (g *game) Info() engine.Info {
	return engine.Info{
		Name:  "life",
		Title: "Life, King of the Hill",
		About: "Conway's Life with two colours; each side wakes some cells a generation, and " +
			"more live cells at the end win",
		Rules: "A live cell stays alive with two or three neighbours of its colour. A dead one " +
			"is born where exactly three neighbours live, all of one colour. Before every " +
			"such step each side wakes a few dead cells, the second side knowing what the " +
			"first has done. Beyond the edges nothing lives. Who has more live cells at " +
			"the end wins.",
		Version:   1,
		MinSeats:  2,
		MaxSeats:  2,
		Decisions: g.settings.Generations * (g.settings.Cells + 1),
		Chance:    true,
		Marks:     []string{"placed", "forfeits"},
		Scores:    engine.Bounds{Most: float64(g.settings.Width * g.settings.Height)},
		Halves:    true,
	}
}

// Settings returns a pointer to a copy of the settings.
func (g *game) Settings() engine.Settings {
	o := g.settings
	return &o
}

// With returns the game with other parameters, a *settings.
func (g *game) With(other any) (engine.Game, error) {
	s, ok := other.(*settings)
	if !ok {
		return nil, fmt.Errorf("life: the settings must be a %T, not a %T", s, other)
	}
	if g.fault != nil {
		return nil, g.fault
	}
	if err := engine.CheckSettings("life", s); err != nil {
		return nil, err
	}
	c := *g
	c.settings = *s
	var err error
	if c.start, err = c.settings.pattern(); err != nil {
		return nil, err
	}
	return &c, nil
}

// view is what a side sees when it decides. Players must not change the board.
type view struct {
	board      *board
	own        colour
	generation int // from 0
	settings   *settings
}

// generationsLeft returns the generations that are still to run, this one included.
func (v *view) generationsLeft() int { return v.settings.Generations - v.generation }

// free tells whether a cell is on the board and dead.
func (v *view) free(y, x int) bool { return v.board.contains(y, x) && v.board.at(y, x) == dead }

// player takes a seat in any number of games at once.
type player interface {
	// sit returns the seat for one game. All its random numbers must come from the seed.
	sit(s *settings, seed engine.Seed) seat
}

// seat decides for one side of one game.
type seat interface {
	// choose appends the cells to wake, in order. Only the first settings.Cells count; those that
	// are not free have no effect. It returns false to forfeit the turn.
	choose(v *view, dst []cell) ([]cell, bool)
}

// turnEnd is the decision that ends a turn; a placed cell is the decision 1 + y*width + x.
const turnEnd = 0

// match is a game under way.
type match struct {
	settings    *settings
	board       *board
	seats       [2]seat
	first       int // the seat that is the first side
	generation  int
	moves       []cell
	rec         engine.Recorder
	fingerprint uint64
	placed      [2]int // by seat
	forfeits    [2]int // by seat
}

// Play plays one game. It panics for players of another game and for any number but two.
func (g *game) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if len(players) != 2 {
		panic(fmt.Sprintf("life: the game has 2 seats, not %d", len(players)))
	}
	if engine.AnyExternal(players) {
		return engine.PlayExternal(g, players, seed, func(seated []engine.Player) engine.Result {
			return g.Play(seated, seed, rec)
		})
	}
	return g.play(players, seed, int(engine.Seed(seed).Name("order").Num(0)&1), rec)
}

// play is Play with a given seat as first side.
func (g *game) play(players []engine.Player, seed uint64, first int,
	rec engine.Recorder) engine.Result {
	board := newBoard(g.settings.Height, g.settings.Width, g.level)
	if p := g.start; p != nil {
		board.put(p, (g.settings.Height-p.height)/2, (g.settings.Width-p.width)/2)
	}
	m := &match{settings: &g.settings, board: board, first: first, rec: rec, fingerprint: seed,
		moves: make([]cell, 0, g.settings.Cells)}
	for i, p := range players {
		side, ok := p.(player)
		if !ok {
			panic(fmt.Sprintf("life: seat %d is taken by a %T, which plays another game", i, p))
		}
		m.seats[i] = side.sit(m.settings, engine.Seed(seed).Name("seat").Num(uint64(i)))
	}
	if rec != nil {
		rec.Step(m.scene())
	}
	for m.generation < m.settings.Generations && !m.eliminated() {
		m.turn(m.first, colourA)
		m.turn(1-m.first, colourB)
		m.board.step(m.settings.Bands)
		m.generation++
		if rec != nil {
			rec.Step(m.scene())
		}
	}
	return m.result()
}

// turn lets a seat place cells.
func (m *match) turn(seat int, c colour) {
	v := view{board: m.board, own: c, generation: m.generation, settings: m.settings}
	moves, ok := m.seats[seat].choose(&v, m.moves[:0])
	if !ok {
		m.forfeits[seat]++
		moves = moves[:0]
	}
	for _, cell := range moves[:min(len(moves), m.settings.Cells)] {
		if m.board.place(int(cell.y), int(cell.x), c) {
			m.placed[seat]++
			m.decide(seat, 1+uint64(cell.y)*uint64(m.settings.Width)+uint64(cell.x))
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
	if !m.settings.EndOnElimination || m.generation == 0 {
		return false
	}
	n := m.board.population()
	return (n[0] == 0) != (n[1] == 0)
}

// live returns the live cells of each seat.
func (m *match) live() [2]int {
	n := m.board.population()
	return [2]int{n[m.first], n[1-m.first]}
}

func (m *match) result() engine.Result {
	r := engine.Result{Steps: m.generation, Fingerprint: m.fingerprint}
	live := m.live()
	for i, n := range live {
		r.Scores[i] = float64(n)
		r.Marks[i][0], r.Marks[i][1] = float32(m.placed[i]), float32(m.forfeits[i])
	}
	switch {
	case live[0] > live[1]:
		r.Win(0)
	case live[1] > live[0]:
		r.Win(1)
	}
	return r
}

// Recording returns a player, for one game, that makes recorded decisions. Once they have run out
// or name a cell off the board, it forfeits its turns.
func (g *game) Recording(decisions []uint64) engine.Player { return &recording{decisions} }

type recording struct{ rest []uint64 }

// sit returns the recording itself, which is for one game.
func (r *recording) sit(*settings, engine.Seed) seat { return r }

// choose reads the decisions up to the end of the turn.
func (r *recording) choose(v *view, dst []cell) ([]cell, bool) {
	width := uint64(v.settings.Width)
	for i, d := range r.rest {
		switch {
		case d == turnEnd:
			r.rest = r.rest[i+1:]
			return dst, true
		case (d-1)/width >= uint64(v.settings.Height):
			r.rest = nil
			return dst, false
		}
		dst = append(dst, cell{int32((d - 1) / width), int32((d - 1) % width)})
	}
	r.rest = nil
	return dst, false
}

// TournamentHelp says what Tournament plays.
func (g *game) TournamentHelp() string {
	return `In Life every pair plays a game, whose winner has a win, and both where they
have as many cells; the sides are drawn.`
}

// Tournament lets every pair play a game in each round, and adds wins up. A tie is a win for both,
// as in the contest.
func (g *game) Tournament(ctx context.Context, t engine.Tournament) ([][]string, error) {
	type meeting struct {
		players []int
		result  engine.Result
	}
	all, err := engine.Meetings(ctx, &t, 2, func(members []int, seed engine.Seed) meeting {
		return meeting{members, g.Play([]engine.Player{t.Players[members[0]],
			t.Players[members[1]]}, uint64(seed), nil)}
	})
	if err != nil {
		return nil, err
	}
	numbers := make([][]float64, len(t.Players))
	for i := range numbers {
		numbers[i] = make([]float64, 4)
	}
	for i := range all {
		winner := all[i].result.Winner()
		for seat, p := range all[i].players {
			of := numbers[p]
			if winner == seat || winner == engine.Tie {
				of[0]++
			}
			of[1] += all[i].result.Scores[seat]
			of[2]++
			if winner == engine.Tie {
				of[3]++
			}
		}
	}
	return t.Table([]string{"wins", "cells", "games", "ties"}, numbers), nil
}
