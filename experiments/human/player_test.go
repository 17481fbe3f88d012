package human

import (
	"bufio"
	"errors"
	"strings"
	"testing"

	"clade/engine"
)

// step is a decision with three actions, one without a key.
type step struct{ took []string }

func (*step) Observation() any { return map[string]int{"here": 1} }

func (*step) Actions() ([]engine.Action, bool) {
	return []engine.Action{{Name: "up", Key: "8"}, {Name: "wait", Key: " "}, {Name: "go far"}},
		false
}

func (d *step) Take(answer []byte) error {
	if string(answer) == `{"action":"no"}` {
		return errors.New("that cannot be")
	}
	d.took = append(d.took, string(answer))
	return nil
}

func (*step) Text() string { return "a @ b\n\nthe @ is you\n" }

func (*step) Tint(letter rune) uint8 {
	if letter == '@' {
		return engine.Seats
	}
	return 0
}

// A key is a move, arrows are keys, words are written, and numbers repeat.
func TestPlayerKeys(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"8", `{"action":"up"}`}, {"\x1b[A", `{"action":"up"}`}, {" ", `{"action":"wait"}`},
		{"go far\r", `{"action":"go far"}`}, {"no\rgo\x7f\x7f8", `{"action":"up"}`},
		{":8 wait\r", `{"action":"wait"}`}, {"?8", `{"action":"up"}`},
		{"{\"x\":1}\r", `{"x":1}`}, {"[1]\r", `{"action":[1]}`},
	} {
		var out strings.Builder
		keys := c.keys
		s := &Player{Out: &out, Columns: 40, Title: "A game",
			Status: func() string { return "1 : 0" },
			Key: func() (k byte) {
				if keys != "" {
					k, keys = keys[0], keys[1:]
				}
				return k
			}}
		d := &step{}
		s.Act(d)
		if len(d.took) != 1 || d.took[0] != c.want || s.Resigned() {
			t.Errorf("%q: took %q, want %s", c.keys, d.took, c.want)
		}
		screen := out.String()
		if !strings.Contains(screen, "\x1b[1;38;2;0;114;178m@\x1b[0m") ||
			!strings.Contains(screen, "the @ is you") || !strings.Contains(screen, "1 : 0") {
			t.Errorf("%q", screen)
		}
		if strings.HasPrefix(c.keys, ":8 ") {
			for range 7 {
				s.Act(d)
			}
			if keys = "8"; len(d.took) != 8 {
				t.Errorf("waited %d times", len(d.took))
			}
			if s.Act(d); d.took[8] != `{"action":"up"}` {
				t.Errorf("took %q", d.took)
			}
		}
		if s.Act(d); !s.Resigned() {
			t.Error("the end of input ends nothing")
		}
	}
}

// Lines are answers, and no line is longer than the terminal.
func TestPlayerLines(t *testing.T) {
	var out strings.Builder
	s := &Player{Out: &out, Columns: 30, Title: "A game", Status: func() string { return "1 : 0" },
		Lines: bufio.NewScanner(strings.NewReader("help\nno\ngo far\nresign\n"))}
	d := &step{}
	s.Act(d)
	s.Act(d)
	if len(d.took) != 1 || !s.Resigned() || !strings.Contains(out.String(), "that cannot be") {
		t.Errorf("took %q\n%s", d.took, out.String())
	}
	for line := range strings.Lines(out.String()) {
		if len([]rune(line)) > 31 || strings.Contains(line, "\x1b") {
			t.Errorf("%q", line)
		}
	}
	s.End(nil)
	if s.Undone() != 0 {
		t.Error("a move was taken back")
	}
}
