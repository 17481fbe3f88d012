package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

// snapshot tells all files and folders below a folder, with their contents and times.
func snapshot(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Size(), info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%x\n", text)
			return err
		}
		return nil
	})
	proof.OK(t, err)
	return b.String()
}

// TestReadingLeavesRunsAlone: what reads runs, as a colleague's who gives none of them away, writes
// nothing into them where --out is elsewhere. What was there is told by the file system.
func TestReadingLeavesRunsAlone(t *testing.T) {
	proof.Costly(t)
	t.Chdir(t.TempDir())
	const study = "game = \"antwars\"\n[measure]\nagainst = [\"greedy\"]\ngames = 4\nfinal = 4\n" +
		"[evolve]\npopulation = 10\ngenerations = 6\ntournament = 2\n[evolve.champion]\nevery = 2\n" +
		"candidates = 2\ngames = 8\n[evolve.probes]\ngames = 0\n[sweep]\nseeds = [1, 2]\n" + oneFigure
	proof.OK(t, os.WriteFile("s.toml", []byte(study), 0o666))
	for _, line := range []string{"run s.toml --out r", "sweep s.toml --out runs"} {
		must(t, strings.Fields(line)...)
	}
	before := snapshot(t, "r") + snapshot(t, "runs")
	for _, line := range []string{
		"status", "status r runs", "verify r", "verify runs", "show r/champion.species",
		"show run:r --as json", "match antwars run:r greedy --games 2 --record g.record",
		"league antwars run:r run:r@0 greedy --games 2 --as svg --out l", "population r",
		"plot r --as svg --out p", "plot runs --as svg --out pp", "monitor r --as svg --games 2 --out m",
		"phylogeny r --as svg --out d", "phylogeny r/lineage.csv --as svg --out dd",
		"report r --games 2 --out re", "report runs --games 2 --out rr", "compare runs --as svg --out c",
		"collect runs --out co", "artifact r --out a.zip", "export run:r --to python --out s.py",
		"why g.record --step 1", "replay g.record --png steps", "sweep s.toml --out runs --dry-run",
	} {
		if out, err := clade(strings.Fields(line)...); err != nil && !strings.HasPrefix(line, "why") {
			t.Errorf("clade %s: %v\n%s", line, err, out)
		}
		if snapshot(t, "r")+snapshot(t, "runs") != before {
			t.Fatalf("clade %s writes into a run", line)
		}
	}
	// the numbers of a monitor kept in the run serve all, and stay as they are
	must(t, "monitor", "r", "--games", "2", "--as", "svg")
	before = snapshot(t, "r")
	for _, line := range []string{"monitor r --games 2 --as svg --out m2",
		"report r --games 2 --out re2"} {
		must(t, strings.Fields(line)...)
		proof.Is(t, snapshot(t, "r"), before, "the run beside clade %s", line)
	}
	if os.Getuid() == 0 {
		return // may write everywhere
	}
	for _, dir := range []string{"r", "runs"} {
		proof.OK(t, os.Chmod(dir, 0o555))
		defer os.Chmod(dir, 0o777)
	}
	for _, line := range []string{"plot r", "monitor r", "phylogeny r", "report r", "collect runs"} {
		proof.Fails(clade(strings.Fields(line)...))(t, "with --out")
	}
}
