package spread

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/internal/wire"
)

// RemoteGames lets other machines play some of the games of a run with one island.
type RemoteGames struct {
	// Serve brings requests of remote workers, see Serve, to Dispatcher.Answer, and the replies
	// back. It is called in a goroutine of its own, and is to return when its context ends. When it
	// returns earlier, the run goes on alone.
	Serve func(ctx context.Context, d *Dispatcher) error
	// Stint is how long a goroutine of a remote worker is busy with what it is handed at a time;
	// default 25 ms. Batches of less than four stints are not shared.
	Stint time.Duration
	// Trust decides which of the pieces that remote workers have played are played again here; nil
	// means none.
	Trust *Trust
}

// Check tells why the games of a run of these settings cannot be shared.
func (RemoteGames) Check(c *evolve.Config) error {
	if c.Islands > 1 || c.Solitary() {
		return errors.New("spread: games are shared with other machines only where islands is 1, " +
			"and individuals meet others")
	}
	return nil
}

// Start is called by Run.Evolve.
func (r RemoteGames) Start(ctx context.Context, s *evolve.Setup, _ evolve.Border) *evolve.Session {
	d := newDispatcher(s, cmp.Or(r.Stint, 25*time.Millisecond), cmp.Or(r.Trust, &Trust{}))
	stop := aside(ctx, func(ctx context.Context) error { return r.Serve(ctx, d) },
		func(err error) {
			if err != nil {
				s.Warn(fmt.Sprintf("no remote worker plays any more, and the run goes on here: %s",
					err))
			}
		})
	return &evolve.Session{
		Begin: func(generation, _ int, population, past []*evolve.Individual) evolve.Evaluator {
			d.begin(generation, population, past)
			return shared{d, generation}
		},
		Saved: func(int) {},
		Stop:  func(bool) { d.end(); stop() },
	}
}

// Dispatcher hands the games of one population out to remote workers, while this machine plays too.
// The workers have the same population, bred from the same outcomes, so that requests and replies
// are numbers of pieces and outcomes, never genomes. A worker that is lost costs nothing but what
// it was at: when nothing is left to hand out, this machine plays again what was not answered. It
// is safe for concurrent use.
type Dispatcher struct {
	setup *evolve.Setup
	stint time.Duration
	trust *Trust

	monitor
	generations [2]generationState // the one before, and the present one
	joining     bool               // a worker waits for the population of the next generation
	// piece is the time that a piece takes here, smoothed. It decides what is handed out, and no
	// result.
	piece  time.Duration
	over   bool
	fault  error
	remote int64 // pieces that remote workers were the first to play
}

// generationState is a generation at the dispatcher.
type generationState struct {
	number     int
	identity   uint64 // of the population
	population []byte // encoded for workers that join; nil where none waited
	past       []byte // likewise
	batches    []*batch
}

// batch is a batch that is open at the dispatcher, or was.
type batch struct {
	n, width int
	numbers  []uint64
	filled   []bool
	left     int          // pieces not filled
	next     int          // first piece that was not handed out
	again    int          // where to look next for a piece that was handed out and is not filled
	tally    evolve.Tally // of the filled pieces
	shared   bool         // pieces can be handed out
	// By the number of a piece: whom it was handed to, of whom its outcome was taken, and what was
	// said of one that is played again here.
	owners, takenOf map[int]string
	claims          map[int][]uint64
}

func newDispatcher(s *evolve.Setup, stint time.Duration, trust *Trust) *Dispatcher {
	return &Dispatcher{setup: s, stint: stint, trust: trust, monitor: newMonitor(),
		generations: [2]generationState{{number: -1}, {number: -1}}}
}

// Remote returns how many pieces of work remote workers have done first.
func (d *Dispatcher) Remote() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.remote
}

// begin opens a generation.
func (d *Dispatcher) begin(generation int, population, past []*evolve.Individual) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := generationState{number: generation, identity: evolve.Identity(population)}
	if d.joining {
		now.population, now.past = d.setup.EncodePopulation(population), d.setup.EncodePast(past)
		d.joining = false
	}
	d.generations = [2]generationState{d.generations[1], now}
	d.send()
}

