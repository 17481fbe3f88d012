package enginetest

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

func TestNumberPasses(t *testing.T)   { Run(t, Number(0.5)) }
func TestScissorsPasses(t *testing.T) { Run(t, Scissors()) }
func TestGatherPasses(t *testing.T)   { Run(t, Gather()) }
func TestThreePass(t *testing.T)      { Run(t, three{Gather().(gather)}) }

// three is Gather for three, which two cannot play, nor a batch.
type three struct{ gather }

func (g three) Info() engine.Info {
	info := g.gather.Info()
	info.MinSeats = 3
	return info
}

func (g three) Using(executor string) (engine.Game, error) {
	l, err := g.At(executor)
	return three{gather{l}}, err
}

func (lucky) PlaysAs(engine.Player, gp.Genome, gp.Genome) bool { return false }

func TestBrokenGamesAreCaught(t *testing.T) {
	proof.Slow(t)
	sound := broken{number: Number(0.5).(*number)}
	info := func(f func(*engine.Info)) engine.Game { return broken{number: sound.number, info: f} }
	play := func(f playFunc) engine.Game { return broken{number: sound.number, play: f} }
	plain := func(args string) (engine.Player, error) {
		if args != "" {
			return nil, errors.New("no arguments, please")
		}
		return constant(0), nil
	}
	var plays atomic.Uint64
	release := make(chan struct{})
	defer close(release)

	tests := []struct {
		name, check string
		game        engine.Game
		want        string
	}{
		{"nothing", "", sound, ""},
		{"name", "facts", info(func(i *engine.Info) { i.Name = "Number!" }), "lower case"},
		{"version", "facts", info(func(i *engine.Info) { i.Version = 0 }), "version"},
		{"marks", "facts", info(func(i *engine.Info) { i.Marks = []string{"a", "a"} }), "twice"},
		{"changing info", "facts", info(func(i *engine.Info) { i.Version = int(plays.Add(1)) }),
			"two calls differ"},
		{"takes any genome", "bind", anyBinder{sound}, "must refuse"},
		{"panics at a genome", "bind", panicBinder{sound}, "one tree, please"},
		{"a name twice", "roster",
			entries{sound, []engine.Entry{{Name: "a", About: "a", New: plain},
				{Name: "a", About: "a", New: plain}}}, "stands twice"},
		{"ignores arguments", "roster", entries{sound, []engine.Entry{{Name: "a", About: "a",
			New: func(string) (engine.Player, error) { return constant(0), nil }}}}, "in silence"},
		{"neither player nor error", "roster", entries{sound, []engine.Entry{{Name: "a", About: "a",
			New: func(string) (engine.Player, error) { return nil, nil }}}}, "one of the two"},
		{"trees of another player", "roster", entries{sound, []engine.Entry{{Name: "a", About: "a",
			New: plain, Genome: func() (gp.Genome, error) { return Bred(sound, 1)[0], nil }}}},
			"player a and its genome"},
		{"a score that is not a number", "result",
			play(spoilt(func(r *engine.Result) { r.Scores[1] = math.NaN() })), "NaN"},
		{"an infinite score", "result",
			play(spoilt(func(r *engine.Result) { r.Scores[0] = math.Inf(1) })), "+Inf"},
		{"a score for nobody", "result", play(spoilt(func(r *engine.Result) { r.Scores[9] = 1 })),
			"does not play"},
		{"a mark without a name", "result",
			play(spoilt(func(r *engine.Result) { r.Marks[0][3] = 1 })), "mark 3"},
		{"a winner who is not there", "result",
			play(spoilt(func(r *engine.Result) { r.Win(4) })), "wins a game for"},
		{"too many decisions", "result", info(func(i *engine.Info) { i.Decisions = 2 }),
			"Info.Decisions is 2"},
		{"does not end", "result",
			play(func(_ *number, _ []engine.Player, _ uint64, rec engine.Recorder) engine.Result {
				for {
					rec.Decide(1, 0)
				}
			}), "Info.Decisions is 10"},
		{"steps below zero", "result", play(spoilt(func(r *engine.Result) { r.Steps = -1 })), "-1 steps"},
		{"decisions of a seat that does not play", "result",
			play(func(g *number, p []engine.Player, seed uint64,
				rec engine.Recorder) engine.Result {
				if rec != nil {
					rec = seatSpoiler{rec, 4}
				}
				return g.Play(p, seed, rec)
			}), "does not play and decides"},
		{"no scene", "result",
			play(func(g *number, p []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
				return g.Play(p, seed, nil)
			}), "no scene"},
		{"a generator of its own", "repeat",
			play(func(g *number, p []engine.Player, seed uint64,
				rec engine.Recorder) engine.Result {
				return g.Play(p, plays.Add(1), rec)
			}), "played twice"},
		{"one fingerprint", "repeat", play(spoilt(func(r *engine.Result) { r.Fingerprint = 1 })),
			"the same fingerprint"},
		{"secret chance", "repeat", info(func(i *engine.Info) { i.Chance = false }), "no chance"},
		{"looks at the player's address", "relabel", addressed(sound), "copies of it"},
		{"looks whether players share memory", "relabel", sharing(sound),
			"one copy of each player and several"},
		{"the recorder takes part", "recorder",
			play(func(g *number, p []engine.Player, seed uint64,
				rec engine.Recorder) engine.Result {
				r := g.Play(p, seed, rec)
				if rec != nil {
					r.Scores[0]++
				}
				return r
			}), "alone and recorded"},
		{"a picture without colours", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene {
				return spoiltScene{Scene: s, draw: func(img *image.Paletted) { img.Palette = nil }}
			})), "no palette"},
		{"colours that change", "recorder", play(withScenes(func(s engine.Scene) engine.Scene {
			return spoiltScene{Scene: s,
				draw: func(img *image.Paletted) { img.Palette = img.Palette[:40+s.Step()] }}
		})), "another palette"},
		{"a hole in the picture", "recorder", play(withScenes(func(s engine.Scene) engine.Scene {
			return spoiltScene{Scene: s, draw: func(img *image.Paletted) { img.Pix[3] = 255 }}
		})), "pixel 3, 0"},
		{"a picture that shrinks", "recorder", play(withScenes(func(s engine.Scene) engine.Scene {
			return spoiltScene{Scene: s, draw: func(img *image.Paletted) { img.Rect.Max.Y-- }}
		})), "size of the picture"},
		{"an escape sequence", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene { return talker{s, "\x1b[2J"} })),
			"escape sequences"},
		{"creatures that are elsewhere", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene { return tracker{s} })),
			"creature 0 is at"},
		{"steps back", "recorder",
			play(withScenes(
				func(s engine.Scene) engine.Scene {
					return spoiltScene{Scene: s, step: -s.Step()}
				})), "comes after"},
		{"an action without a name", "external", gather{engine.NewLockstep("gather",
			gatherVocabulary(), []engine.Offer{{Turn: 1}},
			func() engine.Stepper { return &foragers{torus: gp.NewTorus(gatherSide)} })}, "is its Name"},
		{"scores missing", "recorder", play(withScenes(func(s engine.Scene) engine.Scene {
			return spoiltScene{Scene: s, scores: func(dst []float64) []float64 { return append(dst, 1) }}
		})), "an engine.Board are its Points"},
		{"squares greater than the picture", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene { return tiled{s, 49} })),
			"squares of 49 pixels"},
		{"squares of a negative side", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene { return tiled{s, -1} })),
			"squares of -1 pixels"},
		{"a piece beside the board", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene { return beside{s} })),
			"is no piece on a board of 2 x 1"},
		{"an empty file", "recorder",
			play(withScenes(func(s engine.Scene) engine.Scene { return exported{s, "", ".txt"} })),
			"exported"},
		{"a file without an extension", "recorder",
			play(withScenes(
				func(s engine.Scene) engine.Scene { return exported{s, "text", "txt"} })),
			"exported"},
		{"replays otherwise", "replay", badTape{sound}, "another course"},
		{"trips over a short record", "faulty", touchyTape{sound}, "index out of range"},
		{"refuses great genomes", "hostile", timidBinder{sound}, "too long"},
		{"depends on what was played before", "shared",
			play(func(g *number, p []engine.Player, seed uint64,
				rec engine.Recorder) engine.Result {
				return g.Play(p, seed+plays.Add(1), rec)
			}), "beside other games"},
		{"leaves a goroutine", "shared",
			play(func(g *number, p []engine.Player, seed uint64,
				rec engine.Recorder) engine.Result {
				go func() { <-release }()
				return g.Play(p, seed, rec)
			}), "goroutines before"},
		{"leaves a layer as it was", "drawing", careless(func(was, f *gp.Frame) {
			f.Layers[gatherLayerOther] = was.Layers[gatherLayerOther]
		}), "layer other"},
		{"leaves a scalar as it was", "drawing", careless(func(was, f *gp.Frame) {
			*f.Scalar(1) = *was.Scalar(1)
		}), "scalar 1"},
		{"leaves a flag as it was", "drawing", careless(func(was, f *gp.Frame) {
			f.Flags[0] |= was.Flags[0]
		}), "flag 0"},
		{"two cells in a layer of one", "drawing", gathering(
			func(f *foragers) engine.Stepper { return f },
			func(layers []gp.Layer) { layers[gatherLayerOther].Single = true }), "layer other"},
		{"offers nothing", "drawing", gathering(func(f *foragers) engine.Stepper { return idle{f} }, nil),
			"no offer is possible"},
		{"batches otherwise", "batch", badBatch{sound}, "in a batch"},
		{"takes children for parents", "equivalence", guesser{sound}, "plays as genome"},
		{"never tells", "equivalence", denier{guesser{sound}}, "only 0 children"},
		{"tells in a game of chance", "equivalence", lucky{sound}, "no chance"},
		{"hands out its own settings", "settings", fixedSettings{sound}, "one pointer"},
		{"changes what it is given", "settings", greedySettings{sound}, "With changed"},
		{"becomes another game", "settings", shortSettings{sound}, "with its own settings"},
		{"takes more than its ranges", "settings", looseSettings{sound}, "out of its range"},
		{"a setting without a name", "settings", namelessSettings{sound}, "no toml name"},
		{"takes any settings", "settings", otherSettings{sound}, "senseless"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := proof.Must(newSubject(test.game))(t)
			caught := false
			for _, c := range checks {
				if test.check != "" && test.check != c.name {
					continue
				}
				err := guard(func() error { return c.check(s) })
				if caught = test.check != ""; caught {
					proof.Says(t, err, test.want)
				} else if err != nil {
					t.Errorf("%s: a sound game is said to be broken: %v", c.name, err)
				}
			}
			if !caught && test.check != "" {
				t.Errorf("there is no check %q", test.check)
			}
		})
	}
}

