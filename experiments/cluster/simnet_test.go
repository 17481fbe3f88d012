package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"clade/experiments/cluster/broker"
)

// simNet is a network with a queue and objects in memory, as package broker describes them,
// that loses, doubles, delays and reorders what is said. It runs in a bubble
// of testing/synctest, where time passes only while all wait. All its chances follow from a seed.
type simNet struct {
	seed   uint64
	faults float64      // share of operations that something happens to
	disk   float64      // share of writes that fail or hang
	disks  atomic.Int64 // that failed
	calm   time.Time    // from then on nothing happens
	over   atomic.Bool  // likewise

	mu       sync.Mutex // never held while time passes
	tasks    []*simTask
	objects  map[string]simObject
	handlers map[string]*simHandler
	trace    [32]byte // of all that happened, in order
	ops      int
	deaths   atomic.Int64
	wrong    map[string]bool // runs that came so, with their workers
	liars    map[string]bool // names
	// the other names, where liars hide
	deceivable atomic.Int64
	// inPlace tells whether a run is in its place, whatever becomes of it there; again counts how
	// often a process offered it to workers all the same, and mostAgain is the most there were
	inPlace   func(subject string) bool
	again     map[string]int
	mostAgain int
}

type simTask struct {
	subject string
	content []byte
	due     time.Time // to be given out
	given   int       // how often
	gone    bool
}

type simObject struct {
	by      string
	content []byte
}

type simHandler struct {
	node   *simNode
	handle func(question []byte) []byte
	turn   chan struct{} // questions are answered one after the other
}

func newSimNet(seed uint64, faults float64) *simNet {
	return &simNet{seed: seed, faults: faults, objects: map[string]simObject{},
		handlers: map[string]*simHandler{}, liars: map[string]bool{},
		wrong: map[string]bool{}, again: map[string]int{}}
}

func (n *simNet) quiet() bool { return n.over.Load() || !time.Now().Before(n.calm) }

func (n *simNet) traced() [32]byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.trace
}

// simNode is a process at the network.
type simNode struct {
	net     *simNet
	name    string
	crashAt int // operation before or in which it dies; 0 for never
	crash   context.CancelFunc

	mu    sync.Mutex
	dead  bool
	ops   int
	count map[string]int
}

var (
	errCrashed = errors.New("this process is dead")
	errLost    = errors.New("no answer came")
	errDisk    = errors.New("input/output error")
)

// node starts a process, which may die at one of its operations.
func (n *simNet) node(name string, crashAt int, crash context.CancelFunc) *simNode {
	return &simNode{net: n, name: name, crashAt: crashAt, crash: crash, count: map[string]int{}}
}

// chances returns a stream of random numbers that depends on who does what for which time, and not
// on the order of goroutines.
func (s *simNode) chances(what string) func() float64 {
	s.mu.Lock()
	s.count[what]++
	n := s.count[what]
	s.mu.Unlock()
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %d", s.net.seed, s.name, what, n))
	at := 0
	return func() float64 {
		if at+8 > len(sum) {
			sum, at = sha256.Sum256(sum[:]), 0
		}
		at += 8
		return float64(binary.LittleEndian.Uint64(sum[at-8:])>>11) / (1 << 53)
	}
}

// step is before every operation and every write: here a process dies.
func (s *simNode) step() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ops++
	if s.ops == s.crashAt && !s.net.quiet() {
		s.dead = true
		s.crash()
	}
	if s.dead {
		return errCrashed
	}
	return nil
}

// stepAt is a step at an instant of its own: of two goroutines that step at one instant either
// could be the one in which the process dies.
func (s *simNode) stepAt(random func() float64) error {
	time.Sleep(time.Duration(random()*float64(time.Millisecond)) + 1)
	return s.step()
}

