package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clade/analysis/figure"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

// plantRun writes what a run's comparison reads: a manifest, a summary, and an empty log.
func plantRun(t *testing.T, dir string, wins []int, overrides ...string) {
	t.Helper()
	s := proof.Must(study.Parse(scope, "planted.toml", []byte(`game = "antwars"`), overrides...))(t)
	plantManifest(t, dir, s)
	sum := &runner.Summary{Fingerprint: strings.Repeat("0", 64)}
	plantJSON(t, dir, rundir.DoneFile, &rundir.Done{Fingerprint: sum.Fingerprint})
	for i, w := range wins {
		// ten ties
		sum.Final = append(sum.Final, runner.Measurement{Against: string(rune('a' + i)), Games: 100,
			Wins: w, Losses: 90 - w})
	}
	plantJSON(t, dir, runner.SummaryFile, sum)
	proof.OK(t, os.WriteFile(filepath.Join(dir, rundir.LogFile), nil, 0o666))
}

func plantManifest(tb testing.TB, dir string, s *study.Study) {
	tb.Helper()
	text := proof.Must(s.Text())(tb)
	g := proof.Must(s.NewGame())(tb)
	plantJSON(tb, dir, rundir.ManifestFile,
		&runner.Manifest{Study: string(text), Game: s.Game, Rules: g.Info().Version})
}

func plantJSON(tb testing.TB, dir, name string, v any) {
	tb.Helper()
	content, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), content, 0o666)
	}
	proof.OK(tb, err)
}

// TestFindAllRuns: the runs of a sweep are among those of the folder that holds it, and those of
// the stages of a run among its own.
func TestFindAllRuns(t *testing.T) {
	dir := t.TempDir()
	one, swept := filepath.Join(dir, "one"), filepath.Join(dir, "swept", "two")
	plantRun(t, one, []int{50}, "seed=1")
	plantRun(t, swept, []int{60}, "seed=2")
	proof.Are(t, proof.Must(FindRuns([]string{dir}))(t), []string{one}, "runs in the folder")
	stage := filepath.Join(swept, "stages", "1", "population-1")
	plantRun(t, stage, []int{60}, "seed=3")
	proof.Are(t, proof.Must(FindAllRuns([]string{dir, one, swept}))(t),
		[]string{one, swept, stage, one, swept, stage}, "runs in it and below")
}

// Folders that `clade run` names for one study: study-10 came before study-2 in tables and figures.
func TestFindRunsByNumber(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for _, name := range []string{"study", "study-2", "study-9", "study-10", "study-10a", "study-b"} {
		want = append(want, filepath.Join(dir, name))
		plantRun(t, filepath.Join(dir, name), []int{50})
	}
	proof.Are(t, proof.Must(FindRuns([]string{dir}))(t), want, "runs")
}

// Three runs that are all better than three others: U = 9, the exact p of Mann and Whitney's table
// for 3 and 3 is 0.1, A12 and Cliff's delta are 1.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	for i, seed := range []string{"seed=1", "seed=2", "seed=3"} {
		plantRun(t, filepath.Join(dir, "a"+seed), []int{70 + i, 60 + i}, seed, "evolve.tournament=2")
		plantRun(t, filepath.Join(dir, "b"+seed), []int{50 + i, 40 + i}, seed, "evolve.tournament=5")
	}
	dirs := proof.Must(FindRuns([]string{dir}))(t)
	proof.Is(t, len(dirs), 6, "the runs")
	groups := proof.Must(OpenGroups(scope, dirs, nil))(t)
	if len(groups) != 2 || len(groups[0].Runs) != 3 || groups[0].Name != "tournament 2" ||
		groups[1].Name != "tournament 5" {
		t.Fatalf("groups %+v", groups)
	}
	c := proof.Must(Compare(t.Context(), groups, CompareOptions{Seed: 1}))(t)
	p := c.pairs[0]
	if len(c.pairs) != 1 || p.MannWhitney.Statistic != 9 || !(math.Abs(p.MannWhitney.P-0.1) <= 1e-9) ||
		p.Holm != p.MannWhitney.P || p.A12 != 1 || p.Cliff != 1 ||
		!(math.Abs(p.Improvement.Low-0.43850296824495444) <= 1e-9) || p.Improvement.High != 1 {
		t.Errorf("%+v", p)
	}
	if c.runs[0][1] != (0.76+0.66)/2 || c.Friedman != nil || c.iqm[0].Estimate < 0.7 {
		t.Errorf("scores %v, Friedman of two groups %v, means %v", c.runs, c.Friedman, c.iqm)
	}
	if len(c.Scores().Rows) != 2 || len(c.Tests().Rows) != 1 || len(c.Figures()) != 1 {
		t.Error("tables or figures are missing")
	}

	plantRun(t, filepath.Join(dir, "c"), []int{1}, "name=other")
	groups = proof.Must(OpenGroups(scope, append(dirs, filepath.Join(dir, "c")), nil))(t)
	if groups[0].Name != "planted (tournament 2)" || groups[2].Name != "other" {
		t.Errorf("groups %+v", groups)
	}
	proof.Fails(Compare(t.Context(), groups, CompareOptions{Seed: 1}))(t, "measure them alike")
	proof.OK(t, os.Remove(filepath.Join(dir, "c", runner.SummaryFile)))
	c = proof.Must(Compare(t.Context(), groups, CompareOptions{Seed: 1}))(t)
	if len(c.Groups) != 2 || !strings.Contains(strings.Join(c.Notes(), " "), "1 not ended ("+dir) {
		t.Errorf("with a run that has not ended: %v", c)
	}
	proof.Fails(Compare(t.Context(), groups[2:], CompareOptions{}))(t, "has not ended")
}

