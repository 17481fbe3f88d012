package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"clade/gp/proof"
)

// TestRecordedBesideTheRepository: a made-up repository with a recording beside it.
func TestRecordedBesideTheRepository(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "repository", "engine", "games", "x")
	data := filepath.Join(dir, "shared", "conformance", "x")
	proof.OK(t, os.MkdirAll(here, 0o777))
	proof.OK(t, os.MkdirAll(data, 0o777))
	proof.OK(t, os.WriteFile(filepath.Join(dir, "repository", "go.mod"), nil, 0o666))
	proof.OK(t, os.WriteFile(filepath.Join(data, "a.jsonl"), nil, 0o666))
	t.Chdir(here)
	t.Setenv("CLADE_CONFORMANCE", "")
	var found []string
	t.Run("", func(t *testing.T) { found = Recorded(t, "x", "*.jsonl") })
	if len(found) != 1 {
		t.Errorf("found %q, want a.jsonl", found)
	}
}
