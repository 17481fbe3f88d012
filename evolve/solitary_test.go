package evolve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"clade/engine/games/multiplexer"
	"clade/engine/games/santafe"
	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/proof"
)

// solitary is a small setup in a game for one.
func solitary(change func(c *Config)) Setup {
	c := small()
	c.Population, c.Generations, c.Tournament, c.Checkpoint = 80, 12, 4, 5
	c.Selection, c.Fitness = ByFitness, Fitness{Measure: measureScore, Opponents: nobody}
	c.Champion = Champion{Against: fittest, Every: 4}
	c.Variation = gp.Variation{Crossover: 0.9, Mutation: 0.05, MaxDepth: 17, GrowDepth: 5, Slots: 1,
		Inner: 0.9}
	if change != nil {
		change(&c)
	}
	return Setup{Game: santafe.New(), Config: c, Seed: 3, Workers: 1}
}

// TestSolitaryRunsRepeat holds runs in a game for one to the same bytes for any number of workers
// and however often they are stopped.
func TestSolitaryRunsRepeat(t *testing.T) {
	proof.Slow(t)
	for name, change := range map[string]func(c *Config){
		"plain":   nil,
		"stop":    func(c *Config) { c.StopAt = 30 },
		"elites":  func(c *Config) { c.Elites, c.Founders.Retries = 3, 20 },
		"steady":  func(c *Config) { c.Replacement, c.Parsimony = replaceLosers, true },
		"islands": func(c *Config) { c.Islands, c.Migration = 2, Migration{Every: 2, Migrants: 5} },
		"layers": func(c *Config) {
			c.Islands, c.Migration = 3, Migration{Every: 2, Layers: true}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := solitary(change)
			if s.Config.Islands < 2 {
				proof.Alone(t)
			}
			path, done := evolved(t, s)
			stands(t, "solitary, "+name, done)
			want := contents(t, path)
			s.Workers = 3
			path, _ = evolved(t, s)
			compare(t, want, contents(t, path))

			path = t.TempDir()
			r, err := Create(path, s)
			for stops := 0; err == nil; stops++ {
				ctx, cancel := context.WithCancel(context.Background())
				r.Progress = func(Progress) { cancel() }
				var d *rundir.Done
				d, err = r.Evolve(ctx)
				cancel()
				r.Close()
				if err == nil {
					proof.Is(t, d.Fingerprint, done.Fingerprint, "the fingerprint")
					break
				}
				if !errors.Is(err, ErrStopped) || stops > s.Config.Generations {
					t.Fatal(err)
				}
				r, err = Resume(path, s)
			}
			proof.OK(t, err)
			compare(t, want, contents(t, path))
		})
	}
}

// logOf reads a run's log.
func logOf(t *testing.T, path string) []rundir.Line {
	t.Helper()
	content := proof.Must(os.ReadFile(filepath.Join(path, rundir.LogFile)))(t)
	var lines []rundir.Line
	for _, text := range bytes.Split(bytes.TrimSpace(content), []byte("\n")) {
		var l rundir.Line
		proof.OK(t, json.Unmarshal(text, &l))
		lines = append(lines, l)
	}
	return lines
}

func TestRunEndsAtTheIdeal(t *testing.T) {
	s := solitary(func(c *Config) { c.StopAt = 30 })
	path, done := evolved(t, s)
	lines := logOf(t, path)
	last := &lines[len(lines)-1]
	for _, l := range lines {
		proof.Is(t, l.Fitness.Max >= 30, l.Generation == last.Generation,
			"generation %d reaches 30", l.Generation)
		if l.Games != int64(s.Config.Population) || l.Matches != 0 {
			t.Errorf("generation %d counts %d games and %d matches", l.Generation, l.Games, l.Matches)
		}
	}
	if len(lines) == s.Config.Generations {
		t.Error("the run never got there")
	}
	exact := s
	exact.Config.StopAt = last.Fitness.Max
	_, same := evolved(t, exact)
	proof.Is(t, same.Generations, len(lines), "generations up to the very score")
	if done.Generations != len(lines) || done.Champion == nil ||
		done.Champion.Score != last.Fitness.Max || last.Champion == nil ||
		done.Champion.Games != 1 {
		t.Errorf("%+v with champion %+v, where %v was reached", done, done.Champion, last.Fitness.Max)
	}
	r := proof.Must(Resume(path, s))(t)
	defer r.Close()
	again := proof.Must(r.Evolve(context.Background()))(t)
	proof.Is(t, again.Fingerprint, done.Fingerprint, "a run that has ended and is gone on with")
}

