package enginetest

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"clade/engine"
	"clade/gp"
)

// checkDrawing checks that Sense of a game that engine.Lockstep plays draws all of a seat's view: a
// frame that held another view must become the same as an empty one. Else a seat would see parts of
// another seat's view, or of another game. For a genome Sense may leave out what no tree reads. A
// Single layer must hold no more than a cell, and some offer must be possible.
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
		} else if possible == 0 {
			d.fault = fmt.Errorf("no offer is possible to seat %d, which Live returns", seat)
		}
	}
	for range d.random.IntN(max(1, bits.OnesCount64(possible))) {
		possible &= possible - 1
	}
	return bits.TrailingZeros64(possible)
}

// compare returns an error for a difference of the frames.
func (d *drawing) compare(fresh *gp.Frame) error {
	left := func(what string) error {
		return fmt.Errorf("Sense does not always draw %s: in a frame that held another view it is "+
			"not what it is in an empty one", what)
	}
	reads := d.used.Reads()
	for l := range d.Layers {
		if reads.Layers>>l&1 != 0 &&
			!slices.EqualFunc(d.Cells(fresh, l), d.Cells(d.used, l), slices.Equal) {
			return left("layer " + d.Layers[l].Name)
		}
		if n := len(d.Cells(fresh, l)); n > 1 && d.Layers[l].Single {
			return fmt.Errorf("layer %s holds %d cells, and the grammar says Single", d.Layers[l].Name, n)
		}
	}
	for i := range d.Scalars {
		if reads.Scalars>>i&1 == 0 {
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

// course is a Recorder that checks that one game's events are in the order that package engine
// promises.
type course struct {
	hash   uint64 // of the seed and all decisions so far
	scenes int
	step   int
	scores []float64 // of the last scene
	first  []byte    // the first picture
	drawn  bool      // another picture differs from it
	tape   engine.Tape
}

func (c *course) Decide(seat int, decision uint64) {
	c.hash = engine.Hash(c.hash, decision)
	c.tape.Decide(seat, decision)
}

func (c *course) Step(s engine.Scene) {
	c.scenes++
	c.step, c.scores = s.Step(), s.Scores(c.scores[:0])
	if c.drawn || c.scenes&(c.scenes-1) != 0 {
		return // drawing is slow
	}
	img := engine.Picture(s, 1)
	if c.first == nil {
		c.first = img.Pix
	}
	c.drawn = !slices.Equal(c.first, img.Pix)
}

// checkCourse compares what a recorder sees with the result: the fingerprint is the hash of the
// decisions in their order, and the last scene shows the end.
func checkCourse(s *subject) error {
	moved, drawn, alike := false, false, 0
	var otherwise error
	err := s.each(func(c cast, seed uint64) error {
		seen := course{hash: seed}
		r := s.game.Play(c.players, seed, &seen)
		switch {
		case seen.hash != r.Fingerprint:
			return fmt.Errorf("the fingerprint is %016x, and engine.Hash of the seed and of the "+
				"decisions in their order %016x", r.Fingerprint, seen.hash)
		case seen.step != r.Steps:
			return fmt.Errorf("the last scene is of step %d, and the game had %d", seen.step, r.Steps)
		case seen.scenes <= r.Steps || s.info.MinSeats > 1 && seen.scenes != r.Steps+1 ||
			seen.scenes > r.Steps+len(c.players): // a race starts anew with each seat
			return fmt.Errorf(
				"%d scenes of a game of %d steps: one before the first and one after "+
					"each are needed", seen.scenes, r.Steps)
		}
		if slices.Equal(seen.scores, r.Scores[:len(c.players)]) {
			alike++
		} else {
			otherwise = fmt.Errorf("%s, seed %d: the last scene shows scores %v, and the result "+
				"is %v", c.name, seed, seen.scores, r.Scores[:len(c.players)])
		}
		moved = moved || r.Steps > 0
		drawn = drawn || seen.drawn
		return nil
	})
	if err == nil && alike > 0 {
		err = otherwise // in some games only; a game scored at its end may show something else
	}
	if err == nil && moved && !drawn {
		return errors.New("no picture of any game differs from the first")
	}
	return err
}

// checkWinner compares the winner with the scores.
func checkWinner(s *subject) error {
	apart, won := false, false
	err := s.each(func(c cast, seed uint64) error {
		r := s.game.Play(c.players, seed, nil)
		scores := r.Scores[:len(c.players)]
		best := slices.Max(scores)
		if r.Winner() != engine.Tie && scores[r.Winner()] < best {
			return fmt.Errorf("seat %d wins with score %v, and another seat has %v", r.Winner(),
				scores[r.Winner()], best)
		}
		apart = apart || slices.Min(scores) < best
		won = won || r.Winner() != engine.Tie
		return nil
	})
	if err == nil && apart && !won {
		return errors.New("the scores differ, and nobody ever wins")
	}
	return err
}
