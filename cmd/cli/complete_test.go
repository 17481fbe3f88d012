package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clade/engine/games/all"
	"clade/gp/proof"
)

// TestCompletion asks what the shell asks, in a folder with a run, a species and a record.
func TestCompletion(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	write(t, dir, "game = \"antwars\"\n[measure]\nfinal = 0\n[evolve]\npopulation = 10\n"+
		"generations = 3\ntournament = 2\nboards = 1\n[evolve.champion]\ngames = 8\n")
	t.Chdir(dir)
	for _, line := range []string{"run s.toml --out runs/a", "sweep s.toml --out runs/grid",
		"match antwars greedy random --games 2 --record g.record"} {
		proof.Must(clade(strings.Fields(line)...))(t)
	}
	proof.OK(t, os.WriteFile(filepath.Join(dir, "me.species"), nil, 0o666))
	for _, c := range []struct{ line, want string }{ // words behind the line, then one that is not
		{"|", "run match version completion help !man"},
		{"ma|", "match !man"},
		{"run |", "s.toml runs/ !g.record"},
		{"sweep --out |", "runs/ !s.toml"},
		{"run s.toml --see|", "--seed"},
		{"run s.toml --set evolve.pop|", "evolve.population= !evolve.elites="},
		{"run s.toml --set measure.|", "measure.games= measure.against="},
		{"match |", "antwars amoebas santafe"},
		{"match antwars --set |", "!rounds="}, // there are none
		{"match life --set |", "rounds= generations= !evolve.population="},
		{"match amoebas --set |", "world-size= !settings.world-size="},
		{"match antwars hyper |", "greedy run: exec: wasm: me.species runs/"},
		{"match antwars run:|", "run:runs/ !run:run:"},
		{"match antwars run:runs/|", "run:runs/a"},
		{"match antwars greedy run:runs/a@|", "run:runs/a@0 run:runs/a@2"},
		{"match amoebas red=ca|", "red=caesar !caesar"},
		{"solve |", "amoeboid !antwars"},
		{"tournament |", "darwin !amoeboid antwars"},
		{"players |", "antwars multiplexer"},
		{"play antwars |", "hyper"},
		{"resume |", "runs/ !s.toml"},
		{"resume runs/|", "runs/a"},
		{"compare runs/a runs/|", "runs/a"},
		{"status runs/|", "runs/grid"},
		{"show |", "me.species run:"},
		{"show kept:a|", "kept:antwars/whole-run kept:amoebas/mixed-seed31 !kept:life/methuselahs"},
		{"export kept:|", "kept:antwars/whole-run"},
		{"match life kept:|", "kept:life/methuselahs !kept:antwars/whole-run"},
		{"show me.species --as |", "svg pdf"},
		{"plot runs/a --as png,|", "png,svg"},
		{"export me.species --to |", "python contest"},
		{"replay |", "g.record !s.toml"},
		{"why g.record --player 1=hy|", "1=hyper"},
		{"bench --game |", "antwars"},
		{"bench --game antwars --player |", "hyper me.species"},
		{"phylogeny runs/a/|", "runs/a/lineage.csv"},
		{"completion |", "bash zsh fish"},
	} {
		line, _ := strings.CutSuffix(c.line, "|")
		out, err := clade(append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
		for _, want := range strings.Fields(c.want) {
			word, not := strings.CutPrefix(want, "!")
			found := false
			for l := range strings.Lines(out) {
				text, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
				found = found || text == word
			}
			if found == not {
				t.Errorf("%s: %q is offered: %v\n%s", c.line, word, found, out)
			}
		}
	}
}

// TestOperandsAreKnown reads the usages of all commands: each operand has its completion, or is
// known to have none.
func TestOperandsAreKnown(t *testing.T) {
	root := newCommand(all.Games(), func(error) {})
	known := completer{}.known()
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		for _, word := range regexp.MustCompile(`\b[A-Z]+(\.toml)?\b`).FindAllString(c.Use, -1) {
			_, ok := known[word]
			_, flag, _ := strings.Cut(c.Use, "--")
			if !ok && word != "NAME" && !strings.Contains(flag, word) {
				t.Errorf("nothing completes the operand %s of clade %s", word, c.Use)
			}
		}
	}
}

// TestVersion reads both forms of it.
func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}, {"version", "--json"}} {
		proof.Holds(t, proof.Must(clade(args...))(t), thisBuild().Version, "commit", thisBuild().Go,
			thisBuild().Kernels)
	}
}
