package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"clade/evolve/rundir"
)

// Epoch is a number of generations of an island that one machine breeds at a time: from the arrival
// of migrants to their next departure (Cantú-Paz 2000), or a part of that. Where From equals To it
// only chooses the migrants that leave, for a run that is resumed at such a border.
type Epoch struct {
	Island int
	// From and To are generations: the epoch begins with From and ends before To, and chooses the
	// migrants that leave in To.
	From, To   int
	population []byte // before migration
	immigrants []byte // that arrive in generation From; empty where none do
	past       []byte // the archive, where there is a hall
}

// EpochResult is the result of an epoch: a transcript of what was played, so that the run can breed
// the same without playing, the population at the end, and the migrants that leave.
type EpochResult struct {
	Island     int
	From, To   int
	played     [][]byte  // transcripts of the generations
	population []byte    // at the end; empty where the run ends, or From equals To
	left       departure // in generation To; empty where no migrants leave
}

// departure is the migrants that leave an island, and the transcript of the games that chose them.
type departure struct{ transcript, emigrants []byte }

// Kinds of sealed messages.
const (
	epochKind = iota
	resultKind
)

func head(c *wire, s *Setup, kind int, island, from, to *int) {
	c.Same(kind, "kind")
	wireInt(c, island, s.Config.Islands-1)
	wireInt(c, from, s.Config.Generations)
	if wireInt(c, to, s.Config.Generations); *from > *to {
		c.Fail("generations")
	}
}

func (e *Epoch) describe(c *wire, s *Setup) {
	head(c, s, epochKind, &e.Island, &e.From, &e.To)
	c.Text(&e.population)
	c.Text(&e.immigrants)
	if s.Config.UsesHall() {
		c.Text(&e.past)
	}
}

func (r *EpochResult) describe(c *wire, s *Setup) {
	head(c, s, resultKind, &r.Island, &r.From, &r.To)
	wireSlice(c, &r.played, c.Text)
	c.Text(&r.population)
	c.Text(&r.left.transcript)
	c.Text(&r.left.emigrants)
}

// Seal returns the epoch as bytes for another machine, with a checksum and the hash of the setup,
// which must be equal there.
func (e *Epoch) Seal(s *Setup) ([]byte, error) { return seal(s, e.describe) }

// Seal returns the result as bytes for the run's machine, with a checksum.
func (r *EpochResult) Seal(s *Setup) ([]byte, error) { return seal(s, r.describe) }

func seal(s *Setup, describe func(*wire, *Setup)) ([]byte, error) {
	return rundir.Seal(s.Hash(), encodeWire(func(c *wire) { describe(c, s) }))
}

// OpenEpoch reads a sealed epoch. It returns an error for one of another setup.
func OpenEpoch(s *Setup, sealed []byte) (*Epoch, error) {
	e := &Epoch{}
	return e, open(s, sealed, e.describe)
}

// OpenResult reads a sealed result. It returns an error for one of another setup.
func OpenResult(s *Setup, sealed []byte) (*EpochResult, error) {
	r := &EpochResult{}
	return r, open(s, sealed, r.describe)
}

// open reads a message that another machine has sealed.
func open(s *Setup, sealed []byte, describe func(*wire, *Setup)) error {
	payload, err := rundir.Unseal(s.Hash(), sealed)
	if errors.Is(err, rundir.ErrStudy) || errors.Is(err, rundir.ErrVersion) {
		return errors.New("an epoch of another study, or of a program that would breed " +
			"something else; all machines need the same version")
	}
	if err == nil {
		err = decodeWire(payload, func(c *wire) { describe(c, s) })
	}
	if err != nil {
		return fmt.Errorf("an epoch is damaged: %w", err)
	}
	return nil
}

// Breed breeds an epoch of a run of this setup. The result depends only on the setup and the epoch.
func (e *Epoch) Breed(ctx context.Context, s *Setup) (*EpochResult, error) {
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
		result.played = append(result.played, r.b)
	}
	if e.To > e.From && e.To < s.Config.Generations {
		result.population = s.EncodePopulation(replica.Population)
	}
	if leaves(&s.Config, e.From, e.To) {
		var r recorder
		if result.left.emigrants, err = replica.Emigrants(&r); err != nil {
			return nil, err
		}
		result.left.transcript = r.b
	}
	return result, nil
}

// leaves tells whether an epoch ends with the choice of migrants. With a hall, an epoch that ends
// with a new champion cannot choose them, since they may play against that champion: a separate
// epoch does.
func leaves(c *Config, from, to int) bool {
	return c.Migrates(to) && (from == to || !c.UsesHall() || !c.HasChampion(to-1))
}

// describe codes the outcome of a batch. A transcript is the outcomes of all batches of a
// generation of an island.
func describe(c *wire, o *Outcome) {
	wireInt(c, &o.Matches, math.MaxInt32)
	wireInt(c, &o.Games, math.MaxInt32)
	wireSlice(c, &o.Numbers, func(n *uint64) { wireInt(c, n, math.MaxUint64) })
}

// recorder is the evaluator that plays batches here and writes a transcript.
type recorder struct{ wire }

func (r *recorder) Evaluate(ctx context.Context, b *Batch) (*Outcome, error) {
	o, err := b.Play(ctx)
	if err == nil {
		describe(&r.wire, o)
	}
	return o, err
}

func (r *recorder) End() error { return nil }
