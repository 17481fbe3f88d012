package evolve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/gp"
	"clade/gp/proof"
)

// evolved runs a setup to its end in a new directory.
func evolved(t testing.TB, s Setup) (path string, done *rundir.Done) {
	t.Helper()
	path = t.TempDir()
	r := proof.Must(Create(path, s))(t)
	defer r.Close()
	done = proof.Must(r.Evolve(context.Background()))(t)
	return path, done
}

// contents reads all files of a run that must repeat.
func contents(t testing.TB, path string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == rundir.TimesFile {
			return err
		}
		b, err := os.ReadFile(p)
		name, _ := filepath.Rel(path, p)
		files[name] = string(b)
		return err
	})
	proof.OK(t, err)
	return files
}

func compare(t *testing.T, want, have map[string]string) {
	t.Helper()
	for name, w := range want {
		if h, ok := have[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if h != w {
			t.Errorf("%s differs", name)
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is additional", name)
		}
	}
}

// variants are settings that together exercise every option.
func variants() map[string]Config {
	v := map[string]Config{}
	add := func(name string, change func(c *Config)) {
		c := small()
		change(&c)
		v[name] = c
	}
	add("paper", func(c *Config) {})
	add("small steps", func(c *Config) {
		v := &c.Variation
		v.Crossover, v.Mutation, v.Constants, v.MaxNodes = 0.1, 0.1, 0.1, 60
		v.Perturbation, v.Hoist, v.Insertion, v.PairedInsertion, v.Transfer = 0.2, 0.1, 0.1, 0.1, 0.1
	})
	add("size-fair crossover", func(c *Config) {
		c.Variation.CrossoverKind, c.Variation.Exchange = gp.SizeFairCrossover, 0.1
	})
	add("homologous crossover, small steps", func(c *Config) {
		c.Variation.CrossoverKind, c.Variation.Crossover = gp.HomologousCrossover, 0.5
		c.Variation.Insertion = 0.3
	})
	add("filter", func(c *Config) {
		c.Variation.Crossover, c.Filter = 0.3, Filter{Games: 2, Tries: 3}
	})
	add("filter, pairs on islands", func(c *Config) {
		c.Selection, c.Islands, c.Population = ByPairs, 2, 41
		c.Migration, c.Filter = Migration{Every: 3, Migrants: 3}, Filter{Games: 1, Tries: 5}
		c.Variation.Insertion, c.Variation.Crossover = 0.3, 0.4
	})
	add("odd", func(c *Config) { c.Population = 41; c.Tournament = 5 })
	add("islands", func(c *Config) { c.Islands = 3; c.Migration = Migration{Every: 2, Migrants: 4} })
	add("islands apart", func(c *Config) { c.Islands = 2; c.Migration.Migrants = 0 })
	add("pairs", func(c *Config) { c.Selection = ByPairs; c.Population = 41 })
	add("pairs, once", func(c *Config) { c.Selection = ByPairs; c.Once = true })
	add("pairs on islands",
		func(c *Config) {
			c.Selection = ByPairs
			c.Islands = 2
			c.Migration = Migration{Every: 3, Migrants: 3}
		})
	add("age layers", func(c *Config) {
		c.Islands, c.Migration, c.Founders.Retries = 3, Migration{Every: 2, Layers: true}, 5
		c.Founders.Species = []string{"a", "b"}
	})
	add("age layers, pairs", func(c *Config) {
		c.Selection, c.Islands, c.Population, c.Hall = ByPairs, 2, 41, 5
		c.Migration = Migration{Every: 3, Layers: true}
	})
	add("age layers, race", func(c *Config) {
		c.Selection, c.Elites, c.Population = ByRace, 5, 41
		c.Race, c.Islands = Race{Games: []int{8}}, 3
		c.Migration = Migration{Every: 3, Layers: true}
	})
	add("steady",
		func(c *Config) {
			c.Replacement = replaceLosers
			c.Islands = 2
			c.Migration = Migration{Every: 3, Migrants: 3}
		})
	add("steady, odd", func(c *Config) { c.Replacement = replaceLosers; c.Population = 41 })
	add("steady, no lineage",
		func(c *Config) { c.Replacement = replaceLosers; c.Lineage = lineageNone; c.Population = 200 })
	add("hall", func(c *Config) { c.Hall = 3; c.Lineage = lineageFirst })
	add("elites", func(c *Config) { c.Elites = 5 })
	add("elites, long", func(c *Config) { c.Elites = 1; c.Population = 150; c.Parsimony = true })
	add("wins", func(c *Config) { c.Selection = ByFitness; c.Elites = 3; c.Parsimony = true })
	add("score", func(c *Config) {
		c.Selection, c.Fitness.Measure, c.Hall = ByFitness, measureScore, 2
	})
	add("round robin", func(c *Config) {
		c.Selection, c.Fitness.Opponents, c.Islands, c.Hall = ByFitness, allOpponents, 2, 2
		c.Migration = Migration{Every: 2, Migrants: 5}
	})
	add("panel",
		func(c *Config) {
			c.Selection, c.Fitness.Opponents, c.Replacement = ByFitness, panel, replaceLosers
		})
	add("steady round robin",
		func(c *Config) {
			c.Selection = ByFitness
			c.Fitness.Opponents = allOpponents
			c.Replacement = replaceLosers
		})
	add("reference", func(c *Config) { c.Champion = Champion{Against: panel, Games: 100, Every: 5} })
	add("no champion", func(c *Config) { c.Champion.Against = nobody; c.Probes.Games = 0 })
	add("copies", func(c *Config) { c.Variation.Crossover = 0.5 })
	add("archive", func(c *Config) { c.Champion.Archive = 0.5 })
	add("former champions", func(c *Config) {
		c.Islands, c.Champion = 2, Champion{Against: inside, Games: 64, Every: 3, Archive: 0.5,
			Former: true}
	})
	add("tuned", func(c *Config) {
		c.Weights, c.Champion.Tune = map[string]int{"constint": 0, "mul": 0}, 10_000
	})
	add("tuned, islands", func(c *Config) {
		c.Selection, c.Islands, c.Champion = ByPairs, 2, Champion{Against: panel, Games: 64,
			Every: 5, Tune: 15_000}
	})
	add("pairs, hall", func(c *Config) {
		c.Selection, c.Hall, c.Population, c.Champion.Every = ByPairs, 15, 41, 2
		c.Islands, c.Migration = 2, Migration{Every: 3, Migrants: 3}
	})
	add("nash, founders", func(c *Config) {
		c.Hall, c.HallDraw, c.Founders.Species = 3, nash, []string{"a", "b"}
	})
	add("pairs, panel", func(c *Config) {
		c.Selection, c.Hall, c.HallDraw, c.Champion.Against = ByPairs, 38, panel, nobody
	})
	add("hall on islands", func(c *Config) {
		c.Hall, c.HallDraw, c.Islands, c.Champion.Every = 3, nash, 3, 3
		c.Migration, c.Founders.Species = Migration{Every: 2, Migrants: 4}, []string{"a", "b"}
	})
	add("hardness", func(c *Config) {
		c.Selection, c.Hall, c.HallDraw = ByFitness, 3, hardness
		c.Champion.Archive = 1
	})
	add("race", func(c *Config) {
		c.Selection, c.Elites, c.Hall = ByRace, 8, 4
		c.Race.Games = []int{8, 16, 40}
		c.Parsimony = true
	})
	add("race on islands", func(c *Config) {
		c.Selection, c.Elites, c.Population = ByRace, 5, 41
		c.Race = Race{Games: []int{8}}
		c.Islands, c.Migration = 2, Migration{Every: 3, Migrants: 3}
	})
	add("founders", func(c *Config) {
		c.Founders.Species = []string{"a", "b"}
		c.Founders.Share, c.Founders.Mutants = 0.5, 0.5
	})
	add("games", func(c *Config) {
		c.Games, c.Champion.Every, c.Islands, c.Migration.Every = 5900, 5, 2, 5
	})
	add("weights", func(c *Config) { c.Weights = map[string]int{"sub": 0, "mul": 3} })
	add("vary", func(c *Config) { c.Vary = []string{"value"} })
	return v
}

// stands holds a run to the fingerprint that it had before. What changes one changes the runs that
// were published with the same options, and must mean to.
func stands(t *testing.T, name string, done *rundir.Done) {
	t.Helper()
	const golden = "testdata/fingerprints.json"
	known := map[string]string{}
	if text, err := os.ReadFile(golden); err != nil || json.Unmarshal(text, &known) != nil {
		t.Fatalf("%s is missing or damaged: %v", golden, err)
	}
	if before := known[name]; before == done.Fingerprint {
		return
	} else if !proof.Update() {
		t.Errorf("%s: the fingerprint of %q was %q and is %q; CLADE_UPDATE=1 writes it anew",
			golden, name, before, done.Fingerprint)
		return
	}
	known[name] = done.Fingerprint
	text, err := json.MarshalIndent(known, "", "\t")
	if err == nil {
		err = os.WriteFile(golden, append(text, '\n'), 0o644)
	}
	proof.OK(t, err)
}

// bredAlone are the files of variants that one goroutine has bred, once for all tests.
var bredAlone = map[string]map[string]string{}

// alone returns the files of a variant that one goroutine breeds. Their fingerprint is that of
// former versions, nobody has the id of somebody who has lived before, the lineage fits its
// standard, and the numbers grow.
func alone(t *testing.T, name string, s Setup) map[string]string {
	t.Helper()
	if bredAlone[name] != nil {
		return bredAlone[name]
	}
	path := t.TempDir()
	var r *Run
	known := map[uint64]*Individual{}
	s.Workers = 1
	s.Progress = func(Progress) {
		for i := range s.Config.Islands {
			for _, in := range r.state.populations[i] {
				if before, ok := known[in.ID]; ok && before != in {
					t.Fatalf("before generation %d another individual has the id %d", generationOf(r), in.ID)
				}
				known[in.ID] = in
			}
		}
	}
	r = proof.Must(Create(path, s))(t)
	defer r.Close()
	done := proof.Must(r.Evolve(context.Background()))(t)
	stands(t, name, done)
	for _, in := range r.state.populations[0] {
		if in.parents != [2]*Individual{} {
			t.Fatalf("%d holds its whole pedigree in memory", in.ID)
		}
	}
	if s.Config.Lineage != lineageNone {
		checkLineage(t, name, r)
	}
	checkGrowth(t, r)
	bredAlone[name] = contents(t, path)
	return bredAlone[name]
}

// A new scheme is missing until variants has it.
func TestEverySchemeHasAVariant(t *testing.T) {
	bred := map[string]bool{}
	for _, c := range variants() {
		bred[c.Selection] = true
	}
	for _, s := range schemes() {
		if !bred[s.name()] {
			t.Errorf("variants of run_test.go breeds nothing with selection = %q; add one", s.name())
		}
	}
}

func TestEveryOptionRepeatsForAnyNumberOfWorkers(t *testing.T) {
	proof.Long(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, c := range variants() {
		t.Run(name, func(t *testing.T) {
			s := setup(t, c)
			want := alone(t, name, s)
			if n := strings.Count(want[rundir.LogFile], "\n"); n != c.Generations {
				t.Fatalf("the log has %d lines instead of %d", n, c.Generations)
			}
			for _, processors := range []int{1, 2, 3, 8} {
				if processors != 3 && name != "islands" {
					continue // all four for one of them only, for the sake of time
				}
				runtime.GOMAXPROCS(processors)
				path, _ := evolved(t, s)
				compare(t, want, contents(t, path))
			}
			if name != "islands" {
				return
			}
			s.Seed++
			if path, _ := evolved(t, s); contents(t, path)[rundir.LogFile] == want[rundir.LogFile] {
				t.Error("another seed has the same log")
			}
		})
	}
}

func TestKilledAndResumed(t *testing.T) {
	proof.Long(t)
	random := rand.New(rand.NewPCG(1, 1))
	for name, c := range variants() {
		t.Run(name, func(t *testing.T) {
			s := setup(t, c)
			want, path := alone(t, name, s), t.TempDir()
			r, err := Create(path, s)
			for kills := 0; ; kills++ {
				proof.OK(t, err)
				ctx, cancel := context.WithCancel(context.Background())
				r.Progress = nil
				if kills < 6 {
					left := 1 + random.IntN(3)
					r.Progress = func(Progress) {
						if left--; left == 0 {
							cancel()
						}
					}
				}
				_, err = r.Evolve(ctx)
				cancel()
				r.Close()
				if err == nil {
					break
				}
				if !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), path) {
					t.Fatal(err)
				}
				if random.IntN(2) == 0 {
					kill(t, path, random)
				}
				r, err = Resume(path, s)
			}
			compare(t, want, contents(t, path))
		})
	}
}