// write is before every write into a directory. The disk hangs now and then, and fails; and for a
// while it is full.
func (s *simNode) write(dir string) error {
	random := s.chances("write " + filepath.Base(dir))
	if err := s.stepAt(random); err != nil {
		return err
	}
	if s.net.disk == 0 || s.net.quiet() {
		return nil
	}
	fate := random()
	if fate < s.net.disk && random() < 0.5 {
		time.Sleep(time.Duration(random() * float64(3*time.Minute)))
		fate = random() // it comes back, or fails
	}
	if full := time.Until(s.net.calm) % (40 * time.Minute); fate < s.net.disk/2 ||
		full < time.Duration(s.net.disk*float64(40*time.Minute)) {
		s.net.disks.Add(1)
		return errDisk
	}
	return s.step() // it may have died meanwhile
}

// do does an operation, or what the network makes of it.
func (s *simNode) do(ctx context.Context, what, key string, effect func() error) error {
	random := s.chances(what + " " + key)
	if err := s.stepAt(random); err != nil {
		return err
	}
	delay := func() time.Duration {
		d := time.Duration(random() * float64(50*time.Millisecond))
		if !s.net.quiet() && random() < s.net.faults/2 {
			d += time.Duration(random() * float64(70*time.Second)) // the process stood still
		}
		return d + 1
	}
	fate := random()
	lost, unanswered, doubled := fate < s.net.faults/3, fate < s.net.faults*2/3, fate < s.net.faults
	if s.net.quiet() {
		lost, unanswered, doubled = false, false, false
	}
	time.Sleep(delay())
	if lost {
		broker.Wait(ctx, time.Duration(float64(broker.Patience)*random()))
		return errLost
	}
	err := s.apply(what, key, effect)
	time.Sleep(delay())
	switch {
	case unanswered:
		broker.Wait(ctx, time.Duration(float64(broker.Patience)*random()))
		return errLost
	case doubled && what == "offer":
		err = s.apply(what, key, effect)
	}
	if failed := s.step(); failed != nil {
		return failed
	}
	return err
}

// apply lets an operation take place, and notes it.
func (s *simNode) apply(what, key string, effect func() error) error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	err := effect()
	s.net.ops++
	s.net.trace = sha256.Sum256(fmt.Appendf(s.net.trace[:], "%s %s %s %v %v", s.name, what, key,
		err,
		time.Now().UnixNano()))
	return err
}

func (s *simNode) Offer(ctx context.Context, subject string, content []byte) error {
	s.countAgain(subject)
	return s.do(ctx, "offer", subject, func() error {
		for _, t := range s.net.tasks {
			if t.subject == subject && !t.gone {
				return nil
			}
		}
		s.net.tasks = append(s.net.tasks, &simTask{subject: subject, content: content})
		return nil
	})
}

// countAgain counts how often a process in turn offers a run that is in its place.
func (s *simNode) countAgain(subject string) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if of := s.name + " " + subject; s.net.inPlace == nil || !s.net.inPlace(subject) {
		s.net.again[of] = 0
	} else {
		s.net.again[of]++
		s.net.mostAgain = max(s.net.mostAgain, s.net.again[of])
	}
}

func (s *simNode) Withdraw(ctx context.Context, subject string) error {
	return s.do(ctx, "withdraw", subject, func() error {
		for _, t := range s.net.tasks {
			if strings.HasPrefix(t.subject, strings.TrimSuffix(subject, "*")) {
				t.gone = true
			}
		}
		return nil
	})
}

func (s *simNode) Next(ctx context.Context) (broker.Task, error) {
	var next *simTask
	var given int
	err := s.do(ctx, "next", "", func() error {
		for _, t := range s.net.tasks {
			if !t.gone && !time.Now().Before(t.due) {
				t.due, t.given = time.Now().Add(broker.Silence), t.given+1
				next, given = t, t.given
				return nil
			}
		}
		return broker.ErrNone
	})
	if err != nil {
		broker.Wait(ctx, 2*time.Second)
		return nil, err
	}
	return &simDelivery{s, next, given}, nil
}

// simDelivery is a task in the hands of a worker.
type simDelivery struct {
	*simNode
	*simTask
	number int
}

