package life

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"clade/engine"
)

// The protocol of the original contest, which exported programs speak.

// appendState appends the state as JSON, the cells row by row.
func appendState(dst []byte, v *view) []byte {
	var cells []string
	v.board.each(func(y, x int, c colour) {
		cells = append(cells, fmt.Sprintf(`"(%d,%d)":%d`, y, x, c+1))
	})
	return fmt.Appendf(dst, `{"y_size":%d,"x_size":%d,"board":{%s},"bot_id":%d,"tick_id":%d}`,
		v.board.height, v.board.width, strings.Join(cells, ","), v.own+1, v.generation)
}

// contestant is a program of the contest: run with the state as its last argument, or once and asked
// line by line.
type contestant struct {
	t          *testing.T
	words      []string
	persistent bool
}

// mustExec returns the player of a command, whose words may stand between quotes.
func mustExec(t *testing.T, _ *game, command string, persistent bool) engine.Player {
	return &contestant{t, strings.Fields(strings.ReplaceAll(command, "'", "")), persistent}
}

func (c *contestant) sit(*settings, engine.Seed) seat {
	if !c.persistent {
		return &contestSeat{contestant: c}
	}
	program := exec.Command(c.words[0], c.words[1:]...)
	in, err := program.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		in.Close()
		_ = program.Wait() // its answers were judged
	})
	lines := bufio.NewReader(out)
	return &contestSeat{c, func(state []byte) ([]byte, error) {
		if _, err := in.Write(append(state, '\n')); err != nil {
			return nil, err
		}
		return lines.ReadBytes('\n')
	}}
}

type contestSeat struct {
	*contestant
	ask func(state []byte) ([]byte, error) // nil where it is run for every turn
}

func (s *contestSeat) choose(v *view, dst []cell) ([]cell, bool) {
	ask := s.ask
	if ask == nil {
		ask = func(state []byte) ([]byte, error) {
			return exec.Command(s.words[0], append(s.words[1:], string(state))...).Output()
		}
	}
	reply, err := ask(appendState(nil, v))
	if err == nil {
		dst, err = parseReply(reply, dst)
	}
	if err != nil {
		s.t.Errorf("a program answers %q: %v", reply, err)
	}
	return dst, err == nil
}
