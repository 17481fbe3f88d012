// Package runner carries out one study, from its settings to a run directory with champions,
// measurements and figures. It plays and breeds through other packages.
//
// Start carries out a study made by study.Read or study.New. Open reads a run's directory, and
// Run.Resume continues it, whichever program started it.
package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"clade/engine"
	"clade/engine/system/packed"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
)

// Start carries out a study in a new directory, from its first generation to its figures. A sweep
// in the study is ignored. If the context ends first, the error wraps evolve.ErrStopped.
func Start(ctx context.Context, dir string, s *study.Study, o Options) (*Summary, error) {
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	if s.Sweep != nil {
		single := *s
		single.Sweep = nil
		s = &single
		o.warn("this breeds the study's own settings with its own seed; its sweep is not carried " +
			"out")
	}
	s, species, err := foundersOf(s, g)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, Study: s, Game: g}
	if r.Manifest, err = newManifest(s, g); err != nil {
		return nil, err
	}
	r.Manifest.Command, r.Manifest.Founders = o.Command, hashes(g, species)
	setup, err := r.setup(o)
	if err != nil {
		return nil, err
	}
	setup.Founders = genomes(species)
	named := setup // whose errors name founders as the study does
	named.Config.Founders.Species = s.Evolve.Founders.Species
	if err := named.Check(); err != nil { // before anything is written
		return nil, err
	}
	if err := CheckEmpty(dir); err != nil {
		return nil, err
	}
	if o.Begun != nil {
		o.Begun()
	}
	if err := r.writeManifest(); err != nil {
		return nil, err
	}
	if err := r.writeFounders(species); err != nil {
		return nil, err
	}
	e, err := evolve.Create(dir, setup)
	if err != nil {
		return nil, err
	}
	return r.finish(ctx, e, o)
}

// Complete carries out a study in a directory: it starts the run, or resumes the one that is there.
func Complete(ctx context.Context, dir string, s *study.Study, o Options) (*Summary, error) {
	if !rundir.IsRun(dir) {
		return Start(ctx, dir, s, o)
	}
	r, err := Open(s.Scope(), dir)
	if err != nil {
		return nil, err
	}
	return r.Resume(ctx, o)
}

// CheckEmpty returns an error for a directory that already holds a run.
func CheckEmpty(dir string) error {
	if rundir.IsRun(dir) {
		return &rundir.Problem{Dir: dir, Remedy: rundir.Resume,
			Err: fmt.Errorf("%s already holds a run; choose another directory, or resume it", dir)}
	}
	return nil
}

// Resume continues a run exactly where it stopped, and makes those of its measurements and figures
// that are missing.
func (r *Run) Resume(ctx context.Context, o Options) (*Summary, error) {
	if err := packed.Writable(r.Dir); err != nil {
		return nil, err
	}
	setup, err := r.setup(o)
	if err != nil {
		return nil, err
	}
	species, err := r.readFounders()
	if err != nil {
		return nil, err
	}
	setup.Founders = genomes(species)
	var e *evolve.Run
	absent := func(name string) bool {
		_, err := os.Stat(filepath.Join(r.Dir, name))
		return errors.Is(err, fs.ErrNotExist)
	}
	if absent(rundir.LogFile) && absent(rundir.DoneFile) {
		e, err = evolve.Create(r.Dir, setup) // it was stopped before its first generation
	} else {
		e, err = evolve.Resume(r.Dir, setup)
	}
	if err != nil {
		return nil, err
	}
	return r.finish(ctx, e, o)
}

// Replay breeds the run once more in a new directory. It calls see before each generation, with all
// individuals alive and the setup that they belong to, until see returns false or the run is over.
// The run itself does not change.
func (r *Run) Replay(ctx context.Context, dir string, workers int,
	see func(generation int, all []evolve.Member, of *evolve.Setup) bool) error {
	study := *r.Study
	study.Evolve.Checkpoint = 1 // it changes no result
	setup, err := r.Manifest.players(&study, r.Game)
	if err != nil {
		return err
	}
	species, err := r.readFounders()
	if err != nil {
		return err
	}
	setup.Founders, setup.Workers = genomes(species), workers
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	look := func(generation int) {
		all, _, err := setup.Members(dir, generation)
		if err == nil && !see(generation, all, &setup) {
			err = errSeen
		}
		if err != nil {
			stop(err)
		}
	}
	setup.Progress = func(p evolve.Progress) {
		if p.Line.Generation == 0 {
			look(0)
		}
		look(p.Line.Generation + 1)
	}
	e, err := evolve.Create(dir, setup)
	if err != nil {
		return err
	}
	_, err = e.Evolve(ctx)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err = errors.Join(err, e.Close()); errors.Is(err, errSeen) {
		return nil
	}
	return err
}