// A run that is stopped anywhere, also in the middle of a generation, a migration or a race, goes
// on as if nothing had been, in the same Run or in another one.
func TestStoppedInTheMiddle(t *testing.T) {
	proof.Slow(t)
	random := rand.New(rand.NewPCG(4, 4))
	for i, name := range []string{"islands", "age layers", "former champions", "tuned",
		"pairs on islands", "steady", "round robin", "elites, long"} {
		t.Run(name, func(t *testing.T) {
			if i > 2 {
				proof.Alone(t)
			}
			s := setup(t, variants()[name])
			var cancel context.CancelFunc
			var left atomic.Int64
			left.Store(-1)
			s.Game = watched{s.Game.(*numbers), func([]engine.Player) {
				if left.Add(-1) == 0 {
					cancel()
				}
			}}
			path, _ := evolved(t, s)
			want := contents(t, path)
			games := -left.Load()
			path = t.TempDir()
			r := proof.Must(Create(path, s))(t)
			for stops := 0; ; stops++ {
				var ctx context.Context
				ctx, cancel = context.WithCancel(context.Background())
				if left.Store(1 + random.Int64N(games/4)); stops == 10 {
					left.Store(-1)
				}
				_, err := r.Evolve(ctx)
				cancel()
				if err == nil {
					break
				}
				if !errors.Is(err, ErrStopped) {
					t.Fatal(err)
				}
				if random.IntN(2) == 0 {
					r.Close()
					r = proof.Must(Resume(path, s))(t)
				}
			}
			r.Close()
			compare(t, want, contents(t, path))
		})
	}
}

