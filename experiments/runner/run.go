// Package runner carries out one study, from its settings to a run directory with champions,
// measurements and figures. It plays no game itself and breeds nothing itself; it puts the other
// packages to work.
package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"clade/engine"
	"clade/engine/durable"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
)

// Files of a run directory that this package writes, beside those of evolve.
const (
	measureFile  = "measures.jsonl"
	SummaryFile  = "summary.json" // what came of the run; written last of all
	championFile = "champion.species"
)

// Manifest is what manifest.json says of a run: how to make it again.
type Manifest struct {
	Study    string   `json:"study"` // as resolved: every default and override written out, in TOML
	Game     string   `json:"game"`
	Rules    int      `json:"rules"`    // version of the game's rules
	Program  string   `json:"program"`  // version of this program
	Go       string   `json:"go"`       // toolchain
	Platform string   `json:"platform"` // operating system, processor architecture
	Cores    int      `json:"cores"`
	Command  []string `json:"command"` // that started the run
}

// Options say how a run is carried out. None of them changes a result.
type Options struct {
	Workers int      // goroutines that play; 0 means GOMAXPROCS
	Command []string // noted in the manifest
	// Progress is called after every generation; nil for nothing.
	Progress func(evolve.Progress)
	// Stage is called as the work after the last generation goes on; nil for nothing.
	Stage func(Stage)
	// Warn is called with a sentence when something was amiss and could be mended; nil for nothing.
	Warn func(string)
	// Fence is called before results are written. Its error ends the run with the files as they
	// are; nil for no fence.
	Fence func() error
	// Remote lets other machines do a part of the breeding; nil means that all is done here.
	Remote evolve.Remote
}

func (o *Options) fence() error {
	if o.Fence == nil {
		return nil
	}
	return o.Fence()
}

// Stage tells how far one part of the work after the last generation is.
type Stage struct {
	Name        string
	Done, Total int
}

// Reporter returns a function that reports how far one stage is; told may be nil.
func Reporter(told func(Stage), name string) func(done, total int) {
	return func(done, total int) {
		if told != nil {
			told(Stage{name, done, total})
		}
	}
}

// Run is a run's directory with the study it belongs to.
type Run struct {
	Dir   string
	Study *study.Study
	Game  engine.Game
}

// Start makes a run of a study in a new directory and carries it out to its figures. Of a study
// with a sweep it carries out the settings outside the sweep. When the context ends first, the
// error wraps evolve.ErrStopped.
func Start(ctx context.Context, dir string, s *study.Study, o Options) (*Summary, error) {
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	if s.Sweep != nil {
		single := *s
		single.Sweep = nil
		s = &single
		if o.Warn != nil {
			o.Warn("this breeds the study's own settings with its own seed; `clade sweep` " +
				"carries out its sweep")
		}
	}
	r := &Run{dir, s, g}
	setup, err := r.setup(o)
	if err != nil {
		return nil, err
	}
	if err := setup.Check(); err != nil { // before anything is written
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil {
		return nil, fmt.Errorf("%s already holds a run; go on with `clade resume "+
			"%s`, or choose another directory with --out", dir, dir)
	}
	if err := r.writeManifest(o.Command); err != nil {
		return nil, err
	}
	e, err := evolve.Create(dir, setup)
	if err != nil {
		return nil, err
	}
	return r.finish(ctx, e, o)
}

// Resume goes on with a run exactly where it stopped, and makes again what is missing of its
// measurements and figures.
func Resume(ctx context.Context, dir string, o Options) (*Summary, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	setup, err := r.setup(o)
	if err != nil {
		return nil, err
	}
	var e *evolve.Run
	if _, statErr := os.Stat(filepath.Join(dir, rundir.LogFile)); errors.Is(statErr,
		fs.ErrNotExist) {
		e, err = evolve.Create(dir, setup) // it was stopped before its first generation
	} else {
		e, err = evolve.Resume(dir, setup)
	}
	if err != nil {
		return nil, err
	}
	return r.finish(ctx, e, o)
}

// Open reads a run's manifest.
func Open(dir string) (*Run, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	s, err := study.Parse(filepath.Join(dir, rundir.ManifestFile), []byte(m.Study))
	if err != nil {
		return nil, err
	}
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	if v := g.Info().Version; v != m.Rules {
		return nil, fmt.Errorf("%s was made under version %d of the rules of %s, "+
			"and this program plays version %d; run its study anew", dir, m.Rules, m.Game, v)
	}
	return &Run{dir, s, g}, nil
}

func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, rundir.ManifestFile)
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf(
			"%s is no run directory: %w; name one that clade run has made", dir, err)
	}
	m := &Manifest{}
	if err := json.Unmarshal(content, m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return m, nil
}

