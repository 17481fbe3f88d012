package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"clade/engine/system/parallel"
	"clade/evolve/rundir"
)

// Run is a population being bred. It belongs to one goroutine.
type Run struct {
	*breeder
	dir    *rundir.Directory
	study  [32]byte
	state  *state // nil before the founders are grown
	past   archive
	done   *rundir.Done
	saved  int // generation of the newest checkpoint of this process, -1 for none
	began  time.Time
	used   time.Duration // processor time when the generation began
	clock  time.Time     // up to here time is counted in state.seconds
	failed error         // the state is incomplete, or a generation still goes on
	// held while the state changes; a generation that goes on after Evolve has returned must not
	// change it
	changing parallel.Lock
	left     bool
	remote   *Coordinator // of the islands, while they are bred on other machines; else nil
}

// Create makes a run in a new directory, or in one that holds only files of the caller, such as a
// manifest. Nothing is played before Evolve.
func Create(path string, s Setup) (*Run, error) {
	r, err := newRun(s)
	if err != nil {
		return nil, err
	}
	if r.dir, err = rundir.Create(path); err != nil {
		return nil, err
	}
	return r, nil
}

// Resume opens a run that was stopped, killed or has ended, at its newest sound checkpoint. Damaged
// ones are skipped with a warning; if none is left, the run begins anew, with the same results. The
// error for a setup of another study wraps rundir.ErrStudy.
func Resume(path string, s Setup) (*Run, error) {
	r, err := newRun(s)
	if err != nil {
		return nil, err
	}
	if r.dir, err = rundir.Open(path); err != nil {
		return nil, err
	}
	if err := r.restore(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func newRun(s Setup) (*Run, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := s.countFounders(); err != nil {
		return nil, err
	}
	if s.Warn == nil {
		s.Warn = func(string) {}
	}
	if s.Fence == nil {
		s.Fence = func() error { return nil }
	}
	return &Run{breeder: s.breeder(context.Background()), study: s.Hash(), saved: -1,
		changing: parallel.NewLock()}, nil
}

// restore finds the state to continue from, and writes champions' files again that did not reach
// the disk.
func (r *Run) restore() error {
	var s *state
	var err error
	r.saved, r.done, err = r.dir.Restore(r.study, r.Warn, func(payload []byte) (rundir.Restored,
		error) {
		var err error
		if s, err = r.decode(payload); err != nil {
			return rundir.Restored{}, err
		}
		return rundir.Restored{Generation: s.generation, Log: s.log, Ended: r.endedAt(s)}, nil
	})
	if err != nil || r.saved < 0 {
		return err
	}
	r.state = s
	for _, c := range s.archive {
		if err := r.dir.WriteChampion(c.generation, r.species(c)); err != nil {
			return err
		}
	}
	return nil
}

// species returns a champion's species file.
func (r *Run) species(c *champion) []byte {
	what := "champion of "
	if c.tuned {
		what = "tuned " + what
	}
	return r.speciesFile(what, c.generation, c.island, c.Individual)
}

// Close releases the run's directory. Evolve has already saved everything.
func (r *Run) Close() error {
	if r.dir == nil {
		return nil
	}
	err := r.dir.Close()
	r.dir = nil
	return err
}

// Evolve breeds until the last generation, and returns how the run ended. If the context ends
// first, Evolve drops the unfinished generation, writes a checkpoint and returns an error that
// wraps ErrStopped; it does not wait for a long game, which goes on to its end in a goroutine. If
// the directory cannot be written to, the last checkpoint stays intact.
func (r *Run) Evolve(ctx context.Context) (*rundir.Done, error) {
	if r.done != nil {
		return r.done, nil
	}
	if r.failed != nil {
		return nil, fmt.Errorf("the run has failed and goes on only when %s is resumed: %w",
			r.dir.Path, r.failed)
	}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	r.left = false
	over := false
	err := parallel.Promptly(ctx, func() error {
		err := r.breed()
		r.changing.Lock()
		defer r.changing.Unlock()
		over = true
		return err
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		r.changing.Lock()
		defer r.changing.Unlock()
		if r.left = true; !over {
			r.failed = err
		}
		return nil, r.stop()
	}
	if err != nil {
		return nil, err
	}
	r.done, err = r.finish()
	return r.done, err
}

// breed breeds until the last generation.
func (r *Run) breed() error {
	if err := r.begin(); err != nil {
		return err
	}
	stop := func() error { return nil }
	if r.RemoteIslands != nil {
		c := newCoordinator(&r.Setup, r.state.generation, r.state.populations)
		stop = aside(r.ctx, func(ctx context.Context) error { return r.RemoteIslands(ctx, c) }, c.fail)
		r.remote = c
	}
	r.clock = time.Now()
	err := r.drive(r, r.state.generation)
	err, r.remote = cmp.Or(err, stop()), nil
	return err
}

// change locks the state for a change that must be complete. It returns an error if Evolve has
// returned.
func (r *Run) change() error {
	r.changing.Lock()
	if r.left {
		r.changing.Unlock()
		return context.Canceled
	}
	return nil
}

// begin grows the founders where there is no state yet.
func (r *Run) begin() error {
	if r.state != nil {
		return nil
	}
	s := &state{lineage: newLineage(), log: r.dir.Log()}
	for i := range r.Config.Islands {
		population, err := r.found(0, i)
		if err != nil {
			return err
		}
		s.lineage.add(population, r.Config.Lineage)
		s.populations = append(s.populations, population)
	}
	if err := r.change(); err != nil {
		return err
	}
	defer r.changing.Unlock()
	r.state = s
	return r.save()
}

// islands starts a generation on copies of the populations.
func (r *Run) islands() ([]*island, error) {
	r.began, r.used = time.Now(), r.Processor()
	if err := r.extend(&r.past, r.state.archive); err != nil {
		return nil, err
	}
	hall, err := r.hall(r.state.generation, &r.past)
	if err != nil {
		return nil, err
	}
	islands := make([]*island, r.Config.Islands)
	for i, population := range r.state.populations {
		var e Evaluator = local{}
		if r.remote != nil {
			r.remote.begin(r.state.generation, r.past.past)
			e = &replay{c: r.remote, island: i, generation: r.state.generation}
		}
		islands[i] = r.newIsland(r.state.generation, i, population, hall, e)
	}
	return islands, nil
}

// commit ends a generation: the islands' populations become the run's, and the log gets its line.
func (r *Run) commit(islands []*island) error {
	generation := r.state.generation
	var played Tally
	for _, is := range islands {
		played.add(is.tally)
	}
	var best *champion
	var raced int64
	spent := Spent{generation + 1, r.state.played.Games + played.Games, r.seconds()}
	last := r.Config.Share(spent) == 1
	if r.due(generation, islands, last) {
		var err error
		if best, raced, err = r.best(generation, islands, &r.past, last); err != nil {
			return err
		}
		if !last {
			raced += r.payoffGames(&r.past)
		}
	}
	line, err := r.describe(generation, islands)
	if err != nil {
		return err
	}
	for _, is := range islands {
		if err := is.evaluator.End(); err != nil {
			return err
		}
	}
	line.Matches, line.Games, line.RaceGames = played.Matches, played.Games, raced

	// From here on nothing is played, and the end of the context has no effect.
	if err := r.change(); err != nil {
		return err
	}
	defer r.changing.Unlock()
	if err := r.Fence(); err != nil {
		return err
	}
	times, err := r.enter(islands, line, best)
	if err != nil {
		r.failed = err
		return err
	}
	r.state.played.add(played)
	if r.Config.Seconds > 0 {
		r.clock = r.clock.Add(time.Duration((spent.Seconds - r.state.seconds) * float64(time.Second)))
		r.state.seconds = spent.Seconds
	}
	if r.scheduled(r.state.generation) || r.ended() {
		if err := r.save(); err != nil {
			return err
		}
	}
	if r.Progress != nil {
		r.Progress(Progress{line, times, r.saved, spent})
	}
	return nil
}

// seconds returns how long the run has been bred, over all processes.
func (r *Run) seconds() float64 { return r.state.seconds + time.Since(r.clock).Seconds() }

// enter adds a generation to the state, the archive and the log. After an error it may be added in
// part.
func (r *Run) enter(islands []*island, line *rundir.Line, best *champion) (rundir.Times, error) {
	r.replace(islands)
	line.Lineage = r.state.lineage.known()
	if best != nil {
		line.Champion = r.lineOf(best)
		if err := r.keep(best); err != nil {
			return rundir.Times{}, err
		}
	}
	times := rundir.Times{Generation: line.Generation, Seconds: time.Since(r.began).Seconds()}
	times.Processor = min((r.Processor() - r.used).Seconds(), times.Seconds*float64(r.Workers))
	if err := r.dir.Append(line, times); err != nil {
		return rundir.Times{}, err
	}
	r.state.generation++
	r.state.log = r.dir.Log()
	return times, nil
}

// replace installs the new populations and records births and deaths.
func (r *Run) replace(islands []*island) {
	next := r.state.generation + 1
	for _, is := range islands {
		r.state.lineage.add(is.offspring, r.Config.Lineage)
		is.settle()
		for _, in := range is.population {
			in.lives = next
		}
	}
	for i, is := range islands {
		for _, some := range [][]*Individual{r.state.populations[i], is.offspring} {
			for _, in := range some {
				if in.lives != next {
					r.state.lineage.die(in, next)
				}
			}
		}
		r.state.populations[i] = is.population
	}
}

// keep adds a champion to the archive and the directory.
func (r *Run) keep(c *champion) error {
	kept := *c.Individual
	kept.line, kept.lives, kept.parents = 0, 0, [2]*Individual{}
	if !r.Config.UsesHall() && r.Config.Champion.Archive == 0 {
		kept.Player = nil
	}
	c.Individual = &kept
	r.state.archive = append(r.state.archive, c)
	return r.dir.WriteChampion(c.generation, r.species(c))
}

// ended tells whether the run is over: the last generation is done, or its champion reached
// Config.StopAt.
func (r *Run) ended() bool { return r.endedAt(r.state) }

func (r *Run) endedAt(s *state) bool {
	if r.Config.Share(Spent{s.generation, s.played.Games, s.seconds}) == 1 {
		return true
	}
	n := len(s.archive)
	return r.Config.StopAt != 0 && n > 0 && s.archive[n-1].record.Score >= r.Config.StopAt
}

// scheduled tells whether a checkpoint is due before a generation.
func (r *Run) scheduled(generation int) bool {
	return generation%r.Config.Checkpoint == 0 || generation == r.Config.horizon()
}

// save writes a checkpoint.
func (r *Run) save() error {
	if err := r.Fence(); err != nil {
		return err
	}
	if err := r.dir.WriteCheckpoint(r.study, r.state.generation, r.encode(r.state),
		r.scheduled); err != nil {
		return err
	}
	r.saved = r.state.generation
	return nil
}

// stop saves a run whose context has ended.
func (r *Run) stop() error {
	if r.state == nil {
		return fmt.Errorf("%w before its founders were grown; resume %s to begin", ErrStopped, r.dir.Path)
	}
	if r.saved != r.state.generation {
		if err := r.save(); err != nil {
			return err
		}
	}
	of := ""
	if !r.Config.Budgeted() {
		of = fmt.Sprintf(" of %d", r.Config.Generations)
	}
	return fmt.Errorf("%w before generation %d%s; resume %s to go on", ErrStopped,
		r.state.generation, of, r.dir.Path)
}

// finish writes the end of the run.
func (r *Run) finish() (*rundir.Done, error) {
	if err := r.Fence(); err != nil {
		return nil, err
	}
	if err := r.dir.Prune(r.saved, r.scheduled); err != nil {
		return nil, err
	}
	done := &rundir.Done{Generations: r.state.generation, Matches: r.state.played.Matches,
		Games: r.state.played.Games}
	var champions []int
	for _, c := range r.state.archive {
		champions = append(champions, c.generation)
		done.Champion = r.lineOf(c)
	}
	return done, r.dir.Finish(r.study, r.encode(r.state), champions,
		func(w io.Writer) error { return r.state.lineage.write(w, r.breeder) }, done)
}
