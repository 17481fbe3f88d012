package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// aSweep is a sweep of some runs, with a coordinator that breeds everything again, and each run
// bred in another directory.
type aSweep struct {
	*coordinator
	grid            *study.Grid
	bred, dir       string
	want, champions map[string]string // by key
}

func newSweepOf(t *testing.T, runs int) *aSweep {
	t.Helper()
	grid, err := runnertest.Parse(t, runnertest.Study(10,
		fmt.Sprintf("[sweep]\nreplicates = %d\n", runs))).Grid()
	proof.OK(t, err)
	s := &aSweep{grid: grid, bred: t.TempDir(), dir: t.TempDir(), want: map[string]string{},
		champions: map[string]string{}}
	for i := range grid.Cells {
		c := &grid.Cells[i]
		sum := proof.Must(sweep.Carry(t.Context(), c, s.bred, runner.Options{}))(t)
		champion := proof.Must(os.ReadFile(filepath.Join(sum.Dir, runner.ChampionFile)))(t)
		s.want[c.Key], s.champions[c.Key] = sum.Fingerprint, string(champion)
	}
	s.again(t)
	return s
}

// again begins with a new coordinator, which knows what the directory says.
func (s *aSweep) again(t *testing.T) {
	t.Helper()
	s.coordinator = newCoordinator(Coordinator{Dir: s.dir, Grid: s.grid, Audit: 1,
		Broker: &simNode{net: newSimNet(0, 0), count: map[string]int{}, name: "sweep"},
		Log:    slog.New(slog.DiscardHandler)})
	proof.OK(t, s.remember())
}

// lies forges a run that was bred, and lets a worker hand it in.
func (s *aSweep) lies(t *testing.T, cell *study.Cell, worker string) {
	t.Helper()
	proof.OK(t, forge(cell.Directory(s.bred), runner.ChampionFile))
	a := handIn(t, s.coordinator, worker, cell, cell.Directory(s.bred))
	if !a.Stored {
		t.Fatalf("%+v", a)
	}
}

// TestAuditFaultEndsTheSweep: where an audit cannot be carried out, at whatever change of the disk
// that fails, slow or at once, the sweep ends with that error, and the run is still due to be bred
// again.
func TestAuditFaultEndsTheSweep(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	const changes = 8 // more than there are
	var all atomic.Int64
	t.Run("change", func(t *testing.T) {
		for change := 1; change <= changes; change++ {
			t.Run(fmt.Sprint(change), func(t *testing.T) {
				t.Parallel()
				if auditFault(t, change) {
					all.Add(1)
				}
			})
		}
	})
	if n := all.Load(); n < 5 || n == changes {
		t.Errorf("%d changes failed", n)
	}
}

// auditFault lets a change of the disk fail, and tells whether an audit has so many.
func auditFault(t *testing.T, change int) bool {
	s := newSweepOf(t, 1)
	cell := &s.grid.Cells[0]
	s.lies(t, cell, "liar")
	broken, n := errors.New("input/output error"), 0
	var failed atomic.Bool
	s.fence = func() error {
		if _, err := os.Stat(filepath.Join(s.dir, sweep.AuditFolder, cell.Key,
			runner.SummaryFile)); err != nil {
			return nil // it is still bred
		}
		if n++; n != change || failed.Swap(true) {
			return nil
		}
		time.Sleep(2 * lookEvery) // a disk that hangs before it fails
		return broken
	}
	err := s.coordinate(t.Context())
	if !failed.Load() {
		if err != nil {
			t.Error(err)
		}
		return false
	}
	sum, fault := sweep.Counts(cell.Directory(s.dir))
	if !errors.Is(err, broken) || fault != nil {
		t.Errorf("the sweep ends with %v; %v", err, fault)
	}
	if sum != nil { // what was bred here may be in its place by then
		proof.Is(t, proof.Must(sweep.ReadOrigin(cell.Directory(s.dir)))(t), nil,
			"what a liar has handed in")
	}
	s.fence = func() error { return nil }
	s.goesOn(t, "then")
	return true
}

