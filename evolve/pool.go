package evolve

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"clade/engine"
)

// maxWorkers bounds Setup.Workers.
const maxWorkers = 4096

// worker is a goroutine's own scratch. Nothing in it survives from one piece of work to the next
// but the counts.
type worker struct {
	source  engine.Random
	random  *rand.Rand // draws from source
	referee engine.Referee
	members []int // of a tournament
	seat    [1]engine.Player
	matches int64
	games   int64
}

func newWorker() *worker {
	w := &worker{}
	w.random = rand.New(&w.source)
	return w
}

// seeded points the worker's generator at a stream.
func (w *worker) seeded(s engine.Seed) *rand.Rand {
	w.source = engine.NewRandom(uint64(s))
	return w.random
}

// pool hands out work to a fixed number of workers. Work is numbered, and what a piece computes may
// depend on its number only, never on the worker.
type pool struct {
	jobs    chan *job
	workers []*worker
	ended   sync.WaitGroup

	matches, games atomic.Int64 // played elsewhere
}

// job is n calls of do. A worker takes a part of the calls that are left (guided self-scheduling,
// Polychronopoulos and Kuck 1987): pieces are long at first, so that workers meet at the counter
// some dozens of times only whatever a call costs, and single calls at last, so that all workers
// end together.
type job struct {
	ctx     context.Context
	n       int
	workers int
	next    atomic.Int64
	do      func(w *worker, i int) error
	tickets sync.WaitGroup

	mu     sync.Mutex
	failed int // lowest number that failed, so that the error reported does not depend on the order
	err    error
}

func newPool(workers int) *pool {
	p := &pool{jobs: make(chan *job, workers)}
	for range workers {
		w := newWorker()
		p.workers = append(p.workers, w)
		p.ended.Add(1)
		go func() {
			defer p.ended.Done()
			for j := range p.jobs {
				j.work(w)
				j.tickets.Done()
			}
		}()
	}
	return p
}

// close ends the workers. No run may be under way.
func (p *pool) close() {
	close(p.jobs)
	p.ended.Wait()
}

// run calls do for 0..n-1 and waits for all of them. It returns the context's error if that ended
// first, else the error of the lowest number. Several goroutines may run at once and share the
// workers; do itself must not call run.
func (p *pool) run(ctx context.Context, n int, do func(w *worker, i int) error) error {
	j := &job{ctx: ctx, n: n, workers: len(p.workers), do: do}
	tickets := min(len(p.workers), n)
	j.tickets.Add(tickets)
	for range tickets {
		p.jobs <- j
	}
	j.tickets.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.err
}

func (j *job) work(w *worker) {
	for {
		start, end := j.take()
		if start == end {
			return
		}
		for i := start; i < end; i++ {
			if j.ctx.Err() != nil {
				return
			}
			if err := j.do(w, i); err != nil {
				j.mu.Lock()
				if j.err == nil || i < j.failed {
					j.failed, j.err = i, err
				}
				j.mu.Unlock()
			}
		}
	}
}

// take returns the next piece: a quarter of a worker's even share of what is left, at least one
// call; none at the end.
func (j *job) take() (start, end int) {
	for {
		start := int(j.next.Load())
		end := min(j.n, start+max(1, (j.n-start)/(4*j.workers)))
		if j.next.CompareAndSwap(int64(start), int64(end)) {
			return start, end
		}
	}
}

// counts returns the matches and games played since it was last called. No run may be under way.
func (p *pool) counts() (matches, games int64) {
	for _, w := range p.workers {
		matches, games = matches+w.matches, games+w.games
		w.matches, w.games = 0, 0
	}
	return matches + p.matches.Swap(0), games + p.games.Swap(0)
}

// add counts what was played elsewhere.
func (p *pool) add(matches, games int64) {
	p.matches.Add(matches)
	p.games.Add(games)
}