// kill brings a stopped run into the state that the end of the process might have left: later files
// torn, missing or half written.
func kill(t *testing.T, path string, random *rand.Rand) {
	t.Helper()
	log := filepath.Join(path, rundir.LogFile)
	b := proof.Must(os.ReadFile(log))(t)
	write := func(name string, content []byte) {
		proof.OK(t, os.WriteFile(name, content, 0o666))
	}
	write(filepath.Join(path, "checkpoints", "0000000099.zst.part"), []byte("half"))
	if random.IntN(2) == 0 {
		write(log, append(b, `{"generation":99,"mat`...))
	} else {
		write(log, b[:random.IntN(len(b)+1)])
	}
	names, _ := filepath.Glob(filepath.Join(path, "checkpoints", "*.zst"))
	newest := names[len(names)-1]
	switch b, _ := os.ReadFile(newest); random.IntN(3) {
	case 0:
		write(newest, b[:random.IntN(len(b))])
	case 1:
		b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
		write(newest, b)
	}
	if names, _ := filepath.Glob(filepath.Join(path, rundir.ChampionFolder, "*")); len(names) > 0 {
		os.Remove(names[random.IntN(len(names))])
	}
}

// checkpoint names a checkpoint's file.
func checkpoint(generation int) string { return fmt.Sprintf("checkpoints/%010d.zst", generation) }

