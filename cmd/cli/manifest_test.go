package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/gp/proof"
)

// TestManifestStartsNoProgram puts a program into a run's manifest, as anyone who hands a run on
// could: no command starts it.
func TestManifestStartsNoProgram(t *testing.T) {
	proof.Costly(t)
	dir := t.TempDir()
	write(t, dir, "game = \"life\"\n[settings]\nheight = 20\nwidth = 20\ngenerations = 5\n"+
		"[measure]\nagainst = [\"guard\"]\ngames = 2\nfinal = 2\n[evolve]\npopulation = 6\n"+
		"generations = 2\ntournament = 2\nboards = 1\n"+oneFigure)
	program(t, dir, "run s.toml --out run")
	content := proof.Must(os.ReadFile(dir + "/s.toml"))(t)
	write(t, dir, string(content)+"[sweep]\nseeds = [1]\n")
	program(t, dir, "sweep s.toml --out swept")
	program(t, dir, "match life guard run:run --set height=20 --set width=20 --set generations=5 "+
		"--games 2 --record game.record")
	// where exploit would go on with a best response of a forger's
	proof.OK(t, os.CopyFS(dir+"/responses/seed-1", os.DirFS(dir+"/run")))
	mark := filepath.Join(dir, "started")
	cells, err := filepath.Glob(dir + "/swept/*/manifest.json")
	if err != nil || len(cells) != 1 {
		t.Fatal(cells, err)
	}
	for _, path := range []string{dir + "/run/manifest.json",
		dir + "/responses/seed-1/manifest.json", cells[0], dir + "/swept/study.toml",
		dir + "/game.record"} {
		content := proof.Must(os.ReadFile(path))(t)
		forged := bytes.ReplaceAll(content, []byte("guard"), []byte("exec:touch "+mark))
		if bytes.Equal(forged, content) {
			t.Fatalf("%s does not name the player:\n%s", path, content)
		}
		proof.OK(t, os.WriteFile(path, forged, 0o666))
		run := filepath.Dir(path)
		if filepath.Ext(path) != ".json" {
			continue
		}
		// what would make them play
		proof.OK(t, errors.Join(rundir.Record(run, "manifest.json"),
			os.Remove(filepath.Join(run, "measures.jsonl"))))
	}
	t.Chdir(dir)
	for _, line := range []string{"resume run", "report run --games 2", "monitor run --games 2",
		"plot run", "compare run", "verify run", "verify run --mend", "collect swept",
		"status swept", "sweep swept/study.toml --out swept", "report swept --games 2",
		"verify swept --mend", "phylogeny run", "population run", "show run:run --situations 9",
		"exploit run:run --games 240000 --seeds 1 --out responses",
		"league life run:run random --games 2",
		"replay game.record", "why game.record --step 2"} {
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
