package antwars

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"clade/engine"
)

// straight is an ant that always goes in one direction.
type straight int

func (w straight) Move(*memory) int { return int(w) }

// talk plays a game of a person, who says what is given, in a seat.
func talk(t *testing.T, says string, seat int, other engine.Player) (*person, engine.Result,
	string) {
	t.Helper()
	var out bytes.Buffer
	person := newPerson(strings.NewReader(says), &out)
	players := []engine.Player{person, other}
	if seat == 1 {
		players[0], players[1] = players[1], players[0]
	}
	r := New().Play(players, 3, nil)
	return person, r, out.String()
}

func TestPersonMovesByKeypadAndNames(t *testing.T) {
	for key, name := range map[string]string{"7": "NW", "8": "n", "9": "ne", "6": "E", "3": "se",
		"2": "s", "1": "sw", "4": "w"} {
		_, byKey, _ := talk(t, strings.Repeat(key+"\n", rounds), 0, greedy{})
		_, byName, _ := talk(t, strings.Repeat(" "+name+" \n\n", rounds), 0, greedy{})
		d := directionOf(key)
		byStraight := New().Play([]engine.Player{straight(d), greedy{}}, 3, nil)
		if byKey != byStraight || byName != byStraight {
			t.Errorf("%s and %s are not direction %d", key, name, d)
		}
	}
}

func TestPersonResigns(t *testing.T) {
	for _, c := range []struct {
		says string
		want string
	}{
		{"6\nresign\n", "The end"},
		{"6\n6\n", "no more input: you resign"},
		{"help\nup\nquit\n", `"up" is not a direction`},
		{"5\n?\nQUIT\n", `"5" is not a direction`},
	} {
		person, r, out := talk(t, c.says, 1, random{})
		if !person.Resigned() || !strings.Contains(out, c.want) ||
			!strings.Contains(out, "you lose") || r.Steps == 0 {
			t.Errorf("%q: resigned %v\n%s", c.says, person.Resigned(), out)
		}
	}
}

func TestPersonPlaysAgain(t *testing.T) {
	var out bytes.Buffer
	person := newPerson(strings.NewReader("resign\n"+strings.Repeat("6\n", rounds)), &out)
	g := New()
	g.Play([]engine.Player{person, straight(6)}, 3, nil)
	g.Play([]engine.Player{person, straight(6)}, 4, nil)
	if person.Resigned() || strings.Count(out.String(), "The end") != 2 {
		t.Errorf("resigned %v\n%s", person.Resigned(), out.String())
	}
}

// TestPersonSeesNoMore draws the same memory over two boards that differ only outside what the ant
// has seen.
func TestPersonSeesNoMore(t *testing.T) {
	b := deal(7)
	var m memory
	m.begin(1)
	m.update(&b, 0, 0)
	before := m.picture()
	for i := range cells {
		if !m.view.Has(i) {
			b.food.Clear(i)
		}
	}
	b.at[1] = places[b.at[1]].next[0]
	m.update(&b, 0, 0)
	if after := m.picture(); after != before {
		t.Errorf("the picture shows what the ant cannot see:\n%s%s", before, after)
	}
}

func TestPersonPicture(t *testing.T) {
	var m memory
	m.begin(1)
	b := board{at: [2]uint8{5*width + 5, 4*width + 4}}
	b.food.Set(5*width + 6)
	b.food.Set(8 * width)
	m.update(&b, 0, 0)
	b.at[0] = 5*width + 2
	m.update(&b, 0, 1)
	rows := strings.Split(m.picture(), "\n")
	want := []string{
		"+-----------------------+",
		"|                       |",
		"|                       |",
		"|                       |",
		"|       . . . . .       |",
		"|       . . . . X       |",
		"|       . . @ . . : o   |",
		"|       . . . . .       |",
		"|       . . . . .       |",
		"|                       |",
		"|                       |",
		"|                       |",
		"+-----------------------+",
	}
	for i, w := range want {
		if rows[i] != w {
			t.Errorf("row %d is %q, not %q", i, rows[i], w)
		}
	}
}

func TestPersonHearsHowItEnded(t *testing.T) {
	for _, c := range []struct {
		score    [2]uint8
		ant      int
		resigned bool
		want     string
	}{
		{[2]uint8{8, 7}, 0, false, "you ate 8, the other ant 7; you win. You were ant 1."},
		{[2]uint8{8, 7}, 1, false, "you ate 7, the other ant 8; you lose. You were ant 2."},
		{[2]uint8{3, 9}, 1, false, "you ate 9, the other ant 3; you win. You were ant 2."},
		{[2]uint8{5, 5}, 0, false, "you win, for ant 1 wins a tie. You were ant 1."},
		{[2]uint8{5, 5}, 1, false, "you lose, for ant 1 wins a tie. You were ant 2."},
		{[2]uint8{9, 3}, 0, true, "you ate 9, the other ant 3; you lose. You were ant 1."},
		{[2]uint8{5, 5}, 0, true, "you lose. You were ant 1."},
	} {
		var out bytes.Buffer
		person := newPerson(strings.NewReader(""), &out)
		person.resigned = c.resigned
		person.farewell(&board{at: starts, score: c.score}, c.ant)
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v:\n%s", c, out.String())
		}
	}
}

// TestPersonHearsOfMeals counts what a person is told of food: all that it ate but with the very
// last move.
func TestPersonHearsOfMeals(t *testing.T) {
	moves := strings.Repeat("3\n6\n9\n6\n", rounds)
	g := New().(*game)
	var tape engine.Tape
	_, r, out := talk(t, moves, 0, straight(1))
	g.Play([]engine.Player{newPerson(strings.NewReader(moves), io.Discard), straight(1)}, 3, &tape)
	b, last := deal(3), nothing
	for _, d := range tape.Decisions[0] {
		last = b.move(0, int(d))
	}
	if meals := int(r.Scores[0]); last == ate || meals < 2 ||
		strings.Count(out, "You eat.") != meals {
		t.Errorf("%v pieces eaten, the last move %v:\n%s", r.Scores[0], last, out)
	}
}

func TestPersonHearsOfDeath(t *testing.T) {
	_, r, out := talk(t, strings.Repeat("6\n", rounds), 0, straight(7)) // they walk into each other
	dead := strings.Contains(out, "has killed you")
	kill := strings.Contains(out, "You kill")
	if dead == kill || r.Steps >= 2*rounds {
		t.Errorf("killed %v, kills %v, %d steps\n%s", dead, kill, r.Steps, out)
	}
}
