package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// stageFolder lies in a staged run's directory and holds a folder for each stage but the last, with
// a run for each of the stage's populations and raceFile. The last stage's run is the directory
// itself, beside StudyFile.
const stageFolder = "stages"

// raceFile ranks the runs of a stage, the best first.
const raceFile = "race.json"

// raced is a run in a stage's race.
type raced struct {
	Run    string  `json:"run"`    // its folder
	Points float64 `json:"points"` // a mean share of the points against each of the others
}

// byPoints puts the better run first.
func byPoints(a, b raced) int { return cmp.Compare(b.Points, a.Points) }

// IsStaged reports whether a directory is that of a staged run, over or not.
func IsStaged(dir string) bool {
	info, err := packed.Stat(filepath.Join(dir, stageFolder))
	return err == nil && info.IsDir()
}

// StagedOf returns the directory of the staged run of which a run is a population, or else the
// run's own.
func StagedOf(run string) string {
	stages := filepath.Dir(filepath.Dir(filepath.Clean(run)))
	if filepath.Base(stages) == stageFolder {
		return filepath.Dir(stages)
	}
	return run
}

// OpenStaged reads the study of a staged run's directory again.
func OpenStaged(scope player.Scope, dir string) (*study.Study, error) {
	path := filepath.Join(dir, StudyFile)
	if _, err := packed.Stat(path); err != nil {
		return nil, fmt.Errorf("%w; it says what the run's stages are: put it back from a copy",
			err)
	}
	s, err := study.Read(scope, path)
	if err == nil && len(s.Stages) == 0 {
		err = fmt.Errorf("%s has no [[stage]] any more; it is not the study of the run", path)
	}
	return s, err
}

// StudyOf returns the study that a run carries out: of a staged run's directory the one with the
// stages, whose last stage alone is the run's own study.
func StudyOf(r *runner.Run) (*study.Study, error) {
	if IsStaged(r.Dir) {
		return OpenStaged(r.Study.Scope(), r.Dir)
	}
	return r.Study, nil
}

// AddStages adds the stages before, and their games, to a run that is the last stage of a staged one.
func AddStages(r *runner.Run) (err error) {
	if r.Whole, err = StudyOf(r); err != nil {
		return err
	}
	r.Before = 0
	return eachBefore(r.Dir, func(dir string) error {
		done, err := rundir.ReadDone(dir)
		if done != nil {
			r.Before += done.Games
		}
		return err
	})
}

// CostOf adds up what a run has cost, a staged one in all its stages.
func CostOf(dir string) (runner.Cost, error) {
	sum, err := CostBefore(dir)
	if err == nil && rundir.IsRun(dir) {
		var own runner.Cost
		own, err = (&runner.Run{Dir: dir}).Cost()
		sum.Add(own)
	}
	return sum, err
}

// CostBefore adds up the cost of all stages of a staged run but the last; 0 for other runs.
func CostBefore(dir string) (sum runner.Cost, err error) {
	err = eachBefore(dir, func(dir string) error {
		cost, err := (&runner.Run{Dir: dir}).Cost()
		sum.Add(cost)
		return err
	})
	return sum, err
}

// eachBefore calls use with the runs of all stages of a staged run but the last.
func eachBefore(dir string, use func(dir string) error) error {
	if !IsStaged(dir) {
		return nil
	}
	stages := filepath.Join(dir, stageFolder)
	entries, err := packed.ReadDir(stages)
	if err != nil {
		return err
	}
	for _, stage := range entries {
		if !stage.IsDir() {
			continue // the lock
		}
		populations, err := packed.Glob(stages, stage.Name(), "population-*")
		if err != nil {
			return err
		}
		for _, name := range populations {
			run := filepath.Join(stages, name)
			if !rundir.IsRun(run) {
				continue
			}
			if err := use(run); err != nil {
				return err
			}
		}
	}
	return nil
}

