// Package parallel runs numbered pieces of work on several goroutines. It promises no order, so
// what a piece computes must depend on its number only.
package parallel

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Each calls do for every i in 0..n-1 from at most workers goroutines, 0 meaning one for each
// processor, and returns when all calls have returned. worker is in 0..workers-1 and differs
// between calls that run at the same time, so it can index scratch memory.
//
// Once ctx has ended no new call begins. Once a call has failed only calls with lower numbers
// begin. Each returns the error of ctx if that has ended, else the error of the lowest number,
// which does not depend on the order of the calls.
func Each(ctx context.Context, n, workers int, do func(worker, i int) error) error {
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	workers = max(1, min(workers, n))
	j := &job{ctx: ctx, n: n, workers: workers, do: do}
	j.failed.Store(math.MaxInt64)
	if workers == 1 {
		j.work(0)
	} else {
		var group sync.WaitGroup
		for w := range workers {
			group.Go(func() { j.work(w) })
		}
		group.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.err
}

// patience is how long Promptly waits for work whose context has ended.
const patience = 300 * time.Millisecond

// Promptly runs work that checks ctx now and then, such as between two games, and returns its
// error. If work has not returned 300 ms after the end of ctx, Promptly returns the error of ctx,
// and work goes on in its own goroutine up to its next check: nothing that it uses may be used
// again.
func Promptly(ctx context.Context, work func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- work() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return ctx.Err()
	}
}

// job is the calls of one Each.
type job struct {
	ctx     context.Context
	n       int
	workers int
	do      func(worker, i int) error
	next    atomic.Int64 // lowest number that no worker has taken
	failed  atomic.Int64 // lowest number that failed; MaxInt64 if none has

	mu  sync.Mutex // for writing failed and err
	err error      // of the number that failed
}

// work makes calls until none is left. Pieces are taken in order of their numbers, so all numbers
// below a failed one have been taken.
func (j *job) work(worker int) {
	for {
		start, end := j.take()
		if start == end {
			return
		}
		for i := start; i < end; i++ {
			if int64(i) > j.failed.Load() || j.ctx.Err() != nil {
				return
			}
			if err := j.do(worker, i); err != nil {
				j.fail(i, err)
			}
		}
	}
}

// take returns the next piece: a quarter of a worker's even share of the remaining calls, at least
// one; an empty one at the end. By this guided self-scheduling (Polychronopoulos and Kuck 1987)
// pieces are long at first, so that workers rarely contend for the counter, and single calls at
// last, so that all workers end at about the same time.
func (j *job) take() (start, end int) {
	for {
		start := int(j.next.Load())
		end := min(j.n, start+max(1, (j.n-start)/(4*j.workers)))
		if j.next.CompareAndSwap(int64(start), int64(end)) {
			return start, end
		}
	}
}

func (j *job) fail(i int, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if int64(i) < j.failed.Load() {
		j.failed.Store(int64(i))
		j.err = err
	}
}

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

// Counting returns a function that several goroutines call after each piece of work, and that calls
// progress with the count, one call at a time; progress may be nil.
func Counting(progress func(done, total int), total int) (count func()) {
	if progress == nil {
		return func() {}
	}
	var lock sync.Mutex
	done := 0
	return func() {
		lock.Lock()
		defer lock.Unlock()
		done++
		progress(done, total)
	}
}

// Lock is a mutex made of a channel. A goroutine that waits for it is durably blocked for
// testing/synctest, so that simulated time goes on while the holder waits for a disk.
type Lock chan struct{}

// NewLock returns a lock that is free.
func NewLock() Lock { return make(Lock, 1) }

// Lock waits for the lock, and takes it.
func (l Lock) Lock() { l <- struct{}{} }

// Unlock releases the lock.
func (l Lock) Unlock() { <-l }
