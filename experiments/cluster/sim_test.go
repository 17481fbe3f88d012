package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
	"clade/gp/proof"
)

// simStudy is bred in some milliseconds.
const simStudy = `
game = "number"
[measure]
final = 0
[evolve]
population = 4
generations = 5
tournament = 2
boards = 1
checkpoint = 2
[evolve.champion]
against = "none"
[evolve.probes]
games = 0
`

// simScope holds the toy game, as simGame plays it.
func simScope(as simGame) player.Scope {
	as.Game = enginetest.Number(1)
	return player.Scope{Games: []engine.Game{as}, Trust: player.Files}
}

// sim is what all seeds of the simulation share: studies, and what undisturbed runs end in.
type sim struct {
	grid    *study.Grid
	islands *study.Study
	want    map[string]string // fingerprints, by key of the cell or name of the study
	// counts of all seeds: operations, processes that died, workers that were shut out, and runs
	// that came wrong; writes that failed, and sweeps that went on without NATS
	ops, deaths, shut, wrong, disks, local atomic.Int64
	folder                                 string
}

func newSim(t *testing.T) *sim {
	t.Helper()
	parse := func(text string, overrides ...string) *study.Study {
		s := proof.Must(study.Parse(simScope(simGame{}), "s.toml", []byte(text), overrides...))(t)
		return s
	}
	// in memory, where a write is not worth a wait
	folder, err := os.MkdirTemp("/dev/shm", "clade-sim-")
	if err != nil {
		folder = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	s := &sim{folder: folder, want: map[string]string{},
		islands: parse(simStudy, "evolve.islands=2", "evolve.migration.every=2",
			"evolve.migration.migrants=1")}
	s.grid, err = parse(simStudy + "[sweep]\nreplicates = 8\n").Grid()
	proof.OK(t, err)
	alone := (&simNode{net: newSimNet(0, 0), count: map[string]int{}, name: "alone"})
	for i := range s.grid.Cells {
		c := &s.grid.Cells[i]
		sum, err := alone.carrier()(context.Background(), c, filepath.Join(folder, "alone"),
			runner.Options{})
		proof.OK(t, err)
		s.want[c.Key] = sum.Fingerprint
	}
	s.islands.Name = "islands"
	done, err := alone.evolve(context.Background(), s.islands, filepath.Join(folder, "islands"),
		runner.Options{})
	proof.OK(t, err)
	s.want[s.islands.Name] = done.Fingerprint
	return s
}

// evolve breeds a study in a directory, from wherever it is. Generations take some seconds.
func (s *simNode) evolve(ctx context.Context, of *study.Study, dir string,
	o runner.Options) (*rundir.Done, error) {
	setup, err := runner.Setup(of)
	if err != nil {
		return nil, err
	}
	setup.Workers, setup.RemoteIslands = 1, o.RemoteIslands
	setup.Processor = func() time.Duration { return 0 } // of the machine, which differs each time
	setup.Fence = func() error {
		if err := s.write(dir); err != nil || o.Fence == nil {
			return err
		}
		return o.Fence()
	}
	setup.Progress = func(p evolve.Progress) {
		if o.Progress != nil {
			o.Progress(p)
		}
		if !s.net.quiet() && o.RemoteIslands == nil {
			broker.Wait(ctx, time.Duration(s.chances("generation")()*float64(12*time.Second))+1)
			if ctx.Err() != nil { // which wakes this goroutine before the run's own context ends
				time.Sleep(time.Nanosecond)
			}
		}
	}
	open := evolve.Create
	if _, err := os.Stat(filepath.Join(dir, rundir.LogFile)); err == nil {
		open = evolve.Resume
	}
	if err := s.write(dir); err != nil {
		return nil, err
	}
	r, err := open(dir, setup)
	if err != nil {
		return nil, err
	}
	done, err := r.Evolve(ctx)
	return done, errors.Join(err, r.Close())
}

// carrier carries a cell's run out as sweep.Carry does, but that it does not measure nor draw.
func (s *simNode) carrier() sweep.Carrier {
	return func(ctx context.Context, c *study.Cell, sweepDir string,
		o runner.Options) (*runner.Summary, error) {
		dir := c.Directory(sweepDir)
		if sum, err := runner.ReadSummary(dir); sum != nil || err != nil {
			return sum, err
		}
		return s.breed(ctx, c, dir, o)
	}
}

// breed is a sweep.Breed that does not measure nor draw.
func (s *simNode) breed(ctx context.Context, c *study.Cell, dir string,
	o runner.Options) (*runner.Summary, error) {
	text, err := c.Study.Text()
	if err != nil {
		return nil, err
	}
	write := func(name string, v any) error {
		content, err := json.Marshal(v)
		if err == nil {
			err = s.write(dir)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), content, 0o666)
		}
		return err
	}
	if err := errors.Join(os.MkdirAll(dir, 0o777), write(rundir.ManifestFile, runner.Manifest{
		Study: string(text), Game: "number", Rules: 1,
		Build: version.This()})); err != nil {
		return nil, err
	}
	done, err := s.evolve(ctx, c.Study, dir, o)
	if err != nil {
		return nil, err
	}
	sum := &runner.Summary{Dir: dir, Generations: done.Generations, Games: done.Games,
		Fingerprint: done.Fingerprint}
	return sum, write(runner.SummaryFile, sum)
}

