package amoebas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"clade/engine"
	"clade/gp/input"
)

// Players implements engine.Roster.
func (g *game) Players() []engine.Entry {
	fixed := func(name, about string, f decider) engine.Entry {
		return engine.FixedEntry("amoebas", name, about, f)
	}
	return []engine.Entry{
		fixed("mindless", "Moves at random.", mindless{}),
		{Name: "mindless-divider",
			About: "Rests below energy 65, then divides with probability p or moves, at random. " +
				"Arguments: p (0.3).", New: parsed(
				[]string{"0.3"}, func(p *arguments) decider { return p.divider() })},
		{Name: "nasty",
			About: "Hits any hostile neighbour, else plays mindless-divider. Arguments: p (0.3), " +
				"selector (random).", New: parsed(
				[]string{"0.3", "random"},
				func(p *arguments) decider { return nasty{p.divider(), p.selector()} })},
		{Name: "slightlybrainy",
			About: "Feeds when low, divides when rich, hits what is near. Arguments: low (10), " +
				"divide (70), selector (most-energy).", New: parsed(
				[]string{"10", "70", "most-energy"},
				func(p *arguments) decider { return p.brainy() })},
		{Name: "mutating-slightlybrainy",
			About: "slightlybrainy whose children vary. Arguments: low (10), divide (70), " +
				"selector (most-energy), rate (0.3), range (1).", New: parsed(
				[]string{"10", "70", "most-energy", "0.3", "1"}, func(p *arguments) decider {
					return mutating{p.brainy(), p.number("rate", 0, 1),
						p.whole("range", 0, maxUnits)}
				})},
		fixed("theroots",
			"slightlybrainy that grazes longer and divides toward the richest section, with room "+
				"around it.", theroots{}),
		fixed("berit2", "Hits what is near and calls friends by its data.",
			alarmed{crowd: 12, fragile: 4, huddle: 4}),
		fixed("covid", "Spreads early, and saves later.", covid{}),
		fixed("philip",
			"Hits what is near and calls friends by its data; divides a little less than berit2.",
			alarmed{crowd: 11, fragile: 3, huddle: 5}),
		fixed("necrosis", "slightlybrainy with children on the diagonals.", necrosis{}),
		fixed("amoeboiz", "Soldiers, a border that spreads, and a middle that saves.", amoeboiz{}),
		fixed("caesar", "Warriors, explorers and farmers.", caesar{}),
		fixed("untitled", "Soldiers, and settlers who fill the land evenly.", untitled{}),
	}
}

// parsed returns a constructor that parses arguments, of which trailing ones may be left out, and
// then calls build.
func parsed(defaults []string, build func(*arguments) decider) func(string) (engine.Player,
	error) {
	return func(args string) (engine.Player, error) {
		p := arguments{values: slices.Clone(defaults)}
		if strings.TrimSpace(args) != "" {
			given := strings.Split(args, ",")
			if len(given) > len(defaults) {
				return nil, fmt.Errorf("amoebas: %d arguments given, at most %d taken", len(given),
					len(defaults))
			}
			for i, a := range given {
				p.values[i] = strings.TrimSpace(a)
			}
		}
		f := build(&p)
		if p.err != nil {
			return nil, p.err
		}
		return f, nil
	}
}

// arguments reads arguments in order and keeps the first error.
type arguments struct {
	values []string
	err    error
}

func (p *arguments) next() string {
	v := p.values[0]
	p.values = p.values[1:]
	return v
}

func (p *arguments) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("amoebas: "+format, args...)
	}
}

func (p *arguments) whole(name string, least, most int) int {
	text := p.next()
	v, err := strconv.Atoi(text)
	if err != nil || v < least || v > most {
		p.fail("%s must be a whole number in %d..%d, not %q", name, least, most, text)
	}
	return v
}

func (p *arguments) number(name string, least, most float64) float64 {
	text := p.next()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= least && v <= most) {
		p.fail("%s must be a number in %v..%v, not %q", name, least, most, text)
	}
	return v
}

func (p *arguments) selector() selector {
	text := p.next()
	for i, n := range selectorNames {
		if n == text {
			return selector(i)
		}
	}
	p.fail("%s", input.Unknown("selector", text, selectorNames))
	return random
}

func (p *arguments) divider() divider { return divider{p.number("p", 0, 1)} }

func (p *arguments) brainy() brainy {
	return brainy{p.whole("low", 0, maxUnits), p.whole("divide", 0, maxUnits), p.selector()}
}
