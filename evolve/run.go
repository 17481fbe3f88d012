package evolve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"clade/engine"
	"clade/gp"
)

// Setup is everything that a run is made of.
type Setup struct {
	Game   engine.Game
	Config Config
	Seed   uint64
	// Study is whatever else defines the run, such as the game's settings and the names in the
	// panels. It enters the hash that a checkpoint must agree with; it may be empty.
	Study []byte
	Panel []engine.Player // opponents of explicit fitness, for Fitness.Opponents "panel"
	// opponents in the choice of the champion, for Champion.Against "panel"
	Reference []engine.Player
	Contest   Contest // nil means engine.Match with the game's own two seats

	// What follows changes no result.

	Workers int // goroutines that play; 0 means GOMAXPROCS
	// called after every generation, from the goroutine that called Evolve; nil for none
	Report func(Report)
	// called with a sentence when something was amiss and could be mended, such as a damaged
	// checkpoint; nil for none
	Warn func(string)
	// called before a generation's results or a checkpoint are written; its error ends the run with
	// the files as they are; nil for none
	Guard func() error
	// Elsewhere breeds the islands on other machines: it takes legs from the ledger, has
	// Setup.Breed called with them wherever it likes, and hands the ledger what comes of them. It
	// is called from a goroutine of its own by Evolve, and is to return when its context ends; when
	// it returns earlier, its error ends the run. Nil means that islands are bred here.
	Elsewhere func(ctx context.Context, l *Ledger) error
	// Together lets other machines play some of the games of a run with one island: it brings
	// helpers' questions, which Setup.Help asks, to Desk.Ask, and the answers back. It is called as
	// Elsewhere is. Nil means that all games are played here.
	Together func(ctx context.Context, d *Desk) error
}

// Report is what is told of a generation that has ended.
type Report struct {
	Line  *Line
	Times Times
}

// Times is a line of times.jsonl.
type Times struct {
	Generation int `json:"generation"`
	// for selection, breeding, the champion and the measures, without the checkpoint
	Seconds float64 `json:"seconds"`
}

// ErrStopped is wrapped by the error of a run whose context ended. Everything is saved; the error
// says how to go on.
var ErrStopped = errors.New("evolve: the run was stopped")

// Run is a population being bred. It belongs to one goroutine.
type Run struct {
	*breeder
	dir    *directory
	study  [32]byte
	state  *state // nil before the founders are grown
	done   *Done
	saved  int // generation of the newest checkpoint of this process, -1 for none
	began  time.Time
	failed error // the state is half way between two generations

	ledger *Ledger // of islands that are bred elsewhere
	desk   *Desk   // of games that are shared
}

// Create makes a run in a new directory, or in one that holds nothing but what its starter put
// there, such as a manifest. Nothing is played before Evolve.
func Create(path string, s Setup) (*Run, error) {
	r, err := newRun(s)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{LogFile, DoneFile} {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			return nil, fmt.Errorf(
				"evolve: %s already holds a run; resume it, or choose another directory", path)
		}
	}
	if r.dir, err = openDirectory(path); err != nil {
		return nil, err
	}
	if err := r.dir.rewind(0, [32]byte{}); err != nil {
		r.Close()
		return nil, fmt.Errorf("evolve: cannot begin the log: %w", err)
	}
	return r, nil
}

// Resume opens a run that was stopped, killed or has ended, at its newest sound checkpoint. Damaged
// ones are skipped with a warning; if none is left, the run begins anew, which gives the same
// bytes. A setup of another study is refused.
func Resume(path string, s Setup) (*Run, error) {
	r, err := newRun(s)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(path, stateFolder)); err != nil {
		return nil, fmt.Errorf("evolve: %s holds no run: %w", path, err)
	}
	if r.dir, err = openDirectory(path); err != nil {
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
	if s.Warn == nil {
		s.Warn = func(string) {}
	}
	if s.Guard == nil {
		s.Guard = func() error { return nil }
	}
	return &Run{breeder: s.breeder(), study: studyHash(&s), saved: -1}, nil
}

// breeder returns what all parts of the run share.
func (s *Setup) breeder() *breeder {
	b := &breeder{Setup: *s, grammar: s.Game.Grammar(), root: engine.Seed(s.Seed),
		chance: s.Game.Info().Chance}
	if b.Workers == 0 {
		b.Workers = runtime.GOMAXPROCS(0)
	}
	b.equivalence, _ = s.Game.(engine.EquivalenceCheck)
	return b
}

