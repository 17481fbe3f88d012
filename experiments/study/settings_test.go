package study_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"clade/engine"
	"clade/experiments/study"
	"clade/gp"
	"clade/gp/proof"
)

// What a game says of its settings makes the same game again, printed into a species and read back.
// The settings are those of the project's studies.
func TestSaidMakesTheGameAgain(t *testing.T) {
	proof.Slow(t)
	paths, err := filepath.Glob("../*/*.toml")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d studies, %v", len(paths), err)
	}
	said := 0
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Chdir("../..")
			s := proof.Must(study.Read(scope, filepath.Join("experiments", "study", path)))(t)
			g := proof.Must(s.NewGame())(t)
			settings := proof.Must(study.Said(scope, g))(t)
			said += len(settings)
			text := g.Grammar().PrintSpecies(&gp.Species{Game: s.Game, Version: 1, Settings: settings})
			h := proof.Must(gp.ParseHeader(text))(t)
			again := proof.Must(study.GameWith(scope, s.Game, h.Settings))(t)
			if a, ok := g.(engine.Adjustable); ok && !reflect.DeepEqual(a.Settings(),
				again.(engine.Adjustable).Settings()) {
				t.Errorf("%+v, want %+v\n%s", again.(engine.Adjustable).Settings(), a.Settings(), text)
			}
			plain, err := scope.Game(s.Game)
			settings, cannot := study.Said(scope, plain)
			if err = errors.Join(err, cannot); err != nil || len(settings) > 0 {
				t.Errorf("the default is %v, %v", settings, err)
			}
		})
	}
	if said < 60 {
		t.Errorf("%d settings", said)
	}
}

// Settings of a command come typed, those of a table one by one.
func TestSettings(t *testing.T) {
	for set, want := range map[string]any{"map=arena": "arena", "time-limit=2": 2.0,
		"arena.width=17": int64(17), "shared-map=true": true} {
		got, err := study.Settings(scope, "darwin", set)
		if err != nil || len(got) != 1 || got[0].Value != want {
			t.Errorf("%s: %v, %v", set, got, err)
		}
	}
	got, err := study.Settings(scope, "darwin", "arena={width=17, height=19}")
	if err != nil || len(got) < 2 || got[0].Key != "arena.width" {
		t.Errorf("%v, %v", got, err)
	}
	for set, game := range map[string]string{"speed=1": "chase", "maps=1": "darwin",
		"map": "darwin", "map=3": "darwin"} {
		proof.Fails(study.Settings(scope, game, set))(t, "setting")
	}
}
