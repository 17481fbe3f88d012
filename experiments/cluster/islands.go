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

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/engine/durable"
	"clade/evolve"
	"clade/evolve/spread"
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
	coordinator *spread.Coordinator
	run         string
	studyText   string
	offered     map[string]time.Time
	faults      chan error
}

// epochsFolder holds in a run's directory the results that no checkpoint holds yet.
const epochsFolder = ".epochs"

// epochTask is an epoch to be bred.
type epochTask struct {
	Run   string `json:"run"`
	Key   string `json:"key"`   // island-from-to
	Study string `json:"study"` // in TOML
	Name  string `json:"name"`
	Input string `json:"input"` // the sealed epoch in the store
}

func epochKey(island, from, to int) string { return fmt.Sprintf("%d-%d-%d", island, from, to) }

func (i *islands) inputName(key string) string { return "epoch." + i.run + "." + key + ".in" }

// Check tells why the run cannot be spread; nil if it can.
func (s Spread) Check() error {
	setup, err := runner.Setup(s.Study)
	if err != nil {
		return err
	}
	setup.Remote = s.remote()
	return setup.Check()
}

// Into lets the run that is carried out with these options be spread.
func (s Spread) Into(o *runner.Options) { o.Remote = s.remote() }

func (s Spread) remote() evolve.Remote {
	if s.Study.Evolve.Islands > 1 {
		return spread.RemoteIslands{Serve: s.breed}
	}
	return spread.RemoteGames{Serve: s.share}
}

// text returns the study of the run alone.
func (s Spread) text() (string, error) {
	study := *s.Study
	study.Sweep = nil
	text, err := study.Text()
	return string(text), err
}

// breed offers epochs to workers until its context ends, see spread.RemoteIslands.
func (s Spread) breed(ctx context.Context, c *spread.Coordinator) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	at := &islands{Spread: s, coordinator: c, run: sweepID(s.Dir), studyText: text,
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
	if err != nil || c.Useless() {
		// so that a run that is resumed breeds anew what was untrue
		return errors.Join(err, os.RemoveAll(at.folder()))
	}
	return nil
}

func (i *islands) folder() string { return filepath.Join(i.Dir, epochsFolder) }

