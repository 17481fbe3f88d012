package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/gp/proof"
)

func TestTournament(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table.csv")
	args := []string{"tournament", "darwin", "rover", "superrover", "pirate", "flytrap", "--set",
		"map=ns_arena4", "--set", "time-limit=1", "--csv", table}
	out := proof.Must(clade(args...))(t)
	proof.Holds(t, out, "dominations", "superrover")
	if text, err := os.ReadFile(table); err != nil ||
		!strings.HasPrefix(string(text), "rank,name,points,games,") ||
		strings.Count(string(text), "\n") != 5 {
		t.Errorf("%v\n%s", err, text)
	}
	_, err := clade("tournament", "darwin")
	proof.Says(t, err, "used as: clade tournament")
	out, err = clade("tournament", "darwin", "lefthand", "tortoise", "--set", "map=mz_4", "--json")
	var v struct{ Standings []map[string]any }
	if err != nil || json.Unmarshal([]byte(out), &v) != nil || len(v.Standings) != 2 {
		t.Errorf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"amoeboid", "greedy", "cautious"}, "no tournament of its own"},
		{[]string{"life", "grower"}, "needs as many"},
		{[]string{"antwars", "greedy", "hyper", "--rounds", "0"}, "--rounds must be in 1.."},
		{[]string{"darwin", "lefthand", "--set", "map=mz_4", "--rounds", "2"}, "one round"},
		{[]string{"darwin", "rover", "pirate"}, "4 species"},
		{[]string{"darwin", "rover", "pirat"}, `did you mean "pirate"`},
	} {
		proof.Fails(clade(append([]string{"tournament"}, c.args...)...))(t, c.want)
	}
}
