package darwin

// rover goes ahead until something is in the way, attacks it and turns left: the handbook's sample
// (section 7), as a stepper.
type rover struct{ next Verb }

func newRover() Mind { return &rover{Forward} }

func (r *rover) Decide(b *Body) Action {
	switch r.next {
	case Forward:
		if b.Done() { // also before the first move
			return Act(Forward)
		}
		r.next = TurnLeft
		return Act(Attack)
	default:
		if r.next == TurnLeft {
			r.next = Delay // the turn has been taken
			return Act(TurnLeft)
		}
		r.next = Forward
		return Act(Forward)
	}
}

// superRover looks before it goes: it observes, goes up to what it saw, attacks it if it is a
// creature of another species, and turns right. If something gets in its way it attacks that first.
// Written from its recorded games, as a stepper.
type superRover struct {
	stage  superStage
	left   int // steps still to go
	strike bool
}

// superStage is what a superRover does next.
type superStage uint8

const (
	superLook superStage = iota
	superSaw
	superWalk
	superBlocked
	superTurn
)

func newSuperRover() Mind { return new(superRover) }

func (s *superRover) Decide(b *Body) Action {
	for {
		switch s.stage {
		case superLook:
			s.stage = superSaw
			return Act(Observe)
		case superSaw:
			o, _ := b.Observation()
			s.left, s.strike, s.stage = o.Free(), foe(b, &o.Seen), superWalk
			if s.left > 0 {
				s.left--
				return Act(Forward)
			}
			return s.arrive()
		case superWalk:
			if !b.Done() {
				s.stage = superBlocked
				return Act(Attack)
			}
			if s.left > 0 {
				s.left--
				return Act(Forward)
			}
			return s.arrive()
		case superBlocked:
			return s.arrive()
		case superTurn:
			s.stage = superLook
			return Act(TurnRight)
		}
	}
}

// arrive attacks what was seen at the end of the line, if it is worth it, and turns.
func (s *superRover) arrive() Action {
	if s.strike {
		s.stage = superTurn
		return Act(Attack)
	}
	s.stage = superLook
	return Act(TurnRight)
}

// foe tells whether a square holds a creature of another species.
func foe(b *Body, s *Square) bool { return s.Kind == Animal && s.Class != b.Class() }
