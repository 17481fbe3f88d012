package parallel

import (
	"sync"
	"time"
)

// Repeat calls do at intervals from another goroutine, until the function that it returns is
// called, which waits for a call under way. The first call comes after the first interval.
func Repeat(every time.Duration, do func()) (end func()) {
	over := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
			}
			select {
			case <-over: // both may come at once
				return
			default:
				do()
			}
		}
	})
	return func() { close(over); group.Wait() }
}
