package evolve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/evolve/rundir"
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
	proof.Are(t, names, []string{"0000000006.zst", "0000000009.zst", "0000000012.zst"},
		"the checkpoints")
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
			proof.Is(t, len(said), warnings, "warnings %q", said)
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
			d := proof.Must(r.Evolve(context.Background()))(t)
			proof.Is(t, d.Fingerprint, done.Fingerprint, "the fingerprint")
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
	b, _ := os.ReadFile(manifest)
	proof.Is(t, string(b), "{}", "the manifest")
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
