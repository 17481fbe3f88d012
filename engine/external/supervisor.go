package external

import (
	"fmt"
	"strings"
	"sync"

	"clade/engine"
	"clade/engine/terminal"
)

// Supervisor seats programs, counts what they do wrong, and tells about it. The zero value tells
// nobody and is lenient. It is safe for concurrent use once it has seated its programs.
type Supervisor struct {
	// Notice is told, in a line of printable text, what a user should know; nil for nobody.
	Notice func(text string)
	// Fail, if it is not nil, is called with every program's first forfeit, a *Forfeit: who sets it
	// ends the games. The program is not asked any more.
	Fail func(error)
	// Limits of each process; the zero value stands for DefaultLimits.
	Limits Limits
	// Seconds that a process has for an answer where the game says nothing else; 0 stands for 1.
	Seconds float64

	mu      sync.Mutex
	seated  []*player
	noticed map[string]bool
}

// Forfeit is what a program did wrong at one of its turns.
type Forfeit struct {
	Program string // as it was named
	Turn    int    // of its game, from 0
	Err     error
}

func (f *Forfeit) Error() string { return fmt.Sprintf("%s, turn %d: %v", f.Program, f.Turn, f.Err) }

// Unwrap returns what was wrong.
func (f *Forfeit) Unwrap() error { return f.Err }

// player is a program that plays any number of games, and its account.
type player struct {
	supervisor *Supervisor
	name       string

	mu      sync.Mutex
	turns   int
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

// Report tells how many turns each program has forfeited since it was seated, those that have.
func (s *Supervisor) Report() {
	s.mu.Lock()
	seated := s.seated
	s.mu.Unlock()
	for _, p := range seated {
		p.mu.Lock()
		lost, turns := p.lost, p.turns
		p.mu.Unlock()
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

// account books a turn, which err says was forfeited.
func (p *player) account(turn int, err error) {
	p.mu.Lock()
	p.turns++
	if err == nil {
		p.row = 0
		p.mu.Unlock()
		return
	}
	p.lost++
	p.row++
	first, s := p.lost == 1, p.supervisor
	strict := first && s.Fail != nil
	retires := !p.retired && (strict || p.row >= mostForfeits)
	p.retired = p.retired || retires
	p.mu.Unlock()
	if strict {
		s.Fail(&Forfeit{p.name, turn, err})
		return
	}
	if first {
		s.say("%v; the turn is forfeited, and further ones are counted",
			&Forfeit{p.name, turn, err})
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
	const most = 200
	return last[:min(len(last), most)]
}