// studyHash identifies all that decides a run's results.
func studyHash(s *Setup) [32]byte {
	info := s.Game.Info()
	text, err := json.Marshal(struct {
		Game    string
		Version int
		Config  Config
		Seed    uint64
		Study   []byte
	}{info.Name, info.Version, s.Config, s.Seed, s.Study})
	if err != nil {
		panic("evolve: a setup cannot be hashed: " + err.Error())
	}
	return sha256.Sum256(text)
}

// restore finds the state to go on from.
func (r *Run) restore() error {
	if err := r.dir.sweep(); err != nil {
		return err
	}
	done, err := ReadDone(r.dir.path)
	if err != nil {
		r.Warn(err.Error())
	}
	generations, err := r.dir.checkpoints()
	if err != nil {
		return err
	}
	for i := len(generations) - 1; i >= 0 && r.state == nil; i-- {
		name := checkpointFile(generations[i])
		s, err := r.load(name)
		if err == nil && !r.endedAt(s) {
			if err := r.dir.retract(); err != nil {
				return err
			}
		}
		if err == nil {
			err = r.dir.rewind(s.logLength, s.logSum)
		}
		switch {
		case errors.Is(err, errStudy):
			return fmt.Errorf("%w (%s): its game, settings or seed differ from the ones given", err,
				r.dir.name(name))
		case errors.Is(err, errVersion):
			return fmt.Errorf("%w (%s); resume the run with that one", err, r.dir.name(name))
		case err != nil:
			r.Warn(fmt.Sprintf("skipped the checkpoint %s: %s", r.dir.name(name), err))
		default:
			r.state, r.saved = s, generations[i]
		}
	}
	if r.state == nil {
		if len(generations) > 0 {
			r.Warn("no checkpoint is sound, so the run begins anew; it will be the same")
		}
		if err := r.dir.retract(); err != nil {
			return err
		}
		if err := r.dir.rewind(0, [32]byte{}); err != nil {
			return fmt.Errorf("evolve: cannot begin the log anew: %w", err)
		}
		return r.dir.rewindTimes(0)
	}
	if done != nil && r.ended() {
		r.done = done
	}
	if err := r.dir.rewindTimes(r.state.generation); err != nil {
		return fmt.Errorf("evolve: cannot mend %s: %w", TimesFile, err)
	}
	return r.mendChampions()
}

// load reads a checkpoint file.
func (r *Run) load(name string) (*state, error) {
	file, err := os.ReadFile(r.dir.name(name))
	if err != nil {
		return nil, err
	}
	payload, err := unseal(r.study, file)
	if err != nil {
		return nil, err
	}
	return r.decode(payload)
}

// mendChampions writes those champions' files again that did not reach the disk.
func (r *Run) mendChampions() error {
	for _, c := range r.state.archive {
		want := r.species(c)
		if have, err := os.ReadFile(r.dir.name(championFile(c.Generation))); err == nil &&
			bytes.Equal(have, want) {
			continue
		}
		if err := r.dir.replace(championFile(c.Generation), want, false); err != nil {
			return err
		}
	}
	return nil
}

// species returns a champion's species file.
func (r *Run) species(c *Best) []byte {
	info := r.Game.Info()
	origin := fmt.Sprintf("champion of generation %d, individual %d of island %d, seed %d",
		c.Generation, c.ID, c.Island, r.Seed)
	return []byte(r.grammar.PrintSpecies(&gp.Species{Game: info.Name, Version: info.Version,
		Origin: []string{origin}, Genome: c.Genome}))
}

// Close gives the run's directory free. It saves nothing: Evolve has.
func (r *Run) Close() error {
	if r.dir == nil {
		return nil
	}
	err := r.dir.close()
	r.dir = nil
	return err
}

// Generation returns the number of generations that are done.
func (r *Run) Generation() int {
	if r.state == nil {
		return 0
	}
	return r.state.generation
}

// Champions returns the archive: the champions so far, oldest first. It must not be written to.
func (r *Run) Champions() []*Best {
	if r.state == nil {
		return nil
	}
	return r.state.archive
}

// Population returns the individuals of an island at the last border between generations. It must
// not be written to. It is nil before the founders are grown.
func (r *Run) Population(island int) []*Individual {
	if r.state == nil {
		return nil
	}
	return r.state.people[island]
}

// Evolve goes on until the last generation, and returns how the run ended. When the context ends
// first, the generation under way is dropped, a checkpoint is written, and the error wraps
// ErrStopped; when the directory cannot be written to, the last good checkpoint is intact.
func (r *Run) Evolve(ctx context.Context) (*Done, error) {
	if r.done != nil {
		return r.done, nil
	}
	if r.failed != nil {
		return nil, fmt.Errorf("evolve: the run has failed and goes on only when %s is resumed: %w",
			r.dir.path, r.failed)
	}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	r.pool = newPool(r.Workers)
	defer r.pool.close()

	err := r.awake()
	if err == nil {
		back := r.sendOut()
		err = r.evolveGenerations()
		back()
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil, r.stop()
	}
	if err != nil {
		return nil, err
	}
	r.done, err = r.finish()
	return r.done, err
}

