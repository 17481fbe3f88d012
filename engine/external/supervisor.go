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

// Supervisor makes players of programs, counts their mistakes and reports them. The zero value
// reports nothing and is lenient. It is safe for concurrent use once it has made its players.
type Supervisor struct {
	// Notice, if not nil, is called with a line of printable text that a user should know.
	Notice func(text string)
	// Fail is called with an error for which the caller must end the games: a *Fault or, where
	// Strict is set, a program's first *Forfeit. The program is not asked any more. If Fail is nil
	// a fault counts as a forfeit.
	Fail func(error)
	// Strict ends the games at the first forfeit, see Fail.
	Strict bool
	// Seconds is the time that a process has for an answer unless the game sets one; 0 means 1.
	Seconds float64

	limits  processLimits // the zero value stands for defaultLimits; tests set it
	mu      sync.Mutex
	seated  []*player
	noticed map[string]bool
}

// Forfeit is a program's mistake at a turn, which costs it the turn. Output before a question is a
// forfeit only with Strict.
type Forfeit struct {
	Program string // as it was named
	Turn    int    // of its game, from 0
	Err     error
}

func (f *Forfeit) Error() string { return fmt.Sprintf("%s, turn %d: %v", f.Program, f.Turn, f.Err) }

// Unwrap returns what was wrong.
func (f *Forfeit) Unwrap() error { return f.Err }

// Fault is a reason why this machine cannot run a program. It is not the player's fault, so games
// with it do not count.
type Fault struct {
	Program string // as it was named
	Err     error
}

func (f *Fault) Error() string { return fmt.Sprintf("%s cannot play here: %v", f.Program, f.Err) }

// Unwrap returns what was wrong.
func (f *Fault) Unwrap() error { return f.Err }

// player is a program that plays any number of games, with the count of its mistakes.
type player struct {
	supervisor *Supervisor
	name       string

	mu      sync.Mutex
	turns   int
	early   int // turns before which it wrote unasked
	lost    int // turns forfeited
	row     int // of these, the latest ones in a row
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

// Report notices, for each program with mistakes, how many turns it has forfeited and before how
// many it wrote unasked.
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

// account counts a turn; an err means that it was forfeited. early is what the program had written
// before it was asked, which was dropped.
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
