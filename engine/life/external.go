package life

import (
	"fmt"
	"strconv"
	"time"

	"clade/engine"
)

// Limits of the protocol, in bytes.
const (
	maxArgument = 128<<10 - 1 // of an argument on Linux, without its final zero
	maxReply    = 1 << 20     // thirty cells need a few hundred
)

// Exec returns a player that is a program in any language, run once a turn. README.md describes the
// command and the protocol, which is that of the original contest. The program gets the state as
// its last argument, or on standard input where the state is too long for an argument.
//
// A program forfeits the turn if it is late, exits with a status other than 0, writes more than
// maxReply bytes, or answers anything but an array of pairs of integers. The time is measured by
// the clock, so a forfeit can depend on the machine. A record of the game holds what was placed,
// and replays exactly.
func (g *game) Exec(command string) (engine.Player, error) { return g.external(command, false) }

// Persist returns a player like that of Exec whose program is run once a game. It answers each line
// with the state by a line. A program that was late, ended or wrote too much is started again for
// the next turn.
func (g *game) Persist(command string) (engine.Player, error) { return g.external(command, true) }

func (g *game) external(command string, persistent bool) (engine.Player, error) {
	if g.fault != nil {
		return nil, g.fault
	}
	p, err := newProgram(command)
	if err != nil {
		return nil, fmt.Errorf("life: external player: %w", err)
	}
	return &external{p, persistent}, nil
}

// external is a program that plays.
type external struct {
	program    *program
	persistent bool
}

// sit makes a seat with processes of its own.
func (f *external) sit(*settings, engine.Seed) seat { return &externalSeat{external: *f} }

type externalSeat struct {
	external
	talk  *conversation
	state []byte
}

// choose asks the program.
func (s *externalSeat) choose(v *view, dst []cell) ([]cell, bool) {
	s.state = appendState(s.state[:0], v)
	reply, err := s.ask(time.Duration(v.settings.TurnSeconds * float64(time.Second)))
	if err != nil {
		return dst, false
	}
	cells, err := parseReply(reply, dst)
	return cells, err == nil
}

func (s *externalSeat) ask(limit time.Duration) (reply []byte, err error) {
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
func (s *externalSeat) Close() error {
	if s.talk == nil {
		return nil
	}
	talk := s.talk
	s.talk = nil
	return talk.close()
}

// appendState appends the state as JSON, the cells row by row.
func appendState(dst []byte, v *view) []byte {
	dst = fmt.Appendf(dst, `{"y_size":%d,"x_size":%d,"board":{`, v.board.height, v.board.width)
	comma := false
	v.board.each(func(y, x int, c colour) {
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
	return fmt.Appendf(dst, `},"bot_id":%d,"tick_id":%d}`, v.own+1, v.generation)
}
