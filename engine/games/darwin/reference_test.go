package darwin

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// outcome is a line of the reference: a game of the original.
type outcome struct {
	Map     string
	Species []string
	Time    float64 `json:"T_ms"`
	Result  string
	Codes   map[string]string
}

// readOutcomes reads the reference files of a pattern, and tells the folder of the recorded data.
func readOutcomes(t *testing.T, pattern string) (all []outcome, dir string) {
	for _, path := range enginetest.Recorded(t, "darwin", "reference/"+pattern) {
		dir = filepath.Dir(filepath.Dir(path))
		enginetest.EachRecord(t, path, func(_ string, o *outcome) { all = append(all, *o) })
	}
	return all, dir
}

// player returns a built-in player.
func player(t testing.TB, g engine.Game, name string) engine.Player {
	return enginetest.Player(t, g, name)
}

// on returns the game on a map.
func on(t testing.TB, mapName string) *game { return short(t, mapName, 0, nil) }

// The times are those of the original program. The creatures whose doing is fully known take them
// in every maze, but for the turns of treasures at the start and the end.
func TestConformanceMazeTimes(t *testing.T) {
	proof.Slow(t)
	outcomes, dir := readOutcomes(t, "mazes*.jsonl*")
	compared := 0
	for _, o := range outcomes {
		name := strings.ToLower(o.Species[0])
		if name != "rover" && name != "superrover" && name != "lefthand" {
			continue
		}
		g := on(t, filepath.Join(dir, "maps", o.Map+".map"))
		r := g.Play([]engine.Player{player(t, g, name)}, 1, nil)
		solved := strings.Contains(o.Result, "completed")
		if (r.Winner() == 0) != solved {
			t.Errorf("%s in %s: winner %d, recorded %q", name, o.Map, r.Winner(), o.Result)
		} else if ms := -1000 * r.Scores[0]; solved && math.Abs(ms-o.Time) > 0.001 {
			t.Errorf("%s in %s: %.4f ms, recorded %.4f", name, o.Map, ms, o.Time)
		}
		compared++
	}
	t.Logf("%d runs compared", compared)
}