func (r *Run) writeManifest(command []string) error {
	text, err := r.Study.Text()
	if err != nil {
		return err
	}
	info := r.Game.Info()
	m := Manifest{
		Study: string(text), Game: info.Name, Rules: info.Version, Program: ProgramVersion(),
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Command: command,
	}
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return fmt.Errorf("cannot make the run's directory: %w", err)
	}
	return r.writeJSON(rundir.ManifestFile, &m)
}

// writeJSON writes a file of the run, whole or not at all.
func (r *Run) writeJSON(name string, v any) error {
	content, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return r.write(name, append(content, '\n'))
}

func (r *Run) write(name string, content []byte) error {
	if err := durable.WriteFile(filepath.Join(r.Dir, name), content, 0o666); err != nil {
		return err
	}
	return nil
}

// ProgramVersion is the version that the Go toolchain noted when it built the program.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
		return info.Main.Version
	}
	return "unknown"
}

// setup translates the study for evolve.
func (r *Run) setup(o Options) (evolve.Setup, error) {
	setup, err := setupOf(r.Study, r.Game)
	setup.Workers, setup.Progress, setup.Warn = o.Workers, o.Progress, o.Warn
	setup.Fence, setup.Remote = o.Fence, o.Remote
	return setup, err
}

// Setup returns what evolve needs to breed the study, or a part of it, here.
func Setup(s *study.Study) (evolve.Setup, error) {
	g, err := s.NewGame()
	if err != nil {
		return evolve.Setup{}, err
	}
	return setupOf(s, g)
}

func setupOf(s *study.Study, g engine.Game) (evolve.Setup, error) {
	// What is measured afterwards does not decide the run; everything else of the study does.
	decisive := *s
	decisive.Measure, decisive.Question = study.Measure{}, ""
	text, err := decisive.Text()
	if err != nil {
		return evolve.Setup{}, err
	}
	setup := evolve.Setup{Game: g, Config: s.Evolve, Seed: s.Seed, Study: text}
	if setup.Panel, err = player.FindAll(g, s.Players.Panel); err != nil {
		return setup, err
	}
	setup.Reference, err = player.FindAll(g, s.Players.Reference)
	return setup, err
}

// finish breeds up to the last generation, then measures and draws.
func (r *Run) finish(ctx context.Context, e *evolve.Run, o Options) (*Summary, error) {
	done, err := e.Evolve(ctx)
	if closed := e.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	sum := &Summary{Run: r.Dir, Generations: done.Generations, Games: done.Games,
		Fingerprint: done.Fingerprint}
	if done.Champion != nil {
		if err := r.present(ctx, sum, done.Champion.File, o); err != nil {
			return nil, err
		}
	}
	paths, err := Plot([]Group{{r.Study.Name, []*Run{r}}},
		filepath.Join(r.Dir, rundir.FigureFolder))
	if err != nil {
		return nil, err
	}
	sum.Figures = paths
	if err := o.fence(); err != nil {
		return nil, err
	}
	return sum, r.writeJSON(SummaryFile, sum)
}

// present copies the last champion to where it is found at once, and measures.
func (r *Run) present(ctx context.Context, sum *Summary, file string, o Options) error {
	content, err := os.ReadFile(filepath.Join(r.Dir, file))
	if err != nil {
		return err
	}
	sum.Champion = filepath.Join(r.Dir, championFile)
	if err := r.write(championFile, content); err != nil {
		return err
	}
	if err := r.measure(ctx, o); err != nil {
		return err
	}
	sum.Final, err = r.measureFinal(ctx, o)
	return err
}

// IsRun tells whether a path is a run directory.
func IsRun(path string) bool {
	_, err := os.Stat(filepath.Join(path, rundir.ManifestFile))
	return err == nil
}
