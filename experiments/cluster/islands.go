package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/evolve"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Spread lets workers do a part of one run. Where the run has islands, workers breed them, and the
// run's directory keeps what they hand back until a checkpoint of the run holds it; where it has
// one population, they play some of its games.
type Spread struct {
	Access Access
	Dir    string       // of the run
	Study  *study.Study // of the run
	Log    *slog.Logger
}

// islands is a Spread of islands at work.
type islands struct {
	*board
	Spread
	ledger   *evolve.Ledger
	run      string
	legStudy string
	offered  map[string]time.Time
	faults   chan error
}

// legsFolder holds in a run's directory the trails that no checkpoint holds yet.
const legsFolder = ".legs"

// legTask is a leg to be bred.
type legTask struct {
	Run   string `json:"run"`
	Key   string `json:"key"`   // island-from-to
	Study string `json:"study"` // in TOML
	Name  string `json:"name"`
	Input string `json:"input"` // the sealed leg in the store
}

func legKey(island, from, to int) string { return fmt.Sprintf("%d-%d-%d", island, from, to) }

func (i *islands) inputName(key string) string { return "leg." + i.run + "." + key + ".in" }

// Check tells why the run cannot be spread; nil if it can.
func (s Spread) Check() error {
	setup, err := runner.Setup(s.Study)
	if err != nil {
		return err
	}
	if s.Study.Evolve.Islands > 1 {
		setup.Elsewhere = s.breed
	} else {
		setup.Together = s.share
	}
	return setup.Check()
}

// Into lets the run that is carried out with these options be spread.
func (s Spread) Into(o *runner.Options) {
	if s.Study.Evolve.Islands > 1 {
		o.Elsewhere = s.breed
	} else {
		o.Together = s.share
	}
}

// text returns the study of the run alone.
func (s Spread) text() (string, error) {
	study := *s.Study
	study.Sweep = nil
	text, err := study.Text()
	return string(text), err
}

// breed offers legs to workers until its context ends: an evolve.Setup.Elsewhere.
func (s Spread) breed(ctx context.Context, l *evolve.Ledger) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	at := &islands{Spread: s, ledger: l, run: sweepID(s.Dir), legStudy: text,
		offered: map[string]time.Time{}, faults: make(chan error, 1)}
	if at.board, err = openBoard(ctx, &s.Access, "clade run "+s.Study.Name,
		func(err error) { s.Log.Warn("NATS", "error", err) }); err != nil {
		return err
	}
	defer at.conn.Close()
	if err := at.remember(); err != nil {
		return err
	}
	results, err := at.conn.Subscribe(resultPrefix+at.run, at.receive)
	if err != nil {
		return err
	}
	err = at.offerAll(ctx)
	_ = results.Drain()
	at.clear()
	if err != nil || l.Useless() {
		// so that a run that is resumed breeds anew what was untrue
		return errors.Join(err, os.RemoveAll(at.folder()))
	}
	return nil
}

func (i *islands) folder() string { return filepath.Join(i.Dir, legsFolder) }

// offerAll goes on until the context ends or something is wrong with what came.
func (i *islands) offerAll(ctx context.Context) error {
	for {
		changed := i.ledger.Changed()
		for _, leg := range i.ledger.Legs() {
			if err := i.offerLeg(ctx, leg); err != nil && ctx.Err() == nil {
				i.Log.Warn(err.Error()) // a server that is away comes back
				break
			}
		}
		if err := i.forget(i.ledger.Saved()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-i.faults:
			return err
		case <-changed:
		case <-time.After(lookEvery):
		}
	}
}

// offerLeg puts a leg on the board, and again from time to time, in case it was lost there.
func (i *islands) offerLeg(ctx context.Context, leg *evolve.Leg) error {
	key := legKey(leg.Island, leg.From, leg.To)
	if time.Since(i.offered[key]) < silence {
		return nil
	}
	name := i.inputName(key)
	if _, err := i.packs.GetInfo(ctx, name); errors.Is(err, jetstream.ErrObjectNotFound) {
		sealed, err := leg.Seal(i.ledger.Setup())
		if err != nil {
			return err
		}
		if _, err := i.packs.PutBytes(ctx, name, sealed); err != nil {
			return fmt.Errorf("cannot hand leg %s out: %w", key, err)
		}
	} else if err != nil {
		return fmt.Errorf("cannot hand leg %s out: %w", key, err)
	}
	if err := i.put(ctx, legsPrefix+i.run+"."+key, &legTask{Run: i.run, Key: key, Study: i.legStudy,
		Name: i.Study.Name, Input: name}); err != nil {
		return err
	}
	i.offered[key] = time.Now()
	return nil
}

