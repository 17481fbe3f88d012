package match

import (
	"bufio"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/gp/proof"
)

// step is a decision with three actions, one without a key.
type step struct{ took []string }

func (*step) Observation() any { return map[string]int{"here": 1} }

func (*step) Actions() ([]engine.Action, bool) {
	return []engine.Action{{Name: "up", Key: "8"}, {Name: "wait", Key: " "}, {Name: "go far"}}, false
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
		s := &Player{Out: &out, Columns: 40, Rows: 24, Colours: terminal.TrueColours,
			Title:  "A game",
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
		if !strings.Contains(screen, "a \x1b[38;2;255;255;255m\x1b[48;2;0;114;178m@\x1b[0m b") ||
			!strings.Contains(screen, "the @ is you") || !strings.Contains(screen, "1 : 0") {
			t.Errorf("%q", screen)
		}
		if strings.HasPrefix(c.keys, ":8 ") {
			for range 7 {
				s.Act(d)
			}
			keys = "8"
			proof.Is(t, len(d.took), 8, "times waited")
			s.Act(d)
			proof.Is(t, d.took[8], `{"action":"up"}`, "what is taken then")
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
	proof.Is(t, s.Undone(), 0, "moves taken back")
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
	return &Player{Out: &out, Columns: 40, Rows: 24, Status: func() string { return "" },
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

// wide is a decision with a large board, of which much is told.
type wide struct{ step }

func (*wide) Text() string {
	return strings.Repeat(strings.Repeat("@ ", 21)+"@\n", 22) + "\n" +
		strings.Repeat("what the letters are ", 20) + "\n"
}

func (*wide) Actions() ([]engine.Action, bool) {
	return []engine.Action{{Name: "n"}, {Name: "nw"}, {Name: "yield"}, {Name: "s"}}, true
}

// What is drawn fits the terminal, with the head and all that may be pressed; where help has no
// other room, what the letters are waits until it was read. No line is cleared behind its end, for
// behind the last column a terminal would clear that one.
func TestPlayerFitsTheTerminal(t *testing.T) {
	orders := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	for _, c := range []struct{ columns, rows int }{{80, 24}, {100, 24}, {80, 50}, {50, 20}} {
		s := keyed("?s")
		s.Title, s.Colours = "A long name of a game", terminal.Indexed
		s.Columns, s.Rows = c.columns, c.rows
		s.Act(&wide{})
		frames := strings.Split(s.Out.(*strings.Builder).String(), "\x1b[H")[1:]
		if len(frames) != 2 {
			t.Fatalf("%+v: %d frames", c, len(frames))
		}
		for i, frame := range frames {
			lines := strings.Split(frame, "\n")
			if last := lines[len(lines)-1]; len(lines) > c.rows || last != "\x1b[J> " {
				t.Errorf("%+v: frame %d has %d lines, the last is %q", c, i, len(lines), last)
			}
			for _, line := range lines {
				shown := strings.TrimPrefix(strings.TrimPrefix(line, "\x1b[2J"), "\x1b[K")
				if strings.Contains(shown, "\x1b[K") ||
					len([]rune(orders.ReplaceAllString(shown, ""))) > c.columns {
					t.Errorf("%+v: frame %d: %q", c, i, line)
				}
			}
			wanted := []string{"name of a game", "nw (7)", "yield (5)"}
			if i == 1 {
				wanted = []string{"50 NAME"}
			}
			for _, want := range wanted {
				if c.columns >= 80 && !strings.Contains(orders.ReplaceAllString(frame, ""), want) {
					t.Errorf("%+v: frame %d lacks %q:\n%s", c, i, want, frame)
				}
			}
		}
	}
}

// Ways have the keys of a keypad, and a name of one letter is a key where no other begins with it.
func TestKeysOfWays(t *testing.T) {
	for keys, want := range map[string]string{"\x1b[A": "n", "7": "nw", "5": "yield", "s": "s",
		"n\r": "n", "nw\r": "nw"} {
		d := &wide{}
		keyed(keys).Act(d)
		if len(d.took) != 1 || d.took[0] != `{"action":"`+want+`"}` {
			t.Errorf("%q: took %q, want %s", keys, d.took, want)
		}
	}
}

// told is a decision of words alone, with letters that a board would have in colours.
type told struct{ step }

func (*told) Text() string { return "you are @\n" }

// Words have no colours: only what stands before an empty line is a board.
func TestWordsHaveNoColours(t *testing.T) {
	s := keyed("8")
	s.Colours = terminal.TrueColours
	s.Act(&told{})
	if screen := s.Out.(*strings.Builder).String(); !strings.Contains(screen, "you are @") {
		t.Errorf("%q", screen)
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

// A file that stands for the keyboard may begin with the mark of an editor on Windows.
func TestPlayerLinesWithAMark(t *testing.T) {
	d := &step{}
	s := &Player{Out: io.Discard, Columns: 30, Status: func() string { return "" },
		Lines: bufio.NewScanner(strings.NewReader("\xef\xbb\xbfgo far\n"))}
	s.Act(d)
	proof.Is(t, len(d.took), 1, "what is taken, %q", d.took)
}
