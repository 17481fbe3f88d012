package view

import (
	"encoding/csv"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/cmd/view/site"
	"clade/engine"
	"clade/engine/enginetest"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// TestSpeciesBringTheirGame shows species that were bred under settings, without naming these: as
// files, as dropped ones, in a run's game and in a league. They are the published ones.
func TestSpeciesBringTheirGame(t *testing.T) {
	proof.Slow(t)
	const results = "../../results"
	dir := t.TempDir()
	runnertest.Breed(filepath.Join(dir, "plain"), "evolve.generations=2", "measure.final=0",
		"measure.against=[]")
	s := newServer(t, site.Options{Paths: []string{results, dir}})
	drop := func(query, path string) (player string, status int, body string) {
		text := proof.Must(os.ReadFile(path))(t)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/api/species?"+query,
			strings.NewReader(string(text))))
		var got struct{ Player string }
		_ = json.Unmarshal(w.Body.Bytes(), &got) // or it is refused
		return got.Player, w.Code, w.Body.String()
	}
	link := func(parts ...string) string {
		all := url.Values{}
		for i := 0; i < len(parts); i += 2 {
			all.Add(parts[i], parts[i+1])
		}
		return all.Encode()
	}
	foresight, methuselahs := results+"/antwars/foresight-seed711.species",
		results+"/life/methuselahs.species"
	dropped, status, body := drop("game=antwars", foresight)
	if dropped == "" {
		t.Fatalf("%d: %s", status, body)
	}
	if _, status, body := drop("game=antwars&set=keen-senses%3Dfalse", foresight); status != 400 ||
		!strings.Contains(body, "the dropped file needs keen-senses = true for its words") {
		t.Errorf("%d: %s", status, body)
	}
	run := filepath.Join(dir, "plain")
	if name, status, body := drop(link("run", run), foresight); name != dropped {
		t.Errorf("%d: %s", status, body)
	}
	for _, c := range []struct{ route, link, want string }{
		{"game", link("game", "antwars", "players", foresight, "players", "greedy"),
			`keen-senses = true\nforesight = true\n`},
		{"game", link("game", "antwars", "players", "greedy", "players", dropped),
			`keen-senses = true\nforesight = true\n`},
		{"game", link("run", run, "players", "@1", "players", dropped), `foresight = true\n`},
		{"game", link("run", run, "players", "@1", "players", "greedy"), `"settings":""`},
		{"game", link("game", "life", "set", "height=60", "set", "width=60", "set",
			"generations=20", "players", methuselahs, "players", "grower"), `methuselahs = true\n`},
		{"game", link("game", "amoeboid", "players", results+"/amoeboid/three.species", "players",
			"greedy"), `limit = 100\n`},
		{"game", link("game", "amoeboid", "set", "limit=30", "players",
			results+"/amoeboid/three.species", "players", "greedy"), `limit = 30\n`},
		{"figure", link("of", "tree", "kind", "tree", "game", "life", "players", methuselahs,
			"name", "genome", "as", "svg"), "pentomino"},
		{"why/species", link("game", "antwars", "players", foresight, "players", "greedy"),
			`\n  (setting keen-senses true)\n  (setting foresight true)\n`},
		{"league", link("game", "amoeboid", "players", results+"/amoeboid/three.species", "players",
			"greedy", "boards", "1"), `"set":["limit = 100"]`},
	} {
		status, body := ask(s, "GET", "/api/"+c.route+"?"+c.link)
		if status != 200 || !strings.Contains(body, c.want) {
			t.Errorf("%s?%s: %d: no %s in %.600s", c.route, c.link, status, c.want, body)
		}
	}
}

// TestNewNodes draws a genome with the subtrees grey that another one has, too. Both are written
// here, and which nodes are new is told by hand.
func TestNewNodes(t *testing.T) {
	dir := t.TempDir()
	for name, tree := range map[string]string{
		"before": "(add (const 0.5) (const 0.25))",
		"after":  "(mul (add (const 0.5) (const 0.25)) (sub (const 0.25) (const 0.125)))",
	} {
		proof.OK(t, os.WriteFile(filepath.Join(dir, name+".species"),
			[]byte("(species number 1 (slot number "+tree+"))"), 0o666))
	}
	s := newServer(t, site.Options{Paths: []string{dir}, Scope: player.Scope{
		Games: []engine.Game{enginetest.Number(0)}, Trust: player.Files}})
	status, body := ask(s, "GET", "/api/figure?kind=tree&as=csv&game=number&players="+dir+
		"/after.species&since="+dir+"/before.species")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if status != 200 || err != nil {
		t.Fatalf("%d: %s", status, body)
	}
	var is []string
	for _, row := range rows[1:] {
		is = append(is, row[3]+" "+row[6])
	}
	proof.Is(t, strings.Join(is, ","),
		"mul false,add true,0.5 true,0.25 true,sub false,0.25 true,0.125 false",
		"nodes and whether they are old")
}

// A folder's name may hold the sign that names a generation behind a run.
func TestFolderNamedWithAt(t *testing.T) {
	proof.Long(t)
	dir := filepath.Join(t.TempDir(), "a@b")
	breedOf(t, allGames(), "antwars", "greedy", filepath.Join(dir, "run-1"), 1, 2, runner.Options{})
	s := proof.Must(New(site.Options{Paths: []string{dir}, Scope: allGames()}))(t)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/api/why/margins?game=antwars&seed=1&"+
		"players=greedy&players="+url.QueryEscape("run:"+dir+"/run-1"), nil))
	proof.Is(t, w.Code, 200, "the status of %s", w.Body)
}