// wantedStill is the answer to a worker that asks whether a leg is to be bred.
const wantedStill = "wanted"

// receive takes a trail and answers when it is on the disk. A result without a trail asks whether
// one is wanted.
func (i *islands) receive(m *nats.Msg) {
	answer := stored
	var r result
	err := json.Unmarshal(m.Data, &r)
	switch {
	case err == nil && r.Pack == "" && r.Error == "":
		if i.wanted(r.Key) {
			answer = wantedStill
		}
	case err == nil:
		err = i.take(&r)
	}
	if err != nil {
		i.Log.Warn("a trail was not taken", "error", err)
		answer = err.Error()
	}
	_ = m.Respond([]byte(answer)) // a lost answer is asked for again
}

func (i *islands) take(r *result) error {
	if r.Error != "" {
		i.fault(fmt.Errorf("leg %s failed on %s: %s", r.Key, r.Host, r.Error))
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	sealed, err := i.packs.GetBytes(ctx, r.Pack)
	if errors.Is(err, jetstream.ErrObjectNotFound) && !i.wanted(r.Key) {
		return nil // it was taken before, and cleared away
	}
	if err != nil {
		return err
	}
	t, err := evolve.OpenTrail(i.ledger.Setup(), sealed)
	if err != nil {
		return err
	}
	if t.To >= i.ledger.Saved() {
		if err := i.keep(t, sealed); err != nil {
			return err
		}
	}
	if err := i.ledger.Add(t); err != nil {
		i.fault(err)
		return nil
	}
	_ = i.packs.Delete(ctx, r.Pack) // what stays behind only takes room
	_ = i.packs.Delete(ctx, i.inputName(r.Key))
	_ = i.leases.Purge(ctx, holdKey(i.run, r.Key))
	return nil
}

// fault ends the run with an error.
func (i *islands) fault(err error) {
	select {
	case i.faults <- err:
	default:
	}
}

// wanted tells whether a leg can be bred now.
func (i *islands) wanted(key string) bool {
	return slices.ContainsFunc(i.ledger.Legs(),
		func(l *evolve.Leg) bool { return legKey(l.Island, l.From, l.To) == key })
}

// keep writes a trail to the disk.
func (i *islands) keep(t *evolve.Trail, sealed []byte) error {
	if err := os.MkdirAll(i.folder(), 0o777); err != nil {
		return err
	}
	if err := renameio.WriteFile(filepath.Join(i.folder(), legKey(t.Island, t.From, t.To)), sealed,
		0o666); err != nil {
		return err
	}
	return syncFolder(i.folder())
}

// remember tells the ledger what was kept before this process began. What is damaged is bred again.
func (i *islands) remember() error {
	names, err := i.kept()
	if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(i.folder(), name.text)
		sealed, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		t, err := evolve.OpenTrail(i.ledger.Setup(), sealed)
		if err == nil {
			err = i.ledger.Add(t)
		}
		if err != nil {
			i.Log.Warn("a leg that was kept is bred again", "leg", name.text, "error", err)
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// legName is the name of a kept trail.
type legName struct {
	text             string
	island, from, to int
}

// kept lists the kept trails in the order of their beginnings.
func (i *islands) kept() ([]legName, error) {
	entries, err := os.ReadDir(i.folder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []legName
	for _, e := range entries {
		n := legName{text: e.Name()}
		if k, _ := fmt.Sscanf(n.text, "%d-%d-%d", &n.island, &n.from, &n.to); k == 3 &&
			n.text == legKey(n.island, n.from, n.to) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b legName) int { return a.from + a.to - b.from - b.to })
	return names, nil
}

// forget removes the trails that a checkpoint has made superfluous.
func (i *islands) forget(saved int) error {
	names, err := i.kept()
	if err != nil {
		return err
	}
	for _, n := range names {
		if n.to < saved {
			if err := os.Remove(filepath.Join(i.folder(), n.text)); err != nil {
				return err
			}
			delete(i.offered, n.text)
		}
	}
	return nil
}

// clear takes what is left of the run from the board: when it goes on, it is offered again.
func (i *islands) clear() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	// what stays behind is found untaken, and given up by the worker
	_ = i.tasks.Purge(ctx, jetstream.WithPurgeSubject(legsPrefix+i.run+".*"))
	objects, err := i.packs.List(ctx)
	if err != nil {
		return
	}
	for _, o := range objects {
		if strings.HasPrefix(o.Name, "leg."+i.run+".") {
			_ = i.packs.Delete(ctx, o.Name)
		}
	}
}

// crew is what a worker needs for the legs of one run.
type crew struct {
	study string
	setup evolve.Setup
}

// legSetup returns the setup of a leg's run.
func (w *worker) legSetup(t *legTask) (*evolve.Setup, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.crew != nil && w.crew.study == t.Name+"\n"+t.Study {
		return &w.crew.setup, nil
	}
	setup, err := setupOf(t.Name, t.Study)
	if err != nil {
		return nil, err
	}
	setup.Workers = w.processors()
	w.crew = &crew{t.Name + "\n" + t.Study, setup}
	return &w.crew.setup, nil
}

// setupOf makes the setup of a study that came from elsewhere.
func setupOf(name, text string) (evolve.Setup, error) {
	s, err := study.Parse(name+".toml", []byte(text))
	if err != nil {
		return evolve.Setup{},
			fmt.Errorf("this program does not understand the study %s: %w", name, err)
	}
	return runner.Setup(s)
}

// handleLeg breeds one leg, and says to the queue what came of it only after the run's machine has
// it on its disk.
func (w *worker) handleLeg(ctx context.Context, msg jetstream.Msg) error {
	back := func(err error) error {
		return errors.Join(err, msg.NakWithDelay(min(5*time.Second, w.Silence)))
	}
	var t legTask
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("a damaged task: %w", err), msg.Term())
	}
	setup, err := w.legSetup(&t)
	if err != nil {
		return back(err)
	}
	wanted, err := w.legWanted(ctx, &t)
	if err != nil {
		return back(err)
	}
	if !wanted {
		// it was bred, and the worker died before it could say so here
		return msg.DoubleAck(context.WithoutCancel(ctx))
	}
	g, err := w.take(ctx, holdKey(t.Run, t.Key), w.name)
	if err != nil {
		return back(err)
	}
	sealed, err := w.packs.GetBytes(ctx, t.Input)
	if err != nil {
		return back(err)
	}
	leg, err := evolve.OpenLeg(setup, sealed)
	if err != nil {
		return back(err)
	}
	w.Log.Info("took a leg", "leg", t.Key, "study", t.Name, "worker number", g.Number)
	trail, err := w.breed(ctx, setup, leg, g, msg)
	switch {
	case errors.Is(err, errFenced):
		return err // the leg is in other hands; the queue knows
	case ctx.Err() != nil:
		w.Log.Info("stepped down", "leg", t.Key)
		return msg.Nak()
	}
	r := result{Key: t.Key, Host: w.name}
	if err != nil {
		r.Error = err.Error()
	} else if sealed, err = trail.Seal(setup); err != nil {
		return back(err)
	} else {
		r.Pack = fmt.Sprintf("leg.%s.%s.%d.%d", t.Run, t.Key, g.Number, g.revision)
		if _, err := w.packs.PutBytes(ctx, r.Pack, sealed); err != nil {
			return back(fmt.Errorf("cannot hand a leg over: %w", err))
		}
	}
	if err := w.deliver(ctx, msg, t.Run, &r); err != nil {
		return back(err)
	}
	w.Log.Info("done", "leg", t.Key, "error", r.Error)
	return msg.DoubleAck(context.WithoutCancel(ctx))
}

