package evolve

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// crew lets helpers in this process ask a desk: questions and answers are lost now and then, and
// helpers die and come back.
type crew struct {
	setup  Setup // without Together
	many   int
	helped int64
	faults []error
}

func (c *crew) help(ctx context.Context, d *Desk) error {
	d.hurry()
	var group sync.WaitGroup
	var mu sync.Mutex
	for n := range c.many {
		group.Go(func() {
			random := rand.New(rand.NewPCG(3, uint64(n)))
			for ctx.Err() == nil {
				life, die := context.WithCancel(ctx)
				left := 5 + random.IntN(200)
				err := c.setup.Help(life, func(ctx context.Context, question []byte) ([]byte,
					error) {
					if left--; left < 0 {
						die()
						return nil, ctx.Err()
					}
					for {
						answer, err := d.Ask(ctx, question)
						if err != nil || random.IntN(10) > 0 || ctx.Err() != nil {
							return answer, err
						}
					}
				})
				die()
				if err == nil {
					return
				}
				if !errors.Is(err, context.Canceled) {
					mu.Lock()
					c.faults = append(c.faults, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	group.Wait()
	c.helped += d.Helped()
	return nil
}

// hurry lets the desk share the short games of tests.
func (d *Desk) hurry() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.batch = time.Microsecond
}

// TestSharedGames holds a run whose games are shared with helpers, who come and go, to the bytes of
// one that plays alone, also when it is stopped and resumed.
func TestSharedGames(t *testing.T) {
	helped := int64(0)
	for name, c := range variants() {
		if c.Islands > 1 || c.Hall > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := setup(t, c)
			s.Workers = 2
			s.Game.(*numbers).work = 200
			path, done := evolved(t, s)
			want := contents(t, path)
			helpers := &crew{setup: s, many: 2}
			s.Together = helpers.help
			path = interrupted(t, s, done.Fingerprint, func(attempt int) func(*Line) bool {
				return func(l *Line) bool { return attempt == 0 && l.Generation == 6 }
			})
			compare(t, want, contents(t, path))
			if len(helpers.faults) > 0 {
				t.Errorf("helpers failed: %v", helpers.faults)
			}
			helped += helpers.helped
		})
	}
	if helped == 0 {
		t.Error("nobody helped")
	}
}

// Helpers with other people are turned away, and helpers that lie are found out as soon as a piece
// is played twice.
func TestFalseHelpers(t *testing.T) {
	s := setup(t, small())
	s.Workers = 1
	s.Game.(*numbers).work = 5000
	run := func(change func(q *question), help Setup) ([]error, error) {
		var faults []error
		s := s
		s.Together = func(ctx context.Context, d *Desk) error {
			d.hurry()
			faults = append(faults,
				help.Help(ctx, func(ctx context.Context, asked []byte) ([]byte, error) {
					q, err := readQuestion(asked)
					if err != nil {
						return nil, err
					}
					change(q)
					return d.Ask(ctx, q.encode())
				}))
			return nil
		}
		r, err := Create(t.TempDir(), s)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		_, err = r.Evolve(context.Background())
		return faults, err
	}
	if faults, err := run(func(*question) {}, s); err != nil || len(faults) != 1 ||
		faults[0] != nil {
		t.Errorf("%v, %v", err, faults)
	}
	other := s
	other.Seed++
	for _, c := range []struct {
		name         string
		change       func(q *question)
		setup        Setup
		fails, helps string // what the errors of the run and of the helper tell, empty for no error
	}{
		{"another seed", func(*question) {}, other, "", "do not agree"},
		{"a liar", func(q *question) {
			for i := range q.outcomes {
				q.outcomes[i] = 1 << 20
			}
		}, s, "do not agree", ""},
		{"too many outcomes", func(q *question) { q.outcomes = append(q.outcomes, q.outcomes...) },
			s, "", errQuestion.Error()},
	} {
		tells := func(err error, what string) bool {
			return err == nil && what == "" || err != nil && what != "" &&
				strings.Contains(err.Error(), what)
		}
		for try := 1; ; try++ {
			faults, err := run(c.change, c.setup)
			if tells(err, c.fails) &&
				(c.fails != "" || len(faults) == 1 && tells(faults[0], c.helps)) {
				break
			}
			if try == 10 { // a machine that is busy may let the helper come too late, once or twice
				t.Errorf("%s: %v, %v", c.name, err, faults)
				break
			}
		}
	}
	s.Config.Islands = 2
	s.Together = (&crew{}).help
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "islands is 1") {
		t.Errorf("%v", err)
	}
}

// FuzzAsk asks what is no question.
func FuzzAsk(f *testing.F) {
	f.Add((&question{joins: true, hands: 2}).encode())
	f.Add((&question{hands: 1, generation: 3, sum: 1, bout: 2, from: 1, to: 2,
		outcomes: []uint64{1, 2, 3}}).encode())
	f.Add((&question{hands: 1, generation: 3, sum: 2}).encode())
	f.Add([]byte{0, 1, 1, 1, 1, 1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, asked []byte) {
		d := newDesk()
		d.begin(3, nil)
		d.open(4, 1)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, _ = d.Ask(ctx, asked)
	})
}
