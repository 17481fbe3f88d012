package spread

import (
	"context"
	"errors"
	"fmt"
	"math"

	"clade/evolve"
	"clade/evolve/internal/wire"
	"clade/evolve/rundir"
)

// Epoch is a stretch of generations that one machine breeds of an island at a time: from where
// migrants arrive to where migrants leave (Cantú-Paz 2000), or a part of that. Where From equals To
// it only chooses the migrants that leave, for a run that goes on at such a border.
type Epoch struct {
	Island int
	// From and To are generations: the epoch begins with From, and ends before To, where it chooses
	// the migrants that leave then.
	From, To   int
	population []byte // before migration
	immigrants []byte // that arrive in generation From; empty where none do
	past       []byte // the archive, where there is a hall
}

// EpochResult is what came of an epoch: what was played, so that the run can breed the same without
// playing, the population at the end, and the migrants that leave.
type EpochResult struct {
	Island     int
	From, To   int
	played     [][]byte  // transcripts of the generations
	population []byte    // at the end; empty where the run ends, or From equals To
	left       departure // in generation To; empty where no migrants leave
}

// departure is the migrants that leave an island, and the transcript of their choice.
type departure struct{ transcript, emigrants []byte }

// Kinds of sealed messages.
const (
	epochKind = iota
	resultKind
)

func head(c *wire.Coder, s *evolve.Setup, kind int, island, from, to *int) {
	c.Same(kind, "kind")
	wire.Int(c, island, s.Config.Islands-1)
	wire.Int(c, from, s.Config.Generations)
	if wire.Int(c, to, s.Config.Generations); *from > *to {
		c.Fail("generations")
	}
}

func (e *Epoch) describe(c *wire.Coder, s *evolve.Setup) {
	head(c, s, epochKind, &e.Island, &e.From, &e.To)
	c.Text(&e.population)
	c.Text(&e.immigrants)
	if s.Config.UsesHall() {
		c.Text(&e.past)
	}
}

func (r *EpochResult) describe(c *wire.Coder, s *evolve.Setup) {
	head(c, s, resultKind, &r.Island, &r.From, &r.To)
	wire.Slice(c, &r.played, c.Text)
	c.Text(&r.population)
	c.Text(&r.left.transcript)
	c.Text(&r.left.emigrants)
}

// Seal returns the epoch as bytes for another machine, with a checksum, and with the hash of the
// setup, which must agree there.
func (e *Epoch) Seal(s *evolve.Setup) ([]byte, error) { return seal(s, e.describe) }

// Seal returns the result as bytes for the run's machine, with a checksum.
func (r *EpochResult) Seal(s *evolve.Setup) ([]byte, error) { return seal(s, r.describe) }

func seal(s *evolve.Setup, describe func(*wire.Coder, *evolve.Setup)) ([]byte, error) {
	return rundir.Seal(s.Hash(), wire.Encode(func(c *wire.Coder) { describe(c, s) }))
}

// OpenEpoch reads a sealed epoch. One that was made for another setup is refused.
func OpenEpoch(s *evolve.Setup, sealed []byte) (*Epoch, error) {
	e := &Epoch{}
	return e, open(s, sealed, e.describe)
}

// OpenResult reads a sealed result. One that was made for another setup is refused.
func OpenResult(s *evolve.Setup, sealed []byte) (*EpochResult, error) {
	r := &EpochResult{}
	return r, open(s, sealed, r.describe)
}

// open reads what another machine has sealed.
func open(s *evolve.Setup, sealed []byte, describe func(*wire.Coder, *evolve.Setup)) error {
	payload, err := rundir.Unseal(s.Hash(), sealed)
	if errors.Is(err, rundir.ErrStudy) || errors.Is(err, rundir.ErrVersion) {
		return errors.New("an epoch of another study, or of a program that would breed " +
			"something else; all machines need the same version")
	}
	if err == nil {
		err = wire.Decode(payload, func(c *wire.Coder) { describe(c, s) })
	}
	if err != nil {
		return fmt.Errorf("an epoch is damaged: %w", err)
	}
	return nil
}

// Breed breeds an epoch of an island of this setup's run. What it returns depends on setup and
// epoch alone.
func (e *Epoch) Breed(ctx context.Context, s *evolve.Setup) (*EpochResult, error) {
	replica, err := s.Replicate(ctx, e.From, e.Island, e.population, e.past)
	if err != nil {
		return nil, err
	}
	result := &EpochResult{Island: e.Island, From: e.From, To: e.To}
	for replica.Generation < e.To {
		var r recorder
		if err := replica.Step(&r, e.immigrants); err != nil {
			return nil, err
		}
		result.played = append(result.played, r.Bytes())
	}
	if e.To > e.From && e.To < s.Config.Generations {
		result.population = s.EncodePopulation(replica.Population)
	}
	if leaves(&s.Config, e.From, e.To) {
		var r recorder
		if result.left.emigrants, err = replica.Emigrants(&r); err != nil {
			return nil, err
		}
		result.left.transcript = r.Bytes()
	}
	return result, nil
}

// leaves tells whether an epoch ends with the choice of migrants. With a hall, one before a new
// champion cannot know whom they have met, so that an epoch of its own chooses them.
func leaves(c *evolve.Config, from, to int) bool {
	return c.Migrates(to) && (from == to || !c.UsesHall() || !c.HasChampion(to-1))
}

// describe names what came of a batch. A transcript is a generation of an island as it was played:
// the outcomes of its batches.
func describe(c *wire.Coder, o *evolve.Outcome) {
	wire.Int(c, &o.Matches, math.MaxInt32)
	wire.Int(c, &o.Games, math.MaxInt32)
	wire.Slice(c, &o.Numbers, func(n *uint64) { wire.Int(c, n, math.MaxUint64) })
}

// recorder is the evaluator that plays batches here and writes a transcript.
type recorder struct{ wire.Coder }

func (r *recorder) Evaluate(ctx context.Context, b *evolve.Batch) (*evolve.Outcome, error) {
	o, err := b.Play(ctx)
	if err == nil {
		describe(&r.Coder, o)
	}
	return o, err
}

func (r *recorder) End() error { return nil }