// life runs a process again and again, each time until it dies, until its work is over. It returns
// what that ended in.
func (n *simNet) life(ctx context.Context, name string, work func(ctx context.Context,
	node *simNode) error) error {
	for lives := 0; ; lives++ {
		living, crash := context.WithCancel(ctx)
		node := n.node(fmt.Sprintf("%s.%d", name, lives), 0, crash)
		random := node.chances("life")
		if lives < 6 && random() < 10*n.faults {
			node.crashAt = 1 + int(random()*random()*150)
		}
		// no two processes begin at one instant, or goroutines would decide who is first
		time.Sleep(time.Duration(random() * float64(time.Second)))
		err := work(living, node)
		crash()
		if !node.dead {
			return err
		}
		n.deaths.Add(1)
		time.Sleep(time.Duration(random() * float64(20*time.Second)))
	}
}

// plan is what a seed does.
type plan struct {
	faults  float64
	workers int
	liar    int // number of the worker that lies; -1 for none
	lie     lie
	audit   float64
	islands bool
	cells   int     // of the sweep
	disk    float64 // share of writes that fail or hang
	changes float64 // chance that the sweep goes on without NATS, or with it again
}

func planOf(seed uint64) plan {
	random := (&simNode{net: &simNet{seed: seed}, count: map[string]int{}}).chances("plan")
	p := plan{faults: 0.06 * random(), workers: 1 + int(3*random()), liar: -1,
		audit: random() / 2, islands: random() < 0.3, cells: 1 + int(2*random())}
	if random() < 0.25 {
		p.liar, p.audit = int(random()*float64(p.workers)), 1
		p.workers++ // an honest one
		p.lie = lie(random() * float64(allLies))
	}
	if random() < 0.4 {
		p.disk = 0.08 * random() * random()
	}
	if random() < 0.4 {
		p.changes = random()
	}
	return p
}

// run plays a seed in a bubble, and returns what it did: a trace of all operations.
func (s *sim) run(t *testing.T, seed uint64) (trace [32]byte) {
	return s.plan(t, seed, planOf(seed))
}

// plan carries a plan out.
func (s *sim) plan(t *testing.T, seed uint64, p plan) (trace [32]byte) {
	dir := filepath.Join(s.folder, fmt.Sprint(seed))
	defer os.RemoveAll(dir)
	synctest.Test(t, func(t *testing.T) {
		net := newSimNet(seed, p.faults)
		net.disk = p.disk
		net.calm = time.Now().Add(4 * time.Hour) // storms do not last for ever
		ctx, over := context.WithTimeout(context.Background(), 48*time.Hour)
		var group sync.WaitGroup
		for n := range p.workers {
			group.Go(func() { s.worker(ctx, net, n, p, filepath.Join(dir, fmt.Sprint("w", n))) })
		}
		var err error
		if p.islands {
			err = s.spread(ctx, net, p, filepath.Join(dir, "run"))
		} else {
			err = s.sweep(ctx, net, p, filepath.Join(dir, "sweep"))
		}
		if err != nil {
			t.Errorf("seed %d, %+v: %v", seed, p, err)
		}
		// All goroutines hear of the end at one instant, and go on in any order.
		trace = net.traced()
		net.over.Store(true)
		over()
		group.Wait()
		time.Sleep(2 * time.Minute) // late questions
		net.mu.Lock()
		defer net.mu.Unlock()
		s.ops.Add(int64(net.ops))
		s.wrong.Add(int64(len(net.wrong)))
		s.disks.Add(net.disks.Load())
		s.deaths.Add(net.deaths.Load())
	})
	return trace
}

