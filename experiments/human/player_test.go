package human

import (
	"bufio"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

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
			Key: func(time.Duration) (k byte) {
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

// place is a decision whose actions are named by several words.
type place struct{ step }

func (*place) Actions() ([]engine.Action, bool) {
	return []engine.Action{{Name: "a1 b1 2"}, {Name: "a1 b1 3"}, {Name: "a1 b2 2"},
		{Name: "a2 b1 9"}, {Name: "+c3 a1"}}, true
}

// keyed returns a person who presses keys.
func keyed(keys string) *Player {
	var out strings.Builder
	return &Player{Out: &out, Columns: 40, Status: func() string { return "" },
		Moves: Moves{Open: true}, Key: func(time.Duration) (k byte) {
			if keys != "" {
				k, keys = keys[0], keys[1:]
			}
			return k
		}}
}

// A move of several words is a key for each of them that is not the only one.
func TestPlayerWords(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"aab", "a1 b1 3"}, {"ab", "a1 b2 2"}, {"b", "a2 b1 9"}, {"c", "+c3 a1"},
		{"zaa\x7f\x7f\x7fb", "a2 b1 9"}, {"a:a1 b1 7\r", "a1 b1 7"}, {"?b", "a2 b1 9"},
	} {
		d := &place{}
		keyed(c.keys).Act(d)
		if want := `{"action":"` + c.want + `"}`; len(d.took) != 1 || d.took[0] != want {
			t.Errorf("%q: took %q, want %s", c.keys, d.took, want)
		}
	}
}

// A move is taken back by playing the game again up to it.
func TestPlayerUndoes(t *testing.T) {
	s := keyed("UabbUab")
	var games [][]string
	err := s.Play(t.Context(), nil, func(rec engine.Recorder) error {
		games = append(games, nil)
		for range 3 {
			d := &place{}
			s.Act(d)
			games[len(games)-1] = append(games[len(games)-1], strings.Join(d.took, ""))
			rec.Step(nil)
		}
		return nil
	})
	one, two := `{"action":"a1 b2 2"}`, `{"action":"a2 b1 9"}`
	want := [][]string{{one, two, ""}, {one, one, ""}}
	if err != nil || s.Undone() != 1 || !reflect.DeepEqual(games, want) {
		t.Errorf("%d taken back, %v: %q, want %q", s.Undone(), err, games, want)
	}
}

// In real time a decision without a key is not answered, and the game goes on.
func TestPlayerRealTime(t *testing.T) {
	s := keyed("")
	s.Pace = time.Millisecond
	d := &place{}
	s.Act(d)
	if s.Act(d); len(d.took) != 0 || s.Resigned() {
		t.Errorf("took %q", d.took)
	}
}
