package life

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"clade/gp/proof"
)

// The texts are written by hand from the descriptions of the formats at LifeWiki
// (conwaylife.com/wiki/Run_Length_Encoded, Plaintext, Life_1.05, Life_1.06) and from how Golly
// reads them, but for the two colours, which are our own.
var patterns = []struct {
	name, text, want string // what is written for it, or what the error says
}{
	{"glider", "#C a glider\n#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n", glide},
	{"no rule", "x=2,y=1\n2o!", "x = 2, y = 1, rule = B3/S23\n2o!\n"},
	{"two colours", "x = 4, y = 3, rule = KingOfTheHill\nA.B$$2B!\ntrailing text",
		"x = 4, y = 3, rule = KingOfTheHill\nA.B2$2B!\n"},
	{"broken lines", "x = 5, y = 1, rule = 23/3\r\n2\no\n  1b o\n!",
		"x = 5, y = 1, rule = B3/S23\n2obo!\n"},
	{"lines of a Mac", "#C x\rx = 3, y = 3\rbo$2bo$\r3o!\r", glide},
	{"empty", "x = 0, y = 0\n!", "x = 0, y = 0, rule = B3/S23\n!\n"},
	{"comments everywhere", "\n#CXRLE Pos=-1,-1 Gen=3\n\nx = 3, y = 3\n#C moves\nbob$2bo$\n" +
		"# every four\n\n#O me\n3o\n#C end\n!\n#C behind\n", glide},
	{"no end", "x = 3, y = 3\nbo$2bo$3o", glide},
	{"no end but a line's", "x = 3, y = 3\nbo$2bo$3o$\n\n", glide},
	{"no header", "bob$2bo$3o!", glide},
	{"no header, comment", "#C a glider\nbo$2bo$3o!", glide},
	{"small header", "x = 1, y = 1\nbo$2bo$3o!", glide},
	{"large header", "x = 4, y = 5\nbo$2bo$3o!", "x = 4, y = 5, rule = B3/S23\nbo$2bo$3o!\n"},
	{"mark", "\xef\xbb\xbfx = 3, y = 3\nbo$2bo$3o!", glide},
	{"commas", "X = 3 , Y = 3 ,\nbo$2bo$3o!", glide},
	{"rule in a comment", "#r B3/S23\nx = 3, y = 3\nbo$2bo$3o!", glide},
	{"states", "x = 3, y = 3, rule = B3/S23\n.A$2.A$3A!", glide},
	{"cells", "!Name: Glider\n!\n.O.\n..O\nOOO\n", glide},
	{"cells without comments", "\n.O\n..O\nOOO", glide},
	{"cells with blanks", "!x\r\n O \r\n  O\r\nOOO\r\n\r\n", glide},
	{"cells with stars", ".*\n..*\n***\n", glide},
	{"empty rows of cells", "!x\nO\n\n.O\n", "x = 2, y = 3, rule = B3/S23\no2$bo!\n"},
	{"Life 1.06", "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n1 1\n", glide},
	{"Life 1.05", "#Life 1.05\n#D a glider\n#N\n#P -1 -1\n.*\n..*\n#P -1 1\n***\n", glide},
	{"block alone", "#P 5 5\n.*\n..*\n***", glide},

	{"torus", "x = 5, y = 5, rule = B3/S23:T5,5\no!", `p.rle:1: the rule is "B3/S23:T5,5", of a b`},
	{"nothing", "#C only\n", "p.rle:1: no pattern"},
	{"no text", "", "p.rle:1: no pattern"},
	{"blanks", "\n \n", "p.rle:2: no pattern"},
	{"words", "hello\n", `p.rle:1: "hello" begins no pattern: write RLE`},
	{"header alone", "x = 3, y = 3\n", "p.rle:1: there are no runs behind the header"},
	{"half a header", "x = 3\no!", "p.rle:1: the header lacks y"},
	{"header", "x = 3, y = 3, z = 1\no!", `p.rle:1: "z" does not belong`},
	{"size", "x = 3, y = 99999\no!", `p.rle:1: y is "99999": write a number in 0..16384`},
	{"rule", "x = 3, y = 3, rule = B36/S23\no!", `p.rle:1: the rule is "B36/S23"; only`},
	{"history", "x = 3, y = 3, rule = LifeHistory\no!", `p.rle:1: the rule is "LifeHistory"; only`},
	{"other rule in a comment", "x = 3, y = 3\n#r 23/36\no!", `p.rle:2: the rule is "23/36"; only`},
	{"cell", "x = 3, y = 3\nob\nq!", `p.rle:3: 'q' is not a cell`},
	{"run", "x = 3, y = 3\n99999o!", "p.rle:2: a run is longer"},
	{"zero", "x = 3, y = 3\n0o!", "p.rle:2: a run of length 0"},
	{"count of the end", "x = 3, y = 3\no3!", "p.rle:2: the number before"},
	{"cut", "x = 3, y = 3\no3", "p.rle:2: the number at the end"},
	{"large", "x = 3, y = 3\n16384b16384b!", "p.rle:2: the pattern is larger"},
	{"UTF-16", "\xff\xfex\x00", "p.rle: the text is in UTF-16"},
	{"macrocell", "[M2] (golly 4.0)\n#R B3/S23\n", `p.rle:1: "[M2] (golly 4.0)" begins a format`},
	{"no cell", "!x\n.O\n.Q\n", "p.rle:3: 'Q' is not a cell"},
	{"comment only", "!x\n", "p.rle:1: no pattern"},
	{"half a place", "#Life 1.06\n1\n", `p.rle:2: "1" is no cell`},
	{"far", "#Life 1.06\n1 1\n1 99999999999\n", `p.rle:3: "1 99999999999" is no cell`},
	{"apart", "#Life 1.06\n1 1\n1 99999\n", "p.rle:3: the pattern is larger"},
	{"none alive", "#Life 1.05\n#P 0 0\n..\n", "p.rle:3: no cell is alive"},
	{"other rule of 1.05", "#Life 1.05\n#R 23/36\n#P 0 0\n*\n", `p.rle:2: the rule is "23/36"; o`},
}