func TestFewerThanFourCheckpoints(t *testing.T) {
	path, _ := evolved(t, setup(t, small()))
	names, _ := filepath.Glob(filepath.Join(path, "checkpoints", "*"))
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	if want := []string{"0000000006.zst", "0000000009.zst", "0000000012.zst"}; !slices.Equal(names,
		want) {
		t.Errorf("the checkpoints are %v, not %v", names, want)
	}
}

func TestDamageIsSaid(t *testing.T) {
	s := setup(t, small())
	path, done := evolved(t, s)
	want := contents(t, path)
	damaged := func(what string, warnings int, damage func(t *testing.T)) {
		t.Run(what, func(t *testing.T) {
			damage(t)
			var said []string
			s.Warn = func(w string) { said = append(said, w) }
			r := proof.Must(Resume(path, s))(t)
			defer r.Close()
			d := proof.Must(r.Evolve(context.Background()))(t)
			proof.Is(t, d.Fingerprint, done.Fingerprint, "the fingerprint")
			if len(said) != warnings {
				t.Errorf("%d warnings instead of %d: %q", len(said), warnings, said)
			}
			compare(t, want, contents(t, path))
		})
	}
	file := func(name string) string { return filepath.Join(path, name) }
	damaged("nothing", 0, func(t *testing.T) {})
	damaged("done.json", 1,
		func(t *testing.T) { os.WriteFile(file(rundir.DoneFile), []byte("{"), 0o666) })
	damaged("one checkpoint", 1, func(t *testing.T) { os.WriteFile(file(checkpoint(12)), nil, 0o666) })
	damaged("all checkpoints", 4, func(t *testing.T) {
		for _, g := range []int{6, 9, 12} {
			os.WriteFile(file(checkpoint(g)), []byte("dust"), 0o666)
		}
	})
	damaged("no checkpoint", 0,
		func(t *testing.T) {
			os.RemoveAll(file("checkpoints"))
			os.Mkdir(file("checkpoints"), 0o777)
		})
	damaged("the log", 4, func(t *testing.T) {
		b, _ := os.ReadFile(file(rundir.LogFile))
		b[0] = 'x'
		os.WriteFile(file(rundir.LogFile), b, 0o666)
	})
	damaged("times", 0,
		func(t *testing.T) { os.WriteFile(file(rundir.TimesFile), []byte("{\"gen"), 0o666) })
}

