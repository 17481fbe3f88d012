package runner

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"clade/engine"
	"clade/engine/system/packed"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/experiments/version"
	"clade/gp/bom"
	"clade/gp/kernels"
)

// Files of a run directory that this package writes, beside those of evolve.
const (
	MeasureFile  = "measures.jsonl"
	SummaryFile  = "summary.json" // the result of the run; written last
	ChampionFile = "champion.species"
	// founderFolder holds copies of the species of evolve.founders.species, which the run needs
	// when it goes on, and which may be gone by then.
	founderFolder = "founders"
)

// Writes reports whether Start writes a file or folder of this name into a run's directory.
func Writes(name string) bool {
	switch name {
	case rundir.ManifestFile, rundir.LogFile, rundir.TimesFile, rundir.LineageFile, rundir.DoneFile,
		rundir.ChecksumFile, rundir.ChampionFolder, rundir.StateFolder, rundir.FigureFolder,
		MeasureFile, SummaryFile, ChampionFile, NoteFile, founderFolder:
		return true
	}
	return false
}

// Manifest is the content of manifest.json: what it takes to repeat a run.
type Manifest struct {
	Study string `json:"study"` // as resolved: every default and override written out, in TOML
	Game  string `json:"game"`
	Rules int    `json:"rules"` // version of the game's rules
	version.Build
	Go       string `json:"go"`       // toolchain
	Platform string `json:"platform"` // operating system, processor architecture
	Cores    int    `json:"cores"`
	// Processor and Kernels, its vector instructions in use, are absent where nothing tells them
	Processor string   `json:"processor,omitempty"`
	Kernels   string   `json:"kernels,omitempty"`
	Command   []string `json:"command"` // that started the run
	// SHA-256 of the genomes of the study's founders, in order, which stand for their names in the
	// run's hash. A run of an earlier version has none, and a hash of the names.
	Founders []string `json:"founders,omitempty"`
	// the clock ends the run, which therefore does not repeat; see evolve.Config.Seconds
	Unrepeatable bool `json:"unrepeatable,omitempty"`
}

// Run is a run's directory with the study it belongs to.
type Run struct {
	Dir      string
	Study    *study.Study
	Game     engine.Game
	Manifest *Manifest

	gauge *gauge // of what is bred now; nil for none
}

// Open reads a run's manifest, whose study may use the names within the scope.
func Open(scope player.Scope, dir string) (*Run, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	return m.run(scope, dir)
}

func (m *Manifest) run(scope player.Scope, dir string) (*Run, error) {
	s, err := study.Parse(scope, filepath.Join(dir, rundir.ManifestFile), []byte(m.Study))
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
	return &Run{Dir: dir, Study: s, Game: g, Manifest: m}, nil
}

// ReadManifest reads the manifest of a run.
func ReadManifest(dir string) (*Manifest, error) { return readManifest(dir, rundir.ReadFile) }

func readManifest(dir string, read func(path string) ([]byte, error)) (*Manifest, error) {
	path := filepath.Join(dir, rundir.ManifestFile)
	content, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is not a run directory: %w; name one that clade run has made", dir, err)
	}
	if err != nil {
		return nil, err
	}
	if content, err = bom.Skip(content); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m := &Manifest{}
	if err := json.Unmarshal(content, m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return m, nil
}

// newManifest returns the manifest of a run that begins here and now.
func newManifest(s *study.Study, g engine.Game) (*Manifest, error) {
	text, err := s.Text()
	info := g.Info()
	return &Manifest{
		Study: string(text), Game: info.Name, Rules: info.Version, Build: version.This(),
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(),
		Unrepeatable: s.Evolve.Seconds > 0,
		Processor:    processor(), Kernels: kernelsHere(),
	}, err
}

// processor returns the name of the machine's processor, "" where the system does not say.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // of Linux
	for line := range strings.Lines(string(text)) {
		if key, name, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// kernelsHere returns the name of the vector instructions in use.
func kernelsHere() string {
	level, err := kernels.Chosen()
	if err != nil {
		return ""
	}
	return level.String()
}

func (r *Run) writeManifest() error {
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return fmt.Errorf("cannot make the run's directory: %w", err)
	}
	content, err := json.MarshalIndent(r.Manifest, "", "  ")
	if err != nil {
		return err
	}
	return rundir.WriteFile(r.Dir, rundir.ManifestFile, append(content, '\n'))
}

// Expected returns how many generations a run with these settings will have, as far as its
// directory tells; 0 if a budget ends it and it has not begun.
func Expected(c *evolve.Config, dir string) int {
	var spent evolve.Spent
	if c.Budgeted() {
		spent.Generations, spent.Games, spent.Seconds = rundir.Spent(dir)
	}
	return c.Expected(spent)
}

// CompareNames orders folders as people count: study-2 is before study-10.
func CompareNames(a, b string) int {
	for x, y := a, b; x != "" && y != ""; {
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			m, n = 1, 1
		}
		if c := cmp.Or(cmp.Compare(m, n), strings.Compare(x[:m], y[:n])); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return strings.Compare(a, b)
}

// digits returns with how many digits a text begins.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// IsRun reports whether a path is a run directory.
func IsRun(path string) bool {
	_, err := packed.Stat(filepath.Join(path, rundir.ManifestFile))
	return err == nil
}
