package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// TestDiffAndNote breeds runs as a user does and asks in what they differ: what differs is what the
// command lines say. A note is kept beside a run, shown, and taken away, and verify finds the run
// whole. --then is told of the directory.
func TestDiffAndNote(t *testing.T) {
	proof.Long(t)
	t.Parallel()
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	proof.OK(t, os.WriteFile(study, []byte("game = \"antwars\"\n[evolve]\npopulation = 12\n"+
		"generations = 3\n[measure]\nfinal = 2\n"+oneFigure), 0o666))
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	mark := filepath.Join(dir, "mark")
	must(t, "run", study, "--out", a, "--then", "echo $CLADE_DIR >"+mark)
	must(t, "run", study, "--out", b, "--seed", "5", "--set", "evolve.generations=4")
	proof.Is(t, strings.TrimSpace(string(proof.Must(os.ReadFile(mark))(t))), a, "what --then wrote")
	proof.Fails(clade("run", study, "--out", filepath.Join(dir, "c"), "--then", "exit 3"))(t, "--then")
	var all []report.Contrast
	proof.OK(t, json.Unmarshal([]byte(must(t, "diff", a, b, "--json")), &all))
	for _, want := range []report.Contrast{{Part: "setting", Name: "seed", A: "1", B: "5"},
		{Part: "setting", Name: "evolve.generations", A: "3", B: "4"},
		{Part: "result", Name: "generations", A: "3", B: "4"},
		{Part: "result", Name: "same generations", A: "the first 0", B: "the first 0"}} {
		if !slices.Contains(all, want) {
			t.Errorf("%+v is missing in %+v", want, all)
		}
	}
	for _, d := range all {
		if d.Part == "version" || d.Part == "setting" && d.Name != "seed" &&
			d.Name != "evolve.generations" {
			t.Errorf("%+v differs", d)
		}
	}
	if text := must(t, "diff", a, a); !strings.Contains(text, "say the same") {
		t.Error(text)
	}
	proof.Is(t, must(t, "diff", a, study, "--json"), "[]\n", "a run and its study")

	swept := filepath.Join(dir, "swept.toml")
	proof.OK(t, os.WriteFile(swept, []byte("game = \"antwars\"\n[[sweep.cells]]\nevolve.hall = 3\n"),
		0o666))
	if text := must(t, "diff", a, swept); !strings.Contains(text, `[{"evolve":{"hall":3}}]`) {
		t.Errorf("the cells of a sweep are not told:\n%s", text)
	}

	must(t, "note", a, "boards too small?")
	for _, line := range [][]string{{"note", a}, {"status", a}, {"report", a, "--games", "2",
		"--out", filepath.Join(dir, "report")}} {
		text := must(t, line...)
		if line[0] == "report" {
			page := proof.Must(os.ReadFile(filepath.Join(dir, "report", "report.html")))(t)
			text = string(page)
		}
		proof.Holds(t, text, "boards too small?")
	}
	if text := must(t, "status", a); !strings.Contains(text, "race games  cpu time") {
		t.Errorf("the processor time of a run is missing in\n%s", text)
	}
	must(t, "verify", a)
	must(t, "note", a, "")
	proof.Is(t, must(t, "note", a), "", "the note that is taken away")
}

// TestFork breeds on from a checkpoint of a run that was bred as a user breeds it: the first
// generation holds the genomes that the checkpoint holds, and the same fork repeats.
func TestFork(t *testing.T) {
	proof.Long(t)
	t.Parallel()
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	proof.OK(t, os.WriteFile(study, []byte("game = \"antwars\"\n[evolve]\npopulation = 12\n"+
		"generations = 4\nislands = 2\n[measure]\nfinal = 2\n"+oneFigure), 0o666))
	a := filepath.Join(dir, "a")
	must(t, "run", study, "--out", a)
	var prints []string
	for _, name := range []string{"b", "c"} {
		fork := filepath.Join(dir, name)
		must(t, "fork", a, "--set", "evolve.generations=1", "--seed", "9", "--out", fork)
		must(t, "verify", fork)
		prints = append(prints, proof.Must(runner.ReadSummary(fork))(t).Fingerprint)
		var nodes [2][]int
		for i, run := range []string{a, fork} {
			line := []string{"population", run, "--json"}
			if i == 1 {
				line = append(line, "--generation", "0")
			}
			var listed struct{ Members []member }
			proof.OK(t, json.Unmarshal([]byte(must(t, line...)), &listed))
			for _, m := range listed.Members {
				nodes[i] = append(nodes[i], m.Nodes)
			}
		}
		proof.Are(t, nodes[1], nodes[0], "nodes of the individuals with which the fork begins")
	}
	proof.Is(t, prints[1], prints[0], "the second of two forks alike")
	// founders are told as the one population that they are, of two islands of twelve, with the
	// generation of the newest checkpoint
	fork, population := filepath.Join(dir, "b"), "population:"+a+"@4"
	for _, line := range [][]string{{"compare", a, fork, "--form", "csv"},
		{"methods", fork, "--form", "latex"}, {"diff", a, fork, "--form", "csv"}} {
		text := strings.NewReplacer("\\allowbreak{}", "", `\_`, "_").Replace(must(t, line...))
		if !strings.Contains(text, population+" (24)") || strings.Contains(text, population+"/") {
			t.Errorf("%v: no %q in %.600s", line, population, text)
		}
	}
	c, _, said := start(t, dir, "fork a@3 --out d")
	const no = "clade: evolve.founders.species: \"population:a@3\": a has no checkpoint of " +
		"generation 3; it has [0 4]\n"
	if err := c.Wait(); err == nil || said.String() != no {
		t.Errorf("%v: %s", err, said)
	}
}

// must carries a command line out and returns what it prints.
func must(t *testing.T, line ...string) string {
	t.Helper()
	text, err := clade(line...)
	if err != nil {
		t.Fatalf("%s: %v\n%.4000s", strings.Join(line, " "), err, text)
	}
	return text
}
