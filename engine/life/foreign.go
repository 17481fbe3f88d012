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

// Foreign returns a player that is a program in any language; a command is split into words like a shell's.
//
// It speaks the protocol of the original contest. Every turn the command is run with the state as its last argument, a JSON object:
//
//	{"y_size":1000,"x_size":1000,"board":{"(4,17)":1,"(5,17)":2},"bot_id":1,"tick_id":0}
//
// A key of the board is "(y,x)" and its value the owner; bot_id, 1 or 2, is the program's own; tick_id counts generations from 0. It answers on standard output with a JSON array
// of pairs of integers [y,x] and exits with status 0 within Options.TurnSeconds. A state of 128 KiB or more does not fit into an argument: then the last
// argument is "-" and the state stands on standard input.
//
// A persistent program is run once a game, without further arguments. Every turn it reads a line with the state from standard input and writes a line with its answer, which
// it must flush.
//
// What it writes to standard error is lost; to see it, let a shell write it to a file: sh -c 'python3 bot.py "$@" 2>errors' bot.
//
// Whoever is late, exits with another status, writes more than 1 MiB or answers anything else forfeits the turn. A persistent program that was late, ended or wrote too much is started
// again for the next turn. With the game all processes end that did not leave their process group. The time is measured by the clock, so a
// forfeit can depend on the machine; a record of the game holds what was placed, and replays exactly.
func (g *Game) Foreign(command string, persistent bool) (engine.Player, error) {
	if g.fault != nil {
		return nil, g.fault
	}
	p, err := newProgram(command)
	if err != nil {
		return nil, fmt.Errorf("life: foreign player: %w", err)
	}
	return &foreign{p, persistent}, nil
}

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