// worker is a worker's process, which dies and comes back, now and then with its scratch directory.
func (s *sim) worker(ctx context.Context, net *simNet, n int, p plan, scratch string) {
	_ = net.life(ctx, fmt.Sprint("w", n), func(ctx context.Context, node *simNode) error {
		if node.chances("scratch")() < 0.5 {
			if err := os.RemoveAll(scratch); err != nil {
				return err
			}
		}
		seed := sha256.Sum256([]byte(node.name))
		key, carry := ed25519.NewKeyFromSeed(seed[:]), node.carrier()
		if n == p.liar {
			net.lied(key)
			carry = p.lie.carrier(node)
		} else if p.lie == hiddenLie {
			net.deceivable.Add(1)
		}
		w := Worker{Broker: node, Scope: simScope(simGame{lies: n == p.liar}),
			Scratch: scratch, Workers: 1,
			Processors: 1, Key: key, Name: node.name, Carry: carry, Log: slog.New(slog.DiscardHandler)}
		return w.Work(ctx)
	})
}

// sweep is a coordinator's process, which dies and comes back. It ends with an error unless all
// runs are as if nothing had been.
func (s *sim) sweep(ctx context.Context, net *simNet, p plan, dir string) error {
	grid := *s.grid
	grid.Cells = grid.Cells[:p.cells]
	person := net.node("person", 0, nil)
	net.inPlace = func(subject string) bool {
		key := subject[strings.LastIndexByte(subject, '.')+1:]
		sum, err := runner.ReadSummary((&study.Cell{Key: key}).Directory(dir))
		return sum != nil && err == nil
	}
	for sweeps := 0; ; sweeps++ {
		random := person.chances("sweep")
		local, stopped := random() < p.changes, sweeps < 10 && random() < p.changes
		until, stop := ctx, func() {}
		if stopped { // by a person
			until, stop = context.WithTimeout(ctx, time.Duration(random()*random()*float64(time.Hour)))
		}
		err := net.life(until, fmt.Sprint("c", sweeps), func(ctx context.Context,
			node *simNode) error {
			if local {
				s.local.Add(1)
				return node.alone(ctx, &grid, dir)
			}
			c := newCoordinator(Coordinator{Broker: node, Dir: dir, Grid: &grid, Audit: p.audit,
				Log: slog.New(wrongRuns{slog.DiscardHandler, net})})
			c.sweep, c.carry = "sweep", sweep.Breed(node.breed).Carry
			c.fence = func() error { return node.write(dir) }
			c.chance = func() float64 { return node.chances("audit")() }
			defer func() {
				if c.rejected != nil {
					s.shut.Add(int64(len(c.rejected.Alone)))
				}
			}()
			return c.coordinate(ctx)
		})
		stop()
		if err != nil && ctx.Err() == nil && sweeps < 100 && (errors.Is(err, ErrFailed) ||
			errors.Is(err, errDisk) || stopped && errors.Is(err, evolve.ErrStopped)) {
			time.Sleep(time.Duration(random() * float64(time.Minute)))
			continue // a person reads it, and tries again
		}
		if err != nil {
			return err
		}
		break
	}
	for i := range grid.Cells {
		c := &grid.Cells[i]
		sum, err := check(c, c.Directory(dir))
		if err != nil {
			return err
		}
		if sum.Fingerprint != s.want[c.Key] {
			return fmt.Errorf("run %s ended in %s, and undisturbed in %s", c.Key, sum.Fingerprint,
				s.want[c.Key])
		}
	}
	for _, folder := range []string{sweep.Incoming, sweep.AuditFolder} {
		if _, err := os.Stat(filepath.Join(dir, folder)); err == nil {
			return fmt.Errorf("%s is left over", folder)
		}
	}
	if err := net.bounded(dir); err != nil {
		return err
	}
	// one may come while what is missing is on its way
	if net.mostAgain > 1 {
		return fmt.Errorf("a run that is in its place was offered %d times", net.mostAgain)
	}
	missing, err := sweep.Missing(&grid, dir)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%d runs are missing at the end", len(missing))
	}
	return err
}

// alone carries the runs of a sweep out without NATS, as sweep.Run does.
func (s *simNode) alone(ctx context.Context, g *study.Grid, dir string) error {
	for {
		missing, err := sweep.Missing(g, dir)
		if err != nil || len(missing) == 0 {
			return errors.Join(err, s.write(dir), sweep.Tidy(dir))
		}
		for i := range missing {
			if _, err := sweep.Breed(s.breed).Carry(ctx, &missing[i], dir, runner.Options{
				Fence: func() error { return s.write(dir) }}); err != nil {
				return err
			}
		}
	}
}

