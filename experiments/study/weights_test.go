package study_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/study"
	"clade/gp/proof"
)

// A sweep over ablations has a cell for each, and a study comes back from its text with its
// weights.
func TestWeights(t *testing.T) {
	s := proof.Must(study.Parse(scope, "s.toml", []byte(`
game = "antwars"
[evolve]
islands = 4
[evolve.weights]
if = 3
[sweep.settings]
evolve.weights.isEqual = [0, 1]
evolve.weights.isSmaller = [0, 2]
`), "evolve.weights.or=0"))(t)
	again := proof.Must(study.Parse(scope, "again.toml", []byte(text(t, s))))(t)
	proof.Is(t, text(t, again), text(t, s), "the text, parsed")
	grid := proof.Must(s.Grid())(t)
	var groups []string
	for _, c := range grid.Cells {
		groups = append(groups, c.Group)
		w := c.Study.Evolve.Weights
		if len(w) != 4 || w["if"] != 3 || w["or"] != 0 || int64(w["isEqual"]) != c.Values[0] {
			t.Errorf("cell %s has weights %v", c.Group, w)
		}
		proof.Is(t, c.Study.Values()["evolve.weights.if"], "3", "the weight of if among the values")
	}
	proof.Is(t, strings.Join(groups, ", "), "isEqual 0, isSmaller 0, isEqual 0, isSmaller 2, "+
		"isEqual 1, isSmaller 0, isEqual 1, isSmaller 2", "the weights of the groups")
	proof.Is(t, len(s.Evolve.Weights), 2, "weights of the study")
}

func TestWeightsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[evolve.weights]\nisequal = 1": `s.toml:3:1: evolve.weights: unknown primitive "isequal", ` +
			`did you mean "isEqual"?`,
		"[evolve.weights]\nif = 101":  `s.toml:3:1: evolve.weights: if must be in 0..100, not 101`,
		"[evolve.weights]\nif = true": `evolve.weights.if: a whole number is needed here`,
		"[evolve.weights]\nrect = 0":  "of which no finite tree exists",
	} {
		proof.Fails(study.Parse(scope, "s.toml", []byte("game = \"antwars\"\n"+text)))(t, want)
	}
}

// What a run could not begin or end with is refused with its line, in a study file and in every
// cell of its sweep. Texts that a run keeps are read as they are.
func TestRunsThatCouldNotBegin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.toml")
	const head = "game = \"antwars\"\nmeasure.against = [\"greedy\"]\n"
	for text, want := range map[string]string{
		"measure.every = 10\nevolve.champion.every = 4": `s.toml:3:1: measure.every must be a ` +
			`multiple of evolve.champion.every, 4, so that there is a champion to measure; the ` +
			`nearest to 10 are 8 and 12`,
		"evolve.champion.every = 25":                          "the nearest to 10 are 25",
		"sweep.settings.evolve.champion.every = [1, 3]":       "every=3: measure.every must be",
		"measure.every = 12\nevolve.champion.every = 4":       "",
		"evolve.champion.every = 4\nmeasure.against = []":     "",
		"evolve.generations = 7\nevolve.champion.every = 5":   "",
		"evolve.champion.every = 0\nevolve.generations = 100": "champion.every must be in",
		"measure.against = [\"smart\", \"hyper\", \"smart\"]": `s.toml:2:1: ` +
			`measure.against names "smart" twice`,
		"evolve.founders.max-depth = 15\nevolve.variation.max-depth = 15": `s.toml:3:1: ` +
			`evolve.founders.max-depth is 15, and a tree of antwars`,
		"measure.settings = [{moves = 9}, {moves = 9}]": `s.toml:3:1: ` +
			`measure.settings has nothing new in its table "moves=9"`,
		"measure.settings = [{}]\nsettings.moves.draw = [8, 9]": `nothing new in its table ""`,
		"measure.settings = [{moves = 9}]\nsettings.moves.draw = [8, 9]": `nothing new in ` +
			`its table "moves=9"`,
		"evolve.champion.against = \"panel\"": `s.toml:3:1: ` +
			`evolve.champion.against is "panel", and the reference panel is empty`,
		"game = \"chase\"": `s.toml: evolve.seats must be at least 3, which chase has, not 2`,
		"game = \"santafe\"\nevolve.selection = \"pairs\"": `s.toml:2:1: ` +
			`evolve.selection must be "fitness" in santafe, which is for one player`,
		"sweep.settings.evolve.variation.grow-depth = [5, 15]": "grow-depth is 15, and a tree of",
	} {
		if strings.Contains("\n"+text, "\nmeasure.against") {
			text = `game = "antwars"` + "\n" + text
		} else if !strings.HasPrefix(text, "game") {
			text = head + text
		}
		proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := study.Read(scope, path)
		if want == "" && err != nil || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if _, err := study.Parse(scope, "kept.toml", []byte(text)); err != nil &&
			!strings.Contains(err.Error(), "must be in") && !strings.Contains(text, "sweep") {
			t.Errorf("%q is not read where it is kept: %v", text, err)
		}
	}
}
