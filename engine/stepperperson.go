package engine

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
)

// stepperPerson is a person at a terminal who plays a Lockstep.
type stepperPerson struct {
	offers   []Offer
	in       *bufio.Scanner
	out      io.Writer
	resigned bool
	begun    bool
}

func newStepperPerson(offers []Offer, in io.Reader, out io.Writer) *stepperPerson {
	return &stepperPerson{offers: offers, in: bufio.NewScanner(in), out: out}
}

// Resigned tells whether the last game was given up.
func (p *stepperPerson) Resigned() bool { return p.resigned }

// Undone is 0: no move can be taken back.
func (p *stepperPerson) Undone() int { return 0 }

func (p *stepperPerson) say(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// choose asks for a possible candidate. Who has resigned takes the first.
func (p *stepperPerson) choose(g Stepper, seat int, possible uint64) int {
	first := bits.TrailingZeros64(possible)
	if !p.begun {
		p.begun, p.resigned = true, false
	}
	if p.resigned {
		return first
	}
	var names []string
	for i, c := range p.offers {
		if possible>>i&1 != 0 {
			names = append(names, c.Name)
		}
	}
	p.say("\n%s", told(g, seat))
	for {
		p.say("%s, or resign> ", strings.Join(names, " "))
		if !p.in.Scan() {
			p.say("\nno more input: the game is left\n")
			p.resigned = true
			return first
		}
		text := strings.ToLower(strings.TrimSpace(p.in.Text()))
		at := slices.IndexFunc(p.offers, func(c Offer) bool { return c.Name == text })
		switch {
		case text == "resign" || text == "quit":
			p.resigned = true
			return first
		case at >= 0 && possible>>at&1 != 0:
			return at
		case text != "":
			p.say("%q is not possible here\n", text)
		}
	}
}

// farewell tells how the game has ended.
func (p *stepperPerson) farewell(g Stepper, seat int, r *Result) {
	p.begun = false
	p.say("\n")
	if s, ok := g.Scene().(Speaker); ok {
		p.say("%s", s.Text())
	}
	p.say("The end: you were seat %d; %s.\n", seat+1, verdict(seat, r, p.resigned))
}

// told returns what a seat sees, as text.
func told(g Stepper, seat int) string {
	if t, ok := g.(Teller); ok {
		return t.Tell(seat)
	}
	if s, ok := g.Scene().(Speaker); ok {
		return s.Text()
	}
	return ""
}

// verdict says in words how a game has ended for a seat.
func verdict(seat int, r *Result, resigned bool) string {
	switch w := r.Winner(); {
	case resigned:
		return "you have resigned"
	case w == Tie:
		return fmt.Sprintf("nobody wins, you have %v points", r.Scores[seat])
	case w == seat:
		return fmt.Sprintf("you win with %v points", r.Scores[seat])
	default:
		return fmt.Sprintf("seat %d wins with %v points, you have %v", w+1, r.Scores[w],
			r.Scores[seat])
	}
}