// legWanted asks the run's machine whether a leg is to be bred. While that machine is away nothing
// is bred for it.
func (w *worker) legWanted(ctx context.Context, t *legTask) (bool, error) {
	content, err := json.Marshal(result{Key: t.Key, Host: w.name})
	if err != nil {
		return false, err
	}
	one, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := w.conn.RequestWithContext(one, resultPrefix+t.Run, content)
	if err != nil {
		return false, fmt.Errorf("the run of leg %s is away: %w", t.Key, err)
	}
	return string(answer.Data) != stored, nil
}

// breed breeds a leg and shows signs of life meanwhile. It stops when the leg is in other hands.
func (w *worker) breed(ctx context.Context, s *evolve.Setup, leg *evolve.Leg, g *grip,
	msg jetstream.Msg) (*evolve.Trail, error) {
	working, stop := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(w.Silence / 4)
		defer tick.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-tick.C:
			}
			if err := g.sign(msg, w.Silence/2); errors.Is(err, errFenced) {
				stop(err)
				return
			} else if err != nil {
				w.Log.Warn("cannot show a sign of life; the leg goes on", "leg", g.key, "error",
					err)
			}
		}
	}()
	trail, err := s.Breed(working, leg)
	fenced := errors.Is(context.Cause(working), errFenced)
	stop(nil)
	<-ended
	if fenced {
		return nil, errFenced
	}
	return trail, err
}
