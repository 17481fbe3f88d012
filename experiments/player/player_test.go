package player_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine/games/all"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

func TestScopeGame(t *testing.T) {
	for _, g := range all.Games() {
		found := proof.Must(scope.Game(g.Info().Name))(t)
		proof.Is(t, found.Info().Name, g.Info().Name, "the game")
	}
	proof.Fails(scope.Game("antwar"))(t, `did you mean "antwars"?`)
}

func TestTrust(t *testing.T) {
	dir := t.TempDir()
	mark := filepath.Join(dir, "started")
	species := filepath.Join(dir, "me.species")
	proof.OK(t, os.WriteFile(species, []byte("(species life 1)"), 0o666))
	life := proof.Must(scope.Game("life"))(t)
	for _, c := range []struct {
		name string
		need player.Trust
	}{{"guard", player.BuiltIns}, {"kept:life/still", player.BuiltIns}, {species, player.Files}, {"run:" + dir, player.Files},
		{"exec:touch " + mark, player.Programs}, {"persist:touch " + mark, player.Programs},
		{"wasm:none", player.Files}} {
		for trust := player.BuiltIns; trust <= player.Programs; trust++ {
			_, err := player.Scope{Games: scope.Games, Trust: trust}.Find(life, c.name)
			refused := err != nil && strings.Contains(err.Error(), "--allow-programs")
			proof.Is(t, refused, trust < c.need, "%s with trust %d is refused: %v", c.name, trust, err)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program was started")
	}
}

// The species are those of earlier runs, as the project's pages tell of them. Each has its name
// also where there is only the program, and plays in the game that its file names.
func TestKept(t *testing.T) {
	names := player.Kept("*")
	files := proof.Must(filepath.Glob("../../results/*/*.species"))(t)
	proof.Is(t, len(names), len(files), "kept species")
	for _, name := range names {
		claim := proof.Must(match.ReadClaim(scope, name, name))(t)
		g := proof.Must(match.Own(scope, claim))(t)
		proof.Must((player.Scope{Games: scope.Games}).Find(g, name))(t)
	}
	proof.Fails(player.ReadText("kept:antwars/whole-rum"))(t, `did you mean "kept:antwars/whole-run"?`)
	proof.Fails(player.ReadText("kept:../go"))(t, "unknown kept species")
}

func TestFindPlayer(t *testing.T) {
	typed := player.Scope{Games: scope.Games, Trust: player.Programs}
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	runnertest.Breed(run, "evolve.generations=3", "measure.final=0", "measure.against=[]")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	g := proof.Must(study.NewGame(scope, "antwars"))(t)
	const text = "(species antwars 1 (slot straight foodHope) (slot diagonal foodHope))"
	good := write("good.species", text)
	host := filepath.Join(dir, "me@host", "run") // of an account's home directory, say
	proof.OK(t, os.Mkdir(filepath.Dir(host), 0o777))
	proof.OK(t, os.Rename(run, host))
	proof.OK(t, os.Symlink(host, run))
	at := filepath.Join(dir, "run@9") // no generation of run
	proof.OK(t, os.Symlink(host, at))
	t.Chdir(dir)
	for _, name := range []string{"hyper", good, write("good (1).species", text),
		write("hyper(1).species", text), "hyper(1).species", "run:" + run, "run:" + run + "@1",
		"run:" + host, "run:" + host + "@1", "run:" + at, "run:" + at + "@1"} {
		proof.Must(scope.Find(g, name))(t)
	}
	for name, want := range map[string]string{
		"hypr":                 `did you mean "hyper"?`,
		"hyper(":               "the bracket is not closed",
		"hyper(3)":             "takes no arguments",
		"run:" + dir:           "is not a run directory",
		"run:" + run + "@8":    "has no champion of generation 8; it has 3, from generation 0 to 2",
		"run:" + run + "@x":    `"x" is not the number of a generation`,
		"exec:no-such-program": `"no-such-program": executable file not found`,
		"persist:":             "no command: write one such as",
		"wasm:none.wasm":       "no such file",
		"wasm:" + good:         "this is no WebAssembly module",
		dir + "/none":          "no such file",
		write("other.species",
			"(species chess 1)"): "this is a species of chess, and antwars is played here",
		write("old.species",
			"(species antwars 99)"): "bred under version 99 of the rules of antwars, and this " +
			"program plays version 1",
		write("typed.species",
			"(species antwars 1\n (slot straight (add foodHope (isFood (rect 0 0 1 1)))))"): `typed.species: gp: line 2, column 32: "isFood" is of type Bool, and Float is needed here`,
		write("unknown.species",
			"(species antwars 1\n (slot straight (add foodhope points)))"): `unknown name "foodhope", did you mean "foodHope"?`,
		write("keen.species", "(species antwars 1 (slot straight foodDecides) (slot diagonal "+
			"foodHope))"): `noEmpty, noVisited; the species is of a game with keen-senses = true, ` +
			`foresight = true: set that in the study's table [settings], or without a study by --set ` +
			`keen-senses=true --set foresight=true`,
		write("open.species",
			"(species antwars 1 (slot straight (add foodHope points)) (slot diagonal (add points "+
				"(constint 1))"): `")" is needed here, not the end of the text`,
	} {
		proof.Fails(typed.Find(g, name))(t, want)
	}
}