var errSeen = errors.New("all is seen")

// Setup returns what evolve needs to read the run's checkpoints.
func (r *Run) Setup() (evolve.Setup, error) { return r.Manifest.players(r.Study, r.Game) }

// setup returns the setup of the run with options.
func (r *Run) setup(o Options) (evolve.Setup, error) {
	setup, err := r.Setup()
	setup.Workers, setup.Progress, setup.Warn = o.Workers, o.Progress, o.Warn
	if r.gauge = r.newGauge(o); r.gauge != nil {
		setup.Progress = func(p evolve.Progress) {
			r.gauge.see(p)
			if o.Progress != nil {
				o.Progress(p)
			}
		}
	}
	setup.Fence, setup.RemoteIslands = o.Fence, o.RemoteIslands
	return setup, err
}

// Setup returns what evolve needs to breed the study, or a part of it, here.
func Setup(s *study.Study) (evolve.Setup, error) {
	g, err := s.NewGame()
	if err != nil {
		return evolve.Setup{}, err
	}
	return (&Manifest{}).players(s, g)
}

// Hash returns the hash that a run of the study would have if it began now.
func Hash(s *study.Study) (hash [32]byte, err error) {
	g, err := s.NewGame()
	if err != nil {
		return hash, err
	}
	s, species, err := foundersOf(s, g)
	if err != nil {
		return hash, err
	}
	return (&Manifest{Founders: hashes(g, species)}).Hash(s)
}

// Hash returns the hash of the manifest's run, if it is of the study with the manifest's founders.
func (m *Manifest) Hash(s *study.Study) (hash [32]byte, err error) {
	g, err := s.NewGame()
	if err != nil {
		return hash, err
	}
	setup, err := m.setup(s, g)
	if err != nil {
		return hash, err
	}
	return setup.Hash(), nil
}

// setup returns the setup of the manifest's run without its players.
func (m *Manifest) setup(s *study.Study, g engine.Game) (evolve.Setup, error) {
	// What is measured afterwards does not decide the run; everything else of the study does. Of
	// founders it is what they are, and not where they were found.
	decisive := *s
	decisive.Measure, decisive.Question = study.Measure{}, ""
	if len(m.Founders) > 0 {
		decisive.Evolve.Founders.Species = m.Founders
	}
	setup := evolve.Setup{Game: g, Config: decisive.Evolve, Seed: s.Seed}
	var err error
	if setup.Study, err = decisive.Text(); err != nil {
		return setup, err
	}
	setup.Settings, err = study.Said(s.Scope(), g)
	return setup, err
}

// players returns the setup of the manifest's run with its players.
func (m *Manifest) players(s *study.Study, g engine.Game) (evolve.Setup, error) {
	setup, err := m.setup(s, g)
	if err != nil {
		return setup, err
	}
	if setup.Panel, err = s.Scope().FindAll(g, s.Players.Panel); err != nil {
		return setup, err
	}
	setup.Reference, err = s.Scope().FindAll(g, s.Players.Reference)
	return setup, err
}

// finish breeds the remaining generations, then measures and draws.
func (r *Run) finish(ctx context.Context, e *evolve.Run, o Options) (*Summary, error) {
	beside, stop := context.WithCancel(ctx)
	defer stop()
	if r.gauge != nil {
		go r.gauge.work(beside, o.Strength)
	}
	done, err := e.Evolve(ctx)
	stop()
	if err = cmp.Or(err, e.Close()); err != nil {
		return nil, err
	}
	sum := &Summary{Dir: r.Dir, Generations: done.Generations, Games: done.Games,
		Fingerprint: done.Fingerprint, Unrepeatable: r.Study.Evolve.Seconds > 0}
	if done.Champion != nil {
		if err := r.present(ctx, sum, o); err != nil {
			return nil, err
		}
	}
	g := []Group{{Name: r.Study.Name, Runs: []*Run{r}, Figures: r.Study.Figures}}
	paths, err := Plot(g, LookOf(g), filepath.Join(r.Dir, rundir.FigureFolder))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		sum.Figures = append(sum.Figures, rundir.FigureFolder+"/"+filepath.Base(path))
	}
	if err := o.fence(); err != nil {
		return nil, err
	}
	content, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		return nil, err
	}
	return sum, rundir.WriteFile(r.Dir, SummaryFile, append(content, '\n'))
}

