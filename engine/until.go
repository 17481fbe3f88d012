package engine

import "context"

// Until plays a game that a context can end. It calls play once, with the recorder to pass to the
// game, which observes it for rec; rec may be nil. When the context has ended, the game stops at
// its next step and Until returns the context's error.
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

// mortal is a recorder that ends a game when its context has ended, by a panic: a game's loop has
// no other exit.
type mortal struct {
	Recorder
	ctx context.Context
}

// stopped is the value of that panic.
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
