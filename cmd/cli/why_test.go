package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"clade/gp/proof"
)

func TestWhy(t *testing.T) {
	dir := t.TempDir()
	path, gone := filepath.Join(dir, "game.record"), filepath.Join(dir, "gone.record")
	for file, players := range map[string][2]string{path: {"hyper", "brilliant"},
		gone: {"random", "random"}} {
		proof.Must(clade("match", "antwars", players[0], players[1], "--games", "1", "--record",
			file))(t)
	}
	keen, its := filepath.Join(dir, "keen.species"), filepath.Join(dir, "keen.record")
	proof.OK(t, os.WriteFile(keen, []byte("(species antwars 1 (slot straight foodRoute) "+
		"(slot diagonal foodRoute))"), 0o666))
	proof.Must(clade("match", "antwars", keen, "greedy", "--games", "1", "--set",
		"keen-senses=true", "--record", its))(t)
	text := proof.Must(clade("why", its, "--step", "0"))(t) // of a grammar that settings chose
	proof.Holds(t, text, "foodRoute")
	text = proof.Must(clade("why", path, "--step", "1", "--candidate", "nw"))(t)
	proof.Holds(t, text, "step 1: brilliant in seat 2\n8 candidates", "tree diagonal for NW")
	text, err := clade("why", path, "--step", "1", "--json", "--idle=false")
	var told struct {
		Chosen     int
		Candidates []struct{ Utility float64 }
		Tree       []struct{ Value any }
	}
	if err != nil || json.Unmarshal([]byte(text), &told) != nil || len(told.Candidates) != 8 ||
		told.Tree[0].Value != told.Candidates[told.Chosen].Utility {
		t.Errorf("why --json: %v\n%s", err, text)
	}
	for _, c := range []struct { // by hand
		args []string
		want string
	}{
		{[]string{path, "--step", "1", "--seat", "3"}, "--seat must be 1 to 2, not 3"},
		{[]string{path, "--step", "1", "--number", "2"}, "no decision 2 at step 1"},
		{[]string{path, "--step", "1", "--number", "0"}, "no decision 0 at step 1"},
		{[]string{gone}, "no player of this game is a genome"},
		{[]string{path, "--step", "99"}, "the last of 70 was made at step 69"},
		{[]string{path, "--step", "1", "--candidate", "up"}, "there are NW, N"},
		{[]string{path, "--player", "3=hyper"}, "a seat in 1..2"},
		{[]string{path, "--step", "0", "--player", "1=brilliant"}, "another course"},
	} {
		proof.Fails(clade(append([]string{"why"}, c.args...)...))(t, c.want)
	}
}