// awake grows the founders, or binds those who come from a checkpoint.
func (r *Run) awake() error {
	if r.state == nil {
		s := &state{lineage: newLineage(), logSum: r.dir.logSum()}
		for i := range r.Config.Islands {
			people, err := r.found(i)
			if err != nil {
				return err
			}
			s.lineage.add(people, r.Config.Lineage)
			s.people = append(s.people, people)
		}
		r.state = s
		return r.save()
	}
	if r.Elsewhere != nil {
		return nil
	}
	return r.bindAll(r.sleepers())
}

// sendOut lets islands be bred elsewhere, or games be played there, where the setup says so, until
// the function that it returns is called.
func (r *Run) sendOut() (back func()) {
	ctx, cancel := context.WithCancel(r.ctx)
	var away sync.WaitGroup
	if r.Elsewhere != nil {
		r.ledger = newLedger(r)
		away.Go(func() {
			err := r.Elsewhere(ctx, r.ledger)
			if ctx.Err() == nil {
				r.ledger.fail(err)
			}
		})
	}
	if r.Together != nil {
		r.desk = newDesk()
		away.Go(func() {
			if err := r.Together(ctx, r.desk); err != nil && ctx.Err() == nil {
				r.Warn(fmt.Sprintf("nobody helps any more, and the run goes on here: %s", err))
			}
		})
	}
	return func() {
		if r.ledger != nil && r.ended() {
			r.ledger.discard()
		}
		if r.desk != nil {
			r.desk.end()
		}
		cancel()
		away.Wait()
		r.ledger, r.desk = nil, nil
	}
}

// bindAll binds those who have no players.
func (b *breeder) bindAll(sleepers []*Individual) error {
	return b.pool.run(b.ctx, len(sleepers), func(w *worker, i int) error {
		var err error
		sleepers[i].Player, err = b.bind(sleepers[i].Genome)
		return err
	})
}

// sleepers returns those who need a player and have none.
func (r *Run) sleepers() []*Individual {
	var s []*Individual
	add := func(in *Individual) {
		if in.Player == nil {
			s = append(s, in)
		}
	}
	for _, people := range r.state.people {
		for _, in := range people {
			add(in)
		}
	}
	if r.Config.Hall > 0 {
		for _, c := range r.state.archive {
			add(c.Individual)
		}
	}
	return s
}

// begin starts a generation on copies of the populations.
func (r *Run) begin() []*island {
	r.began = time.Now()
	r.pool.counts()
	hall := r.hall(r.state.generation, r.state.archive)
	islands := make([]*island, r.Config.Islands)
	for i := range islands {
		islands[i] = newIsland(r.breeder, r.state.generation, i, r.state.people[i], hall)
		islands[i].desk = r.desk
		if r.ledger != nil {
			islands[i].teller = &teller{fetch: r.ledger.fetch(r.ctx, i, r.state.generation),
				reject: r.ledger.discard}
		}
	}
	if r.desk != nil {
		r.desk.begin(r.state.generation, r.state.people[0])
	}
	return islands
}

// commit ends a generation: what the islands have become is the population now, and the log says
// so.
func (r *Run) commit(islands []*island) error {
	generation := r.state.generation
	matches, games := r.pool.counts()
	var best *Best
	if r.due(generation, islands) {
		var err error
		if best, err = r.best(generation, islands); err != nil {
			return err
		}
	}
	_, raced := r.pool.counts()
	line, err := r.describe(generation, islands)
	if err != nil {
		return err
	}
	for _, is := range islands {
		if is.teller != nil && len(is.teller.rest) > 0 {
			return is.untrue("more than its bouts")
		}
	}
	line.Matches, line.Games, line.RaceGames = matches, games, raced

	// From here on nothing is played, and the context is not looked at.
	if err := r.Guard(); err != nil {
		return err
	}
	times, err := r.enter(islands, line, best)
	if err != nil {
		r.failed = err
		return err
	}
	if r.scheduled(r.state.generation) || r.ended() {
		if err := r.save(); err != nil {
			return err
		}
	}
	if r.Report != nil {
		r.Report(Report{line, times})
	}
	return nil
}

