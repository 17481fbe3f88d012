package evolve

import (
	"encoding/binary"
	"fmt"
	"math"
)

// What an island does in a generation follows from its people, the seeds and the outcomes of its
// games. So the outcomes alone, a few numbers a tournament, tell whoever has the people how they
// were bred: a machine that plays notes them in a transcript, and one that is told breeds the same
// children without playing.

// bout plays n pieces of a generation, each with an outcome of so many numbers, and returns all
// numbers in order. What a piece comes to may depend on its number only.
func (is *island) bout(n, width int, play func(w *worker, i int, outcome []uint64) error) ([]uint64,
	error) {
	if is.desk != nil {
		return is.share(n, width, play)
	}
	if is.helper != nil {
		return is.help(n, width, play)
	}
	return is.played(n*width, func(numbers []uint64) error {
		return is.pool.run(is.ctx, n, func(w *worker, i int) error {
			return play(w, i, numbers[i*width:(i+1)*width])
		})
	})
}

// played returns the n numbers that come of playing: by playing, or by being told.
func (is *island) played(n int, play func(numbers []uint64) error) ([]uint64, error) {
	if is.teller != nil {
		return is.told(n)
	}
	if is.helper != nil {
		return is.help(n, 1, nil)
	}
	numbers := make([]uint64, n)
	if err := play(numbers); err != nil {
		return nil, err
	}
	if is.notes != nil {
		is.notes.add(numbers, is.pool)
	}
	if is.desk != nil {
		is.desk.tell(numbers)
	}
	return numbers, nil
}

// transcript is a list of bouts: for each the number of its numbers, its matches and games, and the
// numbers.
type transcript struct{ encoder }

// add notes a bout. The pool's counts must be those of this bout alone.
func (t *transcript) add(numbers []uint64, p *pool) {
	matches, games := p.counts()
	t.number(uint64(len(numbers)))
	t.number(uint64(matches))
	t.number(uint64(games))
	for _, v := range numbers {
		t.number(v)
	}
}

// teller reads transcripts aloud. What it reads comes from another machine.
type teller struct {
	fetch  func() ([]byte, error) // waits for the transcript of the generation
	reject func()                 // called when it is found untrue
	began  bool
	rest   []byte
}

// told returns what the transcript says of the next bout of n numbers.
func (is *island) told(n int) ([]uint64, error) {
	t := is.teller
	if !t.began {
		var err error
		if t.rest, err = t.fetch(); err != nil {
			return nil, err
		}
		t.began = true
	}
	if t.number() != uint64(n) {
		return nil, is.untrue("a bout of another length")
	}
	matches, games := t.number(), t.number()
	if matches > math.MaxInt32 || games > math.MaxInt32 {
		return nil, is.untrue("the number of games")
	}
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = t.number()
	}
	if t.rest == nil {
		return nil, is.untrue("its end")
	}
	is.pool.add(int64(matches), int64(games))
	return numbers, nil
}

// number reads a number. After the end, or a damage, rest is nil.
func (t *teller) number() uint64 {
	v, n := binary.Uvarint(t.rest)
	if n <= 0 {
		t.rest = nil
		return 0
	}
	t.rest = t.rest[n:]
	return v
}

// untrue is the error of outcomes from elsewhere that do not fit the island.
func (is *island) untrue(what string) error {
	if is.teller != nil {
		is.teller.reject()
	}
	return fmt.Errorf("evolve: what was played elsewhere for island %d in generation %d does not "+
		"fit (%s): machines or programs do not agree, or it is damaged", is.index, is.generation,
		what)
}

// place returns a number as a place in the population.
func (is *island) place(v uint64) (int, error) {
	if v >= uint64(len(is.people)) {
		return 0, is.untrue("a place")
	}
	return int(v), nil
}

// worths returns numbers as fitness.
func (is *island) worths(numbers []uint64) ([]float64, error) {
	f := make([]float64, len(numbers))
	for i, v := range numbers {
		if f[i] = math.Float64frombits(v); (is.teller != nil || is.desk != nil) &&
			(math.IsNaN(f[i]) || math.IsInf(f[i], 0)) {
			return nil, is.untrue("a fitness")
		}
	}
	return f, nil
}

// confirm ends a generation's selection: who is told must have come to the same people as who
// played.
func (is *island) confirm() error {
	if is.teller == nil && is.notes == nil && is.desk == nil && is.helper == nil {
		return nil
	}
	sum := uint64(0)
	for _, in := range is.people {
		sum = hashOf(sum, in)
	}
	numbers, err := is.played(1, func(numbers []uint64) error {
		numbers[0] = sum
		return nil
	})
	if err == nil && numbers[0] != sum {
		err = is.untrue("who was bred")
	}
	return err
}
