package worker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"clade/experiments/sweep"
)

// UnderWay is the work of a worker, for callers that cannot wait for its end. It is safe for
// concurrent use. The zero value holds no work.
type UnderWay struct {
	mu   sync.Mutex
	work map[string]*piece // by name
}

// piece is a run or an epoch under way.
type piece struct {
	sweep.WorkerTask // its key is the name
	study            string
	epoch            bool
	handed           int // generations from which others can continue
}

// change changes a piece of work, which it adds if it is new.
func (u *UnderWay) change(name string, change func(p *piece)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.work[name]
	if p == nil {
		p = &piece{WorkerTask: sweep.WorkerTask{Key: name, Since: time.Now().Round(time.Second)}}
		if u.work == nil {
			u.work = map[string]*piece{}
		}
		u.work[name] = p
	}
	change(p)
}

func (u *UnderWay) end(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.work, name)
}

// list returns what is under way, in the order of the names.
func (u *UnderWay) list() []sweep.WorkerTask {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := []sweep.WorkerTask{}
	for _, name := range slices.Sorted(maps.Keys(u.work)) {
		all = append(all, u.work[name].WorkerTask)
	}
	return all
}

// Lost describes the work that would be bred again if the worker ended now; empty for none.
func (u *UnderWay) Lost() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(u.work)) {
		_, key, _ := strings.Cut(name, ".")
		switch p := u.work[name]; {
		case p.epoch:
			all = append(all, fmt.Sprintf("epoch %s of %s", key, p.study))
		case p.Generation > p.handed:
			all = append(all, fmt.Sprintf("run %s of %s from generation %d to %d", key, p.study,
				p.handed, p.Generation))
		}
	}
	return strings.Join(all, ", ")
}
