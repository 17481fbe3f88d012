package enginetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// drill is a game of vocabularies that no other game has: two seats see something new in each of
// some steps, and get points for what they make of it.
type drill struct {
	*engine.Lockstep
	name string
}

// task is what differs between drills.
type task struct {
	deal   func(r *engine.Random) // what the seats are to see next
	sense  func(seat int, f *gp.Frame)
	reward func(seat, chosen int) float64
	// the offers that a seat has; nil for the first four
	possible func(seat int) uint64
}

const drillSteps = 12

func newDrill(name string, spec gp.Spec, offers []engine.Offer, begin func() *task) *drill {
	return &drill{engine.NewLockstep(name, gp.MustGrammar(spec), offers,
		func() engine.Stepper { return &drilling{task: begin()} }), name}
}

func (d *drill) Info() engine.Info {
	return engine.Info{Name: d.name, Title: d.name, About: "a test of vocabularies", Version: 1,
		MinSeats: 1, MaxSeats: 2, Decisions: drillSteps, Chance: true, Hidden: true}
}

func (d *drill) Using(executor string) (engine.Game, error) {
	l, err := d.At(executor)
	return &drill{l, d.name}, err
}

// drilling is one drill under way.
type drilling struct {
	*task
	random engine.Random
	seats  int
	at     int
	points [2]float64
}

func (d *drilling) Begin(seats int, seed uint64) {
	*d = drilling{task: d.task, random: engine.NewRandom(seed), seats: seats}
	d.deal(&d.random)
}

func (d *drilling) Live() uint32 {
	if d.at == drillSteps {
		return 0
	}
	return 1<<d.seats - 1
}

func (d *drilling) Sense(seat int, f *gp.Frame) uint64 {
	d.sense(seat, f)
	if d.possible != nil {
		return d.possible(seat)
	}
	return 15
}

func (d *drilling) Step(chosen *[engine.MaxSeats]int) {
	for seat := range d.seats {
		d.points[seat] += d.reward(seat, chosen[seat])
	}
	d.at++
	d.deal(&d.random)
}

func (d *drilling) Result() engine.Result {
	r := engine.Result{Steps: d.at}
	for seat := range d.seats {
		r.Scores[seat] = d.points[seat]
	}
	r.WinBest(d.seats)
	return r
}

func (d *drilling) Scene() engine.Scene {
	return &engine.Board{At: d.at, Points: append([]float64(nil), d.points[:d.seats]...),
		Columns: drillSteps, Colours: map[byte]uint8{'#': engine.Goods},
		Letters: []byte(strings.Repeat("#", d.at) + strings.Repeat(".", drillSteps-d.at))}
}

func (d *drilling) Tell(int) string { return fmt.Sprintf("step %d of %d\n", d.at+1, drillSteps) }

// sailing has operators of its own. In a calm sea one sails before the wind, in a rough one against
// it, and else across.
func sailing() *drill {
	operators := append(gp.SharedNumbers(), gp.ScalarSensor("wind", 0), gp.ScalarSensor("sea", 1),
		gp.CallOperator("opposite", 1, func(a [gp.MaxFunctionArgs]float32) float32 {
			return 2 - a[0]
		}, gp.Float, gp.Float),
		gp.CallOperator("quarters", 1, func(a [gp.MaxFunctionArgs]float32) float32 {
			if a[0] > 2 {
				return 4 - a[0]
			}
			return a[0]
		}, gp.Float, gp.Float))
	d := newDrill("sailing", gp.Spec{Slots: []gp.Slot{{Name: "sail"}}, Scalars: 2,
		Operators: operators}, engine.Compass(0), func() *task {
		wind, sea := [2]int{}, [2]int{}
		return &task{
			deal: func(r *engine.Random) {
				for seat := range wind {
					wind[seat], sea[seat] = r.Below(4), r.Below(3)
				}
			},
			sense: func(seat int, f *gp.Frame) {
				for k := range gp.Lanes { // as it is seen under the four turns
					f.Scalar(0)[k] = float32((wind[seat] - k) & 3)
				}
				f.SetScalar(1, float32(sea[seat]))
			},
			reward: func(seat, chosen int) float64 {
				turn := (wind[seat] - chosen) & 3
				switch sea[seat] {
				case 0:
					return float64(min(turn, 4-turn))
				case 1:
					return 2 - float64(min(turn, 4-turn))
				default:
					return float64(turn & 1)
				}
			},
		}
	})
	d.Exporting(`// callOpposite is the direction behind.
func callOpposite(direction float32) float32 {
	return 2 - direction
}

// callQuarters is how far a direction is off.
func callQuarters(direction float32) float32 {
	if direction > 2 {
		return 4 - direction
	}
	return direction
}
`)
	return d
}

