package runner

import (
	"fmt"
	"os"
	"path/filepath"

	"clade/engine"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp"
)

// foundersOf finds the species that a study names as founders.
func foundersOf(s *study.Study, g engine.Game) ([]*gp.Species, error) {
	var all []*gp.Species
	for _, name := range s.Evolve.Founders.Species {
		species, err := s.Scope().Species(g, name)
		if err != nil {
			return nil, fmt.Errorf("evolve.founders.species: %q: %w", name, err)
		}
		all = append(all, species)
	}
	return all, nil
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
