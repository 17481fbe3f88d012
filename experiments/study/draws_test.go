package study_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp/proof"
)

// The studies are written here. What is drawn depends on the seed alone, covers the range, and the
// text of the study draws the same.
func TestDraws(t *testing.T) {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	text := []byte("game = \"life\"\n[settings]\nheight = 32\nwidth = 32\n" +
		"generations = { draw = [5, 500], scale = \"log\" }\n" +
		"rounds = { draw = [6, 8, 12], scale = \"list\" }\n" +
		"turn_seconds = { draw = [1.0, 1.0], scale = \"list\" }\n")
	s := proof.Must(study.Parse(scope, "drawn", text))(t)
	g := proof.Must(s.NewGame())(t)
	d := g.(*engine.Drawn)
	seen := map[string]int{}
	for seed := range uint64(2000) {
		_, label := d.At(seed)
		seen[label]++
	}
	if len(seen) != 17*3 || seen["generations=5 rounds=6 turn-seconds=1.0"] == 0 ||
		seen["generations=50 rounds=8 turn-seconds=1.0"] == 0 ||
		seen["generations=500 rounds=12 turn-seconds=1.0"] == 0 {
		t.Errorf("drawn: %v", seen)
	}
	written := proof.Must(s.Text())(t)
	again := proof.Must(study.Parse(scope, "again", written))(t)
	h := proof.Must(again.NewGame())(t)
	grower, same := find(t, scope, g, "grower"), find(t, scope, h, "grower")
	for seed := range uint64(20) {
		first := g.Play([]engine.Player{grower, grower}, seed, nil)
		if other := h.Play([]engine.Player{same, same}, seed, nil); !reflect.DeepEqual(first, other) {
			t.Fatalf("seed %d: the study's text plays another game", seed)
		}
		record, result, err := engine.PlayRecorded(g, []string{"a", "b"},
			[]engine.Player{grower, grower}, seed, nil)
		if err != nil || result.Fingerprint != first.Fingerprint {
			t.Fatalf("seed %d: recorded, it is another game: %v", seed, err)
		}
		_, label := d.At(seed)
		if at, _, _ := strings.Cut(strings.ReplaceAll(label, "=", " = "), " rounds"); !strings.Contains(
			record.Settings, at+"\n") {
			t.Errorf("seed %d: drawn %s, recorded under\n%s", seed, label, record.Settings)
		}
		plain := proof.Must(scope.Game("life"))(t)
		if _, err := engine.Replay(plain, record, nil); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	worlds, labels, err := s.Worlds()
	if err != nil || len(worlds) != 2 || fmt.Sprint(labels) !=
		"[generations=5 rounds=6 turn-seconds=1.0 generations=500 rounds=12 turn-seconds=1.0]" {
		t.Errorf("worlds %q: %v", labels, err)
	}
	proof.Is(t, len(proof.Must(study.Said(scope, g))(t)), 2, "what a species says")
}

func find(t *testing.T, scope player.Scope, g engine.Game, name string) engine.Player {
	t.Helper()
	return proof.Must(scope.Find(g, name))(t)
}

// The faults are written here, each with a part of what the error says of it.
func TestDrawFaults(t *testing.T) {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	for draw, wants := range map[string]string{
		`life|generations = { draw = 5 }`:                               "a list is needed",
		`life|generations = { draw = [5, 4] }`:                          "must be below the most",
		`life|generations = { draw = [5] }`:                             "a list is needed",
		`life|generations = { draw = [1, 2, 3] }`:                       `scale = "list"`,
		`life|generations = { draw = [0, 2], scale = "log" }`:           "must be above 0",
		`life|generations = { draw = [1, 2], scale = "cubic" }`:         `"linear", "log" or "list"`,
		`life|generations = { draw = [1, 2], scael = "log" }`:           `did you mean "scale"`,
		`life|generations = { draw = [1.5, 2] }`:                        "a whole number is needed",
		`life|generations = { draw = [-5, 20] }`:                        "generations",
		`life|start = { draw = ["a", "b"] }`:                            `scale = "list"`,
		`life|methuselahs = { draw = [false, true], scale = "list" }`:   "another vocabulary",
		`life|generatoins = { draw = [1, 2] }`:                          `did you mean "settings.generations"`,
		`antwars|keen-senses = { draw = [false, true], scale = "list"}`: "another vocabulary",
		`darwin|arena.width = { draw = [9, 13], scale = "lin" }`:        "settings.arena.width.scale",
	} {
		game, line, _ := strings.Cut(draw, "|")
		_, err := study.Parse(scope, "faulty.toml", []byte("game = \""+game+"\"\n[settings]\n"+line+"\n"))
		proof.Says(t, err, wants, "faulty.toml:3:")
	}
}
