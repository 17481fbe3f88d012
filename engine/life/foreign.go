package life

import (
	"fmt"
	"strconv"
	"time"

	"clade/engine"
)

// Limits of the protocol.
const (
	maxArgument = 128<<10 - 1 // bytes of one argument that Linux passes on, less its final zero
	maxReply    = 1 << 20     // bytes of a reply; thirty cells need a few hundred
)

// Exec returns a player that is a program in any language; a command is split into words like a
// shell's. The program speaks the protocol of the original contest, which README.md describes: it
// is run for every turn with the state as its last argument, or on standard input where the state
// is too long for an argument.
//
// Whoever is late, exits with another status than 0, writes more than 1 MiB or answers anything but
// an array of pairs of integers forfeits the turn. With the game all processes end that did not
// leave their process group. The time is measured by the clock, so a forfeit can depend on the
// machine; a record of the game holds what was placed, and replays exactly.
func (g *Game) Exec(command string) (engine.Player, error) { return g.foreign(command, false) }

// Persist returns a player like that of Exec whose program is run once a game, without further
// arguments, and answers a line with the state by a line. One that was late, ended or wrote too
// much is started again for the next turn.
func (g *Game) Persist(command string) (engine.Player, error) { return g.foreign(command, true) }

func (g *Game) foreign(command string, persistent bool) (engine.Player, error) {
	if g.fault != nil {
		return nil, g.fault
	}
	p, err := newProgram(command)
	if err != nil {
		return nil, fmt.Errorf("life: foreign player: %w", err)
	}
	return &foreign{p, persistent}, nil
}

// foreign is a program that plays.
type foreign struct {
	program    *program
	persistent bool
}

// Sit makes a seat with processes of its own.
func (f *foreign) Sit(*Options, engine.Seed) Seat { return &foreignSeat{foreign: *f} }

type foreignSeat struct {
	foreign
	talk  *conversation
	state []byte
}

// Turn asks the program.
func (s *foreignSeat) Turn(v *View, dst []Cell) ([]Cell, bool) {
	s.state = appendState(s.state[:0], v)
	reply, err := s.ask(time.Duration(v.Options.TurnSeconds * float64(time.Second)))
	if err != nil {
		return dst, false
	}
	cells, err := parseReply(reply, dst)
	return cells, err == nil
}

func (s *foreignSeat) ask(limit time.Duration) (reply []byte, err error) {
	if !s.persistent {
		if len(s.state) > maxArgument {
			return s.program.run([]string{"-"}, s.state, limit, maxReply)
		}
		return s.program.run([]string{string(s.state)}, nil, limit, maxReply)
	}
	if s.talk == nil {
		if s.talk, err = s.program.start(); err != nil {
			return nil, err
		}
	}
	if reply, err = s.talk.ask(s.state, limit, maxReply); err != nil {
		_ = s.Close() // the error that counts is the first one
	}
	return reply, err
}

// Close ends the program.
func (s *foreignSeat) Close() error {
	if s.talk == nil {
		return nil
	}
	talk := s.talk
	s.talk = nil
	return talk.close()
}

// appendState appends the state as JSON, the cells row by row.
func appendState(dst []byte, v *View) []byte {
	dst = fmt.Appendf(dst, `{"y_size":%d,"x_size":%d,"board":{`, v.Board.Height(), v.Board.Width())
	comma := false
	v.Board.Each(func(y, x int, c Colour) {
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = append(dst, `"(`...)
		dst = strconv.AppendInt(dst, int64(y), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(x), 10)
		dst = append(dst, `)":`...)
		dst = append(dst, byte('1'+c))
	})
	return fmt.Appendf(dst, `},"bot_id":%d,"tick_id":%d}`, v.Own+1, v.Generation)
}