// TestGameForOne carries a study of a game for one out to its figures, and reads its champion; such
// runs are not compared.
func TestGameForOne(t *testing.T) {
	proof.Alone(t)
	dir := filepath.Join(t.TempDir(), "run")
	s := proof.Must(study.Read(scope, "../santafe/koza.toml", "evolve.population=60",
		"evolve.generations=4", "evolve.probes.games=2", "evolve.probes.every=2"))(t)
	sum := proof.Must(runner.Start(t.Context(), dir, s, runner.Options{}))(t)
	if sum.Final != nil || len(sum.Figures) == 0 {
		t.Errorf("%+v", sum)
	}
	groups := proof.Must(OpenGroups(scope, []string{dir}, nil))(t)
	proof.Fails(Compare(t.Context(), groups, CompareOptions{}))(t, "santafe is for one player")
	proof.Must(player.ReadSpecies(groups[0].Runs[0].Game, *sum.ChampionPath()))(t)
}

// An ablation tests each group against the first only, by the opponents that count.
func TestControl(t *testing.T) {
	dir := t.TempDir()
	for i, k := range []string{"2", "3", "4"} {
		for n, seed := range []string{"seed=1", "seed=2", "seed=3"} {
			plantRun(t, filepath.Join(dir, k+seed), []int{10, 60 - 20*i + n}, seed,
				"evolve.tournament="+k, "evolve.boards="+k)
		}
	}
	groups := groupsIn(t, dir)
	c := proof.Must(Compare(t.Context(), groups, CompareOptions{Control: true,
		Against: []string{"b"}}))(t)
	if len(c.pairs) != 2 || c.pairs[1].A != 0 || c.pairs[1].B != 2 || c.pairs[1].A12 != 1 ||
		!(math.Abs(c.pairs[1].Holm-0.2) <= 1e-9) || len(c.Effects) != 0 {
		t.Errorf("pairs %+v, effects %v", c.pairs, c.Effects)
	}
	if len(c.Opponents) != 1 || c.runs[2][1] != 0.26 || c.Friedman != nil {
		t.Errorf("opponents %v, scores %v", c.Opponents, c.runs)
	}
	proof.Fails(Compare(t.Context(), groups, CompareOptions{Against: []string{"bb"}}))(t,
		`"bb", did you mean "b"?`)
}

func TestDifferences(t *testing.T) {
	dir := t.TempDir()
	plantRun(t, filepath.Join(dir, "a"), []int{1}, "seed=1", "evolve.variation.mutation=0.05")
	plantRun(t, filepath.Join(dir, "b"), []int{1}, "seed=2", "measure.final=8")
	groups := proof.Must(OpenGroups(scope, []string{filepath.Join(dir, "a"), filepath.Join(dir,
		"b")}, nil))(t)
	d := differences(groups)
	if len(d) != 1 || d[0].Key != "evolve.variation.mutation" ||
		d[0].Values[0] != "0.05" || d[0].Values[1] != "0.1" {
		t.Errorf("%+v", d)
	}
}

