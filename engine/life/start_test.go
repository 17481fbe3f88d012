package life

import (
	"strings"
	"testing"

	"clade/engine"
)

// TestStart puts a pattern into the middle, and takes it out again as the scene exports it.
func TestStart(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Start = 20, 30, 1, "x = 2, y = 2\n2A$2B!"
	g := mustGame(t, o)
	var boards []string
	r := g.play([]engine.Player{script{{}}, script{{}}}, 1, 0, engine.OnStep(func(s engine.Scene) {
		text, _ := s.(engine.Exporter).Export()
		boards = append(boards, string(text))
	}))
	if !strings.Contains(boards[0], "9$14.2A$14.2B!") {
		t.Errorf("the board starts as\n%s", boards[0])
	}
	if r.Scores[0] != 0 || r.Scores[1] != 0 { // no cell has two friends
		t.Errorf("scores %v", r.Scores[:2])
	}
	if p, err := parseRLE("board", []byte(boards[0])); err != nil || len(p.live) != 4 {
		t.Errorf("%v, %v", p, err)
	}
	for start, want := range map[string]string{
		"x = 31, y = 1\n31o!": "start has 1 rows and 31 columns, the board 20 and 30",
		"x = 3, y = 1\n3q!":   `start:2: 'q' is not a cell`,
	} {
		o.Start = start
		if _, err := New().(*game).With(&o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("start %q: %v, want %s", start, err, want)
		}
	}
}
