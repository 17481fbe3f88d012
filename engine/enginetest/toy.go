package enginetest

import (
	"fmt"
	"image"
	"math"
	"strconv"

	"clade/engine"
	"clade/gp"
)

// number is the toy game Number.
type number struct {
	toy
	settings numberSettings
}

// numberSettings are the parameters of Number.
type numberSettings struct {
	Noise  float64 `toml:"noise"`
	Rounds int     `toml:"rounds"`
}

// Table implements engine.Settings.
func (s *numberSettings) Table() []engine.Setting {
	return []engine.Setting{
		engine.Real("noise", &s.Noise, 0, 1000, "",
			"a random number in [0, noise) is added to every one that is said"),
		engine.Whole("rounds", &s.Rounds, 1, 10, "rounds", "numbers to be said"),
	}
}

// Number returns a transitive game for two to four seats: in each of three rounds every player says
// a number, a random number in [0, noise) is added, and the greatest total wins. A genome is one
// tree without sensors: the number.
func Number(noise float64) engine.Game {
	return &number{toy{toyGrammar()}, numberSettings{noise, 3}}
}

func (n *number) Info() engine.Info {
	return engine.Info{
		Name: "number", Title: "Number", About: "the greater number wins", Version: 1,
		MinSeats: 2, MaxSeats: 4, Decisions: 10, Chance: true, Marks: []string{"rounds"},
	}
}

// Settings returns the noise and the rounds.
func (n *number) Settings() engine.Settings {
	s := n.settings
	return &s
}

// With returns the game with other noise or rounds.
func (n *number) With(settings any) (engine.Game, error) {
	s, ok := settings.(*numberSettings)
	if !ok {
		return nil, fmt.Errorf("number: settings are %T, not *enginetest.numberSettings", settings)
	}
	if err := engine.CheckSettings("number", s); err != nil {
		return nil, err
	}
	return &number{n.toy, *s}, nil
}

func (n *number) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	r := engine.Result{Fingerprint: seed}
	noise := engine.NewRandom(seed)
	if rec != nil {
		rec.Step(&bars{r, len(players)})
	}
	for r.Steps < n.settings.Rounds {
		for seat, p := range players {
			said := say(p, seat, r.Steps, &r, rec)
			r.Scores[seat] += said + float64(n.settings.Noise*noise.Float())
			r.Marks[seat][0]++
		}
		r.Steps++
		if rec != nil {
			rec.Step(&bars{r, len(players)})
		}
	}
	r.WinBest(len(players))
	return r
}

// scissors is the toy game Scissors.
type scissors struct{ toy }

// Scissors returns a cyclic game for two: a player's number, rounded down and taken modulo three,
// is rock, paper or scissors, and each beats the one before. Its genomes are those of Number.
func Scissors() engine.Game { return &scissors{toy{toyGrammar()}} }

func (*scissors) Info() engine.Info {
	return engine.Info{
		Name: "scissors", Title: "Rock, paper, scissors",
		About: "each of three beats the one before", Version: 1,
		MinSeats: 2, MaxSeats: 2, Decisions: 1, Scores: engine.Bounds{Most: 1},
	}
}

func (*scissors) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	r := engine.Result{Fingerprint: seed}
	var hands [2]int
	if rec != nil {
		rec.Step(&bars{r, 2})
	}
	for seat := range hands {
		hands[seat] = int(math.Mod(math.Floor(say(players[seat], seat, 0, &r, rec)), 3)) // -2..2
	}
	r.Steps = 1
	switch (hands[0] - hands[1] + 6) % 3 {
	case 1:
		r.Scores[0] = 1
	case 2:
		r.Scores[1] = 1
	}
	r.WinBest(2)
	if rec != nil {
		rec.Step(&bars{r, 2})
	}
	return r
}

// Constant returns a player of the toy games that always says the value.
func Constant(g engine.Game, value float64) engine.Player {
	if g.Grammar().Slots[0].Name != toySlot {
		panic("enginetest: " + g.Info().Name + " is not a toy game")
	}
	return constant(value)
}

const toySlot = "number"

// toy is the part that both games share: the vocabulary, the players and the scene.
type toy struct{ grammar *gp.Grammar }

func toyGrammar() *gp.Grammar {
	return gp.MustGrammar(gp.Spec{Slots: []gp.Slot{{Name: toySlot, Type: gp.Float}},
		Operators: gp.SharedNumbers()})
}