// TestStagedRuns: staged runs of one study are replicates, though the founders of their last stages
// differ, and differ by settings of their study. The runs are bred here. A list of founders, as
// populations of a stage have it, makes no label longer than a line. A report names the seeds and
// the games that the plan does, not those of the last stage.
func TestStagedRuns(t *testing.T) {
	proof.Long(t)
	const plan = `game = "antwars"
measure = { final = 2, against = [] }
evolve = { games = 24, population = 6, selection = "pairs", boards = 1, hall = 1 }
[[stage]]
populations = 2
race = 2
[[stage]]
founders = "population"
evolve = { boards = 2, variation = { crossover = 0.5 } }`
	var dirs []string
	for i, override := range []string{"seed=1", "seed=2", "evolve.parsimony=true"} {
		dirs = append(dirs, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		s := proof.Must(study.Parse(scope, "plan.toml", []byte(plan), override))(t)
		proof.Must(sweep.Stages(t.Context(), s, dirs[i], runner.Options{Workers: 1}))(t)
	}
	groups := proof.Must(OpenGroups(scope, dirs, nil))(t)
	if names := runner.Names(groups); fmt.Sprint(names) != "[parsimony false parsimony true]" ||
		len(groups[0].Runs) != 2 {
		t.Fatalf("%d groups: %v", len(groups), names)
	}
	proof.Fails(OpenGroups(scope, []string{dirs[0], dirs[0]}, nil))(t, "one study and one seed")
	text := proof.Must(DescribeMethods(groups, CompareOptions{}))(t).Text("text")
	proof.Holds(t, strings.Join(strings.Fields(text), " "), "seeds 1 to 2", "parsimony = true",
		`had 2 stages: "1" of 2 populations of 6 games, whose last champions raced, 2 games a pair; `+
			`"2" of 1 population of 12 games (evolve.boards = 2, evolve.variation.crossover = 0.5), `+
			"founded by the last populations of the stage before.")
	if strings.Contains(text, "founders-1") {
		t.Errorf("the methods list files of founders:\n%s", text)
	}
	spent := proof.Must(groups[0].Runs[0].Observations())(t)
	proof.Is(t, spent[len(spent)-1].Spent.Games, proof.Must(sweep.CostOf(dirs[0]))(t).Games,
		"the games of selection at the end, of all stages")
	s := groups[0].Runs[0].Study
	proof.Is(t, len(s.Evolve.Founders.Species), 6, "the founders of the last stage")
	var last []runner.Group
	for _, r := range groups[0].Runs {
		last = append(last, runner.Group{Runs: []*runner.Run{{Study: r.Study, Whole: r.Study}}})
	}
	d := differences(last)
	if len(d) != 1 || d[0].Key != "evolve.founders.species" || d[0].Values[0] == d[0].Values[1] ||
		len([]rune(d[0].Values[0])) != 52 {
		t.Errorf("%+v", d)
	}
	said := proof.Must(Diff(scope, dirs[0], dirs[2]))(t)
	if len(said) < 2 || said[0] != (Contrast{"setting", "evolve.parsimony", "false", "true"}) ||
		said[1].Part != "result" {
		t.Errorf("the settings of whole plans differ by %v", said)
	}
	proof.Fails(sweep.Open(scope, dirs[0]))(t, "a run with stages")
	page := string(proof.Must(proof.Must(Make(t.Context(), scope, dirs[:2], Options{Games: 2}))(t).
		HTML())(t))
	table := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")),
		" ")
	proof.Holds(t, table, "runs 2 games 24", dirs[0]+" 1 ", dirs[1]+" 2 ", ", seed 1.")
}

// TestTheSameRunTwice: a run repeats to the byte, so a second one with its seed is not a replicate
// and would only make intervals too narrow.
func TestTheSameRunTwice(t *testing.T) {
	dir := t.TempDir()
	a, again, other := filepath.Join(dir, "a"), filepath.Join(dir, "again"),
		filepath.Join(dir, "other")
	plantRun(t, a, []int{1})
	plantRun(t, again, []int{1}, "measure.games=8")
	plantRun(t, other, []int{1}, "evolve.tournament=4")
	for _, dirs := range [][]string{{a, a}, {a, other, again}} {
		proof.Fails(OpenGroups(scope, dirs, nil))(t, "one study and one seed", "leave one of them out")
	}
	proof.Is(t, len(proof.Must(OpenGroups(scope, []string{a, other}, nil))(t)), 2,
		"groups of one seed in two")
}