// enter makes a generation a part of the state, the archive and the log. An error leaves it half
// done.
func (r *Run) enter(islands []*island, line *Line, best *Best) (Times, error) {
	r.replacePeople(islands)
	line.Lineage = r.state.lineage.known()
	if best != nil {
		line.Champion = r.lineOf(best)
		if err := r.honour(best); err != nil {
			return Times{}, err
		}
	}
	times := Times{line.Generation, time.Since(r.began).Seconds()}
	if err := r.dir.append(line, times); err != nil {
		return Times{}, err
	}
	r.state.generation++
	r.state.matches += line.Matches
	r.state.games += line.Games
	r.state.logLength, r.state.logSum = r.dir.length, r.dir.logSum()
	return times, nil
}

// replacePeople puts the new populations in place and notes births and deaths.
func (r *Run) replacePeople(islands []*island) {
	next := r.state.generation + 1
	for _, is := range islands {
		r.state.lineage.add(is.births, r.Config.Lineage)
		for _, in := range is.people {
			in.lives = next
		}
	}
	for i, is := range islands {
		for _, people := range [][]*Individual{r.state.people[i], is.births} {
			for _, in := range people {
				if in.lives != next {
					r.state.lineage.die(in, next)
				}
			}
		}
		r.state.people[i] = is.people
	}
}

// honour puts a champion into the archive and the directory.
func (r *Run) honour(c *Best) error {
	kept := *c.Individual
	kept.line, kept.lives, kept.parents = 0, 0, [2]*Individual{}
	if r.Config.Hall == 0 {
		kept.Player = nil
	}
	c.Individual = &kept
	r.state.archive = append(r.state.archive, c)
	return r.dir.replace(championFile(c.Generation), r.species(c), false)
}

// ended tells whether there is nothing left to do: the last generation is done, or its champion was
// as fit as it takes.
func (r *Run) ended() bool { return r.endedAt(r.state) }

func (r *Run) endedAt(s *state) bool {
	if s.generation == r.Config.Generations {
		return true
	}
	n := len(s.archive)
	return r.Config.StopAt != 0 && n > 0 && s.archive[n-1].Record.Score >= r.Config.StopAt
}

// scheduled tells whether a checkpoint is due before a generation.
func (r *Run) scheduled(generation int) bool {
	return generation%r.Config.Checkpoint == 0 || generation == r.Config.Generations
}

// save writes a checkpoint. The log reaches the disk first, for the checkpoint speaks of it.
func (r *Run) save() error {
	if err := r.Guard(); err != nil {
		return err
	}
	if err := r.dir.log.Sync(); err != nil {
		return fmt.Errorf("evolve: cannot write the log to the disk: %w", err)
	}
	file, err := seal(r.study, r.state.encode())
	if err != nil {
		return err
	}
	if err := r.dir.replace(checkpointFile(r.state.generation), file, true); err != nil {
		return err
	}
	r.saved = r.state.generation
	if r.ledger != nil {
		r.ledger.drop(r.saved)
	}
	return r.dir.prune(r.state.generation, r.scheduled)
}

// stop saves a run whose context has ended.
func (r *Run) stop() error {
	if r.state == nil {
		return fmt.Errorf("%w before its founders were grown; resume %s to begin", ErrStopped,
			r.dir.path)
	}
	if r.saved != r.state.generation {
		if err := r.save(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w before generation %d of %d; resume %s to go on", ErrStopped,
		r.state.generation, r.Config.Generations, r.dir.path)
}

// finish writes the lineage and, last of all, done.json.
func (r *Run) finish() (*Done, error) {
	if err := r.Guard(); err != nil {
		return nil, err
	}
	err := r.dir.replaceBy(LineageFile, true,
		func(w io.Writer) error { return r.state.lineage.write(w, r.breeder) })
	if err != nil {
		return nil, err
	}
	names := []string{LogFile, LineageFile}
	for _, c := range r.state.archive {
		names = append(names, championFile(c.Generation))
	}
	if err := syncDirectory(r.dir.name(ChampionFolder)); err != nil {
		return nil, fmt.Errorf("evolve: cannot write the champions to the disk: %w", err)
	}
	h := sha256.New()
	h.Write(r.study[:])
	h.Write(r.state.encode())
	if err := r.dir.fingerprint(h, names); err != nil {
		return nil, err
	}
	done := &Done{Generations: r.state.generation, Matches: r.state.matches, Games: r.state.games,
		Fingerprint: fmt.Sprintf("%x", h.Sum(nil))}
	if n := len(r.state.archive); n > 0 {
		done.Champion = r.lineOf(r.state.archive[n-1])
	}
	content, err := json.MarshalIndent(done, "", "  ")
	if err != nil {
		return nil, err
	}
	return done, r.dir.replace(DoneFile, append(content, '\n'), true)
}
