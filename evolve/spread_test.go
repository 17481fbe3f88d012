package evolve_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"clade/engine/games/antwars"
	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/gp/proof"
)

// harbour breeds epochs in this process, in random order, every result sealed and opened again,
// some of them twice. What it keeps outlives the run.
type harbour struct {
	t      *testing.T
	random *rand.Rand
	setup  evolve.Setup // without RemoteIslands
	kept   [][]byte
	epochs int
}

func (h *harbour) breed(ctx context.Context, c *evolve.Coordinator) error {
	add := func(sealed []byte) error {
		t, err := evolve.OpenResult(c.Setup(), sealed)
		if err != nil {
			return err
		}
		return c.Add(t)
	}
	for _, sealed := range h.kept {
		if err := add(sealed); err != nil {
			return err
		}
	}
	for {
		changed := c.Changed()
		epochs := c.Epochs()
		if len(epochs) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-changed:
			}
			continue
		}
		sealed, err := epochs[h.random.IntN(len(epochs))].Seal(c.Setup())
		if err != nil {
			return err
		}
		epoch, err := evolve.OpenEpoch(&h.setup, sealed)
		if err != nil {
			return err
		}
		result, err := epoch.Breed(ctx, &h.setup)
		if err != nil {
			return err
		}
		if sealed, err = result.Seal(&h.setup); err != nil {
			return err
		}
		h.epochs++
		if h.kept = append(h.kept, sealed); h.random.IntN(3) == 0 {
			h.kept = h.kept[1:] // some are lost
		}
		for range 1 + h.random.IntN(2) {
			if err := add(sealed); err != nil {
				return err
			}
		}
	}
}

// archipelagos are settings with islands that together exercise every kind of transcript.
func archipelagos() map[string]evolve.Setup {
	all := map[string]evolve.Setup{}
	for name, c := range evolve.Variants() {
		if c.Islands > 1 {
			all[name] = evolve.Setup{Config: c}
		}
	}
	c := evolve.Small()
	c.Islands, c.Elites, c.Migration, c.Checkpoint = 3, 2, evolve.Migration{Every: 5, Migrants: 4}, 2
	all["epochs between migrations"] = evolve.Setup{Config: c}
	c.Migration.Every, c.Lineage, c.Champion.Against = 1, "first", "panel"
	all["migration always"] = evolve.Setup{Config: c}
	c.Selection, c.Elites, c.Parsimony = evolve.ByFitness, 3, true
	all["fitness"] = evolve.Setup{Config: c}
	c.Replacement, c.Elites = "steady", 0
	all["steady fitness"] = evolve.Setup{Config: c}
	return all
}

// TestIslandsElsewhere holds a run whose islands are bred elsewhere to the bytes of one that is
// bred here, also when it is stopped and resumed and results were lost.
func TestIslandsElsewhere(t *testing.T) {
	proof.Costly(t)
	random := rand.New(rand.NewPCG(7, 7))
	cases := archipelagos()
	cases["solitary"] = evolve.Solitary(func(c *evolve.Config) {
		c.Islands, c.Migration = 2, evolve.Migration{Every: 2, Migrants: 5}
	})
	cases["solitary, stopping"] = evolve.Solitary(func(c *evolve.Config) {
		c.Islands, c.StopAt = 2, 20
	})
	for name, s := range cases {
		if s.Config.Games > 0 {
			continue // none of the islands knows the games of all, and the run is refused
		}
		t.Run(name, func(t *testing.T) {
			if s.Game == nil {
				s = evolve.NewSetup(t, s.Config)
			}
			s.Workers = 2
			path, done := evolve.Evolved(t, s)
			want := evolve.Contents(t, path)
			h := &harbour{t: t, random: random, setup: s}
			s.RemoteIslands = h.breed
			path = evolve.Interrupted(t, s, done.Fingerprint, func(int) func(*rundir.Line) bool {
				left := 1 + random.IntN(6)
				return func(*rundir.Line) bool { left--; return left == 0 }
			})
			evolve.Compare(t, want, evolve.Contents(t, path))
			if h.epochs == 0 {
				t.Error("nothing was bred elsewhere")
			}
		})
	}
}

// TestFoundAtTheEnd: what is found when a run has reached its last generation ends it with an
// error, and the run goes on from its last checkpoint.
func TestFoundAtTheEnd(t *testing.T) {
	c := evolve.Small()
	c.Islands, c.Migration = 2, evolve.Migration{Every: 2, Migrants: 1}
	s := evolve.NewSetup(t, c)
	_, done := evolve.Evolved(t, s)
	h := &harbour{t: t, random: rand.New(rand.NewPCG(7, 7)), setup: s}
	found := errors.New("a liar had a part in it")
	s.RemoteIslands = func(ctx context.Context, c *evolve.Coordinator) error {
		if err := h.breed(ctx, c); ctx.Err() == nil {
			return err
		}
		return found
	}
	dir := t.TempDir()
	r := proof.Must(evolve.Create(dir, s))(t)
	if done, err := r.Evolve(t.Context()); done != nil || !errors.Is(err, found) {
		t.Errorf("%+v, %v", done, err)
	}
	proof.OK(t, r.Close())
	s.RemoteIslands = nil
	r = proof.Must(evolve.Resume(dir, s))(t)
	proof.Is(t, proof.Must(r.Evolve(t.Context()))(t).Fingerprint, done.Fingerprint,
		"the fingerprint")
	proof.OK(t, r.Close())
}

// BenchmarkReplayedIslands measures what an island's generation costs the run's machine when it is
// bred elsewhere, without the choice of champions, and how long an epoch and a result of ten
// generations are.
func BenchmarkReplayedIslands(b *testing.B) {
	c := evolve.Default()
	c.Population, c.Islands, c.Generations, c.Champion.Against = 500, 2, 20, "none"
	if proof.Quick() {
		c.Generations = 2
	}
	s := evolve.Setup{Game: antwars.New(), Config: c, Seed: 1, Workers: 1}
	var results []*evolve.EpochResult
	var epoch, result int
	far := s
	far.RemoteIslands = func(ctx context.Context, c *evolve.Coordinator) error {
		for ctx.Err() == nil {
			changed := c.Changed()
			for _, next := range c.Epochs() {
				t, err := next.Breed(ctx, &s)
				if err != nil {
					return err
				}
				results = append(results, t)
				for _, m := range []struct {
					what interface {
						Seal(*evolve.Setup) ([]byte, error)
					}
					size *int
				}{{next, &epoch}, {t, &result}} {
					sealed, err := m.what.Seal(&s)
					if err != nil {
						return err
					}
					*m.size = max(*m.size, len(sealed))
				}
				if err := c.Add(t); err != nil {
					return err
				}
			}
			select {
			case <-ctx.Done():
			case <-changed:
			}
		}
		return nil
	}
	run := func() {
		r := proof.Must(evolve.Create(b.TempDir(), far))(b)
		defer r.Close()
		proof.Must(r.Evolve(context.Background()))(b)
	}
	run()
	far.RemoteIslands = func(ctx context.Context, c *evolve.Coordinator) error {
		for _, t := range results {
			if err := c.Add(t); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return nil
	}
	b.ResetTimer()
	began := parallel.ProcessorTime()
	for range b.N {
		run()
	}
	b.ReportMetric(float64((parallel.ProcessorTime()-began).Nanoseconds())/float64(
		b.N*c.Islands*c.Generations), "cpu-ns/generation")
	b.ReportMetric(float64(epoch), "epoch-B")
	b.ReportMetric(float64(result), "result-B")
}
