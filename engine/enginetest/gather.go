package enginetest

import (
	"fmt"
	"slices"

	"clade/engine"
	"clade/gp"
)

// gather is the game of Gather: the template of a game that engine.Lockstep plays.
type gather struct{ *engine.Lockstep }

// Gather returns a game for two or three foragers on a torus of 11 x 11 cells. Each sees 5 x 5
// cells and remembers where it has been; all move at once, one cell north, east, south or west; who
// comes to food alone eats it. The most food after forty moves wins.
func Gather() engine.Game {
	return gather{engine.NewLockstep("gather", gatherVocabulary(), engine.Compass(0),
		func() engine.Stepper { return &foragers{torus: gp.NewTorus(gatherSide)} },
		gp.Situation{Empty: 1 << gatherLayerOther})}
}

func (gather) Info() engine.Info {
	return engine.Info{
		Name: "gather", Title: "Gather", About: "short-sighted foragers race for food", Version: 1,
		MinSeats: 2, MaxSeats: 3, Decisions: gatherMoves, Chance: true, Hidden: true,
		Marks: []string{"bumps"}, Scores: engine.Counts(),
	}
}

// Using returns the game with another executor.
func (g gather) Using(executor string) (engine.Game, error) {
	l, err := g.At(executor)
	return gather{l}, err
}

// Players lists two built-in foragers: one written by hand, and a genome.
func (g gather) Players() []engine.Entry {
	return []engine.Entry{
		engine.FixedEntry("gather", "drunk", "goes anywhere", drunk{}),
		g.GenomeEntry("nose", "goes where more food is seen",
			"(sub (foodAhead (rect 0 -1 5 3)) (beenThere (rect 0 -1 1 1)))"),
	}
}

// drunk chooses by the game's random numbers, so that games repeat.
type drunk struct{}

func (drunk) Choose(game engine.Stepper, seat int) int {
	f := game.(*foragers)
	return int(uint64(engine.Seed(f.seed).Num(uint64(4*f.moves+seat))) >> 62)
}

const (
	gatherSide  = 11 // cells of the torus
	gatherFood  = 20
	gatherMoves = 40
)

// Layers and scalars of a frame.
const (
	gatherLayerFood = iota
	gatherLayerOther
	gatherLayerBeen
)

func gatherVocabulary() *gp.Grammar {
	window := gp.Window{Side: gatherSide, Wrap: true}
	view := window.Square(2)
	return gp.MustGrammar(gp.Spec{
		Slots:  []gp.Slot{{Name: "go", Type: gp.Float}},
		Window: window, Rects: gp.PaperRects, Scalars: 2,
		Layers: []gp.Layer{
			gatherLayerFood:  {Name: "food", Extent: view},
			gatherLayerOther: {Name: "other", Extent: view},
			gatherLayerBeen:  {Name: "been"},
		},
		Operators: append(gp.Shared(),
			gp.AreaSensor("foodAhead", gp.Count, gatherLayerFood),
			gp.AreaSensor("isOther", gp.Any, gatherLayerOther),
			gp.AreaSensor("beenThere", gp.Count, gatherLayerBeen),
			gp.ScalarSensor("movesLeft", 0), gp.ScalarSensor("eaten", 1)),
	})
}

// foragers is one game.
type foragers struct {
	torus *gp.Grid
	seed  uint64
	seats int
	moves int
	food  gp.Bits
	at    [3]int
	eaten [3]int
	bumps [3]int
	been  [3]gp.Bits
}

func (f *foragers) Begin(seats int, seed uint64) {
	*f = foragers{torus: f.torus, seed: seed, seats: seats}
	random := engine.NewRandom(seed)
	for f.food.Count() < gatherFood {
		f.food.Set(random.Below(gatherSide * gatherSide))
	}
	for seat := range seats {
		f.at[seat] = random.Below(gatherSide * gatherSide)
		f.food.Clear(f.at[seat])
		f.been[seat].Set(f.at[seat])
	}
}

func (f *foragers) Live() uint32 {
	if f.moves == gatherMoves {
		return 0
	}
	return 1<<f.seats - 1
}

func (f *foragers) Sense(seat int, frame *gp.Frame) (possible uint64) {
	others := gp.Bits{}
	for other := range f.seats {
		if other != seat {
			others.Set(f.at[other])
		}
	}
	frame.Centre(f.torus, f.at[seat])
	frame.Draw(gatherLayerFood, f.food)
	frame.Draw(gatherLayerOther, others)
	frame.Draw(gatherLayerBeen, f.been[seat])
	frame.SetScalar(0, float32(gatherMoves-f.moves))
	frame.SetScalar(1, float32(f.eaten[seat]))
	return 15
}

func (f *foragers) Step(chosen *[engine.MaxSeats]int) {
	f.moves++
	for seat := range f.seats {
		f.at[seat] = f.torus.Towards(f.at[seat], chosen[seat])
		f.been[seat].Set(f.at[seat])
	}
	for seat, at := range f.at[:f.seats] {
		alone := true
		for other, there := range f.at[:f.seats] {
			alone = alone && (other == seat || there != at)
		}
		switch {
		case !alone:
			f.bumps[seat]++
		case f.food.Has(at):
			f.food.Clear(at)
			f.eaten[seat]++
		}
	}
}

func (f *foragers) Result() engine.Result {
	r := engine.Result{Steps: f.moves}
	for seat := range f.seats {
		r.Scores[seat], r.Marks[seat][0] = float64(f.eaten[seat]), float32(f.bumps[seat])
	}
	r.WinBest(f.seats)
	return r
}

func (f *foragers) Scene() engine.Scene {
	b := engine.Board{At: f.moves, Columns: gatherSide,
		Letters: slices.Repeat([]byte{'.'}, gatherSide*gatherSide),
		Colours: map[byte]uint8{'.': engine.Paper, 'o': engine.Goods},
		Kinds:   []string{"food", "bump"}}
	for cell := range b.Letters {
		if f.food.Has(cell) {
			b.Letters[cell] = 'o'
		}
	}
	for seat := range f.seats {
		letter := byte('1' + seat)
		b.Letters[f.at[seat]], b.Colours[letter] = letter, uint8(engine.Seats+seat)
		b.Points = append(b.Points, float64(f.eaten[seat]))
		b.Counts = append(b.Counts, []int{f.eaten[seat], f.bumps[seat]})
	}
	return &b
}

// Tell describes a forager's view for a person.
func (f *foragers) Tell(seat int) string {
	text := fmt.Sprintf("move %d of %d, %d eaten\n", f.moves+1, gatherMoves, f.eaten[seat])
	for y := -2; y <= 2; y++ {
		for x := -2; x <= 2; x++ {
			cell, _ := f.torus.Cell(f.at[seat], x, y)
			letter := "."
			switch {
			case x == 0 && y == 0:
				letter = "@"
			case slices.Contains(f.at[:f.seats], cell):
				letter = "X"
			case f.food.Has(cell):
				letter = "o"
			}
			text += " " + letter
		}
		text += "\n"
	}
	return text
}
