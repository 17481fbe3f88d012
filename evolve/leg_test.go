package evolve

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"clade/engine/antwars"
	"clade/engine/enginetest"
)

// harbour breeds legs in this process, in random order, every trail sealed and opened again, some
// of them twice. What it keeps outlives the run.
type harbour struct {
	t      *testing.T
	random *rand.Rand
	setup  Setup // without Elsewhere
	kept   [][]byte
	legs   int
}

func (h *harbour) breed(ctx context.Context, l *Ledger) error {
	add := func(sealed []byte) error {
		t, err := OpenTrail(l.Setup(), sealed)
		if err != nil {
			return err
		}
		return l.Add(t)
	}
	for _, sealed := range h.kept {
		if err := add(sealed); err != nil {
			return err
		}
	}
	for {
		changed := l.Changed()
		legs := l.Legs()
		if len(legs) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-changed:
			}
			continue
		}
		sealed, err := legs[h.random.IntN(len(legs))].Seal(l.Setup())
		if err != nil {
			return err
		}
		leg, err := OpenLeg(&h.setup, sealed)
		if err != nil {
			return err
		}
		trail, err := h.setup.Breed(ctx, leg)
		if err != nil {
			return err
		}
		if sealed, err = trail.Seal(&h.setup); err != nil {
			return err
		}
		h.legs++
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
func archipelagos() map[string]Setup {
	all := map[string]Setup{}
	for name, c := range variants() {
		if c.Islands > 1 && c.Hall == 0 {
			all[name] = Setup{Config: c}
		}
	}
	c := small()
	c.Islands, c.Elites, c.Migration, c.Checkpoint = 3, 2, Migration{Every: 5, Migrants: 4}, 2
	all["legs shorter than epochs"] = Setup{Config: c}
	c.Migration.Every, c.Lineage, c.Champion.Against = 1, LineageFirst, Panel
	all["migration always"] = Setup{Config: c}
	c.Selection, c.Elites, c.Parsimony = ByFitness, 3, true
	all["fitness"] = Setup{Config: c}
	c.Replacement, c.Elites = Steady, 0
	all["steady fitness"] = Setup{Config: c}
	return all
}

// TestIslandsElsewhere holds a run whose islands are bred elsewhere to the bytes of one that is
// bred here, also when it is stopped and resumed and trails were lost.
func TestIslandsElsewhere(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	cases := archipelagos()
	cases["solitary"] = solitary(func(c *Config) {
		c.Islands, c.Migration = 2,
			Migration{Every: 2, Migrants: 5}
	})
	cases["solitary, stopping"] = solitary(func(c *Config) { c.Islands, c.StopAt = 2, 20 })
	for name, s := range cases {
		t.Run(name, func(t *testing.T) {
			if s.Game == nil {
				s = setup(t, s.Config)
			}
			s.Workers = 2
			path, done := evolved(t, s)
			want := contents(t, path)
			h := &harbour{t: t, random: random, setup: s}
			s.Elsewhere = h.breed
			path = interrupted(t, s, done.Fingerprint, func(int) func(*Line) bool {
				left := 1 + random.IntN(6)
				return func(*Line) bool { left--; return left == 0 }
			})
			compare(t, want, contents(t, path))
			if h.legs == 0 {
				t.Error("nothing was bred elsewhere")
			}
		})
	}
}

// Trails that lie, that are damaged or that belong elsewhere end in an error, and nothing of them
// is written.
func TestFalseTrails(t *testing.T) {
	c := small()
	c.Islands, c.Migration = 2, Migration{Every: 2, Migrants: 4}
	s := setup(t, c)
	breed := func(change func(t *Trail) *Trail) error {
		h := &harbour{t: t, random: rand.New(rand.NewPCG(1, 1)), setup: s}
		far := s
		far.Elsewhere = func(ctx context.Context, l *Ledger) error {
			for {
				changed := l.Changed()
				for _, leg := range l.Legs() {
					trail, err := h.setup.Breed(ctx, leg)
					if err != nil {
						return err
					}
					if err := l.Add(change(trail)); err != nil {
						return err
					}
				}
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-changed:
				}
			}
		}
		r, err := Create(t.TempDir(), far)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		_, err = r.Evolve(context.Background())
		return err
	}
	if err := breed(func(t *Trail) *Trail { return t }); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(t *Trail) *Trail{
		"a winner changed": func(t *Trail) *Trail {
			t.played[0] = replaced(t.played[0], 4,
				1)
			return t
		},
		"no such place": func(t *Trail) *Trail {
			t.played[0] = replaced(t.played[0], 4,
				127)
			return t
		},
		"cut":   func(t *Trail) *Trail { t.played[0] = t.played[0][:20]; return t },
		"empty": func(t *Trail) *Trail { t.played[0] = []byte{}; return t },
		"longer": func(t *Trail) *Trail {
			t.played[0] = append(t.played[0],
				0)
			return t
		},
		"another length": func(t *Trail) *Trail { t.played[0][0]++; return t },
		"another island": func(t *Trail) *Trail { t.Island = 9; return t },
		"no people":      func(t *Trail) *Trail { t.people = nil; return t },
		"damaged people": func(
			t *Trail) *Trail {
			t.people = t.people[:len(t.people)/2]
			return t
		},
		"other emigrants":   func(t *Trail) *Trail { t.emigrants = t.people; return t },
		"too few":           func(t *Trail) *Trail { t.played = t.played[1:]; return t },
		"emigrants missing": func(t *Trail) *Trail { t.emigrants = nil; return t },
	} {
		if err := breed(change); err == nil || errors.Is(err, ErrStopped) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func replaced(b []byte, at int, v byte) []byte {
	b = bytes.Clone(b)
	if b[at] == v {
		v++
	}
	b[at] = v
	return b
}

func TestSealedLegs(t *testing.T) {
	c := small()
	c.Islands = 2
	s := setup(t, c)
	b := s.breeder()
	b.pool, b.ctx = newPool(1), context.Background()
	defer b.pool.close()
	people, err := b.found(1)
	if err != nil {
		t.Fatal(err)
	}
	leg := &Leg{Island: 1, From: 0, To: 3, people: encodePeople(people)}
	sealed, err := leg.Seal(&s)
	if err != nil {
		t.Fatal(err)
	}
	if have, err := OpenLeg(&s, sealed); err != nil || have.Island != 1 || have.To != 3 ||
		!bytes.Equal(have.people, leg.people) {
		t.Errorf("%+v, %v", have, err)
	}
	if _, err := OpenTrail(&s, sealed); err == nil {
		t.Error("a leg was taken for a trail")
	}
	other := s
	other.Seed++
	if _, err := OpenLeg(&other, sealed); err == nil ||
		!strings.Contains(err.Error(), "another study") {
		t.Errorf("another seed: %v", err)
	}
	for i := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[i] ^= 1
		if _, err := OpenLeg(&s, damaged); err == nil {
			t.Fatalf("byte %d was changed and nobody saw it", i)
		}
	}
	one := s
	one.Config.Islands = 1
	one.Elsewhere = (&harbour{}).breed
	if err := one.Check(); err == nil ||
		!strings.Contains(err.Error(), "islands must be 2 or more") {
		t.Errorf("%v", err)
	}
	one.Config.Islands, one.Config.Hall = 2, 3
	if err := one.Check(); err == nil || !strings.Contains(err.Error(), "hall must be 0") {
		t.Errorf("%v", err)
	}
}

