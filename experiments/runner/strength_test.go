package runner_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"clade/evolve"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// TestStrength holds that a run whose champions are measured while it is bred is, to the byte, the
// run that it is else, and that the measurement goes on through the run.
func TestStrength(t *testing.T) {
	proof.Long(t)
	text := []byte("game = \"antwars\"\n[measure]\nagainst = [\"greedy\"]\ngames = 200\n" +
		"every = 2\nfinal = 0\n[evolve]\npopulation = 20\ngenerations = 8\ntournament = 2\n" +
		"boards = 1\n[evolve.champion]\ngames = 8\n")
	dir := t.TempDir()
	var told []runner.Strength
	var lock sync.Mutex
	for _, name := range []string{"with", "without"} {
		s := proof.Must(study.Parse(scope, "s.toml", text))(t)
		o := runner.Options{Progress: func(evolve.Progress) { time.Sleep(100 * time.Millisecond) }}
		if name == "with" {
			o.Strength = func(s runner.Strength) {
				lock.Lock()
				defer lock.Unlock()
				told = append(told, s)
			}
		}
		proof.Must(runner.Start(t.Context(), filepath.Join(dir, name), s, o))(t)
	}
	for _, file := range []string{"generations.jsonl", "lineage.csv", "champion.species"} {
		a, err := os.ReadFile(filepath.Join(dir, "with", file))
		b, err2 := os.ReadFile(filepath.Join(dir, "without", file))
		if err != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s: %v, %v, or they differ", file, err, err2)
		}
	}
	lock.Lock()
	defer lock.Unlock()
	if len(told) == 0 {
		t.Fatal("nothing is told")
	}
	for i, s := range told {
		if len(s.Against) != 1 || s.Generation%2 != 0 || s.Games < 2 ||
			!(s.Points.Low <= s.Points.Estimate && s.Points.Estimate <= s.Points.High) ||
			i > 0 && s.Generation < told[i-1].Generation {
			t.Errorf("%+v", s)
		}
	}
	if last := told[len(told)-1]; last.Generation == 0 {
		t.Errorf("only the first champion is measured: %+v", last)
	}
}
