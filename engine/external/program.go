package external

import (
	"errors"
	"fmt"
	"time"

	"clade/engine"
)

// Exec returns a player of any engine.Interactive game that starts a program for each turn. The
// command is split into words as a shell does, without a shell.
func (s *Supervisor) Exec(command string) (engine.Player, error) {
	c, err := newCommand(command)
	if err != nil {
		return nil, err
	}
	return s.seat("exec:"+command, func(p *player, o engine.Opening) engine.Agent {
		return &takenSeat{player: p, opening: o, seconds: s.timeOf(o), asker: &restarted{s, c, o}}
	}), nil
}

// Persist returns a player like that of Exec whose program is started once for each game. After a
// mistake it is started again for the next turn.
func (s *Supervisor) Persist(command string) (engine.Player, error) {
	c, err := newCommand(command)
	if err != nil {
		return nil, err
	}
	return s.seat("persist:"+command, func(p *player, o engine.Opening) engine.Agent {
		return &takenSeat{player: p, opening: o, seconds: s.timeOf(o),
			asker: &persistent{supervisor: s, command: c, opening: o, spare: startTime}}
	}), nil
}

// timed is implemented by the facts of a game that sets the time of a turn.
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
	// ask returns the answer to a question, and what the program had written before, "" for
	// nothing. 0 seconds are not a limit.
	ask(question []byte, seconds float64) (answer []byte, early string, err error)
	// end ends the program, which is told the result if the game has one.
	end(*engine.Result)
}

// takenSeat is the agent of a program in one seat of one game.
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
	answer, early, err := s.ask(question(d, turn, s.seconds), s.seconds)
	if err == nil {
		err = d.Take(answer)
	}
	s.account(turn, early, err)
}

// End ends the program.
func (s *takenSeat) End(r *engine.Result) { s.end(r) }

// restarted is a program that is started for each turn.
type restarted struct {
	supervisor *Supervisor
	command    *command
	opening    engine.Opening
}

func (r *restarted) ask(question []byte, seconds float64) ([]byte, string, error) {
	answer, err := r.supervisor.once(r.command, append(opening(r.opening), question...),
		duration(seconds))
	return answer, "", err
}

func (r *restarted) end(*engine.Result) {}

// persistent is a program that runs for a whole game.
type persistent struct {
	supervisor *Supervisor
	command    *command
	opening    engine.Opening
	talk       *conversation
	spare      time.Duration // left for starts in this game
}

func (p *persistent) ask(question []byte, seconds float64) (answer []byte, early string,
	err error) {
	until := time.Now().Add(duration(seconds))
	begins := p.talk == nil
	if begins {
		if p.talk, err = p.supervisor.open(p.command); err != nil {
			return nil, "", &Fault{Err: err}
		}
		usual := until
		until = until.Add(p.spare)
		defer func() { p.spare -= min(p.spare, max(0, time.Since(usual))) }()
		err = p.talk.tell(opening(p.opening), until)
	}
	if err == nil {
		answer, early, err = p.talk.ask(question, until)
	}
	if _, lines := errors.AsType[*several](err); err == nil || lines {
		return answer, early, err
	}
	talk := p.talk
	p.talk = nil
	closed := talk.close()
	if errors.Is(err, errEnded) {
		err = talk.ended(err, !begins)
	} else {
		err = talk.said(err)
	}
	if closed != nil {
		err = fmt.Errorf("%w; %w", err, closed)
	}
	return nil, early, err
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