// addressed is a game in which two seats with one copy of a player do not do what two copies do.
func addressed(sound broken) engine.Game {
	return pointerGame{broken{number: sound.number,
		play: func(g *number, p []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
			first := p[0].(*held)
			plain := make([]engine.Player, len(p))
			for i := range p {
				plain[i] = p[i].(*held).constant
				if i > 0 && p[i] == first {
					plain[i] = constant(9)
				}
			}
			return g.Play(plain, seed, rec)
		}}}
}

// sharing is a game in which two of several seats with one copy of a player do not do what two
// copies do.
func sharing(sound broken) engine.Game {
	return pointerGame{broken{number: sound.number,
		play: func(g *number, p []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
			plain := make([]engine.Player, len(p))
			for i := range p {
				plain[i] = p[i].(*held).constant
			}
			if len(p) > 2 && p[2] == p[0] && p[1] != p[0] {
				plain[2] = constant(9)
			}
			return g.Play(plain, seed, rec)
		}}}
}

type held struct{ constant constant }

// pointerGame binds players that have an address.
type pointerGame struct{ broken }

func (g pointerGame) Bind(ge gp.Genome) (engine.Player, error) {
	p, err := g.broken.Bind(ge)
	if err != nil {
		return nil, err
	}
	return &held{p.(constant)}, nil
}