// columns has a vector of numbers and no grid: of four sums of eleven, the greatest is to be named.
func columns() *drill {
	const n = 44
	var slots []gp.Slot
	for _, o := range columnOffers() {
		slots = append(slots, gp.Slot{Name: o.Name})
	}
	return newDrill("columns", gp.Spec{Slots: slots, Scalars: n,
		Operators: append(gp.SharedNumbers(), gp.Vector("x", n)...)}, columnOffers(), func() *task {
		x := [2][n]float32{}
		return &task{
			deal: func(r *engine.Random) {
				for i := range n {
					x[0][i], x[1][i] = float32(r.Below(100))/10, float32(r.Below(100))/10
				}
			},
			sense: func(seat int, f *gp.Frame) {
				for i, v := range x[seat] {
					f.SetScalar(i, v)
				}
			},
			reward: func(seat, chosen int) (points float64) {
				for _, v := range x[seat][chosen*11:][:11] {
					points += float64(v)
				}
				return points
			},
		}
	})
}

// lampOffers are to go to one of four lamps, or to wait.
func lampOffers() []engine.Offer {
	return append(engine.Compass(0), engine.Offer{Name: "wait", Slot: 1})
}

// lamps has truth values: which of four lamps are lit, and whether the dark ones are wanted. Not
// all can be reached.
func lamps(offers []engine.Offer) *drill {
	return newDrill("lamps", gp.Spec{Slots: []gp.Slot{{Name: "go"}, {Name: "wait"}}, Scalars: 1,
		Flags: 2,
		Operators: append(gp.SharedNumbers(), gp.FlagSensor("isLit", 0),
			gp.FlagSensor("wantsDark?", 1), gp.ScalarSensor("worth", 0)),
	}, offers, func() *task {
		lit, dark, worth, open := [2]int{}, [2]int{}, [2]int{}, [2]uint64{}
		return &task{
			deal: func(r *engine.Random) {
				for seat := range lit {
					lit[seat], dark[seat], worth[seat] = r.Below(16), r.Below(2), r.Below(9)
					open[seat] = uint64(1 + r.Below(31))
				}
			},
			sense: func(seat int, f *gp.Frame) {
				f.Flags[0], f.Flags[1] = uint8(lit[seat]), uint8(15*dark[seat])
				f.SetScalar(0, float32(worth[seat]-4))
			},
			reward: func(seat, chosen int) float64 {
				if o := offers[chosen]; o.Slot == 0 && lit[seat]>>o.Turn&1 != dark[seat] {
					return float64(worth[seat] - 4)
				}
				return 0
			},
			possible: func(seat int) uint64 { return open[seat] },
		}
	})
}

func columnOffers() []engine.Offer {
	return []engine.Offer{{Name: "a"}, {Name: "b", Slot: 1}, {Name: "c", Slot: 2},
		{Name: "d", Slot: 3}}
}

func TestSailingPasses(t *testing.T) { Run(t, sailing()) }
func TestColumnsPass(t *testing.T)   { Run(t, columns()) }

// TestLampsPass: offers in the order of the compass, and in another.
func TestLampsPass(t *testing.T) {
	offers := lampOffers()
	Run(t, lamps(offers))
	slices.Reverse(offers[1:])
	Run(t, lamps(offers))
}

// Species of every Lockstep leave as programs: with functions, without a grid, with flags, and of
// the template.
func TestLockstepExports(t *testing.T) {
	proof.Costly(t)
	for _, c := range []struct {
		game   engine.Game
		offers []engine.Offer
		text   string
	}{
		{sailing(), engine.Compass(0), `(if (isEqual (opposite wind) (if (isEqual sea (constint 0))
			(constint 0) (opposite (constint 0)))) (mul (const 0.1) (quarters wind))
			(if (isEqual sea (constint 2)) (quarters (opposite (sub sea wind))) (const 0.05)))`},
		{columns(), columnOffers(), `(add x0 (add x1 x2)) (mul x11 x12)
			(if (isSmaller x22 x23) x24 (sub x25 x26)) (add x33 (add x43 (const 0.3)))`},
		{lamps(lampOffers()), lampOffers(), `(if (and isLit (not wantsDark?)) worth (if (or isLit
			(isSmaller worth (const -0.5))) (const 0.25) (sub (const 0.5) worth)))
			(if wantsDark? (const 0.3) worth)`},
		{Gather(), engine.Compass(0), `(sub (add (foodAhead (rect 0 -1 5 3)) (if (isOther
			(rect 0 0 5 5)) eaten (mul (const 0.1) movesLeft))) (beenThere (rect 0 -1 1 1)))`},
	} {
		name := c.game.Info().Name
		t.Run(name, func(t *testing.T) {
			ge := proof.Must(c.game.Grammar().Parse(c.text))(t)
			Exports(t, c.game, c.offers, exporttest.Species{World: "tests", Name: name}, ge)
		})
	}
}
