package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/combin"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
)

// Forecast is the expected cost of a run. It is extrapolated from two generations, or from a small
// one if they take long. Later generations have larger genomes, which take longer.
type Forecast struct {
	Games     float64 `json:"games"`      // of selection and migration
	RaceGames float64 `json:"race_games"` // of the choice of champions
	Measured  float64 `json:"measured"`   // games of the measurements
	Seconds   float64 `json:"seconds"`    // of one processor
	Bytes     float64 `json:"bytes"`
}

// The sample: two whole generations, or, if they take longer than wholeTime, one of few
// individuals, who are all candidates of a short race.
const (
	wholeTime    = 20 * time.Second
	sampled      = 4
	sampledGames = 8
	sampleTime   = 60 * time.Second
)

// ErrSlow is the error for a study of which even one small generation took too long.
var ErrSlow = fmt.Errorf("a generation of %d individuals is not over in %s, so nothing can be "+
	"told of the whole", sampled, sampleTime)

// Foresee plays the first generations of a study in a temporary folder, and returns what the whole
// study will cost. Of a staged study it plays the first generations of each stage, as if it had no
// founders. It returns ErrSlow if that takes too long.
func Foresee(ctx context.Context, s *study.Study, workers int) (Forecast, error) {
	if len(s.Stages) > 0 {
		return foreseeStages(ctx, s, workers)
	}
	whole := *s
	whole.Evolve.Generations, whole.Evolve.Games, whole.Evolve.Seconds = 2, 0, 0
	if !s.Evolve.Budgeted() {
		whole.Evolve.Generations = min(s.Evolve.Generations, 2)
	}
	f, err := foresee(ctx, s, &whole, workers, wholeTime)
	if !errors.Is(err, ErrSlow) {
		return f, err
	}
	small := reduced(s)
	return foresee(ctx, s, &small, workers, sampleTime)
}

// reduced returns a study of few individuals.
func reduced(s *study.Study) study.Study {
	small := *s
	small.Shrink(sampled, 1)
	e := &small.Evolve
	e.Boards = 1
	if e.Selection != evolve.ByRace { // whose first generation has none
		e.Elites = 0
	}
	e.Champion.Candidates = min(e.Champion.Candidates, e.Population)
	e.Champion.Games, e.Champion.Tune = min(e.Champion.Games, sampledGames), 0
	return small
}

// foreseeStages adds up the stages of a study with their races. The speed of a stage follows from
// its pace, which is relative to the first generations of the first stage.
func foreseeStages(ctx context.Context, s *study.Study, workers int) (f Forecast, err error) {
	plan, err := s.Plan()
	if err != nil {
		return f, err
	}
	first := 0.0 // seconds a game
	for i := range plan {
		st := &plan[i]
		c, err := s.StageStudy(plan, i, 0, nil)
		if err != nil {
			return f, err
		}
		one, err := Foresee(ctx, c, workers)
		if err != nil {
			return f, err
		}
		games := func() float64 { return one.Games + one.RaceGames + one.Measured }
		if i == 0 {
			first = one.Seconds / max(1, games())
		}
		n := float64(st.Populations)
		one.Games, one.RaceGames = one.Games*n, one.RaceGames*n+n*(n-1)/2*float64(st.Race)
		one.Measured, one.Bytes = one.Measured*n, one.Bytes*n
		one.Seconds = games() * first / st.Pace
		f.Add(one)
	}
	return f, nil
}

// foresee plays a sample of a study.
func foresee(ctx context.Context, s, sample *study.Study, workers int,
	limit time.Duration) (f Forecast, err error) {
	sample.Measure = study.Measure{Games: 2, Every: s.Measure.Every}
	dir, err := os.MkdirTemp("", "clade-forecast-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	run := filepath.Join(dir, "run")
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	took, at, clock, began := time.Duration(0), parallel.ProcessorTime(), 0.0, time.Now()
	options := Options{Workers: workers, Progress: func(evolve.Progress) { // of the last generation
		now := parallel.ProcessorTime()
		took, at = now-at, now
		clock, began = time.Since(began).Seconds(), time.Now()
	}}
	if _, err := Start(limited, run, sample, options); err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			return f, ErrSlow
		}
		return f, err
	}
	r, err := Open(s.Scope(), run)
	if err != nil {
		return f, err
	}
	var last rundir.Line
	if err := readLog(r, func(l *rundir.Line) { last = *l }); err != nil {
		return f, err
	}
	grown := float64(s.Evolve.Matches()) / float64(sample.Evolve.Matches())
	generations := float64(s.Evolve.Generations)
	if s.Evolve.Budgeted() {
		generations = math.Inf(1)
	}
	if n := s.Evolve.Games; n > 0 {
		generations = math.Ceil(float64(n) / (float64(max(1, last.Games)) * grown))
	}
	if n := s.Evolve.Seconds; n > 0 {
		generations = min(generations, math.Ceil(n/(clock*grown)))
	}
	f.Games = float64(last.Games) * grown * generations
	return f, errors.Join(f.scale(s, &sample.Evolve, &last, took, generations),
		f.disk(s, &sample.Evolve, run, generations))
}

