// Package parallel spreads resampling over processors. It promises no order, so what is computed
// for one number must not depend on another.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls a worker for every i in 0..n-1 and returns when all are done. Each goroutine has a
// worker of its own, with scratch memory of its own.
func Each(n int, worker func() func(int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		work := worker()
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	group.Wait()
}