// glide is a glider as it is written here.
const glide = "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"

func TestParsePattern(t *testing.T) {
	for _, c := range patterns {
		p, err := parsePattern("p.rle", []byte(c.text))
		switch {
		case err != nil && (!strings.HasPrefix(err.Error(), "life: "+c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		case err == nil && string(p.rle()) != c.want:
			t.Errorf("%s: written as %q, want %q", c.name, p.rle(), c.want)
		}
	}
}

// The notations are those that Golly's help lists for its algorithm of Life-like rules.
func TestRules(t *testing.T) {
	for _, rule := range []string{"B3/S23", "b3/s23", "S23/B3", "s23/b3", "B3S23", "b3s23", "S23B3",
		"23/3", "32/3", "B3/S32", "Life", "life", "LIFE", "23/3/2", "KingOfTheHill",
		"kingofthehill", " B3/S23 ", "B3/S23,"} {
		for _, text := range []string{"x = 3, y = 3, rule = %s\nbo$2bo$3o!",
			"x=3,y=3,rule=%s\nbo$2bo$3o!", "#r %s\nx = 3, y = 3\nbo$2bo$3o!"} {
			p := proof.Must(parsePattern("p", fmt.Appendf(nil, text, rule)))(t)
			proof.Is(t, string(p.rle()), glide, "%q with %q", text, rule)
		}
	}
	for _, rule := range []string{"3/23", "B3/S2", "B3/S234", "23/3/3", "B3/S23H", "B23", "",
		"highlife", "B3/S23:P9,9"} {
		proof.Fails(parsePattern("p", fmt.Appendf(nil, "x = 3, y = 3, rule = %s\nbo!", rule)))(t,
			"p:1: the rule is")
	}
}

// Boards of random cells come back from our own text; patterns that others wrote are read above.
func TestRLEHoldsABoard(t *testing.T) {
	for colours := 1; colours <= 2; colours++ {
		p := soup(60, 130, 30, colours, 3)
		text := p.rle()
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(line) > rleLine {
				t.Errorf("a line of %d characters", len(line))
			}
		}
		again := proof.Must(parsePattern("board", text))(t)
		b := newBoard(60, 130, best())
		proof.Is(t, b.put(again, 0, 0), len(p.live), "cells came alive")
		proof.Is(t, fmt.Sprint(b.pattern()), fmt.Sprint(p), "the board that was read")
	}
}

func FuzzParsePattern(f *testing.F) {
	for _, c := range patterns {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parsePattern("f", text)
		if err != nil {
			return
		}
		again, err := parsePattern("f", p.rle())
		if err != nil {
			t.Fatalf("%q: what was written does not read: %v", text, err)
		}
		if string(again.rle()) != string(p.rle()) {
			t.Fatalf("%q: written as %q, then as %q", text, p.rle(), again.rle())
		}
	})
}
