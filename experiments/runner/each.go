package runner

import (
	"clade/evolve"
	"context"
	"fmt"
	"runtime"
	"sync"
)

// each calls f for 0..n-1 from a number of workers.
func Each(ctx context.Context, n, workers int, f func(i int)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	work := make(chan int)
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i := range work {
				f(i)
			}
		})
	}
	err := func() error {
		for i := range n {
			if ctx.Err() == nil { // of two cases that are ready select takes either
				select {
				case work <- i:
					continue
				case <-ctx.Done():
				}
			}
			return fmt.Errorf("%w while it was measured; everything bred is saved",
				evolve.ErrStopped)
		}
		return nil
	}()
	close(work)
	group.Wait()
	return err
}

// eachUntil calls f for 0..n-1 on all processors and returns the error of the lowest number.
func EachUntil(n int, f func(i int) error) error {
	faults := make([]error, n)
	// this context never ends
	_ = Each(context.Background(), n, 0, func(i int) { faults[i] = f(i) })
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}
