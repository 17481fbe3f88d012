package external

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"clade/engine"
	"clade/engine/system/terminal"
)

// Supervisor seats programs, counts what they do wrong, and tells about it. The zero value tells
// nobody and is lenient. It is safe for concurrent use once it has seated its programs.
type Supervisor struct {
	// Notice is told, in a line of printable text, what a user should know; nil for nobody.
	Notice func(text string)
	// Fail is called with what ends the games, which who sets it does: a *Fault, and, where Strict
	// is set, a program's first forfeit, a *Forfeit. The program is not asked any more. Where Fail
	// is nil a fault is a forfeit.
	Fail func(error)
	// Strict asks for the end of the games with the first forfeit.
	Strict bool
	// Limits of each process; the zero value stands for DefaultLimits.
	Limits Limits
	// Seconds that a process has for an answer where the game says nothing else; 0 stands for 1.
	Seconds float64

	mu      sync.Mutex
	seated  []*player
	noticed map[string]bool
}

// Forfeit is what a program did wrong at one of its turns, which it lost by that, or, where it
// wrote before it was asked, lost with Strict alone.
type Forfeit struct {
	Program string // as it was named
	Turn    int    // of its game, from 0
	Err     error
}

func (f *Forfeit) Error() string { return fmt.Sprintf("%s, turn %d: %v", f.Program, f.Turn, f.Err) }

// Unwrap returns what was wrong.
func (f *Forfeit) Unwrap() error { return f.Err }

// Fault is what keeps this machine from running a program: no doing of the player, so that no game
// with it counts.
type Fault struct {
	Program string // as it was named
	Err     error
}

func (f *Fault) Error() string { return fmt.Sprintf("%s cannot play here: %v", f.Program, f.Err) }

// Unwrap returns what was wrong.
func (f *Fault) Unwrap() error { return f.Err }

// player is a program that plays any number of games, and its account.
type player struct {
	supervisor *Supervisor
	name       string

	mu      sync.Mutex
	turns   int
	early   int // turns before which it wrote what answers nothing
	lost    int // turns forfeited
	row     int // of them, the last ones without an answer between
	retired bool
}

// seat returns the player of a name whose agents begin makes.
func (s *Supervisor) seat(name string,
	begin func(p *player, o engine.Opening) engine.Agent) engine.Player {
	p := &player{supervisor: s, name: name}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seated = append(s.seated, p)
	return &engine.External{Begin: func(o engine.Opening) engine.Agent { return begin(p, o) }}
}

// say tells a notice, each once.
func (s *Supervisor) say(format string, args ...any) {
	if s.Notice == nil {
		return
	}
	text := terminal.Printable(fmt.Sprintf(format, args...))
	s.mu.Lock()
	known := s.noticed[text]
	if s.noticed == nil {
		s.noticed = map[string]bool{}
	}
	s.noticed[text] = true
	s.mu.Unlock()
	if !known {
		s.Notice(text)
	}
}

// Report tells how many turns each program has forfeited since it was seated, and before how many
// it wrote what answers nothing, of those that have.
func (s *Supervisor) Report() {
	s.mu.Lock()
	seated := s.seated
	s.mu.Unlock()
	for _, p := range seated {
		p.mu.Lock()
		early, lost, turns := p.early, p.lost, p.turns
		p.mu.Unlock()
		if early > 0 {
			s.say("%s wrote what answers nothing before %d of %d turns", p.name, early, turns)
		}
		if lost > 0 {
			s.say("%s forfeited %d of %d turns", p.name, lost, turns)
		}
	}
}

// asks tells whether the program is still asked.
func (p *player) asks() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.retired {
		p.turns++
		p.lost++
	}
	return !p.retired
}

// account books a turn, which err says was forfeited. early is what the program had written before
// it was asked, which was dropped.
func (p *player) account(turn int, early string, err error) {
	s := p.supervisor
	var unasked error
	if early != "" {
		unasked = fmt.Errorf("before it was asked, it had written what answers no question: %q",
			cut(early))
	}
	fault, fatal := errors.AsType[*Fault](err)
	p.mu.Lock()
	p.turns++
	firstEarly, first := unasked != nil && p.early == 0, err != nil && p.lost == 0
	if unasked != nil {
		p.early++
	}
	if p.row++; err == nil {
		p.row = 0
	} else {
		p.lost++
	}
	fails := s.Fail != nil && (fatal || s.Strict && (first || firstEarly))
	retires := !p.retired && (fails || p.row >= mostForfeits)
	p.retired = p.retired || retires
	p.mu.Unlock()
	switch {
	case fails && fatal:
		s.Fail(&Fault{p.name, fault.Err})
		return
	case fails:
		s.Fail(&Forfeit{p.name, turn, cmp.Or(unasked, err)})
		return
	}
	if firstEarly {
		s.say("%v; it is dropped, and further ones are counted", &Forfeit{p.name, turn, unasked})
	}
	if first {
		s.say("%v; the turn is forfeited, and further ones are counted", &Forfeit{p.name, turn, err})
	}
	if retires {
		s.say("%s forfeited %d turns in a row, the last because %s; it is not asked any more",
			p.name, mostForfeits, err)
	}
}

// lastLine returns the last line of text that is not empty, cut to what fits a message.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return cut(last)
}

// cut cuts a program's text to what fits a message.
func cut(text string) string { return text[:min(len(text), 200)] }