// scale computes the other games and the time of the whole study from a generation with a champion.
func (f *Forecast) scale(s *study.Study, small *evolve.Config, last *rundir.Line,
	took time.Duration, generations float64) error {
	e := &s.Evolve
	// as many games a round, of which each halves the candidates
	rounds := func(c *evolve.Config) float64 {
		n := c.Population * c.Islands
		if c.Champion.Candidates > 0 {
			n = min(n, c.Champion.Candidates)
		}
		return math.Log2(float64(max(2, n)))
	}
	crowned := math.Ceil(generations / float64(e.Champion.Every))
	f.RaceGames = float64(last.RaceGames) * crowned * rounds(e) / rounds(small) *
		float64(e.Champion.Games) / float64(small.Champion.Games)
	g, err := s.NewGame()
	if err != nil {
		return err
	}
	m := s.Measure
	f.Measured = float64(m.Final) * float64(len(player.Plain(g)))
	if kept := len(player.Kept(g.Info().Name)); m.League > 0 {
		seats := max(2, g.Info().MinSeats)
		f.Measured += float64(m.League) * combin.GeneralizedBinomial(float64(kept+1), float64(seats))
	}
	if len(m.Against) > 0 {
		f.Measured += float64(m.Games*len(m.Against)) * math.Ceil(generations/float64(max(1, m.Every)))
	}
	f.Seconds = took.Seconds() / float64(max(1, last.Games+last.RaceGames)) *
		(f.Games + f.RaceGames + f.Measured)
	return nil
}

// disk extrapolates the size of the whole run's directory.
func (f *Forecast) disk(s *study.Study, small *evolve.Config, run string,
	generations float64) error {
	grown := float64(s.Evolve.Population) / float64(small.Population)
	return filepath.WalkDir(run, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size := float64(info.Size())
		name, _ := filepath.Rel(run, path)
		switch name = filepath.ToSlash(name); {
		case strings.HasPrefix(name, rundir.StateFolder):
			size *= grown
		case name == rundir.LogFile || name == rundir.TimesFile || name == rundir.LineageFile ||
			strings.HasPrefix(name, rundir.ChampionFolder):
			size *= generations / float64(small.Generations)
		}
		f.Bytes += size
		return nil
	})
}

// Add adds what another run costs.
func (f *Forecast) Add(other Forecast) {
	f.Games, f.RaceGames = f.Games+other.Games, f.RaceGames+other.RaceGames
	f.Measured, f.Seconds = f.Measured+other.Measured, f.Seconds+other.Seconds
	f.Bytes += other.Bytes
}

// String returns the forecast as a sentence without a full stop.
func (f Forecast) String() string {
	return fmt.Sprintf("about %s games of selection, %s of the champion's races and %s of "+
		"measurements, %s of one processor, %s of disk", count(f.Games), count(f.RaceGames),
		count(f.Measured), hours(f.Seconds), bytesText(f.Bytes))
}

// count formats a number of games with a few digits.
func count(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2g billion", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.3g million", n/1e6)
	default:
		return fmt.Sprintf("%.0f", n)
	}
}

func hours(seconds float64) string {
	if seconds < 60 {
		return fmt.Sprintf("%.1f seconds", seconds)
	}
	if seconds < 3600 {
		return fmt.Sprintf("%.1f minutes", seconds/60)
	}
	return fmt.Sprintf("%.1f hours", seconds/3600)
}

func bytesText(n float64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.1f MB", n/1e6)
	}
	return fmt.Sprintf("%.1f GB", n/1e9)
}