func (pointerGame) Players() []engine.Entry { return nil }

func TestHostileGenomesAreHostile(t *testing.T) {
	g := Number(0)
	values := map[string]float64{}
	for _, h := range hostileGenomes(g) {
		values[h.name] = float64(g.Grammar().Walk(h.genome[0], g.Grammar().NewFrame(), 0))
	}
	if v := values["infinite"]; !math.IsInf(v, 1) {
		t.Errorf("the infinite tree is worth %v", v)
	}
	if v := values["negative infinite"]; !math.IsInf(v, -1) {
		t.Errorf("the negative infinite tree is worth %v", v)
	}
	if v := values["undefined"]; !math.IsNaN(v) {
		t.Errorf("the undefined tree is worth %v", v)
	}
}

func ExampleNumber() {
	g := Number(0)
	result := g.Play([]engine.Player{Constant(g, 1), Constant(g, 2)}, 1, nil)
	fmt.Println("seat", result.Winner(), "wins")
	// Output: seat 1 wins
}

// placed is Gather with a Stepper that tells itself where its window lies.
type placed struct{ *foragers }

func (p placed) Where(seat, x, y int) (int, bool) { return p.torus.Cell(p.at[seat], x, y) }

// A Lockstep's players tell where they stand and what each offer leads to, by the torus that was
// drawn and by what the Stepper says.
func TestLockstepTellsWhere(t *testing.T) {
	g := Gather().(gather)
	own := engine.NewLockstep("gather", g.Grammar(), engine.Compass(0), func() engine.Stepper {
		return placed{&foragers{torus: gp.NewTorus(gatherSide)}}
	})
	ge := Bred(g, 10)[5]
	var choices [2][]*engine.Choice
	var at []image.Point
	for i, l := range []*engine.Lockstep{g.Lockstep, own} {
		plain := proof.Must(l.Bind(ge))(t)
		p := l.Weigh(plain, func(c *engine.Choice) { choices[i] = append(choices[i], c.Clone()) })
		at = at[:0]
		nose := proof.Must(l.GenomeEntry("nose", "", "(foodAhead (rect 0 -1 5 3))").New(""))(t)
		l.Play([]engine.Player{nose, p}, 3, engine.OnStep(func(s engine.Scene) {
			b := s.(*engine.Board)
			i := bytes.IndexByte(b.Letters, '2') // where it stands in the picture
			at = append(at, image.Pt(i%b.Columns, i/b.Columns).Mul(12).Add(image.Pt(6, 6)))
		}))
	}
	if len(choices[0]) != gatherMoves || len(choices[1]) != gatherMoves {
		t.Fatalf("%d and %d choices", len(choices[0]), len(choices[1]))
	}
	for i, c := range choices[0] {
		o := choices[1][i]
		x, ok := c.Views[0].Place(0)
		if y, _ := o.Views[0].Place(0); x != y || !ok ||
			!slices.Equal(c.Candidates, o.Candidates) ||
			c.Actor != at[i] || c.Candidates[c.Chosen].At != at[i+1] {
			t.Fatalf("choice %d: %+v and %+v, at %v, then %v", i, c, o, at[i], at[i+1])
		}
	}
}