// FuzzOpenTrail reads what is no trail.
func FuzzOpenTrail(f *testing.F) {
	c := small()
	c.Islands = 2
	s := Setup{Game: newNumbers(noisy), Config: c, Seed: 1}
	var e encoder
	e.head(trailKind, 1, 0, 2)
	for range 5 {
		e.text([]byte("some"))
	}
	f.Add(e.b)
	f.Add(e.b[:9])
	f.Add([]byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, payload []byte) {
		sealed, err := seal(studyHash(&s), payload)
		if err != nil {
			t.Fatal(err)
		}
		trail, err := OpenTrail(&s, sealed)
		if err != nil {
			return
		}
		again, err := trail.Seal(&s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := OpenTrail(&s, again); err != nil {
			t.Errorf("%+v cannot be read again: %v", trail, err)
		}
		people, err := s.breeder().decodePeople(trail.people, c.Population)
		if err == nil && len(people) != c.Population {
			t.Error("people are missing")
		}
	})
}

// BenchmarkToldIslands measures what an island's generation costs the run's machine when it is bred
// elsewhere, without the choice of champions, and how long a leg and a trail of ten generations
// are. Compare BenchmarkAntWars with 500/1-workers, the cost of playing it.
func BenchmarkToldIslands(b *testing.B) {
	c := Default()
	c.Population, c.Islands, c.Generations, c.Champion.Against = 500, 2, 20, Nobody
	s := Setup{Game: antwars.New(), Config: c, Seed: 1, Workers: 1}
	var trails []*Trail
	var leg, trail int
	far := s
	far.Elsewhere = func(ctx context.Context, l *Ledger) error {
		for ctx.Err() == nil {
			changed := l.Changed()
			for _, next := range l.Legs() {
				t, err := s.Breed(ctx, next)
				if err != nil {
					return err
				}
				trails = append(trails, t)
				for _, m := range []struct {
					what interface{ Seal(*Setup) ([]byte, error) }
					size *int
				}{{next, &leg}, {t, &trail}} {
					sealed, err := m.what.Seal(&s)
					if err != nil {
						return err
					}
					*m.size = max(*m.size, len(sealed))
				}
				if err := l.Add(t); err != nil {
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
		r, err := Create(b.TempDir(), far)
		if err != nil {
			b.Fatal(err)
		}
		defer r.Close()
		if _, err := r.Evolve(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	run()
	far.Elsewhere = func(ctx context.Context, l *Ledger) error {
		for _, t := range trails {
			if err := l.Add(t); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return nil
	}
	b.ResetTimer()
	began := enginetest.ProcessorTime()
	for range b.N {
		run()
	}
	b.ReportMetric(float64((enginetest.ProcessorTime()-began).Nanoseconds())/float64(
		b.N*c.Islands*c.Generations), "cpu-ns/generation")
	b.ReportMetric(float64(leg), "leg-B")
	b.ReportMetric(float64(trail), "trail-B")
}

// interrupted carries out a run that is stopped and resumed, holds it to a fingerprint, and returns
// its directory. For each attempt stop makes what tells after a generation whether to stop.
func interrupted(t *testing.T, s Setup, fingerprint string,
	stop func(attempt int) func(*Line) bool) string {
	t.Helper()
	path := t.TempDir()
	r, err := Create(path, s)
	for attempt := 0; err == nil; attempt++ {
		ctx, cancel := context.WithCancel(context.Background())
		stops := stop(attempt)
		r.Report = func(r Report) {
			if stops(r.Line) {
				cancel()
			}
		}
		var d *Done
		d, err = r.Evolve(ctx)
		cancel()
		if err == nil {
			if d.Fingerprint != fingerprint {
				t.Errorf("%+v instead of %s", d, fingerprint)
			}
			break
		}
		if !errors.Is(err, ErrStopped) {
			break
		}
		if err = r.Close(); err == nil {
			r, err = Resume(path, s)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	return path
}
