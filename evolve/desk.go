package evolve

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

// Desk hands the games of one population out to helpers on other machines, while this machine plays
// too. Helpers have the same people, bred from the same outcomes, so that a question and its answer
// are numbers of pieces and outcomes, never genomes. Whoever is lost costs nothing but what it was
// at: when nothing is left to hand out, this machine plays again what was not answered. It is safe
// for concurrent use.
type Desk struct {
	batch time.Duration

	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	days    [2]day        // the generation before, and the present one
	joining bool          // somebody waits for the people of the next generation
	// that a piece takes here, smoothed; it decides what is handed out, and no result
	piece  time.Duration
	over   bool
	fault  error
	helped int64 // pieces that helpers were the first to play
}

// day is a generation at the desk.
type day struct {
	generation int
	sum        uint64 // who the people are
	people     []byte // encoded for those who join; nil where nobody waited
	bouts      []*deskBout
}

// deskBout is a bout that is open at the desk, or was.
type deskBout struct {
	n, width int
	numbers  []uint64
	filled   []bool
	left     int   // pieces not filled
	next     int   // first piece that was not handed out
	again    int   // from which on what was handed out is looked for, when nothing else is left
	matches  int64 // of the filled pieces
	games    int64
	begun    bool // pieces can be handed out
}

// usualBatch is how long a goroutine of a helper is busy with what it is handed at a time. Bouts of
// less than four such batches are not shared.
const usualBatch = 25 * time.Millisecond

// Kinds of answers of the desk.
const (
	answerWait   = iota // ask again
	answerPlay          // pieces from, to
	answerTold          // the numbers of the bout
	answerJoin          // take these people, of that generation
	answerOver          // the run needs no help any more
	answerDiffer        // the helper has other people
)

func newDesk() *Desk {
	return &Desk{batch: usualBatch, changed: make(chan struct{}),
		days: [2]day{{generation: -1}, {generation: -1}}}
}

// Helped returns how many pieces of work helpers have done first.
func (d *Desk) Helped() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.helped
}

func (d *Desk) change() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// begin opens a generation.
func (d *Desk) begin(generation int, people []*Individual) {
	d.mu.Lock()
	defer d.mu.Unlock()
	today := day{generation: generation}
	for _, in := range people {
		today.sum = hashOf(today.sum, in)
	}
	if d.joining {
		today.people, d.joining = encodePeople(people), false
	}
	d.days = [2]day{d.days[1], today}
	d.change()
}

func (d *Desk) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	d.change()
}

// open puts a bout on the desk. One without pieces is only told, when its numbers are known.
func (d *Desk) open(n, width int) *deskBout {
	b := &deskBout{n: n, width: width, numbers: make([]uint64, n*width), filled: make([]bool, n),
		left: n}
	d.mu.Lock()
	defer d.mu.Unlock()
	b.begun = d.piece*time.Duration(n) > 4*d.batch
	d.days[1].bouts = append(d.days[1].bouts, b)
	d.change()
	return b
}

// tell puts numbers on the desk that nobody else can find.
func (d *Desk) tell(numbers []uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.days[1].bouts = append(d.days[1].bouts,
		&deskBout{n: len(numbers), width: 1, numbers: numbers})
	d.change()
}

