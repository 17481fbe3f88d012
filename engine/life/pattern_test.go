package life

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

var patterns = []struct {
	name, text, want string // what is written for it, or what the error says
}{
	{"glider", "#C a glider\n#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n",
		"x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"},
	{"no rule", "x=2,y=1\n2o!", "x = 2, y = 1, rule = B3/S23\n2o!\n"},
	{"two colours", "x = 4, y = 3, rule = KingOfTheHill\nA.B$$2B!\ntrailing text",
		"x = 4, y = 3, rule = KingOfTheHill\nA.B2$2B!\n"},
	{"broken lines", "x = 5, y = 1, rule = 23/3\r\n2\no\n  1b o\n!",
		"x = 5, y = 1, rule = B3/S23\n2obo!\n"},
	{"torus", "x = 5, y = 5, rule = B3/S23:T5,5\no!", `p.rle:1: the rule is "B3/S23:T5"`},
	{"empty", "x = 0, y = 0\n!", "x = 0, y = 0, rule = B3/S23\n!\n"},
	{"no header", "bob$2bo$3o!", `p.rle:1: "bob$2bo$3o!" has no "="`},
	{"nothing", "#C only\n", "p.rle:1: no pattern"},
	{"half a header", "x = 3\no!", "p.rle:1: the header lacks y"},
	{"header", "x = 3, y = 3, z = 1\no!", `p.rle:1: "z" does not belong`},
	{"size", "x = 3, y = 99999\no!", `p.rle:1: y is "99999": write a number in 0..16384`},
	{"rule", "x = 3, y = 3, rule = B36/S23\no!", `p.rle:1: the rule is "B36/S23"; only`},
	{"cell", "x = 3, y = 3\nob\nq!", `p.rle:3: 'q' is not a cell`},
	{"outside", "x = 3, y = 3\n2o2bo!",
		"p.rle:2: a live cell at (0, 4) in a pattern of 3 rows and 3 columns"},
	{"below", "x = 3, y = 3\n3$o!", "p.rle:2: a live cell at (3, 0)"},
	{"no end", "x = 3, y = 3\nobo$", `p.rle:2: the pattern does not end`},
	{"run", "x = 3, y = 3\n99999o!", "p.rle:2: a run is longer"},
	{"zero", "x = 3, y = 3\n0o!", "p.rle:2: a run of length 0"},
	{"count of the end", "x = 3, y = 3\no3!", "p.rle:2: the number before"},
	{"late comment", "x = 3, y = 3\no\n#C x\n!", "p.rle:3: a comment among the runs"},
	{"large", "x = 3, y = 3\n16384b16384b!", "p.rle:2: the pattern is larger"},
}

func TestParseRLE(t *testing.T) {
	for _, c := range patterns {
		p, err := parseRLE("p.rle", []byte(c.text))
		switch {
		case err != nil && (!strings.HasPrefix(err.Error(), "life: "+c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		case err == nil && string(p.rle()) != c.want:
			t.Errorf("%s: written as %q, want %q", c.name, p.rle(), c.want)
		}
	}
}

func TestRLEHoldsABoard(t *testing.T) {
	for colours := 1; colours <= 2; colours++ {
		p := soup(60, 130, 30, colours, 3)
		text := p.rle()
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(line) > rleLine {
				t.Errorf("a line of %d characters", len(line))
			}
		}
		again, err := parseRLE("board", text)
		if err != nil {
			t.Fatal(err)
		}
		b := newBoard(60, 130, best())
		if n := b.put(again, 0, 0); n != len(p.live) {
			t.Errorf("%d cells came alive, want %d", n, len(p.live))
		}
		if got := b.pattern(); fmt.Sprint(got) != fmt.Sprint(p) {
			t.Error("the board that was read differs")
		}
	}
}

func FuzzParseRLE(f *testing.F) {
	for _, c := range patterns {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parseRLE("f", text)
		if err != nil {
			return
		}
		again, err := parseRLE("f", p.rle())
		if err != nil {
			t.Fatalf("%q: what was written does not read: %v", text, err)
		}
		if string(again.rle()) != string(p.rle()) {
			t.Fatalf("%q: written as %q, then as %q", text, p.rle(), again.rle())
		}
	})
}
