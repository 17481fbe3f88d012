package evolve

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"

	"clade/engine"
	"clade/gp"
)

// A checkpoint file is, in order: magic, the hash of the study (32 bytes), the length of the state
// (8 bytes), the state compressed with zstd, and the SHA-256 of all before it. The checksum stands
// outside the compression, so that no byte of the file is beyond it.
const (
	family = "clade checkpoint "
	magic  = family + "1\n" // the number rises with every change of the format
)

// maxRatio bounds how many times longer a state can be than its file, so that a wrong length cannot
// ask for memory without end. The ids of its individuals, all different, keep a true one far below
// it.
const maxRatio = 1 << 10

var (
	errDamaged = errors.New("evolve: the checkpoint is damaged")
	errStudy   = errors.New("evolve: the checkpoint belongs to another study")
	errVersion = errors.New("evolve: the checkpoint was written by another version of clade")
)

// state is what a run is at the border between two generations.
type state struct {
	generation int // the next one
	people     [][]*Individual
	archive    []*Best
	lineage    *lineage
	matches    int64 // in all generations before
	games      int64
	logLength  int64
	logSum     [32]byte // SHA-256 of the log's first logLength bytes
}

// seal returns the content of a checkpoint file.
func seal(study [32]byte, payload []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	file := make([]byte, 0, len(payload)/3+256)
	file = append(file, magic...)
	file = append(file, study[:]...)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(payload)))
	file = encoder.EncodeAll(payload, file)
	sum := sha256.Sum256(file)
	return append(file, sum[:]...), nil
}

// unseal returns the state inside a checkpoint file. The error wraps errDamaged for anything that
// seal did not write, and is errVersion or errStudy for a sound file of another format or study.
func unseal(study [32]byte, file []byte) ([]byte, error) {
	head := len(magic) + 32 + 8
	if len(file) < head+32 {
		return nil, fmt.Errorf("%w: it has only %d bytes", errDamaged, len(file))
	}
	body, sum := file[:len(file)-32], file[len(file)-32:]
	if actual := sha256.Sum256(body); !bytes.Equal(actual[:], sum) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errDamaged)
	}
	if !bytes.HasPrefix(body, []byte(magic)) {
		if bytes.HasPrefix(body, []byte(family)) {
			return nil, errVersion
		}
		return nil, fmt.Errorf("%w: it is no checkpoint", errDamaged)
	}
	if !bytes.Equal(body[len(magic):len(magic)+32], study[:]) {
		return nil, errStudy
	}
	length := binary.LittleEndian.Uint64(body[head-8:])
	if length/maxRatio > uint64(len(file)) {
		return nil, fmt.Errorf("%w: its state cannot have %d bytes", errDamaged, length)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(max(length, 1<<20)))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	payload, err := decoder.DecodeAll(body[head:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if uint64(len(payload)) != length {
		return nil, fmt.Errorf("%w: its state has %d bytes instead of %d", errDamaged, len(payload),
			length)
	}
	return payload, nil
}

// encode writes a state. The same state gives the same bytes.
func (s *state) encode() []byte {
	var e encoder
	e.number(uint64(s.generation))
	e.number(uint64(s.matches))
	e.number(uint64(s.games))
	e.number(uint64(s.logLength))
	e.b = append(e.b, s.logSum[:]...)
	e.number(uint64(len(s.people)))
	for _, people := range s.people {
		e.number(uint64(len(people)))
		for _, in := range people {
			e.individual(in)
		}
	}
	e.number(uint64(len(s.archive)))
	for _, c := range s.archive {
		e.number(uint64(c.Generation))
		e.number(uint64(c.Island))
		e.individual(c.Individual)
		e.record(&c.Record)
	}
	e.lineage(s.lineage)
	return e.b
}

// encoder appends numbers to bytes: variable length, seven bits a byte.
type encoder struct{ b []byte }

func (e *encoder) number(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

func (e *encoder) individual(in *Individual) {
	e.number(in.ID)
	e.number(uint64(in.line))
	e.number(uint64(in.origin))
	for _, t := range in.Genome {
		e.number(uint64(len(t)))
		e.b = slices.Grow(e.b, 2*len(t))
		for _, n := range t {
			e.b = append(e.b, byte(n.Op))
		}
		for _, n := range t {
			if c := n.Bits(); c == 0 {
				e.b = append(e.b, 0)
			} else {
				e.b = append(e.b, 1)
				e.b = binary.LittleEndian.AppendUint32(e.b, c)
			}
		}
	}
}

func (e *encoder) record(r *Record) {
	e.number(uint64(r.Games))
	e.number(uint64(r.Wins))
	e.number(uint64(r.Losses))
	for _, v := range append([]float64{r.Score, r.Other}, r.Marks[:]...) {
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v))
	}
}

// lineage writes the table place by place, for places are what individuals and later births refer
// to.
func (e *encoder) lineage(l *lineage) {
	e.number(uint64(len(l.lines)))
	for i := range l.lines[1:] {
		n := &l.lines[1+i]
		e.number(uint64(n.uses))
		if n.uses == 0 {
			continue
		}
		e.number(n.id)
		e.number(uint64(n.parents[0]))
		e.number(uint64(n.parents[1]))
		e.number(uint64(n.died))
		e.number(uint64(n.size)*uint64(origins) + uint64(n.origin))
	}
	e.number(uint64(len(l.free)))
	for _, f := range l.free {
		e.number(uint64(f))
	}
}

