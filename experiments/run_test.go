package experiments_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/evolve"
	"clade/experiments"
)

const small = `
question = "Does it run?"
game = "antwars"
[measure]
against = ["random", "greedy"]
games = 20
every = 3
final = 20
[evolve]
population = 24
generations = 8
tournament = 3
boards = 2
checkpoint = 2
[evolve.champion]
candidates = 8
games = 16
`

func smallStudy(t *testing.T, overrides ...string) *experiments.Study {
	t.Helper()
	s, err := experiments.ParseStudy("small.toml", []byte(small), overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The fingerprint of the small study under the present rules of Ant Wars. A change of speed must
// leave it as it is; what changes it changes every published run, and must mean to.
const smallFingerprint = "75870b3cc3f5255bbad958609a4db1eca2445a7e38b538927035b23b9ec61a79"

// TestRunLeavesEverything carries a study out and looks for all that a run promises; then again
// with other workers, then stopped and resumed: the fingerprint stays.
func TestRunLeavesEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	sum, err := experiments.Start(context.Background(), dir, smallStudy(t),
		experiments.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"manifest.json", "generations.jsonl", "lineage.csv", "done.json", "summary.json",
		"champion.species", "champions/0000007.species",
		"figures/dynamics-greedy.pdf", "figures/dynamics-random.csv", "figures/growth.svg",
		"figures/diversity.png",
	} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if sum.Fingerprint != smallFingerprint {
		t.Errorf("the fingerprint is %s", sum.Fingerprint)
	}
	if sum.Generations != 8 || len(sum.Final) == 0 || sum.Final[0].Against != "random" ||
		sum.Final[0].Games != 20 {
		t.Errorf("summary %+v", sum)
	}
	r, err := experiments.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	measured, err := r.Measurements()
	if err != nil || len(measured) != 2*4 { // generations 0, 3, 6 and the last, against two
		t.Errorf("%d measurements, %v", len(measured), err)
	}

	other := filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(context.Background())
	o := experiments.Options{Workers: 3, Report: func(r evolve.Report) {
		if r.Line.Generation == 4 {
			stop()
		}
	}}
	if _, err := experiments.Start(ctx, other, smallStudy(t), o); !errors.Is(err,
		evolve.ErrStopped) {
		t.Fatalf("a stopped run says %v", err)
	}
	again, err := experiments.Resume(context.Background(), other, experiments.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if again.Fingerprint != sum.Fingerprint {
		t.Errorf("stopped and resumed: fingerprint %s, want %s", again.Fingerprint, sum.Fingerprint)
	}
	same(t, dir, other, "generations.jsonl", "measures.jsonl", "lineage.csv", "champion.species",
		"figures/growth.csv", "figures/growth.svg")
}

func same(t *testing.T, a, b string, names ...string) {
	t.Helper()
	for _, name := range names {
		x, err1 := os.ReadFile(filepath.Join(a, name))
		y, err2 := os.ReadFile(filepath.Join(b, name))
		if err1 != nil || err2 != nil || string(x) != string(y) {
			t.Errorf("%s differs between the runs (%v, %v)", name, err1, err2)
		}
	}
}

// TestResumeMendsWhatIsBehindTheRun cuts a measurement in half and deletes figures: resuming makes
// them again.
func TestResumeMendsWhatIsBehindTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := experiments.Start(context.Background(), dir, smallStudy(t, "evolve.generations=4"),
		experiments.Options{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "measures.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-30], 0o666); err != nil {
		t.Fatal(err)
	}
	// Who only looks on changes nothing: what seems torn to him may be a line that a run is writing
	// just now.
	r, err := experiments.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if seen, err := r.Measurements(); err != nil || len(seen) != strings.Count(string(whole),
		"\n")-1 {
		t.Errorf("%d measurements of a file with a torn line, %v", len(seen), err)
	}
	if torn, err := os.ReadFile(path); err != nil || string(torn) != string(whole[:len(whole)-30]) {
		t.Errorf("reading the measurements has changed them to\n%s", torn)
	}
	if err := os.RemoveAll(filepath.Join(dir, "figures")); err != nil {
		t.Fatal(err)
	}
	if _, err := experiments.Resume(context.Background(), dir, experiments.Options{}); err != nil {
		t.Fatal(err)
	}
	if mended, err := os.ReadFile(path); err != nil || string(mended) != string(whole) {
		t.Errorf("the measurements are\n%s\nwant\n%s", mended, whole)
	}
	if _, err := os.Stat(filepath.Join(dir, "figures", "growth.png")); err != nil {
		t.Error(err)
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := experiments.Resume(context.Background(), dir, experiments.Options{}); err == nil ||
		!strings.Contains(err.Error(), "is no run directory") {
		t.Errorf("resuming nothing: %v", err)
	}
	run := filepath.Join(dir, "run")
	if _, err := experiments.Start(context.Background(), run,
		smallStudy(t, "evolve.generations=1", "measure.final=0", "measure.against=[]"),
		experiments.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := experiments.Start(context.Background(), run, smallStudy(t),
		experiments.Options{}); err == nil ||
		!strings.Contains(err.Error(), "already holds a run; go on with `clade resume") {
		t.Errorf("starting over a run: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := experiments.Start(context.Background(), filepath.Join(file, "run"), smallStudy(t),
		experiments.Options{}); err == nil ||
		!strings.Contains(err.Error(), "cannot make the run's directory") {
		t.Errorf("a run below a file: %v", err)
	}
	manifest := filepath.Join(run, "manifest.json")
	if err := os.WriteFile(manifest, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := experiments.Open(run); err == nil ||
		!strings.Contains(err.Error(), "manifest.json is damaged") {
		t.Errorf("a damaged manifest: %v", err)
	}
}

func TestFindPlayer(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	if _, err := experiments.Start(context.Background(), run,
		smallStudy(t, "evolve.generations=3", "measure.final=0", "measure.against=[]"),
		experiments.Options{}); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	g, err := experiments.NewGame("antwars")
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
		if _, err := experiments.FindPlayer(g, name); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]string{
		"hypr":              `did you mean "hyper"?`,
		"hyper(":            "the bracket is not closed",
		"hyper(3)":          "takes no arguments",
		"run:" + dir:        "is no run directory",
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
			"(species antwars 1\n (slot straight (add foodHope (isFood (rect 0 0 1 1)))))"): `typed.species: line 2, column 32: "isFood" is of type Bool, and Float is needed here`,
		write("unknown.species",
			"(species antwars 1\n (slot straight (add foodhope points)))"): `unknown name "foodhope", did you mean "foodHope"?`,
		write("open.species",
			"(species antwars 1 (slot straight (add foodHope points)) (slot diagonal (add points "+
				"(constint 1))"): `")" is needed here, not the end of the text`,
	} {
		if _, err := experiments.FindPlayer(g, name); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
	}
}

// TestIntrons knows of one subtree that cannot matter, one that matters when an enemy is near, and
// one that always does.
func TestIntrons(t *testing.T) {
	g, err := experiments.NewGame("antwars")
	if err != nil {
		t.Fatal(err)
	}
	ge, err := g.Grammar().Parse("(if (isSmaller (constint 1) (constint 0)) (mul points points) " +
		"(add foodHope (noFood (rect 0 -2 3 3)))) foodHope")
	if err != nil {
		t.Fatal(err)
	}
	introns, decisions, err := experiments.Introns(t.Context(), g, ge, 500, engine.Seed(1))
	if err != nil || decisions < 500 {
		t.Fatal(decisions, err)
	}
	names := map[int]string{}
	for i, n := range ge[0] {
		names[i] = g.Grammar().Operators[n.Op].Name
	}
	for i, dead := range introns[0] {
		want := names[i] == "mul" || names[i] == "points" // the branch that is never taken
		if i < 4 {
			continue // of the condition, some substitutes leave it false
		}
		if dead != want {
			t.Errorf("node %d, %s: dead is %v", i, names[i], dead)
		}
	}
}
