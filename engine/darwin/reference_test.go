package darwin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
)

// outcome is a line of the reference: a game of the original.
type outcome struct {
	Map     string
	Species []string
	Time    float64 `json:"T_ms"`
	Result  string
	Codes   map[string]string
}

// readOutcomes reads the reference files of a pattern.
func readOutcomes(t *testing.T, dir, pattern string) (all []outcome) {
	for _, path := range must(filepath.Glob(filepath.Join(dir, "reference", pattern))) {
		scan := bufio.NewScanner(bytes.NewReader(must(os.ReadFile(path))))
		for scan.Scan() {
			var o outcome
			if err := json.Unmarshal(scan.Bytes(), &o); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		t.Skipf("no %s in %s", pattern, dir)
	}
	return all
}

// player returns a creature of the house.
func player(t testing.TB, g engine.Game, name string) engine.Player {
	for _, e := range g.(engine.Roster).Players() {
		if e.Name == name {
			return must(e.New(""))
		}
	}
	t.Fatalf("no player %q", name)
	return nil
}

// on returns the game on a map.
func on(t testing.TB, mapName string) engine.Game {
	s := Defaults()
	s.Map = mapName
	g, err := New().(engine.Adjustable).With(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The creatures whose doing is fully known take the original's time in every maze, but for the turns of treasures at the start and the end.
func TestConformanceMazeTimes(t *testing.T) {
	dir := conformanceFolder(t)
	compared := 0
	for _, o := range readOutcomes(t, dir, "mazes.jsonl") {
		name := strings.ToLower(o.Species[0])
		if name != "rover" && name != "superrover" && name != "lefthand" {
			continue
		}
		g := on(t, filepath.Join(dir, "maps", o.Map+".map"))
		r := g.Play([]engine.Player{player(t, g, name)}, 1, nil)
		solved := strings.Contains(o.Result, "completed")
		if (r.Winner == 0) != solved {
			t.Errorf("%s in %s: winner %d, recorded %q", name, o.Map, r.Winner, o.Result)
		} else if ms := -1000 * r.Scores[0]; solved && math.Abs(ms-o.Time) > 0.001 {
			t.Errorf("%s in %s: %.4f ms, recorded %.4f", name, o.Map, ms, o.Time)
		}
		compared++
	}
	t.Logf("%d runs compared", compared)
}
