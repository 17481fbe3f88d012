package evolve

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestPoolDoesAllOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		p := newPool(workers)
		var group sync.WaitGroup
		for _, n := range []int{0, 1, 5, 1000} {
			group.Go(func() { // several jobs at once, as islands have
				done := make([]atomic.Int32, n)
				if err := p.run(context.Background(),
					n, func(_ *worker, i int) error { done[i].Add(1); return nil }); err != nil {
					t.Error(err)
				}
				for i := range done {
					if done[i].Load() != 1 {
						t.Errorf("%d of %d was done %d times", i, n, done[i].Load())
					}
				}
			})
		}
		group.Wait()
		p.close()
	}
}

func TestPoolReportsTheFirstError(t *testing.T) {
	p := newPool(3)
	defer p.close()
	first, second := errors.New("first"), errors.New("second")
	for range 50 {
		err := p.run(context.Background(), 100, func(_ *worker, i int) error {
			switch i {
			case 40:
				return first
			case 60:
				return second
			}
			return nil
		})
		if err != first {
			t.Fatal(err)
		}
	}
}

func TestPoolStops(t *testing.T) {
	p := newPool(2)
	defer p.close()
	ctx, cancel := context.WithCancel(context.Background())
	var done atomic.Int32
	err := p.run(ctx, 1_000_000, func(*worker, int) error {
		if done.Add(1) == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || done.Load() > 100 {
		t.Errorf("%v after %d pieces", err, done.Load())
	}
	if err := p.run(context.Background(), 10, func(*worker, int) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestPoolPieces holds that the paper's tournaments are handed out in a few dozen pieces, long ones
// first, and that the last ones are short.
func TestPoolPieces(t *testing.T) {
	const workers = 2
	j := &job{n: 2250, workers: workers}
	pieces, last := 0, 0
	for start, end := j.take(); start < end; start, end = j.take() {
		if pieces == 0 && end-start < 2250/workers/8 {
			t.Errorf("the first piece has %d calls only", end-start)
		}
		if last != 0 && end-start > last {
			t.Errorf("a piece of %d after one of %d", end-start, last)
		}
		pieces, last = pieces+1, end-start
	}
	if pieces > 60 || last != 1 {
		t.Errorf("%d pieces, the last of %d", pieces, last)
	}
}
