package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Leg is a stretch of an island's way that one machine breeds at a time: from where migrants arrive
// to where migrants leave, or a part of that. Where From equals To it only chooses who leaves, for
// a run that goes on at such a border.
type Leg struct {
	Island int
	// generations: it begins with From, and ends before To, where it chooses those who emigrate
	// then
	From, To   int
	people     []byte // of the island, before migration
	immigrants []byte // who arrive in generation From; empty where nobody does
}

// Trail is what came of a leg: what was played, so that the run can breed the same without playing,
// the people at the end, and those who leave.
type Trail struct {
	Island   int
	From, To int
	played   [][]byte // transcripts of the generations
	// transcript of the choice of those who leave in generation To; empty where nobody does
	leaving   []byte
	people    []byte // at the end; empty where the run ends, or From equals To
	emigrants []byte
}

// Kinds of sealed messages.
const (
	legKind = iota
	trailKind
)

// Seal returns the leg as bytes for another machine, with a checksum, and with the hash of the
// setup, which Breed compares.
func (l *Leg) Seal(s *Setup) ([]byte, error) {
	var e encoder
	e.head(legKind, l.Island, l.From, l.To)
	e.text(l.people)
	e.text(l.immigrants)
	return seal(studyHash(s), e.b)
}

// Seal returns the trail as bytes for the ledger's machine, with a checksum.
func (t *Trail) Seal(s *Setup) ([]byte, error) {
	var e encoder
	e.head(trailKind, t.Island, t.From, t.To)
	for _, p := range t.played {
		e.text(p)
	}
	e.text(t.leaving)
	e.text(t.people)
	e.text(t.emigrants)
	return seal(studyHash(s), e.b)
}

// OpenLeg reads a sealed leg. One that was made for another setup is refused.
func OpenLeg(s *Setup, sealed []byte) (*Leg, error) {
	d, err := s.open(sealed)
	if err != nil {
		return nil, err
	}
	l := &Leg{}
	l.Island, l.From, l.To = d.head(legKind)
	l.people, l.immigrants = d.text(), d.text()
	return l, d.end()
}

// OpenTrail reads a sealed trail. One that was made for another setup is refused.
func OpenTrail(s *Setup, sealed []byte) (*Trail, error) {
	d, err := s.open(sealed)
	if err != nil {
		return nil, err
	}
	t := &Trail{}
	t.Island, t.From, t.To = d.head(trailKind)
	for g := t.From; g < t.To && d.err == nil; g++ {
		t.played = append(t.played, d.text())
	}
	t.leaving, t.people, t.emigrants = d.text(), d.text(), d.text()
	return t, d.end()
}

// open begins to read what another machine has sealed.
func (s *Setup) open(sealed []byte) (*decoder, error) {
	payload, err := unseal(studyHash(s), sealed)
	switch {
	case errors.Is(err, errStudy), errors.Is(err, errVersion):
		return nil, errors.New("evolve: a leg of another study, or of a program that would breed " +
			"something else; all machines need the same version")
	case err != nil:
		return nil, fmt.Errorf("evolve: a leg is damaged: %w", err)
	}
	return &decoder{rest: payload, b: s.breeder()}, nil
}

func (e *encoder) head(kind, island, from, to int) {
	for _, v := range [...]int{kind, island, from, to} {
		e.number(uint64(v))
	}
}

func (d *decoder) head(kind uint64) (island, from, to int) {
	if d.number(kind) != int(kind) {
		d.fail("kind")
	}
	island = d.number(uint64(d.b.Config.Islands - 1))
	from, to = d.number(uint64(d.b.Config.Generations)), d.number(uint64(d.b.Config.Generations))
	if from > to {
		d.fail("generations")
	}
	return island, from, to
}

func (e *encoder) text(b []byte) {
	e.number(uint64(len(b)))
	e.b = append(e.b, b...)
}

func (d *decoder) text() []byte { return d.bytes(d.number(math.MaxInt32)) }

// end returns the first error. What is left over is one.
func (d *decoder) end() error {
	if d.err == nil && len(d.rest) > 0 {
		d.fail("end")
	}
	return d.err
}

// encodePeople writes individuals without their places in the lineage, which only the run knows.
func encodePeople(people []*Individual) []byte {
	var e encoder
	e.number(uint64(len(people)))
	for _, in := range people {
		bare := *in
		bare.line = 0
		e.individual(&bare)
	}
	return e.b
}

// decodePeople reads n individuals.
func (b *breeder) decodePeople(content []byte, n int) ([]*Individual, error) {
	d := &decoder{rest: content, b: b}
	if d.number(uint64(n)) != n {
		d.fail("number of people")
	}
	var people []*Individual
	for range n {
		if d.err != nil {
			break
		}
		people = append(people, d.individual())
	}
	return people, d.end()
}

// Breed breeds a leg of the way of an island of this setup's run. What it returns depends on setup
// and leg alone. The setup's Elsewhere must be nil, and its functions are not called.
func (s *Setup) Breed(ctx context.Context, l *Leg) (*Trail, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b := s.breeder()
	var stop context.CancelFunc
	b.ctx, stop = context.WithCancel(ctx)
	defer stop()
	b.pool = newPool(b.Workers)
	defer b.pool.close()
	people, err := b.decodePeople(l.people, b.Config.Population)
	if err != nil {
		return nil, err
	}
	var immigrants []*Individual
	if l.To > l.From && b.Config.migrates(l.From) {
		if immigrants, err = b.decodePeople(l.immigrants, b.immigrants()); err != nil {
			return nil, err
		}
	}
	if err := b.bindAll(append(append([]*Individual(nil), people...), immigrants...)); err != nil {
		return nil, err
	}
	t := &Trail{Island: l.Island, From: l.From, To: l.To}
	for g := l.From; g < l.To; g++ {
		is := newIsland(b, g, l.Island, people, nil)
		is.notes, is.choose = &transcript{}, is.drawAdapted
		if g == l.From && immigrants != nil {
			is.admit(immigrants)
		}
		if people, err = is.stepAway(); err != nil {
			return nil, err
		}
		t.played = append(t.played, is.notes.b)
	}
	if l.To > l.From && l.To < b.Config.Generations {
		t.people = encodePeople(people)
	}
	if b.Config.migrates(l.To) {
		is := newIsland(b, l.To, l.Island, people, nil)
		is.notes = &transcript{}
		out, err := is.emigrants()
		if err != nil {
			return nil, err
		}
		t.leaving, t.emigrants = is.notes.b, encodePeople(out)
	}
	return t, nil
}

// stepAway does a generation on another machine than the run's, and returns who lives then.
func (is *island) stepAway() ([]*Individual, error) {
	if err := is.step(); err != nil {
		return nil, err
	}
	if is.probing(is.generation) {
		if _, err := is.probe(); err != nil {
			return nil, err
		}
	}
	for _, in := range is.births {
		in.parents = [2]*Individual{} // or a whole pedigree would stay in memory
	}
	return is.people, nil
}