// goesOn carries the sweep on without NATS, and holds every run to the bytes that were bred here.
func (s *aSweep) goesOn(t *testing.T, what string) {
	t.Helper()
	if err := sweep.Run(t.Context(), s.grid, s.dir, sweep.Options{}); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for i := range s.grid.Cells {
		c := &s.grid.Cells[i]
		sum, err := sweep.Counts(c.Directory(s.dir))
		if err != nil || sum == nil || sum.Fingerprint != s.want[c.Key] {
			t.Errorf("%s: run %s ended in %+v, %v; alone in %s", what, c.Key, sum, err, s.want[c.Key])
			continue
		}
		if champion, err := os.ReadFile(filepath.Join(sum.Dir, runner.ChampionFile)); err != nil ||
			string(champion) != s.champions[c.Key] {
			t.Errorf("%s: run %s has another champion, %v", what, c.Key, err)
		}
	}
	for _, folder := range []string{sweep.Incoming, sweep.AuditFolder} {
		if _, err := os.Stat(filepath.Join(s.dir, folder)); err == nil {
			t.Errorf("%s: %s is left over", what, folder)
		}
	}
}

// TestDeathBetweenChanges lets a coordinator die at every change of the directory while it takes a
// liar's run, and the same sweep go on without NATS: the liar's run never becomes this machine's,
// and nothing is in the way.
func TestDeathBetweenChanges(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	for _, attempt := range []bool{false, true} {
		for change := 1; ; change++ {
			s := newSweepOf(t, 1)
			cell := &s.grid.Cells[0]
			proof.OK(t, forge(cell.Directory(s.bred), runner.ChampionFile))
			if attempt { // of this machine, which gives way
				partial := cell.Directory(s.dir)
				proof.OK(t, os.CopyFS(partial, os.DirFS(cell.Directory(s.bred))))
				for _, name := range []string{runner.SummaryFile, runner.ChampionFile, rundir.DoneFile} {
					proof.OK(t, os.Remove(filepath.Join(partial, name)))
				}
			}
			killed, n := errors.New("killed"), 0
			s.fence = func() error {
				if n++; n >= change {
					return killed
				}
				return nil
			}
			r := handedOver(t, s.coordinator, cell, cell.Directory(s.bred))
			a, err := s.take(t.Context(), "liar", r)
			if err == nil && a.Stored {
				if change < 4 {
					t.Errorf("it is taken in %d changes", change-1)
				}
				s.goesOn(t, "taken")
				break
			}
			if !errors.Is(err, killed) {
				t.Fatalf("%+v, %v", a, err)
			}
			s.goesOn(t, fmt.Sprintf("died at change %d", change))
		}
	}
}

// TestOlderPlacement goes on where an earlier version died while it placed a run file by file: all
// but the summary is there, with the origin.
func TestOlderPlacement(t *testing.T) {
	proof.Slow(t)
	t.Parallel()
	s := newSweepOf(t, 1)
	cell := &s.grid.Cells[0]
	s.lies(t, cell, "liar")
	proof.OK(t, os.Remove(filepath.Join(cell.Directory(s.dir), runner.SummaryFile)))
	s.goesOn(t, "half placed")
}

