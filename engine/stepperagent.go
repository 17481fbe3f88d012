package engine

import (
	"image"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"clade/gp"
)

// External agents of a Lockstep are shown what the trees read, by the names of layers, scalars and
// flags, and answer with the name of an offer.

// named is a Lockstep as an Interactive Game, for PlayExternal. Its Info has the name only: the
// rest is known to the game that embeds the Lockstep.
type named struct{ *Lockstep }

func (n named) Info() Info { return Info{Name: n.name, Title: n.name} }

// Facts implements Interactive with the reach of the window and the names of all offers.
func (l *Lockstep) Facts() any {
	var names []string
	for _, o := range l.offers {
		names = append(names, o.Name)
	}
	return struct {
		Reach   int      `json:"reach"`
		Actions []string `json:"actions"`
	}{l.grammar.Window.Side / 2, names}
}

// Seat implements Interactive. Without an answer the first possible offer is taken.
func (l *Lockstep) Seat(a Agent) Player { return &stepperAgent{l, a} }

// stepperAgent is an agent in a seat of a Lockstep.
type stepperAgent struct {
	*Lockstep
	agent Agent
}

func (a *stepperAgent) choose(g Stepper, seat int, f *gp.Frame, possible uint64) int {
	d := stepperDecision{Lockstep: a.Lockstep, game: g, seat: seat, frame: f,
		chosen: bits.TrailingZeros64(possible)}
	for i, o := range a.offers {
		if possible>>i&1 != 0 {
			d.possible = append(d.possible, Action{Name: o.Name})
		}
	}
	a.agent.Act(&d)
	return d.chosen
}

// stepperDecision is a decision of a seat of a Lockstep.
type stepperDecision struct {
	*Lockstep
	game     Stepper
	seat     int
	frame    *gp.Frame
	possible []Action
	chosen   int
	tint     func(rune) uint8 // of the scene; nil until Tint is called
}

// Text implements Speaker.
func (d *stepperDecision) Text() string { return told(d.game, d.seat) }

// Tint implements Tinted.
func (d *stepperDecision) Tint(letter rune) uint8 {
	if d.tint == nil {
		d.tint = func(rune) uint8 { return Paper }
		if s, ok := d.game.Scene().(Tinted); ok {
			d.tint = s.Tint
		}
	}
	return d.tint(letter)
}

// View implements Viewed.
func (d *stepperDecision) View(int) (Planned, image.Point) {
	if k, ok := d.game.(Knower); ok {
		return k.Known(d.seat)
	}
	if _, hides := d.game.(Teller); hides {
		return nil, image.Pt(-1, -1)
	}
	p, _ := d.game.Scene().(Planned)
	return p, image.Pt(-1, -1)
}

// told returns what a seat sees as text, of the Stepper if it is a Teller, else of its scene.
func told(g Stepper, seat int) string {
	if t, ok := g.(Teller); ok {
		return t.Tell(seat)
	}
	if s, ok := g.Scene().(Speaker); ok {
		return s.Text()
	}
	return ""
}

// Observation implements Decision.
func (d *stepperDecision) Observation() any {
	o := struct {
		Layers map[string][][]int32 `json:"layers"` // x, y, and the weight in layers that have them
		// under the four turns, or one value where all are equal
		Scalars map[string][]any  `json:"scalars"`
		Flags   map[string][]bool `json:"flags"`
	}{map[string][][]int32{}, map[string][]any{}, map[string][]bool{}}
	for i := range d.grammar.Layers {
		o.Layers[d.grammar.Layers[i].Name] = d.grammar.Cells(d.frame, i)
	}
	for _, op := range d.grammar.Operators {
		switch op.Form {
		case gp.Scalar:
			var turns []any
			for _, v := range d.frame.Scalar(op.Index) {
				turns = append(turns, number(v))
			}
			o.Scalars[op.Name] = once(turns)
		case gp.Flag:
			var turns []bool
			for turn := range gp.Lanes {
				turns = append(turns, d.frame.Flags[op.Index]>>turn&1 != 0)
			}
			o.Flags[op.Name] = once(turns)
		}
	}
	return o
}

// once returns the first value alone if all are equal.
func once[T comparable](turns []T) []T {
	if slices.ContainsFunc(turns, func(v T) bool { return v != turns[0] }) {
		return turns
	}
	return turns[:1]
}

// number returns a value for JSON, which has no infinities and NaNs: those become texts.
func number(v float32) any {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 32)
	}
	return v
}

// Actions implements Decision.
func (d *stepperDecision) Actions() ([]Action, bool) { return d.possible, true }

// Take implements Decision.
func (d *stepperDecision) Take(answer []byte) error {
	i, err := ReadAction(answer, d.possible)
	if err == nil {
		name := d.possible[i].Name
		d.chosen = slices.IndexFunc(d.offers, func(o Offer) bool { return o.Name == name })
	}
	return err
}
