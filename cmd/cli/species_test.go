package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/games/all"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp/proof"
	"clade/results/repro"
)

// Every published species says the settings of the study that its manifest bred it with. Species,
// manifests and studies are those of the project.
func TestPublishedSpeciesSayTheirSettings(t *testing.T) {
	proof.Long(t)
	t.Chdir("../..")
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	folders := proof.Must(resultFolders([]string{"all"}))(t)
	checked := 0
	for _, dir := range folders {
		m := proof.Must(repro.Read(dir))(t)
		for _, s := range m.Steps {
			for name := range s.Keep {
				if !strings.HasSuffix(name, ".species") {
					continue
				}
				words := strings.Fields(s.Command)
				var set []string
				for i, w := range words {
					if w == "--set" && strings.HasPrefix(words[i+1], "settings.") {
						set = append(set, words[i+1])
					}
				}
				bred, err := study.Read(scope, words[1], set...)
				var g engine.Game
				if err == nil {
					g, err = bred.NewGame()
				}
				proof.OK(t, err)
				want, err := study.Said(scope, g)
				path := filepath.Join(dir, name)
				c, cannot := match.ReadClaim(scope, path, path)
				proof.OK(t, errors.Join(err, cannot))
				proof.Is(t, match.ListSettings(c.Settings), match.ListSettings(want),
					"what %s says of %s", path, words[1])
				_, _, err = findSpecies(&scope, path)
				proof.OK(t, err)
				checked++
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d species", checked)
	}
}

// Species bred under settings play, and are refused where no game takes them. They are bred here:
// copies of champions, and files written by hand.
func TestSpeciesBringTheirSettings(t *testing.T) {
	proof.Costly(t)
	dir := t.TempDir()
	t.Chdir(dir)
	breed := func(name, game, settings string) {
		t.Helper()
		write(t, dir, "game = \""+game+"\"\n[settings]\n"+settings+"\n[measure]\nfinal = 0\n"+
			"[evolve]\npopulation = 6\ngenerations = 2\nselection = \"pairs\"\nboards = 1\n"+
			"champion.games = 8\nprobes.games = 0\n"+oneFigure)
		must(t, "run", "s.toml", "--out", name)
		text := proof.Must(os.ReadFile(name + "/champion.species"))(t)
		proof.OK(t, os.WriteFile(name+".species", text, 0o666))
	}
	breed("keen", "antwars", "keen-senses = true")
	breed("fore", "antwars", "keen-senses = true\nforesight = true")
	breed("plain", "antwars", "")
	breed("small", "amoebas", "world-size = 9\nrounds = 5")
	breed("wide", "amoebas", "sizes = [10, 11]\nrounds = 6")
	breed("calls", "amoebas", "world-size = 9\nrounds = 5\nmemory = true")
	still := "height = 30\nwidth = 30\ngenerations = 9\nstill-lifes = true\n"
	breed("still", "life", still)
	breed("opening", "life", still+"methuselahs = true")
	breed("lots", "life", "height = 30\nwidth = 30\ngenerations = 9\nmethuselahs = true\nbands = 2")
	file := func(name, text string) {
		t.Helper()
		proof.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	trees := "\n (slot straight foodHope) (slot diagonal foodHope))"
	file("unknown.species", "(species antwars 1\n\n (setting keen-sense true)"+trees)
	file("twice.species", "(species antwars 1"+strings.Repeat("\n (setting foresight true)", 2)+trees)
	file("half.species", "(species antwars 1\n (setting foresight true)"+trees)
	file("type.species", "(species antwars 1\n (setting keen-senses 3)"+trees)
	file("none.species", "(species chess 1 (setting a 1))")
	file("fixed.species", "(species chase 1\n (setting speed 3)"+trees)
	large := "foodHope"
	for range 14 {
		large = "(mul " + large + " " + large + ")"
	}
	file("large.species", "(species antwars 1 (slot straight foodHope) (slot diagonal "+large+"))")
	file("wrong.species", "(species amoebas 2\n (setting world-size 1000))")
	for _, c := range []struct{ line, want string }{
		{"match antwars keen.species greedy", ""},
		{"match antwars keen.species fore.species plain.species", "antwars is for 2 players"},
		{"match antwars fore.species plain.species", ""},
		{"match antwars run:fore run:keen@0", ""},
		{"match antwars keen.species greedy --set keen-senses=true", ""},
		{"match antwars keen.species greedy --set foresight=true", ""},
		{"match antwars keen.species greedy --set keen-senses=false",
			"keen.species needs keen-senses = true for its words, and keen-senses = false contra"},
		{"match antwars run:fore greedy --set keen-senses=false", "run:fore needs keen-senses = true"},
		{"league antwars keen.species fore.species plain.species greedy", ""},
		{"export fore.species --to python --out fore.py", ""},
		{"show calls.species", ""},
		{"match amoebas calls.species caesar", ""},
		{"match amoebas calls.species small.species",
			`calls.species needs memory = true for its words, and small.species has no tree for ` +
				`slot "memory" of that game: no game takes both`},
		{"match amoebas small.species wide.species", "small.species was bred under " +
			"world-size = 9, rounds = 5, and wide.species under sizes = [10,11], rounds = 6; say " +
			"with --set under which they meet, such as --set world-size=9"},
		{"match amoebas wide.species small.species", "such as --set 'sizes=[10,11]'"},
		{"match amoebas small.species wide.species --set rounds=3 --set world-size=10", ""},
		{"match life lots.species grower", ""},
		{"match life opening.species still.species", ""}, // which has a copy of another tree
		{"export lots.species --to python --out lots.py", ""},
		{"match antwars unknown.species greedy",
			`unknown.species:3: unknown key "keen-sense", did you mean "keen-senses"?`},
		{"show unknown.species", `unknown.species:3: unknown key "keen-sense"`},
		{"show twice.species", `gp: line 3, column 11: setting "foresight" stands twice`},
		{"show half.species", "half.species: settings: antwars: foresight needs keen-senses = "},
		{"show type.species", "type.species:2: keen-senses: true or false is needed here"},
		{"show none.species", `none.species: unknown game "chess"`},
		{"match antwars none.species greedy", "this is a species of chess, and antwars is played"},
		{"show large.species", "large.species: antwars: gp: the genome has 32768 nodes; at most"},
		{"export large.species --to c --introns", "large.species: antwars: gp: the genome"},
		{"show fixed.species", "fixed.species:2: chase has no settings, so speed cannot be set"},
		{"export wrong.species --to c", "wrong.species:2: amoebas: world-size must be in 5..250"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.line, "'", ""))
		if args[0] == "match" || args[0] == "league" {
			args = append(args, "--games", "2")
		} else if args[0] == "show" {
			args = append(args, "--situations", "20")
		}
		out, err := clade(args...)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\n%s\nwant %q", c.line, err, out, c.want)
		}
	}
	// which game it was, as the record tells it
	for _, c := range []struct{ line, want string }{
		{"match amoebas small.species caesar", "world-size = 9,rounds = 5,memory = false"},
		{"match amoebas calls.species caesar", "world-size = 9,rounds = 5,memory = true"},
		{"match amoebas small.species caesar --set rounds=3 --set world-size=7",
			"world-size = 7,rounds = 3"},
		{"match amoebas wide.species caesar --set rounds=3 --set world-size=7",
			"world-size = 7,sizes = [],rounds = 3"},
		{"match life lots.species grower --set bands=3",
			"height = 30,generations = 9,methuselahs = true,bands = 3"},
		{"match life lots.species grower --set generations=3 --set height=25 --set width=30",
			"height = 25,generations = 3,methuselahs = true"},
	} {
		args := append(strings.Fields(c.line), "--games", "2", "--record", "g")
		if out, err := clade(args...); err != nil {
			t.Errorf("%s: %v\n%s", c.line, err, out)
			continue
		}
		r := proof.Must(engine.ReadRecordFile("g"))(t)
		lines := strings.Split(r.Settings, "\n")
		for want := range strings.SplitSeq(c.want, ",") {
			if !slices.Contains(lines, want) {
				t.Errorf("%s: no %s in\n%s", c.line, want, r.Settings)
			}
		}
	}
	// what changes nothing for species is not said
	text, err := os.ReadFile("lots.species")
	if said := string(text); err != nil || strings.Contains(said, "bands") ||
		!strings.Contains(said, "(setting methuselahs true)") {
		t.Errorf("%v\n%s", err, said)
	}
}
