package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
	"clade/gp/input"
)

// everyChampion is the suffix that stands for all champions of a run, or of all runs of a sweep.
const everyChampion = "@all"

// MergeFolder is the name of the run in a sweep's directory that descends from the others.
const MergeFolder = "merge"

// FounderNames returns evolve.founders.species of a study with every name expanded to single
// species: run:RUN@all to all champions of a run; sweep:DIR to the last champions of a sweep's
// runs, and sweep:DIR@all to all of theirs, in the order of the runs' keys; and
// population:RUN@GENERATION to all individuals of a checkpoint, island by island.
func FounderNames(s *study.Study) ([]string, error) {
	var all []string
	for _, name := range s.Evolve.Founders.Species {
		names, err := founderNames(s, name)
		if err != nil {
			return nil, fmt.Errorf("evolve.founders.species: %q: %w", name, err)
		}
		all = append(all, names...)
	}
	return all, nil
}

func founderNames(s *study.Study, name string) ([]string, error) {
	if strings.HasPrefix(name, study.Individual) {
		members, err := (&populations{scope: s.Scope()}).of(name)
		names := make([]string, len(members))
		for i, m := range members {
			names[i] = fmt.Sprintf("%s/%d", name, m.ID)
		}
		return names, err
	}
	path, every := strings.CutSuffix(name, everyChampion)
	sweep, swept := strings.CutPrefix(path, "sweep:")
	run, is := strings.CutPrefix(path, "run:")
	if !swept && !(is && every) {
		return []string{name}, nil
	}
	if err := s.Scope().Allow(name, player.Files); err != nil {
		return nil, err
	}
	runs := []string{run}
	if swept {
		var err error
		if runs, err = sweptRuns(sweep); err != nil {
			return nil, err
		}
	}
	var names []string
	for _, dir := range runs {
		champions, err := player.Champions(dir)
		if err != nil {
			return nil, err
		}
		if !every && len(champions) > 0 {
			champions = champions[len(champions)-1:]
		}
		for _, c := range champions {
			names = append(names, fmt.Sprintf("run:%s@%d", dir, c.Generation))
		}
	}
	return names, nil
}

// sweptRuns lists the runs of a sweep. It returns an error if one is not over.
func sweptRuns(dir string) ([]string, error) {
	entries, err := packed.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is not a sweep's directory: %w", dir, err)
	}
	var runs []string
	for _, e := range entries {
		run := filepath.Join(dir, e.Name())
		if e.Name() == MergeFolder || !rundir.IsRun(run) {
			continue
		}
		if done, err := ReadSummary(run); err != nil {
			return nil, err
		} else if done == nil {
			return nil, fmt.Errorf("%s is not over; go on with the sweep", run)
		}
		runs = append(runs, run)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s holds no runs; name the directory of a sweep", dir)
	}
	return runs, nil
}

// foundersOf reads the founders of a study, and returns the study with one name for each.
func foundersOf(s *study.Study, g engine.Game) (*study.Study, []*gp.Species, error) {
	names, err := FounderNames(s)
	if err != nil {
		return nil, nil, err
	}
	var all []*gp.Species
	known := populations{scope: s.Scope()}
	for _, name := range names {
		var species *gp.Species
		if strings.HasPrefix(name, study.Individual) {
			species, err = known.species(g, name)
		} else {
			species, err = s.Scope().Species(g, name)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("evolve.founders.species: %q: %w", name, err)
		}
		all = append(all, species)
	}
	own := *s
	own.Evolve.Founders.Species = names
	return &own, all, nil
}

// populations reads the individuals of checkpoints, and caches those of the last one.
type populations struct {
	scope   player.Scope
	name    string
	run     *Run
	setup   evolve.Setup
	at      int
	members []evolve.Member
}

// of returns the individuals of population:RUN@GENERATION, or of the newest checkpoint of
// population:RUN.
func (p *populations) of(name string) ([]evolve.Member, error) {
	if name == p.name {
		return p.members, nil
	}
	if err := p.scope.Allow(study.Individual, player.Files); err != nil {
		return nil, err
	}
	dir, generation, err := player.AtGeneration(strings.TrimPrefix(name, study.Individual))
	if err != nil {
		return nil, err
	}
	if p.run, err = Open(p.scope, input.Home(dir)); err != nil {
		return nil, err
	}
	if p.setup, err = p.run.Setup(); err != nil {
		return nil, err
	}
	p.name = name
	p.members, p.at, err = p.setup.Members(p.run.Dir, generation)
	return p.members, err
}

// species returns the individual that population:RUN@GENERATION/ID names.
func (p *populations) species(g engine.Game, name string) (*gp.Species, error) {
	cut := strings.LastIndexByte(name, '/')
	members, err := p.of(name[:cut])
	if err != nil {
		return nil, err
	}
	for i := range members {
		if fmt.Sprint(members[i].ID) == name[cut+1:] {
			return player.ParseSpecies(g, name, string(p.setup.Species(&members[i], p.at)))
		}
	}
	return nil, fmt.Errorf("there is no individual %s", name[cut+1:])
}

func genomes(species []*gp.Species) []gp.Genome {
	var all []gp.Genome
	for _, s := range species {
		all = append(all, s.Genome)
	}
	return all
}

// hashes returns the SHA-256 of each species' genome, in hexadecimal digits.
func hashes(g engine.Game, species []*gp.Species) []string {
	var all []string
	for _, s := range species {
		sum := sha256.Sum256([]byte(g.Grammar().Print(s.Genome)))
		all = append(all, hex.EncodeToString(sum[:]))
	}
	return all
}

func founderPath(i int) string { return fmt.Sprintf("%s/%04d.species", founderFolder, i) }

// FounderFiles returns the paths of the copies of its founders in a run's directory.
func (m *Manifest) FounderFiles(dir string) (paths []string) {
	for i := range m.Founders {
		paths = append(paths, dir+"/"+founderPath(i))
	}
	return paths
}

// writeFounders writes copies of the founders into the run.
func (r *Run) writeFounders(species []*gp.Species) error {
	if len(species) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(r.Dir, founderFolder), 0o777); err != nil {
		return fmt.Errorf("cannot keep the founders' species: %w", err)
	}
	names := make([]string, len(species))
	// A disk takes files together in the time of one. They wait, so there are more than processors.
	const together = 8
	err := parallel.Each(context.Background(), len(species), together, func(_, i int) error {
		names[i] = founderPath(i)
		text := r.Game.Grammar().PrintSpecies(species[i])
		return durable.WriteFile(filepath.Join(r.Dir, names[i]), []byte(text), 0o666)
	})
	if err != nil {
		return err
	}
	return rundir.Record(r.Dir, names...)
}

// readFounders reads the copies of writeFounders.
func (r *Run) readFounders() ([]*gp.Species, error) {
	var all []*gp.Species
	for i := range r.Study.Evolve.Founders.Species {
		s, err := player.ReadSpecies(r.Game, filepath.Join(r.Dir, founderPath(i)))
		if err != nil {
			return nil, fmt.Errorf("the run's copy of a founder: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}
