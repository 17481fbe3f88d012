package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"clade/engine"
)

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