// claim returns a piece for this machine: one that nobody has, or, when there is none, one that was
// handed out and not answered. None is left if it is negative.
func (d *Desk) claim(b *deskBout) int {
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
func (d *Desk) fill(b *deskBout, i int, outcome []uint64, matches, games int64) bool {
	if have := b.numbers[i*b.width : (i+1)*b.width]; b.filled[i] {
		if !slices.Equal(have, outcome) {
			d.fault = errors.New("evolve: a piece of a generation was played twice and came to " +
				"different ends: machines or programs do not agree")
		}
		return false
	}
	copy(b.numbers[i*b.width:], outcome)
	b.filled[i] = true
	b.matches, b.games = b.matches+matches, b.games+games
	if b.left--; b.left == 0 {
		d.change()
	}
	return true
}

// share is bout for an island whose games are shared: all goroutines here play, and helpers do,
// until all pieces are filled.
func (is *island) share(n, width int,
	play func(w *worker, i int, outcome []uint64) error) ([]uint64, error) {
	d := is.desk
	b := d.open(n, width)
	err := is.pool.run(is.ctx, len(is.pool.workers), func(w *worker, _ int) error {
		outcome := make([]uint64, width)
		for is.ctx.Err() == nil {
			i := d.claim(b)
			if i < 0 {
				break
			}
			clear(outcome)
			matches, games, began := w.matches, w.games, time.Now()
			if err := play(w, i, outcome); err != nil {
				return err
			}
			matches, w.matches, games, w.games = w.matches-matches, matches, w.games-games, games
			d.mu.Lock()
			d.fill(b, i, outcome, matches, games)
			d.piece += (time.Since(began) - d.piece) / 16
			d.mu.Unlock()
		}
		return nil
	})
	if err == nil {
		err = d.wait(is.ctx, func() bool { return b.left == 0 })
	}
	d.mu.Lock()
	if err == nil {
		err = d.fault
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	is.pool.add(b.matches, b.games)
	return b.numbers, nil
}

// answerWithin is how long a helper waits at most for an answer, even if it is to ask again.
const answerWithin = 2 * time.Second

// Ask answers a helper's question, which may hold the outcomes of what it was handed. It takes up
// to some seconds where there is nothing to say. Questions that are lost or come twice change
// nothing. The error is one of the question: it is no question, or its outcomes are no outcomes.
func (d *Desk) Ask(ctx context.Context, asked []byte) ([]byte, error) {
	q, err := readQuestion(asked)
	if err != nil {
		return nil, err
	}
	until, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	var answer []byte
	var fault error
	first := true
	_ = d.wait(until, func() bool {
		if first {
			if fault = d.receive(q); fault != nil {
				return true
			}
			first = false
		}
		answer = d.answer(q)
		return answer != nil
	})
	if answer == nil && fault == nil {
		answer = []byte{answerWait}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.over {
			answer[0] = answerOver
		}
	}
	return answer, fault
}

// receive notes the outcomes that come with a question.
func (d *Desk) receive(q *question) error {
	b := d.bout(q)
	if b == nil || len(q.outcomes) == 0 || d.dayOf(q).sum != q.sum {
		return nil // of a bout that is over for long, or of other people
	}
	if q.to > b.n || len(q.outcomes) != (q.to-q.from)*(b.width+2) {
		return errQuestion
	}
	for i := q.from; i < q.to && b.left > 0; i++ {
		o := q.outcomes[(i-q.from)*(b.width+2):][:b.width+2]
		if o[b.width] > math.MaxInt32 || o[b.width+1] > math.MaxInt32 {
			return errQuestion
		}
		if d.fill(b, i, o[:b.width], int64(o[b.width]), int64(o[b.width+1])) {
			d.helped++
		}
	}
	return nil
}

func (d *Desk) dayOf(q *question) *day {
	for i := range d.days {
		if d.days[i].generation == q.generation && q.generation >= 0 {
			return &d.days[i]
		}
	}
	return nil
}

func (d *Desk) bout(q *question) *deskBout {
	if t := d.dayOf(q); t != nil && q.bout < len(t.bouts) {
		return t.bouts[q.bout]
	}
	return nil
}

// answer returns what there is to say, nil if there is nothing yet.
func (d *Desk) answer(q *question) []byte {
	t := d.dayOf(q)
	var e encoder
	switch {
	case d.over:
		return []byte{answerOver}
	case q.joins, t == nil && q.generation <= d.days[1].generation:
		if today := &d.days[1]; today.people != nil {
			e.number(answerJoin)
			e.number(uint64(today.generation))
			e.text(today.people)
			return e.b
		}
		d.joining = true
		return nil
	case t == nil:
		return nil // of a generation that does not begin before the helper's
	case t.sum != q.sum:
		return []byte{answerDiffer}
	}
	b := d.bout(q)
	switch {
	case b == nil:
		return nil
	case b.left == 0:
		e.number(answerTold)
		e.number(uint64(len(b.numbers)))
		for _, v := range b.numbers {
			e.number(v)
		}
		return e.b
	case !b.begun || b.next == b.n:
		return nil
	}
	from := b.next
	b.next = min(b.n, from+max(1, q.hands*int(d.batch/max(1, d.piece))))
	e.number(answerPlay)
	e.number(uint64(from))
	e.number(uint64(b.next))
	return e.b
}

// wait waits until a condition holds, which is looked at under the lock.
func (d *Desk) wait(ctx context.Context, holds func() bool) error {
	for {
		d.mu.Lock()
		ok := holds()
		changed := d.changed
		d.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}
