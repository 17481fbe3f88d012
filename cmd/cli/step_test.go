package cli

import (
	"bufio"
	"bytes"
	"image"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/study"
	"clade/gp/proof"
)

// recorded plays a match of a game, named with its players, and returns the path of a record.
func recorded(t *testing.T, words ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.record")
	proof.Must(clade(append(append([]string{"match"}, words...), "--games", "2", "--record",
		path)...))(t)
	return path
}

// reread reads a record and finds its game.
func reread(t *testing.T, path string) (*engine.Record, engine.Game) {
	t.Helper()
	record := proof.Must(engine.ReadRecordFile(path))(t)
	return record, proof.Must(scope.Game(record.Game))(t)
}

// TestStepper presses keys and looks at the steps that are shown.
func TestStepper(t *testing.T) {
	proof.Slow(t)
	record, game := reread(t, recorded(t, "darwin", "superrover", "rover"))
	last := "step " + strconv.Itoa(record.Steps)
	for _, c := range []struct {
		keys string
		want []string // beginnings of the lines with steps
	}{
		{"q", []string{"step 0"}},
		{"", []string{"step 0"}}, // the keyboard is gone
		{"  \x7fq", []string{"step 0", "step 1", "step 2", "step 1"}},
		{"\x7fq", []string{"step 0", "step 0"}},
		{"\x1b[6~\x1b[5~q", []string{"step 0", "step 100", "step 0"}},
		{"G nq", []string{"step 0", last, last, last}},
		{"Gg\x1bOAq", []string{"step 0", last, "step 0", "step 0"}},
	} {
		var out bytes.Buffer
		s := &stepper{keys: bufio.NewReader(strings.NewReader(c.keys)), out: &out,
			size: func() (int, int, error) { return 80, 24, nil }}
		if err := s.run(game, record); err != nil {
			t.Errorf("%q: %v", c.keys, err)
		}
		var got []string
		for _, line := range strings.Split(out.String(), "\r\n") {
			if step, _, ok := strings.Cut(line, "  1: superrover "); ok {
				got = append(got, strings.TrimPrefix(step, "\x1b[K"))
			}
		}
		proof.Is(t, strings.Join(got, ","), strings.Join(c.want, ","), "%q: the steps", c.keys)
	}
}

// TestStepperSelects moves the selection and reads the inspector.
func TestStepperSelects(t *testing.T) {
	proof.Slow(t)
	record, game := reread(t, recorded(t, "darwin", "rover", "rover"))
	var out bytes.Buffer
	keys := strings.Repeat("\x1b[A", 100) + strings.Repeat("\x1b[D", 100) + "lq"
	s := &stepper{keys: bufio.NewReader(strings.NewReader(keys)), out: &out,
		size: func() (int, int, error) { return 120, 50, nil }}
	proof.OK(t, s.run(game, record))
	proof.Holds(t, out.String(), "column 0, row 0", "column 1, row 0")
}

// TestStepperFollows selects a creature and goes through a game: the inspector stays with it
// wherever it goes, says when it is gone, and finds it again on the way back.
func TestStepperFollows(t *testing.T) {
	proof.Long(t)
	path := recorded(t, "darwin", "superrover", "rover")
	for _, view := range []string{"flat", "isometric"} {
		record, game := reread(t, path)
		proof.OK(t, study.Adjust(*scope, record, "view="+view))
		finder := &finder{}
		proof.Must(engine.Replay(game, record, engine.OnStep(finder.look)))(t)
		var out bytes.Buffer
		s := &stepper{out: &out, size: func() (int, int, error) { return 400, 120, nil },
			colours: terminal.TrueColours, cursor: finder.at.Div(finder.tile), placed: true,
			moved: true}
		s.keys = bufio.NewReader(strings.NewReader(strings.Repeat(" ", 60) + "G" + "g" + "q"))
		proof.OK(t, s.run(game, record))
		name := "creature " + strconv.Itoa(finder.number)
		var first, last string
		places, gone := map[string]bool{}, false
		for _, line := range strings.Split(out.String(), "\r\n") {
			if strings.Contains(line, "not here now") {
				gone = true
			}
			if strings.HasPrefix(line, "column") || strings.Contains(line, "not here now") {
				proof.Holds(t, line, name+" ")
				place, _, _ := strings.Cut(line, ", "+name)
				places[place] = true
				if first == "" {
					first = line
				}
				last = line
			}
		}
		if first == "" || first != last || len(places) < 3 || !gone {
			t.Errorf("%s: %s was first seen as %q, at last as %q, at %d places, gone: %v", view,
				name, first, last, len(places), gone)
		}
	}
}

