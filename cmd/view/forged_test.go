package view

import (
	"bytes"
	"context"
	"io/fs"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clade/cmd/view/site"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// TestForgedFilesStartNoProgram puts a program into a run's manifest, a sweep's study and a record,
// as anyone who hands them on could, and asks for everything that there is to ask for.
func TestForgedFilesStartNoProgram(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	run, record := filepath.Join(dir, "run"), filepath.Join(dir, "game.record")
	breedOf(t, allGames(), "antwars", "greedy", run, 1, 2, runner.Options{})
	s := newServer(t, site.Options{Paths: []string{dir}})
	status, text := ask(s, "GET", "/api/game/record?game=antwars&players=greedy&players=random")
	if status != 200 {
		t.Fatal(status, text)
	}
	manifest := proof.Must(runner.ReadManifest(run))(t)
	content := proof.Must(os.ReadFile(filepath.Join(run, rundir.ManifestFile)))(t)
	swept, mark := filepath.Join(dir, "swept"), filepath.Join(dir, "started")
	proof.OK(t, os.Mkdir(swept, 0o777))
	for path, content := range map[string][]byte{
		filepath.Join(run, rundir.ManifestFile): content, record: []byte(text),
		filepath.Join(swept, "study.toml"): []byte(manifest.Study + "\n[sweep]\nseeds = [1]\n"),
	} {
		forged := bytes.ReplaceAll(content, []byte("greedy"), []byte("exec:touch "+mark))
		if bytes.Equal(forged, content) {
			t.Fatalf("%s does not name the player:\n%s", path, content)
		}
		proof.OK(t, os.WriteFile(path, forged, 0o666))
	}
	// what would make them play
	proof.OK(t, os.Remove(filepath.Join(run, "measures.jsonl")))
	proof.OK(t, rundir.Record(run, rundir.ManifestFile))
	s = newServer(t, site.Options{Paths: []string{dir}})
	var answered atomic.Int64
	enter := func(name string, of url.Values, patience time.Duration) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r := httptest.NewRequest("GET", "http://localhost/api/"+name+"?"+of.Encode(), nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r.WithContext(ctx))
		if w.Code == 200 && !strings.Contains(w.Body.String(), "event: fault") {
			answered.Add(1)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s?%s, or what lasts, started a program that a file names", name, of.Encode())
		}
	}
	var lasting sync.WaitGroup
	for _, name := range doors(t) {
		for _, of := range []url.Values{{"run": {run}}, {"run": {run}, "players": {"@2", "random"}},
			{"record": {record}}, {"game": {"antwars"}, "record": {record}}, {"sweep": {swept}},
			{"game": {"antwars"}, "players": {"exec:touch " + mark, "random"}}} {
			of.Set("id", "1")
			of.Set("kind", "curves")
			of.Set("games", "2")
			if strings.HasSuffix(name, "/live") || name == "play" {
				lasting.Go(func() { enter(name, of, time.Second/5) })
			} else {
				enter(name, of, 2*time.Second)
			}
		}
	}
	lasting.Wait()
	if answered := answered.Load(); answered < 20 {
		t.Errorf("only %d questions had an answer", answered)
	}
}

// doors returns the names of all that pages ask for.
func doors(t *testing.T) []string {
	t.Helper()
	door := regexp.MustCompile(`(?m)^\t\w+(?:\.mux)?\.(?:Get|Stream|Handle)\("([a-z/]+)", `)
	var names []string
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range door.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
		return err
	})
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	return names
}