// careless returns gather, with a flag, whose seats leave something of what a frame was at times.
func careless(leave func(was, f *gp.Frame)) engine.Game {
	spec := gatherVocabulary().Spec
	spec.Flags = 1
	return gather{engine.NewLockstep("gather", gp.MustGrammar(spec), engine.Compass(0),
		func() engine.Stepper {
			return &leaving{&foragers{torus: gp.NewTorus(gatherSide)}, leave}
		})}
}

type leaving struct {
	*foragers
	leave func(was, f *gp.Frame)
}

func (l *leaving) Sense(seat int, f *gp.Frame) uint64 {
	was := f.Clone()
	possible := l.foragers.Sense(seat, f)
	if f.Flags[0] = uint8(l.eaten[seat] & 15); l.eaten[seat] == 3 {
		l.leave(was, f)
	}
	return possible
}

// gathering returns gather with other layers, and a Stepper of its own.
func gathering(begin func(f *foragers) engine.Stepper, change func([]gp.Layer)) engine.Game {
	spec := gatherVocabulary().Spec
	if change != nil {
		spec.Layers = slices.Clone(spec.Layers)
		change(spec.Layers)
	}
	return gather{engine.NewLockstep("gather", gp.MustGrammar(spec), engine.Compass(0),
		func() engine.Stepper { return begin(&foragers{torus: gp.NewTorus(gatherSide)}) })}
}

