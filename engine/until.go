package engine

import "context"

// Until plays a game before a recorder, until its end or, at the first step after it, that of a
// context, whose error it returns then. play is called once, with the recorder to hand to the game;
// rec may be nil.
func Until(ctx context.Context, rec Recorder, play func(Recorder) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
			err = ctx.Err()
		}
	}()
	return play(mortal{rec, ctx})
}

// mortal is a recorder that ends a game with its context, by a panic: a game's loop has no other
// way out.
type mortal struct {
	Recorder
	ctx context.Context
}

// stopped is what such a game panics with.
type stopped struct{}

func (m mortal) Decide(seat int, decision uint64) {
	if m.Recorder != nil {
		m.Recorder.Decide(seat, decision)
	}
}

func (m mortal) Step(s Scene) {
	if m.ctx.Err() != nil {
		panic(stopped{})
	}
	if m.Recorder != nil {
		m.Recorder.Step(s)
	}
}
