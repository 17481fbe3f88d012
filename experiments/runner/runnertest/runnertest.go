// Package runnertest holds the small studies and runs of tests and examples. It tests nothing
// itself, and only tests use it.
package runnertest

import (
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clade/engine/games/all"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// Scope returns a scope with all games and the trust of files on this machine.
func Scope() player.Scope { return player.Scope{Games: all.Games(), Trust: player.Files} }

//go:embed small.toml
var small []byte

// Small reads the study of a run that takes less than a second and draws one panel of its figures.
func Small(overrides ...string) *study.Study {
	s, err := study.Parse(Scope(), "small.toml", small, overrides...)
	if err != nil {
		panic(err)
	}
	return s
}

// Breed carries out the small study in a directory.
func Breed(dir string, overrides ...string) *runner.Summary {
	sum, err := runner.Start(context.Background(), dir, Small(overrides...), runner.Options{})
	if err != nil {
		panic(err)
	}
	return sum
}

// Replicates breeds the small study with seeds from 1 on, without measurements on the way, into
// directories whose names are the given one followed by the seed.
func Replicates(dir, name string, seeds int, overrides ...string) {
	for seed := range seeds {
		number := strconv.Itoa(seed + 1)
		Breed(filepath.Join(dir, name+number),
			append([]string{"measure.against=[]", "seed=" + number}, overrides...)...)
	}
}

// Tiny is a study of the smallest runs, for the tables of sweeps that tests add to it.
const Tiny = `
game = "antwars"
[measure]
games = 4
final = 0
[evolve]
population = 20
generations = 5
tournament = 2
boards = 1
checkpoint = 2
[evolve.champion]
candidates = 4
games = 8
[figures]
panels = ["size"]
`

// Grid reads the tiny study with a table [sweep], and lays its runs out.
func Grid(t *testing.T, sweep string) (*study.Study, *study.Grid) {
	t.Helper()
	s := proof.Must(study.Parse(Scope(), "tiny.toml", []byte(Tiny+sweep)))(t)
	g := proof.Must(s.Grid())(t)
	return s, g
}

// Study returns a study of small runs, about five hundred generations a second, with further lines
// such as a table [sweep].
func Study(generations int, lines string) string {
	return fmt.Sprintf(`
game = "antwars"
[measure]
final = 0
[evolve]
population = 20
generations = %d
tournament = 2
boards = 1
checkpoint = 5
[evolve.champion]
candidates = 4
games = 8
every = 100
[evolve.probes]
games = 0
[figures] # all of them take most of the time
panels = ["size"]
%s`, generations, lines)
}

// Parse reads a study with overrides, or ends the test.
func Parse(t testing.TB, text string, overrides ...string) *study.Study {
	t.Helper()
	return proof.Must(study.Parse(Scope(), "s.toml", []byte(text), overrides...))(t)
}

// Prints carries out all runs of a sweep here and returns their fingerprints by key.
func Prints(t testing.TB, g *study.Grid) map[string]string {
	t.Helper()
	want := map[string]string{}
	for _, c := range g.Cells {
		sum := proof.Must(runner.Start(context.Background(), filepath.Join(t.TempDir(), "run"), c.Study,
			runner.Options{}))(t)
		want[c.Key] = sum.Fingerprint
	}
	return want
}

// Compare holds a sweep's directory to the fingerprints of undisturbed runs.
func Compare(t testing.TB, g *study.Grid, dir string, want map[string]string) {
	t.Helper()
	for _, c := range g.Cells {
		sum, err := runner.ReadSummary(c.Directory(dir))
		if err != nil || sum == nil || sum.Fingerprint != want[c.Key] {
			t.Errorf("run %s: %+v, %v; want the fingerprint %s", c.Key, sum, err, want[c.Key])
		}
	}
}

// Bytes reads all files of a run that repeat.
func Bytes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, ".") || name == rundir.TimesFile {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Same fails the test if files of two directories differ.
func Same(t *testing.T, a, b string, names ...string) {
	t.Helper()
	for _, name := range names {
		x, err1 := os.ReadFile(filepath.Join(a, name))
		y, err2 := os.ReadFile(filepath.Join(b, name))
		if err1 != nil || err2 != nil || string(x) != string(y) {
			t.Errorf("%s differs between %s and %s (%v, %v)", name, a, b, err1, err2)
		}
	}
}