// TestHandedInDoesNotCount: what a worker has handed in and nobody has compared is told as such by
// every reader, also what a worker that cheats has handed in before. The next sweep without NATS
// breeds it again, and finds the liar.
func TestHandedInDoesNotCount(t *testing.T) {
	proof.Long(t)
	t.Parallel()
	s := newSweepOf(t, 3)
	for i := range s.grid.Cells {
		s.lies(t, &s.grid.Cells[i], "liar")
	}
	believed := s.grid.Cells[0].Directory(s.dir) // by chance
	o, err := sweep.ReadOrigin(believed)
	if err == nil {
		o.Audit = ""
		err = o.Write(believed)
	}
	proof.OK(t, err)
	p, err := sweep.ReadProgress(s.grid, s.dir)
	if err != nil || p.Total.HandedIn != 2 || p.Total.Done != 1 ||
		p.Cells[1].State != sweep.HandedIn ||
		p.Cells[1].Fingerprint != "" || !strings.Contains(p.Cells[1].Worker, "liar") {
		t.Errorf("%+v, %v", p, err)
	}
	var table strings.Builder
	if p.Write(&table); !strings.Contains(table.String(), "do not count yet: 2;") {
		t.Error(table.String())
	}
	proof.Is(t, len(proof.Must(sweep.Missing(s.grid, s.dir))(t)), 2, "missing runs")
	proof.OK(t, os.WriteFile(filepath.Join(s.dir, sweep.StudyFile),
		[]byte(runnertest.Study(10, "[sweep]\nreplicates = 3\n")), 0o666))
	s.goesOn(t, "handed in")
	all, err := sweep.ReadShutOut(s.dir)
	if err != nil || len(all) != 1 || all[0].Worker != "liar" ||
		all[0].Differs != runner.ChampionFile {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestSummaryOfADiskThatFails: the run is in its place, and only then the disk fails. It is audited
// all the same.
func TestKnownBeforePlaced(t *testing.T) {
	t.Parallel()
	s := newSweepOf(t, 1)
	cell := &s.grid.Cells[0]
	s.fence = func() error {
		if sum, _ := runner.ReadSummary(cell.Directory(s.dir)); sum != nil {
			return errors.New("input/output error")
		}
		return nil
	}
	if err := os.MkdirAll(cell.Directory(s.dir), 0o777); err != nil { // that is to be removed
		t.Fatal(err)
	}
	if a, err := s.take(t.Context(), "w", handedOver(t, s.coordinator, cell,
		cell.Directory(s.bred))); err == nil || a.Stored {
		t.Errorf("%+v, %v", a, err)
	}
	if s.audits[cell.Key] == nil || s.origins[cell.Key] == nil {
		t.Error("nobody audits it")
	}
}

// TestRightsOfAMessage hands in runs whose manifests name what a message may not: files, devices
// and pipes of the coordinator's machine, programs, and more than fits. Each is refused at once,
// and the coordinator goes on meanwhile.
func TestRightsOfAMessage(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	s := newSweepOf(t, 1)
	cell := &s.grid.Cells[0]
	name := func(player string) func(*runner.Manifest) {
		return func(m *runner.Manifest) {
			m.Study = strings.Replace(m.Study, "[measure]\n", "[measure]\nagainst = ['"+player+"']\n", 1)
		}
	}
	for what, change := range map[string]func(m *runner.Manifest){
		"a pipe": name(pipe), "a device": name("/dev/zero"), "a file": name("/etc/passwd"),
		"a program": name("exec:/bin/true"), "a module": name("wasm:" + pipe),
		"a champion": name("run:" + s.bred + "/" + cell.Key),
		"a founder": func(m *runner.Manifest) {
			m.Study = strings.Replace(m.Study, "[evolve.founders]\n",
				"[evolve.founders]\nspecies = ['"+pipe+"']\n", 1)
		},
		"tables": func(m *runner.Manifest) {
			var b strings.Builder
			for i := range 60_000 {
				fmt.Fprintf(&b, "[a%d]\nb = 1\n", i)
			}
			m.Study = b.String()
		},
		"too much": func(m *runner.Manifest) { m.Study += strings.Repeat("#", 64<<20) },
	} {
		run := t.TempDir()
		m, err := runner.ReadManifest(cell.Directory(s.bred))
		if err == nil {
			err = os.CopyFS(run, os.DirFS(cell.Directory(s.bred)))
		}
		proof.OK(t, err)
		before := m.Study
		if change(m); m.Study == before {
			t.Fatalf("%s is not named in\n%s", what, m.Study)
		}
		content := proof.Must(json.Marshal(m))(t)
		proof.OK(t, os.WriteFile(filepath.Join(run, rundir.ManifestFile), content, 0o666))
		proof.OK(t, rundir.Record(run, rundir.ManifestFile))
		r := handedOver(t, s.coordinator, cell, run)
		done := make(chan error, 1)
		go func() {
			a, err := s.take(t.Context(), "w", r)
			if err == nil && a.Stored {
				err = nil
			}
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%s: it is taken", what)
			} else if text := err.Error(); len(text) > 4000 || strings.Contains(text, "root:") {
				t.Errorf("%s: %.999s", what, text)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s keeps the coordinator", what)
		}
	}
}

// TestNobodyWaitsForAResult: while a result is fetched and read, which may take long, the
// coordinator counts what is missing and answers.
func TestNobodyWaitsForAResult(t *testing.T) {
	proof.Slow(t)
	t.Parallel()
	s := newSweepOf(t, 1)
	cell := &s.grid.Cells[0]
	r := handedOver(t, s.coordinator, cell, cell.Directory(s.bred))
	reading, read := make(chan bool), make(chan bool)
	var once sync.Once
	s.fence = func() error {
		once.Do(func() { close(reading); <-read })
		return nil
	}
	taken := make(chan error, 1)
	go func() { _, err := s.take(t.Context(), "w", r); taken <- err }()
	<-reading
	proof.Is(t, len(proof.Must(s.missing())(t)), 1, "runs that are missing")
	close(read)
	proof.OK(t, <-taken)
}
