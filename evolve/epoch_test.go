package evolve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"clade/engine/games/antwars"
	"clade/evolve/rundir"
	"clade/gp/proof"
)

// islandAnts is a small setup with a number of islands.
func islandAnts(islands int) Setup {
	c := Default()
	c.Population, c.Generations, c.Tournament, c.Boards, c.Islands = 40, 6, 3, 2, islands
	c.Migration = Migration{Every: 2, Migrants: 4}
	c.Champion.Against, c.Checkpoint = "none", 3
	return Setup{Game: antwars.New(), Config: c, Seed: 1, Workers: 1}
}

// Made by hand: a fault found while serving was stopped, as share joins it with the end of the
// context.
func TestStopKeepsFaults(t *testing.T) {
	fault := errors.New("a worker cheated")
	for _, found := range []error{nil, fault} {
		stop := aside(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			return errors.Join(fmt.Errorf("serving: %w", ctx.Err()), found)
		}, func(err error) { t.Error(err) })
		if err := stop(); !errors.Is(err, found) || errors.Is(err, context.Canceled) {
			t.Errorf("%v, want %v", err, found)
		}
	}
}

// Results that lie, that are damaged or that belong elsewhere end in an error, and nothing of them
// is written.
func TestFalseResults(t *testing.T) {
	proof.Slow(t)
	s := islandAnts(2)
	breed := func(change func(r *EpochResult) *EpochResult) error {
		far := s
		far.RemoteIslands = func(ctx context.Context, c *Coordinator) error {
			for {
				changed := c.Changed()
				for _, epoch := range c.Epochs() {
					result, err := epoch.Breed(ctx, &s)
					if err != nil {
						return err
					}
					if err := c.Add(change(result)); err != nil {
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
		r := proof.Must(Create(t.TempDir(), far))(t)
		defer r.Close()
		_, err := r.Evolve(context.Background())
		return err
	}
	proof.OK(t, breed(func(r *EpochResult) *EpochResult { return r }))
	for name, change := range map[string]func(r *EpochResult) *EpochResult{
		"a winner changed": func(r *EpochResult) *EpochResult {
			r.played[0] = replaced(r.played[0], 4, 1)
			return r
		},
		"no such index": func(r *EpochResult) *EpochResult {
			r.played[0] = replaced(r.played[0], 4, 127)
			return r
		},
		"cut":   func(r *EpochResult) *EpochResult { r.played[0] = r.played[0][:20]; return r },
		"empty": func(r *EpochResult) *EpochResult { r.played[0] = []byte{}; return r },
		"longer": func(r *EpochResult) *EpochResult {
			r.played[0] = append(r.played[0], 0)
			return r
		},
		"another length": func(r *EpochResult) *EpochResult { r.played[0][3]++; return r },
		"another island": func(r *EpochResult) *EpochResult { r.Island = 9; return r },
		"no population":  func(r *EpochResult) *EpochResult { r.population = nil; return r },
		"damaged population": func(r *EpochResult) *EpochResult {
			r.population = r.population[:len(r.population)/2]
			return r
		},
		"other emigrants": func(
			r *EpochResult) *EpochResult {
			r.left.emigrants = r.population
			return r
		},
		"too few": func(
			r *EpochResult) *EpochResult {
			r.played = r.played[1:]
			return r
		},
		"emigrants missing": func(r *EpochResult) *EpochResult { r.left.emigrants = nil; return r },
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

func TestSealedEpochs(t *testing.T) {
	s := islandAnts(2)
	epoch := &Epoch{Island: 1, From: 0, To: 3, population: []byte("a population")}
	sealed := proof.Must(epoch.Seal(&s))(t)
	if have, err := OpenEpoch(&s, sealed); err != nil || have.Island != 1 || have.To != 3 ||
		!bytes.Equal(have.population, epoch.population) {
		t.Errorf("%+v, %v", have, err)
	}
	proof.Fails(OpenResult(&s, sealed))(t, "wrong kind")
	other := s
	other.Seed++
	proof.Fails(OpenEpoch(&other, sealed))(t, "another study")
	for i := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[i] ^= 1
		if _, err := OpenEpoch(&s, damaged); err == nil {
			t.Fatalf("byte %d was changed and nobody saw it", i)
		}
	}
	one := s
	one.Config.Islands = 1
	one.RemoteIslands = func(context.Context, *Coordinator) error { return nil }
	proof.Says(t, one.Check(), "islands must be 2 or more")
}

// FuzzOpenResult reads what may not be a result.
func FuzzOpenResult(f *testing.F) {
	s := islandAnts(2)
	some := []byte("some")
	b := encodeWire(func(c *wire) {
		(&EpochResult{1, 0, 2, [][]byte{some, some}, some, departure{some, some}}).describe(c, &s)
	})
	f.Add(b)
	f.Add(b[:9])
	f.Add([]byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, payload []byte) {
		sealed := proof.Must(rundir.Seal(s.Hash(), payload))(t)
		result, err := OpenResult(&s, sealed)
		if err != nil {
			return
		}
		again := proof.Must(result.Seal(&s))(t)
		if _, err := OpenResult(&s, again); err != nil {
			t.Errorf("%+v cannot be read again: %v", result, err)
		}
		replica, err := s.Replicate(t.Context(), result.To, result.Island, result.population, nil)
		if err == nil && len(replica.Population) != s.Config.Population {
			t.Error("individuals are missing")
		}
	})
}
