package match

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

var scope = runnertest.Scope()

// claim returns what a species says, whose text is written here but for its trees.
func claim(t testing.TB, name, game, settings string, slots ...string) Claim {
	t.Helper()
	text := "(species " + game + " 1"
	for s := range strings.SplitSeq(settings, ",") {
		if s != "" {
			text += "\n  (setting " + s + ")"
		}
	}
	for _, s := range slots {
		text += " (slot " + s + " x)"
	}
	c := proof.Must(ParseClaim(name, name+".species", text+")"))(t)
	return *c
}

// Species agree on one game or are told why not. What they say is written here.
func TestAgree(t *testing.T) {
	keen := claim(t, "keen", "antwars", "keen-senses true", "straight", "diagonal")
	fore := claim(t, "fore", "antwars", "foresight true,keen-senses true", "straight", "diagonal")
	plain := claim(t, "plain", "antwars", "", "straight", "diagonal")
	small := claim(t, "small", "amoebas", "world-size 9,rounds 5")
	again := claim(t, "again", "amoebas", "rounds 5,world-size 9")
	wide := claim(t, "wide", "amoebas", "sizes [9]")
	calls := claim(t, "calls", "amoebas", "memory true,world-size 9,rounds 5", "memory")
	graph := claim(t, "graph", "amoeboid",
		`board "file",graph "cells 3\nedge 0 1\nedge 1 2\nstart 0 2\n"`)
	bands := claim(t, "bands", "life", "height 30,bands 2")
	for _, c := range []struct {
		claims []Claim
		set    string
		of     string
		want   string // of the game's settings, or of the error
	}{
		{[]Claim{plain, keen}, "", "", "[keen-senses = true]"},
		{[]Claim{keen, fore, plain}, "", "", "[keen-senses = true foresight = true]"},
		{[]Claim{plain}, "keen-senses=true", "", "[keen-senses = true]"},
		{[]Claim{keen}, "foresight=true", "", "[keen-senses = true foresight = true]"},
		{[]Claim{plain}, "", "", "[]"},
		{[]Claim{fore}, "foresight=false", "", "fore needs foresight = true for its words, and " +
			"foresight = false contradicts that; leave it out"},
		{[]Claim{keen}, "keen-sense=true", "", `did you mean "keen-senses"?`},
		{[]Claim{plain}, "foresight=true", "", "foresight needs keen-senses = true"},
		{[]Claim{small, again}, "", "small", "[world-size = 9 rounds = 5]"},
		{[]Claim{small}, "rounds=5", "", "[rounds = 5]"},
		{[]Claim{small}, "memory=true", "small", "[world-size = 9 rounds = 5 memory = true]"},
		{[]Claim{wide}, "world-size=12", "", "[world-size = 12]"},
		{[]Claim{small, wide}, "", "", "small was bred under world-size = 9, rounds = 5, and " +
			"wide under sizes = [9]"},
		{[]Claim{small, wide}, "order=classic", "", `[order = "classic"]`},
		{[]Claim{calls}, "", "calls", "[world-size = 9 rounds = 5 memory = true]"},
		{[]Claim{calls}, "world-size=12", "", "[world-size = 12 memory = true]"},
		{[]Claim{calls, small}, "", "", `small has no tree for slot "memory"`},
		{[]Claim{small, calls}, "world-size=12", "", `small has no tree for slot "memory"`},
		{[]Claim{graph}, "", "graph", "board = \"file\""},
		{[]Claim{graph}, "size=4", "", "[size = 4]"},
		{[]Claim{bands}, "bands=3", "bands", "[height = 30]"},
		{[]Claim{bands}, "rounds=3", "", "[rounds = 3]"},
	} {
		var set []string
		if c.set != "" {
			set = []string{c.set}
		}
		s, err := Agree(scope, c.claims[0].Game, c.claims, set...)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(proof.Must(study.Said(scope, s.Game))(t))
			proof.Is(t, s.Of, c.of, "%s with %q: the world is of", c.claims[0].name, c.set)
		}
		proof.Holds(t, got, c.want)
	}
}

