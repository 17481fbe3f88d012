package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/evolve/rundir"
)

// TestManifestStartsNoProgram puts a program into a run's manifest, as anyone who hands a run on
// could: no command starts it.
func TestManifestStartsNoProgram(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "game = \"life\"\n[settings]\nheight = 20\nwidth = 20\ngenerations = 5\n"+
		"[measure]\nagainst = [\"guard\"]\ngames = 2\nfinal = 2\n[evolve]\npopulation = 6\n"+
		"generations = 2\ntournament = 2\nboards = 1\n")
	program(t, dir, "run s.toml --out run")
	mark := filepath.Join(dir, "started")
	path := filepath.Join(dir, "run", "manifest.json")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	forged := bytes.ReplaceAll(content, []byte("guard"), []byte("exec:touch "+mark))
	if bytes.Equal(forged, content) {
		t.Fatalf("the manifest does not name the player:\n%s", content)
	}
	if err := os.WriteFile(path, forged, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := rundir.Record(filepath.Join(dir, "run"), "manifest.json"); err != nil {
		t.Fatal(err)
	}
	// what would make them play
	if err := os.Remove(filepath.Join(dir, "run", "measures.jsonl")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, line := range []string{"resume run", "report run --games 2", "monitor run --games 2",
		"plot run", "compare run", "verify run", "verify run --mend"} {
		_, err := clade(strings.Fields(line)...)
		if _, started := os.Stat(mark); started == nil {
			t.Fatalf("%s started a program that the manifest names", line)
		}
		if strings.HasPrefix(line, "resume") &&
			(err == nil || !strings.Contains(err.Error(), "--allow-programs")) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