// decode reads a state of this run's study. Players are not bound yet.
func (b *breeder) decode(payload []byte) (s *state, err error) {
	d := &decoder{rest: payload, b: b}
	s = &state{lineage: newLineage()}
	s.generation = d.number(uint64(b.Config.Generations))
	s.matches = int64(d.number(math.MaxInt64))
	s.games = int64(d.number(math.MaxInt64))
	s.logLength = int64(d.number(math.MaxInt64))
	copy(s.logSum[:], d.bytes(32))
	if n := d.number(uint64(b.Config.Islands)); n != b.Config.Islands {
		d.fail("islands")
	}
	for range b.Config.Islands {
		if n := d.number(uint64(b.Config.Population)); n != b.Config.Population {
			d.fail("population")
		}
		s.people = append(s.people, d.people())
	}
	for range d.number(uint64(b.Config.Generations)) {
		if d.err != nil {
			break
		}
		c := &Best{Generation: d.number(uint64(b.Config.Generations)),
			Island: d.number(uint64(b.Config.Islands - 1))}
		c.Individual = d.individual()
		d.record(&c.Record)
		s.archive = append(s.archive, c)
	}
	d.lineage(s.lineage)
	if d.err == nil && len(d.rest) > 0 {
		d.fail("end")
	}
	if d.err == nil {
		d.crossCheck(s)
	}
	return s, d.err
}

// decoder reads what encoder wrote and remembers the first error; after it, everything read is
// zero.
type decoder struct {
	rest []byte
	b    *breeder
	err  error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: wrong %s, %d bytes before the end of its state", errDamaged, what,
			len(d.rest))
	}
	d.rest = nil
}

// number reads a number of at most limit.
func (d *decoder) number(limit uint64) int {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > limit || v > math.MaxInt64 {
		d.fail("number")
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.fail("length")
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) people() []*Individual {
	people := make([]*Individual, 0, min(d.b.Config.Population, len(d.rest)))
	for range d.b.Config.Population {
		if d.err != nil {
			return nil
		}
		people = append(people, d.individual())
	}
	return people
}

func (d *decoder) individual() *Individual {
	in := &Individual{ID: uint64(d.number(math.MaxInt64)), line: uint32(d.number(math.MaxUint32)),
		origin: origin(d.number(uint64(origins - 1)))}
	for range d.b.grammar.Slots {
		in.Genome = append(in.Genome, d.tree())
	}
	if d.err != nil {
		return in
	}
	if err := d.b.grammar.Check(in.Genome); err != nil {
		d.fail("genome (" + err.Error() + ")")
		return in
	}
	in.measure(d.b.grammar)
	return in
}

func (d *decoder) tree() gp.Tree {
	ops := d.bytes(d.number(math.MaxInt32))
	t := make(gp.Tree, len(ops))
	for i, op := range ops {
		constant := uint32(0)
		if d.number(1) == 1 {
			if b := d.bytes(4); b != nil {
				constant = binary.LittleEndian.Uint32(b)
			}
		}
		t[i] = gp.NodeOf(gp.Op(op), constant)
	}
	return t
}

func (d *decoder) record(r *Record) {
	r.Games, r.Wins, r.Losses = d.number(math.MaxInt32), d.number(math.MaxInt32),
		d.number(math.MaxInt32)
	values := [2 + engine.MaxMarks]float64{}
	for i := range values {
		if b := d.bytes(8); b != nil {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	}
	r.Score, r.Other = values[0], values[1]
	copy(r.Marks[:], values[2:])
}

func (d *decoder) lineage(l *lineage) {
	n := d.number(uint64(len(d.rest)) + 1)
	if d.err != nil || n < 1 {
		d.fail("lineage")
		return
	}
	l.lines = make([]line, n)
	for i := range l.lines[1:] {
		p := &l.lines[1+i]
		if p.uses = uint32(d.number(math.MaxUint32)); p.uses == 0 {
			continue
		}
		p.id = uint64(d.number(math.MaxInt64))
		p.parents = [2]uint32{uint32(d.number(uint64(n - 1))), uint32(d.number(uint64(n - 1)))}
		p.died = uint32(d.number(math.MaxUint32))
		both := d.number(math.MaxUint32 * uint64(origins))
		p.size, p.origin = uint32(both/int(origins)), origin(both%int(origins))
	}
	for range d.number(uint64(n - 1)) {
		l.free = append(l.free, uint32(d.number(uint64(n-1))))
	}
}

// crossCheck compares the parts of a state with each other, so that nothing that was read can make
// the run go wrong later.
func (d *decoder) crossCheck(s *state) {
	uses := make([]uint32, len(s.lineage.lines))
	for _, people := range s.people {
		for _, in := range people {
			if d.b.Config.Lineage == LineageNone {
				in.line = 0
				continue
			}
			if in.line == 0 || int(in.line) >= len(uses) || s.lineage.lines[in.line].id != in.ID ||
				s.lineage.lines[in.line].died != 0 {
				d.fail("line of an individual")
				return
			}
			uses[in.line]++
		}
	}
	for i := range s.lineage.lines {
		n := &s.lineage.lines[i]
		for _, p := range n.parents {
			if p != 0 && s.lineage.lines[p].id >= n.id { // also keeps circles out
				d.fail("ancestor")
				return
			}
			if p != 0 {
				uses[p]++
			}
		}
	}
	for i := range s.lineage.lines {
		if i > 0 && uses[i] != s.lineage.lines[i].uses {
			d.fail("lineage")
			return
		}
	}
	free := 0
	for i := 1; i < len(uses); i++ {
		if uses[i] == 0 {
			free++
		}
	}
	seen := make([]bool, len(uses))
	for _, f := range s.lineage.free {
		if f == 0 || uses[f] != 0 || seen[f] {
			d.fail("free places")
			return
		}
		seen[f] = true
	}
	if free != len(s.lineage.free) {
		d.fail("free places")
	}
	for i, c := range s.archive {
		if i > 0 && c.Generation <= s.archive[i-1].Generation || c.Generation >= s.generation {
			d.fail("archive")
			return
		}
	}
}
