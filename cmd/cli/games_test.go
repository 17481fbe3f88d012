package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/gp/proof"
)

// TestGamesTellsAll takes its input from the games that the program is built with: each setting
// that a game has stands on its page, and so does each tree and word of its vocabulary, as it is and
// with each switch alone, also one that does not go with another.
func TestGamesTellsAll(t *testing.T) {
	for _, g := range all.Games() {
		name := g.Info().Name
		out := proof.Must(clade("games", name))(t)
		variants := []engine.Game{g}
		if a, ok := g.(engine.Adjustable); ok {
			for i, s := range a.Settings().Table() {
				proof.Holds(t, out, "\n"+s.Key+" ")
				settings := a.Settings()
				if on, ok := settings.Table()[i].Value.(*bool); ok {
					*on = true
					if with, err := a.With(settings); err == nil { // it needs no other
						variants = append(variants, with)
					}
				}
			}
		}
		_, trees, _ := strings.Cut(out, "A genome has a tree for each of:")
		for _, v := range variants {
			for _, op := range v.Grammar().Operators {
				proof.Holds(t, out, "\n"+op.Name)
			}
			for _, s := range v.Grammar().Slots {
				if !strings.Contains(trees, " "+s.Name) && !strings.Contains(trees, "\n"+s.Name) {
					t.Errorf("games %s does not tell of the tree %s", name, s.Name)
				}
			}
		}
		out = proof.Must(clade("games", name, "--json"))(t)
		var line gameLine
		proof.OK(t, json.Unmarshal([]byte(out), &line))
		for _, w := range line.Words {
			if w.About == "" {
				t.Errorf("%s: the word %s has no sentence", name, w.Name)
			}
		}
	}
	proof.Fails(clade("games", "antwar"))(t, `did you mean "antwars"?`)
}

// TestSetHasOneSpelling takes commands that take settings of a game: all take both forms, and
// hyphens or underscores between the words of a key.
func TestSetHasOneSpelling(t *testing.T) {
	proof.Costly(t)
	file := filepath.Join(t.TempDir(), "s.toml")
	proof.OK(t, os.WriteFile(file, []byte(`game = "amoebas"
[settings]
world-size = 8
[evolve]
population = 8
[evolve.migration]
migrants = 1
[sweep]
seeds = [1]
`), 0o666))
	for _, set := range []string{"rounds=9", "settings.rounds=9", " settings.rounds = 9",
		"world-size=16", "settings.world_size=16"} {
		for _, args := range [][]string{
			{"match", "amoebas", "caesar", "caesar", "--games", "2"},
			{"sweep", file, "--dry-run"},
		} {
			other := "rounds=2" // so that games take a moment
			if strings.Contains(set, "rounds") {
				other = "world-size=8"
			}
			args = append(args, "--set", other)
			must(t, append(args, "--set", set)...)
		}
	}
	_, err := clade("match", "amoebas", "caesar", "caesar", "--set", "settings.round=9")
	proof.Says(t, err, `did you mean "rounds"?`)
}
