// Package runnertest holds the small studies and runs of tests and examples. It tests nothing
// itself, and only tests use it.
package runnertest

import (
	"context"
	_ "embed"
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
