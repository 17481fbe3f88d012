package gp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"clade/gp/input"
)

// Species is the content of a species file: a genome and what is needed to play it.
//
//	; any comment
//	(species antwars 1
//	  (origin "bred by …")
//	  (setting keen-senses true)
//	  (slot straight (add foodHope (noFood (rect 0 -2 3 3))))
//	  (slot diagonal foodHope))
type Species struct {
	Game    string
	Version int      // version of the game's rules under which it was bred
	Origin  []string // where it came from, as lines of text
	// Settings are settings of its game that are not the default: those that its operators need, or
	// under which it was bred. Files of earlier versions hold none.
	Settings []Setting
	Genome   Genome
}

// PrintSpecies returns the text of a species file.
func (g *Grammar) PrintSpecies(s *Species) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(species %s %d", s.Game, s.Version)
	for _, o := range s.Origin {
		b.WriteString("\n  (origin " + strconv.Quote(o) + ")")
	}
	for _, setting := range s.Settings {
		setting.print(&b)
	}
	for i, t := range s.Genome {
		fmt.Fprintf(&b, "\n  (slot %s\n    ", g.Slots[i].Name)
		g.printIndented(&b, t, 4)
		b.WriteByte(')')
	}
	b.WriteString(")\n")
	return b.String()
}

// ParseSpecies reads the text of a species file. The callback returns the grammar of the game and
// the version that the file names, or an error if they cannot be played. Errors name line and
// column.
func ParseSpecies(text string, grammar func(game string, version int) (*Grammar, error)) (*Species,
	error) {
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, err
	}
	r := newReader(text)
	s := &Species{}
	name, err := r.readSpeciesHead(s)
	if err != nil {
		return nil, err
	}
	g, err := grammar(s.Game, s.Version)
	if err != nil {
		return nil, name.errorf("%s", err)
	}
	s.Genome = make(Genome, len(g.Slots))
	for {
		tok := r.next()
		if tok.text == ")" && !tok.quoted {
			break
		}
		if tok.text != "(" || tok.quoted {
			return nil, tok.errorf("(origin …), (slot …) or the closing ) is needed here, not %s", tok)
		}
		if err := g.readPart(r, s); err != nil {
			return nil, err
		}
	}
	end := r.next()
	if end.text != "" {
		return nil, end.errorf("%s stands behind the end of the species; one file holds one", end)
	}
	for i, t := range s.Genome {
		if from := g.slot(g.Slots[i].From); t == nil && from >= 0 {
			t = slices.Clone(s.Genome[from])
			s.Genome[i] = t
		}
		if t == nil {
			return nil, end.errorf("the species has no tree for slot %q; add (slot %s …)",
				g.Slots[i].Name, g.Slots[i].Name)
		}
	}
	return s, nil
}

// readSpeciesHead reads the game and the version, and returns the token that names the game.
func (r *reader) readSpeciesHead(s *Species) (name token, err error) {
	for _, want := range []string{"(", "species"} {
		if tok := r.next(); tok.text != want || tok.quoted {
			return name, tok.errorf(
				"this is not a species: it starts with (species, and the name of a game, not with %s", tok)
		}
	}
	name = r.next()
	version, err := strconv.Atoi(r.next().text)
	if !isName(name.text) || err != nil || version < 1 {
		return name, name.errorf("a species starts with the name of its game and the version of " +
			"its rules, such as (species antwars 1")
	}
	s.Game, s.Version = name.text, version
	return name, nil
}

// parts are the names of the expressions in a species.
var parts = [...]string{"origin", "setting", "slot"}

// readPart reads an origin, a setting or a slot whose opening bracket was read.
func (g *Grammar) readPart(r *reader, s *Species) error {
	switch tok := r.next(); tok.text {
	case "origin":
		line := r.next()
		if !line.quoted {
			return line.errorf("an origin is a text in double quotes, not %s", line)
		}
		s.Origin = append(s.Origin, line.text)
	case "setting":
		setting, err := readSetting(r, s.Settings)
		if err != nil {
			return err
		}
		s.Settings = append(s.Settings, setting)
	case "slot":
		name := r.next()
		i := g.slot(name.text)
		if i < 0 {
			return name.errorf("%w", g.unknownSlot(name.text))
		}
		if s.Genome[i] != nil {
			return name.errorf("slot %q stands twice", name.text)
		}
		t, err := g.readTree(r, nil, g.Slots[i].Type, 0)
		if err != nil {
			return err
		}
		s.Genome[i] = t
	default:
		return tok.errorf("%s", input.Unknown("part of a species", tok.text, parts[:]))
	}
	return r.expect(")")
}

// unknownSlot returns the error of a name that no slot has.
func (g *Grammar) unknownSlot(name string) error {
	names := make([]string, len(g.Slots))
	for i, slot := range g.Slots {
		names[i] = slot.Name
	}
	return UnknownNameError(input.Unknown("slot", name, names))
}

// expect reads the given tokens, and returns an error for any other.
func (r *reader) expect(texts ...string) error {
	for _, want := range texts {
		if tok := r.next(); tok.text != want || tok.quoted {
			return tok.errorf("%q is needed here, not %s", want, tok)
		}
	}
	return nil
}