// Stages carries a study's stages out in a directory, from wherever an earlier attempt left them,
// and returns the summary of the last. Progress and the like are called in the last stage alone;
// ReadStages tells how far all of them are.
func Stages(ctx context.Context, s *study.Study, dir string, o runner.Options) (*runner.Summary,
	error) {
	if err := packed.Writable(dir); err != nil {
		return nil, err
	}
	if err := createStaged(s, dir); err != nil {
		return nil, err
	}
	lock, err := durable.Lock(filepath.Join(dir, stageFolder, ".lock"))
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("another process is at work in %s: %w", dir, err)
	} else if err == nil { // a folder that cannot be written may still hold a run that is done
		defer lock.Close()
	}
	plan, err := s.Plan()
	if err != nil {
		return nil, err
	}
	if s, err = nameable(s, plan); err != nil {
		return nil, err
	}
	var best []string // runs of the stage before, the best first
	for i := range plan {
		folder, last := filepath.Join(dir, stageFolder, fmt.Sprint(i+1)), i == len(plan)-1
		cells, err := stageCells(s, plan, i, folder, best)
		if err != nil {
			return nil, err
		}
		if last {
			c := &cells[0]
			if c.Key = ""; rundir.IsRun(dir) {
				if err := descends(c, dir); err != nil {
					return nil, err
				}
			}
			if sum, err := done(c, dir); sum != nil || err != nil {
				return sum, err
			}
			return runner.Complete(ctx, dir, c.Study, o)
		}
		for k := range cells {
			if err := descends(&cells[k], folder); err != nil {
				return nil, err
			}
		}
		err = Run(ctx, &study.Grid{Name: s.Name, Cells: cells}, folder, Options{Workers: o.Workers,
			Command: o.Command, Warn: func(c study.Cell, what string) {
				if o.Warn != nil {
					o.Warn(c.Key + ": " + what)
				}
			}})
		if err != nil {
			return nil, err
		}
		if best, err = race(ctx, s, &plan[i], i, folder, cells, o); err != nil {
			return nil, err
		}
	}
	panic("sweep: a study without stages")
}

// nameable returns the study so that stages may name founders, which are files of this run. It is an
// error if the study itself names some and may not: whatever else it names was looked up when it
// was read.
func nameable(s *study.Study, plan []study.Stage) (*study.Study, error) {
	for i := range plan {
		c, err := s.StageStudy(plan, i, 0, nil)
		if err != nil {
			return nil, err
		}
		for _, name := range c.Evolve.Founders.Species {
			if err := s.Scope().Allow(name, player.Files); err != nil {
				return nil, err
			}
		}
	}
	return s.Trusting(player.Files), nil
}

// createStaged writes the study into the directory, which must be free or hold the same study.
func createStaged(s *study.Study, dir string) error {
	text, err := s.Text()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, StudyFile)
	had, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(had, text):
		return os.MkdirAll(filepath.Join(dir, stageFolder), 0o777)
	case err == nil:
		return fmt.Errorf("%s is of another study; choose another directory", path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := runner.CheckEmpty(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, stageFolder), 0o777); err != nil {
		return fmt.Errorf("cannot make the run's directory: %w", err)
	}
	return durable.WriteFile(path, text, 0o666)
}

// stageCells returns the runs of a stage, whose founders come from the best runs of the stage
// before.
func stageCells(s *study.Study, plan []study.Stage, stage int, folder string,
	best []string) ([]study.Cell, error) {
	st := &plan[stage]
	if st.Best > 0 {
		best = best[:st.Best]
	}
	var cells []study.Cell
	for p := range st.Populations {
		founders, err := stageFounders(s.Scope(), st, p, folder, best)
		if err != nil {
			return nil, err
		}
		c, err := s.StageStudy(plan, stage, p, founders)
		if err != nil {
			return nil, err
		}
		if c.Evolve.Founders.Species, err = room(c); err != nil {
			return nil, err
		}
		cells = append(cells, study.Cell{Study: c, Key: fmt.Sprintf("population-%d", p+1),
			Group: st.Name})
	}
	return cells, nil
}