func (d *simDelivery) Subject() string { return d.subject }
func (d *simDelivery) Data() []byte    { return d.content }
func (d *simDelivery) Deliveries() int { return d.number }

// change changes the task, unless another has it by now.
func (d *simDelivery) change(what string, effect func()) error {
	return d.do(context.Background(), what, d.subject, func() error {
		if d.given == d.number {
			effect()
		}
		return nil
	})
}

func (d *simDelivery) InProgress() error {
	return d.change("in progress", func() { d.due = time.Now().Add(broker.Silence) })
}

func (d *simDelivery) DoubleAck(context.Context) error {
	return d.change("ack", func() { d.gone = true })
}

func (d *simDelivery) NakWithDelay(delay time.Duration) error {
	return d.change("nak", func() { d.due = time.Now().Add(delay) })
}

func (d *simDelivery) Term() error { return d.change("term", func() { d.gone = true }) }

// Workers say nothing of themselves: what they say is for people.
func (s *simNode) Announce(string, []byte) error { return nil }

func (s *simNode) Hear(func(string, []byte)) (stop func(), err error) { return func() {}, nil }

func (s *simNode) Put(ctx context.Context, name, by string, content []byte) error {
	return s.do(ctx, "put", name, func() error {
		s.net.objects[name] = simObject{by, content}
		return nil
	})
}

func (s *simNode) Get(ctx context.Context, name string) (content []byte, err error) {
	err = s.do(ctx, "get", name, func() error {
		o, ok := s.net.objects[name]
		if !ok {
			return broker.ErrNone
		}
		content = o.content
		return nil
	})
	return content, err
}

func (s *simNode) By(ctx context.Context, name string) (by string, err error) {
	err = s.do(ctx, "by", name, func() error { by = s.net.objects[name].by; return nil })
	return by, err
}

func (s *simNode) Remove(ctx context.Context, names ...string) (err error) {
	for _, name := range names {
		err = errors.Join(err, s.do(ctx, "remove", name, func() error {
			delete(s.net.objects, name)
			return nil
		}))
	}
	return err
}

func (s *simNode) Objects(ctx context.Context, prefix string) (names []string, err error) {
	err = s.do(ctx, "objects", prefix, func() error {
		for name := range s.net.objects {
			if strings.HasPrefix(name, prefix) {
				names = append(names, name)
			}
		}
		sort.Strings(names)
		return nil
	})
	return names, err
}

func (s *simNode) Ask(ctx context.Context, subject string, question []byte) ([]byte, error) {
	random := s.chances("ask again")
	answers := make(chan []byte, 2) // a question that was doubled has two
	err := s.do(ctx, "ask", subject, func() error {
		h := s.net.handlers[subject]
		if h == nil {
			return errLost
		}
		for copies := 0; copies == 0 || copies == 1 && random() < s.net.faults; copies++ {
			late := time.Duration(float64(copies) * random() * float64(time.Minute))
			go h.answer(late, question, answers)
		}
		return nil
	})
	if err == nil {
		err = ctx.Err() // select takes either of what is there already
	}
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-answers:
		return a, nil
	}
}

func (h *simHandler) answer(late time.Duration, question []byte, answers chan []byte) {
	time.Sleep(late)
	h.turn <- struct{}{}
	defer func() { <-h.turn }()
	random := h.node.chances(fmt.Sprintf("answer %x", sha256.Sum256(question)))
	if h.node.stepAt(random) != nil {
		return
	}
	content := h.handle(question)
	if h.node.stepAt(random) == nil {
		answers <- content
	}
}

func (s *simNode) Answer(subject string, handle func([]byte) []byte) (func(), error) {
	if err := s.step(); err != nil {
		return nil, err
	}
	h := &simHandler{s, handle, make(chan struct{}, 1)}
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.net.handlers[subject] = h
	return func() {
		s.net.mu.Lock()
		defer s.net.mu.Unlock()
		if s.net.handlers[subject] == h {
			delete(s.net.handlers, subject)
		}
	}, nil
}
