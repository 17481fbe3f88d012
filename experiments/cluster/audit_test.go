package cluster

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// TestAuditOfFiles forges files of a run that its fingerprint does not cover. A run that was bred
// again is as if no worker had been, and who has lied in what readers take for a result is told.
func TestAuditOfFiles(t *testing.T) {
	proof.Costly(t)
	ctx := context.Background()
	grid, err := runnertest.Parse(t, runnertest.Study(10, "[sweep]\nreplicates = 1\n")).Grid()
	proof.OK(t, err)
	cell, bred := &grid.Cells[0], t.TempDir()
	proof.Must(sweep.Carry(ctx, cell, bred, runner.Options{}))(t)
	want := runnertest.Bytes(t, cell.Directory(bred))
	for _, c := range []struct {
		name string
		told bool
	}{
		{"nothing", false}, {"champion.species", true}, {"measures.jsonl", true},
		{"done.json", true}, {"figures/growth.csv", false}, {"figures/forged.tex", false},
		{"monitor/played", false}, {"shut-out.jsonl", false},
	} {
		node := &simNode{net: newSimNet(0, 0), count: map[string]int{}, name: "sweep"}
		dir, forged := t.TempDir(), t.TempDir()
		at := newCoordinator(Coordinator{Broker: node, Dir: dir, Grid: grid, Audit: 1,
			Log: slog.New(slog.DiscardHandler)})
		proof.OK(t, at.remember())
		proof.OK(t, os.CopyFS(forged, os.DirFS(cell.Directory(bred))))
		if c.name != "nothing" {
			proof.OK(t, forge(forged, c.name))
		}
		if a := handIn(t, at, "w", cell, forged); !a.Stored {
			t.Fatalf("%s: %+v", c.name, a)
		}
		proof.OK(t, at.audit(ctx, cell))
		proof.Is(t, at.rejected.Alone["w"], c.told, "%s: who forged it is shut out", c.name)
		have := runnertest.Bytes(t, cell.Directory(dir))
		delete(have, sweep.OriginFile)
		for name := range have {
			if have[name] != want[name] {
				t.Errorf("%s: %s is not as it was bred", c.name, name)
			}
		}
		proof.Is(t, len(have), len(want), "%s: files", c.name)
	}
}

// forge changes a file of a run, and its checksum.
func forge(run, name string) error {
	path := filepath.Join(run, name)
	content, _ := os.ReadFile(path)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777),
		os.WriteFile(path, append(content, '\n'), 0o666), rundir.Record(run, name))
}

// anotherBegan writes into a worker's run that another has begun it.
func anotherBegan(run string) error {
	var names []string
	path := filepath.Join(run, "begun-by")
	_, err := durable.ReadJSON(path, &names)
	return errors.Join(err, durable.WriteJSON(path, append([]string{"another"}, names...), 0o666))
}

// handedOver puts a run that lies in a directory where a coordinator finds it.
func handedOver(t *testing.T, at *coordinator, cell *study.Cell, run string,
	before ...string) *result {
	t.Helper()
	archive, err := snapshot(run)
	if err == nil {
		err = at.Broker.Put(t.Context(), workName(at.sweep, cell.Key), "", archive)
	}
	proof.OK(t, err)
	sum := sha256.Sum256(archive)
	return &result{Key: cell.Key, Sum: sum[:], Before: before}
}

// handIn hands a coordinator a run that lies in a directory.
func handIn(t *testing.T, at *coordinator, worker string, cell *study.Cell, run string,
	before ...string) answer {
	t.Helper()
	a := proof.Must(at.take(t.Context(), worker, handedOver(t, at, cell, run, before...)))(t)
	return a
}

// TestNothingIsTakenAtTheEnd hands a run in, as a message does that was on its way, when the sweep
// is over but for that run: it is not taken, for nobody would audit it.
func TestNothingIsTakenAtTheEnd(t *testing.T) {
	grid, err := runnertest.Parse(t, runnertest.Study(10, "[sweep]\nreplicates = 1\n")).Grid()
	proof.OK(t, err)
	cell, bred, dir := &grid.Cells[0], t.TempDir(), t.TempDir()
	proof.Must(sweep.Carry(t.Context(), cell, bred, runner.Options{}))(t)
	at := newCoordinator(Coordinator{Dir: dir, Grid: grid, Audit: 1,
		Broker: &simNode{net: newSimNet(0, 0), count: map[string]int{}, name: "sweep"},
		Log:    slog.New(slog.DiscardHandler)})
	at.failed[cell.Key] = "no memory"
	if err := at.coordinate(t.Context()); !errors.Is(err, ErrFailed) {
		t.Fatal(err)
	}
	r := handedOver(t, at, cell, cell.Directory(bred))
	if a, err := at.take(t.Context(), "w", r); err == nil {
		t.Errorf("it is taken: %+v", a)
	}
	proof.Is(t, proof.Must(runner.ReadSummary(cell.Directory(dir)))(t), nil, "the summary")
}

