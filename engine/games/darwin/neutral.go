package darwin

// neutralMind returns the mind of an apple, a flytrap or a treasure; nil for a creature of a seat.
func neutralMind(b breed) mind {
	switch b {
	case apple, treasure:
		return inert{}
	case flytrap:
		return new(snapping)
	}
	return nil
}

// inert is a species, its colony, and the mind of creatures that never act.
type inert struct{}

func (i inert) found(briefing) colony { return i }

func (i inert) spawn(*body) mind { return i }

func (inert) decide(*body) action { return action(end) }

// snapping is the mind of a flytrap: it attacks and turns left alternately, for ever.
type snapping struct{ turn bool }

func (s *snapping) decide(b *body) action {
	b.because("attacks and turns in turn")
	s.turn = !s.turn
	if s.turn {
		return action(attack)
	}
	return action(turnLeft)
}