// finder finds a creature of the second species, which a game between a stronger and a weaker one
// will see converted.
type finder struct {
	at     image.Point
	tile   int // that the cursor steps over
	number int
}

func (f *finder) look(s engine.Scene) {
	if f.number > 0 {
		return
	}
	f.tile = terminal.Draw(s, terminal.TrueColours, 400, 116).Tile
	for number := 1; ; number++ {
		at, ok := s.(engine.Tracker).Whereabouts(number, 1)
		if ok && strings.Contains(s.(engine.Inspector).Inspect(at, 1), "of species 1") {
			f.at, f.number = at, number
			return
		}
	}
}

func TestStepNeedsATerminal(t *testing.T) {
	path := recorded(t, "chase", "drunk", "drunk", "drunk")
	proof.Fails(clade("replay", path, "--step"))(t, "terminal")
	proof.Fails(clade("replay", path, "--set", "view=isometric"))(t, "no settings")
}

// TestReplayView draws a record in another view, and refuses settings that change the game.
func TestReplayView(t *testing.T) {
	proof.Long(t)
	path := recorded(t, "darwin", "superrover", "rover")
	out := proof.Must(clade("replay", path, "--set", "view=isometric", "--every", "1000", "--gif",
		filepath.Join(t.TempDir(), "game.gif")))(t)
	proof.Holds(t, out, "ended as recorded")
	proof.Fails(clade("replay", path, "--set", "time-limit=0.1"))(t, "took another course")
}

// TestReplaySeats replays a game of more seats than the game has by default.
func TestReplaySeats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.record")
	set := []string{"--set", "map=ns_arena4", "--set", "time-limit=0.5"}
	proof.Must(clade(append([]string{"match", "darwin", "superrover", "rover", "pirate", "herd",
		"--games", "4", "--record", path}, set...)...))(t)
	proof.Holds(t, proof.Must(clade("replay", path, "--every", "1000"))(t), "ended as recorded")
}

// TestStepperTellsWhy asks for the reasons of a bred ant and of a built-in one, goes through them,
// and finds the picture as it was.
func TestStepperTellsWhy(t *testing.T) {
	record, game := reread(t, recorded(t, "antwars", "brilliant", "hyper"))
	seats := proof.Must(scope.Seats(game, record))(t)
	for _, c := range []struct {
		keys string
		want []string // in this order
	}{
		{"  w\tnw q", []string{"step 2 ", "step 2, decision 1 of 1, brilliant in seat 1",
			"8 candidates", "step 2, decision 1 of 1", "step 2 ", "step 3 "}},
		{"w\x1b[6~\x1b[5~q", []string{"lines 1-22", "lines 23-44", "lines 1-22"}},
		{" wq", []string{"step 1 ", "step 1, decision 1 of 1, hyper in seat 2", "8 candidates"}},
		{"Gwq", []string{"step " + strconv.Itoa(record.Steps), "no bred player decided here"}},
		{"w", []string{"step 0, decision"}}, // the keyboard is gone
	} {
		var out bytes.Buffer
		s := &stepper{seats: seats, keys: bufio.NewReader(strings.NewReader(c.keys)), out: &out,
			size: func() (int, int, error) { return 80, 24, nil }}
		if err := s.run(game, record); err != nil {
			t.Errorf("%q: %v", c.keys, err)
		}
		rest := out.String()
		for _, want := range c.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("%q never shows %q, or not in this order", c.keys, want)
			}
			rest = after
		}
		screens := strings.ReplaceAll(out.String(), "\x1b[H\x1b[2J", "\r\n")
		for _, line := range strings.Split(screens, "\r\n") {
			line = strings.ReplaceAll(line, "\x1b[7m", "")
			line = strings.NewReplacer("\x1b[K", "", "\x1b[0m", "").Replace(line)
			if n := len([]rune(line)); n > 80 {
				t.Errorf("%q: a line of %d columns: %s", c.keys, n, line)
			}
		}
	}
}
