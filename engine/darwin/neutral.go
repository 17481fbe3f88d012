package darwin

// neutralMind returns the mind of an apple, a flytrap or a treasure; nil for a creature of a seat.
func neutralMind(b breed) Mind {
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

func (inert) Decide(*Body) Action { return Act(End) }

// snapping attacks and turns left in turn, for ever.
type snapping struct{ turn bool }

func (s *snapping) Decide(*Body) Action {
	s.turn = !s.turn
	if s.turn {
		return Act(Attack)
	}
	return Act(TurnLeft)
}
