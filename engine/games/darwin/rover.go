package darwin

// rover goes ahead until something is in the way, attacks it and turns left: the sample of the
// handbook (section 7).
type rover struct{ next verb }

func newRover() mind { return &rover{forward} }

func (r *rover) decide(b *body) action {
	switch r.next {
	case forward:
		if b.done { // also before the first move
			b.because("goes until something is in the way")
			return action(forward)
		}
		r.next = turnLeft
		b.because("blocked: attacks what is there")
		return action(attack)
	default:
		if r.next == turnLeft {
			r.next = delay // the turn has been taken
			b.because("has attacked: turns left")
			return action(turnLeft)
		}
		r.next = forward
		b.because("has turned: goes on")
		return action(forward)
	}
}

// superRover looks before it goes: it observes, goes up to what it saw, attacks it if it is a
// creature of another species, and turns right. If something gets in its way it attacks that first.
// It is written from the original's recorded games.
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

func newSuperRover() mind { return new(superRover) }

func (s *superRover) decide(b *body) action {
	for {
		switch s.stage {
		case superLook:
			s.stage = superSaw
			b.because("looks before it goes")
			return action(observe)
		case superSaw:
			o := b.w.observe(b)
			s.left, s.strike, s.stage = o.free(), foe(b, &o.seen), superWalk
			if s.left > 0 {
				s.left--
				b.because("goes up to what it saw")
				return action(forward)
			}
			return s.arrive(b)
		case superWalk:
			if !b.done {
				s.stage = superBlocked
				b.because("something got in its way: attacks it")
				return action(attack)
			}
			if s.left > 0 {
				s.left--
				b.because("goes up to what it saw")
				return action(forward)
			}
			return s.arrive(b)
		case superBlocked:
			return s.arrive(b)
		case superTurn:
			s.stage = superLook
			b.because("has attacked: turns right")
			return action(turnRight)
		}
	}
}

// arrive attacks what was seen at the end of the line if that is a creature of another species, or
// turns.
func (s *superRover) arrive(b *body) action {
	if s.strike {
		s.stage = superTurn
		b.because("has arrived at a creature of another species: attacks it")
		return action(attack)
	}
	s.stage = superLook
	b.because("has arrived at nothing worth an attack: turns right")
	return action(turnRight)
}

// foe tells whether a square holds a creature of another species.
func foe(b *body, s *square) bool { return s.kind == kindAnimal && s.class != b.class() }
