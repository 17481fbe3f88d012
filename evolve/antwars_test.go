package evolve

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"clade/engine"
	"clade/engine/antwars"
)

// ants is a small setup in Ant Wars.
func ants() Setup {
	c := small()
	c.Population, c.Generations, c.Islands, c.Migration = 60, 6, 2, Migration{Every: 2, Migrants: 5}
	return Setup{Game: antwars.New(), Config: c, Seed: 1}
}

func TestAntWarsRepeats(t *testing.T) {
	s := ants()
	s.Workers = 1
	path, done := evolved(t, s)
	want := contents(t, path)
	for _, workers := range []int{2, 5} {
		s.Workers = workers
		path, d := evolved(t, s)
		compare(t, want, contents(t, path))
		if d.Fingerprint != done.Fingerprint {
			t.Errorf("%d workers: %+v instead of %+v", workers, d, done)
		}
	}
	path = t.TempDir()
	r, err := Create(path, s)
	if err != nil {
		t.Fatal(err)
	}
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(context.Background())
		r.Report = func(Report) { cancel() }
		_, err := r.Evolve(ctx)
		cancel()
		r.Close()
		if err == nil {
			break
		}
		if !errors.Is(err, ErrStopped) || stops > 6 {
			t.Fatal(err)
		}
		if r, err = Resume(path, s); err != nil {
			t.Fatal(err)
		}
	}
	compare(t, want, contents(t, path))
}

// TestAntWarsExecutorsAgree holds that a run is the same, byte for byte, whatever executor plays it.
func TestAntWarsExecutorsAgree(t *testing.T) {
	s := ants()
	var want map[string]string
	for _, executor := range antwars.New().(engine.Accelerated).Executors() {
		g, err := antwars.New().(engine.Accelerated).Using(executor)
		if err != nil {
			t.Fatal(err)
		}
		s.Game = g
		path, _ := evolved(t, s)
		if got := contents(t, path); want == nil {
			want = got
		} else {
			t.Log(executor)
			compare(t, want, got)
		}
	}
}

// BenchmarkAntWars measures generations early in a run, by population and workers.
func BenchmarkAntWars(b *testing.B) {
	for _, population := range []int{500, 2250, 20000} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%d/%d-workers", population, workers), func(b *testing.B) {
				c := Default()
				c.Population, c.Generations = population, max(1, b.N)
				benchmark(b, Setup{Game: antwars.New(), Config: c, Seed: 1, Workers: workers})
			})
		}
	}
}