func (d *Dispatcher) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	d.send()
}

// open opens a batch.
func (d *Dispatcher) open(n, width int) *batch {
	b := &batch{n: n, width: width, numbers: make([]uint64, n*width), filled: make([]bool, n),
		left: n, owners: map[int]string{}, takenOf: map[int]string{},
		claims: map[int][]uint64{}}
	d.mu.Lock()
	defer d.mu.Unlock()
	b.shared = n > 1 && d.piece*time.Duration(n) > 4*d.stint
	d.generations[1].batches = append(d.generations[1].batches, b)
	d.send()
	return b
}

// claim returns a piece for this machine: one that was not handed out, or, when there is none, one
// that was handed out and not answered. None is left if it is negative.
func (d *Dispatcher) claim(b *batch) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b.next < b.n {
		b.next++
		return b.next - 1
	}
	for ; b.again < b.n; b.again++ {
		if !b.filled[b.again] {
			b.again++
			return b.again - 1
		}
	}
	return -1
}

// fill notes the outcome of a piece, unless it is known.
func (b *batch) fill(i int, outcome []uint64, tally evolve.Tally) {
	copy(b.outcome(i), outcome)
	b.filled[i] = true
	b.tally.Matches += tally.Matches
	b.tally.Games += tally.Games
	b.left--
}

func (b *batch) outcome(i int) []uint64 { return b.numbers[i*b.width : (i+1)*b.width] }

// played notes the outcome of a piece that was played here, and compares it with what a worker said
// of it.
func (d *Dispatcher) played(b *batch, i int, outcome []uint64, tally evolve.Tally) {
	if claim := b.claims[i]; claim != nil {
		d.compare(b.owners[i], claim, outcome)
	}
	if b.filled[i] {
		if worker := b.takenOf[i]; worker != "" {
			d.compare(worker, b.outcome(i), outcome)
		}
		return
	}
	if b.fill(i, outcome, tally); b.left == 0 {
		d.send()
	}
}

// compare holds what a worker said of a piece to what this machine has played. A run in which a
// liar had a part before ends.
func (d *Dispatcher) compare(worker string, said, here []uint64) {
	if slices.Equal(said, here) {
		d.trust.Right(worker)
	} else if lie := d.trust.Lied(worker); lie.Since >= 0 {
		d.fault = lie
	}
}

// shared is the evaluator of a run whose games are shared: all goroutines here play, and remote
// workers do, until all pieces are filled.
type shared struct {
	*Dispatcher
	generation int
}

func (d shared) End() error { return nil }

func (d shared) Evaluate(ctx context.Context, batch *evolve.Batch) (*evolve.Outcome, error) {
	b := d.open(batch.Pieces, batch.Width)
	// a batch of one piece may need all workers itself
	workers := min(batch.Workers(), b.n)
	err := parallel.Each(ctx, workers, workers, func(_, _ int) error {
		outcome := make([]uint64, b.width)
		for i := d.claim(b); i >= 0 && ctx.Err() == nil; i = d.claim(b) {
			clear(outcome)
			began := time.Now()
			tally, err := batch.PlayPiece(i, outcome)
			if err != nil {
				return err
			}
			d.mu.Lock()
			d.played(b, i, outcome, tally)
			d.piece += (time.Since(began) - d.piece) / 16
			d.mu.Unlock()
		}
		return nil
	})
	if err == nil {
		err = d.wait(ctx, func() bool { return b.left == 0 })
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		err = d.fault
	}
	if err != nil {
		return nil, err
	}
	if err := batch.Check(b.numbers); err != nil {
		return nil, untrue(0, d.generation, err)
	}
	return &evolve.Outcome{Numbers: b.numbers, Tally: b.tally}, nil
}

// answerWithin is how long a remote worker waits at most for a reply, even if it is to ask again.
const answerWithin = 2 * time.Second

