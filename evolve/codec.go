package evolve

import (
	"fmt"
	"math"

	"clade/evolve/rundir"
	"clade/gp"
)

// state is the state of a run between two generations.
type state struct {
	generation  int // the next one
	populations [][]*Individual
	archive     []*champion
	lineage     *lineage
	played      Tally   // in all generations before
	seconds     float64 // that they took, as Config.Seconds counts them
	log         rundir.LogPosition
}

// encode writes a state. The same state gives the same bytes.
func (b *breeder) encode(s *state) []byte {
	return encodeWire(func(c *wire) { (*coder)(b).state(c, s) })
}

// decode reads a state of this run's study. Players are not bound yet.
func (b *breeder) decode(payload []byte) (*state, error) {
	s := &state{lineage: &lineage{}, populations: make([][]*Individual, b.Config.Islands)}
	err := decodeWire(payload, func(c *wire) { (*coder)(b).state(c, s) })
	if err == nil {
		err = b.crossCheck(s)
	}
	return s, err
}

// EncodePopulation encodes individuals without their lines in the lineage, which only the run has.
func (s *Setup) EncodePopulation(population []*Individual) []byte {
	bare := make([]*Individual, len(population))
	for i, in := range population {
		copied := *in
		copied.line = 0
		bare[i] = &copied
	}
	b := &coder{Setup: *s}
	return encodeWire(func(c *wire) { b.population(c, &bare, len(bare)) })
}

// decodePopulation reads n individuals that EncodePopulation wrote.
func (b *breeder) decodePopulation(content []byte, n int) (population []*Individual, err error) {
	err = decodeWire(content,
		func(c *wire) { (*coder)(b).population(c, &population, n) })
	return population, err
}

// EncodePast encodes an archive.
func (s *Setup) EncodePast(past []*Individual) []byte {
	return encodeWire(func(c *wire) {
		c.Len(len(past))
		c.Fixed(s.EncodePopulation(past))
	})
}

// decodePast reads what EncodePast wrote.
func (b *breeder) decodePast(content []byte) (past []*Individual, err error) {
	err = decodeWire(content, func(c *wire) { (*coder)(b).population(c, &past, c.Len(0)) })
	return past, err
}

// coder has the descriptions of what is encoded. Encoding uses only the setup of the breeder.
type coder breeder

func (b *coder) state(c *wire, s *state) {
	wireInt(c, &s.generation, b.Config.horizon())
	wireInt(c, &s.played.Matches, math.MaxInt64)
	wireInt(c, &s.played.Games, math.MaxInt64)
	if b.Config.Seconds > 0 {
		c.Float(&s.seconds)
	}
	wireInt(c, &s.log.Length, math.MaxInt64)
	c.Fixed(s.log.Sum[:])
	c.Same(len(s.populations), "islands")
	for i := range s.populations {
		n := len(s.populations[i])
		if c.Reading {
			n = b.Config.Population
		}
		b.population(c, &s.populations[i], n)
	}
	wireSlice(c, &s.archive, func(best **champion) {
		if c.Reading {
			*best = &champion{}
		}
		wireInt(c, &(*best).generation, b.Config.horizon())
		wireInt(c, &(*best).island, b.Config.Islands-1)
		b.individual(c, &(*best).Individual)
		(*best).record.code(c, len(b.Game.Info().Marks))
		if b.Config.Champion.Tune > 0 {
			c.Bool(&(*best).tuned)
		}
	})
	s.lineage.code(c)
}

func (b *coder) population(c *wire, population *[]*Individual, n int) {
	c.Same(n, "population")
	if c.Reading {
		*population = make([]*Individual, min(n, len(c.b)))
	}
	for i := range *population {
		b.individual(c, &(*population)[i])
	}
}

func (b *coder) individual(c *wire, p **Individual) {
	if c.Reading {
		*p = &Individual{Genome: make(gp.Genome, len(b.grammar.Slots))}
	}
	in := *p
	wireInt(c, &in.ID, math.MaxInt64)
	wireInt(c, &in.line, math.MaxUint32)
	wireInt(c, &in.origin, origins-1)
	if b.Config.Selection == ByRace {
		r := &in.record
		c.Float(&r.won)
		if c.Float(&r.played); !(r.won >= 0 && r.won <= r.played && r.played < math.MaxInt32) {
			c.Fail("record")
		}
	}
	for i := range in.Genome {
		codeTree(c, &in.Genome[i])
	}
	if c.Reading && c.err == nil {
		if err := b.grammar.Check(in.Genome); err != nil {
			c.Fail("genome (" + err.Error() + ")")
			return
		}
		in.measure(b.grammar)
	}
}

