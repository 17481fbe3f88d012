package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"clade/gp/proof"
)

// keyStyle is how keys are written: in lower case, with underscores.
var keyStyle = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// TestJSONStyle reads what commands print as JSON, in one line: keys are in one style, but names
// that a game or a person gives, and numbers are numbers.
func TestJSONStyle(t *testing.T) {
	proof.Costly(t)
	koza := proof.Must(os.ReadFile("../../experiments/multiplexer/koza.toml"))(t)
	dir := t.TempDir()
	t.Chdir(dir)
	proof.OK(t, os.WriteFile("koza.toml", koza, 0o666))
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 4\n[evolve]\npopulation = 10\n"+
		"generations = 4\ntournament = 2\nboards = 1\n[evolve.champion]\ngames = 8\n"+
		"[sweep]\nseeds = [1, 2]\n"+oneFigure)
	for _, line := range []string{
		"run s.toml --out r", "sweep s.toml --out grid", "resume r",
		"match antwars greedy random --games 4 --record g.record", "replay g.record",
		"league antwars greedy random smart --games 8",
		"league amoebas caesar untitled theroots --set rounds=5 --set world-size=32 --seats 3 " +
			"--games 1",
		"tournament darwin rover pirate pilgrim skunk --set map=arena --set time-limit=0.4 " +
			"--set arena.width=11 --set arena.height=11 --set arena.species=4 --set " +
			"arena.creatures=3 " +
			"--set arena.apples=3 --set arena.enchanted=1 --set arena.hazards=1",
		"compare r", "compare grid", "monitor r --games 4 --as svg", "status", "status grid",
		"collect grid", "games", "players antwars", "version", "show run:r --situations 50",
		"verify r", "population r", "phylogeny r --as svg", "plot r --as svg",
		"bench --game multiplexer --seconds 1e-9",
		"bench koza.toml --runs 2 --set evolve.population=50 --set evolve.generations=3",
	} {
		out, err := clade(append(strings.Fields(line), "--json")...)
		var v any
		if err == nil {
			err = json.Unmarshal([]byte(out), &v)
		}
		if err != nil || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		checkStyle(t, line, v)
		if ran, ok := v.(map[string]any); ok && line == "resume r" {
			if print, _ := ran["fingerprint"].(string); len(print) != 64 || ran["run"] != "r" ||
				ran["champion"] == nil || ran["generations"] != 4.0 {
				t.Errorf("%s: %s", line, out)
			}
		}
	}
}

func checkStyle(t *testing.T, where string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			checkStyle(t, where, x)
		}
	case map[string]any:
		for key, x := range v {
			if !keyStyle.MatchString(key) {
				t.Errorf("%s: the key %q", where, key)
			}
			if key != "marks" { // as the game calls them
				checkStyle(t, where+" "+key, x)
			}
		}
	case string:
		_, number := json.Number(v).Float64()
		last := where[strings.LastIndexByte(where, ' ')+1:]
		if number == nil && last != "id" && last != "name" && last != "key" {
			t.Errorf("%s: the number %q is a text", where, v)
		}
	}
}
