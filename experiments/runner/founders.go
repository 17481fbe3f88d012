package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
)

// everyChampion ends the name of all champions of a run.
const everyChampion = "@all"

// foundersOf finds the species that a study names as founders, and returns the study with one name
// for each: run:RUN@all stands for all champions of a run.
func foundersOf(s *study.Study, g engine.Game) (*study.Study, []*gp.Species, error) {
	var names []string
	for _, name := range s.Evolve.Founders.Species {
		run, is := strings.CutPrefix(name, "run:")
		dir, every := strings.CutSuffix(run, everyChampion)
		if !is || !every {
			names = append(names, name)
			continue
		}
		if err := s.Scope().Allow(name, player.Files); err != nil {
			return nil, nil, err
		}
		champions, err := player.Champions(dir)
		if err != nil {
			return nil, nil, fmt.Errorf("evolve.founders.species: %q: %w", name, err)
		}
		for _, c := range champions {
			names = append(names, fmt.Sprintf("run:%s@%d", dir, c.Generation))
		}
	}
	var all []*gp.Species
	for _, name := range names {
		species, err := s.Scope().Species(g, name)
		if err != nil {
			return nil, nil, fmt.Errorf("evolve.founders.species: %q: %w", name, err)
		}
		all = append(all, species)
	}
	own := *s
	own.Evolve.Founders.Species = names
	return &own, all, nil
}

func genomes(species []*gp.Species) []gp.Genome {
	var all []gp.Genome
	for _, s := range species {
		all = append(all, s.Genome)
	}
	return all
}

func (r *Run) founderPath(i int) string {
	return fmt.Sprintf("%s/%04d.species", founderFolder, i)
}

// writeFounders keeps copies of the founders' species.
func (r *Run) writeFounders(species []*gp.Species) error {
	if len(species) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(r.Dir, founderFolder), 0o777); err != nil {
		return fmt.Errorf("cannot keep the founders' species: %w", err)
	}
	for i, s := range species {
		text := r.Game.Grammar().PrintSpecies(s)
		if err := rundir.WriteFile(r.Dir, r.founderPath(i), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// readFounders reads what writeFounders kept.
func (r *Run) readFounders() ([]*gp.Species, error) {
	var all []*gp.Species
	for i := range r.Study.Evolve.Founders.Species {
		s, err := player.ReadSpecies(r.Game, filepath.Join(r.Dir, r.founderPath(i)))
		if err != nil {
			return nil, fmt.Errorf("the run's copy of a founder: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}