// codeTree describes a tree: the operators, a byte each, then for each node whether it has a
// constant, and the constant.
func codeTree(c *wire, t *gp.Tree) {
	ops := c.Raw(c.Len(len(*t)))
	if c.Reading {
		*t = make(gp.Tree, len(ops))
	} else {
		for i, n := range *t {
			ops[i] = byte(n.Op)
		}
	}
	for i, n := range *t {
		bits := n.Bits()
		some := bits != 0
		if c.Bool(&some); some {
			c.Bits(&bits)
		}
		if c.Reading {
			(*t)[i] = gp.NodeOf(gp.Op(ops[i]), bits)
		}
	}
}

// firstMarks is the number of marks in the first version of the format, which every game still
// writes.
const firstMarks = 4

func (r *record) code(c *wire, marks int) {
	for _, n := range [...]*int{&r.Games, &r.Wins, &r.Losses} {
		wireInt(c, n, math.MaxInt32)
	}
	c.Float(&r.Score)
	c.Float(&r.Other)
	for i := range r.Marks[:max(firstMarks, marks)] {
		c.Float(&r.Marks[i])
	}
}

// One number codes a line's size and origin: size*firstOrigins + origin%firstOrigins in the bits
// below highOrigin, and origin/firstOrigins above them. The first version of the format had only
// the first origins.
const (
	firstOrigins = 6
	highOrigin   = 40
)

// code describes the table line by line, since individuals and later births refer to indices in it.
func (l *lineage) code(c *wire) {
	first := true // the first line is empty and not written
	wireSlice(c, &l.lines, func(n *line) {
		if first {
			first = false
			return
		}
		if wireInt(c, &n.uses, math.MaxUint32); n.uses == 0 {
			return
		}
		last := uint32(len(l.lines) - 1)
		wireInt(c, &n.id, math.MaxInt64)
		wireInt(c, &n.parents[0], last)
		wireInt(c, &n.parents[1], last)
		wireInt(c, &n.died, math.MaxUint32)
		both := uint64(n.origin/firstOrigins)<<highOrigin |
			uint64(n.size)*firstOrigins + uint64(n.origin%firstOrigins)
		wireInt(c, &both, uint64(origins/firstOrigins+1)<<highOrigin-1)
		low := both & (1<<highOrigin - 1)
		n.size = uint32(low / firstOrigins)
		n.origin = origin(both>>highOrigin)*firstOrigins + origin(low%firstOrigins)
		if n.origin >= origins || low/firstOrigins > math.MaxUint32 {
			c.Fail("origin")
			n.origin = founded
		}
	})
	wireSlice(c, &l.free, func(f *uint32) { wireInt(c, f, math.MaxUint32) })
}

// crossCheck returns an error for a state whose parts contradict each other, so that damaged data
// cannot make the run fail later.
func (b *breeder) crossCheck(s *state) error {
	wrong := func(what string) error { return fmt.Errorf("%w: wrong %s", errDamaged, what) }
	lines := s.lineage.lines
	if len(lines) == 0 {
		return wrong("lineage")
	}
	uses := make([]uint32, len(lines))
	for _, population := range s.populations {
		for _, in := range population {
			if b.Config.Lineage == lineageNone {
				in.line = 0
				continue
			}
			if in.line == 0 || int(in.line) >= len(uses) || lines[in.line].id != in.ID ||
				lines[in.line].died != 0 {
				return wrong("line of an individual")
			}
			uses[in.line]++
		}
	}
	for i := range lines {
		for _, p := range lines[i].parents {
			if p != 0 && lines[p].id >= lines[i].id { // also excludes cycles
				return wrong("ancestor")
			}
			if p != 0 {
				uses[p]++
			}
		}
	}
	free := 0
	for i := 1; i < len(uses); i++ {
		if uses[i] != lines[i].uses {
			return wrong("lineage")
		}
		if uses[i] == 0 {
			free++
		}
	}
	seen := make([]bool, len(uses))
	for _, f := range s.lineage.free {
		if f == 0 || int(f) >= len(uses) || uses[f] != 0 || seen[f] {
			return wrong("free lines")
		}
		seen[f] = true
	}
	if free != len(s.lineage.free) {
		return wrong("free lines")
	}
	for i, c := range s.archive {
		if i > 0 && c.generation <= s.archive[i-1].generation || c.generation >= s.generation {
			return wrong("archive")
		}
	}
	return nil
}
