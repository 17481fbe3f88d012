package evolve

import (
	"context"
	"fmt"
	"io"

	"clade/evolve/rundir"
	"clade/gp"
)

// Member is an individual of a run's population.
type Member struct {
	*Individual
	Island, Index int
	Born          int    // the first generation with it; 0 for founders
	Origin        string // the operation that made it
}

// Members reads all individuals of a run of this setup, island by island, and returns the
// generation of the checkpoint that it read: that of the given generation or, if that is negative,
// the newest sound one. It writes nothing, so it may be called during the run.
func (s *Setup) Members(path string, generation int) ([]Member, int, error) {
	b, state, at, err := s.checkpoint(path, generation)
	if err != nil {
		return nil, 0, err
	}
	var all []Member
	for island, population := range state.populations {
		for index, in := range population {
			born, _ := b.birth(in.ID)
			all = append(all, Member{in, island, index, born, in.origin.String()})
		}
	}
	return all, at, nil
}

// WriteLineage writes the lineage of a run's newest sound checkpoint in the format of the file that
// a run writes at its end. Like Members it may be called during the run.
func (s *Setup) WriteLineage(w io.Writer, path string) error {
	b, state, _, err := s.checkpoint(path, -1)
	if err != nil {
		return err
	}
	return state.lineage.write(w, b)
}

// checkpoint reads the checkpoint that Members chooses.
func (s *Setup) checkpoint(path string, generation int) (*breeder, *state, int, error) {
	if err := s.Check(); err != nil {
		return nil, nil, 0, err
	}
	payload, at, err := rundir.Checkpoint(path, s.Hash(), generation)
	if err != nil {
		return nil, nil, 0, err
	}
	b := s.breeder(context.Background())
	state, err := b.decode(payload)
	return b, state, at, err
}

// Species returns a member as a species file. generation is that of its checkpoint.
func (s *Setup) Species(m *Member, generation int) []byte {
	return s.speciesFile("", generation, m.Island, m.Individual)
}

// speciesFile returns an individual as a species file that says where it comes from.
func (s *Setup) speciesFile(what string, generation, island int, in *Individual) []byte {
	info := s.Game.Info()
	origin := fmt.Sprintf("%sgeneration %d, individual %d of island %d, seed %d", what, generation,
		in.ID, island, s.Seed)
	return []byte(s.Game.Grammar().PrintSpecies(&gp.Species{Game: info.Name, Version: info.Version,
		Origin: []string{origin}, Settings: s.Settings, Genome: in.Genome}))
}
