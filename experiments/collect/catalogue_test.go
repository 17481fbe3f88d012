package collect_test

import (
	"os"
	"path/filepath"
	"testing"

	"clade/experiments/collect"
	"clade/experiments/player"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// The run of a stranger's game: a program with that game bred it, and one without lists it. Its
// files are whole, so it is not damaged, as one is whose manifest was changed.
func TestUnknownGame(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	runnertest.Breed(run, "evolve.generations=2", "evolve.population=10")
	look := func() *collect.Row {
		c := proof.Must(collect.NewCatalogue(player.Scope{Trust: player.Files}, []string{dir}))(t)
		return proof.Must(c.Look(t.Context()))(t).Runs[0]
	}
	proof.Is(t, look().State, "unreadable", "the state")
	proof.Holds(t, look().Note, `unknown game "antwars"`)
	proof.OK(t, os.WriteFile(filepath.Join(run, "manifest.json"), []byte("{}"), 0o666))
	proof.Is(t, look().State, "damaged", "the state")
}