// A run that had ended and must go back behind its end has not ended any more: its log is shorter
// than done.json says.
func TestRunThatGoesBackHasNotEnded(t *testing.T) {
	for name, damaged := range map[string][]int{"one checkpoint": {12},
		"all checkpoints": {6, 9, 12}} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, small())
			path, done := evolved(t, s)
			for _, g := range damaged {
				proof.OK(t, os.WriteFile(filepath.Join(path, checkpoint(g)), []byte("dust"), 0o666))
			}
			r := proof.Must(Resume(path, s))(t)
			defer r.Close()
			if d, err := rundir.ReadDone(path); d != nil || err != nil {
				t.Errorf("at generation %d the run has ended: %+v, %v", generationOf(r), d, err)
			}
			if d, err := r.Evolve(context.Background()); err != nil || d.Fingerprint != done.Fingerprint {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
}

// generationOf returns the number of generations that are done.
func generationOf(r *Run) int {
	if r.state == nil {
		return 0
	}
	return r.state.generation
}

func TestRefusals(t *testing.T) {
	s := setup(t, small())
	path, _ := evolved(t, s)
	proof.Fails(Create(path, s))(t, "already holds a run")
	proof.Fails(Resume(t.TempDir(), s))(t, "holds no run")
	other := s
	other.Seed = 2
	proof.Fails(Resume(path, other))(t, "another study")
	r := proof.Must(Resume(path, s))(t)
	proof.Fails(Resume(path, s))(t, "another process")
	r.Close()
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o666)
	proof.Fails(Create(filepath.Join(file, "run"), s))(t, "cannot make")
}

func TestStartersFilesAreLeftAlone(t *testing.T) {
	path := t.TempDir()
	manifest := filepath.Join(path, rundir.ManifestFile)
	os.WriteFile(manifest, []byte("{}"), 0o666)
	r := proof.Must(Create(path, setup(t, small())))(t)
	defer r.Close()
	proof.Must(r.Evolve(context.Background()))(t)
	if b, _ := os.ReadFile(manifest); !bytes.Equal(b, []byte("{}")) {
		t.Errorf("the manifest has become %q", b)
	}
}

// goesOn resumes a run after so many generations, and holds its end to a fingerprint.
func goesOn(t *testing.T, path string, s Setup, generations int, fingerprint string) {
	t.Helper()
	r := proof.Must(Resume(path, s))(t)
	defer r.Close()
	proof.Is(t, generationOf(r), generations, "the generation at which it resumed")
	proof.Is(t, proof.Must(r.Evolve(context.Background()))(t).Fingerprint, fingerprint,
		"the fingerprint")
}

// A directory that cannot be written to stops the run, and the last good checkpoint is intact: here
// the next checkpoint's name is taken by a folder.
func TestUnwritable(t *testing.T) {
	s := setup(t, small())
	_, done := evolved(t, s)
	path := t.TempDir()
	r := proof.Must(Create(path, s))(t)
	trap := filepath.Join(path, checkpoint(6))
	os.MkdirAll(filepath.Join(trap, "full"), 0o777)
	_, err := r.Evolve(context.Background())
	r.Close()
	if err == nil || !strings.Contains(err.Error(), "cannot write") || errors.Is(err, ErrStopped) {
		t.Fatalf("the error is %v", err)
	}
	os.RemoveAll(trap)
	goesOn(t, path, s, 3, done.Fingerprint)
}

// Founders that nobody could play end the run before it begins, with what to do about it.
func TestFoundersTooLarge(t *testing.T) {
	c := small()
	c.Founders, c.Variation.MaxDepth = Founders{MinDepth: 15, MaxDepth: 15}, 20
	r := proof.Must(Create(t.TempDir(), setup(t, c)))(t)
	defer r.Close()
	proof.Fails(r.Evolve(context.Background()))(t,
		"numbers can be played with 16000 at most; lower founders.max-depth, which is 15")
}

