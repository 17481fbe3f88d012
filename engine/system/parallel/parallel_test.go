package parallel

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"clade/gp/proof"
)

func TestEach(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 2, 1000} {
		for _, workers := range []int{0, 1, 2, 7} {
			seen := make([]int, max(n, 0))
			err := Each(t.Context(), n, workers, func(_, i int) error {
				seen[i]++
				return nil
			})
			if err != nil {
				t.Errorf("%d calls by %d workers: %v", n, workers, err)
			}
			for i, times := range seen {
				proof.Is(t, times, 1, "calls of %d of %d", i, n)
			}
		}
	}
}

// TestEachOfOne holds that a single worker runs in the caller's goroutine, in order.
func TestEachOfOne(t *testing.T) {
	for _, test := range []struct{ n, workers int }{{1, 8}, {100, 1}} {
		last := -1
		defer func() {
			if recover() == nil {
				t.Errorf("%+v: a panic does not reach the caller", test)
			}
		}()
		Each(t.Context(), test.n, test.workers, func(worker, i int) error {
			if worker != 0 || i != last+1 {
				t.Errorf("%+v: worker %d calls %d after %d", test, worker, i, last)
			}
			if last = i; i == test.n-1 {
				panic("the last")
			}
			return nil
		})
	}
}

// TestEachLowestError holds that the lowest number that fails gives the error, in any order of the
// calls.
func TestEachLowestError(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		for range 50 {
			var calls atomic.Int64
			err := Each(t.Context(), 1000, workers, func(_, i int) error {
				calls.Add(1)
				if i >= 300 && i%100 == 0 || i == 347 {
					return fmt.Errorf("piece %d", i)
				}
				return nil
			})
			if err == nil || err.Error() != "piece 300" {
				t.Fatalf("%d workers: error %v, want that of piece 300", workers, err)
			}
			if workers == 1 && calls.Load() != 301 {
				t.Fatalf("%d calls, want none after the one that failed", calls.Load())
			}
		}
	}
}

// TestEachContext holds that no call begins after the end of the context, and that its error goes
// before that of a call.
func TestEachContext(t *testing.T) {
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int64
		err := Each(ctx, 1_000_000, workers, func(_, i int) error {
			calls.Add(1)
			cancel()
			return fmt.Errorf("piece %d", i)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: error %v, want that of the context", workers, err)
		}
		if calls.Load() > int64(workers) {
			t.Errorf("%d workers: %d calls", workers, calls.Load())
		}
	}
}

// TestEachWorker holds that no two calls under way have the same worker.
func TestEachWorker(t *testing.T) {
	const workers = 4
	var busy [workers]atomic.Bool
	proof.OK(t, Each(t.Context(), 10_000, workers, func(worker, i int) error {
		if !busy[worker].CompareAndSwap(false, true) {
			return fmt.Errorf("worker %d makes two calls at once", worker)
		}
		busy[worker].Store(false)
		return nil
	}))
}

func ExampleEach() {
	squares := make([]int, 5)
	err := Each(context.Background(), len(squares), 2, func(worker, i int) error {
		squares[i] = i * i
		return nil
	})
	fmt.Println(squares, err)
	// Output: [0 1 4 9 16] <nil>
}
