package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"clade/engine"
	"clade/gp"
)

// checkDrawing checks that Sense of a game that engine.Lockstep plays draws all of a seat's view: a
// frame that held another view must become the same as an empty one. Else a seat would see parts of
// another seat's view, or of another game. For a genome Sense may leave out what no tree reads.
func checkDrawing(s *subject) error {
	if _, ok := s.game.(engine.Recordable); !ok {
		return nil // replay says so
	}
	if _, ok := s.game.(engine.Recordable).Recording(nil).(engine.Chooser); !ok {
		return nil
	}
	const enough = 1000      // decisions
	codes := []*gp.Code{nil} // and of genomes
	compiler := gp.NewCompiler(s.game.Grammar())
	for _, ge := range randomGenomes(s.game, 20) {
		code, err := compiler.Compile(ge)
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	for seats := s.info.MinSeats; seats <= s.info.MaxSeats; seats += max(1,
		s.info.MaxSeats-s.info.MinSeats) {
		d := &drawing{Grammar: s.game.Grammar(), used: s.game.Grammar().NewFrame(), codes: codes,
			random: rand.New(rand.NewPCG(3, 3))}
		players := slices.Repeat([]engine.Player{d}, seats)
		for seed := uint64(0); seed < 20 && d.seen < enough && d.fault == nil; seed++ {
			s.game.Play(players, seed, nil)
		}
		if d.fault != nil {
			return d.fault
		}
	}
	return nil
}

// drawing is a player that compares the frames and chooses at random.
type drawing struct {
	*gp.Grammar
	used   *gp.Frame
	codes  []*gp.Code
	random *rand.Rand
	seen   int
	fault  error // the first
}

func (d *drawing) Choose(g engine.Stepper, seat int) int {
	fresh := d.NewFrame()
	d.used.For(d.codes[d.random.IntN(len(d.codes))])
	possible, again := g.Sense(seat, fresh), g.Sense(seat, d.used)
	if d.seen++; d.fault == nil {
		if d.fault = d.compare(fresh); possible != again {
			d.fault = fmt.Errorf("Sense twice: offers %b and %b are possible", possible, again)
		}
	}
	return d.random.IntN(64)
}

// compare returns an error for a difference of the frames.
func (d *drawing) compare(fresh *gp.Frame) error {
	left := func(what string) error {
		return fmt.Errorf("Sense does not always draw %s: in a frame that held another view it is "+
			"not what it is in an empty one", what)
	}
	layers, scalars := d.used.Reads()
	for l := range d.Layers {
		if layers>>l&1 != 0 && !slices.EqualFunc(d.Cells(fresh, l), d.Cells(d.used, l), slices.Equal) {
			return left("layer " + d.Layers[l].Name)
		}
	}
	for i := range d.Scalars {
		if scalars>>i&1 == 0 {
			continue
		}
		for k, v := range fresh.Scalar(i) {
			w := d.used.Scalar(i)[k] // all NaNs are alike
			if math.Float32bits(v) != math.Float32bits(w) && (v == v || w == w) {
				return left(fmt.Sprintf("scalar %d", i))
			}
		}
	}
	for i := range d.Flags {
		if (fresh.Flags[i]^d.used.Flags[i])&(1<<gp.Lanes-1) != 0 {
			return left(fmt.Sprintf("flag %d", i))
		}
	}
	return nil
}
