package evolve

import (
	"clade/gp/proof"
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Islands, which are bred at once, share the workers: there are never more than the setup says.
func TestIslandsShareWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		s := setup(t, small())
		s.Workers = workers
		b := s.breeder(context.Background())
		var busy atomic.Int32
		var group sync.WaitGroup
		for _, n := range []int{0, 1, 5, 1000} {
			group.Go(func() {
				done := make([]atomic.Int32, n)
				if err := b.each(n, func(_ *worker, i int) error {
					if now := busy.Add(1); int(now) > workers {
						t.Errorf("%d of %d workers are busy", now, workers)
					}
					done[i].Add(1)
					busy.Add(-1)
					return nil
				}); err != nil {
					t.Error(err)
				}
				for i := range done {
					proof.Is(t, done[i].Load(), 1, "calls of %d of %d", i, n)
				}
			})
		}
		group.Wait()
	}
}