// offerAll goes on until the context ends or something is wrong with what came.
func (i *islands) offerAll(ctx context.Context) error {
	for {
		changed := i.coordinator.Changed()
		for _, epoch := range i.coordinator.Epochs() {
			if err := i.offerEpoch(ctx, epoch); err != nil && ctx.Err() == nil {
				i.Log.Warn(err.Error()) // a server that is away comes back
				break
			}
		}
		if err := i.forget(i.coordinator.Saved()); err != nil {
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

// offerEpoch puts an epoch on the board, and again from time to time, in case it was lost there.
func (i *islands) offerEpoch(ctx context.Context, epoch *spread.Epoch) error {
	key := epochKey(epoch.Island, epoch.From, epoch.To)
	if time.Since(i.offered[key]) < silence {
		return nil
	}
	name := i.inputName(key)
	if _, err := i.packs.GetInfo(ctx, name); errors.Is(err, jetstream.ErrObjectNotFound) {
		sealed, err := epoch.Seal(i.coordinator.Setup())
		if err != nil {
			return err
		}
		if _, err := i.packs.PutBytes(ctx, name, sealed); err != nil {
			return fmt.Errorf("cannot hand epoch %s out: %w", key, err)
		}
	} else if err != nil {
		return fmt.Errorf("cannot hand epoch %s out: %w", key, err)
	}
	if err := i.put(ctx, epochsPrefix+i.run+"."+key,
		&epochTask{Run: i.run, Key: key, Study: i.studyText,
			Name: i.Study.Name, Input: name}); err != nil {
		return err
	}
	i.offered[key] = time.Now()
	return nil
}

// wantedStill is the answer to a worker that asks whether an epoch is to be bred.
const wantedStill = "wanted"

// receive takes a result and answers when it is on the disk. A result without a result asks whether
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
		i.Log.Warn("a result was not taken", "error", err)
		answer = err.Error()
	}
	_ = m.Respond([]byte(answer)) // a lost answer is asked for again
}

func (i *islands) take(r *result) error {
	if r.Error != "" {
		i.fault(fmt.Errorf("epoch %s failed on %s: %s", r.Key, r.Host, r.Error))
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
	t, err := spread.OpenResult(i.coordinator.Setup(), sealed)
	if err != nil {
		return err
	}
	if t.To >= i.coordinator.Saved() {
		if err := i.keep(t, sealed); err != nil {
			return err
		}
	}
	if err := i.coordinator.Add(t); err != nil {
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

// wanted tells whether an epoch can be bred now.
func (i *islands) wanted(key string) bool {
	return slices.ContainsFunc(i.coordinator.Epochs(),
		func(e *spread.Epoch) bool { return epochKey(e.Island, e.From, e.To) == key })
}

// keep writes a result to the disk.
func (i *islands) keep(t *spread.EpochResult, sealed []byte) error {
	if err := os.MkdirAll(i.folder(), 0o777); err != nil {
		return err
	}
	path := filepath.Join(i.folder(), epochKey(t.Island, t.From, t.To))
	if err := durable.WriteFile(path, sealed, 0o666); err != nil {
		return err
	}
	return nil
}

// remember tells the coordinator what was kept before this process began. What is damaged is bred
// again.
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
		t, err := spread.OpenResult(i.coordinator.Setup(), sealed)
		if err == nil {
			err = i.coordinator.Add(t)
		}
		if err != nil {
			i.Log.Warn("an epoch that was kept is bred again", "epoch", name.text, "error", err)
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// epochName is the name of a kept result.
type epochName struct {
	text             string
	island, from, to int
}

// kept lists the kept results in the order of their beginnings.
func (i *islands) kept() ([]epochName, error) {
	entries, err := os.ReadDir(i.folder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []epochName
	for _, e := range entries {
		n := epochName{text: e.Name()}
		if k, _ := fmt.Sscanf(n.text, "%d-%d-%d", &n.island, &n.from, &n.to); k == 3 &&
			n.text == epochKey(n.island, n.from, n.to) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b epochName) int { return a.from + a.to - b.from - b.to })
	return names, nil
}

// forget removes the results that a checkpoint has made superfluous.
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
	_ = i.tasks.Purge(ctx, jetstream.WithPurgeSubject(epochsPrefix+i.run+".*"))
	objects, err := i.packs.List(ctx)
	if err != nil {
		return
	}
	for _, o := range objects {
		if strings.HasPrefix(o.Name, "epoch."+i.run+".") {
			_ = i.packs.Delete(ctx, o.Name)
		}
	}
}

// setupCache is what a worker needs for the epochs of one run.
type setupCache struct {
	study string
	setup evolve.Setup
}

// epochSetup returns the setup of an epoch's run.
func (w *worker) epochSetup(t *epochTask) (*evolve.Setup, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.setup != nil && w.setup.study == t.Name+"\n"+t.Study {
		return &w.setup.setup, nil
	}
	setup, err := setupOf(t.Name, t.Study)
	if err != nil {
		return nil, err
	}
	setup.Workers = w.processors()
	w.setup = &setupCache{t.Name + "\n" + t.Study, setup}
	return &w.setup.setup, nil
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

// handleEpoch breeds one epoch, and says to the queue what came of it only after the run's machine
// has it on its disk.
func (w *worker) handleEpoch(ctx context.Context, msg jetstream.Msg) error {
	back := func(err error) error {
		return errors.Join(err, msg.NakWithDelay(min(5*time.Second, w.Silence)))
	}
	var t epochTask
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("a damaged task: %w", err), msg.Term())
	}
	setup, err := w.epochSetup(&t)
	if err != nil {
		return back(err)
	}
	wanted, err := w.epochWanted(ctx, &t)
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
	epoch, err := spread.OpenEpoch(setup, sealed)
	if err != nil {
		return back(err)
	}
	w.Log.Info("took an epoch", "epoch", t.Key, "study", t.Name, "worker number", g.Number)
	bred, err := w.breed(ctx, setup, epoch, g, msg)
	switch {
	case errors.Is(err, errFenced):
		return err // the epoch is in other hands; the queue knows
	case ctx.Err() != nil:
		w.Log.Info("stepped down", "epoch", t.Key)
		return msg.Nak()
	}
	r := result{Key: t.Key, Host: w.name}
	if err != nil {
		r.Error = err.Error()
	} else if sealed, err = bred.Seal(setup); err != nil {
		return back(err)
	} else {
		r.Pack = fmt.Sprintf("epoch.%s.%s.%d.%d", t.Run, t.Key, g.Number, g.revision)
		if _, err := w.packs.PutBytes(ctx, r.Pack, sealed); err != nil {
			return back(fmt.Errorf("cannot hand an epoch over: %w", err))
		}
	}
	if err := w.deliver(ctx, msg, t.Run, &r); err != nil {
		return back(err)
	}
	w.Log.Info("done", "epoch", t.Key, "error", r.Error)
	return msg.DoubleAck(context.WithoutCancel(ctx))
}

// epochWanted asks the run's machine whether an epoch is to be bred. While that machine is away
// nothing is bred for it.
func (w *worker) epochWanted(ctx context.Context, t *epochTask) (bool, error) {
	content, err := json.Marshal(result{Key: t.Key, Host: w.name})
	if err != nil {
		return false, err
	}
	one, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := w.conn.RequestWithContext(one, resultPrefix+t.Run, content)
	if err != nil {
		return false, fmt.Errorf("the run of epoch %s is away: %w", t.Key, err)
	}
	return string(answer.Data) != stored, nil
}

// breed breeds an epoch and shows signs of life meanwhile. It stops when the epoch is in other
// hands.
func (w *worker) breed(ctx context.Context, s *evolve.Setup, epoch *spread.Epoch, g *grip,
	msg jetstream.Msg) (*spread.EpochResult, error) {
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
				w.Log.Warn("cannot show a sign of life; the epoch goes on", "epoch", g.key, "error",
					err)
			}
		}
	}()
	bred, err := epoch.Breed(working, s)
	fenced := errors.Is(context.Cause(working), errFenced)
	stop(nil)
	<-ended
	if fenced {
		return nil, errFenced
	}
	return bred, err
}
