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
	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/experiments/version"
	"clade/gp/input"
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
	Study string `json:"study"` // as resolved, in TOML: written out but for some zero values
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
	Whole    *study.Study // with the stages of which Study is the last, if it is one; else Study
	Before   int64        // games of selection of the stages before, all their populations
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
	return &Run{Dir: dir, Study: s, Whole: s, Game: g, Manifest: m}, nil
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
	if content, err = input.SkipMark(content); err != nil {
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

// Cost is the cost of a run so far.
type Cost struct {
	Games     int64   `json:"games"`      // of selection and migration
	RaceGames int64   `json:"race_games"` // of the choice of champions
	Seconds   float64 `json:"seconds"`    // by the clock, of breeding without checkpoints
	// of processors, of the same; by the clock where an earlier version has bred
	Processor float64 `json:"processor_seconds"`
}

// Add adds what another run has cost.
func (c *Cost) Add(d Cost) {
	c.Games, c.RaceGames = c.Games+d.Games, c.RaceGames+d.RaceGames
	c.Seconds, c.Processor = c.Seconds+d.Seconds, c.Processor+d.Processor
}

// Cost returns the cost of the run's generations.
func (r *Run) Cost() (c Cost, err error) {
	err = readLog(r, func(l *struct {
		Games     int64 `json:"games"`
		RaceGames int64 `json:"race_games"`
	}) {
		c.Games, c.RaceGames = c.Games+l.Games, c.RaceGames+l.RaceGames
	})
	if err != nil {
		return c, err
	}
	return c, r.eachTime(func(t *rundir.Times) {
		c.Seconds += t.Seconds
		c.Processor += cmp.Or(t.Processor, t.Seconds)
	})
}

// eachTime calls use with the time of each generation.
func (r *Run) eachTime(use func(*rundir.Times)) error {
	_, err := durable.EachLine(filepath.Join(r.Dir, rundir.TimesFile), func(t *rundir.Times) bool {
		use(t)
		return true
	})
	if errors.As(err, new(*durable.LineError)) {
		return &rundir.Problem{Dir: r.Dir, Remedy: rundir.Mend,
			Err: fmt.Errorf("%w; mend the run, which keeps the times before it", err)}
	}
	return err
}

// NoteFile holds a person's note on a run. Nothing else of the run depends on it.
const NoteFile = "note.txt"

// maxNote is the most bytes of a note.
const maxNote = 64 << 10

// ReadNote reads the note of a run, "" if there is none.
func ReadNote(dir string) (string, error) {
	info, err := packed.Stat(filepath.Join(dir, NoteFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxNote:
		return "", fmt.Errorf("%s is no text of at most %d bytes", filepath.Join(dir, NoteFile), maxNote)
	}
	text, err := packed.ReadFile(filepath.Join(dir, NoteFile))
	return strings.TrimSpace(string(text)), err
}

// WriteNote replaces the note of a run; "" removes it.
func WriteNote(dir, text string) error {
	if !rundir.IsRun(dir) {
		return fmt.Errorf("%s is not a run directory: it has no %s", dir, rundir.ManifestFile)
	}
	if err := packed.Writable(dir); err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	if len(text) >= maxNote {
		return fmt.Errorf("the note has %d bytes; at most %d are kept", len(text), maxNote-1)
	}
	path := filepath.Join(dir, NoteFile)
	if text == "" {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return durable.WriteFile(path, []byte(text+"\n"), 0o666)
}

// Summary is the result of a run: summary.json.
type Summary struct {
	Dir         string `json:"-"` // of the run; all names are relative to it
	Generations int    `json:"generations"`
	Games       int64  `json:"games"` // of selection
	Fingerprint string `json:"fingerprint"`
	// as in the manifest
	Unrepeatable bool `json:"unrepeatable,omitempty"`
	// species file of the last champion; nil, and null in the file, where nothing chose one
	Champion *string `json:"champion"`
	// the last champion against the built-in players, on fresh boards; nil, and null in the file,
	// where there is no champion or nobody to play against
	Final []Measurement `json:"final"`
	// the last champion and the kept species, strongest first; left out where there was no league
	League  []Rated  `json:"league,omitempty"`
	Figures []string `json:"figures"`
}

// ChampionPath returns the path of the last champion's species file, nil where nothing chose one.
func (s *Summary) ChampionPath() *string {
	if s.Champion == nil {
		return nil
	}
	path := filepath.Join(s.Dir, *s.Champion)
	return &path
}

// ReadSummary reads the summary of a run, nil for a run that is not over. A summary that does not
// belong to the end of the run is an error.
func ReadSummary(dir string) (*Summary, error) {
	path := filepath.Join(dir, SummaryFile)
	content, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sum := &Summary{Dir: dir}
	if err := json.Unmarshal(content, sum); err != nil {
		return nil, &rundir.Problem{Dir: dir, Remedy: rundir.Mend,
			Err: fmt.Errorf("%s is damaged (%w); mend the run, which makes it again", path, err)}
	}
	done, err := rundir.ReadDone(dir)
	if err != nil {
		return nil, err
	}
	if done == nil || done.Fingerprint != sum.Fingerprint {
		return nil, &rundir.Problem{Dir: dir, Remedy: rundir.Mend, Err: fmt.Errorf("%s does not "+
			"belong to the run's %s; mend the run, which makes it again", path, rundir.DoneFile)}
	}
	return sum, nil
}

// Ended reads the summary of a run. A run that has not ended is an error.
func (r *Run) Ended() (*Summary, error) {
	sum, err := ReadSummary(r.Dir)
	if err == nil && sum == nil {
		err = &rundir.Problem{Dir: r.Dir, Remedy: rundir.Resume,
			Err: fmt.Errorf("%s has not ended; resume it first", r.Dir)}
	}
	return sum, err
}