// TestFittestIsChampion compares the champion's score with what its genome scores in the game.
func TestFittestIsChampion(t *testing.T) {
	s := solitary(func(c *Config) { c.Champion.Every = 1 })
	s.Game = multiplexer.New()
	path, _ := evolved(t, s)
	for _, l := range logOf(t, path) {
		proof.Is(t, l.Champion.Score, l.Fitness.Max, "generation %d: the champion's score",
			l.Generation)
	}
}

func TestFoundersDiffer(t *testing.T) {
	distinct := func(retries int) float64 {
		path, _ := evolved(t,
			solitary(func(c *Config) {
				c.Population, c.Generations, c.Founders.Retries = 400, 1, retries
			}))
		return logOf(t, path)[0].Genotypes
	}
	if with, without := distinct(100), distinct(0); with != 1 || without > 0.95 {
		t.Errorf("%v of the founders are distinct with retries, %v without", with, without)
	}
}

// TestSearchForFoundersStops lets a population look for founders that do not exist, since trees of
// depth 1 are few.
func TestSearchForFoundersStops(t *testing.T) {
	s := solitary(func(c *Config) {
		c.Population, c.Founders = 10_000, Founders{MinDepth: 1, MaxDepth: 1, Retries: 10_000}
	})
	r := proof.Must(Create(t.TempDir(), s))(t)
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Evolve(ctx); !errors.Is(err, ErrStopped) || r.state != nil {
		t.Error(err)
	}
}

func TestCheckSolitary(t *testing.T) {
	for _, test := range []struct {
		change func(s *Setup)
		want   string
	}{
		{func(s *Setup) { s.Config = small() },
			`selection must be "fitness" in santafe, which is for one player`},
		{func(s *Setup) { s.Config.Fitness.Opponents = allOpponents },
			"santafe, which is for one player"},
		{func(s *Setup) { s.Game = newNumbers(greater) },
			`fitness.opponents is "none", and numbers is not for one player`},
		{func(s *Setup) { s.Config.Fitness.Measure = measureWins }, `fitness.measure must be "score"`},
		{func(s *Setup) { s.Config.Hall = 1 }, "hall must be 0"},
		{func(s *Setup) { s.Config.Champion = Default().Champion },
			`champion.against must be "fitness" or "none"`},
		{func(s *Setup) { s.Config.StopAt, s.Config.Champion.Against = 1, nobody },
			"stop-at needs champion.against"},
		{func(s *Setup) { s.Config.StopAt = math.NaN() }, "stop-at must be a finite number, not NaN"},
		{func(s *Setup) { s.Config.StopAt = math.Inf(1) }, "stop-at must be a finite number, not +Inf"},
		{func(s *Setup) { s.Config.Founders.Retries = -1 }, "founders.retries"},
		{func(s *Setup) { *s = setup(t, small()); s.Config.StopAt = 1 }, "stop-at must be 0"},
		{func(s *Setup) { *s = setup(t, small()); s.Config.Champion.Against = fittest },
			"which needs fitness without opponents"},
	} {
		s := solitary(nil)
		test.change(&s)
		proof.Fails(Create(t.TempDir(), s))(t, test.want)
	}
}