// A run that failed in the middle of what it writes of a generation does not go on in the same Run,
// which is neither here nor there.
func TestFailedRunMustBeResumed(t *testing.T) {
	s := setup(t, small())
	_, done := evolved(t, s)
	path := t.TempDir()
	r := proof.Must(Create(path, s))(t)
	trap := filepath.Join(path, rundir.ChampionFile(4)+durable.Part)
	os.MkdirAll(filepath.Join(trap, "full"), 0o777)
	proof.Fails(r.Evolve(context.Background()))(t, "")
	os.RemoveAll(trap)
	proof.Fails(r.Evolve(context.Background()))(t, "resume")
	r.Close()
	goesOn(t, path, s, 3, done.Fingerprint)
}

func TestChampionsAreDueInTime(t *testing.T) {
	c := small()
	c.Champion.Every = 4
	r := proof.Must(Create(t.TempDir(), setup(t, c)))(t)
	defer r.Close()
	proof.Must(r.Evolve(context.Background()))(t)
	var generations []int
	for _, c := range r.state.archive {
		generations = append(generations, c.generation)
	}
	proof.Is(t, fmt.Sprint(generations), "[0 4 8 11]", "generations of champions")
	proof.Is(t, len(r.state.populations[0]), c.Population, "the population")
}

// TestTimesChangedOnTheWay shortens and replaces a run's times while it goes on, as another program
// might: the run says so at its end instead of losing them in silence, and ends when it is resumed.
func TestTimesChangedOnTheWay(t *testing.T) {
	_, want := evolved(t, setup(t, small()))
	for what, change := range map[string]func(name string) error{
		"another program has changed it": func(name string) error { return os.Truncate(name, 0) },
		"was replaced while the run went on": func(name string) error {
			return durable.WriteFile(name, nil, 0o666)
		},
	} {
		s := setup(t, small())
		path := t.TempDir()
		s.Progress = func(p Progress) {
			if p.Line.Generation == 1 {
				proof.OK(t, change(filepath.Join(path, rundir.TimesFile)))
			}
		}
		r := proof.Must(Create(path, s))(t)
		_, err := r.Evolve(context.Background())
		proof.OK(t, r.Close())
		proof.Says(t, err, what)
		if done, err := rundir.ReadDone(path); done != nil || err != nil {
			t.Errorf("the run says that it has ended: %+v, %v", done, err)
		}
		s.Progress = nil
		goesOn(t, path, s, 12, want.Fingerprint)
	}
}

// A guard that refuses ends the run at once, with its files as they are; a later run takes them
// over and ends as if nothing had been.
func TestGuard(t *testing.T) {
	s := setup(t, small())
	_, done := evolved(t, s)
	path := t.TempDir()
	lost := errors.New("lost")
	guarded := s
	ctx, cancel := context.WithCancel(context.Background())
	guarded.Progress = func(r Progress) {
		if r.Line.Generation == 4 {
			cancel()
		}
	}
	guarded.Fence = func() error {
		if ctx.Err() != nil {
			return lost
		}
		return nil
	}
	r := proof.Must(Create(path, guarded))(t)
	_, err := r.Evolve(ctx)
	r.Close()
	if !errors.Is(err, lost) || errors.Is(err, ErrStopped) {
		t.Fatalf("the error is %v", err)
	}
	goesOn(t, path, s, 3, done.Fingerprint) // nothing was saved
}

// interrupted carries out a run that is stopped and resumed, holds it to a fingerprint, and returns
// its directory. For each attempt stop makes what tells after a generation whether to stop.
func interrupted(t *testing.T, s Setup, fingerprint string,
	stop func(attempt int) func(*rundir.Line) bool) string {
	t.Helper()
	path := t.TempDir()
	r, err := Create(path, s)
	for attempt := 0; err == nil; attempt++ {
		ctx, cancel := context.WithCancel(context.Background())
		stops := stop(attempt)
		r.Progress = func(r Progress) {
			if stops(r.Line) {
				cancel()
			}
		}
		var d *rundir.Done
		d, err = r.Evolve(ctx)
		cancel()
		if err == nil {
			proof.Is(t, d.Fingerprint, fingerprint, "the fingerprint")
			break
		}
		if !errors.Is(err, ErrStopped) {
			break
		}
		if err = r.Close(); err == nil {
			r, err = Resume(path, s)
		}
	}
	proof.OK(t, err)
	r.Close()
	return path
}