// TestGroupsOfOneName: from two sweeps with the same control, as papers on one question have them,
// and from one that measures its runs in two ways. Curves pool by name, so groups of one name were
// drawn as one of twice as many runs, each of them there twice, with a band far too narrow.
func TestGroupsOfOneName(t *testing.T) {
	dir := t.TempDir()
	plant := func(name, sweeps string) {
		text := "game = \"antwars\"\nname = \"" + name + "\"\n[sweep]\nseeds = [1, 2]\n" + sweeps
		s := proof.Must(study.Parse(scope, "s.toml", []byte(text)))(t)
		folder := filepath.Join(dir, name)
		for _, c := range proof.Must(s.Grid())(t).Cells {
			run := c.Directory(folder)
			plantRun(t, run, []int{50})
			plantManifest(t, run, c.Study)
		}
		proof.OK(t, os.WriteFile(filepath.Join(folder, sweep.StudyFile), []byte(text), 0o666))
	}
	const cell = "[[sweep.cells]]\nname = "
	plant("hall", cell+"\"plain\"\n"+cell+"\"hall\"\nevolve.hall = 10\n")
	plant("pairs", cell+"\"plain\"\n"+cell+"\"pairs\"\nevolve.selection = \"pairs\"\n")
	plant("final", "[sweep.settings]\nmeasure.final = [40, 400]\n")
	for _, c := range []struct {
		sweeps []string
		want   string
	}{
		{[]string{"hall", "pairs"}, "plain (hall-plain), hall, plain (pairs-plain), pairs"},
		{[]string{"final"}, "final (final-final-40), final (final-final-400)"},
	} {
		var paths []string
		for _, s := range c.sweeps {
			paths = append(paths, filepath.Join(dir, s))
		}
		groups := proof.Must(OpenGroups(scope, proof.Must(FindRuns(paths))(t), nil))(t)
		proof.Is(t, strings.Join(runner.Names(groups), ", "), c.want, "groups")
	}
	plan := &study.Study{Name: "plan"}
	alone := []runner.Group{{Name: "plan", Runs: []*runner.Run{{Study: plan, Whole: plan}}}}
	proof.Is(t, fmt.Sprint(distinctNames(append(alone, alone...))), "[plan (1) plan (2)]",
		"groups that nothing tells apart")
}

// TestMethodsOfUnlikeGroups: from a sweep over evolve.champion.games, and a game for three, in
// which a champion plays 1,998 games where measure.final is 2,000. The paragraph told of the first
// run's settings as if they were everybody's, and of games that were not played.
func TestMethodsOfUnlikeGroups(t *testing.T) {
	dir := t.TempDir()
	for name, games := range map[string]int{"a": 32, "b": 512, "c": 512} {
		plantRun(t, filepath.Join(dir, name), []int{50}, fmt.Sprint("evolve.champion.games=", games),
			"name="+name)
	}
	groups := proof.Must(OpenGroups(scope, proof.Must(FindRuns([]string{dir}))(t), nil))(t)
	text := proof.Must(DescribeMethods(groups, CompareOptions{}))(t).Text("text")
	proof.Holds(t, strings.Join(strings.Fields(text), " "),
		`the last two had played 32 games each (of "a"). A champion`,
		`the last two had played 512 games each (of "b", "c"). The last champion`,
		"in 100 games against each of a,")
	sum := proof.Must(runner.ReadSummary(filepath.Join(dir, "c")))(t)
	sum.Final[0].Games = 300
	plantJSON(t, filepath.Join(dir, "c"), runner.SummaryFile, sum)
	text = proof.Must(DescribeMethods(groups, CompareOptions{}))(t).Text("text")
	proof.Holds(t, text, "in 100 to 300 games against")
}

// TestFiguresOfAlikeNames: opponents whose names differ only in what no file may be called have a
// figure each.
func TestFiguresOfAlikeNames(t *testing.T) {
	dir := t.TempDir()
	var against []string
	for _, name := range []string{"a.b.species", "a-b.species"} {
		path := filepath.Join(dir, name)
		proof.OK(t, os.WriteFile(path,
			[]byte("(species antwars 1 (slot straight foodHope) (slot diagonal foodHope))"),
			0o666))
		against = append(against, path)
	}
	run := filepath.Join(dir, "run")
	plantRun(t, run, []int{1}, fmt.Sprintf("measure.against=[%q, %q]", against[0], against[1]))
	groups := proof.Must(OpenGroups(scope, []string{run}, nil))(t)
	figures := proof.Must(runner.Curves(groups, figure.Look{}))(t)
	if len(figures) < 2 || figures[0].Name == figures[1].Name || !strings.HasSuffix(figures[1].Name,
		"-2") {
		t.Errorf("both figures are called %s", figures[0].Name)
	}
}
