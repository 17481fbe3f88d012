package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"clade/engine/durable"
	"clade/evolve/spread"
)

// islands is a run whose islands workers breed.
type islands struct {
	*sharedRun
	coordinator *spread.Coordinator
	offered     map[string]time.Time
	faults      chan error
}

// epochsFolder holds in a run's directory the results that no checkpoint holds yet.
const epochsFolder = ".epochs"

func epochKey(island, from, to int) string { return fmt.Sprintf("%d-%d-%d", island, from, to) }

// objectPrefix begins the names of the epochs of a run in the store.
func objectPrefix(run string) string { return "epoch." + run + "." }

func (i *islands) inputName(key string) string { return objectPrefix(i.Run) + key + ".in" }

// shareIslands offers epochs to workers until its context ends, see spread.RemoteIslands.
func (r *sharedRun) shareIslands(ctx context.Context, c *spread.Coordinator) error {
	at := &islands{sharedRun: r, coordinator: c, offered: map[string]time.Time{},
		faults: make(chan error, 1)}
	if err := at.remember(); err != nil {
		return err
	}
	results, err := at.results(at.Run, at.take)
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

func (i *islands) folder() string { return filepath.Join(i.dir, epochsFolder) }

// offerAll goes on until the context ends or something is wrong with what came.
func (i *islands) offerAll(ctx context.Context) error {
	for {
		changed := i.coordinator.Changed()
		for _, epoch := range i.coordinator.Epochs() {
			if err := i.offerEpoch(ctx, epoch); err != nil && ctx.Err() == nil {
				i.log.Warn(err.Error()) // a server that is away comes back
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

// offerEpoch queues an epoch, and again from time to time, in case it was lost.
func (i *islands) offerEpoch(ctx context.Context, epoch *spread.Epoch) error {
	key := epochKey(epoch.Island, epoch.From, epoch.To)
	if time.Since(i.offered[key]) < silence {
		return nil
	}
	name := i.inputName(key)
	_, err := i.objects.GetInfo(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		var sealed []byte
		if sealed, err = epoch.Seal(i.coordinator.Setup()); err == nil {
			_, err = i.objects.PutBytes(ctx, name, sealed)
		}
	}
	if err != nil {
		return fmt.Errorf("cannot hand epoch %s out: %w", key, err)
	}
	if err := i.offer(ctx, epochPrefix+i.Run+"."+key, &epochTask{call: i.call,
		Key: key, Input: name}); err != nil {
		return err
	}
	i.offered[key] = time.Now()
	return nil
}

// wantedStill is the answer to a worker that asks whether an epoch is to be bred.
const wantedStill = "wanted"

// take stores a result, or tells whether one is wanted.
func (i *islands) take(ctx context.Context, r *result) (string, error) {
	if r.Error != "" {
		i.fault(fmt.Errorf("epoch %s failed on %s: %s", r.Key, r.Host, r.Error))
		return stored, nil
	}
	wanted := slices.ContainsFunc(i.coordinator.Epochs(),
		func(e *spread.Epoch) bool { return epochKey(e.Island, e.From, e.To) == r.Key })
	switch {
	case r.Object == "" && wanted:
		return wantedStill, nil
	case r.Object == "":
		return stored, nil
	}
	sealed, err := i.objects.GetBytes(ctx, r.Object)
	if errors.Is(err, jetstream.ErrObjectNotFound) && !wanted {
		return stored, nil // it was taken before, and cleared away
	}
	if err != nil {
		return "", err
	}
	t, err := spread.OpenResult(i.coordinator.Setup(), sealed)
	if err != nil {
		return "", err
	}
	if t.To >= i.coordinator.Saved() {
		if err := os.MkdirAll(i.folder(), 0o777); err != nil {
			return "", err
		}
		if err := durable.WriteFile(filepath.Join(i.folder(), epochKey(t.Island, t.From, t.To)),
			sealed, 0o666); err != nil {
			return "", err
		}
	}
	if err := i.coordinator.Add(t); err != nil {
		i.fault(err)
		return stored, nil
	}
	i.drop(ctx, leaseKey(i.Run, r.Key), r.Object, i.inputName(r.Key))
	return stored, nil
}

// fault ends the run with an error.
func (i *islands) fault(err error) {
	select {
	case i.faults <- err:
	default:
	}
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
			i.log.Warn("an epoch that was kept is bred again", "epoch", name.text, "error", err)
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

// clear removes what is left of the run from queue and store. When the run goes on, it is offered
// again.
func (i *islands) clear() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	// a worker that takes what stays behind finds that it is not wanted
	_ = i.tasks.Purge(ctx, jetstream.WithPurgeSubject(epochPrefix+i.Run+".*"))
	objects, err := i.objects.List(ctx)
	if err != nil {
		return
	}
	for _, o := range objects {
		if strings.HasPrefix(o.Name, objectPrefix(i.Run)) {
			_ = i.objects.Delete(ctx, o.Name)
		}
	}
}