// present copies the last champion into the run's directory, and measures champions.
func (r *Run) present(ctx context.Context, sum *Summary, o Options) error {
	champions, err := player.Champions(r.Dir)
	if err != nil {
		return err
	}
	last := champions[len(champions)-1]
	content, err := rundir.ReadFile(last.Path)
	if err != nil {
		return err
	}
	name := ChampionFile
	sum.Champion = &name
	if err := rundir.WriteFile(r.Dir, ChampionFile, content); err != nil {
		return err
	}
	if err := r.measure(ctx, champions, o); err != nil {
		return err
	}
	if sum.Final, err = r.measureFinal(ctx, last.Generation, o); err != nil {
		return err
	}
	return r.rate(ctx, sum, o)
}

// Options say how a run is carried out. None of them changes a result.
type Options struct {
	Workers int      // goroutines that play; 0 means GOMAXPROCS
	Command []string // recorded in the manifest
	// Begun is called when everything is checked, before a new run's directory is made; nil for
	// nothing.
	Begun func()
	// Progress is called after every generation; nil for nothing.
	Progress func(evolve.Progress)
	// Strength is called from another goroutine with the strength of champions, which is measured
	// in spare time while the run is bred; nil for nothing, and then nothing is played.
	Strength func(Strength)
	// Stage is called with the progress of the work after the last generation; nil for nothing.
	Stage func(Stage)
	// Warn is called with a sentence about something that was wrong and could be repaired; nil for
	// nothing.
	Warn func(string)
	// Fence is called before results are written. Its error ends the run without further writes;
	// nil for no fence.
	Fence func() error
	// RemoteIslands has the islands bred on other machines, see evolve.Setup; nil for none.
	RemoteIslands func(context.Context, *evolve.Coordinator) error
}

func (o *Options) fence() error {
	if o.Fence == nil {
		return nil
	}
	return o.Fence()
}

func (o *Options) warn(what string) {
	if o.Warn != nil {
		o.Warn(what)
	}
}

func (o *Options) stage(s Stage) {
	if o.Stage != nil {
		o.Stage(s)
	}
}

// Stage is the progress of one part of the work after the last generation.
type Stage struct {
	Name        string
	Done, Total int
}

// Progress returns a function that reports the progress of one stage; use may be nil.
func Progress(use func(Stage), name string) func(done, total int) {
	return func(done, total int) {
		if use != nil {
			use(Stage{name, done, total})
		}
	}
}

// Opener opens many runs. It reads the study of replicates once, which saves a millisecond or more
// and half a megabyte for each run. It is safe for concurrent use.
type Opener struct {
	Scope player.Scope // what studies may name

	mu    sync.Mutex
	alike map[string]*Run // by version of the rules and study without seed
}

// Open opens a run as the function Open does.
func (o *Opener) Open(dir string) (*Run, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	rest, seed := CutSeed(m.Study)
	key := fmt.Sprintf("%d %s", m.Rules, rest)
	o.mu.Lock()
	like := o.alike[key]
	o.mu.Unlock()
	if n, err := strconv.ParseUint(seed, 10, 63); like != nil && err == nil && n > 0 {
		s := *like.Study
		s.Seed = n
		return &Run{Dir: dir, Study: &s, Game: like.Game, Manifest: m}, nil
	}
	r, err := m.run(o.Scope, dir)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.alike == nil {
		o.alike = map[string]*Run{}
	}
	o.alike[key] = &Run{Study: r.Study, Game: r.Game}
	return r, nil
}

// CutSeed removes the seed from a study as manifests hold it, and returns both; the seed is "" if
// it cannot be found safely.
func CutSeed(study string) (rest, seed string) {
	before, after, ok := strings.Cut(study, "\nseed = ")
	if !ok || strings.Contains(before, "\n[") {
		return study, ""
	}
	seed, after, _ = strings.Cut(after, "\n")
	if n, err := strconv.ParseUint(seed, 10, 64); err != nil || fmt.Sprint(n) != seed {
		return study, ""
	}
	return before + "\n" + after, seed
}
