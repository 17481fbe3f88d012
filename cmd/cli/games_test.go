package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/gp"
	"clade/gp/proof"
)

// TestGamesTellsAll takes its input from the games that the program is built with: each setting
// that a game has stands on its page, and so does each tree and word of its vocabulary, as it is and
// with each switch alone, also one that does not go with another. The switches that a word is said
// to need bring it, and no fewer of them do.
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
			if w.With == "" {
				continue
			}
			keys := strings.Split(w.With, " and ")
			if !hasWord(g, w.Name, keys) {
				t.Errorf("games %s: with %s there is no %s", name, w.With, w.Name)
			}
			for i := range keys {
				if fewer := slices.Concat(keys[:i], keys[i+1:]); hasWord(g, w.Name, fewer) {
					t.Errorf("games %s: %s is there with %q, without %s", name, w.Name, fewer, keys[i])
				}
			}
		}
	}
	proof.Fails(clade("games", "antwar"))(t, `did you mean "antwars"?`)
	proof.Fails(clade("games", "--set", "still-lifes=true"))(t, "name it")
	out := proof.Must(clade("games", "life", "--set", "still-lifes=true"))(t)
	if strings.Contains(out, "\nownDistance ") || strings.Contains(out, "with still-lifes") {
		t.Errorf("with still-lifes there are\n%s", out)
	}
}

// hasWord reports whether trees of a game may hold a word while some settings are on, and can be.
func hasWord(g engine.Game, word string, on []string) bool {
	a := g.(engine.Adjustable)
	settings := a.Settings()
	for _, s := range settings.Table() {
		if slices.Contains(on, s.Key) {
			*s.Value.(*bool) = true
		}
	}
	with, err := a.With(settings)
	return err == nil && slices.ContainsFunc(with.Grammar().Operators,
		func(op gp.Operator) bool { return op.Name == word })
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
