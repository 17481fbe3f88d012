package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// TestOpener opens manifests of replicates, and of others beside them, as Open does one by one.
func TestOpener(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(run, "evolve.generations=1")
	manifest := proof.Must(os.ReadFile(filepath.Join(run, rundir.ManifestFile)))(t)
	opener := runner.Opener{Scope: runnertest.Scope()}
	for _, change := range [][2]string{{"", ""}, {`seed = 1\n`, `seed = 7\n`},
		{`boards = `, `boards = 1`}, {`seed = 1\n`, `seed = 7000000000000\n`},
		{`seed = 1\n`, `seed = 0\n`}, {`generations = 1\n`, `generations = 99\n`}} {
		dir := t.TempDir()
		proof.OK(t, os.WriteFile(filepath.Join(dir, rundir.ManifestFile), []byte(strings.Replace(
			string(manifest), change[0], change[1], 1)), 0o666))
		want, wantErr := runner.Open(runnertest.Scope(), dir)
		got, err := opener.Open(dir)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v: %v, and alone %v", change, err, wantErr)
		}
		if err != nil {
			continue
		}
		one, _ := got.Study.Text()
		other, _ := want.Study.Text()
		if string(one) != string(other) || got.Dir != dir || len(one) == 0 {
			t.Errorf("%v:\n%s\nand alone\n%s", change, one, other)
		}
	}
}

// CutSeed takes the seed out where it is plain to see.

func TestCutSeed(t *testing.T) {
	for _, test := range []struct{ study, rest, seed string }{
		{"name = 'a'\nseed = 12\n\n[evolve]\n", "name = 'a'\n\n[evolve]\n", "12"},
		{"name = 'a'\n[evolve]\nseed = 12\n", "name = 'a'\n[evolve]\nseed = 12\n", ""},
		{"name = 'a'\nseed = 012\n", "name = 'a'\nseed = 012\n", ""},
		{"name = 'a'\n", "name = 'a'\n", ""},
	} {
		if rest, seed := runner.CutSeed(test.study); rest != test.rest || seed != test.seed {
			t.Errorf("%q: %q, %q", test.study, rest, seed)
		}
	}
}
