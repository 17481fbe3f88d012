package enginetest

import (
	"errors"
	"image"
	"math"

	"clade/engine"
	"clade/gp"
)

// broken is the game of Number with one promise broken by play, or by the method that a type around
// it replaces.
type broken struct {
	*number
	info func(*engine.Info)
	play func(g *number, players []engine.Player, seed uint64, rec engine.Recorder) engine.Result
}

func (b broken) Info() engine.Info {
	info := b.number.Info()
	if b.info != nil {
		b.info(&info)
	}
	return info
}

func (b broken) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	if b.play != nil {
		return b.play(b.number, players, seed, rec)
	}
	return b.number.Play(players, seed, rec)
}

func (b broken) With(settings any) (engine.Game, error) {
	g, err := b.number.With(settings)
	if err != nil {
		return nil, err
	}
	b.number = g.(*number)
	return b, nil
}

type playFunc = func(g *number, players []engine.Player, seed uint64,
	rec engine.Recorder) engine.Result

// spoilt plays and then spoils the result.
func spoilt(spoil func(r *engine.Result)) playFunc {
	return func(g *number, players []engine.Player, seed uint64,
		rec engine.Recorder) engine.Result {
		r := g.Play(players, seed, rec)
		spoil(&r)
		return r
	}
}

// spoiltScene is a scene with a fault.
type spoiltScene struct {
	engine.Scene
	step   int
	draw   func(img *image.Paletted)
	scores func(dst []float64) []float64
}

func (s spoiltScene) Step() int { return s.step }

func (s spoiltScene) Draw(img *image.Paletted, scale int) {
	s.Scene.Draw(img, scale)
	if s.draw != nil {
		s.draw(img)
	}
}

func (s spoiltScene) Scores(dst []float64) []float64 {
	if s.scores != nil {
		return s.scores(dst)
	}
	return s.Scene.Scores(dst)
}

// tiled is a scene with squares of a side.
type tiled struct {
	engine.Scene
	side int
}

func (t tiled) Tile(int) int { return t.side }

// beside is a scene with a piece that stands beside its board.
type beside struct{ engine.Scene }

func (beside) Plan() *engine.Plan {
	return &engine.Plan{Columns: 2, Rows: 1, Kinds: make([]engine.Kind, 1)}
}

func (beside) Pieces(dst []engine.Piece) []engine.Piece {
	return append(dst, engine.Nobodys(0, 1, 1))
}

// exported is a scene that can be written under the name of an extension.
type exported struct {
	engine.Scene
	text, extension string
}

func (e exported) Export() ([]byte, string) { return []byte(e.text), e.extension }

// talker is a scene that is printed as a text.
type talker struct {
	engine.Scene
	text string
}

func (t talker) Text() string { return t.text }

// tracker is a scene whose creatures are not where they are looked for.
type tracker struct{ engine.Scene }

func (tracker) Creature(image.Point, int) (int, bool)    { return 7, true }
func (tracker) Whereabouts(int, int) (image.Point, bool) { return image.Point{}, true }

// seatSpoiler hands decisions on as those of another seat.
type seatSpoiler struct {
	engine.Recorder
	by int
}

func (s seatSpoiler) Decide(seat int, decision uint64) { s.Recorder.Decide(seat+s.by, decision) }

// sceneSpoiler hands spoilt scenes on.
type sceneSpoiler struct {
	engine.Recorder
	spoil func(engine.Scene) engine.Scene
}

func (s sceneSpoiler) Step(scene engine.Scene) { s.Recorder.Step(s.spoil(scene)) }

func withScenes(spoil func(engine.Scene) engine.Scene) playFunc {
	return func(g *number, players []engine.Player, seed uint64,
		rec engine.Recorder) engine.Result {
		if rec != nil {
			rec = sceneSpoiler{rec, spoil}
		}
		return g.Play(players, seed, rec)
	}
}

// Games with a method replaced.

type anyBinder struct{ broken }

func (anyBinder) Bind(gp.Genome) (engine.Player, error) { return constant(1), nil }

type timidBinder struct{ broken }

func (b timidBinder) Bind(ge gp.Genome) (engine.Player, error) {
	if ge.Size() > 100 {
		return nil, errors.New("too long")
	}
	return b.broken.Bind(ge)
}

type panicBinder struct{ broken }

func (b panicBinder) Bind(ge gp.Genome) (engine.Player, error) {
	if len(ge) != 1 {
		panic("one tree, please")
	}
	return b.broken.Bind(ge)
}

type entries struct {
	broken
	list []engine.Entry
}

func (e entries) Players() []engine.Entry { return e.list }

type badTape struct{ broken }

func (badTape) Recording([]uint64) engine.Player { return constant(4) }

func (b badTape) With(any) (engine.Game, error) { return b, nil }

type touchyTape struct{ broken }

func (b touchyTape) Recording(d []uint64) engine.Player {
	return recorded{math.Float64frombits(d[0]), math.Float64frombits(d[1]), math.Float64frombits(d[2])}
}

type badBatch struct{ broken }

func (badBatch) Batches([]engine.Player) bool { return true }

func (b badBatch) PlayBatch(jobs []engine.Job, results []engine.Result) {
	for i, job := range jobs {
		results[i] = b.Play(job.Players, job.Seed+uint64(i/3), nil)
	}
}

type fixedSettings struct{ broken }

func (b fixedSettings) Settings() engine.Settings { return &b.settings }

// greedySettings changes what it is given.
type greedySettings struct{ broken }

func (b greedySettings) With(settings any) (engine.Game, error) {
	g, err := b.broken.With(settings)
	if s, ok := settings.(*numberSettings); ok {
		s.Rounds++
	}
	return g, err
}

// shortSettings does not become what it is given.
type shortSettings struct{ broken }

func (b shortSettings) With(settings any) (engine.Game, error) {
	if s, ok := settings.(*numberSettings); ok {
		settings = &numberSettings{s.Noise, 1}
	}
	return b.broken.With(settings)
}

// looseSettings takes settings out of their ranges.
type looseSettings struct{ broken }

func (b looseSettings) With(settings any) (engine.Game, error) {
	if s, ok := settings.(*numberSettings); ok {
		b.number = &number{b.toy, *s}
		return b, nil
	}
	return nil, errors.New("other settings")
}

// namelessSettings has a parameter that no study can set.
type namelessSettings struct{ broken }

func (namelessSettings) Settings() engine.Settings { return &nameless{} }

type nameless struct{ Noise float64 }

func (*nameless) Table() []engine.Setting { return nil }

type otherSettings struct{ broken }

func (b otherSettings) With(any) (engine.Game, error) { return Number(700), nil }

// guesser is a game for one that takes all children for their parents.
type guesser struct{ broken }

func (guesser) Info() engine.Info {
	return engine.Info{Name: "guess", Title: "Guess", About: "a number", Version: 1, MinSeats: 1,
		MaxSeats: 1, Decisions: 10}
}

func (g guesser) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	r := engine.Result{Fingerprint: seed}
	r.Scores[0] = say(players[0], 0, 0, &r, rec)
	return r
}

func (guesser) PlaysAs(engine.Player, gp.Genome, gp.Genome) bool { return true }

// denier is a guesser that never tells.
type denier struct{ guesser }

func (denier) PlaysAs(engine.Player, gp.Genome, gp.Genome) bool { return false }

// lucky is a game of chance for several that tells who plays alike.
type lucky struct{ broken }