// A game of a run takes words of other species and keeps its world. What they say is written here.
func TestJoin(t *testing.T) {
	g := proof.Must(study.NewGame(scope, "amoebas", "world-size=12"))(t)
	small := claim(t, "small", "amoebas", "world-size 9")
	proof.Is(t, proof.Must(Join(scope, g, []Claim{small}))(t), g, "the game")
	calls := claim(t, "calls", "amoebas", "memory true,world-size 9", "memory")
	const want = "[world-size = 12 memory = true]"
	for range 2 { // also where it has the words
		g = proof.Must(Join(scope, g, []Claim{calls}))(t)
		proof.Is(t, fmt.Sprint(proof.Must(study.Said(scope, g))(t)), want, "what is said")
	}
	proof.Fails(Join(scope, g, []Claim{calls, small}))(t, `no tree for slot "memory"`)
}

// The game of one species has its settings, changed one by one. What it says is written here.
func TestOwn(t *testing.T) {
	calls := claim(t, "calls", "amoebas", "memory true,world-size 9,rounds 5")
	for set, want := range map[string]string{
		"rounds=5":   "[world-size = 9 rounds = 5 memory = true]",
		"sizes=[30]": "[world-size = 9 sizes = [30] rounds = 5 memory = true]"} {
		g, err := Own(scope, &calls, set)
		if err != nil {
			t.Error(err)
			continue
		}
		proof.Is(t, fmt.Sprint(proof.Must(study.Said(scope, g))(t)), want, "what is said")
	}
	proof.Fails(Own(scope, &calls, "memory=false"))(t, "calls needs memory = true for its words")
}

// A species that would read a file does not where its text came over a network. The text is written
// here.
func TestTrustOfSettings(t *testing.T) {
	path := t.TempDir() + "/mine.map"
	proof.OK(t, os.WriteFile(path, []byte("secret"), 0o666))
	c := claim(t, "c", "darwin", fmt.Sprintf("map %q", path))
	for trust, want := range map[player.Trust]string{player.BuiltIns: "would read a file",
		player.Files: path} {
		_, err := Agree(player.Scope{Games: scope.Games, Trust: trust}, "darwin", []Claim{c})
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "c.species") {
			t.Errorf("trust %d: %v", trust, err)
		}
	}
}

// A species whose world names a file that is gone plays where another world is described. What it
// says is written here.
func TestWorldThatIsGone(t *testing.T) {
	c := claim(t, "c", "darwin", `map "none.map"`, "attack")
	for _, set := range [][]string{{"map=arena"}, {"time-limit=2"}, nil} {
		_, err := Agree(scope, "darwin", []Claim{c}, set...)
		if (err == nil) != (set != nil) ||
			err != nil && !strings.Contains(err.Error(), "c.species:2: darwin: map: open none.map") {
			t.Errorf("%q: %v", set, err)
		}
	}
	proof.Must(Own(scope, &c, "map=arena"))(t)
	proof.Fails(Own(scope, &c))(t, "c.species:2: darwin", "--set map=… names another")
}

// FuzzAgree lets texts of any kind say what they want of any game.
func FuzzAgree(f *testing.F) {
	for _, seed := range []string{"antwars 1 (setting keen-senses true)",
		`darwin 5 (setting map "maze") (setting maze.width 9.5)`,
		"amoebas 2 (setting sizes [9,true]) (slot x)", "chase 1 (setting a.b 1)",
		`amoeboid 1 (setting board "file") (setting graph "cells 2\nedge 0 1\n")`,
		`life 1 (setting start "3o!")`} {
		f.Add(seed, "rounds=3")
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		c, err := ParseClaim("a", "a.species", "(species "+text)
		if err != nil {
			return
		}
		untrusted := player.Scope{Games: scope.Games, Trust: player.BuiltIns}
		var g engine.Game
		if s, err := Agree(untrusted, c.Game, []Claim{*c}, set); err == nil {
			g = s.Game
		} else if own, err := Own(untrusted, c); err == nil {
			g = own
		}
		if g == nil {
			return
		}
		proof.Must(study.Said(untrusted, g))(t)
	})
}