// spread is the process of a run whose islands workers breed.
func (s *sim) spread(ctx context.Context, net *simNet, p plan, dir string) error {
	of := s.islands
	for runs := 0; ; runs++ {
		var done *rundir.Done
		err := net.life(ctx, fmt.Sprint("r", runs), func(ctx context.Context,
			node *simNode) (err error) {
			o := runner.Options{}
			Spread{Dir: dir, id: "run", Study: of, Audit: p.audit, Log: slog.New(slog.DiscardHandler),
				chance: func() float64 { return node.chances("audit")() }, Broker: node}.Into(&o)
			done, err = node.evolve(ctx, of, dir, o)
			return err
		})
		if err != nil && ctx.Err() == nil && runs < 50 {
			time.Sleep(time.Minute) // a person reads the error and resumes the run
			continue
		}
		if err != nil {
			return err
		}
		if done.Fingerprint != s.want[of.Name] {
			return fmt.Errorf("the run ended in %s, and undisturbed in %s", done.Fingerprint,
				s.want[of.Name])
		}
		liars, err := sweep.ReadShutOut(dir)
		s.shut.Add(int64(len(liars)))
		if err != nil || len(liars) > 0 && p.liar < 0 {
			return fmt.Errorf("%v were shut out, and nobody lies; %w", liars, err)
		}
		return nil
	}
}

// keptSeeds returns seeds that find faults which were mended, when those are put back: 170, that
// the error of an audit is thrown away, and that an entry leaves the list of audits before it is
// carried out, so that workers breed the run again; 135, that a run comes into its place file by
// file; 126, that what a worker has handed in counts for a sweep without NATS before it is
// compared; 7, that a worker which goes on with another's snapshot does not say so, and answers for
// its lie; 9218, that a run comes while it is bred again and its directory is moved.
func keptSeeds() []uint64 { return []uint64{170, 135, 126, 7, 9218} }

// TestSimulation lets coordinators, workers and a network between them do their worst: messages are
// lost, doubled, late and out of order, processes stand still and die at any operation and write,
// disks hang, fail and fill, a sweep goes on without NATS and with it
// again, and workers lie. Every run ends, and as if nothing had been. CLADE_SIMULATIONS is the
// number of seeds, else it is a few.
func TestSimulation(t *testing.T) {
	proof.Slow(t)
	seeds := 50
	if text := os.Getenv("CLADE_SIMULATIONS"); text != "" {
		var err error
		seeds, err = strconv.Atoi(text)
		proof.OK(t, err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1000)) // in a third of the time
	s := newSim(t)
	for _, seed := range keptSeeds() {
		s.run(t, seed)
	}
	t.Run("seeds", func(t *testing.T) {
		var next atomic.Uint64
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for seed := next.Add(1); seed <= uint64(seeds); seed = next.Add(1) {
					s.run(t, seed)
				}
			})
		}
	})
	t.Logf("%d operations, %d processes died, %d liars were shut out, %d runs came wrong, "+
		"%d writes failed, %d sweeps went on without NATS", s.ops.Load(), s.deaths.Load(),
		s.shut.Load(), s.wrong.Load(), s.disks.Load(), s.local.Load())
	if s.deaths.Load() == 0 || s.shut.Load() == 0 || s.disks.Load() == 0 || s.local.Load() == 0 {
		t.Error("the simulation is too quiet")
	}
}

// TestSimulationRepeats plays seeds here and in another process, whose directories have other
// names, and compares all operations: a seed names a history, so that a fault that it found can be
// looked at again. Where goroutines wake at one instant they go on in any order, which under load
// one history of some thousand shows; so each is played until both processes have found the same.
func TestSimulationRepeats(t *testing.T) {
	proof.Costly(t)
	seeds := slices.Concat(keptSeeds(), []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	const plays = 3
	if os.Getenv(repeatsIn) != "" { // the other process
		s := newSim(t)
		for _, seed := range seeds {
			for range plays {
				fmt.Printf("%s %d %x\n", repeatsIn, seed, s.run(t, seed))
			}
		}
		return
	}
	self := proof.Must(os.Executable())(t)
	other := exec.Command(self, "-test.run=^TestSimulationRepeats$")
	other.Env = append(os.Environ(), repeatsIn+"=1", "TMPDIR="+t.TempDir())
	said, err := other.CombinedOutput()
	if err != nil {
		t.Fatalf("the other process: %v\n%s", err, said)
	}
	s := newSim(t)
	for _, seed := range seeds {
		same := false
		for play := 0; play < plays && !same; play++ {
			line := fmt.Sprintf("%s %d %x\n", repeatsIn, seed, s.run(t, seed))
			same = strings.Contains(string(said), line)
		}
		if !same {
			t.Errorf("seed %d does something else in another process", seed)
		}
	}
}

// repeatsIn is set in the environment of the other process of TestSimulationRepeats.
const repeatsIn = "CLADE_TEST_REPEATS"

var _ Broker = (*simNode)(nil)
var _ Broker = (*broker.Broker)(nil)
