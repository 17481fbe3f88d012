package claims

import (
	"fmt"

	"clade/engine/games/amoeboid"
)

// misprints replays the document's line of case IV and compares the boards it prints.
func misprints() claim {
	g := board()
	table := table{Name: "misprints", Columns: []string{"ply", "printed", "by the rules"}}
	p := at("B . . . / . 60,0 . / . . 0,16")
	wrong := 0
	for i, step := range documentLine {
		roll := rollOfB
		if p.Turn() == amoeboid.A {
			roll = rollOfA
		}
		if step.move != "" {
			m, err := p.ParseMove(g, step.move, roll)
			if err != nil {
				panic(fmt.Sprintf("claims: case IV, step %d: %v", i, err))
			}
			p = after(p, m, roll)
		}
		if text := p.Text(g, 0)[2:]; text != step.printed {
			wrong++
			table.Add(i+1, step.printed, text)
		}
	}
	return claim{
		Name:    "Case IV: the printed boards",
		Says:    "The line of case IV as printed, A rolling ones and B sixes.",
		Verdict: fmt.Sprintf("%d boards are misprinted", wrong),
		Evidence: []string{
			"The line is replayed by the rules; where the printed board differs it stands below. " +
				"In the first B's second piece is shown as it is only after his reply; in the " +
				"second the piece just eaten is " +
				"not changed; in the last the piece in the upper left corner has B's units of " +
				"another cell and the centre has not paid for the meal.",
		},
		Table: table,
	}
}

// documentLine is the line of case IV: the move that the text or the next board implies, and the
// board as printed; a piece of one player alone is printed with one number.
var documentLine = []struct{ move, printed string }{
	{"c3 c2 half", ". . . / . 60,0 0,11 / . . 0,11"},
	{"b2 c3 11,0", ". . . / . 50,0 0,9 / . . 11,11"},
	{"c2 c1 0,8", ". . 0,8 / . 50,0 0,9 / . . 11,11"},
	{"b2 c2 9,0", ". . 0,8 / . 42,0 9,9 / . . 11,11"},
	{"c1 b1 0,7", ". 0,7 0,7 / . 42,0 9,9 / . . 11,11"},
	{"b2 c1 7,0", ". 0,7 7,7 / . 36,0 9,9 / . . 11,11"},
	{"b1 a1 0,6", "0,6 0,7 7,7 / . 36,0 9,9 / . . 11,11"},
	{"b2 b1 7,0", "0,6 7,7 7,7 / . 30,0 9,9 / . . 11,11"},
	{"a1 a2 half", "0,6 7,7 7,7 / 0,6 30,0 9,9 / . . 11,11"},
	{"b2 a1 6,0", "0,6 7,7 7,7 / 0,6 25,0 9,9 / . . 11,11"},
	{"a2 a3 half", "6,6 7,7 7,7 / 0,6 25,0 9,9 / 0,6 . 11,11"},
	{"b2 a2 7,0", "6,6 7,7 7,7 / 7,6 19,0 9,9 / 0,6 . 11,11"},
	{"a3 b3 half", "6,6 7,7 7,7 / 7,6 19,0 9,9 / 0,6 0,6 11,11"},
	{"b2 a3 7,0", "6,6 7,7 7,7 / 7,6 13,0 9,9 / 7,6 0,6 11,11"},
	{"+b3", "6,6 7,7 7,7 / 7,6 13,0 9,9 / 7,6 0,12 11,11"},
	{"b2 b3 12,0", "6,12 7,7 7,7 / 7,6 13,0 9,9 / 7,6 12,12 11,11"},
}