func (t toy) Grammar() *gp.Grammar { return t.grammar }

// Bind computes the number once.
func (t toy) Bind(ge gp.Genome) (engine.Player, error) {
	if err := t.grammar.Check(ge); err != nil {
		return nil, fmt.Errorf("enginetest: genome does not fit: %w", err)
	}
	return constant(t.grammar.Walk(ge[0], t.grammar.NewFrame(), 0)), nil
}

// Weigh returns a player that traces its number, the only candidate.
func (t toy) Weigh(p engine.Player, tell func(*engine.Choice)) engine.Player {
	number, ok := p.(constant)
	if !ok {
		return nil
	}
	return weighing{number, tell, engine.Choice{
		Candidates: []engine.Candidate{{Name: "say it", Utility: float32(number)}},
		Views: []engine.View{{Frame: t.grammar.NewFrame(),
			Place: func(int) (image.Point, bool) { return image.Point{}, false }}},
	}}
}

// weighing is a constant that traces its choices.
type weighing struct {
	constant
	tell   func(*engine.Choice)
	choice engine.Choice
}

func (w weighing) say(round int) float64 {
	w.tell(&w.choice)
	return w.constant.say(round)
}

// Recording returns a player that says recorded numbers, and 0 when they run out.
func (t toy) Recording(decisions []uint64) engine.Player {
	said := make(recorded, len(decisions))
	for i, d := range decisions {
		if v := math.Float64frombits(d); v >= -math.MaxFloat32 && v <= math.MaxFloat32 {
			said[i] = v
		}
	}
	return said
}

// Players lists a player without arguments, and one that needs one.
func (t toy) Players() []engine.Entry {
	return []engine.Entry{
		{Name: "zero", About: "says 0", New: func(args string) (engine.Player, error) {
			if args != "" {
				return nil, fmt.Errorf("enginetest: zero takes no arguments, not %q", args)
			}
			return constant(0), nil
		}},
		{Name: "always", About: "says the number in brackets",
			New: func(args string) (engine.Player, error) {
				v, err := strconv.ParseFloat(args, 32)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, fmt.Errorf(
						"enginetest: always(%s) needs one number: write always(5)",
						args)
				}
				return constant(v), nil
			}},
	}
}

// speaker is a player of the toy games.
type speaker interface{ say(round int) float64 }

// constant is a player that says one number: 0 for NaN, and the greatest binary32 for infinity.
type constant float64

func (c constant) say(int) float64 {
	if c != c {
		return 0
	}
	return min(max(float64(c), -math.MaxFloat32), math.MaxFloat32)
}

// recorded is a player that repeats the numbers of a record.
type recorded []float64

func (r recorded) say(round int) float64 {
	if round < len(r) {
		return r[round]
	}
	return 0
}

// say asks a player for a number, and passes it to the fingerprint and the recorder.
func say(p engine.Player, seat, round int, r *engine.Result, rec engine.Recorder) float64 {
	v := p.(speaker).say(round)
	r.Fingerprint = engine.Hash(r.Fingerprint, math.Float64bits(v))
	if rec != nil {
		rec.Decide(seat, math.Float64bits(v))
	}
	return v
}

// bars is a scene: the score of each seat as a bar.
type bars struct {
	result engine.Result
	seats  int
}

func (b *bars) Step() int { return b.result.Steps }

func (b *bars) Scores(dst []float64) []float64 { return append(dst, b.result.Scores[:b.seats]...) }

func (b *bars) Size(scale int) image.Point { return image.Pt(16*scale, b.seats*scale) }

func (b *bars) Tile(scale int) int { return scale }

func (b *bars) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	size := b.Size(scale)
	for y := range size.Y {
		seat := y / scale
		for x := range size.X {
			c := uint8(engine.Paper)
			if float64(x) < b.result.Scores[seat]*float64(scale) {
				c = uint8(engine.Seats + seat)
			}
			img.SetColorIndex(x, y, c)
		}
	}
}

func (b *bars) Text() string { return fmt.Sprintf("%v\n", b.result.Scores[:b.seats]) }

func (b *bars) Inspect(at image.Point, scale int) string {
	if seat := at.Y / scale; at.Y >= 0 && seat < b.seats {
		return fmt.Sprintf("seat %d has said %v", seat, b.result.Scores[seat])
	}
	return ""
}
