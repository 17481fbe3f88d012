package cli

import (
	"context"
	"fmt"
	"time"
)

// reserve is how much is kept free below a limit, at least, for what grows until a command ends.
const reserve = 128 << 20

// memoryLimit is a limit on the memory of this process.
type memoryLimit struct {
	of    string
	bytes int64
	used  func() int64
}

// memoryError is the cause of a context that ends before a limit on memory would end the process
// without a word.
type memoryError struct{ memoryLimit }

func (e memoryError) Error() string {
	return fmt.Sprintf("the limit on %s of %d MB is reached; ask for more, or do less at a time "+
		"(--workers 1)", e.of, e.bytes>>20)
}

// withinMemory returns a context that ends shortly before a limit is reached, so that what is under
// way is saved as after a signal.
func withinMemory(ctx context.Context, limits []memoryLimit) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for tick := time.Tick(50 * time.Millisecond); len(limits) > 0 && ctx.Err() == nil; <-tick {
			for _, l := range limits {
				if l.used() > l.bytes-max(reserve, l.bytes/16) {
					cancel(memoryError{l})
				}
			}
		}
	}()
	return ctx
}