// TestSharedRunsGoBack: of two runs that the same two workers had a part in, one is found to
// differ. The other goes back, nothing that they share is taken any more, and what each breeds
// alone is, also by the next coordinator.
func TestSharedRunsGoBack(t *testing.T) {
	proof.Slow(t)
	grid, err := runnertest.Parse(t, runnertest.Study(10, "[sweep]\nreplicates = 2\n")).Grid()
	proof.OK(t, err)
	bred, dir := t.TempDir(), t.TempDir()
	at := newCoordinator(Coordinator{Dir: dir, Grid: grid, Audit: 1,
		Broker: &simNode{net: newSimNet(0, 0), count: map[string]int{}, name: "sweep"},
		Log:    slog.New(slog.DiscardHandler)})
	proof.OK(t, at.remember())
	for i := range grid.Cells {
		c := &grid.Cells[i]
		proof.Must(sweep.Carry(t.Context(), c, bred, runner.Options{}))(t)
		if i == 0 {
			err = forge(c.Directory(bred), runner.ChampionFile)
		}
		if a := handIn(t, at, "w", c, c.Directory(bred), "partner"); err != nil || !a.Stored {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	proof.OK(t, at.audit(t.Context(), &grid.Cells[0]))
	second := &grid.Cells[1]
	missing, err := sweep.Missing(grid, dir)
	if err != nil || len(missing) != 1 || missing[0].Key != second.Key {
		t.Errorf("missing are %v, %v", missing, err)
	}
	for range 2 {
		if shared := at.rejected.Shared; len(at.rejected.Alone) > 0 || len(shared) != 2 ||
			!shared["w"] || !shared["partner"] {
			t.Errorf("shut out are %v, apart %v", at.rejected.Alone, at.rejected.Shared)
		}
		for _, c := range []struct {
			worker string
			before []string
			anew   bool
		}{{"w", []string{"partner"}, true}, {"x", []string{"partner"}, true}, {"x", nil, false},
			{"w", []string{"unknown"}, true}, {"w", nil, false}} {
			// what is not refused for its makers is compared with its sum
			a, err := at.take(t.Context(), c.worker,
				&result{Key: second.Key, Before: c.before, Sum: []byte("gone")})
			if a.Anew != c.anew || (err != nil) == c.anew {
				t.Errorf("%s hands in a run of %v: %+v, %v", c.worker, c.before, a, err)
			}
		}
		if a := handIn(t, at, "w", second, second.Directory(bred), "partner"); !a.Anew {
			t.Errorf("what they share is answered by %+v", a)
		}
		at = newCoordinator(at.Coordinator)
		proof.OK(t, at.remember())
	}
	if a := handIn(t, at, "w", second, second.Directory(bred)); !a.Stored {
		t.Errorf("what it has bred alone is answered by %+v", a)
	}
}

// TestShutOutStays: a worker that was shut out of a shared run stays so when the run is resumed.
func TestShutOutStays(t *testing.T) {
	s := Spread{Dir: t.TempDir(), Study: &study.Study{}}
	proof.OK(t, sweep.RecordShutOut(s.Dir, sweep.ShutOut{Worker: "liar"}))
	trust, err := s.newTrust()
	if err != nil || !trust.shutOut("liar") || trust.shutOut("other") {
		t.Errorf("%+v, %v", trust, err)
	}
	proof.OK(t, trust.settle())
	proof.Is(t, len(proof.Must(sweep.ReadShutOut(s.Dir))(t)), 1, "how many are shut out")
}

// TestTrust: the first of every worker is due, and then what the audit chooses; a lie tells since
// when the run may be untrue, and nothing where nothing of the liar was taken. What is saved of a
// worker is where it came in first.
func TestTrust(t *testing.T) {
	s := Spread{Dir: t.TempDir(), Study: &study.Study{}, Audit: 0.5}
	audit := 1.0
	s.chance = func() float64 { return audit }
	trust := proof.Must(s.newTrust())(t)
	for range 2 {
		if !trust.shouldAudit("w") {
			t.Error("its first is believed")
		}
	}
	trust.markGood("w")
	if trust.shouldAudit("w") || !trust.shouldAudit("other") {
		t.Error("who was right once is due, or another is not")
	}
	for _, generation := range []int{7, 3, 5} {
		proof.OK(t, trust.accept("w", generation))
	}
	if saved, err := s.newTrust(); err != nil || len(saved.since) != 1 || saved.since["w"] != 3 {
		t.Errorf("%v had a part, %v", saved.since, err)
	}
	if since, spoilt := trust.worstFault(); trust.markBad("other") || spoilt {
		t.Errorf("a liar of which nothing was taken makes a run untrue since %d", since)
	}
	if audit = 0; !trust.shouldAudit("w") {
		t.Error("what the audit chooses is not due")
	}
	spoilt := trust.markBad("w")
	if since, _ := trust.worstFault(); since != 3 || !spoilt {
		t.Errorf("the run is untrue since %d, %t", since, spoilt)
	}
	if trust.accept("w", 1) == nil {
		t.Error("what was on its way when a liar was found counts")
	}
	if !trust.shutOut("w") || !trust.shutOut("other") || trust.shutOut("third") {
		t.Error("others than the liars are shut out")
	}
}

// TestLiarWithPartners lets a worker forge every run that it hands in and say that another had
// begun it, until that is no longer taken. Then it is found alone.
func TestLiarWithPartners(t *testing.T) {
	proof.Costly(t)
	dir, g, want := openSweep(t, 10, 4)
	s := serve(t, dir, "127.0.0.1:0")
	ended := coordinate(t, s.Inside, dir, g)
	work := func(carry sweep.Carrier) (string, <-chan error) {
		b, err := broker.Join(context.Background(), s.Access, "test", slog.New(slog.DiscardHandler))
		proof.OK(t, err)
		t.Cleanup(b.Close)
		public, key, err := ed25519.GenerateKey(nil)
		proof.OK(t, err)
		w := Worker{Broker: b, Scope: runnertest.Scope(), Scratch: t.TempDir(), Workers: 1,
			Silence: quick, Log: slog.New(slog.DiscardHandler), Key: key, Carry: carry}
		worked := make(chan error, 1)
		ctx, leave := context.WithCancel(context.Background())
		var home sync.WaitGroup
		home.Go(func() { worked <- w.Work(ctx) })
		t.Cleanup(func() { leave(); home.Wait() })
		return broker.NameOf(public), worked
	}
	lies := 0
	liar, found := work(func(ctx context.Context, c *study.Cell, at string,
		o runner.Options) (*runner.Summary, error) {
		sum, err := sweep.Carry(ctx, c, at, o)
		run := c.Directory(at)
		err = errors.Join(err, forge(run, runner.ChampionFile))
		if lies++; lies <= 3 {
			err = errors.Join(err, anotherBegan(run))
		}
		return sum, err
	})
	select {
	case err := <-found:
		if err == nil || lies < 4 {
			t.Errorf("the liar went home after %d lies: %v", lies, err)
		}
	case err := <-ended:
		t.Fatalf("the sweep ended before the liar was found: %v", err)
	}
	_, worked := work(nil)
	proof.OK(t, <-ended)
	select {
	case err := <-worked:
		t.Errorf("the honest worker went home: %v", err)
	default:
	}
	runnertest.Compare(t, g, dir, want)
	all, err := sweep.ReadShutOut(dir)
	if err != nil || len(all) != 3 || all[0].Worker != liar || !all[0].Joint ||
		all[1].Worker != "another" || !all[1].Joint || all[2].Worker != liar || all[2].Joint {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestMisfitBeginsAnew: the newest snapshot is a finished run that does not fit together, as a
// worker could write it. The next worker, from which the coordinator refuses it, breeds the run
// from nothing.
func TestMisfitBeginsAnew(t *testing.T) {
	proof.Long(t)
	dir, g, want := openSweep(t, 10, 1)
	s, cell := serve(t, dir, "127.0.0.1:0"), &g.Cells[0]
	sum := proof.Must(sweep.Carry(t.Context(), cell, t.TempDir(), runner.Options{}))(t)
	for _, name := range []string{rundir.DoneFile, runner.SummaryFile} {
		path := filepath.Join(sum.Dir, name)
		content, err := os.ReadFile(path)
		proof.OK(t, errors.Join(err, os.WriteFile(path, bytes.ReplaceAll(content,
			[]byte(sum.Fingerprint), []byte(strings.Repeat("0", len(sum.Fingerprint)))), 0o666),
			rundir.Record(sum.Dir, name)))
	}
	archive := proof.Must(snapshot(sum.Dir))(t)
	proof.OK(t, openAt(t, s.Inside).Put(t.Context(), workName(workID(dir), cell.Key), "w",
		archive))
	ended := coordinate(t, s.Inside, dir, g)
	b := proof.Must(broker.Join(t.Context(), s.Access, "test", slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(b.Close)
	ctx, leave := context.WithTimeout(t.Context(), clustertest.Patience)
	var home sync.WaitGroup
	home.Go(func() {
		_ = Worker{Broker: b, Scope: runnertest.Scope(), Scratch: t.TempDir(), Workers: 1,
			Silence: quick, Log: slog.New(slog.DiscardHandler)}.Work(ctx)
	})
	select {
	case err := <-ended:
		proof.OK(t, err)
		runnertest.Compare(t, g, dir, want)
	case <-ctx.Done():
		t.Error("what does not fit together is handed in again and again")
	}
	leave()
	home.Wait()
}

// TestFirstAlone: the first run that a worker hands in as its own alone is bred again, though those
// that it shared with others still wait for it.
func TestFirstAlone(t *testing.T) {
	c := coordinator{Coordinator: Coordinator{Audit: 0.02}, chance: func() float64 { return 1 },
		origins: map[string]*sweep.Origin{"a": {Worker: "w", Before: []string{"x"}, Audit: sweep.AuditDue}}}
	if c.due(&sweep.Origin{Worker: "w"}) != sweep.AuditDue {
		t.Error("its first run alone is believed")
	}
	c.origins["b"] = &sweep.Origin{Worker: "w", Audit: sweep.AuditDue}
	if c.due(&sweep.Origin{Worker: "w"}) == sweep.AuditDue {
		t.Error("its second is not")
	}
}
