package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/evolve/spread"
	"clade/experiments/sweep"
)

// workersFile holds in a run's directory the generations from which on remote workers had a part in
// the run.
const workersFile = ".workers.json"

// newTrust returns what is known of the remote workers of the run.
func (s *Spread) newTrust() (*spread.Trust, error) {
	shutOut, err := sweep.ReadShutOut(s.Dir)
	if err != nil {
		return nil, err
	}
	t := &spread.Trust{Save: s.saveWorkers, Before: map[string]bool{}}
	for _, o := range shutOut {
		t.Before[o.Worker] = true
	}
	if s.Audit > 0 {
		chance := s.chance
		if chance == nil {
			chance = rand.Float64
		}
		t.Audit = func() bool { return chance() < s.Audit }
	}
	path := filepath.Join(s.Dir, workersFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil {
		err = json.Unmarshal(content, &t.Since)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, which says who bred what: %w", path, err)
	}
	return t, nil
}

func (s *Spread) saveWorkers(since map[string]int) error {
	content, err := json.Marshal(since)
	if err == nil {
		err = durable.WriteFile(filepath.Join(s.Dir, workersFile), append(content, '\n'), 0o666)
	}
	return err
}

// settle ends the sharing of a run. Where a worker has lied that had a part in it, the checkpoints
// since then go, and the run goes on from before.
func (s *Spread) settle(t *spread.Trust) error {
	lie := t.Worst()
	if lie != nil { // or a crash could leave the run as it is, with its liar listed
		s.Log.Error("a worker has lied; the run is taken back to where it came in", "worker",
			lie.Worker, "generation", lie.Since)
		if err := rundir.TakeBack(s.Dir, lie.Since); err != nil {
			return err
		}
	}
	for _, l := range t.Lies() {
		differs := "what it had bred or played of the run"
		if err := sweep.RecordShutOut(s.Dir, sweep.ShutOut{Worker: l.Worker, Run: s.Study.Name,
			Differs: differs}); err != nil {
			return err
		}
	}
	if lie == nil {
		return nil
	}
	since := maps.Clone(t.Since)
	maps.DeleteFunc(since, func(worker string, _ int) bool { return t.ShutOut(worker) })
	return s.saveWorkers(since)
}