// stageFounders names the founders of a population.
func stageFounders(scope player.Scope, st *study.Stage, population int, folder string,
	best []string) (names []string, err error) {
	switch st.Founders {
	case study.Champions:
		for _, run := range best {
			names = append(names, "run:"+run)
		}
	case study.Every:
		for _, run := range best {
			names = append(names, "run:"+run+"@all")
		}
	case study.Own:
		for i := population; i < len(best); i += st.Populations {
			names = append(names, "run:"+best[i]+"@all")
		}
	case study.Population:
		for i := population; i < len(best); i += st.Populations {
			some, err := lastPopulation(scope, best[i],
				filepath.Join(folder, fmt.Sprintf("founders-%d", i+1)))
			if err != nil {
				return nil, err
			}
			names = append(names, some...)
		}
	}
	return names, nil
}

// lastPopulation writes the last population of a run as species files, equal genomes once, and
// returns their names.
func lastPopulation(scope player.Scope, run, folder string) ([]string, error) {
	r, err := runner.Open(scope, run)
	if err != nil {
		return nil, err
	}
	setup, err := r.Setup()
	if err != nil {
		return nil, err
	}
	members, at, err := setup.Members(run, -1)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	for i := range members {
		genome := r.Game.Grammar().Print(members[i].Genome)
		if seen[genome] {
			continue
		}
		seen[genome] = true
		path := filepath.Join(folder, fmt.Sprintf("%d.species", members[i].ID))
		text := setup.Species(&members[i], at)
		if had, err := os.ReadFile(path); err != nil || !bytes.Equal(had, text) {
			if err := os.WriteFile(path, text, 0o666); err != nil {
				return nil, err
			}
		}
		names = append(names, path)
	}
	return names, nil
}

// room returns the founders of a study, one name for each. Of more than half the population it
// keeps so many, evenly from first to last.
func room(s *study.Study) ([]string, error) {
	names, err := runner.FounderNames(s)
	if err != nil {
		return nil, err
	}
	most := max(1, s.Evolve.Population*s.Evolve.Islands)
	if s.Evolve.Founders.Mutants > 0 {
		most = max(1, most/2)
	}
	if len(names) <= most {
		return names, nil
	}
	some := make([]string, most)
	for i := range some {
		some[i] = names[(i+1)*len(names)/most-1]
	}
	return some, nil
}

