package external

import (
	"fmt"
	"time"

	"clade/engine"
)

// Exec returns a player of any engine.Interactive game that starts a program for each turn. The
// command is split into words as a shell does, without a shell.
func (s *Supervisor) Exec(command string) (engine.Player, error) {
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	return s.seat("exec:"+command, func(p *player, o engine.Opening) engine.Agent {
		return &takenSeat{player: p, opening: o, seconds: s.timeOf(o),
			asker: &restarted{s, words, o}}
	}), nil
}

// Persist returns a player like that of Exec whose program is started once a game. One that made a
// mistake is started again for the next turn.
func (s *Supervisor) Persist(command string) (engine.Player, error) {
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	return s.seat("persist:"+command, func(p *player, o engine.Opening) engine.Agent {
		return &takenSeat{player: p, opening: o, seconds: s.timeOf(o),
			asker: &persistent{supervisor: s, words: words, opening: o, spare: startTime}}
	}), nil
}

// timed are the facts of a game that says how long a turn may take.
type timed interface {
	// TurnSeconds returns a time above 0.
	TurnSeconds() float64
}

// timeOf returns how many seconds a program has for a turn.
func (s *Supervisor) timeOf(o engine.Opening) float64 {
	switch t, ok := o.Facts.(timed); {
	case ok:
		return t.TurnSeconds()
	case s.Seconds > 0:
		return s.Seconds
	default:
		return turnSeconds
	}
}

// asker puts questions to a program in one game.
type asker interface {
	// ask returns the answer to a question. 0 seconds are not a limit.
	ask(question []byte, seconds float64) ([]byte, error)
	// end ends the program, which is told the result if the game has one.
	end(*engine.Result)
}

// takenSeat is a program in one seat of one game.
type takenSeat struct {
	*player
	opening engine.Opening
	seconds float64
	turn    int
	asker
}

// Act asks the program.
func (s *takenSeat) Act(d engine.Decision) {
	turn := s.turn
	s.turn++
	if !s.asks() {
		return
	}
	answer, err := s.ask(question(d, turn, s.seconds), s.seconds)
	if err == nil {
		err = d.Take(answer)
	}
	s.account(turn, err)
}

// End ends the program.
func (s *takenSeat) End(r *engine.Result) { s.end(r) }

// restarted is a program that runs once a turn.
type restarted struct {
	supervisor *Supervisor
	words      []string
	opening    engine.Opening
}

func (r *restarted) ask(question []byte, seconds float64) ([]byte, error) {
	return r.supervisor.once(r.words, append(opening(r.opening), question...), duration(seconds))
}

func (r *restarted) end(*engine.Result) {}

// persistent is a program that runs for a game.
type persistent struct {
	supervisor *Supervisor
	words      []string
	opening    engine.Opening
	talk       *conversation
	spare      time.Duration // left for starts in this game
}

func (p *persistent) ask(question []byte, seconds float64) ([]byte, error) {
	until := time.Now().Add(duration(seconds))
	if p.talk == nil {
		talk, err := p.supervisor.open(p.words)
		if err != nil {
			return nil, err
		}
		p.talk, question = talk, append(opening(p.opening), question...)
		usual := until
		until = until.Add(p.spare)
		defer func() { p.spare -= min(p.spare, max(0, time.Since(usual))) }()
	}
	answer, err := p.talk.ask(question, time.Until(until))
	if err != nil {
		talk := p.talk
		p.talk = nil
		closed := talk.close()
		err = talk.said(err)
		if closed != nil {
			err = fmt.Errorf("%w; %w", err, closed)
		}
	}
	return answer, err
}

func (p *persistent) end(r *engine.Result) {
	if r == nil {
		p.close(nil)
	} else {
		p.close(farewell(r, p.opening.Seats))
	}
}

// close ends the program, after a last line if there is one.
func (p *persistent) close(last []byte) {
	if p.talk == nil {
		return
	}
	talk := p.talk
	p.talk = nil
	var err error
	if last == nil {
		err = talk.close()
	} else {
		err = talk.dismiss(last)
	}
	if err != nil {
		p.supervisor.say("the end of a program: %v", err)
	}
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}
