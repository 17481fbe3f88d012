package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// question is what a helper asks: what to play next in a bout, or what came of it.
type question struct {
	joins      bool // it has no people yet
	hands      int  // goroutines that play
	generation int
	sum        uint64 // who its people are
	bout       int    // of the generation
	from, to   int    // pieces that it has played
	outcomes   []uint64
}

var errQuestion = errors.New("evolve: a helper's question is damaged")

func (q *question) encode() []byte {
	var e encoder
	e.number(boolean(q.joins))
	for _, v := range [...]int{q.hands, q.generation, q.bout, q.from, q.to} {
		e.number(uint64(v))
	}
	e.number(q.sum)
	e.number(uint64(len(q.outcomes)))
	for _, v := range q.outcomes {
		e.number(v)
	}
	return e.b
}

func boolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func readQuestion(asked []byte) (*question, error) {
	t := &teller{rest: asked}
	q := &question{joins: t.number() == 1}
	for _, v := range [...]*int{&q.hands, &q.generation, &q.bout, &q.from, &q.to} {
		*v = int(min(t.number(), math.MaxInt32))
	}
	q.sum = t.number()
	for n := t.number(); n > 0 && t.rest != nil; n-- {
		q.outcomes = append(q.outcomes, t.number())
	}
	if t.rest == nil || len(t.rest) > 0 || q.from > q.to || q.hands < 1 || q.hands > maxWorkers {
		return nil, errQuestion
	}
	return q, nil
}

// helper is a machine that plays some of the games of a run that goes on elsewhere.
type helper struct {
	ask   func(ctx context.Context, question []byte) ([]byte, error)
	hands int
	bouts int // of this generation so far
	sum   uint64
}

// Reasons for a helper to leave off.
var (
	errBehind = errors.New("evolve: the run has gone on without this helper")
	errOver   = errors.New("evolve: the run needs no help any more")
)

// Help plays games for a run of this setup until the run needs no help any more, or the context
// ends. Ask brings a question to the run's desk, and the answer back; its error ends the help, so
// it should try again as long as there is hope.
func (s *Setup) Help(ctx context.Context, ask func(ctx context.Context, question []byte) ([]byte,
	error)) error {
	if err := s.Check(); err != nil {
		return err
	}
	b := s.breeder()
	var stop context.CancelFunc
	b.ctx, stop = context.WithCancel(ctx)
	defer stop()
	b.pool = newPool(b.Workers)
	defer b.pool.close()
	for {
		generation, people, err := b.join(ask)
		for ; err == nil; generation++ {
			people, err = b.helpGeneration(generation, people, ask)
		}
		switch {
		case errors.Is(err, errOver):
			return nil
		case !errors.Is(err, errBehind):
			return err
		}
	}
}

// join asks for the people of the present generation.
func (b *breeder) join(ask func(ctx context.Context, question []byte) ([]byte, error)) (int,
	[]*Individual, error) {
	for b.ctx.Err() == nil {
		answer, err := ask(b.ctx, (&question{joins: true, hands: b.Workers}).encode())
		if err != nil {
			return 0, nil, err
		}
		d := &decoder{rest: answer, b: b}
		switch d.number(answerDiffer) {
		case answerOver:
			return 0, nil, errOver
		case answerJoin:
			generation := d.number(uint64(b.Config.Generations))
			content := d.text()
			if err := d.end(); err != nil {
				return 0, nil, err
			}
			people, err := b.decodePeople(content, b.Config.Population)
			if err == nil {
				err = b.bindAll(people)
			}
			return generation, people, err
		}
		if d.err != nil {
			return 0, nil, d.err
		}
	}
	return 0, nil, b.ctx.Err()
}

// helpGeneration goes through a generation as the run does, plays what it is handed, and is told
// the rest.
func (b *breeder) helpGeneration(generation int, people []*Individual,
	ask func(ctx context.Context, question []byte) ([]byte, error)) ([]*Individual, error) {
	is := newIsland(b, generation, 0, people, nil)
	is.choose = is.drawAdapted
	is.helper = &helper{ask: ask, hands: b.Workers}
	for _, in := range people {
		is.helper.sum = hashOf(is.helper.sum, in)
	}
	return is.stepAway()
}

// help is bout for a helper: it plays what it is handed until it is told the numbers of the whole
// bout. Play is nil for one that only the run can play.
func (is *island) help(n, width int, play func(w *worker, i int, outcome []uint64) error) ([]uint64,
	error) {
	h := is.helper
	q := &question{hands: h.hands, generation: is.generation, sum: h.sum, bout: h.bouts}
	h.bouts++
	for is.ctx.Err() == nil {
		answer, err := h.ask(is.ctx, q.encode())
		if err != nil {
			return nil, err
		}
		q.from, q.to, q.outcomes = 0, 0, nil
		d := &decoder{rest: answer, b: is.breeder}
		switch d.number(answerDiffer) {
		case answerPlay:
			from, to := d.number(uint64(n)), d.number(uint64(n))
			if err := d.end(); err != nil {
				return nil, err
			}
			if play == nil || from > to {
				return nil, is.misled()
			}
			if q.outcomes, err = is.playRange(from, to, width, play); err != nil {
				return nil, err
			}
			q.from, q.to = from, to
		case answerTold:
			return is.toldAll(d, n*width)
		case answerJoin:
			return nil, errBehind
		case answerOver:
			return nil, errOver
		case answerDiffer:
			return nil, is.misled()
		}
		if d.err != nil {
			return nil, d.err
		}
	}
	return nil, is.ctx.Err()
}

// misled is the error of a helper that is not at the same thing as the run.
func (is *island) misled() error {
	return fmt.Errorf("evolve: this helper has other people than the run in generation %d: "+
		"machines or programs do not agree", is.generation)
}

// playRange plays pieces and returns the outcome of each with its matches and games.
func (is *island) playRange(from, to, width int,
	play func(w *worker, i int, outcome []uint64) error) ([]uint64, error) {
	outcomes := make([]uint64, (to-from)*(width+2))
	err := is.pool.run(is.ctx, to-from, func(w *worker, i int) error {
		o := outcomes[i*(width+2):][:width+2]
		w.matches, w.games = 0, 0
		err := play(w, from+i, o[:width])
		o[width], o[width+1] = uint64(w.matches), uint64(w.games)
		return err
	})
	return outcomes, err
}

func (is *island) toldAll(d *decoder, n int) ([]uint64, error) {
	t := &teller{rest: d.rest}
	if t.number() != uint64(n) {
		return nil, is.misled()
	}
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = t.number()
	}
	if t.rest == nil || len(t.rest) > 0 {
		return nil, is.misled()
	}
	return numbers, nil
}