// Answer answers a remote worker's request, which may hold the outcomes of what it was handed. It
// takes up to some seconds where there is nothing to say. Requests that are lost or come twice
// change nothing. Worker is a name that no other can use. The error is one of the request: it is
// damaged, or its outcomes cannot be.
func (d *Dispatcher) Answer(ctx context.Context, worker string, asked []byte) ([]byte, error) {
	q := &request{}
	err := wire.Decode(asked, q.describe)
	if err == nil {
		d.mu.Lock()
		err = d.receive(worker, q)
		d.mu.Unlock()
	}
	if err != nil {
		return nil, fmt.Errorf("spread: a remote worker's request is damaged: %w", err)
	}
	until, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answer := &reply{kind: replyWait}
	_ = d.wait(until, func() bool {
		if now := d.reply(worker, q); now != nil {
			answer = now
		}
		return answer.kind != replyWait
	})
	return wire.Encode(answer.describe), nil
}

var errOutcomes = errors.New("its outcomes do not fit the batch")

// receive notes the outcomes that come with a request, of pieces that its worker was handed.
func (d *Dispatcher) receive(worker string, q *request) error {
	g := d.generation(q)
	b := g.batch(q)
	if b == nil || len(q.outcomes) == 0 || g.identity != q.identity || d.trust.ShutOut(worker) {
		return nil // of a batch that is long over, or of another population
	}
	if q.to > b.n || len(q.outcomes) != (q.to-q.from)*(b.width+2) {
		return errOutcomes
	}
	due := d.trust.Due(worker)
	if !due && b.left > 0 {
		if err := d.trust.Takes(worker, g.number); err != nil {
			return err
		}
	}
	for i := q.from; i < q.to && b.left > 0; i++ {
		o := q.outcomes[(i-q.from)*(b.width+2):][:b.width+2]
		matches, games := o[b.width], o[b.width+1]
		if matches > math.MaxInt32 || games > math.MaxInt32 {
			return errOutcomes
		}
		switch {
		case b.owners[i] != worker || b.claims[i] != nil:
			continue
		case b.filled[i]:
			if b.takenOf[i] == "" { // or it has come twice
				d.compare(worker, o[:b.width], b.outcome(i))
			}
			continue
		case due:
			b.claims[i] = slices.Clone(o[:b.width]) // this machine plays it, too
			continue
		}
		b.fill(i, o[:b.width], evolve.Tally{Matches: int64(matches), Games: int64(games)})
		b.takenOf[i] = worker
		d.remote++
	}
	if b.left == 0 {
		d.send()
	}
	return nil
}

func (d *Dispatcher) generation(q *request) *generationState {
	for i := range d.generations {
		if d.generations[i].number == q.generation && q.generation >= 0 {
			return &d.generations[i]
		}
	}
	return nil
}

func (g *generationState) batch(q *request) *batch {
	if g != nil && q.batch < len(g.batches) {
		return g.batches[q.batch]
	}
	return nil
}

// reply returns what there is to say, nil if there is nothing yet.
func (d *Dispatcher) reply(worker string, q *request) *reply {
	g, now := d.generation(q), &d.generations[1]
	switch {
	case d.over, d.trust.ShutOut(worker):
		return &reply{kind: replyOver}
	case q.joins, g == nil && q.generation <= now.number:
		if now.population != nil && now.number >= q.generation {
			return &reply{kind: replyJoin, generation: now.number, population: now.population,
				past: now.past}
		}
		d.joining = true
		return nil
	case g == nil:
		return nil // of a generation that does not begin before the worker's
	case g.identity != q.identity:
		return &reply{kind: replyDiffers}
	}
	b := g.batch(q)
	switch {
	case b == nil:
		return nil
	case b.left == 0:
		return &reply{kind: replyOutcome, numbers: b.numbers}
	case !b.shared || b.next == b.n:
		return nil
	}
	from := b.next
	b.next = min(b.n, from+max(1, q.workers*int(d.stint/max(1, d.piece))))
	for i := from; i < b.next; i++ {
		b.owners[i] = worker
	}
	return &reply{kind: replyPlay, from: from, to: b.next}
}
