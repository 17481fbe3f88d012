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

// inert never acts.
type inert struct{}

func (inert) decide(*body) action { return action(end) }

// snapping attacks and turns left in turn, for ever.
type snapping struct{ turn bool }

func (s *snapping) decide(*body) action {
	s.turn = !s.turn
	if s.turn {
		return action(attack)
	}
	return action(turnLeft)
}