// race ranks the runs of a stage: their last champions play in pairs, on boards of their own.
func race(ctx context.Context, s *study.Study, st *study.Stage, stage int, folder string,
	cells []study.Cell, o runner.Options) (runs []string, err error) {
	path := filepath.Join(folder, raceFile)
	var ranks []raced
	content, err := packed.ReadFile(path)
	switch {
	case err == nil:
		if err := json.Unmarshal(content, &ranks); err != nil || !ranksAll(ranks, cells) {
			return nil, fmt.Errorf("%s is damaged; remove it, and the same command races anew", path)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		if ranks, err = meet(ctx, s, st, stage, folder, cells, o); err != nil {
			return nil, err
		}
		if err := durable.WriteJSON(path, ranks, 0o666); err != nil {
			return nil, err
		}
	}
	for _, r := range ranks {
		runs = append(runs, filepath.Join(folder, r.Run))
	}
	return runs, nil
}

// ranksAll reports whether a race ranks each of the runs once, and nothing else, by points.
func ranksAll(ranks []raced, cells []study.Cell) bool {
	ranked := map[string]bool{}
	for _, r := range ranks {
		ranked[r.Run] = true
	}
	return len(ranks) == len(cells) && slices.IsSortedFunc(ranks, byPoints) &&
		!slices.ContainsFunc(cells, func(c study.Cell) bool { return !ranked[c.Key] })
}

func meet(ctx context.Context, s *study.Study, st *study.Stage, stage int, folder string,
	cells []study.Cell, o runner.Options) ([]raced, error) {
	g, err := cells[0].Study.NewGame()
	if err != nil {
		return nil, err
	}
	r := &runner.Run{Study: cells[0].Study, Game: g}
	ranks, champions := make([]raced, len(cells)), make([]engine.Player, len(cells))
	for i := range cells {
		ranks[i].Run = cells[i].Key
		path := filepath.Join(cells[i].Directory(folder), runner.ChampionFile)
		if champions[i], err = player.Load(g, path); err != nil {
			return nil, err
		}
	}
	for i := range cells {
		for j := range cells {
			if i == j || i > j && g.Info().MinSeats == 2 {
				continue
			}
			seed := engine.Seed(s.Seed).Name("stage race").Num(uint64(stage)).Num(uint64(i)).Num(uint64(j))
			m, err := r.MeasureAgainst(ctx, champions[i], champions[j], "", st.Race, seed, o)
			if err != nil {
				return nil, err
			}
			ranks[i].Points += m.Points() / float64(len(cells)-1)
			if g.Info().MinSeats == 2 {
				ranks[j].Points += (1 - m.Points()) / float64(len(cells)-1)
			}
		}
	}
	slices.SortStableFunc(ranks, byPoints)
	return ranks, nil
}

// stageProgress is the progress of a staged run.
type stageProgress struct {
	Stage, Stages int
	Name          string
	Games         int64   // of selection, in all stages
	Budget        int64   // 0 where generations end the runs
	Share         float64 // of all generations or games that is done, by the stages' paces
}

// stageRun returns the directory of a population of a stage.
func stageRun(dir string, plan []study.Stage, stage, population int) string {
	if stage == len(plan)-1 {
		return dir
	}
	return filepath.Join(dir, stageFolder, fmt.Sprint(stage+1), fmt.Sprintf("population-%d",
		population+1))
}

// ReadStages reads the progress of a staged run.
func ReadStages(s *study.Study, dir string) (stageProgress, error) {
	plan, err := s.Plan()
	if err != nil {
		return stageProgress{}, err
	}
	p := stageProgress{Stages: len(plan), Budget: s.Evolve.Games}
	work, did := 0.0, 0.0
	for i := range plan {
		st := &plan[i]
		weight := st.Share / st.Pace
		work += weight
		share := 0.0
		for k := range st.Populations {
			run := stageRun(dir, plan, i, k)
			c, err := s.StageStudy(plan, i, k, nil)
			if err != nil {
				return p, err
			}
			var spent evolve.Spent
			spent.Generations, spent.Games, spent.Seconds = rundir.Spent(run)
			share += c.Evolve.Share(spent)
			p.Games += spent.Games
			if spent.Generations > 0 {
				p.Stage, p.Name = i+1, st.Name
			}
		}
		did += weight * share / float64(st.Populations)
	}
	p.Share = did / work
	return p, nil
}

// taskVariables are the environment variables that give a task of an array its index: those of
// Slurm and of a Kubernetes Indexed Job, and one for everything else.
var taskVariables = [...]string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CLADE_TASK"}

// TaskIndex returns the index of this task in an array of several: the given one, or, if that is
// negative, that of the environment.
func TaskIndex(given, tasks int) (int, error) {
	source := "the index"
	for i := 0; given < 0; i++ {
		if i == len(taskVariables) {
			return 0, fmt.Errorf("there are %d tasks, and neither --task nor one of "+
				"%v says which this is", tasks, taskVariables)
		}
		text, ok := os.LookupEnv(taskVariables[i])
		if !ok {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("%s is %q, and must be a whole number from 0 on", taskVariables[i], text)
		}
		source, given = taskVariables[i], n
	}
	if tasks < 1 || given >= tasks {
		return 0, fmt.Errorf("%s is %d of %d tasks; it must be less", source, given, tasks)
	}
	return given, nil
}

// Pick returns the cells with these keys, in this order.
func Pick(g *study.Grid, keys []string) ([]study.Cell, error) {
	place := map[string]int{}
	for i := range g.Cells {
		place[g.Cells[i].Key] = i
	}
	cells := []study.Cell{}
	for _, k := range keys {
		i, ok := place[k]
		if !ok {
			return nil, fmt.Errorf("the sweep has no run %.40s; it was another sweep, "+
				"or the study has changed since", k)
		}
		cells = append(cells, g.Cells[i])
	}
	return cells, nil
}