// idle is gather, where one may do nothing in the eighth move.
type idle struct{ *foragers }

func (i idle) Sense(seat int, f *gp.Frame) uint64 {
	if possible := i.foragers.Sense(seat, f); i.moves != 7 {
		return possible
	}
	return 0
}

// staying is gather with a fifth offer, which has no direction.
type staying struct{ *foragers }

func (s staying) Sense(seat int, f *gp.Frame) uint64 { return s.foragers.Sense(seat, f) | 1<<gp.Lanes }

func (s staying) Step(*[engine.MaxSeats]int) { s.moves++ }

// TestLockstepTellsWhereNot: an action that is never turned has its goal where the player stands.
func TestLockstepTellsWhereNot(t *testing.T) {
	spec := gatherVocabulary().Spec
	spec.Slots = append(slices.Clip(spec.Slots), gp.Slot{Name: "stay", Type: gp.Float})
	l := engine.NewLockstep("gather", gp.MustGrammar(spec),
		append(engine.Compass(0), engine.Offer{Name: "stay", Slot: 1}),
		func() engine.Stepper { return staying{&foragers{torus: gp.NewTorus(gatherSide)}} })
	plain := proof.Must(l.GenomeEntry("plain", "", "eaten movesLeft").New(""))(t)
	p := l.Weigh(plain, func(c *engine.Choice) {
		for _, k := range c.Candidates {
			if (k.At == c.Actor) != (k.Name == "stay") || k.Utility != 0 && k.Name != "stay" {
				t.Errorf("%+v of a player at %v", k, c.Actor)
			}
		}
		if len(c.Candidates) != 5 || c.Candidates[c.Chosen].Name != "stay" {
			t.Errorf("%+v", c)
		}
	})
	l.Play([]engine.Player{p, p}, 1, nil)
}

// TestExecutorsOfGrammar: kernels that a grammar does not have are no executors.
func TestExecutorsOfGrammar(t *testing.T) {
	spec := gatherVocabulary().Spec
	for _, want := range [][]string{kernels.Names(), {"scalar"}} {
		l := engine.NewLockstep("gather", gp.MustGrammar(spec), engine.Compass(0),
			func() engine.Stepper { return &foragers{torus: gp.NewTorus(gatherSide)} })
		proof.Are(t, l.Executors(), want, "executors")
		for _, name := range kernels.Names() {
			if _, err := l.At(name); (err == nil) != slices.Contains(want, name) {
				t.Errorf("%s, one of %v or not: %v", name, want, err)
			}
		}
		half := func(a [gp.MaxFunctionArgs]float32) float32 { return a[0] / 2 }
		spec.Operators = append(slices.Clip(spec.Operators),
			gp.CallOperator("half", 1, half, gp.Float, gp.Float))
	}
}
