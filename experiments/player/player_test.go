package player_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

func TestFindPlayer(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	small, err := study.Read("../runner/testdata/small.toml", "evolve.generations=3",
		"measure.final=0", "measure.against=[]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runner.Start(context.Background(), run, small, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	g, err := study.NewGame("antwars")
	if err != nil {
		t.Fatal(err)
	}
	const text = "(species antwars 1 (slot straight foodHope) (slot diagonal foodHope))"
	good := write("good.species", text)
	host := filepath.Join(dir, "me@host", "run") // of an account's home directory, say
	if err := os.Mkdir(filepath.Dir(host), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(run, host); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(host, run); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, name := range []string{"hyper", good, write("good (1).species", text),
		write("hyper(1).species", text), "hyper(1).species", "run:" + run, "run:" + run + "@1",
		"run:" + host, "run:" + host + "@1"} {
		if _, err := player.Find(g, name); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]string{
		"hypr":              `did you mean "hyper"?`,
		"hyper(":            "the bracket is not closed",
		"hyper(3)":          "takes no arguments",
		"run:" + dir:        "is not a run directory",
		"run:" + run + "@9": "has no champion of generation 9; it has 3, from generation 0 to 2",
		"run:" + run + "@x": `"x" is not the number of a generation`,
		"exec:true":         "antwars has no protocol for programs",
		"persist:true":      "antwars has no protocol for programs that stay",
		dir + "/none":       "no such file",
		write("other.species",
			"(species chess 1)"): "this is a species of chess, and antwars is played here",
		write("old.species",
			"(species antwars 99)"): "bred under version 99 of the rules of antwars, and this " +
			"program plays version 1",
		write("typed.species",
			"(species antwars 1\n (slot straight (add foodHope (isFood (rect 0 0 1 1)))))"): `typed.species: gp: line 2, column 32: "isFood" is of type Bool, and Float is needed here`,
		write("unknown.species",
			"(species antwars 1\n (slot straight (add foodhope points)))"): `unknown name "foodhope", did you mean "foodHope"?`,
		write("open.species",
			"(species antwars 1 (slot straight (add foodHope points)) (slot diagonal (add points "+
				"(constint 1))"): `")" is needed here, not the end of the text`,
	} {
		if _, err := player.Find(g, name); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
	}
}
