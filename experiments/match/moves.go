package match

import (
	"context"
	"errors"

	"clade/engine"
)

// Moves are the answers of a person in a game. The last is taken back by replaying the game up to
// it: the same decisions give the same game.
type Moves struct {
	Open bool // the rules hide nothing, so moves can be taken back

	given  [][]byte // answers that were taken
	again  [][]byte // those to be given again
	undone int
	stop   context.CancelFunc // ends the game as it is played now; nil outside
	back   bool               // because a move is taken back
}

// Made returns the number of moves made and not taken back.
func (m *Moves) Made() int { return len(m.given) }

// Undone returns how many moves were taken back.
func (m *Moves) Undone() int { return m.undone }

// Reversible reports whether there is a move to take back.
func (m *Moves) Reversible() bool { return m.Open && len(m.given) > 0 }

// Settled reports whether a decision needs no question: it repeats a move of the replay, or a move
// is being taken back.
func (m *Moves) Settled(d engine.Decision) bool {
	if m.back {
		return true
	}
	if len(m.again) == 0 {
		return false
	}
	text := m.again[0]
	m.again = m.again[1:]
	if m.Take(d, text) != nil {
		m.again = nil // somebody plays otherwise than before
		return false
	}
	return true
}

// Take makes a move, as Decision.Take.
func (m *Moves) Take(d engine.Decision, answer []byte) error {
	err := d.Take(answer)
	if err == nil {
		m.given = append(m.given, answer)
	}
	return err
}

// Undo takes back the last move and everything after it. It returns an error if there is none.
func (m *Moves) Undo() error {
	if !m.Reversible() {
		return errors.New("there is nothing to take back")
	}
	m.again, m.given = m.given[:len(m.given)-1], nil
	m.undone, m.back = m.undone+1, true
	m.stop()
	return nil
}

// Play plays a game to its end, and starts it again whenever a move is taken back. The game must
// use the recorder that play gets.
func (m *Moves) Play(ctx context.Context, rec engine.Recorder,
	play func(engine.Recorder) error) error {
	for {
		now, stop := context.WithCancel(ctx)
		m.stop, m.back = stop, false
		err := engine.Until(now, rec, play)
		stop()
		if !m.back || ctx.Err() != nil {
			return err
		}
	}
}
